/* test_codec.c - the codec is total and canonical, also at every limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/program/program.h"
#include "rgc/platform.h"
#include "tests/fuzz/program/bytes.h"

enum { STRINGS = 20000, SIZE_MAX_RANDOM = 600 };

struct pair {
  struct program one, other;
  uint8_t first[PROGRAM_INPUT_MAX + 64], second[PROGRAM_INPUT_MAX + 64];
};

static struct pair *
pair_new(void)
{
  struct pair *pair = calloc(1, sizeof *pair);

  assert_non_null(pair);
  assert_true(program_init(&pair->one, PROGRAM_RACTOR));
  assert_true(program_init(&pair->other, PROGRAM_RACTOR));
  return pair;
}

static void
pair_free(struct pair *pair)
{
  program_free(&pair->one);
  program_free(&pair->other);
  free(pair);
}

/* decode, encode, decode, encode: same program, same bytes. */
static void
assert_canonical(struct pair *pair, enum program_dialect dialect, const uint8_t *data, size_t size)
{
  char problem[80];

  assert_true(program_decode(&pair->one, dialect, data, size, problem, sizeof problem));
  size_t first = program_encode(&pair->one, pair->first, sizeof pair->first);

  assert_int_equal(first, program_encoded_size(&pair->one));
  assert_true(first <= PROGRAM_INPUT_MAX);
  assert_true(program_decode(&pair->other, dialect, pair->first, first, problem, sizeof problem));
  assert_true(program_equal(&pair->one, &pair->other));
  size_t second = program_encode(&pair->other, pair->second, sizeof pair->second);

  assert_int_equal(first, second);
  assert_memory_equal(pair->first, pair->second, first);
}

static void
assert_valid(const struct program *program)
{
  unsigned count;
  const struct op_info *table = op_table(program->dialect, &count);

  assert_in_range(program->block_count, 1, PROGRAM_BLOCK_MAX);
  assert_in_range(program->quantum, 1, 64);
  assert_true(program->policy < SCHEDULE_POLICY_COUNT && program->depth < 8);
  for (unsigned i = 0; i < program->op_count; i++) {
    assert_true(program->ops[i].code < count);
    for (unsigned k = 0; k < PROGRAM_OPERAND_MAX; k++)
      assert_true(program->ops[i].operands[k] <
                  operand_limit(table[program->ops[i].code].operands[k]));
  }
  for (unsigned i = 0; i < program->preemption_count; i++) {
    const struct preemption *p = &program->preemptions[i];

    assert_true(p->thread < 16 && p->to < 16 && p->visit < 1024 && p->site < RGC_SITE_COUNT);
  }
  for (unsigned i = 0; i < program->failure_count; i++)
    assert_in_range(program->failures[i].count, 1, 16);
}

static void
random_strings(void **state)
{
  struct rng rng = rng_seeded(1);
  struct pair *pair = pair_new();
  uint8_t data[SIZE_MAX_RANDOM];

  (void)state;
  for (unsigned i = 0; i < STRINGS; i++) {
    size_t size = rng_below(&rng, SIZE_MAX_RANDOM);

    random_bytes(&rng, data, size);
    assert_canonical(pair, i % 2 == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS, data, size);
    assert_valid(&pair->one);
  }
  pair_free(pair);
}

static void
empty_and_short(void **state)
{
  struct pair *pair = pair_new();
  uint8_t data[PROGRAM_PRELUDE_SIZE + 2] = {0};

  (void)state;
  assert_canonical(pair, PROGRAM_RACTOR, NULL, 0);
  assert_int_equal(pair->one.block_count, 1);
  assert_int_equal(pair->one.op_count, 0);
  assert_int_equal(pair->one.quantum, 1);
  assert_canonical(pair, PROGRAM_RACTOR, data, 5);
  data[PROGRAM_PRELUDE_SIZE] = OP_gc;
  data[PROGRAM_PRELUDE_SIZE + 1] = 2;
  assert_canonical(pair, PROGRAM_RACTOR, data, sizeof data);
  assert_int_equal(pair->one.op_count, 1);
  assert_int_equal(pair->one.ops[0].operands[0], 2);
  pair_free(pair);
}

/* One record type, repeated past every limit. */
static void
limits(void **state)
{
  static const uint8_t firsts[] = {0x00, 0x31, 0xef, 0xf0, 0xf3, 0xf4, 0xf8, 0xfc, 0xff};
  struct pair *pair = pair_new();
  uint8_t *data = malloc(PROGRAM_INPUT_MAX + 40);

  (void)state;
  assert_non_null(data);
  for (unsigned i = 0; i < sizeof firsts; i++) {
    memset(data, 0xff, PROGRAM_INPUT_MAX + 40);
    for (size_t at = PROGRAM_PRELUDE_SIZE; at < PROGRAM_INPUT_MAX + 40; at += 4)
      data[at] = firsts[i];
    assert_canonical(pair, PROGRAM_RACTOR, data, PROGRAM_INPUT_MAX + 40);
    assert_canonical(pair, PROGRAM_EVENTS, data, PROGRAM_INPUT_MAX);
    assert_valid(&pair->one);
  }
  free(data);
  pair_free(pair);
}

