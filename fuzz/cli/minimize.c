/* minimize.c - gcstorm minimize: the smallest program that shows a finding's bucket. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/findings.h"
#include "fuzz/campaign/plural.h"
#include "fuzz/cli/beside.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/interrupt.h"
#include "fuzz/cli/options.h"
#include "fuzz/cli/output.h"
#include "fuzz/cli/reduce.h"
#include "fuzz/program/parser.h"

static const struct command command = {
    .name = "minimize",
    .summary = "makes a finding's program as small as it gets",
    .synopsis = "FILE [-o OUT] [OPTION…]",
    .details =
        "Takes away ops, blocks, loops, preemptions, stress and failures, and lowers operands and\n"
        "settings, while the finding keeps its bucket.  Sanitizer and faults default to those of\n"
        "the .json record beside FILE.  The result is canonical, has a record of its own, and\n"
        "minimising it again changes nothing.  It goes to FILE with .min.bin for .bin or .rb; "
        "FILE\n"
        "is changed only when -o names it, and -o OUT.rb or OUT.json is refused: the result is "
        "bytes.\n"
        "Progress goes to stderr; Ctrl-C and --time end the work early with the smallest program "
        "so\n"
        "far.  Runs are on the simulator; a finding that was made on threads is refused unless "
        "--bucket\n"
        "names what the simulator shows.\n",
    .runs_programs = true,
};

struct minimize_options {
  const char *file;
  const char *output;
  const char *harness;
  const char *bucket;
  struct worker_options worker;
  uint64_t seconds; /* 0: no limit */
  uint64_t max_bytes;
  bool json;
};

struct work {
  const struct minimize_options *options;
  struct reduction reduction;
};

/* What the summary compares. */
struct measure {
  unsigned ops;
  unsigned blocks;
  unsigned preemptions;
  size_t bytes;
};

/* ---- Result ---------------------------------------------------------------------------------- */

static struct measure
measure(const struct program *program)
{
  return (struct measure){program->op_count, program->block_count, program->preemption_count,
                          PROGRAM_HEADER_SIZE + program_encoded_size(program)};
}

static json_t *
json_pair(size_t before, size_t after)
{
  return json_pack("{s:I, s:I}", "before", (json_int_t)before, "after", (json_int_t)after);
}

static void
print_result(const struct work *work, const struct measure *before, const struct measure *after,
             const struct minimize_report *report)
{
  const struct minimize_options *options = work->options;
  const char *faults = options->worker.faults;

  if (!options->json) {
    printf("%s\n  bucket  %s\n  ops %u → %u, blocks %u → %u, preemptions %u → %u, bytes %zu → %zu; "
           "%lu run%s\n",
           options->output, work->reduction.bucket, before->ops, after->ops, before->blocks,
           after->blocks, before->preemptions, after->preemptions, before->bytes, after->bytes,
           report->runs, plural(report->runs));
    if (report->ended_early)
      printf("  ended early: smaller, but perhaps not as small as it gets\n");
    return;
  }
  json_t *all = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:b}", "file",
                          options->file, "output", options->output, "bucket",
                          work->reduction.bucket, "sanitizer", options->worker.sanitizer, "faults",
                          faults != NULL ? faults : "", "ops", json_pair(before->ops, after->ops),
                          "blocks", json_pair(before->blocks, after->blocks), "preemptions",
                          json_pair(before->preemptions, after->preemptions), "bytes",
                          json_pair(before->bytes, after->bytes), "runs", (json_int_t)report->runs,
                          "ended_early", report->ended_early);

  json_dumpf(all, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(all);
}

/* Writes the program and its record, if a process that ran nothing else agrees. */
static int
keep_result(struct work *work, const struct program *program)
{
  const struct minimize_options *options = work->options;
  const struct finding_source source = {.harness = harness_names[program->dialect],
                                        .dialect = program->dialect,
                                        .sanitizer = options->worker.sanitizer,
                                        .faults = options->worker.faults};
  size_t size = reduction_bytes(&work->reduction, program);
  json_t *record = judge_bytes_fresh(&work->reduction.judge, work->reduction.bytes, size,
                                     work->reduction.problem, sizeof work->reduction.problem);
  int code = EXIT_ENVIRONMENT;

  if (record == NULL) {
    complain(&command, "%s", work->reduction.problem);
  } else if (strcmp(record_finding_text(record, "bucket"), work->reduction.bucket) != 0) {
    complain(&command,
             "a fresh process does not agree that %s is still there; this is a bug of "
             "gcstorm, and nothing was written",
             work->reduction.bucket);
  } else if (!file_write(options->output, "", 0, work->reduction.bytes, size) ||
             !finding_record_write(record, &source, options->output)) {
    complain(&command, "cannot write %s: %s", options->output, strerror(errno));
    code = EXIT_USAGE;
  } else {
    code = EXIT_CLEAN;
  }
  json_decref(record);
  return code;
}

