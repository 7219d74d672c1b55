/* env.c - failure reports and ranked locks. */
#include "gc-core/base/env.h"

#include <stdarg.h>
#include <stdio.h>

void
rgc_fail(struct rgc_env *env, const char *rule, const char *where, const char *format, ...)
{
  char text[400];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);

  struct rgc_failure failure = {
      .rule = rule, .where = where, .text = text, .phase = env->phase_name};
  env->platform.ops->fail(env->platform.self, &failure);
  __builtin_trap();
}

void
rgc_lock_init(struct rgc_env *env, struct rgc_lock *lock, enum rgc_lock_rank rank, const char *name)
{
  lock->rank = rank;
  env->platform.ops->mutex_init(env->platform.self, &lock->mutex, name);
}

void
rgc_lock_destroy(struct rgc_env *env, struct rgc_lock *lock)
{
  env->platform.ops->mutex_destroy(env->platform.self, &lock->mutex);
}

static uint32_t *
held_ranks(struct rgc_env *env)
{
  unsigned id = env->platform.ops->thread_self(env->platform.self);

  return &env->held_ranks[id % RGC_ENV_THREAD_MAX];
}

void
rgc_lock_take(struct rgc_env *env, struct rgc_lock *lock)
{
  uint32_t *held = held_ranks(env);

  RGC_ASSERT(env, (*held >> lock->rank) == 0);
  env->platform.ops->mutex_lock(env->platform.self, &lock->mutex);
  *held |= 1u << lock->rank;
}

void
rgc_lock_give(struct rgc_env *env, struct rgc_lock *lock)
{
  uint32_t *held = held_ranks(env);

  RGC_ASSERT(env, (*held & (1u << lock->rank)) != 0);
  *held &= ~(1u << lock->rank);
  env->platform.ops->mutex_unlock(env->platform.self, &lock->mutex);
}
