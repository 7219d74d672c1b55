/* test_shrink.c - what is cut out takes nothing else with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/mutate/rng.h"
#include "fuzz/program/shape.h"
#include "fuzz/triage/shrink.h"

enum { NAMED_OPS = 60, ROUNDS = 2000 };

/* Ops are known by a number of their own: the rounds of a loop, the value of a fixnum. */
static unsigned
id_of(const struct program *program, unsigned index)
{
  const struct op *op = &program->ops[index];

  return op->code == OP_loop ? op->operands[0] : op->operands[1];
}

/* covers[a][b]: op a is a loop whose body holds op b.  Ops that are not there cover nothing. */
static void
note_covers(const struct program *program, bool covers[NAMED_OPS][NAMED_OPS], bool there[NAMED_OPS])
{
  memset(covers, 0, sizeof(bool[NAMED_OPS][NAMED_OPS]));
  memset(there, 0, sizeof(bool[NAMED_OPS]));
  for (unsigned b = 0; b < program->block_count; b++) {
    unsigned end = program->blocks[b].op_first + program->blocks[b].op_count;

    for (unsigned i = program->blocks[b].op_first; i < end; i++) {
      there[id_of(program, i)] = true;
      if (!op_is_loop(program, i))
        continue;
      for (unsigned k = i + 1; k < op_body_end(program, i, end); k++)
        covers[id_of(program, i)][id_of(program, k)] = true;
    }
  }
}

static void
fill(struct program *program, struct rng *rng)
{
  program_clear(program, PROGRAM_RACTOR);
  for (unsigned i = 0; i < NAMED_OPS; i++) {
    struct op loop = {.code = OP_loop, .operands = {(uint8_t)i, (uint8_t)rng_below(rng, 20)}};
    struct op number = {.code = OP_fixnum, .operands = {0, (uint8_t)i}};

    if (rng_percent(rng, 5))
      assert_true(program_add_block(program));
    assert_true(program_insert_op(program, program->block_count - 1, program->op_count,
                                  rng_percent(rng, 30) ? loop : number));
  }
}

static void
bodies_keep_what_is_left(void **state)
{
  static bool before[NAMED_OPS][NAMED_OPS], after[NAMED_OPS][NAMED_OPS];
  bool was[NAMED_OPS], is[NAMED_OPS];
  struct program program;
  struct rng rng = rng_seeded(8);

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned round = 0; round < ROUNDS; round++) {
    fill(&program, &rng);
    note_covers(&program, before, was);
    unsigned first = rng_below(&rng, NAMED_OPS);
    unsigned count = rng_below(&rng, NAMED_OPS - first + 1);

    shrink_remove_ops(&program, first, count);
    note_covers(&program, after, is);
    assert_int_equal(program.op_count, NAMED_OPS - count);
    for (unsigned a = 0; a < NAMED_OPS; a++) {
      assert_int_equal(is[a], a < first || a >= first + count);
      for (unsigned b = 0; b < NAMED_OPS; b++)
        assert_int_equal(after[a][b], before[a][b] && is[a] && is[b]);
    }
  }
  program_free(&program);
}

/* Main starts a Ractor on each of the blocks 1 … 4, whose only op tells which it is. */
static void
fill_blocks(struct program *program)
{
  program_clear(program, PROGRAM_RACTOR);
  for (unsigned b = 1; b <= 4; b++) {
    struct op number = {.code = OP_fixnum, .operands = {0, (uint8_t)b}};
    /* Four more name the same block. */
    struct op start = {.code = OP_ractor_new, .operands = {0, (uint8_t)(b - 1 + 4)}};

    assert_true(program_add_block(program));
    assert_true(program_insert_op(program, b, program->op_count, number));
    assert_true(program_insert_op(program, 0, program->blocks[0].op_count, start));
  }
}

/* The numbers of the blocks that main starts, as digits. */
static unsigned
started(const struct program *program)
{
  unsigned digits = 0;

  for (unsigned i = 0; i < program->blocks[0].op_count; i++) {
    unsigned block = 1 + program->ops[i].operands[1] % (program->block_count - 1);

    digits = digits * 10 + program->ops[program->blocks[block].op_first].operands[1];
  }
  return digits;
}

static void
ractors_keep_their_blocks(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  fill_blocks(&program);
  assert_int_equal(started(&program), 1234);
  shrink_settle(&program);
  assert_int_equal(program.ops[3].operands[1], 3);
  assert_int_equal(started(&program), 1234);
  assert_true(shrink_block_is_started(&program, 2));
  shrink_remove_block(&program, 2, 0);
  assert_int_equal(program.block_count, 4);
  assert_int_equal(started(&program), 134);
  fill_blocks(&program);
  shrink_remove_block(&program, 2, 4);
  assert_int_equal(started(&program), 1434);
  fill_blocks(&program);
  shrink_remove_block(&program, 4, 1);
  assert_int_equal(started(&program), 1231);
  program_free(&program);
}

static void
hoisted_blocks_are_main(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  fill_blocks(&program);
  assert_true(
      program_insert_op(&program, 3, program.blocks[3].op_first, (struct op){.code = OP_pass}));
  shrink_hoist_block(&program, 3);
  assert_int_equal(program.block_count, 5);
  assert_int_equal(program.op_count, 5);
  assert_int_equal(program.blocks[0].op_count, 2);
  assert_int_equal(program.ops[0].code, OP_pass);
  assert_int_equal(program.ops[1].operands[1], 3);
  assert_int_equal(program.blocks[3].op_count, 0);
  for (unsigned b = 1, number = 1; b <= 4; b++, number++) {
    const struct block *block = &program.blocks[b];

    assert_int_equal(block->op_first,
                     program.blocks[b - 1].op_first + program.blocks[b - 1].op_count);
    if (b != 3)
      assert_int_equal(program.ops[block->op_first].operands[1], number);
  }
  program_free(&program);
}

static void
names_move_together(void **state)
{
  struct program program;
  struct op store = {.code = OP_array_set, .operands = {5, 5, 7}};
  struct op load = {.code = OP_array_get, .operands = {5, 7, 5}};

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  assert_true(program_add_block(&program));
  assert_true(program_insert_op(&program, 0, 0, store));
  assert_true(program_insert_op(&program, 0, 1, load));
  assert_true(program_insert_op(&program, 1, 2, store));
  assert_false(shrink_name_is_used(&program, 0, OPERAND_REG, 1));
  shrink_rename(&program, 0, OPERAND_REG, 5, 1);
  assert_true(shrink_name_is_used(&program, 0, OPERAND_REG, 1));
  assert_false(shrink_name_is_used(&program, 0, OPERAND_REG, 5));
  /* Indices are no names, and other blocks have registers of their own. */
  assert_memory_equal(program.ops[0].operands, ((uint8_t[]){1, 5, 7}), 3);
  assert_memory_equal(program.ops[1].operands, ((uint8_t[]){1, 7, 5}), 3);
  assert_memory_equal(program.ops[2].operands, store.operands, 3);
  program_free(&program);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_keep_what_is_left), cmocka_unit_test(ractors_keep_their_blocks),
      cmocka_unit_test(hoisted_blocks_are_main), cmocka_unit_test(names_move_together)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
