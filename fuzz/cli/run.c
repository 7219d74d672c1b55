/* run.c - gcstorm run: replays inputs in worker processes and prints each verdict. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/findings.h"
#include "fuzz/campaign/worker.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/options.h"
#include "fuzz/cli/output.h"
#include "fuzz/exec/exec.h"
#include "fuzz/program/parser.h"

static const struct command command = {
    .name = "run",
    .summary = "replays inputs and judges them",
    .synopsis = "FILE… [OPTION…]",
    .details =
        "A file is text when its name ends in .rb or it begins with \"# gcstorm:\"; else it is "
        "bytes.\n"
        "Any bytes are a program; an empty file is one too.  A kept file starts with a header\n"
        "that names its dialect, which then counts instead of --harness.\n"
        "On threads a run is no function of its bytes: --repeat makes a finding more likely, and\n"
        "each run has another seed of perturbation.\n",
    .runs_programs = true,
};

/* Each costs a pointer. */
enum { RUNS_MAX = 10000000, VARIANTS_MAX = 1000, VARIANTS_OF_FILE = VARIANTS_MAX + 1 };

/* No --perturb was given. */
#define PERTURB_NONE UINT64_MAX

struct run_request {
  struct worker_options worker;
  uint64_t max_bytes;
  uint64_t repeat;
  uint64_t perturb;
  uint64_t variants; /* VARIANTS_OF_FILE: as many as the program says */
  char variants_text[24];
  bool json;
};

struct run_outcome {
  const struct run_request *request;
  json_t *records; /* with --json */
  size_t clean;
  size_t findings;
  char first_hash[40]; /* of the current file's first run */
};

/* A file whose repeated runs differ breaks the first promise: everything is a function of the
 * input. */
static void
check_repeat(struct run_outcome *outcome, size_t index, json_t *record)
{
  const char *hash = record_text(record, "trace_hash");

  if (index % outcome->request->repeat == 0) {
    snprintf(outcome->first_hash, sizeof outcome->first_hash, "%s", hash);
  } else if (!record_is_finding(record) && strcmp(hash, outcome->first_hash) != 0) {
    json_object_set_new(record, "verdict", json_string("finding"));
    json_object_set_new(record, "finding",
                        json_pack("{s:s, s:s, s:s, s:s}", "oracle", "replay", "rule",
                                  "not-repeatable", "bucket", "not-repeatable", "text",
                                  "two runs of the same bytes have different traces"));
  }
}

static void
print_stack(const json_t *finding, const char *title, const char *stack)
{
  size_t index;
  json_t *name;

  printf("         %s\n", record_text(finding, title));
  json_array_foreach(json_object_get(finding, stack), index, name)
      printf("           %s\n", json_string_value(name));
}

/* Of a data race: what it is about, and who did what where. */
static void
print_race(const json_t *finding)
{
  if (*record_text(finding, "other_stack_title") == '\0')
    return;
  if (*record_text(finding, "object") != '\0')
    printf("         on %s\n", record_text(finding, "object"));
  print_stack(finding, "stack_title", "stack");
  print_stack(finding, "other_stack_title", "other_stack");
}

/* Clean here, but a finding under other options, as the record beside it tells. */
static void
print_other_options(const struct run_request *request, const json_t *record)
{
  const char *path = record_text(record, "file");
  const struct worker_options *ours = &request->worker;
  char problem[12000];
  json_t *beside;

  if (!finding_record_beside(path, &beside, problem, sizeof problem) || beside == NULL)
    return;
  const char *faults = record_text(beside, "faults");
  bool same = strcmp(record_text(beside, "sanitizer"), ours->sanitizer) == 0 &&
              strcmp(record_text(beside, "host"), ours->host) == 0 &&
              strcmp(faults, ours->faults != NULL ? ours->faults : "") == 0;
  if (!same && *record_text(beside, "run") != '\0')
    printf("         its record tells of other options: %s\n", record_text(beside, "run"));
  json_decref(beside);
}

static void
print_record(const struct run_request *request, const json_t *record)
{
  bool threads = strcmp(record_text(record, "host"), exec_host_name(EXEC_HOST_THREADS)) == 0;

  if (!record_is_finding(record)) {
    printf("clean    %s  %s%s\n", record_text(record, "file"),
           threads ? "on threads, which have no trace" : "trace ",
           record_text(record, "trace_hash"));
    print_other_options(request, record);
    return;
  }
  printf("finding  %s%s  %s: %s\n         bucket %s\n", record_text(record, "file"),
         threads ? "  on threads" : "", record_finding_text(record, "rule"),
         record_finding_text(record, "text"), record_finding_text(record, "bucket"));
  print_race(json_object_get(record, "finding"));
}

