/* crossover.c - one program out of two. */
#include <string.h>

#include "fuzz/mutate/mutate.h"
#include "fuzz/mutate/registers.h"
#include "fuzz/program/edit.h"
#include "fuzz/program/shape.h"

enum { GRAFT_MAX = 60 };

/* Blocks of `b` after, or instead of, those of the same number in `a`. */
static void
mix_blocks(struct program *a, const struct program *b, struct rng *rng)
{
  for (unsigned i = 0; i < b->block_count; i++) {
    const struct block *other = &b->blocks[i];
    unsigned from = rng_percent(rng, 50) ? 0 : rng_below(rng, other->op_count + 1);
    unsigned keep;

    if (i >= a->block_count && !program_add_block(a))
      return;
    if (rng_percent(rng, 40))
      continue;
    keep = rng_percent(rng, 30) ? 0 : rng_below(rng, a->blocks[i].op_count + 1);
    program_remove_ops(a, a->blocks[i].op_first + keep, a->blocks[i].op_count - keep);
    if (program_insert_ops(a, i, a->blocks[i].op_first + keep, &b->ops[other->op_first + from],
                           other->op_count - from) < other->op_count - from)
      return;
  }
}

/* A run of ops of `b` and where it is from; bodies that start in it end in it. */
struct graft {
  unsigned first;
  unsigned count;
};

static struct graft
pick_graft(const struct program *b, struct rng *rng)
{
  unsigned block = rng_percent(rng, 70) ? 0 : rng_below(rng, b->block_count);
  unsigned end = b->blocks[block].op_first + b->blocks[block].op_count;
  unsigned wanted = rng_between(rng, 3, GRAFT_MAX);
  unsigned first = program_past_loop(
      b, block, b->blocks[block].op_first + rng_below(rng, b->blocks[block].op_count + 1));
  unsigned next = first;

  while (next < end && next - first < wanted)
    next = op_is_loop(b, next) || op_is_skip(b, next) ? op_body_end(b, next, end) : next + 1;
  return (struct graft){.first = first, .count = next - first};
}

/* Copies block `from` of `b` behind the blocks of `a`.  Returns its number; 0: no room. */
static unsigned
bring_block(struct program *a, const struct program *b, unsigned from)
{
  const struct block *body = &b->blocks[from];

  if (!program_add_block(a))
    return 0;
  program_insert_ops(a, a->block_count - 1, a->op_count, &b->ops[body->op_first], body->op_count);
  return a->block_count - 1;
}

/* The run at `at` of `a` came from `b`: the blocks that it starts come too. */
static void
bring_blocks(struct program *a, const struct program *b, unsigned at, unsigned count)
{
  unsigned brought[PROGRAM_BLOCK_MAX] = {0};

  for (unsigned i = at; i < at + count && b->block_count > 1; i++) {
    if (a->ops[i].code != OP_ractor_new)
      continue;
    unsigned from = program_started_block(b, a->ops[i].operands[1]);

    if (brought[from] == 0)
      brought[from] = bring_block(a, b, from);
    if (brought[from] != 0)
      a->ops[i].operands[1] = (uint8_t)(brought[from] - 1);
  }
}

/* A run of `b` goes into `a`, which loses nothing: with the blocks that it starts, and into
 * registers that `a` can spare. */
static void
graft_ops(struct program *a, const struct program *b, struct rng *rng)
{
  unsigned block = rng_percent(rng, 80) ? 0 : rng_below(rng, a->block_count);
  unsigned place = a->blocks[block].op_first + rng_below(rng, a->blocks[block].op_count + 1);
  unsigned at = program_past_loop(a, block, place);
  uint32_t live = registers_live(a, block, at);
  struct graft graft = pick_graft(b, rng);
  unsigned count = program_insert_ops(a, block, at, &b->ops[graft.first], graft.count);

  registers_fit(&a->ops[at], count, a->dialect, live, rng);
  if (a->dialect == PROGRAM_RACTOR)
    bring_blocks(a, b, at, count);
}

/* Half of the time the settings, and a third of the time the preemptions, are those of `b`. */
static void
mix_plans(struct program *a, const struct program *b, struct rng *rng)
{
  if (rng_percent(rng, 50))
    memcpy(a->settings, b->settings, sizeof a->settings);
  if (rng_percent(rng, 33)) {
    a->preemption_count = b->preemption_count;
    memcpy(a->preemptions, b->preemptions, sizeof a->preemptions);
    a->policy = b->policy;
    a->quantum = b->quantum;
    a->depth = b->depth;
    a->schedule_seed = b->schedule_seed;
  }
}

void
crossover_programs(struct program *a, const struct program *b, struct rng *rng)
{
  unsigned roll = rng_below(rng, 100);

  mix_plans(a, b, rng);
  if (roll < 60)
    graft_ops(a, b, rng);
  else if (roll < 85)
    mix_blocks(a, b, rng);
}
