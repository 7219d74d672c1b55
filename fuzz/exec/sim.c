/* sim.c - who runs: the life of a run, its threads and its schedule points.
 *
 * A switch goes straight from one thread's fiber to the next; the root runs only before the first
 * thread and after the last, or when a run is given up.
 */
#include "fuzz/exec/sim.h"

#include <assert.h>

#include "fuzz/exec/progress.h"
#include "fuzz/exec/sanitize.h"
#include "fuzz/exec/threads.h"
#include "fuzz/exec/watch.h"

struct sim sim;

bool
sim_setup(char *problem, size_t problem_size)
{
  if (sim.ready)
    return true;
  if (!sim_memory_setup(problem, problem_size))
    return false;
  if (!fibers_setup()) {
    exec_copy_text(problem, problem_size, "no memory for the stacks of the simulated threads");
    return false;
  }
  sim.ready = true;
  return true;
}

static const struct rgc_platform_ops platform_ops;

struct rgc_platform
sim_platform(void)
{
  return (struct rgc_platform){&platform_ops, &sim, NULL};
}

unsigned
sim_current(void)
{
  return sim.on_threads ? threads_current() : fiber_current();
}

struct sim_thread *
sim_self(void)
{
  unsigned current = sim_current();

  return current == FIBER_ROOT ? NULL : &sim.threads[current];
}

void
sim_reset(const struct program *program, const struct exec_options *options,
          struct exec_result *result)
{
  sim.program = program;
  sim.options = options;
  sim.result = result;
  sim.abandoned = false;
  sim.reported = false;
  sim.on_threads = false;
  sim.runnable = 0;
  sim.page_failed = false;
  sim.world_stopped = false;
  sim.shareable_globals = 0;
  sim.zombie_globals = 0;
  sim.collections_of_op = 0;
  sim.thread_count = 0;
  sim.points = 0;
  sim.points_at_progress = 0;
  sim.advances = 0;
  sim.stress_left = SIM_STRESS_BUDGET;
  exec_zero(sim.threads, sizeof sim.threads);
  exec_zero(sim.requests, sizeof sim.requests);
  sim.marking = 0;
  sim.sweeping = 0;
  sim_plan_reset();
}

/* Every thread ends here: the last one hands back to the root. */
static void
thread_main(void *arg)
{
  struct sim_thread *thread = arg;
  unsigned self = (unsigned)(thread - sim.threads);

  thread->entry(thread->arg);
  fiber_join_release(self);
  thread->state = SIM_DONE;
  for (unsigned i = 0; i < sim.thread_count; i++) {
    if (sim.threads[i].state == SIM_ON_JOIN && sim.threads[i].target == self)
      sim.threads[i].state = SIM_RUNNABLE;
  }
  progress_check_waiters();
  sim_block_self();
  __builtin_trap();
}

static void
add_thread(void (*entry)(void *arg), void *arg)
{
  unsigned id = sim.thread_count++;
  struct sim_thread *thread = &sim.threads[id];

  thread->entry = entry;
  thread->arg = arg;
  thread->priority = sim_plan_priority(id);
  thread->state = SIM_RUNNABLE;
  fiber_prime(id, thread_main, thread);
  fiber_fork_release(id);
}

bool
sim_run(const struct program *program, const struct exec_options *options,
        struct exec_result *result, void (*body)(void *arg), void *arg)
{
  assert(sim.ready && !sim.running && fiber_current() == FIBER_ROOT);
  sim_reset(program, options, result);
  sim.running = true;
  fibers_forget();
  add_thread(body, arg);
  fiber_switch(0);
  for (unsigned i = 0; i < sim.thread_count; i++)
    fiber_join_acquire(i);
  sim.running = false;
  result->stats.schedule_points = sim.points;
  if (sim.abandoned)
    fibers_renew();
  return !sim.abandoned;
}

void
sim_release(void)
{
  sim.on_threads = false;
  sim.program = NULL;
  sim.options = NULL;
  sim.result = NULL;
  sim.watch = NULL;
}

static void
switch_to(unsigned thread)
{
  assert(thread < sim.thread_count && sim.threads[thread].state == SIM_RUNNABLE);
  sim.result->stats.switches++;
  sim.quantum_left = sim.program->quantum;
  fiber_switch(thread);
}

