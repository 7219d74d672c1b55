/* sim_plan.c - what the program's own schedule, failure plan and stress mode say.
 *
 * An explicit preemption names (thread, site, visit of that thread), so it survives edits of other
 * threads; it wins over the policy.  A random number is a hash of the schedule seed, never a state.
 */
#include "fuzz/exec/sim.h"

#include <assert.h>

enum { PCT_SPAN_SHORT = 256, PCT_SPAN_LONG = 8192 };

static uint64_t
seeded(uint64_t salt)
{
  return sim_mix(UINT64_C(0x9e3779b97f4a7c15) + sim.program->schedule_seed, salt);
}

void
sim_plan_reset(void)
{
  sim.quantum_left = sim.program->quantum;
  sim.change_count = sim.program->depth;
  assert(sim.change_count <= SIM_PCT_DEPTH_MAX);
  /* The length of the run is not known: half of the change points early, half anywhere. */
  for (unsigned i = 0; i < sim.change_count; i++)
    sim.change_points[i] = seeded(100 + i) % (i % 2 == 0 ? PCT_SPAN_LONG : PCT_SPAN_SHORT);
}

int64_t
sim_plan_priority(unsigned thread)
{
  return (int64_t)(seeded(thread) >> 16) + SIM_PCT_DEPTH_MAX;
}

static bool
can_run(unsigned thread)
{
  return thread < sim.thread_count && sim.threads[thread].state == SIM_RUNNABLE;
}

static unsigned
pick_cyclic(unsigned after)
{
  for (unsigned i = 1; i <= sim.thread_count; i++) {
    unsigned thread = (after + i) % sim.thread_count;
    if (can_run(thread))
      return thread;
  }
  return FIBER_THREAD_MAX;
}

static unsigned
pick_priority(void)
{
  unsigned best = FIBER_THREAD_MAX;

  for (unsigned i = 0; i < sim.thread_count; i++) {
    if (can_run(i) &&
        (best == FIBER_THREAD_MAX || sim.threads[i].priority > sim.threads[best].priority))
      best = i;
  }
  return best;
}

unsigned
sim_plan_pick(unsigned after)
{
  return sim.program->policy == SCHEDULE_PCT ? pick_priority() : pick_cyclic(after);
}

static unsigned
next_round_robin(unsigned self)
{
  if (sim.quantum_left > 1) {
    sim.quantum_left--;
    return self;
  }
  sim.quantum_left = sim.program->quantum;
  return pick_cyclic(self);
}

static unsigned
next_pct(unsigned self)
{
  for (unsigned i = 0; i < sim.change_count; i++) {
    if (sim.points - 1 == sim.change_points[i])
      sim.threads[self].priority = (int64_t)i;
  }
  return pick_priority();
}

unsigned
sim_plan_next(unsigned self, enum rgc_site site, uint32_t visit)
{
  for (unsigned i = 0; i < sim.program->preemption_count; i++) {
    const struct preemption *p = &sim.program->preemptions[i];

    if (p->thread == self && p->site == site && p->visit == visit && p->to != self &&
        can_run(p->to))
      return p->to;
  }
  switch (sim.program->policy) {
  case SCHEDULE_ROUND_ROBIN:
    return next_round_robin(self);
  case SCHEDULE_PCT:
    return next_pct(self);
  default:
    return self;
  }
}

bool
sim_plan_allows(enum failure_kind kind)
{
  uint64_t request = __atomic_fetch_add(&sim.requests[kind], 1, __ATOMIC_RELAXED);

  for (unsigned i = 0; i < sim.program->failure_count; i++) {
    const struct failure *f = &sim.program->failures[i];

    if (f->kind == kind && request >= f->nth && request < (uint64_t)f->nth + f->count)
      return false;
  }
  return true;
}

/* Keeps a run short: a global collection costs more of the budget than a minor one. */
static enum rgc_stress_action
within_budget(enum rgc_stress_action action)
{
  static const unsigned costs[RGC_STRESS_ACTION_COUNT] = {[RGC_STRESS_MINOR] = 1,
                                                          [RGC_STRESS_MAJOR] = 2,
                                                          [RGC_STRESS_GLOBAL] = 8,
                                                          [RGC_STRESS_VERIFY] = 4};

  if (action >= RGC_STRESS_ACTION_COUNT)
    return RGC_STRESS_NONE;
  unsigned left = __atomic_load_n(&sim.stress_left, __ATOMIC_RELAXED);
  do {
    if (costs[action] > left)
      return RGC_STRESS_NONE;
  } while (!__atomic_compare_exchange_n(&sim.stress_left, &left, left - costs[action], false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return action;
}

enum rgc_stress_action
sim_stress(void *self, enum rgc_stress_point point)
{
  struct sim_thread *thread = sim_self();
  const struct program *program = sim.program;

  (void)self;
  if (thread == NULL || point >= RGC_STRESS_COUNT)
    return RGC_STRESS_NONE;
  uint32_t visit = thread->stress_visits[point]++;
  for (unsigned i = 0; i < program->stress_place_count; i++) {
    const struct stress_place *place = &program->stress_places[i];

    if (place->thread == sim_current() && place->point == point && place->visit == visit)
      return within_budget((enum rgc_stress_action)place->action);
  }
  if (program->stress_every != 0 && program->stress_point == point &&
      (visit + 1) % program->stress_every == 0)
    return within_budget((enum rgc_stress_action)program->stress_action);
  return RGC_STRESS_NONE;
}
