/* bits.h - bitmaps of 64-bit words, plain and atomic.
 *
 * Plain functions are for words that one thread writes (the owner, or the driver of a stopped
 * world); the atomic ones name their memory order and are for words with several writers.
 */
#ifndef RGC_BASE_BITS_H
#define RGC_BASE_BITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool
bit_get(const uint64_t *words, size_t bit)
{
  return (words[bit / 64] >> (bit % 64)) & 1u;
}

static inline void
bit_set(uint64_t *words, size_t bit)
{
  words[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static inline void
bit_clear(uint64_t *words, size_t bit)
{
  words[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

static inline bool
bit_get_relaxed(const _Atomic uint64_t *words, size_t bit)
{
  return (atomic_load_explicit(&words[bit / 64], memory_order_relaxed) >> (bit % 64)) & 1u;
}

static inline void
bit_set_relaxed(_Atomic uint64_t *words, size_t bit)
{
  atomic_fetch_or_explicit(&words[bit / 64], UINT64_C(1) << (bit % 64), memory_order_relaxed);
}

static inline void
bit_clear_relaxed(_Atomic uint64_t *words, size_t bit)
{
  atomic_fetch_and_explicit(&words[bit / 64], ~(UINT64_C(1) << (bit % 64)), memory_order_relaxed);
}

static inline unsigned
bits_count(uint64_t word)
{
  return (unsigned)__builtin_popcountll(word);
}

/* Index of the lowest set bit; `word` must not be 0. */
static inline unsigned
bits_lowest(uint64_t word)
{
  return (unsigned)__builtin_ctzll(word);
}

/* First bit at or after `from` whose value is `value`; `bit_count` if there is none. */
static inline size_t
bits_find(const uint64_t *words, size_t from, size_t bit_count, bool value)
{
  while (from < bit_count) {
    uint64_t word = value ? words[from / 64] : ~words[from / 64];

    word >>= from % 64;
    if (word != 0) {
      size_t found = from + bits_lowest(word);
      return found < bit_count ? found : bit_count;
    }
    from = (from / 64 + 1) * 64;
  }
  return bit_count;
}

#endif
