/* mutate_ops.c - mutations of the ops and blocks. */
#include <string.h>

#include "fuzz/mutate/generate.h"
#include "fuzz/mutate/mutate.h"
#include "fuzz/mutate/registers.h"
#include "fuzz/program/edit.h"
#include "fuzz/program/shape.h"

enum { RUN_MAX = 8, SPLICES_MAX = 4 };

/* A block, those with ops before empty ones. */
static unsigned
pick_block(const struct program *program, struct rng *rng)
{
  unsigned block = rng_below(rng, program->block_count);

  for (unsigned i = 0; program->blocks[block].op_count == 0 && i < program->block_count; i++)
    block = (block + 1) % program->block_count;
  return block;
}

/* The value of operand `which` of an op `code` at `at` of `block`. */
static uint8_t
random_operand(const struct program *program, unsigned block, unsigned at, unsigned code,
               unsigned which, struct rng *rng)
{
  unsigned count;
  enum op_operand kind = op_table(program->dialect, &count)[code].operands[which];

  if (kind == OPERAND_DST && rng_percent(rng, 75))
    return (uint8_t)registers_spare(registers_live(program, block, at), rng);
  if (kind == OPERAND_REG && rng_percent(rng, 85)) {
    /* The operand after the written register, or the first. */
    bool receives = which == (op_table(program->dialect, &count)[code].operands[0] == OPERAND_DST);

    return (uint8_t)(receives ? registers_receiver(program, block, at, code, rng)
                              : registers_recent(program, block, at, rng));
  }
  if (kind == OPERAND_INDEX && rng_percent(rng, 70))
    return (uint8_t)rng_below(rng, 4);
  if (kind == OPERAND_COUNT && rng_percent(rng, 70))
    return (uint8_t)rng_below(rng, 9);
  return (uint8_t)rng_below(rng, operand_limit(kind));
}

/* Whether the op is likely to be the last that its thread executes. */
static bool
op_may_end_block(const struct program *program, unsigned code)
{
  return program->dialect == PROGRAM_RACTOR &&
         (code == OP_finish || code == OP_raise || code == OP_receive || code == OP_port_receive);
}

static unsigned
random_code(const struct program *program, struct rng *rng)
{
  unsigned count, total = 0, code = 0;
  const struct op_info *table = op_table(program->dialect, &count);

  for (unsigned i = 0; i < count; i++)
    total += table[i].weight;
  for (unsigned roll = rng_below(rng, total); roll >= table[code].weight; code++)
    roll -= table[code].weight;
  return code;
}

static struct op
random_op(const struct program *program, unsigned block, unsigned at, struct rng *rng)
{
  unsigned code = random_code(program, rng);

  while (op_may_end_block(program, code) && rng_percent(rng, 80))
    code = random_code(program, rng);
  struct op op = {.code = (uint8_t)code};

  for (unsigned i = 0; i < PROGRAM_OPERAND_MAX; i++)
    op.operands[i] = random_operand(program, block, at, code, i, rng);
  return op;
}

/* A place in a block where an op may be inserted. */
static unsigned
pick_place(const struct program *program, unsigned block, struct rng *rng)
{
  return program->blocks[block].op_first + rng_below(rng, program->blocks[block].op_count + 1);
}

static void
insert_op(struct program *program, struct rng *rng)
{
  unsigned block = pick_block(program, rng);
  unsigned at = pick_place(program, block, rng);

  struct op op = random_op(program, block, at, rng);

  program_insert_ops(program, block, at, &op, 1);
}

static void
remove_ops(struct program *program, struct rng *rng)
{
  const struct block *block = &program->blocks[pick_block(program, rng)];

  if (block->op_count == 0)
    return;
  unsigned from = rng_below(rng, block->op_count);
  unsigned count = rng_percent(rng, 70) ? 1 : rng_between(rng, 1, RUN_MAX);

  count = count < block->op_count - from ? count : block->op_count - from;
  program_remove_ops(program, block->op_first + from, count);
}

static void
replace_op(struct program *program, struct rng *rng)
{
  unsigned block = pick_block(program, rng);

  if (program->blocks[block].op_count == 0)
    return;
  unsigned at = program->blocks[block].op_first + rng_below(rng, program->blocks[block].op_count);

  program->ops[at] = random_op(program, block, at, rng);
}

static void
change_operand(struct program *program, struct rng *rng)
{
  unsigned count;
  const struct op_info *table = op_table(program->dialect, &count);
  unsigned block = pick_block(program, rng);

  for (unsigned try = 0; try < 8 && program->blocks[block].op_count > 0; try++) {
    unsigned at = program->blocks[block].op_first + rng_below(rng, program->blocks[block].op_count);
    unsigned which = rng_below(rng, PROGRAM_OPERAND_MAX);
    struct op *op = &program->ops[at];

    if (table[op->code].operands[which] == OPERAND_NONE)
      continue;
    op->operands[which] = random_operand(program, block, at, op->code, which, rng);
    return;
  }
}

