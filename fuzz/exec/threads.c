/* threads.c - see threads.h: the life of a run and of its threads. */
#include "fuzz/exec/threads.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/exec/death.h"
#include "fuzz/exec/report.h"
#include "fuzz/exec/sanitize.h"

enum {
  STACK_SIZE = 1 << 20,
  GUARD_SIZE = 4096,
  SIGNAL_STACK_SIZE = 64 << 10,
  PATIENCE_SECONDS = 5,
  LOOKS_PER_SECOND = 10
};

struct posix_thread {
  pthread_t handle;
  bool started;
  bool joined;
  uintptr_t stack_low;
  uintptr_t stack_high;
  char signal_stack[SIGNAL_STACK_SIZE];
};

static struct {
  unsigned gate;
  unsigned reporter; /* number of the reporting thread + 1 */
  struct posix_thread posix[FIBER_THREAD_MAX];
} host;

/* Number + 1; 0 on any other thread. */
static _Thread_local unsigned current;

static const struct rgc_platform_ops platform_ops;

struct rgc_platform
threads_platform(void)
{
  return (struct rgc_platform){&platform_ops, &sim, NULL};
}

unsigned
threads_current(void)
{
  return current == 0 ? FIBER_ROOT : current - 1;
}

void
threads_gate_take(void)
{
  while (__atomic_exchange_n(&host.gate, 1, __ATOMIC_ACQUIRE) != 0)
    sched_yield();
}

void
threads_gate_give(void)
{
  __atomic_store_n(&host.gate, 0, __ATOMIC_RELEASE);
}

bool
threads_stack_bounds(uintptr_t *low, uintptr_t *high)
{
  if (current == 0)
    return false;
  *low = host.posix[current - 1].stack_low;
  *high = host.posix[current - 1].stack_high;
  return true;
}

bool
threads_is_guard(uintptr_t address)
{
  uintptr_t low = current == 0 ? 0 : host.posix[current - 1].stack_low;

  return address < low && address >= low - GUARD_SIZE;
}

/* ---- The end of the process ----------------------------------------------------------------- */

/* Not for ever: should the reporter wait for something that we hold, the process still ends. */
void
threads_claim_report(void)
{
  unsigned me = threads_current() + 1;
  unsigned nobody = 0;

  if (__atomic_compare_exchange_n(&host.reporter, &nobody, me, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE) ||
      nobody == me)
    return;
  for (unsigned i = 0; i < PATIENCE_SECONDS * 100; i++)
    usleep(10000);
  _exit(DEATH_EXIT_CODE);
}

void
threads_die(void)
{
  abort();
}

/* ---- Threads -------------------------------------------------------------------------------- */

static void
note_stack(struct posix_thread *posix)
{
  pthread_attr_t attributes;
  void *low = NULL;
  size_t size = 0;

  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  posix->stack_low = (uintptr_t)low;
  posix->stack_high = (uintptr_t)low + size;
}

static void
note_name(unsigned id)
{
  char name[] = "thread 00";

  name[7] = (char)('0' + (id < 10 ? id : id / 10));
  name[8] = (char)(id < 10 ? '\0' : '0' + id % 10);
  pthread_setname_np(pthread_self(), name);
}

static void
thread_end(struct sim_thread *thread)
{
  unsigned self = (unsigned)(thread - sim.threads);

  threads_gate_take();
  for (unsigned i = 0; i < sim.thread_count; i++) {
    if (sim.threads[i].state == SIM_ON_JOIN && sim.threads[i].target == self)
      threads_enter_locked(&sim.threads[i]);
  }
  bool stuck = threads_leave_locked(thread, SIM_DONE);
  threads_gate_give();
  if (stuck)
    threads_deadlock();
}

/* The sanitizers have a signal stack of their own, which they want to find again at the end. */
static void *
threads_main(void *arg)
{
  struct sim_thread *thread = arg;
  unsigned self = (unsigned)(thread - sim.threads);
  struct posix_thread *posix = &host.posix[self];
  stack_t mine = {.ss_sp = posix->signal_stack, .ss_size = sizeof posix->signal_stack};
  stack_t before;

  current = self + 1;
  note_stack(posix);
  note_name(self);
  sigaltstack(&mine, &before);
  thread->entry(thread->arg);
  thread_end(thread);
  sigaltstack(&before, NULL);
  return NULL;
}

