/* gc_events.c - the fuzz target of events on the bare collector. */
#include "fuzz/exec/harness.h"
#include "fuzz/mutate/harness.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum program_dialect
harness_dialect(void)
{
  return PROGRAM_EVENTS;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  harness_initialize();
  return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  harness_run(harness_dialect(), data, size);
  return 0;
}
