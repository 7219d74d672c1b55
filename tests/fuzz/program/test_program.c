/* test_program.c - edits keep blocks contiguous and in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/program/edit.h"
#include "tests/fuzz/program/bytes.h"

static void
assert_contiguous(const struct program *program)
{
  unsigned next = 0;

  for (unsigned i = 0; i < program->block_count; i++) {
    assert_int_equal(program->blocks[i].op_first, next);
    next += program->blocks[i].op_count;
  }
  assert_int_equal(program->op_count, next);
}

static void
random_edits(void **state)
{
  struct program program;
  struct rng rng = rng_seeded(4);

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < 5000; i++) {
    unsigned block = rng_below(&rng, program.block_count);
    unsigned at =
        program.blocks[block].op_first + rng_below(&rng, program.blocks[block].op_count + 1);
    struct op op = {.code = OP_pass};

    if (rng_percent(&rng, 2))
      program_add_block(&program);
    else if (rng_percent(&rng, 60))
      assert_true(program_insert_op(&program, block, at, op));
    else if (program.op_count > 0)
      program_remove_ops(&program, rng_below(&rng, program.op_count), 1);
    assert_contiguous(&program);
  }
  assert_int_equal(program.block_count, PROGRAM_BLOCK_MAX);
  assert_false(program_add_block(&program));
  program_free(&program);
}

static void
insert_stops_at_input_max(void **state)
{
  struct program program;
  struct op op = {.code = OP_pass};
  unsigned count = 0;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  while (program_insert_op(&program, 0, program.op_count, op))
    count++;
  assert_int_equal(count, (PROGRAM_INPUT_MAX - PROGRAM_PRELUDE_SIZE) / PROGRAM_RECORD_SIZE);
  assert_int_equal(program_encoded_size(&program), PROGRAM_INPUT_MAX);
  assert_false(program_add_block(&program));
  program_free(&program);
}

static void
copy_is_equal_and_apart(void **state)
{
  struct program one, other;
  struct op op = {.code = OP_gc, .operands = {1}};

  (void)state;
  assert_true(program_init(&one, PROGRAM_RACTOR));
  assert_true(program_init(&other, PROGRAM_EVENTS));
  assert_true(program_insert_op(&one, 0, 0, op));
  assert_true(program_copy(&other, &one));
  assert_true(program_equal(&one, &other));
  other.ops[0].operands[0] = 2;
  assert_false(program_equal(&one, &other));
  assert_int_equal(one.ops[0].operands[0], 1);
  program_free(&one);
  program_free(&other);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_edits),
                                     cmocka_unit_test(insert_stops_at_input_max),
                                     cmocka_unit_test(copy_is_equal_and_apart)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
