/* threads_sync.c - mutexes and conditions of the threads host: pthread ones, and beside them who
 * waits for what, under the gate.
 *
 * A thread that is not runnable is made so by whoever ends its wait.  One that wants a mutex is
 * runnable exactly while nobody owns it: an owner that takes it makes the others wait again.
 *
 * A wait on a condition looks every POLL_MS whether it was ended: an idle wait is ended by a thread
 * that does not have the mutex, whose signal can come before the waiter is asleep.
 */
#include "fuzz/exec/threads.h"

#include <assert.h>
#include <pthread.h>
#include <time.h>

#include "fuzz/exec/lock.h"
#include "fuzz/exec/sanitize.h"

enum { POLL_MS = 2 };

_Static_assert(sizeof(pthread_mutex_t) <= LOCK_WORD_NAME * sizeof(uintptr_t), "a mutex has room");
_Static_assert(sizeof(pthread_cond_t) <= LOCK_WORD_NAME * sizeof(uintptr_t),
               "a condition has room");

static pthread_mutex_t *
posix_mutex(struct rgc_mutex *mutex)
{
  return (pthread_mutex_t *)(void *)mutex->opaque;
}

static pthread_cond_t *
posix_cond(struct rgc_cond *cond)
{
  return (pthread_cond_t *)(void *)cond->opaque;
}

/* ---- Who can go on: under the gate ---------------------------------------------------------- */

