/* poison.h - makes every touch of free heap memory a report.
 *
 * A freed slot is written whole, so that under TSan any unsynchronised access to it is a race, and
 * then poisoned whole, so that under ASan any access at all is an error.  Slot layout is the same
 * in every build.
 */
#ifndef RGC_BASE_POISON_H
#define RGC_BASE_POISON_H

#include <stddef.h>
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RGC_POISON_ASAN 1
#endif
#endif

#ifdef RGC_POISON_ASAN
#include <sanitizer/asan_interface.h>
#endif

/* Read back from a stale reference this is neither nil, a fixnum nor an address of the arena. */
#define RGC_FREE_PATTERN UINT64_C(0xfbfbfbfbfbfbfbf8)

static inline void
memory_forbid(void *memory, size_t size)
{
#ifdef RGC_POISON_ASAN
  __asan_poison_memory_region(memory, size);
#else
  (void)memory;
  (void)size;
#endif
}

static inline void
memory_permit(void *memory, size_t size)
{
#ifdef RGC_POISON_ASAN
  __asan_unpoison_memory_region(memory, size);
#else
  (void)memory;
  (void)size;
#endif
}

/* Word by word, in the caller's instrumented code. */
static inline void
memory_fill(void *memory, size_t size, uint64_t pattern)
{
  uint64_t *words = memory;

  for (size_t i = 0; i < size / sizeof *words; i++)
    words[i] = pattern;
}

#endif
