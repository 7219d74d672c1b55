/* shape.c - see shape.h. */
#include "fuzz/program/shape.h"

#include <assert.h>

bool
op_is_loop(const struct program *program, unsigned index)
{
  unsigned code = program->ops[index].code;

  return program->dialect == PROGRAM_RACTOR ? code == OP_loop : code == EV_loop;
}

bool
op_is_skip(const struct program *program, unsigned index)
{
  return program->dialect == PROGRAM_RACTOR && program->ops[index].code == OP_skip_if_nil;
}

unsigned
op_body_end(const struct program *program, unsigned index, unsigned end)
{
  unsigned body_end = index + 1 + program->ops[index].operands[1];

  assert(op_is_loop(program, index) || op_is_skip(program, index));
  assert(index < end);
  return body_end < end ? body_end : end;
}

unsigned
program_past_loop(const struct program *program, unsigned block, unsigned place)
{
  unsigned end = program->blocks[block].op_first + program->blocks[block].op_count;
  unsigned next = program->blocks[block].op_first;

  while (next < place) {
    unsigned body_end = op_is_loop(program, next) ? op_body_end(program, next, end) : next + 1;

    if (body_end > place)
      return body_end;
    next = body_end;
  }
  return place;
}

/* Follows the bodies: a stack of open ends.  As long as bodies nest, no more can be open than one
 * body has ops, and one. */
static struct block_shape
follow_bodies(const struct program *program, unsigned first, unsigned end)
{
  struct block_shape shape = {.nests = true};
  unsigned ends[SHAPE_DEPTH_MAX];
  unsigned open = 0, loop_end = first;

  for (unsigned i = first; i < end && shape.nests; i++) {
    bool in_loop = i < loop_end;
    bool is_loop = op_is_loop(program, i) && !in_loop;

    while (open > 0 && ends[open - 1] <= i)
      open--;
    unsigned limit = open > 0 ? ends[open - 1] : end;

    if (program->ops[i].code == OP_finish) {
      shape.throws = shape.throws || i + 1 < limit;
      shape.returns = open == 0;
    }
    if (!is_loop && !op_is_skip(program, i))
      continue;
    unsigned body_end = op_body_end(program, i, in_loop ? loop_end : end);

    shape.nests = body_end <= limit;
    assert(!shape.nests || open < SHAPE_DEPTH_MAX);
    if (shape.nests)
      ends[open++] = body_end;
    if (is_loop)
      loop_end = body_end;
  }
  return shape;
}

struct block_shape
block_shape_of(const struct program *program, unsigned block)
{
  unsigned first = program->blocks[block].op_first;
  unsigned end = first + program->blocks[block].op_count;

  assert(program->dialect == PROGRAM_RACTOR && block < program->block_count);
  return follow_bodies(program, first, end);
}
