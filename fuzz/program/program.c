/* program.c - making, copying, comparing and editing programs.
 *
 * Kept: blocks are contiguous in `ops` and in order, and their counts add up to op_count; an edit
 * never makes a program whose canonical bytes exceed PROGRAM_INPUT_MAX.
 */
#include "fuzz/program/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { OP_CAPACITY = (PROGRAM_INPUT_MAX - PROGRAM_PRELUDE_SIZE) / PROGRAM_RECORD_SIZE };

bool
program_init(struct program *program, enum program_dialect dialect)
{
  memset(program, 0, sizeof *program);
  program->ops = calloc(OP_CAPACITY, sizeof *program->ops);
  if (program->ops == NULL)
    return false;
  program->op_capacity = OP_CAPACITY;
  program_clear(program, dialect);
  return true;
}

void
program_free(struct program *program)
{
  free(program->ops);
  memset(program, 0, sizeof *program);
}

void
program_clear(struct program *program, enum program_dialect dialect)
{
  struct op *ops = program->ops;
  unsigned capacity = program->op_capacity;

  assert(dialect < PROGRAM_DIALECT_COUNT);
  memset(program, 0, sizeof *program);
  program->ops = ops;
  program->op_capacity = capacity;
  program->dialect = dialect;
  program->quantum = 1;
  program->block_count = 1;
}

bool
program_copy(struct program *to, const struct program *from)
{
  struct op *ops = to->ops;
  unsigned capacity = to->op_capacity;

  assert(to != from);
  if (capacity < from->op_count) {
    ops = realloc(ops, from->op_capacity * sizeof *ops);
    if (ops == NULL)
      return false;
    capacity = from->op_capacity;
  }
  *to = *from;
  to->ops = ops;
  to->op_capacity = capacity;
  if (from->op_count > 0)
    memcpy(ops, from->ops, from->op_count * sizeof *ops);
  return true;
}

static bool
schedules_equal(const struct program *a, const struct program *b)
{
  if (a->preemption_count != b->preemption_count)
    return false;
  for (unsigned i = 0; i < a->preemption_count; i++) {
    const struct preemption *p = &a->preemptions[i], *q = &b->preemptions[i];

    if (p->thread != q->thread || p->site != q->site || p->visit != q->visit || p->to != q->to)
      return false;
  }
  return a->policy == b->policy && a->quantum == b->quantum && a->depth == b->depth &&
         a->schedule_seed == b->schedule_seed;
}

static bool
stresses_equal(const struct program *a, const struct program *b)
{
  if (a->stress_place_count != b->stress_place_count)
    return false;
  for (unsigned i = 0; i < a->stress_place_count; i++) {
    const struct stress_place *p = &a->stress_places[i], *q = &b->stress_places[i];

    if (p->thread != q->thread || p->point != q->point || p->action != q->action ||
        p->visit != q->visit)
      return false;
  }
  return a->stress_point == b->stress_point && a->stress_action == b->stress_action &&
         a->stress_every == b->stress_every;
}

static bool
failures_equal(const struct program *a, const struct program *b)
{
  return a->failure_count == b->failure_count &&
         memcmp(a->failures, b->failures, a->failure_count * sizeof a->failures[0]) == 0;
}

static bool
blocks_equal(const struct program *a, const struct program *b)
{
  if (a->block_count != b->block_count || a->op_count != b->op_count)
    return false;
  for (unsigned i = 0; i < a->block_count; i++)
    if (a->blocks[i].op_first != b->blocks[i].op_first ||
        a->blocks[i].op_count != b->blocks[i].op_count)
      return false;
  return a->op_count == 0 || memcmp(a->ops, b->ops, a->op_count * sizeof *a->ops) == 0;
}

bool
program_equal(const struct program *a, const struct program *b)
{
  return a->dialect == b->dialect && a->variants == b->variants &&
         memcmp(a->settings, b->settings, sizeof a->settings) == 0 && schedules_equal(a, b) &&
         stresses_equal(a, b) && failures_equal(a, b) && blocks_equal(a, b);
}

/* Whether one more record fits into the bytes that are decoded. */
static bool
room_for_record(const struct program *program)
{
  return program_encoded_size(program) + PROGRAM_RECORD_SIZE <= PROGRAM_INPUT_MAX;
}

bool
program_insert_op(struct program *program, unsigned block, unsigned index, struct op op)
{
  assert(block < program->block_count);
  struct block *home = &program->blocks[block];

  assert(index >= home->op_first && index <= home->op_first + home->op_count);
  if (program->op_count >= program->op_capacity || !room_for_record(program))
    return false;
  memmove(&program->ops[index + 1], &program->ops[index],
          (program->op_count - index) * sizeof *program->ops);
  program->ops[index] = op;
  program->op_count++;
  home->op_count++;
  for (unsigned i = block + 1; i < program->block_count; i++)
    program->blocks[i].op_first++;
  return true;
}

bool
program_add_block(struct program *program)
{
  if (program->block_count >= PROGRAM_BLOCK_MAX || !room_for_record(program))
    return false;
  program->blocks[program->block_count] = (struct block){.op_first = program->op_count};
  program->block_count++;
  return true;
}

unsigned
program_started_block(const struct program *program, unsigned operand)
{
  return 1 + (program->block_count > 1 ? operand % (program->block_count - 1) : operand);
}
