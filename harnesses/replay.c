/* replay.c - gcstorm-worker: runs files, one JSON line each, without a fuzz engine.
 *
 *   gcstorm-worker [--dialect ractor|events] [--verify LEVEL] [--fault IDS] [--trace FILE]
 *                  [--variants N] [--observations FILE] [--repeat N] [--files LIST | [--] FILE…]
 *
 * LIST holds names of files, one a line; "-" is stdin, so that one process can answer for files
 * that are made one after the other.
 *
 * Exit code 0: all clean; 1: a finding; 2: usage or a file that cannot be read; 3: the machine does
 * not allow it; 66: the process died in a sanitizer or by a signal, after the line of that file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/exec/environment.h"
#include "fuzz/exec/sim.h"
#include "fuzz/program/parser.h"

enum { EXIT_CLEAN, EXIT_FINDING, EXIT_USAGE, EXIT_ENVIRONMENT };
enum { FILE_SIZE_MAX = 1 << 20 };

static struct {
  enum program_dialect dialect;
  unsigned long repeat;
  struct exec_options options;
  struct exec_stats *stats;
  const char *file; /* being run */
  FILE *list;       /* of names, or NULL */
  uint8_t data[FILE_SIZE_MAX];
  struct program program;
} worker;

static void
write_stats(const struct exec_stats *stats)
{
  printf("{\"ops\":%" PRIu64 ",\"ops_effective\":%" PRIu64 ",\"schedule_points\":%" PRIu64
         ",\"switches\":%" PRIu64 ",\"local_minor\":%" PRIu64 ",\"local_major\":%" PRIu64
         ",\"global\":%" PRIu64,
         stats->ops, stats->ops_effective, stats->schedule_points, stats->switches,
         stats->local_minor, stats->local_major, stats->global);
  printf(",\"two_live_at_global\":%" PRIu64 ",\"page_emptied\":%" PRIu64 ",\"page_moved\":%" PRIu64
         ",\"page_failed\":%" PRIu64 ",\"budget_spent\":%" PRIu64 ",\"compared\":%" PRIu64
         ",\"variants\":%" PRIu64 ",\"variants_undecided\":%" PRIu64 "}",
         stats->runs_two_live_at_global, stats->runs_page_emptied, stats->runs_page_moved,
         stats->runs_page_failed, stats->runs_budget_spent, stats->runs_compared, stats->variants,
         stats->variants_undecided);
}

/* The line of the current file.  Also from inside a sanitizer's report. */
static void
write_record(const struct exec_result *result, const struct finding *finding)
{
  printf("{\"file\":");
  json_write_text(stdout, worker.file);
  printf(",\"trace_hash\":\"%016" PRIx64 "\",\"verdict\":\"%s\"", result->trace_hash,
         finding == NULL ? "clean" : "finding");
  if (finding != NULL) {
    printf(",\"finding\":");
    finding_write_json(stdout, finding, worker.file, result->trace_hash);
  }
  printf(",\"observations\":\"%016" PRIx64 "\"", result->observation_hash);
  printf(",\"stats\":");
  write_stats(&result->stats);
  printf("}\n");
  fflush(stdout);
}

static void
on_finding(void *arg, const struct finding *finding)
{
  (void)arg;
  write_record(sim.result, finding);
  if (worker.options.trace != NULL)
    fflush(worker.options.trace);
}

static int
usage(const char *text)
{
  fprintf(stderr, "gcstorm-worker: %s\n", text);
  return EXIT_USAGE;
}

static bool
option_dialect(const char *value)
{
  bool ractor = strcmp(value, "ractor") == 0 || strcmp(value, "ractor_program") == 0;
  bool events = strcmp(value, "events") == 0 || strcmp(value, "gc_events") == 0;

  worker.dialect = events ? PROGRAM_EVENTS : PROGRAM_RACTOR;
  return ractor || events;
}

static bool
option_repeat(const char *value)
{
  char *end;

  worker.repeat = strtoul(value, &end, 10);
  return *value != '\0' && *end == '\0' && worker.repeat >= 1;
}

static bool
option_variants(const char *value)
{
  char *end;
  long count = strtol(value, &end, 10);

  worker.options.variants = (int)count;
  return *value != '\0' && *end == '\0' && count >= 0 && count <= 1000;
}