/* Copies a run of ops to a random place, perhaps of another block. */
static void
copy_ops(struct program *program, struct rng *rng)
{
  const struct block *from = &program->blocks[pick_block(program, rng)];
  struct op run[RUN_MAX];
  unsigned count = from->op_count < RUN_MAX ? from->op_count : RUN_MAX;

  if (count == 0)
    return;
  count = rng_between(rng, 1, count);
  memcpy(run, &program->ops[from->op_first + rng_below(rng, from->op_count - count + 1)],
         count * sizeof run[0]);
  unsigned block = rng_below(rng, program->block_count);

  program_insert_ops(program, block, pick_place(program, block, rng), run, count);
}

static void
swap_ops(struct program *program, struct rng *rng)
{
  const struct block *block = &program->blocks[pick_block(program, rng)];

  if (block->op_count < 2)
    return;
  struct op *a = &program->ops[block->op_first + rng_below(rng, block->op_count)];
  struct op *b = &program->ops[block->op_first + rng_below(rng, block->op_count)];
  struct op held = *a;

  *a = *b;
  *b = held;
}

/* Inserts an idiom of the generator, past the loop around the place if there is one, since loops do
 * not nest. */
static void
splice_idiom(struct program *program, struct rng *rng)
{
  struct program donor;
  unsigned block = pick_block(program, rng);
  unsigned at = program_past_loop(program, block, pick_place(program, block, rng));

  if (!program_init(&donor, program->dialect))
    return;
  generate_splice(&donor, program->dialect, rng);
  registers_fit(donor.ops, donor.op_count, program->dialect, registers_live(program, block, at),
                rng);
  program_insert_ops(program, block, at, donor.ops, donor.op_count);
  program_free(&donor);
}

/* Several idioms at once: what takes many objects takes more than one change. */
static void
splice_idioms(struct program *program, struct rng *rng)
{
  for (unsigned i = rng_between(rng, 2, SPLICES_MAX); i > 0; i--)
    splice_idiom(program, rng);
}

/* A loop runs more often. */
static void
raise_loop(struct program *program, struct rng *rng)
{
  unsigned start = program->op_count > 0 ? rng_below(rng, program->op_count) : 0;
  unsigned limit = operand_limit(OPERAND_COUNT);

  for (unsigned i = 0; i < program->op_count; i++) {
    unsigned at = (start + i) % program->op_count;

    if (!op_is_loop(program, at))
      continue;
    unsigned times = program->ops[at].operands[0];

    times = times * rng_between(rng, 2, 4) + rng_between(rng, 1, 4);
    program->ops[at].operands[0] = (uint8_t)(times < limit ? times : limit - 1);
    return;
  }
}

/* A run of ops outside loops becomes the body of one. */
static void
repeat_ops(struct program *program, struct rng *rng)
{
  unsigned block = pick_block(program, rng);
  unsigned at = program_past_loop(program, block, pick_place(program, block, rng));
  unsigned end = program->blocks[block].op_first + program->blocks[block].op_count;
  unsigned length = rng_between(rng, 1, RUN_MAX);

  for (unsigned i = at; i < end && i - at < length; i++)
    if (op_is_loop(program, i))
      length = i - at;
  if (length > end - at)
    length = end - at;
  if (length == 0)
    return;
  unsigned times =
      rng_between(rng, 2, rng_percent(rng, 60) ? 12 : operand_limit(OPERAND_COUNT) - 1);
  struct op loop = {.code =
                        (uint8_t)(program->dialect == PROGRAM_RACTOR ? (int)OP_loop : (int)EV_loop),
                    .operands = {(uint8_t)times, (uint8_t)length}};

  program_insert_ops(program, block, at, &loop, 1);
}

/* Empties a block, adds one, or appends the end of one block to another. */
static void
change_blocks(struct program *program, struct rng *rng)
{
  unsigned from = pick_block(program, rng);
  unsigned to = rng_below(rng, program->block_count);
  unsigned roll = rng_below(rng, 3);

  if (roll == 0) {
    if (program_add_block(program))
      splice_idiom(program, rng);
    return;
  }
  if (roll == 1 && program->block_count > 1 && from == program->block_count - 1) {
    program_remove_ops(program, program->blocks[from].op_first, program->blocks[from].op_count);
    program->block_count--;
    return;
  }
  const struct block *donor = &program->blocks[from];
  struct op run[RUN_MAX];
  unsigned count = donor->op_count < RUN_MAX ? donor->op_count : RUN_MAX;
  unsigned at = donor->op_first + donor->op_count - count;

  if (from == to || count == 0)
    return;
  memcpy(run, &program->ops[at], count * sizeof run[0]);
  program_remove_ops(program, at, count);
  program_insert_ops(program, to, program->blocks[to].op_first + program->blocks[to].op_count, run,
                     count);
}

void
mutate_ops(struct program *program, struct rng *rng)
{
  static const struct {
    unsigned weight;
    void (*apply)(struct program *program, struct rng *rng);
  } mutations[] = {{15, insert_op}, {10, remove_ops}, {9, replace_op},    {17, change_operand},
                   {9, copy_ops},   {5, swap_ops},    {15, splice_idiom}, {4, splice_idioms},
                   {6, raise_loop}, {5, repeat_ops},  {5, change_blocks}};
  unsigned roll = rng_below(rng, 100), i = 0;

  for (; roll >= mutations[i].weight; i++)
    roll -= mutations[i].weight;
  mutations[i].apply(program, rng);
}
