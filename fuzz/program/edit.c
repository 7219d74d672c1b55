/* edit.c - see edit.h. */
#include "fuzz/program/edit.h"

#include <assert.h>
#include <string.h>

#include "fuzz/program/shape.h"

/* ---- Bodies ---------------------------------------------------------------------------------- */

static bool
op_has_body(const struct program *program, unsigned index)
{
  return op_is_loop(program, index) || op_is_skip(program, index);
}

/* How many numbers of first … first+count-1 are in from … end-1. */
static unsigned
overlap(unsigned first, unsigned count, unsigned from, unsigned end)
{
  unsigned low = first > from ? first : from;
  unsigned high = first + count < end ? first + count : end;

  return high > low ? high - low : 0;
}

/* Cuts each body of the block at the block's end, and takes off what is about to go. */
static void
shorten_bodies(struct program *program, const struct block *block, unsigned first, unsigned count)
{
  unsigned end = block->op_first + block->op_count;

  for (unsigned i = block->op_first; i < end; i++) {
    if (!op_has_body(program, i))
      continue;
    unsigned body_end = op_body_end(program, i, end);
    unsigned length = body_end - i - 1 - overlap(first, count, i + 1, body_end);

    assert(length <= program->ops[i].operands[1]);
    program->ops[i].operands[1] = (uint8_t)length;
  }
}

/* Lengthens the bodies that go on at `index` by `count` ops that came there. */
static void
lengthen_bodies(struct program *program, unsigned first, unsigned index, unsigned count)
{
  unsigned length_max = operand_limit(OPERAND_COUNT) - 1;

  for (unsigned i = first; i < index; i++) {
    if (!op_has_body(program, i) || index > i + program->ops[i].operands[1])
      continue;
    unsigned length = program->ops[i].operands[1] + count;

    program->ops[i].operands[1] = (uint8_t)(length < length_max ? length : length_max);
  }
}

/* ---- Ops ------------------------------------------------------------------------------------- */

unsigned
program_insert_ops(struct program *program, unsigned block, unsigned index, const struct op *ops,
                   unsigned count)
{
  unsigned done = 0;

  assert(block < program->block_count);
  const struct block *home = &program->blocks[block];
  bool at_end = index == home->op_first + home->op_count;

  while (done < count && program_insert_op(program, block, index + done, ops[done]))
    done++;
  if (!at_end)
    lengthen_bodies(program, home->op_first, index, done);
  return done;
}

void
program_remove_ops(struct program *program, unsigned first, unsigned count)
{
  unsigned left = 0;

  assert(first <= program->op_count && count <= program->op_count - first);
  for (unsigned b = 0; b < program->block_count; b++)
    shorten_bodies(program, &program->blocks[b], first, count);
  for (unsigned b = 0; b < program->block_count; b++) {
    struct block *block = &program->blocks[b];

    block->op_count -= overlap(first, count, block->op_first, block->op_first + block->op_count);
    block->op_first = left;
    left += block->op_count;
  }
  memmove(&program->ops[first], &program->ops[first + count],
          (program->op_count - first - count) * sizeof *program->ops);
  program->op_count -= count;
  assert(left == program->op_count);
}

void
program_cut_bodies(struct program *program)
{
  program_remove_ops(program, 0, 0);
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static void
remove_rows(void *rows, size_t row_size, unsigned *row_count, unsigned first, unsigned count)
{
  unsigned char *bytes = rows;

  assert(first <= *row_count && count <= *row_count - first);
  memmove(bytes + first * row_size, bytes + (first + count) * row_size,
          (*row_count - first - count) * row_size);
  *row_count -= count;
}

void
program_remove_preemptions(struct program *program, unsigned first, unsigned count)
{
  remove_rows(program->preemptions, sizeof program->preemptions[0], &program->preemption_count,
              first, count);
}

void
program_remove_failures(struct program *program, unsigned first, unsigned count)
{
  remove_rows(program->failures, sizeof program->failures[0], &program->failure_count, first,
              count);
}

void
program_remove_stress_places(struct program *program, unsigned first, unsigned count)
{
  remove_rows(program->stress_places, sizeof program->stress_places[0],
              &program->stress_place_count, first, count);
}