/* One option with its value.  NULL: taken; else what is wrong. */
static const char *
take_option(const char *name, const char *value)
{
  static char problem[256];

  if (value == NULL)
    return "an option without a value";
  if (strcmp(name, "--dialect") == 0)
    return option_dialect(value) ? NULL : "--dialect must be ractor or events";
  if (strcmp(name, "--verify") == 0)
    return environment_verify(value, &worker.options.verify)
               ? NULL
               : "--verify must be off, cycles or phases";
  if (strcmp(name, "--fault") == 0)
    return environment_faults(value, problem, sizeof problem) ? NULL : problem;
  if (strcmp(name, "--repeat") == 0)
    return option_repeat(value) ? NULL : "--repeat must be a number from 1";
  if (strcmp(name, "--variants") == 0)
    return option_variants(value) ? NULL : "--variants must be a number from 0 to 1000";
  if (strcmp(name, "--observations") == 0) {
    worker.options.observations = fopen(value, "w");
    return worker.options.observations != NULL ? NULL
                                               : "--observations: the file cannot be written";
  }
  if (strcmp(name, "--trace") == 0) {
    worker.options.trace = fopen(value, "w");
    return worker.options.trace != NULL ? NULL : "--trace: the file cannot be written";
  }
  if (strcmp(name, "--files") == 0) {
    worker.list = strcmp(value, "-") == 0 ? stdin : fopen(value, "r");
    return worker.list != NULL ? NULL : "--files: the list cannot be read";
  }
  snprintf(problem, sizeof problem, "unknown option %s", name);
  return problem;
}

static int
run_file(const char *path)
{
  static struct exec_result result;
  char problem[512];
  uint64_t first_hash = 0;
  FILE *file = fopen(path, "rb");

  if (file == NULL) {
    perror(path);
    return EXIT_USAGE;
  }
  size_t size = fread(worker.data, 1, sizeof worker.data, file);
  fclose(file);
  if (!program_read(&worker.program, worker.dialect, path, worker.data, size, problem,
                    sizeof problem)) {
    fprintf(stderr, "gcstorm-worker: %s\n", problem);
    return EXIT_USAGE;
  }
  worker.file = path;
  for (unsigned long i = 0; i < worker.repeat; i++) {
    exec_run_program(&worker.program, &worker.options, &result);
    if (worker.stats != NULL)
      environment_stats_add(worker.stats, &result.stats);
    if (result.verdict == EXEC_FINDING)
      return EXIT_FINDING; /* on_finding wrote the line */
    if (i > 0 && result.trace_hash != first_hash) {
      fprintf(stderr, "gcstorm-worker: %s: repeat %lu has another trace\n", path, i);
      return EXIT_USAGE;
    }
    first_hash = result.trace_hash;
  }
  write_record(&result, NULL);
  return EXIT_CLEAN;
}

/* Ends with the list, or with a file that cannot be read: it has no line, and nobody should wait
 * for one. */
static int
run_list(FILE *list)
{
  static char name[4096];
  int worst = EXIT_CLEAN;

  while (worst < EXIT_USAGE && fgets(name, sizeof name, list) != NULL) {
    name[strcspn(name, "\n")] = '\0';
    int code = run_file(name);
    worst = code > worst ? code : worst;
  }
  return worst;
}

static int
run_files(int first, int argc, char **argv)
{
  int worst = worker.list != NULL ? run_list(worker.list) : EXIT_CLEAN;

  for (int i = first; i < argc; i++) {
    int code = run_file(argv[i]);
    worst = code > worst ? code : worst;
  }
  FILE *observations = worker.options.observations;
  if (observations != NULL && (fflush(observations) != 0 || ferror(observations) != 0)) {
    fprintf(stderr, "gcstorm-worker: the observations could not be written; is the disk full?\n");
    worst = EXIT_USAGE;
  }
  FILE *trace = worker.options.trace;
  if (trace != NULL && (fflush(trace) != 0 || ferror(trace) != 0)) {
    fprintf(stderr, "gcstorm-worker: the trace could not be written; is the disk full?\n");
    worst = EXIT_USAGE;
  }
  return worst;
}

int
main(int argc, char **argv)
{
  char problem[256];
  int at = 1;

  exec_options_default(&worker.options);
  worker.options.on_finding = on_finding;
  worker.repeat = 1;
  for (; at < argc && argv[at][0] == '-' && strcmp(argv[at], "--") != 0; at += 2) {
    const char *wrong = take_option(argv[at], at + 1 < argc ? argv[at + 1] : NULL);
    if (wrong != NULL)
      return usage(wrong);
  }
  at += at < argc && strcmp(argv[at], "--") == 0;
  if (at >= argc && worker.list == NULL)
    return usage("no file given");
  worker.stats = environment_stats();
  if (!exec_setup(problem, sizeof problem) || !program_init(&worker.program, worker.dialect)) {
    fprintf(stderr, "gcstorm-worker: %s\n", problem);
    return EXIT_ENVIRONMENT;
  }
  return run_files(at, argc, argv);
}
