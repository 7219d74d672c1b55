/* variant.h - the other runs of a program whose observations must not depend on them. */
#ifndef GCSTORM_VARIANT_H
#define GCSTORM_VARIANT_H

#include <stdio.h>

#include "fuzz/program/program.h"

/* Makes `out` (initialised) the program `base` under another schedule, stress mode and settings; a
 * function of both arguments.  `number` counts from 1.  Preemptions, stress places and the failure
 * plan are dropped, and the heap limits are the largest, so that limits rarely cut a comparison
 * short.  False: out of memory. */
bool program_variant(struct program *out, const struct program *base, unsigned number);

/* One line: what differs between the variant and others.  Returns as snprintf does. */
int program_variant_describe(const struct program *variant, char *text, size_t size);

#endif
