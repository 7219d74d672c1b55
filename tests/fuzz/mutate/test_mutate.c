/* test_mutate.c - mutants and crossings decode, are canonical, fit and repeat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/mutate/generate.h"
#include "fuzz/mutate/harness.h"
#include "fuzz/mutate/mutate.h"
#include "fuzz/mutate/weigh.h"
#include "tests/fuzz/program/bytes.h"

enum { ROUNDS = 3000, ROOM = 8192, GUARD = 16 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_out_size,
                                 unsigned int seed);

enum program_dialect
harness_dialect(void)
{
  return PROGRAM_RACTOR;
}

/* The bytes are what their own program encodes to. */
static void
assert_canonical(struct program *program, enum program_dialect dialect, const uint8_t *data,
                 size_t size)
{
  uint8_t again[ROOM];
  char problem[80];

  assert_true(program_decode(program, dialect, data, size, problem, sizeof problem));
  if (size < PROGRAM_PRELUDE_SIZE)
    return;
  assert_int_equal(program_encode(program, again, sizeof again), size);
  assert_memory_equal(again, data, size);
}

static void
mutants_fit_and_repeat(void **state)
{
  struct program program;
  struct rng rng = rng_seeded(6);
  uint8_t data[ROOM + GUARD], again[ROOM + GUARD];
  size_t size = 0;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < ROUNDS; i++) {
    enum program_dialect dialect = i / 100 % 2 == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS;
    size_t max_size = rng_percent(&rng, 20) ? rng_below(&rng, 200) : ROOM;

    if (rng_percent(&rng, 10)) {
      size = rng_below(&rng, 400);
      random_bytes(&rng, data, size);
    }
    size = size < max_size ? size : max_size;
    memset(data + max_size, 0x5a, GUARD);
    memcpy(again, data, sizeof again);
    size_t first = mutate_bytes(data, size, max_size, dialect, i);
    size_t second = mutate_bytes(again, size, max_size, dialect, i);

    assert_true(first <= max_size);
    assert_int_equal(first, second);
    assert_memory_equal(data, again, first);
    for (unsigned k = 0; k < GUARD; k++)
      assert_int_equal(data[max_size + k], 0x5a);
    size = first;
    assert_canonical(&program, dialect, data, size);
  }
  program_free(&program);
}

static void
crossings_fit_and_repeat(void **state)
{
  struct program program;
  struct generate_options options = {.profile = GENERATE_MIXED};
  uint8_t a[ROOM], b[ROOM], out[ROOM], again[ROOM];

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < ROUNDS / 4; i++) {
    size_t out_size = i % 5 == 0 ? i % 300 : ROOM;

    generate_program(&program, PROGRAM_RACTOR, &options, i);
    size_t a_size = program_encode(&program, a, sizeof a);
    generate_program(&program, PROGRAM_RACTOR, &options, i + 7);
    size_t b_size = program_encode(&program, b, sizeof b);
    size_t first = crossover_bytes(a, a_size, b, b_size, out, out_size, PROGRAM_RACTOR, i);
    size_t second = crossover_bytes(a, a_size, b, b_size, again, out_size, PROGRAM_RACTOR, i);

    assert_true(first <= out_size);
    assert_int_equal(first, second);
    assert_memory_equal(out, again, first);
    assert_canonical(&program, PROGRAM_RACTOR, out, first);
  }
  program_free(&program);
}

static void
headers_are_kept(void **state)
{
  uint8_t data[ROOM], header[PROGRAM_HEADER_SIZE];
  uint8_t out[ROOM];
  struct program program;
  char problem[80];
  size_t size = program_header(PROGRAM_EVENTS, data);

  (void)state;
  program_header(PROGRAM_EVENTS, header);
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < 200; i++) {
    size = LLVMFuzzerCustomMutator(data, size, sizeof data, i);
    assert_memory_equal(data, header, sizeof header);
    assert_true(program_decode(&program, PROGRAM_RACTOR, data, size, problem, sizeof problem));
    assert_int_equal(program.dialect, PROGRAM_EVENTS);
    size_t crossed = LLVMFuzzerCustomCrossOver(data, size, data, size, out, sizeof out, i);

    assert_true(crossed <= sizeof out);
    assert_memory_equal(out, header, sizeof header);
  }
  assert_int_equal(LLVMFuzzerCustomMutator(data, 4, 4, 1), 4);
  program_free(&program);
}

static void
headerless_stays_headerless(void **state)
{
  uint8_t data[ROOM];
  size_t size = 0;

  (void)state;
  for (unsigned i = 0; i < 500; i++) {
    size = LLVMFuzzerCustomMutator(data, size, sizeof data, i);
    assert_true(size >= PROGRAM_PRELUDE_SIZE);
    assert_false(program_has_header(data, size));
  }
}

static void
heavy_loops_are_tamed(void **state)
{
  struct program program;
  struct op loop = {.code = OP_loop, .operands = {63, 2}};
  struct op gc = {.code = OP_gc, .operands = {2}};

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < 10; i++) {
    assert_true(program_insert_op(&program, 0, program.op_count, loop));
    assert_true(program_insert_op(&program, 0, program.op_count, gc));
    assert_true(program_insert_op(&program, 0, program.op_count, gc));
  }
  assert_int_equal(program_weight(&program), 10 * 63 * 24);
  program_tame(&program, 2500);
  assert_in_range(program_weight(&program), 1000, 2500);
  program_tame(&program, 0);
  assert_int_equal(program_weight(&program), 10 * 24);
  program_free(&program);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mutants_fit_and_repeat), cmocka_unit_test(crossings_fit_and_repeat),
      cmocka_unit_test(headers_are_kept), cmocka_unit_test(headerless_stays_headerless),
      cmocka_unit_test(heavy_loops_are_tamed)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
