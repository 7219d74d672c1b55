/* subject.c - see subject.h. */
#include "tests/fuzz/exec/subject.h"

#include <unistd.h>

#include "fuzz/program/program.h"
#include "rgc/observe.h"
#include "rgc/rgc.h"

#define OPS(subject) ((subject)->platform.ops)
#define SELF(subject) ((subject)->platform.self)

void
subject_init(struct subject *subject, struct rgc_platform platform)
{
  *subject = (struct subject){.platform = platform};
}

static void
lock(struct subject *s, struct rgc_mutex *mutex)
{
  OPS(s)->mutex_lock(SELF(s), mutex);
}

static void
unlock(struct subject *s, struct rgc_mutex *mutex)
{
  OPS(s)->mutex_unlock(SELF(s), mutex);
}

static void
point(struct subject *s)
{
  OPS(s)->schedule_point(SELF(s), RGC_SITE_OP);
}

/* Runs `one` on two new threads and waits for both. */
static void
run_two(struct subject *s, void (*one)(void *arg), void (*two)(void *arg))
{
  OPS(s)->mutex_init(SELF(s), &s->mutex, "first");
  OPS(s)->mutex_init(SELF(s), &s->second, "second");
  OPS(s)->cond_init(SELF(s), &s->cond, "signal");
  (void)OPS(s)->thread_start(SELF(s), one, s, &s->others[0]);
  (void)OPS(s)->thread_start(SELF(s), two, s, &s->others[1]);
  OPS(s)->thread_join(SELF(s), s->others[0]);
  OPS(s)->thread_join(SELF(s), s->others[1]);
  OPS(s)->cond_destroy(SELF(s), &s->cond);
  OPS(s)->mutex_destroy(SELF(s), &s->second);
  OPS(s)->mutex_destroy(SELF(s), &s->mutex);
}

__attribute__((noinline)) static void
store_shared(struct subject *s, int value)
{
  s->shared = value;
}

static void
write_plain(void *arg)
{
  struct subject *s = arg;

  point(s);
  store_shared(s, 1);
  point(s);
}

static void
write_locked(void *arg)
{
  struct subject *s = arg;

  for (int i = 0; i < 4; i++) {
    point(s);
    lock(s, &s->mutex);
    store_shared(s, s->shared + 1);
    point(s);
    unlock(s, &s->mutex);
  }
}

/* What an interpreter would tell an oracle of one object, in between. */
static void
tell(struct subject *s, unsigned slot)
{
  const struct rgc_observer *observer = s->platform.observer;
  rgc_ref obj = {s->arena + slot * 64};

  observer->allocated(observer->self, slot, obj, 64);
  observer->made(observer->self, obj, 1, slot, 2, 0);
  for (unsigned i = 0; i < 3; i++) {
    point(s);
    observer->store(observer->self, obj, s, obj.bits);
    observer->assigned(observer->self, obj, i % 2, obj.bits);
    observer->barrier(observer->self, obj, obj);
    observer->stored(observer->self);
    observer->filled(observer->self, obj, 0, 20 * (i + 1), i);
  }
  observer->event(observer->self, RGC_EVENT_LOCAL_BEGIN, slot, 1);
  observer->freed(observer->self, obj);
  observer->event(observer->self, RGC_EVENT_LOCAL_SWEPT, slot, 0);
}

static void
write_told(void *arg)
{
  struct subject *s = arg;

  tell(s, s->platform.ops->thread_self(SELF(s)));
  store_shared(s, 1);
  tell(s, s->platform.ops->thread_self(SELF(s)));
}

void
subject_race_observed(void *arg)
{
  run_two(arg, write_told, write_told);
}

static void
only_tell(void *arg)
{
  struct subject *s = arg;

  tell(s, s->platform.ops->thread_self(SELF(s)));
}

void
subject_observed(void *arg)
{
  run_two(arg, only_tell, only_tell);
}

/* One op on a port of Ractor `to`. */
static void
tell_op(struct subject *s, unsigned code, unsigned to)
{
  const struct observer *watch = s->watch;
  struct op_subject about = {.is_handle = true, .ractor = to};
  struct op_value value = {.digest = code};

  (void)watch->op_begin(watch->self, 0, code, 0, &about);
  point(s);
  watch->op_end(watch->self, 0, code, true, 0, &value);
  point(s);
}

