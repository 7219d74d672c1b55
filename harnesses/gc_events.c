/* gc_events.c - the fuzz target of event sequences on the bare collector. */
#include "fuzz/mutate/harness.h"

enum program_dialect
harness_dialect(void)
{
  return PROGRAM_EVENTS;
}