void
threads_enter_locked(struct sim_thread *thread)
{
  assert(thread->state != SIM_RUNNABLE);
  __atomic_store_n(&thread->state, SIM_RUNNABLE, __ATOMIC_RELEASE);
  sim.runnable++;
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

/* The wait is over; the mutex must be had again first. */
static void
end_wait(struct sim_thread *thread, enum rgc_wait_result result)
{
  thread->wait_result = result;
  if (mutex_owner(thread->mutex) == 0)
    threads_enter_locked(thread);
  else
    __atomic_store_n(&thread->state, SIM_ON_LOCK, __ATOMIC_RELEASE);
}

/* The signal is for speed.  It is given under the gate, which the waiter must pass before it can
 * free the condition; TSan does not know that, hence the oracle's brackets. */
static bool
end_idle_waits(void)
{
  bool any = false;

  for (unsigned i = 0; i < sim.thread_count; i++) {
    struct sim_thread *thread = &sim.threads[i];

    if (thread->state != SIM_ON_COND || thread->wait_kind != RGC_WAIT_PROGRAM)
      continue;
    end_wait(thread, RGC_WAIT_IDLE);
    TSAN(__tsan_ignore_thread_begin());
    pthread_cond_broadcast(posix_cond(thread->cond));
    TSAN(__tsan_ignore_thread_end());
    any = true;
  }
  return any;
}

bool
threads_leave_locked(struct sim_thread *thread, enum sim_state state)
{
  assert(thread->state == SIM_RUNNABLE && sim.runnable > 0);
  __atomic_store_n(&thread->state, state, __ATOMIC_RELEASE);
  sim.runnable--;
  return sim.runnable == 0 && !all_done() && !end_idle_waits();
}

void
threads_deadlock(void)
{
  sim_deadlock();
  __builtin_trap();
}

/* Everybody else who wants the mutex: to wait, or to go on. */
static void
set_others(const struct sim_thread *self, struct rgc_mutex *mutex, bool free)
{
  for (unsigned i = 0; i < sim.thread_count; i++) {
    struct sim_thread *thread = &sim.threads[i];

    if (thread == self || thread->mutex != mutex || !thread->wants_mutex)
      continue;
    if (free && thread->state == SIM_ON_LOCK) {
      threads_enter_locked(thread);
    } else if (!free && thread->state == SIM_RUNNABLE) {
      __atomic_store_n(&thread->state, SIM_ON_LOCK, __ATOMIC_RELEASE);
      sim.runnable--;
    }
  }
}

/* The pthread mutex is the caller's. */
static void
note_taken(struct sim_thread *thread, struct rgc_mutex *mutex)
{
  threads_gate_take();
  thread->wants_mutex = false;
  thread->mutex = NULL;
  thread->cond = NULL; /* under the gate, as those who end the wait or print it read it there */
  if (thread->state == SIM_ON_LOCK)
    threads_enter_locked(thread);
  mutex_set_owner(mutex, threads_current() + 1);
  set_others(thread, mutex, false);
  threads_gate_give();
}

static void
note_given_locked(const struct sim_thread *thread, struct rgc_mutex *mutex)
{
  mutex_set_owner(mutex, 0);
  set_others(thread, mutex, true);
}

/* ---- Mutexes -------------------------------------------------------------------------------- */

void
threads_mutex_init(void *self, struct rgc_mutex *mutex, const char *name)
{
  (void)self;
  pthread_mutex_init(posix_mutex(mutex), NULL);
  mutex->opaque[LOCK_WORD_NAME] = (uintptr_t)name;
  mutex_set_owner(mutex, 0);
}

void
threads_mutex_destroy(void *self, struct rgc_mutex *mutex)
{
  (void)self;
  if (!mutex_is_made(mutex) || mutex_owner(mutex) != 0)
    sim_lock_misused("mutex-destroyed-held", mutex_name(mutex));
  mutex->opaque[LOCK_WORD_MARK] = 0;
  pthread_mutex_destroy(posix_mutex(mutex));
}

static void
wait_for_mutex(struct sim_thread *thread, struct rgc_mutex *mutex)
{
  bool stuck = false;

  threads_gate_take();
  thread->mutex = mutex;
  thread->wants_mutex = true;
  if (mutex_owner(mutex) != 0)
    stuck = threads_leave_locked(thread, SIM_ON_LOCK);
  threads_gate_give();
  if (stuck)
    threads_deadlock();
  pthread_mutex_lock(posix_mutex(mutex));
}

void
threads_mutex_lock(void *self, struct rgc_mutex *mutex)
{
  struct sim_thread *thread = sim_self();

  assert(thread != NULL);
  threads_schedule_point(self, RGC_SITE_LOCK);
  if (!mutex_is_made(mutex))
    sim_lock_misused("mutex-not-made", NULL);
  if (mutex_owner(mutex) == threads_current() + 1)
    sim_lock_misused("mutex-taken-twice", mutex_name(mutex));
  if (pthread_mutex_trylock(posix_mutex(mutex)) != 0)
    wait_for_mutex(thread, mutex);
  note_taken(thread, mutex);
}

static void
check_owned(const struct rgc_mutex *mutex)
{
  if (!mutex_is_made(mutex) || mutex_owner(mutex) != threads_current() + 1)
    sim_lock_misused("mutex-not-owned", mutex_name(mutex));
}

void
threads_mutex_unlock(void *self, struct rgc_mutex *mutex)
{
  check_owned(mutex);
  threads_gate_take();
  note_given_locked(sim_self(), mutex);
  threads_gate_give();
  pthread_mutex_unlock(posix_mutex(mutex));
  threads_schedule_point(self, RGC_SITE_UNLOCK);
}

/* ---- Conditions ----------------------------------------------------------------------------- */

void
threads_cond_init(void *self, struct rgc_cond *cond, const char *name)
{
  pthread_condattr_t attributes;

  (void)self;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(posix_cond(cond), &attributes);
  pthread_condattr_destroy(&attributes);
  cond->opaque[LOCK_WORD_NAME] = (uintptr_t)name;
  cond->opaque[LOCK_WORD_MARK] = LOCK_COND_MARK;
}

void
threads_cond_destroy(void *self, struct rgc_cond *cond)
{
  bool waited = false;

  (void)self;
  threads_gate_take();
  for (unsigned i = 0; i < sim.thread_count; i++)
    waited = waited || (sim.threads[i].state == SIM_ON_COND && sim.threads[i].cond == cond);
  threads_gate_give();
  if (waited)
    sim_lock_misused("cond-destroyed-waited", cond_name(cond));
  cond->opaque[LOCK_WORD_MARK] = 0;
  pthread_cond_destroy(posix_cond(cond));
}

static void
sleep_until_woken(struct sim_thread *thread, struct rgc_cond *cond, struct rgc_mutex *mutex)
{
  struct timespec end;

  while (__atomic_load_n(&thread->state, __ATOMIC_ACQUIRE) == SIM_ON_COND) {
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += POLL_MS * 1000000L;
    end.tv_sec += end.tv_nsec / 1000000000L;
    end.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(posix_cond(cond), posix_mutex(mutex), &end);
  }
}

enum rgc_wait_result
threads_cond_wait(void *self, struct rgc_cond *cond, struct rgc_mutex *mutex,
                  enum rgc_wait_kind kind)
{
  struct sim_thread *thread = sim_self();

  assert(thread != NULL);
  if (!cond_is_made(cond))
    sim_lock_misused("cond-not-made", NULL);
  check_owned(mutex);
  threads_schedule_point(self, RGC_SITE_WAIT);
  threads_gate_take();
  thread->cond = cond;
  thread->mutex = mutex;
  thread->wants_mutex = true;
  thread->wait_kind = kind;
  thread->wait_result = RGC_WAIT_WOKEN;
  note_given_locked(thread, mutex);
  bool stuck = threads_leave_locked(thread, SIM_ON_COND);
  threads_gate_give();
  if (stuck)
    threads_deadlock();
  sleep_until_woken(thread, cond, mutex);
  note_taken(thread, mutex);
  return thread->wait_result;
}

void
threads_cond_broadcast(void *self, struct rgc_cond *cond)
{
  if (!cond_is_made(cond))
    sim_lock_misused("cond-not-made", NULL);
  threads_gate_take();
  for (unsigned i = 0; i < sim.thread_count; i++) {
    struct sim_thread *thread = &sim.threads[i];

    if (thread->state == SIM_ON_COND && thread->cond == cond)
      end_wait(thread, RGC_WAIT_WOKEN);
  }
  threads_gate_give();
  pthread_cond_broadcast(posix_cond(cond));
  threads_schedule_point(self, RGC_SITE_NOTIFY);
}