static void
tell_event(struct subject *s, enum rgc_event event, uint64_t a)
{
  OPS(s)->event(SELF(s), event, a, 0);
  point(s);
}

/* Both threads send to main, ask for its end, and collect: each touches what the oracles know of
 * the other. */
static void
tell_ops(struct subject *s)
{
  unsigned self = OPS(s)->thread_self(SELF(s));

  for (unsigned i = 0; i < 3; i++) {
    tell_op(s, OP_send, 0);
    tell_op(s, OP_send, self);
    tell_op(s, OP_receive, self);
    tell_op(s, OP_value, 0);
    tell_event(s, RGC_EVENT_LOCAL_BEGIN, self);
    tell_event(s, RGC_EVENT_WORLD_STOPPED, RGC_REASON_SHAREABLES);
    tell_event(s, RGC_EVENT_PROMOTED, self);
  }
}

static void
begin_block(struct subject *s, unsigned ractor)
{
  struct op_value nothing = {0};

  s->watch->block_begin(s->watch->self, ractor, &nothing);
}

static void
only_tell_ops(void *arg)
{
  struct subject *s = arg;

  begin_block(s, OPS(s)->thread_self(SELF(s)));
  tell_ops(s);
  s->watch->block_end(s->watch->self, 0);
}

static void
write_watched(void *arg)
{
  struct subject *s = arg;

  begin_block(s, OPS(s)->thread_self(SELF(s)));
  tell_ops(s);
  store_shared(s, 1);
  tell_ops(s);
  s->watch->block_end(s->watch->self, 0);
}

void
subject_watched(void *arg)
{
  begin_block(arg, 0);
  run_two(arg, only_tell_ops, only_tell_ops);
}

void
subject_race_watched(void *arg)
{
  begin_block(arg, 0);
  run_two(arg, write_watched, write_watched);
}

void
subject_race(void *arg)
{
  run_two(arg, write_plain, write_plain);
}

/* A function each, so that each race has a bucket of its own. */
#define STORE_BYTE(n)                                                                              \
  __attribute__((noinline)) static void store_byte_##n(struct subject *s)                          \
  {                                                                                                \
    s->crowded[n]++;                                                                               \
  }
STORE_BYTE(0)
STORE_BYTE(1)
STORE_BYTE(2)
STORE_BYTE(3)
STORE_BYTE(4)
STORE_BYTE(5)

static void (*const store_byte[])(struct subject *s) = {store_byte_0, store_byte_1, store_byte_2,
                                                        store_byte_3, store_byte_4, store_byte_5};

/* The last of the crowd races with each of the others that TSan still knows of. */
static void
crowd_in(void *arg)
{
  struct subject *s = arg;
  unsigned self = OPS(s)->thread_self(SELF(s));

  if (self < SUBJECT_CROWD)
    store_byte[self - 1](s);
  for (unsigned i = 0; self == SUBJECT_CROWD && i < SUBJECT_CROWD - 1; i++)
    store_byte[i](s);
}

static void
leave_trail(void *arg)
{
  struct subject *s = arg;
  unsigned self = OPS(s)->thread_self(SELF(s));

  for (unsigned i = 0; i < s->trail + self; i++)
    s->trails[self][i % 16]++;
}

static void
run_crowd(struct subject *s, void (*one)(void *arg))
{
  unsigned ids[SUBJECT_CROWD];

  for (unsigned i = 0; i < SUBJECT_CROWD; i++)
    (void)OPS(s)->thread_start(SELF(s), one, s, &ids[i]);
  for (unsigned i = 0; i < SUBJECT_CROWD; i++)
    OPS(s)->thread_join(SELF(s), ids[i]);
}

void
subject_crowd(void *arg)
{
  run_crowd(arg, crowd_in);
}

void
subject_trail(void *arg)
{
  run_crowd(arg, leave_trail);
}

void
subject_locked(void *arg)
{
  run_two(arg, write_locked, write_locked);
}

static void
give(void *arg)
{
  struct subject *s = arg;

  point(s);
  lock(s, &s->mutex);
  s->shared = 42;
  s->ready = 1;
  OPS(s)->cond_broadcast(SELF(s), &s->cond);
  unlock(s, &s->mutex);
}

