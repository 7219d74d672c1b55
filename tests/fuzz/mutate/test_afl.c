/* test_afl.c - the entry points of AFL++'s custom mutator, called as afl-fuzz calls them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/mutate/generate.h"
#include "fuzz/mutate/harness.h"
#include "fuzz/mutate/mutate.h"
#include "tests/fuzz/program/bytes.h"

enum { ROOM = 8192, ROUNDS = 500, TRIM_STEPS_MAX = 32 };

struct afl_mutator;
struct afl_mutator *afl_custom_init(void *afl, unsigned int seed);
void afl_custom_deinit(struct afl_mutator *mutator);
size_t afl_custom_fuzz(struct afl_mutator *mutator, uint8_t *data, size_t size, uint8_t **out,
                       uint8_t *other, size_t other_size, size_t max_size);
size_t afl_custom_post_process(struct afl_mutator *mutator, uint8_t *data, size_t size,
                               uint8_t **out);
int32_t afl_custom_init_trim(struct afl_mutator *mutator, uint8_t *data, size_t size);
size_t afl_custom_trim(struct afl_mutator *mutator, uint8_t **out);
int32_t afl_custom_post_trim(struct afl_mutator *mutator, uint8_t success);

enum program_dialect
harness_dialect(void)
{
  return PROGRAM_RACTOR;
}

static size_t
header_size(const uint8_t *data, size_t size)
{
  return program_has_header(data, size) ? PROGRAM_HEADER_SIZE : 0;
}

/* The bytes behind the header are what their own program encodes to. */
static void
assert_canonical(struct program *program, const uint8_t *data, size_t size)
{
  uint8_t again[ROOM];
  char problem[80];
  size_t head = header_size(data, size);

  assert_true(program_decode(program, PROGRAM_RACTOR, data, size, problem, sizeof problem));
  assert_int_equal(program_encode(program, again, sizeof again), size - head);
  assert_memory_equal(again, data + head, size - head);
}

static size_t
generated(uint8_t data[ROOM], uint64_t seed)
{
  struct generate_options options = {.profile = GENERATE_MIXED};
  struct program program;

  assert_true(program_init(&program, PROGRAM_RACTOR));
  generate_program(&program, PROGRAM_RACTOR, &options, seed);
  size_t size = program_encode(&program, data, ROOM);

  program_free(&program);
  assert_true(size <= ROOM);
  return size;
}

static void
mutants_repeat_and_fit(void **state)
{
  struct afl_mutator *one = afl_custom_init(NULL, 7), *other = afl_custom_init(NULL, 7);
  struct program program;
  uint8_t data[ROOM], kept[ROOM], partner[ROOM];
  uint8_t *out, *again;
  size_t size = generated(data, 1), partner_size = generated(partner, 2);

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  memcpy(kept, data, sizeof kept);
  for (unsigned i = 0; i < ROUNDS; i++) {
    size_t max_size = i % 5 == 0 ? PROGRAM_PRELUDE_SIZE + i % 200 * 4 : ROOM;
    uint8_t *with = i % 2 == 0 ? partner : NULL; /* NULL: afl-fuzz has one entry only */
    size_t first = afl_custom_fuzz(one, data, size, &out, with, partner_size, max_size);
    size_t second = afl_custom_fuzz(other, data, size, &again, with, partner_size, max_size);

    assert_in_range(first, 1, max_size);
    assert_int_equal(first, second);
    assert_memory_equal(out, again, first);
    assert_memory_equal(data, kept, sizeof kept); /* afl-fuzz's own queue entry */
    assert_canonical(&program, out, first);
  }
  program_free(&program);
  afl_custom_deinit(one);
  afl_custom_deinit(other);
}

static void
post_process_makes_canonical(void **state)
{
  struct afl_mutator *mutator = afl_custom_init(NULL, 1);
  struct program program;
  struct rng rng = rng_seeded(3);
  uint8_t data[ROOM] = {0};
  uint8_t *out, *again;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < ROUNDS; i++) {
    size_t size = rng_below(&rng, 600);

    random_bytes(&rng, data, size);
    if (i % 3 == 0)
      program_header(PROGRAM_EVENTS, data);
    if (i % 9 == 0)
      data[4] = PROGRAM_FORMAT_VERSION + 1;
    size_t first = afl_custom_post_process(mutator, data, size, &out);

    assert_true(out != data && first >= PROGRAM_PRELUDE_SIZE);
    assert_canonical(&program, out, first);
    if (i % 3 == 0 && i % 9 != 0 && size >= PROGRAM_HEADER_SIZE)
      assert_memory_equal(out, data, PROGRAM_HEADER_SIZE);
    memcpy(data, out, first < sizeof data ? first : sizeof data);
    size_t second = afl_custom_post_process(mutator, data, first, &again);

    assert_int_equal(first, second);
    assert_memory_equal(data, again, second);
  }
  program_free(&program);
  afl_custom_deinit(mutator);
}