static int
minimize(struct work *work, struct program *program)
{
  struct measure before = measure(program), after;
  struct minimize_report report;

  interrupts_catch();
  work->reduction.seconds = work->options->seconds;
  if (!reduction_run(&work->reduction, program, &report)) {
    complain(&command, "%s", work->reduction.problem);
    return EXIT_ENVIRONMENT;
  }
  after = measure(program);
  interrupt_seen = 0; /* the last question is asked all the same; a second Ctrl-C ends that too */
  int code = keep_result(work, program);

  if (code == EXIT_CLEAN)
    print_result(work, &before, &after, &report);
  return finish_output(&command, code);
}

/* ---- Input ----------------------------------------------------------------------------------- */

/* The bucket to keep is the one that FILE shows; one that was asked for must be the same. */
static int
check_finding(struct work *work, const json_t *record)
{
  const struct minimize_options *options = work->options;
  const char *bucket = record_finding_text(record, "bucket");
  const char *faults = options->worker.faults;
  char preset[PRESET_NAME_MAX];

  if (!record_is_finding(record)) {
    preset_name(preset, options->worker.sanitizer, faults != NULL);
    complain(&command, "%s is clean under %s%s%s; nothing to minimise", options->file, preset,
             faults != NULL ? " with " : "", faults != NULL ? faults : "");
    return EXIT_USAGE;
  }
  if (options->bucket != NULL && strcmp(options->bucket, bucket) != 0) {
    complain(&command, "%s shows the bucket %s, not %s", options->file, bucket, options->bucket);
    return EXIT_USAGE;
  }
  snprintf(work->reduction.bucket, sizeof work->reduction.bucket, "%s", bucket);
  return -1;
}

static int
judge_and_minimize(const struct minimize_options *options, struct program *program)
{
  static struct work work;
  json_t *record;
  int code = EXIT_ENVIRONMENT;

  work.options = options;
  if (!judge_open(&work.reduction.judge, &options->worker, work.reduction.problem,
                  sizeof work.reduction.problem)) {
    complain(&command, "%s", work.reduction.problem);
    return EXIT_ENVIRONMENT;
  }
  record = judge_bytes_fresh(&work.reduction.judge, work.reduction.bytes,
                             reduction_bytes(&work.reduction, program), work.reduction.problem,
                             sizeof work.reduction.problem);
  if (record == NULL)
    complain(&command, "%s", work.reduction.problem);
  else
    code = check_finding(&work, record);
  json_decref(record);
  if (code < 0)
    code = minimize(&work, program);
  judge_close(&work.reduction.judge);
  return code;
}

/* Whether the record of OUT would take the place of another's, or of FILE. */
static bool
record_is_of_another(const struct minimize_options *options, const char *record)
{
  char beside[2][FINDING_RECORD_ROOM];

  if (access(record, F_OK) != 0 || output_is_same(options->file, options->output))
    return false;
  finding_record_names(options->file, beside);
  return access(options->output, F_OK) != 0 || output_is_same(record, options->file) ||
         output_is_same(record, beside[0]) || output_is_same(record, beside[1]);
}

/* OUT and its record, said before the work, not after it.  -1: go on. */
static int
check_output(const struct minimize_options *options)
{
  char beside[2][FINDING_RECORD_ROOM];
  int code = output_check_bytes(&command, options->output);

  if (code >= 0)
    return code;
  finding_record_names(options->output, beside);
  code = output_check(&command, beside[1]);
  if (code < 0 && record_is_of_another(options, beside[1])) {
    complain(&command, "the record of %s would take the place of %s; name another one",
             options->output, beside[1]);
    return EXIT_USAGE;
  }
  return code;
}

