/* test_edit.c - what is cut out takes nothing else with it, and what is put in parts nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/mutate/rng.h"
#include "fuzz/program/edit.h"
#include "fuzz/program/shape.h"

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

    program_remove_ops(&program, first, count);
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

/* The block that owns the op at `index`, or that ends there. */
static unsigned
block_at(const struct program *program, unsigned index)
{
  unsigned block = 0;

  while (index > program->blocks[block].op_first + program->blocks[block].op_count)
    block++;
  return block;
}

static unsigned
index_of(const struct program *program, unsigned id)
{
  unsigned index = 0;

  while (id_of(program, index) != id)
    index++;
  return index;
}

/* Whether a loop of the program stands in front of `at` and has a body that goes on there. */
static bool
surrounds(const struct program *program, unsigned loop, unsigned block, unsigned at)
{
  unsigned end = program->blocks[block].op_first + program->blocks[block].op_count;

  return loop >= program->blocks[block].op_first && loop < at && at < end &&
         op_is_loop(program, loop) && at < loop + 1u + program->ops[loop].operands[1];
}

static void
bodies_keep_what_they_had(void **state)
{
  static bool before[NAMED_OPS][NAMED_OPS], after[NAMED_OPS][NAMED_OPS];
  static bool inside[NAMED_OPS];
  bool was[NAMED_OPS], is[NAMED_OPS];
  struct program program;
  struct rng rng = rng_seeded(9);
  const struct op run[] = {{.code = OP_fixnum, .operands = {0, NAMED_OPS - 2}},
                           {.code = OP_fixnum, .operands = {0, NAMED_OPS - 1}}};

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned round = 0; round < ROUNDS; round++) {
    fill(&program, &rng);
    program_remove_ops(&program, NAMED_OPS - 2, 2);
    note_covers(&program, before, was);
    unsigned at = rng_below(&rng, program.op_count + 1);
    unsigned block = block_at(&program, at);

    for (unsigned a = 0; a < NAMED_OPS - 2; a++)
      inside[a] = surrounds(&program, index_of(&program, a), block, at);
    assert_int_equal(program_insert_ops(&program, block, at, run, 2), 2);
    note_covers(&program, after, is);
    assert_memory_equal(&program.ops[at], run, sizeof run);
    for (unsigned a = 0; a < NAMED_OPS - 2; a++) {
      for (unsigned b = 0; b < NAMED_OPS - 2; b++)
        assert_int_equal(after[a][b], before[a][b]);
      assert_int_equal(after[a][NAMED_OPS - 2], inside[a]);
      assert_int_equal(after[a][NAMED_OPS - 1], inside[a]);
    }
  }
  program_free(&program);
}

static void
full_bodies_stay_legal(void **state)
{
  struct program program;
  struct op loop = {.code = OP_loop, .operands = {2, 63}};
  struct op pass = {.code = OP_pass};

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  assert_true(program_insert_op(&program, 0, 0, loop));
  for (unsigned i = 0; i < 70; i++)
    assert_true(program_insert_op(&program, 0, 1, pass));
  assert_int_equal(program_insert_ops(&program, 0, 5, &pass, 1), 1);
  assert_int_equal(program.ops[0].operands[1], 63);
  program_remove_ops(&program, 10, 61);
  assert_int_equal(program.ops[0].operands[1], 9);
  program_free(&program);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_keep_what_is_left),
                                     cmocka_unit_test(bodies_keep_what_they_had),
                                     cmocka_unit_test(full_bodies_stay_legal)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
