/* minimize.h - makes a program as small as it gets while a property of it stays.
 *
 * Whether a program still has the property is asked of a callback, so that this folder knows
 * neither workers nor files.  The callback must be a function of the program alone; then the result
 * is one too, and a fixpoint: minimising it again changes nothing.
 *
 * Each accepted change makes the program simpler in the order: a calmer policy, fewer records (ops,
 * blocks, preemptions, failures, stress places), settings and stress closer to their defaults,
 * operands closer to 0.  No change is accepted that makes it less simple, so it ends.
 */
#ifndef GCSTORM_TRIAGE_MINIMIZE_H
#define GCSTORM_TRIAGE_MINIMIZE_H

#include "fuzz/program/program.h"

struct minimize_request {
  bool (*still)(void *arg, const struct program *program);
  /* Writes the switches that a run of the program makes of its own accord, and returns how many;
   * 0 when there are none, or more than fit.  With them a policy becomes a few preemptions.  NULL:
   * not known. */
  unsigned (*switches)(void *arg, const struct program *program,
                       struct preemption list[PROGRAM_PREEMPTION_MAX]);
  /* Asked before each run; true ends the work early.  NULL: never. */
  bool (*enough)(void *arg);
  /* Told after each run how small the best program is by now.  NULL: nobody. */
  void (*progress)(void *arg, const struct program *best, unsigned long runs);
  void *arg;
};

struct minimize_report {
  unsigned long runs;   /* calls of `still` */
  unsigned long rounds; /* until nothing changed */
  bool ended_early;     /* `enough` said so: smaller, but no fixpoint */
};

/* Minimises `program`, which has the property, in place.  False: out of memory; `program` is then
 * as it was. */
bool minimize_program(struct program *program, const struct minimize_request *request,
                      struct minimize_report *report);

#endif
