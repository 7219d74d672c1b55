/* mutate.c - see mutate.h. */
#include "fuzz/mutate/mutate.h"

#include <assert.h>
#include <string.h>

#include "fuzz/mutate/generate.h"
#include "fuzz/mutate/registers.h"
#include "fuzz/mutate/weigh.h"
#include "fuzz/program/edit.h"

/* Half of what both engines try is made afresh: with an eighth, faults that need a certain heap
 * took three to six times the CPU time. */
enum { MUTATIONS_MAX = 4, FRESH_PERCENT = 50, WEIGHT_MAX = 2500 };

/* ---- Bytes ----------------------------------------------------------------------------------- */

static unsigned
longest_block(const struct program *program)
{
  unsigned longest = 0;

  for (unsigned i = 1; i < program->block_count; i++)
    if (program->blocks[i].op_count > program->blocks[longest].op_count)
      longest = i;
  return longest;
}

/* Sets the last setting with a record of its own to its default. */
static bool
drop_setting(struct program *program)
{
  for (unsigned i = PROGRAM_SETTING_COUNT; i > PROGRAM_PRELUDE_SETTING_COUNT; i--) {
    if (program->settings[i - 1] != 0) {
      program->settings[i - 1] = 0;
      return true;
    }
  }
  return false;
}

/* Drops ops from the ends of the longest blocks, then blocks, plans and settings, until the bytes
 * fit. */
static void
shrink_to(struct program *program, size_t max_size)
{
  for (size_t size = program_encoded_size(program); size > max_size;
       size = program_encoded_size(program)) {
    const struct block *longest = &program->blocks[longest_block(program)];
    size_t excess = (size - max_size + PROGRAM_RECORD_SIZE - 1) / PROGRAM_RECORD_SIZE;
    unsigned half = (longest->op_count + 1) / 2;
    unsigned count = excess < half ? (unsigned)excess : half;

    if (count > 0)
      program_remove_ops(program, longest->op_first + longest->op_count - count, count);
    else if (program->block_count > 1)
      program->block_count--;
    else if (program->preemption_count > 0)
      program->preemption_count--;
    else if (program->stress_place_count > 0)
      program->stress_place_count--;
    else if (program->failure_count > 0)
      program->failure_count--;
    else if (!drop_setting(program))
      return;
  }
}

/* Writes a program of any size, its loops kept short enough to run; a prelude that does not fit is
 * cut, which still decodes. */
static size_t
write_bytes(struct program *program, uint8_t *data, size_t max_size)
{
  shrink_to(program, max_size < PROGRAM_INPUT_MAX ? max_size : PROGRAM_INPUT_MAX);
  program_tame(program, WEIGHT_MAX);
  size_t size = program_encode(program, data, max_size);

  return size < max_size ? size : max_size;
}

static void
generate_fresh(struct program *program, struct rng *rng)
{
  struct generate_options options = {
      .profile = rng_percent(rng, 70)
                     ? GENERATE_MIXED
                     : (enum generate_profile)rng_below(rng, GENERATE_PROFILE_COUNT)};

  generate_program(program, program->dialect, &options, rng_next(rng));
}

/* Without memory there is no mutation; bytes stay as they are. */
static size_t
unchanged(size_t size, size_t max_size)
{
  return size < max_size ? size : max_size;
}

static bool
block_has(const struct program *program, unsigned block, unsigned code)
{
  const struct block *body = &program->blocks[block];

  for (unsigned i = 0; i < body->op_count; i++)
    if (program->ops[body->op_first + i].code == code)
      return true;
  return false;
}

/* Mutation and crossover wear down what needs several ops in a row, and a heap that changes owner
 * needs a Ractor, its end and its value. Puts such a pair into the first half of main: mostly where
 * there is none, now and then where there is. */
