/* stats.c - adding up counters. */
#include "fuzz/exec/exec.h"

void
exec_stats_add(struct exec_stats *sum, const struct exec_stats *one)
{
  /* Every member is a uint64_t, so the record is an array of them. */
  _Static_assert(sizeof(struct exec_stats) % sizeof(uint64_t) == 0, "counters only");
  uint64_t *to = (uint64_t *)(void *)sum;
  const uint64_t *from = (const uint64_t *)(const void *)one;

  for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
    to[i] += from[i];
}
