/* phases.c - the one table of legal steps (see rgc/phases.h). */
#include "gc-core/objspace/objspace.h"

static const char *const phase_names[RGC_PHASE_COUNT] = {
    "running", "stopping", "stopped", "settled",  "cleared",
    "marked",  "weak",     "swept",   "budgeted", "recounted"};
static const char *const cycle_names[RGC_CYCLE_COUNT] = {"idle", "marking", "sweeping"};
static const char *const life_names[RGC_LIFE_COUNT] = {"creating", "live", "retiring", "zombie",
                                                       "absorbing"};
static const char *const step_names[RGC_STEP_COUNT] = {
    "allocate",   "store",      "promote", "pin",    "local_start", "local_mark", "local_finish",
    "sweep_page", "sweep_rest", "stop",    "settle", "clear",       "mark",       "weak",
    "sweep",      "budget",     "recount", "resume", "start_life",  "retire",     "absorb"};

const char *
rgc_phase_name(enum rgc_phase phase)
{
  return phase < RGC_PHASE_COUNT ? phase_names[phase] : "?";
}

const char *
rgc_cycle_name(enum rgc_cycle cycle)
{
  return cycle < RGC_CYCLE_COUNT ? cycle_names[cycle] : "?";
}

const char *
rgc_life_name(enum rgc_life life)
{
  return life < RGC_LIFE_COUNT ? life_names[life] : "?";
}

const char *
rgc_step_name(enum rgc_step step)
{
  return step < RGC_STEP_COUNT ? step_names[step] : "?";
}

enum { LIVES_OWNED = 1 << RGC_LIFE_CREATING | 1 << RGC_LIFE_LIVE };
enum { CYCLES_QUIET = 1 << RGC_CYCLE_IDLE | 1 << RGC_CYCLE_SWEEPING };

/* One row a step on an objspace of a running world: its lives and cycles, as bit sets. */
static const struct {
  unsigned lives;
  unsigned cycles;
} running_steps[RGC_STEP_COUNT] = {
    [RGC_STEP_ALLOCATE] = {LIVES_OWNED, CYCLES_QUIET},
    [RGC_STEP_STORE] = {LIVES_OWNED, CYCLES_QUIET},
    [RGC_STEP_PROMOTE] = {LIVES_OWNED, CYCLES_QUIET},
    [RGC_STEP_PIN] = {LIVES_OWNED, CYCLES_QUIET},
    [RGC_STEP_LOCAL_START] = {LIVES_OWNED | 1 << RGC_LIFE_RETIRING, CYCLES_QUIET},
    [RGC_STEP_LOCAL_MARK] = {LIVES_OWNED | 1 << RGC_LIFE_RETIRING, 1 << RGC_CYCLE_MARKING},
    [RGC_STEP_LOCAL_FINISH] = {LIVES_OWNED | 1 << RGC_LIFE_RETIRING, 1 << RGC_CYCLE_MARKING},
    [RGC_STEP_SWEEP_PAGE] = {LIVES_OWNED | 1 << RGC_LIFE_RETIRING, 1 << RGC_CYCLE_SWEEPING},
    [RGC_STEP_SWEEP_REST] = {LIVES_OWNED | 1 << RGC_LIFE_RETIRING, CYCLES_QUIET},
    [RGC_STEP_STOP] = {LIVES_OWNED, CYCLES_QUIET},
    [RGC_STEP_START_LIFE] = {1 << RGC_LIFE_CREATING, CYCLES_QUIET},
    [RGC_STEP_RETIRE] = {1 << RGC_LIFE_LIVE, CYCLES_QUIET},
    [RGC_STEP_ABSORB] = {1 << RGC_LIFE_ZOMBIE, 1 << RGC_CYCLE_IDLE},
};

/* Each global step is legal right after the one before it, and only then. */
static const struct {
  enum rgc_phase from;
  bool legal;
} stopped_steps[RGC_STEP_COUNT] = {
    [RGC_STEP_SETTLE] = {RGC_PHASE_STOPPED, true},   [RGC_STEP_CLEAR] = {RGC_PHASE_SETTLED, true},
    [RGC_STEP_MARK] = {RGC_PHASE_CLEARED, true},     [RGC_STEP_WEAK] = {RGC_PHASE_MARKED, true},
    [RGC_STEP_SWEEP] = {RGC_PHASE_WEAK_DONE, true},  [RGC_STEP_BUDGET] = {RGC_PHASE_SWEPT, true},
    [RGC_STEP_RECOUNT] = {RGC_PHASE_BUDGETED, true},
};

bool
rgc_phase_may(const struct rgc_world *world, const struct rgc_objspace *objspace,
              enum rgc_step step)
{
  if (step >= RGC_STEP_COUNT)
    return false;
  if (step == RGC_STEP_RESUME)
    return world->phase == RGC_PHASE_STOPPED || world->phase == RGC_PHASE_RECOUNTED;
  if (stopped_steps[step].legal)
    return world->phase == stopped_steps[step].from;
  if (world_is_stopped(world) || objspace == NULL)
    return false;
  return (running_steps[step].lives >> objspace->life & 1u) != 0 &&
         (running_steps[step].cycles >> objspace->cycle & 1u) != 0;
}