static void
take_result(void *arg, size_t index, json_t *record)
{
  struct run_outcome *outcome = arg;
  uint64_t repeat = outcome->request->repeat;

  check_repeat(outcome, index, record);
  if (record_is_finding(record))
    outcome->findings++;
  else
    outcome->clean++;
  /* Of repeated clean runs only the first is worth a line. */
  if (!record_is_finding(record) && index % repeat != 0)
    return;
  if (outcome->records != NULL) {
    json_array_append(outcome->records, record);
  } else {
    print_record(outcome->request, record);
    fflush(stdout);
  }
}

/* Whether the file can be read and is a program: text that parses, or bytes whose header, if there
 * is one, is of a format that we know. */
static bool
check_input(const struct run_request *request, const char *path, char *problem, size_t problem_size)
{
  struct program program;
  uint8_t *data;
  size_t size;
  bool good;

  if (!file_read_input(path, request->max_bytes, &data, &size, problem, problem_size))
    return false;
  good = program_init(&program, PROGRAM_RACTOR);
  snprintf(problem, problem_size, "out of memory");
  if (good) {
    good = program_read(&program, PROGRAM_RACTOR, path, data, size, problem, problem_size);
    program_free(&program);
  }
  free(data);
  return good;
}

/* The output takes the place of what is there, which must be neither the input nor a device. */
static int
check_output(const struct run_request *request, const struct words *words, const char *option,
             const char *output)
{
  char records[2][FINDING_RECORD_ROOM];
  struct stat to;

  if (output == NULL)
    return -1;
  if (words->count != 1 || request->repeat != 1)
    return usage_error(&command, "%s is for one run of one file", option);
  if (output_is_same(output, words->items[0]))
    return usage_error(&command, "%s %s is the input itself; name another file", option, output);
  if (stat(output, &to) == 0 && !S_ISREG(to.st_mode))
    return usage_error(&command, "%s %s is no plain file; name another", option, output);
  finding_record_names(words->items[0], records);
  if (output_is_same(output, records[0]) || output_is_same(output, records[1]))
    return usage_error(&command, "%s %s is the record of the input; name another file", option,
                       output);
  int file = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

  if (file < 0) {
    complain(&command, "cannot write %s: %s; name a file that you may write", output,
             strerror(errno));
    return EXIT_USAGE;
  }
  close(file);
  return -1;
}

static int
check_host(const struct run_request *request)
{
  bool threads = strcmp(request->worker.host, exec_host_name(EXEC_HOST_THREADS)) == 0;

  if (request->worker.trace != NULL && threads)
    return usage_error(&command, "--trace needs --host sim: runs on threads have no trace");
  if (request->worker.variants != NULL && threads)
    return usage_error(&command, "--variants needs --host sim: runs on threads are not compared");
  if (request->worker.observations != NULL && threads)
    return usage_error(&command, "--observations needs --host sim: on threads they are not kept");
  if (request->perturb != PERTURB_NONE && !threads)
    return usage_error(&command, "--perturb needs --host threads: on sim the program has the "
                                 "schedule");
  return -1;
}

static int
check_inputs(const struct run_request *request, const struct words *words)
{
  char problem[5000];

  if (words->count == 0)
    return usage_error(&command, "no file given");
  if (words->count * request->repeat > RUNS_MAX)
    return usage_error(&command, "--repeat: at most %d runs in all", RUNS_MAX);
  for (size_t i = 0; i < words->count; i++) {
    if (!check_input(request, words->items[i], problem, sizeof problem)) {
      complain(&command, "%s", problem);
      return EXIT_USAGE;
    }
  }
  int code = check_host(request);

  if (code >= 0)
    return code;
  code = check_output(request, words, "--trace", request->worker.trace);
  if (code < 0)
    code = check_output(request, words, "--observations", request->worker.observations);
  if (code < 0 && request->worker.trace != NULL && request->worker.observations != NULL &&
      output_is_same(request->worker.trace, request->worker.observations))
    return usage_error(&command, "--trace and --observations are one file; name two");
  return code;
}

