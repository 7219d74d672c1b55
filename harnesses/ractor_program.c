/* ractor_program.c - the fuzz target of Ractor programs on the VM. */
#include "fuzz/mutate/harness.h"

enum program_dialect
harness_dialect(void)
{
  return PROGRAM_RACTOR;
}