static void
take(void *arg)
{
  struct subject *s = arg;

  lock(s, &s->mutex);
  while (!s->ready)
    s->wait_result = OPS(s)->cond_wait(SELF(s), &s->cond, &s->mutex, RGC_WAIT_CORE);
  s->shared++;
  unlock(s, &s->mutex);
}

void
subject_handoff(void *arg)
{
  run_two(arg, take, give);
}

static void
first_second(void *arg)
{
  struct subject *s = arg;

  lock(s, &s->mutex);
  point(s);
  lock(s, &s->second);
  unlock(s, &s->second);
  unlock(s, &s->mutex);
}

static void
second_first(void *arg)
{
  struct subject *s = arg;

  lock(s, &s->second);
  point(s);
  lock(s, &s->mutex);
  unlock(s, &s->mutex);
  unlock(s, &s->second);
}

void
subject_deadlock(void *arg)
{
  run_two(arg, first_second, second_first);
}

static void
nothing(void *arg)
{
  (void)arg;
}

void
subject_lost_wakeup(void *arg)
{
  run_two(arg, take, nothing);
}

static void
wait_idly(void *arg)
{
  struct subject *s = arg;

  lock(s, &s->mutex);
  if (OPS(s)->cond_wait(SELF(s), &s->cond, &s->mutex, RGC_WAIT_PROGRAM) == RGC_WAIT_IDLE) {
    s->wait_result = RGC_WAIT_IDLE;
    s->shared++;
  }
  unlock(s, &s->mutex);
}

void
subject_idle(void *arg)
{
  run_two(arg, wait_idly, wait_idly);
}

static void
log_steps(void *arg)
{
  struct subject *s = arg;

  for (int i = 0; i < 6; i++) {
    point(s);
    lock(s, &s->mutex);
    s->log[s->log_count++] = OPS(s)->thread_self(SELF(s));
    unlock(s, &s->mutex);
  }
}

void
subject_steps(void *arg)
{
  run_two(arg, log_steps, log_steps);
}

void
subject_steps_of_one(void *arg)
{
  struct subject *s = arg;

  OPS(s)->mutex_init(SELF(s), &s->mutex, "first");
  if (OPS(s)->thread_start(SELF(s), log_steps, s, &s->others[0]))
    OPS(s)->thread_join(SELF(s), s->others[0]);
  if (OPS(s)->thread_start(SELF(s), log_steps, s, &s->others[1]))
    OPS(s)->thread_join(SELF(s), s->others[1]);
  OPS(s)->mutex_destroy(SELF(s), &s->mutex);
}

void
subject_leak(void *arg)
{
  struct subject *s = arg;

  (void)OPS(s)->memory_alloc(SELF(s), 100);
}

void
subject_wrong_size(void *arg)
{
  struct subject *s = arg;

  OPS(s)->memory_free(SELF(s), OPS(s)->memory_alloc(SELF(s), 100), 96);
}

__attribute__((noinline)) static int
read_wild(const volatile int *address)
{
  return *address;
}

void
subject_crash(void *arg)
{
  struct subject *s = arg;
  volatile uintptr_t wild = 8;

  s->shared = read_wild((const volatile int *)wild);
}

__attribute__((noinline)) static unsigned
dig(unsigned depth)
{
  volatile char frame[512];

  frame[depth % sizeof frame] = 1;
  return depth == 0 ? 0 : dig(depth - 1) + (unsigned)frame[depth % sizeof frame];
}

void
subject_recursion(void *arg)
{
  struct subject *s = arg;

  s->shared = (int)dig(100000);
}

void
subject_spin(void *arg)
{
  for (;;)
    point(arg);
}

void
subject_stall(void *arg)
{
  (void)arg;
  for (;;)
    usleep(1000);
}

static void
fail_holding(void *arg)
{
  struct subject *s = arg;
  struct rgc_failure failure = {"INV-TEST", "fail_holding", "planted", "running"};

  lock(s, &s->mutex);
  point(s);
  OPS(s)->fail(SELF(s), &failure);
}

void
subject_fail(void *arg)
{
  run_two(arg, write_locked, fail_holding);
}
