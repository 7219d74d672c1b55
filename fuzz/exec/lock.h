/* lock.h - the words of a mutex or condition that both hosts keep behind whatever they lock with:
 * its name, and a mark that says what it is together with the owner of a mutex. */
#ifndef GCSTORM_EXEC_LOCK_H
#define GCSTORM_EXEC_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "rgc/platform.h"

enum { LOCK_WORD_NAME = 6, LOCK_WORD_MARK = 7 };

#define LOCK_MUTEX_MARK ((uintptr_t)0x6d757478)
#define LOCK_COND_MARK ((uintptr_t)0x636f6e64)
#define LOCK_MARK_MASK ((uintptr_t)0xffffffff)
#define LOCK_OWNER_SHIFT 32

static inline bool
mutex_is_made(const struct rgc_mutex *mutex)
{
  return (mutex->opaque[LOCK_WORD_MARK] & LOCK_MARK_MASK) == LOCK_MUTEX_MARK;
}

/* Number of the owning thread + 1, or 0. */
static inline unsigned
mutex_owner(const struct rgc_mutex *mutex)
{
  return (unsigned)(mutex->opaque[LOCK_WORD_MARK] >> LOCK_OWNER_SHIFT);
}

static inline void
mutex_set_owner(struct rgc_mutex *mutex, unsigned owner)
{
  mutex->opaque[LOCK_WORD_MARK] = LOCK_MUTEX_MARK | (uintptr_t)owner << LOCK_OWNER_SHIFT;
}

static inline const char *
mutex_name(const struct rgc_mutex *mutex)
{
  return (const char *)mutex->opaque[LOCK_WORD_NAME];
}

static inline bool
cond_is_made(const struct rgc_cond *cond)
{
  return cond->opaque[LOCK_WORD_MARK] == LOCK_COND_MARK;
}

static inline const char *
cond_name(const struct rgc_cond *cond)
{
  return (const char *)cond->opaque[LOCK_WORD_NAME];
}

#endif