/* All limits in one program: as many as there may be of everything. */
static void
all_limits_at_once(void **state)
{
  struct rng rng = rng_seeded(2);
  struct pair *pair = pair_new();
  uint8_t *data = malloc(PROGRAM_INPUT_MAX);

  (void)state;
  assert_non_null(data);
  random_bytes(&rng, data, PROGRAM_INPUT_MAX);
  assert_canonical(pair, PROGRAM_RACTOR, data, PROGRAM_INPUT_MAX);
  assert_int_equal(pair->one.block_count, PROGRAM_BLOCK_MAX);
  assert_int_equal(pair->one.preemption_count, PROGRAM_PREEMPTION_MAX);
  assert_int_equal(pair->one.failure_count, PROGRAM_FAILURE_MAX);
  assert_int_equal(pair->one.stress_place_count, PROGRAM_STRESS_PLACE_MAX);
  assert_true(pair->one.op_count > 14000);
  free(data);
  pair_free(pair);
}

static void
extremes_survive(void **state)
{
  struct pair *pair = pair_new();
  struct program *program = &pair->one;
  char problem[80];

  (void)state;
  program->preemption_count = 1;
  program->preemptions[0] =
      (struct preemption){.thread = 15, .site = RGC_SITE_COUNT - 1, .visit = 1023, .to = 15};
  program->failure_count = 1;
  program->failures[0] = (struct failure){.kind = FAILURE_THREAD, .count = 16, .nth = 255};
  program->stress_place_count = 1;
  program->stress_places[0] = (struct stress_place){.thread = 15,
                                                    .point = RGC_STRESS_COUNT - 1,
                                                    .action = RGC_STRESS_ACTION_COUNT - 1,
                                                    .visit = 1023};
  program->quantum = 64;
  program->depth = 7;
  program->stress_every = 31;
  program->schedule_seed = 0xfedc;
  program->variants = PROGRAM_VARIANT_MAX;
  size_t size = program_encode(program, pair->first, sizeof pair->first);

  assert_true(program_decode(&pair->other, PROGRAM_RACTOR, pair->first, size, problem, 80));
  assert_true(program_equal(program, &pair->other));
  pair_free(pair);
}

/* Each value of the byte is some number of variants, each number has one byte, and no other byte of
 * the prelude moves with it. */
static void
variants_are_a_byte(void **state)
{
  struct pair *pair = pair_new();
  uint8_t data[PROGRAM_PRELUDE_SIZE] = {0};
  uint8_t plain[PROGRAM_PRELUDE_SIZE];
  unsigned at = 0;

  (void)state;
  assert_int_equal(program_encode(&pair->one, plain, sizeof plain), sizeof plain);
  pair->one.variants = PROGRAM_VARIANT_MAX;
  program_encode(&pair->one, data, sizeof data);
  while (at < sizeof data && data[at] == plain[at])
    at++;
  assert_true(at < sizeof data);
  for (unsigned value = 0; value < 256; value++) {
    const enum program_dialect dialect = value % 2 == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS;

    memcpy(data, plain, sizeof data);
    data[at] = (uint8_t)value;
    assert_canonical(pair, dialect, data, sizeof data);
    assert_int_equal(pair->one.variants, value % (PROGRAM_VARIANT_MAX + 1));
    assert_int_equal(pair->first[at], pair->one.variants);
    pair->first[at] = 0;
    assert_memory_equal(pair->first, plain, sizeof plain);
  }
  pair_free(pair);
}

static void
encode_respects_capacity(void **state)
{
  struct pair *pair = pair_new();
  uint8_t data[32];

  (void)state;
  memset(data, 0x5a, sizeof data);
  assert_int_equal(program_encode(&pair->one, data, 10), PROGRAM_PRELUDE_SIZE);
  for (unsigned i = 10; i < sizeof data; i++)
    assert_int_equal(data[i], 0x5a);
  pair_free(pair);
}

static void
headers(void **state)
{
  struct pair *pair = pair_new();
  uint8_t data[PROGRAM_HEADER_SIZE + PROGRAM_PRELUDE_SIZE + 4] = {0};
  char problem[80] = "";

  (void)state;
  assert_int_equal(program_header(PROGRAM_EVENTS, data), PROGRAM_HEADER_SIZE);
  assert_true(program_has_header(data, sizeof data));
  assert_false(program_has_header(data, PROGRAM_HEADER_SIZE - 1));
  data[PROGRAM_HEADER_SIZE + PROGRAM_PRELUDE_SIZE] = EV_verify;
  assert_true(program_decode(&pair->one, PROGRAM_RACTOR, data, sizeof data, problem, 80));
  assert_int_equal(pair->one.dialect, PROGRAM_EVENTS);
  assert_int_equal(pair->one.ops[0].code, EV_verify);
  data[4] = PROGRAM_FORMAT_VERSION + 1;
  assert_false(program_decode(&pair->one, PROGRAM_RACTOR, data, sizeof data, problem, 80));
  assert_true(strlen(problem) > 0);
  data[4] = PROGRAM_FORMAT_VERSION;
  data[5] = PROGRAM_DIALECT_COUNT;
  assert_false(program_decode(&pair->one, PROGRAM_RACTOR, data, sizeof data, problem, 80));
  pair_free(pair);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_strings),
      cmocka_unit_test(empty_and_short),
      cmocka_unit_test(limits),
      cmocka_unit_test(all_limits_at_once),
      cmocka_unit_test(extremes_survive),
      cmocka_unit_test(variants_are_a_byte),
      cmocka_unit_test(encode_respects_capacity),
      cmocka_unit_test(headers),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