static void
keep_inheritance(struct program *program, struct rng *rng)
{
  const struct block *main_block = &program->blocks[0];

  if (program->dialect != PROGRAM_RACTOR || program->block_count < 2 ||
      !rng_percent(rng, block_has(program, 0, OP_value) ? 25 : 80))
    return;
  unsigned at = main_block->op_first + rng_below(rng, main_block->op_count / 2 + 1);
  uint32_t live = registers_live(program, 0, at);
  uint8_t handle = (uint8_t)registers_spare(live, rng);
  uint8_t value = (uint8_t)registers_spare(live | 1u << handle, rng);
  uint8_t block = (uint8_t)rng_below(rng, program->block_count - 1);
  if (block_has(program, block + 1u, OP_receive) || block_has(program, block + 1u, OP_port_receive))
    return; /* main would wait for one that waits */
  struct op start = {.code = OP_ractor_new, .operands = {handle, block, value}};
  struct op take = {.code = OP_value, .operands = {value, handle}};

  program_insert_ops(program, 0, at, (const struct op[]){start, take}, 2);
}

size_t
mutate_bytes(uint8_t *data, size_t size, size_t max_size, enum program_dialect dialect,
             uint64_t seed)
{
  struct rng rng = rng_seeded(seed);
  struct program program;
  char problem[80];

  if (!program_init(&program, dialect))
    return unchanged(size, max_size);
  if (!program_decode(&program, dialect, data, size, problem, sizeof problem) ||
      program.dialect != dialect || rng_percent(&rng, FRESH_PERCENT)) {
    program_clear(&program, dialect);
    generate_fresh(&program, &rng);
  } else {
    for (unsigned i = rng_between(&rng, 1, MUTATIONS_MAX); i > 0; i--)
      if (rng_percent(&rng, 19))
        mutate_plan(&program, &rng);
      else
        mutate_ops(&program, &rng);
    keep_inheritance(&program, &rng);
  }
  size_t result = write_bytes(&program, data, max_size);

  program_free(&program);
  return result;
}

size_t
crossover_bytes(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                size_t out_size, enum program_dialect dialect, uint64_t seed)
{
  struct rng rng = rng_seeded(seed ^ 0x6763);
  struct program one, other;
  char problem[80];
  size_t result = 0;

  if (!program_init(&one, dialect))
    return 0;
  if (program_init(&other, dialect)) {
    /* Bytes that only look like a file of another version count as an empty program. */
    if (!program_decode(&one, dialect, a, a_size, problem, sizeof problem) ||
        one.dialect != dialect)
      program_clear(&one, dialect);
    if (!program_decode(&other, dialect, b, b_size, problem, sizeof problem) ||
        other.dialect != dialect)
      program_clear(&other, dialect);
    if (rng_percent(&rng, FRESH_PERCENT)) {
      program_clear(&one, dialect);
      generate_fresh(&one, &rng);
    } else {
      crossover_programs(&one, &other, &rng);
      keep_inheritance(&one, &rng);
    }
    result = write_bytes(&one, out, out_size);
    program_free(&other);
  }
  program_free(&one);
  return result;
}

/* ---- Inputs with headers --------------------------------------------------------------------- */

/* Bytes of the header, 0 if there is none that this version knows; sets its dialect. */
static size_t
header_size(const uint8_t *data, size_t size, enum program_dialect *dialect)
{
  if (!program_has_header(data, size) || data[4] != PROGRAM_FORMAT_VERSION ||
      data[5] >= PROGRAM_DIALECT_COUNT)
    return 0;
  *dialect = (enum program_dialect)data[5];
  return PROGRAM_HEADER_SIZE;
}

size_t
mutate_input(uint8_t *data, size_t size, size_t max_size, enum program_dialect dialect,
             uint64_t seed)
{
  size_t header = header_size(data, size, &dialect);

  if (max_size < header)
    return max_size;
  return header + mutate_bytes(data + header, size - header, max_size - header, dialect, seed);
}

size_t
crossover_input(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                size_t out_size, enum program_dialect dialect, uint64_t seed)
{
  enum program_dialect b_dialect = dialect;
  size_t a_header = header_size(a, a_size, &dialect);
  size_t b_header = header_size(b, b_size, &b_dialect);

  if (out_size < a_header)
    return 0;
  memmove(out, a, a_header);
  return a_header + crossover_bytes(a + a_header, a_size - a_header, b + b_header,
                                    b_size - b_header, out + a_header, out_size - a_header, dialect,
                                    seed);
}
