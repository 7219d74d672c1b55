/* shrink.c - see shrink.h. */
#include "fuzz/triage/shrink.h"

#include <assert.h>
#include <string.h>

#include "fuzz/program/edit.h"

/* ---- Blocks ---------------------------------------------------------------------------------- */

static bool
op_starts_ractor(const struct program *program, unsigned index)
{
  return program->dialect == PROGRAM_RACTOR && program->ops[index].code == OP_ractor_new;
}

/* The block that a `ractor_new` names.  0: there is none to name. */
static unsigned
started_block(const struct program *program, unsigned index)
{
  return program->block_count < 2 ? 0
                                  : program_started_block(program, program->ops[index].operands[1]);
}

bool
shrink_block_is_started(const struct program *program, unsigned block)
{
  for (unsigned i = 0; i < program->op_count; i++)
    if (op_starts_ractor(program, i) && started_block(program, i) == block)
      return true;
  return false;
}

void
shrink_remove_block(struct program *program, unsigned block, unsigned heir)
{
  assert(block > 0 && block < program->block_count);
  assert(heir != block && heir < program->block_count);
  program_remove_ops(program, program->blocks[block].op_first, program->blocks[block].op_count);
  for (unsigned i = program->op_count; i-- > 0;) {
    unsigned started = op_starts_ractor(program, i) ? started_block(program, i) : 0;

    if (started == 0)
      continue;
    if (started == block && heir == 0) {
      program_remove_ops(program, i, 1);
      continue;
    }
    started = started == block ? heir : started;
    program->ops[i].operands[1] = (uint8_t)(started - (started > block) - 1);
  }
  for (unsigned b = block; b + 1 < program->block_count; b++)
    program->blocks[b] = program->blocks[b + 1];
  program->block_count--;
}

void
shrink_hoist_block(struct program *program, unsigned block)
{
  struct block *body = &program->blocks[block];

  assert(block > 0 && block < program->block_count);
  program_remove_ops(program, 0, program->blocks[0].op_count);
  /* Its ops go to the front one by one, past as many as were before them. */
  for (unsigned i = 0; i < body->op_count; i++) {
    struct op op = program->ops[body->op_first + i];

    memmove(&program->ops[i + 1], &program->ops[i], body->op_first * sizeof op);
    program->ops[i] = op;
  }
  program->blocks[0].op_count = body->op_count;
  body->op_count = 0;
  for (unsigned b = 1; b < program->block_count; b++)
    program->blocks[b].op_first = program->blocks[b - 1].op_first + program->blocks[b - 1].op_count;
}

/* ---- One way to write it --------------------------------------------------------------------- */

void
shrink_settle(struct program *program)
{
  program_cut_bodies(program);
  for (unsigned i = 0; i < program->op_count; i++) {
    if (op_starts_ractor(program, i)) {
      unsigned started = started_block(program, i);

      program->ops[i].operands[1] = (uint8_t)(started == 0 ? 0 : started - 1);
    }
  }
  if (program->policy != SCHEDULE_ROUND_ROBIN)
    program->quantum = 1;
  if (program->policy != SCHEDULE_PCT) {
    program->depth = 0;
    program->schedule_seed = 0;
  }
  if (program->stress_every == 0 || program->stress_action == 0) {
    program->stress_point = 0;
    program->stress_action = 0;
    program->stress_every = 0;
  }
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* A register that is written has the same name as one that is read. */
static bool
names_kind(enum op_operand kind, enum op_operand operand)
{
  return operand == kind || (kind == OPERAND_REG && operand == OPERAND_DST);
}

bool
shrink_name_is_used(const struct program *program, unsigned block, enum op_operand kind,
                    unsigned name)
{
  unsigned count;
  const struct op_info *table = op_table(program->dialect, &count);
  const struct block *body = &program->blocks[block];

  for (unsigned i = body->op_first; i < body->op_first + body->op_count; i++)
    for (unsigned k = 0; k < PROGRAM_OPERAND_MAX; k++)
      if (names_kind(kind, table[program->ops[i].code].operands[k]) &&
          program->ops[i].operands[k] == name)
        return true;
  return false;
}

void
shrink_rename(struct program *program, unsigned block, enum op_operand kind, unsigned from,
              unsigned to)
{
  unsigned count;
  const struct op_info *table = op_table(program->dialect, &count);
  const struct block *body = &program->blocks[block];

  assert(from < operand_limit(kind) && to < operand_limit(kind));
  for (unsigned i = body->op_first; i < body->op_first + body->op_count; i++)
    for (unsigned k = 0; k < PROGRAM_OPERAND_MAX; k++)
      if (names_kind(kind, table[program->ops[i].code].operands[k]) &&
          program->ops[i].operands[k] == from)
        program->ops[i].operands[k] = (uint8_t)to;
}
