/* mutate.h - structure-aware mutation and crossover of inputs.
 *
 * Both are functions of their arguments alone, and both answer canonical bytes that decode.  When
 * the result would be longer than `max_size`, ops are dropped from the ends of the longest blocks.
 */
#ifndef GCSTORM_MUTATE_H
#define GCSTORM_MUTATE_H

#include "fuzz/mutate/rng.h"
#include "fuzz/program/program.h"

/* Headerless bytes, in place; returns the new size, at most max_size. */
size_t mutate_bytes(uint8_t *data, size_t size, size_t max_size, enum program_dialect dialect,
                    uint64_t seed);

/* Settings and plans from one, blocks from both; headerless bytes. */
size_t crossover_bytes(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                       uint8_t *out, size_t out_size, enum program_dialect dialect, uint64_t seed);

/* The same for inputs that may start with a file header: it is kept, its dialect counts, and it is
 * never mutated.  The result of a crossover has a header if `a` has one. */
size_t mutate_input(uint8_t *data, size_t size, size_t max_size, enum program_dialect dialect,
                    uint64_t seed);
size_t crossover_input(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                       uint8_t *out, size_t out_size, enum program_dialect dialect, uint64_t seed);

/* Settings, schedule, ops and blocks of `b` come into `a` (crossover.c). */
void crossover_programs(struct program *a, const struct program *b, struct rng *rng);

/* One mutation of ops or blocks (mutate_ops.c). */
void mutate_ops(struct program *program, struct rng *rng);

/* One mutation of settings, stress, schedule or failure plan (mutate_plan.c). */
void mutate_plan(struct program *program, struct rng *rng);

#endif