static int
minimize_file(const struct minimize_options *options)
{
  struct program program;
  char problem[5000];
  uint8_t *data;
  size_t size;
  int code = EXIT_USAGE;

  if (!file_read_input(options->file, options->max_bytes, &data, &size, problem, sizeof problem)) {
    complain(&command, "%s", problem);
    return EXIT_USAGE;
  }
  if (!program_init(&program, PROGRAM_RACTOR)) {
    complain(&command, "out of memory");
    free(data);
    return EXIT_ENVIRONMENT;
  }
  enum program_dialect dialect =
      strcmp(options->harness, harness_names[0]) == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS;

  if (program_read(&program, dialect, options->file, data, size, problem, sizeof problem))
    code = check_output(options);
  else
    complain(&command, "%s", problem);
  if (code < 0)
    code = judge_and_minimize(options, &program);
  program_free(&program);
  free(data);
  return code;
}

/* ---- Defaults -------------------------------------------------------------------------------- */

/* What the user did not say is as in the record of the finding, which owns the texts.  False:
 * complained. */
static bool
take_defaults(struct minimize_options *options, const json_t *record)
{
  struct beside beside = {options->worker.sanitizer, options->harness, options->worker.faults};

  if (!beside_take(&command, options->file, record, &beside))
    return false;
  options->worker.sanitizer = beside.sanitizer != NULL ? beside.sanitizer : "none";
  options->harness = beside.harness != NULL ? beside.harness : harness_names[0];
  options->worker.dialect = options->harness;
  options->worker.faults = beside.faults;
  return true;
}

/* -1: go on. */
static int
check_record(struct minimize_options *options, const json_t *record)
{
  if (!take_defaults(options, record))
    return EXIT_USAGE;
  if (options->bucket != NULL || !beside_is_of_threads(record))
    return -1;
  complain(&command,
           "%s was found on threads, where a run is no function of its bytes; if gcstorm run "
           "--host sim shows a finding, name its bucket with --bucket",
           options->file);
  return EXIT_USAGE;
}

/* x.bin, x.rb and x → x.min.bin */
static void
name_output(char *path, size_t size, const char *file)
{
  size_t length = strlen(file);

  if (length > 4 && strcmp(file + length - 4, ".bin") == 0)
    length -= 4;
  else if (length > 3 && strcmp(file + length - 3, ".rb") == 0)
    length -= 3;
  snprintf(path, size, "%.*s.min.bin", (int)length, file);
}

int
command_minimize(int argc, char **argv)
{
  struct minimize_options request = {.worker = {.hang_seconds = 10, .stop = &interrupt_seen},
                                     .max_bytes = 1 << 20};
  const struct option options[] = {
      {"output", 'o', OPTION_TEXT, &request.output, "OUT", "where the result goes (FILE.min.bin)",
       0, 0},
      {"sanitizer", 0, OPTION_CHOICE, &request.worker.sanitizer, SANITIZER_CHOICES,
       "build to run in (the finding's, else none)", 0, 0},
      {"fault", 0, OPTION_FAULTS, &request.worker.faults, "ID[,ID]",
       "seeded faults to switch on (the finding's)", 0, 0},
      {"bucket", 0, OPTION_TEXT, &request.bucket, "KEY", "the bucket that FILE must show", 0, 0},
      {"verify", 0, OPTION_CHOICE, &request.worker.verify, "off|cycles|phases",
       "when the verifier runs", 0, 0},
      {"harness", 0, OPTION_CHOICE, &request.harness, HARNESS_CHOICES, "of a file without a header",
       0, 0},
      {"time", 0, OPTION_SECONDS, &request.seconds, "T", "30s, 10m or 1h (as long as it takes)", 0,
       0},
      {"max-bytes", 0, OPTION_NUMBER, &request.max_bytes, "N", "largest file taken (1048576)", 1,
       1u << 30},
      {"json", 0, OPTION_FLAG, &request.json, NULL, "one JSON object on stdout", 0, 0},
  };
  char output[PATH_MAX + 16];
  struct words words;
  json_t *record;
  int code = options_parse(&command, options, COUNT_OF(options), argc, argv, &words);

  if (code >= 0)
    return code;
  if (words.count != 1)
    return usage_error(&command, words.count == 0 ? "no file given" : "one file at a time");
  request.file = words.items[0];
  if (request.output == NULL) {
    name_output(output, sizeof output, request.file);
    request.output = output;
  }
  if (!beside_read(&command, request.file, &record))
    return EXIT_USAGE;
  code = check_record(&request, record);
  if (code < 0)
    code = minimize_file(&request);
  json_decref(record);
  return code;
}
