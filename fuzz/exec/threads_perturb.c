/* threads_perturb.c - what the threads host does at a schedule point: mostly nothing.
 *
 * The choice is a hash of program, options->perturb, thread, site and visit, so it varies with each
 * of them and costs no shared state; what comes of it is up to the machine.  An explicit preemption
 * of the program is a sleep long enough for another thread to get somewhere.
 *
 * The more often a thread has passed a site, the less each visit counts: on a machine with other
 * work a yield gives away a whole time slice, and a loop would spend its run on them.
 */
#include "fuzz/exec/threads.h"

#include <sched.h>
#include <time.h>

enum { PREEMPTION_NS = 200000, SLEEP_STEP_NS = 2000, SPIN_STEP = 64, FULL_VISITS = 64 };

static struct {
  uint64_t seed;
  uint64_t hot; /* sites, one bit each, about a quarter of them */
} perturb;

void
threads_perturb_reset(void)
{
  const struct program *program = sim.program;
  uint64_t seed = sim_mix(sim.options->perturb, program->schedule_seed);

  for (unsigned i = 0; i < program->op_count; i++) {
    const struct op *op = &program->ops[i];

    seed = sim_mix(seed, op->code);
    for (unsigned k = 0; k < PROGRAM_OPERAND_MAX; k++)
      seed = sim_mix(seed, op->operands[k]);
  }
  perturb.seed = seed;
  perturb.hot = sim_mix(seed, 1) & sim_mix(seed, 2);
}

static void
sleep_ns(long ns)
{
  struct timespec time = {.tv_nsec = ns};

  nanosleep(&time, NULL);
}

static void
spin(unsigned rounds)
{
  for (volatile unsigned i = 0; i < rounds; i++)
    ;
}

static bool
is_preemption(unsigned self, enum rgc_site site, uint32_t visit)
{
  for (unsigned i = 0; i < sim.program->preemption_count; i++) {
    const struct preemption *p = &sim.program->preemptions[i];

    if (p->thread == self && p->site == site && p->visit == visit && p->to != self)
      return true;
  }
  return false;
}

void
threads_schedule_point(void *self, enum rgc_site site)
{
  struct sim_thread *thread = sim_self();

  (void)self;
  if (thread == NULL || thread->oracle_depth > 0)
    return;
  uint32_t visit = thread->visits[site];
  __atomic_store_n(&thread->visits[site], visit + 1, __ATOMIC_RELAXED); /* the root looks */
  unsigned id = threads_current();
  if (is_preemption(id, site, visit)) {
    sleep_ns(PREEMPTION_NS);
    return;
  }
  uint64_t hash = sim_mix(sim_mix(perturb.seed, (uint64_t)id << 8 | (uint64_t)site), visit);
  bool hot = (perturb.hot >> site & 1) != 0;
  uint64_t dice = (hash & 1023) * (1 + visit / FULL_VISITS);
  unsigned amount = hash >> 16 & 63;
  if (dice < (hot ? 16u : 1u))
    sleep_ns((long)amount * SLEEP_STEP_NS);
  else if (dice < (hot ? 128u : 16u))
    spin(amount * SPIN_STEP);
  else if (dice < (hot ? 384u : 48u))
    sched_yield();
}