/* A mutant stays what it is while afl-fuzz has it processed and trimmed. */
static void
buffers_are_apart(void **state)
{
  struct afl_mutator *mutator = afl_custom_init(NULL, 5);
  uint8_t data[ROOM], kept[ROOM];
  uint8_t *mutant, *processed, *trimmed;
  size_t size = generated(data, 4);
  size_t mutant_size = afl_custom_fuzz(mutator, data, size, &mutant, NULL, 0, ROOM);

  (void)state;
  memcpy(kept, mutant, mutant_size);
  size_t processed_size = afl_custom_post_process(mutator, mutant, mutant_size, &processed);

  assert_true(afl_custom_init_trim(mutator, data, size) > 0);
  assert_true(afl_custom_trim(mutator, &trimmed) < size);
  assert_true(mutant != processed && processed != trimmed && trimmed != mutant);
  assert_memory_equal(mutant, kept, mutant_size);
  assert_int_equal(processed_size, mutant_size);
  assert_memory_equal(processed, kept, mutant_size);
  afl_custom_deinit(mutator);
}

/* The coverage that trimming must keep, for the test: a message that is sent and received. */
static bool
has_both(const struct program *program)
{
  bool sends = false, receives = false;

  for (unsigned i = 0; i < program->op_count; i++) {
    sends = sends || program->ops[i].code == OP_send;
    receives = receives || program->ops[i].code == OP_receive;
  }
  return sends && receives;
}

/* As trim_case_custom of afl-fuzz; returns the size of what is left in `data`. */
static size_t
trim_all(struct afl_mutator *mutator, struct program *program, uint8_t *data, size_t size)
{
  int32_t step_max = afl_custom_init_trim(mutator, data, size);
  int32_t steps = 0;

  for (int32_t step = 0; step < step_max; steps++) {
    uint8_t *out;
    size_t shorter = afl_custom_trim(mutator, &out);

    assert_in_range(shorter, 1, size);
    assert_canonical(program, out, shorter);
    if (has_both(program)) {
      memcpy(data, out, shorter);
      size = shorter;
      step = afl_custom_post_trim(mutator, 1);
    } else {
      step = afl_custom_post_trim(mutator, 0);
    }
    assert_true(step >= 0);
  }
  assert_true(steps <= TRIM_STEPS_MAX);
  return size;
}

static void
trim_keeps_what_counts(void **state)
{
  struct afl_mutator *mutator = afl_custom_init(NULL, 1);
  struct program program;
  char problem[80];
  uint8_t data[ROOM];
  unsigned tried = 0;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (uint64_t seed = 0; seed < 60; seed++) {
    size_t head = seed % 2 == 0 ? program_header(PROGRAM_RACTOR, data) : 0;
    uint8_t bytes[ROOM];
    size_t size = generated(bytes, seed);

    assert_true(size <= sizeof data - head);
    memcpy(data + head, bytes, size);
    assert_true(
        program_decode(&program, PROGRAM_RACTOR, data, head + size, problem, sizeof problem));
    if (!has_both(&program))
      continue;
    tried++;
    size_t left = trim_all(mutator, &program, data, head + size);

    assert_true(left <= head + size / 2 + PROGRAM_PRELUDE_SIZE);
    assert_int_equal(header_size(data, left), head);
    assert_canonical(&program, data, left);
    assert_true(has_both(&program));
  }
  assert_true(tried > 5);
  program_free(&program);
  afl_custom_deinit(mutator);
}

static void
trim_never_grows(void **state)
{
  struct afl_mutator *mutator = afl_custom_init(NULL, 1);
  uint8_t empty[PROGRAM_PRELUDE_SIZE] = {0};
  uint8_t some[] = {1, 2, 3};

  (void)state;
  assert_int_equal(afl_custom_init_trim(mutator, empty, sizeof empty), 0);
  assert_int_equal(afl_custom_init_trim(mutator, some, sizeof some), 0);
  afl_custom_deinit(mutator);
  afl_custom_deinit(NULL);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mutants_repeat_and_fit), cmocka_unit_test(post_process_makes_canonical),
      cmocka_unit_test(buffers_are_apart), cmocka_unit_test(trim_keeps_what_counts),
      cmocka_unit_test(trim_never_grows)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
