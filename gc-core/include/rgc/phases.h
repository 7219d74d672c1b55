/* phases.h - the phases of a world and of an objspace, and the one table of legal steps.
 *
 * `rgc_phase_may` is read by the collector's own assertions and by the event generator of the
 * fuzzer, so both mean the same by "legal".
 */
#ifndef RGC_PHASES_H
#define RGC_PHASES_H

#include <stdbool.h>

struct rgc_world;
struct rgc_objspace;

/* Of the world.  Everything after STOPPING happens with the world stopped. */
enum rgc_phase {
  RGC_PHASE_RUNNING,
  RGC_PHASE_STOPPING,
  RGC_PHASE_STOPPED, /* stopped, no cycle begun or cycle complete */
  RGC_PHASE_SETTLED, /* each name says which step was finished last */
  RGC_PHASE_CLEARED,
  RGC_PHASE_MARKED,
  RGC_PHASE_WEAK_DONE,
  RGC_PHASE_SWEPT,
  RGC_PHASE_BUDGETED,
  RGC_PHASE_RECOUNTED,
  RGC_PHASE_COUNT
};

/* Of one objspace's local cycle. */
enum rgc_cycle {
  RGC_CYCLE_IDLE, /* no cycle; every page is swept */
  RGC_CYCLE_MARKING,
  RGC_CYCLE_SWEEPING, /* marking done; pages are swept one at a time */
  RGC_CYCLE_COUNT
};

/* Of an objspace's life.  [INV-REGISTRY] it is in the registry from CREATING to ABSORBING. */
enum rgc_life {
  RGC_LIFE_CREATING, /* its thread has not started; the creator may allocate into it */
  RGC_LIFE_LIVE,
  RGC_LIFE_RETIRING,  /* running its last local collection */
  RGC_LIFE_ZOMBIE,    /* nobody mutates it; every global collection walks it */
  RGC_LIFE_ABSORBING, /* its pages are changing owner */
  RGC_LIFE_COUNT
};

enum rgc_step {
  RGC_STEP_ALLOCATE,
  RGC_STEP_STORE,
  RGC_STEP_PROMOTE,
  RGC_STEP_PIN,
  RGC_STEP_LOCAL_START,
  RGC_STEP_LOCAL_MARK,   /* drain part of the mark stack */
  RGC_STEP_LOCAL_FINISH, /* drain the rest, pinned pass, begin the sweep */
  RGC_STEP_SWEEP_PAGE,
  RGC_STEP_SWEEP_REST,
  RGC_STEP_STOP,
  RGC_STEP_SETTLE,
  RGC_STEP_CLEAR,
  RGC_STEP_MARK,
  RGC_STEP_WEAK,
  RGC_STEP_SWEEP,
  RGC_STEP_BUDGET,
  RGC_STEP_RECOUNT,
  RGC_STEP_RESUME,
  RGC_STEP_START_LIFE,
  RGC_STEP_RETIRE,
  RGC_STEP_ABSORB,
  RGC_STEP_COUNT
};

/* Whether `step` is legal now.  `objspace` is the one the step acts on (the dead one for ABSORB)
 * and may be NULL for steps of the whole world.  Reads only; owner or world stopped. */
bool rgc_phase_may(const struct rgc_world *world, const struct rgc_objspace *objspace,
                   enum rgc_step step);

const char *rgc_phase_name(enum rgc_phase phase);
const char *rgc_cycle_name(enum rgc_cycle cycle);
const char *rgc_life_name(enum rgc_life life);
const char *rgc_step_name(enum rgc_step step);

#endif
