/* entry.c - what every libFuzzer target has: its two entry points.  The target's own file
 * says which dialect it runs. */
#include "fuzz/exec/harness.h"
#include "fuzz/mutate/harness.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  harness_initialize(HARNESS_EXITS);
  return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  harness_run(harness_dialect(), data, size);
  return 0;
}
