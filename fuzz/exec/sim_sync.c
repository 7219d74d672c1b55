/* sim_sync.c - mutexes and conditions of the simulator.
 *
 * TSan sees exactly the edges of POSIX: unlock before lock of the same mutex, nothing from a
 * condition itself.  A thread that cannot go on is out of the schedule until whoever it waits for
 * puts it back.
 */
#include "fuzz/exec/sim.h"

#include <assert.h>
#include <stdio.h>

#include "fuzz/exec/lock.h"
#include "fuzz/exec/report.h"
#include "fuzz/exec/sanitize.h"

void
sim_lock_misused(const char *rule, const char *name)
{
  const char *text = name == NULL ? "?" : name;

  sim_verdict("core", rule, text, text);
}

void
sim_mutex_init(void *self, struct rgc_mutex *mutex, const char *name)
{
  (void)self;
  mutex->opaque[LOCK_WORD_NAME] = (uintptr_t)name;
  mutex_set_owner(mutex, 0);
  /* A run that was given up may have left a mutex at this address, and perhaps held. */
  TSAN(__tsan_mutex_destroy(mutex, 0));
  TSAN(__tsan_mutex_create(mutex, 0));
}

void
sim_mutex_destroy(void *self, struct rgc_mutex *mutex)
{
  (void)self;
  if (!mutex_is_made(mutex) || mutex_owner(mutex) != 0)
    sim_lock_misused("mutex-destroyed-held", mutex_name(mutex));
  mutex->opaque[LOCK_WORD_MARK] = 0;
  TSAN(__tsan_mutex_destroy(mutex, 0));
}

static void
lock(struct rgc_mutex *mutex)
{
  struct sim_thread *thread = sim_self();
  unsigned me = fiber_current() + 1;

  assert(thread != NULL);
  if (!mutex_is_made(mutex))
    sim_lock_misused("mutex-not-made", NULL);
  if (mutex_owner(mutex) == me)
    sim_lock_misused("mutex-taken-twice", mutex_name(mutex));
  TSAN(__tsan_mutex_pre_lock(mutex, 0));
  while (mutex_owner(mutex) != 0) {
    thread->mutex = mutex;
    thread->state = SIM_ON_LOCK;
    TSAN(__tsan_mutex_pre_divert(mutex, 0));
    sim_block_self();
    TSAN(__tsan_mutex_post_divert(mutex, 0));
  }
  thread->mutex = NULL;
  mutex_set_owner(mutex, me);
  TSAN(__tsan_mutex_post_lock(mutex, 0, 0));
}

static void
unlock(struct rgc_mutex *mutex)
{
  if (!mutex_is_made(mutex) || mutex_owner(mutex) != fiber_current() + 1)
    sim_lock_misused("mutex-not-owned", mutex_name(mutex));
  TSAN(__tsan_mutex_pre_unlock(mutex, 0));
  mutex_set_owner(mutex, 0);
  TSAN(__tsan_mutex_post_unlock(mutex, 0));
  for (unsigned i = 0; i < sim.thread_count; i++) {
    if (sim.threads[i].state == SIM_ON_LOCK && sim.threads[i].mutex == mutex)
      sim.threads[i].state = SIM_RUNNABLE;
  }
}

void
sim_mutex_lock(void *self, struct rgc_mutex *mutex)
{
  sim_schedule_point(self, RGC_SITE_LOCK);
  lock(mutex);
}

void
sim_mutex_unlock(void *self, struct rgc_mutex *mutex)
{
  unlock(mutex);
  sim_schedule_point(self, RGC_SITE_UNLOCK);
}

void
sim_cond_init(void *self, struct rgc_cond *cond, const char *name)
{
  (void)self;
  cond->opaque[LOCK_WORD_NAME] = (uintptr_t)name;
  cond->opaque[LOCK_WORD_MARK] = LOCK_COND_MARK;
}

void
sim_cond_destroy(void *self, struct rgc_cond *cond)
{
  (void)self;
  for (unsigned i = 0; i < sim.thread_count; i++) {
    if (sim.threads[i].state == SIM_ON_COND && sim.threads[i].cond == cond)
      sim_lock_misused("cond-destroyed-waited", cond_name(cond));
  }
  cond->opaque[LOCK_WORD_MARK] = 0;
}

