/* bytes.h - random bytes for tests, from a fixed seed. */
#ifndef GCSTORM_TEST_BYTES_H
#define GCSTORM_TEST_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "fuzz/mutate/rng.h"

static inline void
random_bytes(struct rng *rng, uint8_t *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)rng_below(rng, 256);
}

#endif
