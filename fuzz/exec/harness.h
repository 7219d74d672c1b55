/* harness.h - what every libFuzzer target shares.
 *
 * A finding goes to the folder of GCSTORM_FINDINGS as BUCKET-INPUT.bin with its .json beside it,
 * and the process ends with exit code 77.  Without a folder it is printed and the process dies, so
 * that libFuzzer keeps the input.
 *
 * Environment: GCSTORM_FINDINGS, GCSTORM_STATS, GCSTORM_VERIFY, GCSTORM_FAULTS, GCSTORM_VERBOSE.
 */
#ifndef GCSTORM_EXEC_HARNESS_H
#define GCSTORM_EXEC_HARNESS_H

#include "fuzz/exec/exec.h"

enum { HARNESS_FINDING_EXIT = 77 };

/* Reads the environment.  Ends the process with 2 on a bad value, with 3 where it cannot run. */
void harness_initialize(void);

/* Runs one input.  Returns only if it is clean. */
void harness_run(enum program_dialect dialect, const uint8_t *data, size_t size);

#endif