enum rgc_wait_result
sim_cond_wait(void *self, struct rgc_cond *cond, struct rgc_mutex *mutex, enum rgc_wait_kind kind)
{
  struct sim_thread *thread = sim_self();

  assert(thread != NULL);
  if (!cond_is_made(cond))
    sim_lock_misused("cond-not-made", NULL);
  sim_schedule_point(self, RGC_SITE_WAIT);
  unlock(mutex);
  thread->cond = cond;
  thread->wait_kind = kind;
  thread->wait_result = RGC_WAIT_WOKEN;
  thread->state = SIM_ON_COND;
  sim_block_self();
  thread->cond = NULL;
  enum rgc_wait_result result = thread->wait_result;
  lock(mutex);
  return result;
}

void
sim_cond_broadcast(void *self, struct rgc_cond *cond)
{
  if (!cond_is_made(cond))
    sim_lock_misused("cond-not-made", NULL);
  for (unsigned i = 0; i < sim.thread_count; i++) {
    if (sim.threads[i].state == SIM_ON_COND && sim.threads[i].cond == cond)
      sim.threads[i].state = SIM_RUNNABLE;
  }
  sim_schedule_point(self, RGC_SITE_NOTIFY);
}

bool
sim_wake_idle(void)
{
  bool any = false;

  for (unsigned i = 0; i < sim.thread_count; i++) {
    struct sim_thread *thread = &sim.threads[i];

    if (thread->state != SIM_ON_COND || thread->wait_kind != RGC_WAIT_PROGRAM)
      continue;
    thread->wait_result = RGC_WAIT_IDLE;
    thread->state = SIM_RUNNABLE;
    any = true;
  }
  return any;
}

static int
describe_thread(const struct sim_thread *thread, unsigned id, char *text, size_t size)
{
  const char *op = thread->op_name == NULL ? "-" : thread->op_name;

  switch (thread->state) {
  case SIM_RUNNABLE:
    return snprintf(text, size, "thread %u (%s) can go on; ", id, op);
  case SIM_ON_LOCK:
    return snprintf(text, size, "thread %u (%s) waits for lock \"%s\" held by thread %u; ", id, op,
                    mutex_name(thread->mutex), mutex_owner(thread->mutex) - 1);
  case SIM_ON_COND:
    return snprintf(text, size, "thread %u (%s) waits for condition \"%s\"; ", id, op,
                    cond_name(thread->cond));
  case SIM_ON_JOIN:
    return snprintf(text, size, "thread %u (%s) waits for the end of thread %u; ", id, op,
                    thread->target);
  default:
    return 0;
  }
}

/* The name of what a thread waits for in the core; NULL when it waits for nothing of the kind. */
static const char *
waits_for(const struct sim_thread *thread)
{
  switch (thread->state) {
  case SIM_ON_LOCK:
    return mutex_name(thread->mutex);
  case SIM_ON_COND:
    return cond_name(thread->cond);
  case SIM_ON_JOIN:
    return "join";
  default:
    return NULL;
  }
}

static bool
text_less(const char *a, const char *b)
{
  while (*a != '\0' && *a == *b) {
    a++;
    b++;
  }
  return (unsigned char)*a < (unsigned char)*b;
}

/* Names in ascending order and each once, so that the key depends on no schedule and no thread. */
void
sim_wait_key(char *key, size_t key_size)
{
  const char *last = NULL;

  key[0] = '\0';
  for (;;) {
    const char *next = NULL;

    for (unsigned i = 0; i < sim.thread_count; i++) {
      const char *name = waits_for(&sim.threads[i]);

      if (name != NULL && (last == NULL || text_less(last, name)) &&
          (next == NULL || text_less(name, next)))
        next = name;
    }
    if (next == NULL)
      return;
    if (last != NULL)
      report_text_add(key, key_size, "+");
    report_text_add(key, key_size, next);
    last = next;
  }
}

void
sim_wait_graph(char *text, size_t text_size)
{
  size_t at = 0;

  assert(text_size > 0);
  text[0] = '\0';
  sim_oracle_begin(NULL);
  for (unsigned i = 0; i < sim.thread_count && at < text_size; i++) {
    int written = describe_thread(&sim.threads[i], i, text + at, text_size - at);
    at += written > 0 ? (size_t)written : 0;
  }
  sim_oracle_end(NULL);
}
