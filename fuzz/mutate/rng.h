/* rng.h - a small pseudo-random generator (splitmix64) whose state is passed explicitly, so that
 * everything made from a seed is a function of the seed alone.
 */
#ifndef GCSTORM_RNG_H
#define GCSTORM_RNG_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct rng {
  uint64_t state;
};

static inline struct rng
rng_seeded(uint64_t seed)
{
  return (struct rng){seed};
}

static inline uint64_t
rng_next(struct rng *rng)
{
  rng->state += 0x9e3779b97f4a7c15u;
  uint64_t mixed = rng->state;

  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
  return mixed ^ mixed >> 31;
}

/* 0 … limit-1. */
static inline unsigned
rng_below(struct rng *rng, unsigned limit)
{
  assert(limit > 0);
  return (unsigned)((rng_next(rng) >> 32) * limit >> 32);
}

/* low … high, both included. */
static inline unsigned
rng_between(struct rng *rng, unsigned low, unsigned high)
{
  assert(low <= high);
  return low + rng_below(rng, high - low + 1);
}

static inline bool
rng_percent(struct rng *rng, unsigned percent)
{
  return rng_below(rng, 100) < percent;
}

#endif
