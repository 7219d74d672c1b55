/* test_generate.c - generated programs: deterministic, canonical, bounded, shaped as promised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fuzz/mutate/generate.h"

enum { PROGRAMS = 2000, EXECUTED_MAX = 2500 };

/* Executed ops of a block, loops counted; Ractors started more than once are not. */
static unsigned
executed_ops(const struct program *program, const struct block *block)
{
  unsigned sum = 0;

  for (unsigned i = 0; i < block->op_count; i++) {
    const struct op *op = &program->ops[block->op_first + i];

    sum += op->code == OP_loop ? 1 + (op->operands[0] - 1u) * op->operands[1] : 1;
  }
  return sum;
}

static void
same_seed_same_program(void **state)
{
  struct program one, other;

  (void)state;
  assert_true(program_init(&one, PROGRAM_RACTOR));
  assert_true(program_init(&other, PROGRAM_RACTOR));
  for (unsigned i = 0; i < PROGRAMS; i++) {
    struct generate_options options = {.profile = (enum generate_profile)(i / 2 % 4)};
    enum program_dialect dialect = i % 2 == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS;

    generate_program(&one, dialect, &options, i);
    generate_program(&other, dialect, &options, i);
    assert_true(program_equal(&one, &other));
    generate_program(&other, dialect, &options, i + 1);
    assert_false(program_equal(&one, &other));
  }
  program_free(&one);
  program_free(&other);
}

static void
programs_are_canonical(void **state)
{
  struct program one, other;
  uint8_t *data = malloc(PROGRAM_INPUT_MAX);
  char problem[80];

  (void)state;
  assert_non_null(data);
  assert_true(program_init(&one, PROGRAM_RACTOR));
  assert_true(program_init(&other, PROGRAM_RACTOR));
  for (unsigned i = 0; i < PROGRAMS; i++) {
    struct generate_options options = {.profile = (enum generate_profile)(i / 2 % 4)};

    generate_program(&one, i % 2 == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS, &options, i);
    size_t size = program_encode(&one, data, PROGRAM_INPUT_MAX);

    assert_true(size <= PROGRAM_INPUT_MAX);
    assert_true(program_decode(&other, one.dialect, data, size, problem, sizeof problem));
    assert_true(program_equal(&one, &other));
  }
  free(data);
  program_free(&one);
  program_free(&other);
}

/* Size bounds, no Ractor starts a block at or below its own, a worker's own registers are kept. */
static void
programs_have_shape(void **state)
{
  struct program program;
  struct generate_options options = {.profile = GENERATE_MIXED};
  unsigned with_ractor = 0, with_global = 0;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < PROGRAMS; i++) {
    bool has_ractor = false, has_global = false;
    unsigned executed = 0;

    generate_program(&program, PROGRAM_RACTOR, &options, i);
    for (unsigned b = 0; b < program.block_count; b++) {
      executed += executed_ops(&program, &program.blocks[b]);
      for (unsigned k = 0; k < program.blocks[b].op_count; k++) {
        const struct op *op = &program.ops[program.blocks[b].op_first + k];

        has_ractor |= op->code == OP_ractor_new;
        has_global |= op->code == OP_gc && op->operands[0] == 2;
        if (op->code == OP_ractor_new)
          assert_true(program_started_block(&program, op->operands[1]) > b);
      }
    }
    assert_in_range(program.blocks[0].op_count, 5, 260);
    assert_in_range(executed, 5, EXECUTED_MAX);
    with_ractor += has_ractor;
    with_global += has_global;
  }
  assert_true(with_ractor * 100 > PROGRAMS * 85);
  assert_true(with_global * 100 > PROGRAMS * 70);
  program_free(&program);
}

static void
size_is_heeded(void **state)
{
  struct program program;
  struct generate_options options = {.profile = GENERATE_LOCAL, .size = 10};

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < 200; i++) {
    generate_program(&program, PROGRAM_RACTOR, &options, i);
    assert_in_range(program.blocks[0].op_count, 1, 80);
  }
  program_free(&program);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_seed_same_program), cmocka_unit_test(programs_are_canonical),
      cmocka_unit_test(programs_have_shape), cmocka_unit_test(size_is_heeded)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