static bool
all_done(void)
{
  for (unsigned i = 0; i < sim.thread_count; i++) {
    if (sim.threads[i].state != SIM_DONE)
      return false;
  }
  return true;
}

void
sim_deadlock(void)
{
  char text[FINDING_TEXT_MAX];
  char key[96];

  sim_wait_graph(text, sizeof text);
  sim_wait_key(key, sizeof key);
  sim_verdict("O4", "INV-DEADLOCK", key, text);
}

void
sim_block_self(void)
{
  unsigned self = fiber_current();

  assert(self != FIBER_ROOT && sim.threads[self].state != SIM_RUNNABLE);
  unsigned next = sim_plan_pick(self);
  if (next == FIBER_THREAD_MAX) {
    if (all_done())
      fiber_switch(FIBER_ROOT);
    progress_check_waiters();
    if (!sim_wake_idle())
      sim_deadlock();
    if (sim.watch != NULL)
      watch_cut(sim.watch, WATCH_IDLE);
    next = sim_plan_pick(self);
  }
  if (next != self)
    switch_to(next);
}

void
sim_progress(void)
{
  sim.points_at_progress = sim.points;
  if (sim.on_threads)
    sim_count(&sim.advances, 1);
}

void
sim_schedule_point(void *self_platform, enum rgc_site site)
{
  struct sim_thread *thread = sim_self();

  (void)self_platform;
  if (thread == NULL || thread->oracle_depth > 0)
    return;
  assert(thread->state == SIM_RUNNABLE && site < RGC_SITE_COUNT);
  uint32_t visit = thread->visits[site]++;
  sim.points++;
  if (sim.points - sim.points_at_progress > sim.options->limits.schedule_points)
    sim_verdict("O4", "INV-LIVELOCK", thread->op_name == NULL ? "-" : thread->op_name,
                "neither an op nor a phase advanced");
  unsigned self = fiber_current();
  unsigned next = sim_plan_next(self, site, visit);
  if (next != self) {
    sim_trace_switch(site, visit, next);
    switch_to(next);
  }
}

bool
sim_thread_start(void *self, void (*entry)(void *arg), void *arg, unsigned *id)
{
  (void)self;
  if (!sim_plan_allows(FAILURE_THREAD) || sim.thread_count >= FIBER_THREAD_MAX ||
      sim.thread_count >= sim.options->limits.threads)
    return false;
  *id = sim.thread_count;
  add_thread(entry, arg);
  sim.threads[*id].parent = fiber_current();
  sim.threads[*id].child_number = sim_self()->child_count++;
  sim_self()->last_child = *id;
  return true;
}

void
sim_thread_join(void *self, unsigned id)
{
  struct sim_thread *thread = sim_self();

  (void)self;
  assert(thread != NULL && id < sim.thread_count && id != fiber_current());
  while (sim.threads[id].state != SIM_DONE) {
    thread->target = id;
    thread->state = SIM_ON_JOIN;
    sim_block_self();
  }
  fiber_join_acquire(id);
}

unsigned
sim_thread_self(void *self)
{
  unsigned current = sim_current();

  (void)self;
  return current == FIBER_ROOT ? 0 : current;
}

static bool
page_allowed(void *self)
{
  (void)self;
  if (sim_plan_allows(FAILURE_PAGE))
    return true;
  sim.page_failed = true;
  return false;
}

static const struct rgc_platform_ops platform_ops = {
    .arena_reserve = sim_arena_reserve,
    .arena_release = sim_arena_release,
    .page_allowed = page_allowed,
    .memory_alloc = sim_memory_alloc,
    .memory_free = sim_memory_free,
    .mutex_init = sim_mutex_init,
    .mutex_destroy = sim_mutex_destroy,
    .mutex_lock = sim_mutex_lock,
    .mutex_unlock = sim_mutex_unlock,
    .cond_init = sim_cond_init,
    .cond_destroy = sim_cond_destroy,
    .cond_wait = sim_cond_wait,
    .cond_broadcast = sim_cond_broadcast,
    .thread_start = sim_thread_start,
    .thread_join = sim_thread_join,
    .thread_self = sim_thread_self,
    .schedule_point = sim_schedule_point,
    .stress = sim_stress,
    .event = sim_event,
    .oracle_begin = sim_oracle_begin,
    .oracle_end = sim_oracle_end,
    .fail = sim_fail,
};
