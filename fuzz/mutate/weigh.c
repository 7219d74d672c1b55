/* weigh.c - see weigh.h. */
#include "fuzz/mutate/weigh.h"

#include <assert.h>

#include "fuzz/program/shape.h"

/* A collection walks the whole heap, or stops the world and checks it. */
enum { COLLECTION_WEIGHT = 12 };

static unsigned
op_weight(const struct program *program, unsigned index)
{
  unsigned code = program->ops[index].code;
  bool collects = program->dialect == PROGRAM_RACTOR
                      ? code == OP_gc || code == OP_gc_verify
                      : code == EV_collect || code == EV_verify || code == EV_local_start;

  return collects ? COLLECTION_WEIGHT : 1;
}

/* Weight of the body of the loop at `index`, one round; `end` is set to where it ends. */
static unsigned
body_weight(const struct program *program, unsigned index, unsigned block_end, unsigned *end)
{
  unsigned sum = 0;

  *end = op_body_end(program, index, block_end);
  for (unsigned i = index + 1; i < *end; i++)
    sum += op_weight(program, i);
  return sum;
}

/* Walks the program; `heaviest`, if any, is the loop with the most weight that repeats. */
static unsigned
weigh(const struct program *program, unsigned *heaviest, unsigned *heaviest_weight)
{
  unsigned sum = 0;

  *heaviest_weight = 0;
  for (unsigned b = 0; b < program->block_count; b++) {
    unsigned i = program->blocks[b].op_first;
    unsigned block_end = i + program->blocks[b].op_count;

    while (i < block_end) {
      unsigned weight = op_weight(program, i), next = i + 1;

      if (op_is_loop(program, i)) {
        weight = body_weight(program, i, block_end, &next) * program->ops[i].operands[0];
        if (program->ops[i].operands[0] > 1 && weight > *heaviest_weight) {
          *heaviest = i;
          *heaviest_weight = weight;
        }
      }
      sum += weight;
      i = next;
    }
  }
  return sum;
}

unsigned
program_weight(const struct program *program)
{
  unsigned heaviest = 0, weight;

  return weigh(program, &heaviest, &weight);
}

void
program_tame(struct program *program, unsigned limit)
{
  unsigned heaviest = 0, weight;

  while (weigh(program, &heaviest, &weight) > limit && weight > 0) {
    assert(op_is_loop(program, heaviest) && program->ops[heaviest].operands[0] > 1);
    program->ops[heaviest].operands[0] /= 2;
  }
}
