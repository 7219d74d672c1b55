/* test_shrink.c - what is cut out takes nothing else with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/triage/shrink.h"

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
  const struct CMUnitTest tests[] = {cmocka_unit_test(ractors_keep_their_blocks),
                                     cmocka_unit_test(hoisted_blocks_are_main),
                                     cmocka_unit_test(names_move_together)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
