/* registers.h - which registers a place of a block can spare, and which it could use.
 *
 * A mutation that overwrites what later ops need turns most of a program into ops that do nothing.
 * Events have no registers: there nothing is live, and fitting changes nothing.
 */
#ifndef GCSTORM_REGISTERS_H
#define GCSTORM_REGISTERS_H

#include <stdint.h>

#include "fuzz/mutate/rng.h"
#include "fuzz/program/program.h"

/* The registers (a bit each) whose values may be read at `at` of program.ops or after it, in
 * `block`; around the loop, if the place is in one. */
uint32_t registers_live(const struct program *program, unsigned block, unsigned at);

/* One that is not live, by chance; any, if all are. */
unsigned registers_spare(uint32_t live, struct rng *rng);

/* Renames the registers that `ops` write, as far as there are others that are not live. */
void registers_fit(struct op *ops, unsigned count, enum program_dialect dialect, uint32_t live,
                   struct rng *rng);

/* A register that, at `at` of `block`, holds what op `code` works on as its receiver, or has
 * lately been written. */
unsigned registers_receiver(const struct program *program, unsigned block, unsigned at,
                            unsigned code, struct rng *rng);
unsigned registers_recent(const struct program *program, unsigned block, unsigned at,
                          struct rng *rng);

#endif
