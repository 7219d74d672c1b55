/* harness.h - what a fuzz target tells the mutator's libFuzzer glue. */
#ifndef GCSTORM_HARNESS_H
#define GCSTORM_HARNESS_H

#include "fuzz/program/program.h"

/* The dialect of headerless input.  Defined by each harness. */
enum program_dialect harness_dialect(void);

#endif
