/* generate.h - fresh programs, made to be worth running.
 *
 * The generator composes idioms and tracks what each register holds, so that most ops do
 * something.  What it aims at (design, "worth of a program"): 60 % of executed ops effective; 30 %
 * of programs with two live Ractors at a global collection; half of them with a page emptied and
 * with a page changing owner.
 */
#ifndef GCSTORM_GENERATE_H
#define GCSTORM_GENERATE_H

#include "fuzz/mutate/rng.h"
#include "fuzz/program/program.h"

enum generate_profile {
  GENERATE_MIXED,
  /* Compared with variants (O6): no try_receive, no preemptions and no failures.  What still
   * depends on the schedule cuts the log (fuzz/exec/watch.h). */
  GENERATE_CONFLUENT,
  GENERATE_LOCAL,   /* one heap: few Ractors, many local collections */
  GENERATE_RACTORS, /* mostly creation, messages, values, orphans */
  GENERATE_PROFILE_COUNT
};

const char *generate_profile_name(enum generate_profile profile);

struct generate_options {
  enum generate_profile profile;
  unsigned size; /* ops wanted in main; 0: by chance, 20 to 150 */
};

/* Replaces `program` (initialised) by a fresh one; a function of the other arguments. */
void generate_program(struct program *program, enum program_dialect dialect,
                      const struct generate_options *options, uint64_t seed);

/* The parts, for the mutator. */
void generate_settings(struct program *program, struct rng *rng);
void generate_schedule(struct program *program, struct rng *rng);
void generate_stress(struct program *program, struct rng *rng);
struct preemption generate_preemption(struct rng *rng);
struct failure generate_failure(struct rng *rng);
struct stress_place generate_stress_place(struct rng *rng);
void generate_events(struct program *program, unsigned size, struct rng *rng);

/* Fills block 0 of `program`, which is cleared, with one idiom: a donor of a splice. */
void generate_splice(struct program *program, enum program_dialect dialect, struct rng *rng);

#endif
