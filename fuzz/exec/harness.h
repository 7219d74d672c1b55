/* harness.h - what every fuzz target shares, whatever its engine.
 *
 * A finding goes to the folder of GCSTORM_FINDINGS as BUCKET-INPUT.bin with its .json beside it;
 * without a folder it is printed.  Then the process ends in the way that makes its engine keep the
 * input.
 *
 * Environment: GCSTORM_FINDINGS, GCSTORM_STATS, GCSTORM_VERIFY, GCSTORM_FAULTS, GCSTORM_HOST,
 * GCSTORM_PERTURB, GCSTORM_VERBOSE.
 */
#ifndef GCSTORM_EXEC_HARNESS_H
#define GCSTORM_EXEC_HARNESS_H

#include "fuzz/exec/exec.h"

enum { HARNESS_FINDING_EXIT = 77 };

/* What a finding does to the process. */
enum harness_end {
  HARNESS_EXITS, /* libFuzzer: exit code 77; without a folder it goes on to the engine's handlers */
  HARNESS_ABORTS /* AFL++, for which only a signal is a crash */
};

/* Reads the environment.  Ends the process with 2 on a bad value, with 3 where it cannot run. */
void harness_initialize(enum harness_end end);

/* Runs one input.  Returns only if it is clean. */
void harness_run(enum program_dialect dialect, const uint8_t *data, size_t size);

#endif
