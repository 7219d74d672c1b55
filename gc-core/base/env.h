/* env.h - what every layer needs from below: the platform, failure reports, assertion macros and
 * ranked locks.
 *
 * One `struct rgc_env` belongs to a world and is passed down to whoever cannot see the world.
 * Assertions are always on, in release builds too: level 0 and 1 conditions are O(1).
 */
#ifndef RGC_BASE_ENV_H
#define RGC_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rgc/faults.h"
#include "rgc/observe.h"
#include "rgc/platform.h"

enum { RGC_ENV_THREAD_MAX = 64 };

/* Outermost first: a lock may be taken only when every lock held has a lower rank. */
enum rgc_lock_rank { RGC_RANK_REGISTRY, RGC_RANK_POOL, RGC_RANK_INDEX };

struct rgc_env {
  struct rgc_platform platform;
  const char *phase_name;                  /* written with the world stopped only */
  uint32_t held_ranks[RGC_ENV_THREAD_MAX]; /* each thread writes its own entry */
};

struct rgc_lock {
  struct rgc_mutex mutex;
  enum rgc_lock_rank rank;
};

void rgc_lock_init(struct rgc_env *env, struct rgc_lock *lock, enum rgc_lock_rank rank,
                   const char *name);
void rgc_lock_destroy(struct rgc_env *env, struct rgc_lock *lock);

/* Aborts when a lock of the same or an inner rank is held by this thread. */
void rgc_lock_take(struct rgc_env *env, struct rgc_lock *lock);
void rgc_lock_give(struct rgc_env *env, struct rgc_lock *lock);

/* Reports broken state through the platform; does not return.  `rule` and `where` are literals. */
_Noreturn void rgc_fail(struct rgc_env *env, const char *rule, const char *where,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

/* O(1), always on. */
#define RGC_ASSERT(env, condition)                                                                 \
  do {                                                                                             \
    if (!(condition))                                                                              \
      rgc_fail((env), "ASSERT", __func__, "%s", #condition);                                       \
  } while (0)

/* O(1), always on, and names the invariant that it guards. */
#define RGC_CHECK(env, rule, condition)                                                            \
  do {                                                                                             \
    if (!(condition))                                                                              \
      rgc_fail((env), (rule), __func__, "%s", #condition);                                         \
  } while (0)

/* A place where the scheduler may switch threads; nothing in a release build. */
static inline void
rgc_point(const struct rgc_env *env, enum rgc_site site)
{
#ifdef RGC_RELEASE
  (void)env;
  (void)site;
#else
  env->platform.ops->schedule_point(env->platform.self, site);
#endif
}

static inline void
rgc_event(const struct rgc_env *env, enum rgc_event event, uint64_t a, uint64_t b)
{
  env->platform.ops->event(env->platform.self, event, a, b);
  RGC_OBSERVE(&env->platform, event, event, a, b);
}

static inline void *
rgc_memory_alloc(const struct rgc_env *env, size_t size)
{
  return env->platform.ops->memory_alloc(env->platform.self, size);
}

static inline void
rgc_memory_free(const struct rgc_env *env, void *memory, size_t size)
{
  env->platform.ops->memory_free(env->platform.self, memory, size);
}

#endif