/* Takes a free entry; FIBER_THREAD_MAX when there is none. */
static unsigned
add_entry(void (*entry)(void *arg), void *arg)
{
  unsigned id = FIBER_THREAD_MAX;

  threads_gate_take();
  if (sim.thread_count < FIBER_THREAD_MAX && sim.thread_count < sim.options->limits.threads) {
    id = sim.thread_count;
    sim.threads[id].entry = entry;
    sim.threads[id].arg = arg;
    threads_enter_locked(&sim.threads[id]);
    sim.thread_count++;
  }
  threads_gate_give();
  return id;
}

static bool
add_thread(void (*entry)(void *arg), void *arg, unsigned *id)
{
  pthread_attr_t attributes;
  unsigned at = add_entry(entry, arg);

  if (at == FIBER_THREAD_MAX || pthread_attr_init(&attributes) != 0)
    return false;
  pthread_attr_setstacksize(&attributes, STACK_SIZE);
  pthread_attr_setguardsize(&attributes, GUARD_SIZE);
  struct posix_thread *posix = &host.posix[at];
  posix->joined = false;
  posix->started = pthread_create(&posix->handle, &attributes, threads_main, &sim.threads[at]) == 0;
  pthread_attr_destroy(&attributes);
  *id = at;
  if (posix->started)
    return true;
  threads_gate_take();
  (void)threads_leave_locked(&sim.threads[at], SIM_DONE);
  threads_gate_give();
  return false;
}

static bool
thread_start(void *self, void (*entry)(void *arg), void *arg, unsigned *id)
{
  (void)self;
  return sim_plan_allows(FAILURE_THREAD) && add_thread(entry, arg, id);
}

/* Each thread is joined once: that is the edge which TSan sees. */
static void
thread_join(void *self, unsigned id)
{
  struct sim_thread *thread = sim_self();
  bool stuck = false;

  (void)self;
  assert(thread != NULL && id < sim.thread_count && id != threads_current());
  threads_gate_take();
  bool again = host.posix[id].joined;
  host.posix[id].joined = true;
  if (sim.threads[id].state != SIM_DONE) {
    thread->target = id;
    stuck = threads_leave_locked(thread, SIM_ON_JOIN);
  }
  threads_gate_give();
  if (again)
    sim_verdict("core", "thread-joined-twice", "thread_join", "a thread was joined before");
  if (stuck)
    threads_deadlock();
  pthread_join(host.posix[id].handle, NULL);
}

static unsigned
thread_self(void *self)
{
  (void)self;
  return current == 0 ? 0 : current - 1;
}

/* ---- A run ---------------------------------------------------------------------------------- */

/* How far the run has got, as its root sees it from outside. */
struct headway {
  uint64_t points;      /* schedule points passed */
  uint64_t advances;    /* ops and phases */
  uint64_t points_then; /* passed when an op or a phase advanced last */
  unsigned still;       /* looks since anybody passed a point */
};

/* The op of the first thread that can go on, as in the simulator; else what all wait for. */
static void
name_culprit(char *key, size_t key_size)
{
  for (unsigned i = 0; i < sim.thread_count; i++) {
    const struct sim_thread *thread = &sim.threads[i];

    if (thread->state == SIM_RUNNABLE) {
      snprintf(key, key_size, "%s", thread->op_name == NULL ? "-" : thread->op_name);
      return;
    }
  }
  sim_wait_key(key, key_size);
}

static void
give_up(const char *rule, const char *title)
{
  char graph[FINDING_TEXT_MAX - 64];
  char text[FINDING_TEXT_MAX];
  char key[96];

  threads_gate_take();
  sim_wait_graph(graph, sizeof graph);
  name_culprit(key, sizeof key);
  threads_gate_give();
  snprintf(text, sizeof text, "%s; %s", title, graph);
  sim_verdict("O4", rule, key, text);
  threads_die();
}

