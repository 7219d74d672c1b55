/* replay.c - gcstorm-worker: runs inputs without a fuzz engine.
 *
 *   gcstorm-worker --serve
 *   gcstorm-worker --help
 *   gcstorm-worker [--dialect ractor|events] [--verify LEVEL] [--oracles LIST] [--fault IDS]
 *                  [--trace FILE] [--variants N] [--observations FILE]
 *                  [--host sim|threads] [--perturb SEED]
 *                  [--ops N] [--threads N] [--points N] [--repeat N] [--] FILE…
 *
 * With --serve it answers requests on its standard input (fuzz/exec/server.h), which is how the
 * gcstorm command uses it.  With files it runs them in this very process and prints one JSON line
 * each: for a debugger.
 *
 * Exit code 0: all clean; 1: a finding; 2: usage or a file that cannot be read; 3: the machine does
 * not allow it; 66: the process died in a sanitizer or by a signal, after the line of that file.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/exec/job.h"
#include "fuzz/exec/server.h"
#include "fuzz/exec/sim.h"
#include "fuzz/exec/start.h"

enum { EXIT_CLEAN, EXIT_FINDING, EXIT_USAGE, EXIT_ENVIRONMENT };
enum { FILE_SIZE_MAX = 1 << 20 };

static struct {
  struct job job;
  unsigned long repeat;
  uint8_t data[FILE_SIZE_MAX];
} worker;

static void
on_finding(void *arg, const struct finding *finding)
{
  (void)arg;
  if (sim.result != NULL && sim.result != &worker.job.result)
    worker.job.result.trace_hash = sim.result->trace_hash;
  job_write_record(stdout, &worker.job, finding);
  if (worker.job.options.trace != NULL)
    fflush(worker.job.options.trace);
}

static int
complain(int code, const char *text)
{
  fprintf(stderr, "gcstorm-worker: %s\n", text);
  return code;
}

static void
print_help(void)
{
  puts(
      "gcstorm-worker: runs inputs without a fuzz engine, a JSON line each, in this very process:\n"
      "for a debugger.  gcstorm run judges them in a process of their own.\n"
      "\n"
      "Usage: gcstorm-worker [OPTION VALUE…] [--] FILE…\n"
      "       gcstorm-worker --serve      answers requests on its standard input\n"
      "\n"
      "  --dialect ractor|events          of files without a header (ractor)\n"
      "  --fault ID[,ID]                  switch seeded faults on\n"
      "  --host sim|threads               what Ractors run on (sim)\n"
      "  --perturb SEED                   on threads: other yields and sleeps (0)\n"
      "  --verify off|cycles|phases       when the verifier runs\n"
      "  --oracles all|none|shadow|stores the shadow model, the log of stores, or both (all)\n"
      "  --variants N                     runs that must observe the same; else as the file says\n"
      "  --repeat N                       run each file N times; traces must agree\n"
      "  --trace FILE                     write the trace, a JSON line an event\n"
      "  --observations FILE              write what the program observes, a line an op\n"
      "  --ops N, --threads N, --points N limits of a program\n"
      "\n"
      "Exit: 0 all clean, 1 a finding, 2 bad use, 3 the machine does not allow it, 66 the process\n"
      "died in a sanitizer or by a signal.");
}

/* One option with its value. */
static bool
take_option(const char *name, const char *value, char *problem, size_t problem_size)
{
  char *end;

  if (value == NULL) {
    snprintf(problem, problem_size, "%s: a value is missing", name);
    return false;
  }
  if (strcmp(name, "--repeat") == 0) {
    worker.repeat = strtoul(value, &end, 10);
    snprintf(problem, problem_size, "--repeat must be a number from 1");
    return *value != '\0' && *end == '\0' && worker.repeat >= 1;
  }
  if (strncmp(name, "--", 2) != 0) {
    snprintf(problem, problem_size, "unknown option %s; try --help", name);
    return false;
  }
  return job_option(&worker.job, name + 2, value, problem, problem_size);
}

static int
run_file(const char *path)
{
  char problem[512];
  uint64_t first_hash = 0;
  FILE *file = fopen(path, "rb");

  if (file == NULL) {
    perror(path);
    return EXIT_USAGE;
  }
  size_t size = fread(worker.data, 1, sizeof worker.data, file);
  fclose(file);
  for (unsigned long i = 0; i < worker.repeat; i++) {
    enum job_end end = job_run(&worker.job, path, worker.data, size, problem, sizeof problem);

    if (end == JOB_REFUSED)
      return complain(EXIT_USAGE, problem);
    if (end == JOB_FINDING)
      return EXIT_FINDING; /* on_finding wrote the line */
    if (i > 0 && worker.job.result.trace_hash != first_hash) {
      fprintf(stderr, "gcstorm-worker: %s: repeat %lu has another trace\n", path, i);
      return EXIT_USAGE;
    }
    first_hash = worker.job.result.trace_hash;
  }
  job_write_record(stdout, &worker.job, NULL);
  return EXIT_CLEAN;
}

static int
run_files(int first, int argc, char **argv)
{
  int worst = EXIT_CLEAN;

  for (int i = first; i < argc; i++) {
    int code = run_file(argv[i]);
    worst = code > worst ? code : worst;
  }
  if (fflush(stdout) != 0 || ferror(stdout))
    return complain(EXIT_ENVIRONMENT, "the records cannot be written");
  return worst;
}

int
main(int argc, char **argv)
{
  char problem[512];
  int at = 1;

  if (!start_standard_files())
    return EXIT_ENVIRONMENT; /* and nowhere to say it */
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    print_help();
    return EXIT_CLEAN;
  }
  if (!job_setup(&worker.job, problem, sizeof problem))
    return complain(EXIT_ENVIRONMENT, problem);
  if (!job_environment(&worker.job, problem, sizeof problem))
    return complain(EXIT_USAGE, problem);
  if (argc == 2 && strcmp(argv[1], "--serve") == 0)
    return server_run(&worker.job);
  worker.job.options.on_finding = on_finding;
  worker.repeat = 1;
  for (; at < argc && argv[at][0] == '-' && strcmp(argv[at], "--") != 0; at += 2) {
    if (!take_option(argv[at], at + 1 < argc ? argv[at + 1] : NULL, problem, sizeof problem))
      return complain(EXIT_USAGE, problem);
  }
  at += at < argc && strcmp(argv[at], "--") == 0;
  if (at >= argc)
    return complain(EXIT_USAGE, "no file given; try gcstorm-worker --help");
  if (!exec_setup(problem, sizeof problem))
    return complain(EXIT_ENVIRONMENT, problem);
  return run_files(at, argc, argv);
}
