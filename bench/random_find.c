/* random_find.c - the baseline of the fault bench: purely random generation, no coverage, no
 * mutation.
 *
 *   random-find SECONDS SEED FAULT…    one line a fault: id, executions, CPU milliseconds, bucket
 *
 * Both dialects take turns, since a fuzz session has both harnesses.  Times are CPU seconds of this
 * process; they are printed, never tested.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "fuzz/exec/exec.h"
#include "fuzz/mutate/generate.h"
#include "rgc/faults.h"

static long
cpu_ms(void)
{
  struct rusage usage;

  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
         (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

static void
find(const char *fault, long limit_ms, unsigned long seed)
{
  struct exec_options options;
  struct exec_result result = {.verdict = EXEC_CLEAN};
  struct program program;
  struct generate_options wanted = {.profile = GENERATE_MIXED};
  long start = cpu_ms();
  unsigned long runs = 0;

  exec_options_default(&options);
  if (!program_init(&program, PROGRAM_RACTOR))
    exit(3);
  rgc_fault_set(fault, true);
  while (result.verdict == EXEC_CLEAN && cpu_ms() - start < limit_ms) {
    enum program_dialect dialect = runs % 2 == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS;

    generate_program(&program, dialect, &wanted, seed * 10000000 + runs);
    exec_run_program(&program, &options, &result);
    runs++;
  }
  rgc_fault_set(fault, false);
  printf("%s %lu %ld %s\n", fault, runs, cpu_ms() - start,
         result.verdict == EXEC_FINDING ? result.finding.bucket : "-");
  fflush(stdout);
  program_free(&program);
}

int
main(int argc, char **argv)
{
  char problem[256];

  if (argc < 4) {
    fprintf(stderr, "random-find: usage: random-find SECONDS SEED FAULT…\n");
    return 2;
  }
  if (!exec_setup(problem, sizeof problem)) {
    fprintf(stderr, "random-find: %s\n", problem);
    return 3;
  }
  for (int i = 3; i < argc; i++)
    find(argv[i], atol(argv[1]) * 1000, strtoul(argv[2], NULL, 10));
  return 0;
}