static uint64_t
points_passed(void)
{
  uint64_t points = 0;

  for (unsigned i = 0; i < FIBER_THREAD_MAX; i++) {
    for (unsigned site = 0; site < RGC_SITE_COUNT; site++)
      points += __atomic_load_n(&sim.threads[i].visits[site], __ATOMIC_RELAXED);
  }
  return points;
}

/* Patience is counted in looks, not read from a clock: a machine that gives the threads no time
 * gives the root none either. */
static void
judge_headway(struct headway *headway)
{
  const struct exec_limits *limits = &sim.options->limits;
  uint64_t points = points_passed();
  uint64_t advances = __atomic_load_n(&sim.advances, __ATOMIC_RELAXED);

  headway->still = points == headway->points ? headway->still + 1 : 0;
  if (advances != headway->advances)
    headway->points_then = points;
  headway->points = points;
  headway->advances = advances;
  if (headway->still >= limits->seconds * LOOKS_PER_SECOND)
    give_up("hang", "nobody passed a schedule point for too long");
  if (points - headway->points_then > limits->schedule_points)
    give_up("INV-LIVELOCK", "neither an op nor a phase advanced");
}

static void
join_with_patience(pthread_t handle, struct headway *headway)
{
  struct timespec end;

  for (;;) {
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += 1000000000L / LOOKS_PER_SECOND;
    end.tv_sec += end.tv_nsec / 1000000000L;
    end.tv_nsec %= 1000000000L;
    if (pthread_timedjoin_np(handle, NULL, &end) == 0)
      return;
    judge_headway(headway);
  }
}

/* In order of number, since what a thread knows of those it started is known once it has ended. */
static void
join_all(void)
{
  struct headway headway = {0};

  for (unsigned i = 0; i < sim.thread_count; i++) {
    struct posix_thread *posix = &host.posix[i];

    if (!posix->started || posix->joined)
      continue;
    join_with_patience(posix->handle, &headway);
    posix->joined = true;
  }
}

void
threads_run(const struct program *program, const struct exec_options *options,
            struct exec_result *result, void (*body)(void *arg), void *arg)
{
  unsigned id;

  assert(sim.ready && !sim.running && current == 0);
  sim_reset(program, options, result);
  host.reporter = 0;
  for (unsigned i = 0; i < FIBER_THREAD_MAX; i++)
    host.posix[i].started = false;
  threads_perturb_reset();
  sim.on_threads = true;
  sim.running = true;
  if (!add_thread(body, arg, &id)) {
    sim_verdict("core", "no-thread", "threads_run", "the machine gives no thread");
    threads_die();
  }
  join_all();
  sim.running = false;
  result->stats.schedule_points = points_passed();
}

static bool
page_allowed(void *self)
{
  (void)self;
  if (sim_plan_allows(FAILURE_PAGE))
    return true;
  __atomic_store_n(&sim.page_failed, true, __ATOMIC_RELAXED);
  return false;
}

static const struct rgc_platform_ops platform_ops = {
    .arena_reserve = sim_arena_reserve,
    .arena_release = sim_arena_release,
    .page_allowed = page_allowed,
    .memory_alloc = sim_memory_alloc,
    .memory_free = sim_memory_free,
    .mutex_init = threads_mutex_init,
    .mutex_destroy = threads_mutex_destroy,
    .mutex_lock = threads_mutex_lock,
    .mutex_unlock = threads_mutex_unlock,
    .cond_init = threads_cond_init,
    .cond_destroy = threads_cond_destroy,
    .cond_wait = threads_cond_wait,
    .cond_broadcast = threads_cond_broadcast,
    .thread_start = thread_start,
    .thread_join = thread_join,
    .thread_self = thread_self,
    .schedule_point = threads_schedule_point,
    .stress = sim_stress,
    .event = sim_event,
    .oracle_begin = sim_oracle_begin,
    .oracle_end = sim_oracle_end,
    .fail = sim_fail,
};