static int
finish_run(const struct run_outcome *outcome)
{
  if (outcome->records != NULL) {
    json_t *all = json_pack("{s:O, s:I, s:I}", "files", outcome->records, "clean",
                            (json_int_t)outcome->clean, "findings", (json_int_t)outcome->findings);

    json_dumpf(all, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(all);
  } else {
    printf("%zu clean, %zu with a finding\n", outcome->clean, outcome->findings);
  }
  return finish_output(&command, outcome->findings > 0 ? EXIT_FINDING : EXIT_CLEAN);
}

static int
run_files(const struct run_request *request, const struct words *words)
{
  struct run_outcome outcome = {.request = request};
  size_t count = words->count * request->repeat;
  const char **files = calloc(count, sizeof *files);
  char problem[5000];
  int code;

  if (files == NULL) {
    complain(&command, "out of memory");
    return EXIT_ENVIRONMENT;
  }
  for (size_t i = 0; i < count; i++)
    files[i] = words->items[i / request->repeat];
  outcome.records = request->json ? json_array() : NULL;
  if (worker_run(&request->worker, files, count, take_result, &outcome, problem, sizeof problem)) {
    code = finish_run(&outcome);
  } else {
    complain(&command, "%s", problem);
    code = EXIT_ENVIRONMENT;
  }
  json_decref(outcome.records);
  free(files);
  return code;
}

int
command_run(int argc, char **argv)
{
  struct run_request request = {.worker = {.sanitizer = "none",
                                           .dialect = harness_names[0],
                                           .hang_seconds = 60,
                                           .host = "sim"},
                                .max_bytes = 1 << 20,
                                .repeat = 1,
                                .perturb = PERTURB_NONE,
                                .variants = VARIANTS_OF_FILE};
  const struct option options[] = {
      {"sanitizer", 0, OPTION_CHOICE, &request.worker.sanitizer, SANITIZER_CHOICES,
       "build to run in (none)", 0, 0},
      {"harness", 0, OPTION_CHOICE, &request.worker.dialect, HARNESS_CHOICES,
       "of files without a header", 0, 0},
      {"dialect", 0, OPTION_CHOICE, &request.worker.dialect, HARNESS_CHOICES, "the same", 0, 0},
      {"fault", 0, OPTION_FAULTS, &request.worker.faults, "ID[,ID]", "switch seeded faults on", 0,
       0},
      {"host", 0, OPTION_CHOICE, &request.worker.host, HOST_CHOICES,
       "what Ractors run on (sim); see docs/HOSTS.md", 0, 0},
      {"perturb", 0, OPTION_NUMBER, &request.perturb, "SEED",
       "with --host threads: other yields and sleeps (0)", 0, INT64_MAX},
      {"verify", 0, OPTION_CHOICE, &request.worker.verify, "off|cycles|phases",
       "when the verifier runs", 0, 0},
      {"oracles", 0, OPTION_CHOICE, &request.worker.oracles, "all|none|shadow|stores",
       "the shadow model, the log of stores, or both (all)", 0, 0},
      {"trace", 0, OPTION_TEXT, &request.worker.trace, "FILE",
       "write the trace, a JSON line an event", 0, 0},
      {"variants", 0, OPTION_NUMBER, &request.variants, "N",
       "runs that must observe the same; else as many as the file says", 0, VARIANTS_MAX},
      {"observations", 0, OPTION_TEXT, &request.worker.observations, "FILE",
       "write what the program observes, a line an op", 0, 0},
      {"repeat", 0, OPTION_NUMBER, &request.repeat, "N",
       "run each file N times; traces must agree (sim)", 1, 1000000},
      {"max-bytes", 0, OPTION_NUMBER, &request.max_bytes, "N", "largest file taken (1048576)", 1,
       1u << 30},
      {"json", 0, OPTION_FLAG, &request.json, NULL, "one JSON object on stdout", 0, 0},
  };
  struct words words;
  int code = options_parse(&command, options, COUNT_OF(options), argc, argv, &words);

  if (request.variants != VARIANTS_OF_FILE) {
    snprintf(request.variants_text, sizeof request.variants_text, "%u", (unsigned)request.variants);
    request.worker.variants = request.variants_text;
  }
  if (request.perturb != PERTURB_NONE)
    request.worker.perturb = request.perturb;
  if (code < 0)
    code = check_inputs(&request, &words);
  return code >= 0 ? code : run_files(&request, &words);
}
