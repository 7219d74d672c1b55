/* afl.c - what every AFL++ target has: a process that runs inputs until a finding ends it.
 *
 * Inputs come in memory shared with afl-fuzz; started by hand, the program reads one from stdin.
 * The macros are those of afl-clang-fast.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "fuzz/exec/harness.h"
#include "fuzz/mutate/harness.h"

enum { RUNS_A_PROCESS = 100000 };

__AFL_FUZZ_INIT();

/* afl-fuzz starts the target in a session of its own, where a signal to the campaign's group does
 * not reach it; and what it forks does not inherit this. */
static void
die_with_parent(void)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int
main(void)
{
  die_with_parent();
  harness_initialize(HARNESS_ABORTS);
  __AFL_INIT();
  die_with_parent();
  const uint8_t *data = __AFL_FUZZ_TESTCASE_BUF;

  while (__AFL_LOOP(RUNS_A_PROCESS))
    harness_run(harness_dialect(), data, (size_t)__AFL_FUZZ_TESTCASE_LEN);
  return 0;
}
