/* codec.c - bytes to programs and back.
 *
 * Prelude, 24 bytes: the first twelve setting choices; stress point, action, every; policy; quantum
 * less one; depth; schedule seed, low byte first; variants; three bytes that mean nothing.  Then
 * records of four bytes, whose first byte selects:
 *
 *   0x00 … 0xeb   an op: code modulo the op count of the dialect, then its operands
 *   0xec … 0xef   a setting: which of those after the first twelve, choice; the rest means nothing
 *   0xf0 … 0xf3   the start of the next block; the rest means nothing
 *   0xf4 … 0xf7   a preemption: thread | to << 4, site | visit high << 5, visit low
 *   0xf8 … 0xfb   a failure: kind, nth, count less one
 *   0xfc … 0xff   a stress place: thread | point << 4, action | visit high << 5, visit low
 *
 * Whatever is out of range is reduced modulo its limit, so decoding cannot fail; records beyond a
 * limit of the model are dropped.  Encoding writes settings other than the default, preemptions,
 * failures, stress places, then blocks. Each kept record takes one record of the input, so
 * canonical bytes are never longer than what was decoded, apart from the padding of the last record
 * and of the prelude.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/program/program.h"
#include "rgc/platform.h"

enum {
  TAG_SETTING = 0xec,
  TAG_BLOCK = 0xf0,
  TAG_PREEMPTION = 0xf4,
  TAG_FAILURE = 0xf8,
  TAG_STRESS = 0xfc
};

enum {
  PRELUDE_STRESS_POINT = PROGRAM_PRELUDE_SETTING_COUNT,
  PRELUDE_STRESS_ACTION,
  PRELUDE_STRESS_EVERY,
  PRELUDE_POLICY,
  PRELUDE_QUANTUM,
  PRELUDE_DEPTH,
  PRELUDE_SEED_LOW,
  PRELUDE_SEED_HIGH,
  PRELUDE_VARIANTS,
  PRELUDE_USED
};

_Static_assert(PRELUDE_USED <= (int)PROGRAM_PRELUDE_SIZE, "the prelude has room");
_Static_assert((int)OP_COUNT <= TAG_SETTING && (int)EV_COUNT <= TAG_SETTING,
               "ops keep their codes");
_Static_assert(RGC_SITE_COUNT <= 32, "a site fits into five bits");

enum { QUANTUM_MAX = 64, DEPTH_LIMIT = 8, STRESS_EVERY_LIMIT = 32, FAILURE_COUNT_MAX = 16 };

static const uint8_t header_magic[4] = {'G', 'C', 'S', 'T'};

/* ---- Header ---------------------------------------------------------------------------------- */

size_t
program_header(enum program_dialect dialect, uint8_t data[PROGRAM_HEADER_SIZE])
{
  memset(data, 0, PROGRAM_HEADER_SIZE);
  memcpy(data, header_magic, sizeof header_magic);
  data[4] = PROGRAM_FORMAT_VERSION;
  data[5] = (uint8_t)dialect;
  return PROGRAM_HEADER_SIZE;
}

bool
program_has_header(const uint8_t *data, size_t size)
{
  return size >= PROGRAM_HEADER_SIZE && memcmp(data, header_magic, sizeof header_magic) == 0 &&
         data[6] == 0 && data[7] == 0;
}

/* ---- Decoding -------------------------------------------------------------------------------- */

static uint8_t
reduce(unsigned value, unsigned limit)
{
  assert(limit > 0 && limit <= 256);
  return (uint8_t)(value % limit);
}

static void
decode_prelude(struct program *program, const uint8_t prelude[PROGRAM_PRELUDE_SIZE])
{
  for (unsigned i = 0; i < PROGRAM_PRELUDE_SETTING_COUNT; i++)
    program->settings[i] = reduce(prelude[i], setting_limit((enum program_setting)i));
  program->stress_point = reduce(prelude[PRELUDE_STRESS_POINT], RGC_STRESS_COUNT);
  program->stress_action = reduce(prelude[PRELUDE_STRESS_ACTION], RGC_STRESS_ACTION_COUNT);
  program->stress_every = reduce(prelude[PRELUDE_STRESS_EVERY], STRESS_EVERY_LIMIT);
  program->policy = reduce(prelude[PRELUDE_POLICY], SCHEDULE_POLICY_COUNT);
  program->quantum = (uint8_t)(reduce(prelude[PRELUDE_QUANTUM], QUANTUM_MAX) + 1);
  program->depth = reduce(prelude[PRELUDE_DEPTH], DEPTH_LIMIT);
  program->schedule_seed =
      (uint16_t)(prelude[PRELUDE_SEED_LOW] | (unsigned)prelude[PRELUDE_SEED_HIGH] << 8);
  program->variants = reduce(prelude[PRELUDE_VARIANTS], PROGRAM_VARIANT_MAX + 1);
}

static void
decode_setting(struct program *program, const uint8_t record[PROGRAM_RECORD_SIZE])
{
  unsigned i = PROGRAM_PRELUDE_SETTING_COUNT +
               reduce(record[1], (unsigned)PROGRAM_SETTING_COUNT - PROGRAM_PRELUDE_SETTING_COUNT);

  program->settings[i] = reduce(record[2], setting_limit((enum program_setting)i));
}

static uint16_t
visit_of(const uint8_t record[PROGRAM_RECORD_SIZE])
{
  return (uint16_t)((record[2] >> 5 & 3u) << 8 | record[3]);
}

static void
decode_preemption(struct program *program, const uint8_t record[PROGRAM_RECORD_SIZE])
{
  if (program->preemption_count >= PROGRAM_PREEMPTION_MAX)
    return;
  program->preemptions[program->preemption_count++] =
      (struct preemption){.thread = record[1] & 15,
                          .to = record[1] >> 4,
                          .site = reduce(record[2] & 31, RGC_SITE_COUNT),
                          .visit = visit_of(record)};
}

static void
decode_failure(struct program *program, const uint8_t record[PROGRAM_RECORD_SIZE])
{
  if (program->failure_count >= PROGRAM_FAILURE_MAX)
    return;
  program->failures[program->failure_count++] =
      (struct failure){.kind = reduce(record[1], FAILURE_KIND_COUNT),
                       .nth = record[2],
                       .count = (uint8_t)(reduce(record[3], FAILURE_COUNT_MAX) + 1)};
}

static void
decode_stress_place(struct program *program, const uint8_t record[PROGRAM_RECORD_SIZE])
{
  if (program->stress_place_count >= PROGRAM_STRESS_PLACE_MAX)
    return;
  program->stress_places[program->stress_place_count++] =
      (struct stress_place){.thread = record[1] & 15,
                            .point = reduce(record[1] >> 4, RGC_STRESS_COUNT),
                            .action = reduce(record[2] & 31, RGC_STRESS_ACTION_COUNT),
                            .visit = visit_of(record)};
}

static void
decode_op(struct program *program, const uint8_t record[PROGRAM_RECORD_SIZE])
{
  unsigned count;
  const struct op_info *table = op_table(program->dialect, &count);
  struct op op = {.code = reduce(record[0], count)};

  if (program->op_count >= program->op_capacity)
    return;
  for (unsigned i = 0; i < PROGRAM_OPERAND_MAX; i++)
    op.operands[i] = reduce(record[1 + i], operand_limit(table[op.code].operands[i]));
  program->ops[program->op_count++] = op;
  program->blocks[program->block_count - 1].op_count++;
}

static void
decode_record(struct program *program, const uint8_t record[PROGRAM_RECORD_SIZE])
{
  if (record[0] < TAG_SETTING)
    decode_op(program, record);
  else if (record[0] < TAG_BLOCK)
    decode_setting(program, record);
  else if (record[0] >= TAG_STRESS)
    decode_stress_place(program, record);
  else if (record[0] >= TAG_FAILURE)
    decode_failure(program, record);
  else if (record[0] >= TAG_PREEMPTION)
    decode_preemption(program, record);
  else if (program->block_count < PROGRAM_BLOCK_MAX)
    program->blocks[program->block_count++] = (struct block){.op_first = program->op_count};
}

/* Takes the header off.  False, with one line in `problem`, when it is of another format. */
static bool
strip_header(enum program_dialect *dialect, const uint8_t **data, size_t *size, char *problem,
             size_t problem_size)
{
  const uint8_t *header = *data;

  if (!program_has_header(header, *size))
    return true;
  if (header[4] != PROGRAM_FORMAT_VERSION || header[5] >= PROGRAM_DIALECT_COUNT) {
    if (problem_size > 0)
      snprintf(problem, problem_size,
               "unknown format (version %u, dialect %u); this gcstorm reads version %d, dialects 0 "
               "and 1",
               header[4], header[5], PROGRAM_FORMAT_VERSION);
    return false;
  }
  *dialect = (enum program_dialect)header[5];
  *data += PROGRAM_HEADER_SIZE;
  *size -= PROGRAM_HEADER_SIZE;
  return true;
}

bool
program_decode(struct program *program, enum program_dialect dialect, const uint8_t *data,
               size_t size, char *problem, size_t problem_size)
{
  uint8_t prelude[PROGRAM_PRELUDE_SIZE] = {0};

  if (!strip_header(&dialect, &data, &size, problem, problem_size))
    return false;
  if (size > PROGRAM_INPUT_MAX)
    size = PROGRAM_INPUT_MAX;
  program_clear(program, dialect);
  if (size > 0)
    memcpy(prelude, data, size < PROGRAM_PRELUDE_SIZE ? size : PROGRAM_PRELUDE_SIZE);
  decode_prelude(program, prelude);
  for (size_t at = PROGRAM_PRELUDE_SIZE; at < size; at += PROGRAM_RECORD_SIZE) {
    uint8_t record[PROGRAM_RECORD_SIZE] = {0};
    size_t left = size - at;

    memcpy(record, data + at, left < PROGRAM_RECORD_SIZE ? left : PROGRAM_RECORD_SIZE);
    decode_record(program, record);
  }
  return true;
}

/* ---- Encoding -------------------------------------------------------------------------------- */

/* Bytes being written; `size` counts on past the capacity. */
struct output {
  uint8_t *data;
  size_t capacity;
  size_t size;
};

static void
put(struct output *out, const uint8_t *bytes, size_t count)
{
  for (size_t i = 0; i < count; i++, out->size++)
    if (out->size < out->capacity)
      out->data[out->size] = bytes[i];
}

static void
put_record(struct output *out, unsigned a, unsigned b, unsigned c, unsigned d)
{
  const uint8_t record[PROGRAM_RECORD_SIZE] = {(uint8_t)a, (uint8_t)b, (uint8_t)c, (uint8_t)d};

  assert(a < 256 && b < 256 && c < 256 && d < 256);
  put(out, record, sizeof record);
}

static void
put_prelude(struct output *out, const struct program *program)
{
  uint8_t prelude[PROGRAM_PRELUDE_SIZE] = {0};

  assert(program->quantum >= 1 && program->quantum <= QUANTUM_MAX);
  memcpy(prelude, program->settings, PROGRAM_PRELUDE_SETTING_COUNT);
  prelude[PRELUDE_STRESS_POINT] = program->stress_point;
  prelude[PRELUDE_STRESS_ACTION] = program->stress_action;
  prelude[PRELUDE_STRESS_EVERY] = program->stress_every;
  prelude[PRELUDE_POLICY] = program->policy;
  prelude[PRELUDE_QUANTUM] = (uint8_t)(program->quantum - 1);
  prelude[PRELUDE_DEPTH] = program->depth;
  prelude[PRELUDE_SEED_LOW] = (uint8_t)(program->schedule_seed & 255);
  prelude[PRELUDE_SEED_HIGH] = (uint8_t)(program->schedule_seed >> 8);
  prelude[PRELUDE_VARIANTS] = program->variants;
  put(out, prelude, sizeof prelude);
}

static void
put_settings(struct output *out, const struct program *program)
{
  for (unsigned i = PROGRAM_PRELUDE_SETTING_COUNT; i < PROGRAM_SETTING_COUNT; i++) {
    if (program->settings[i] != 0)
      put_record(out, TAG_SETTING, i - PROGRAM_PRELUDE_SETTING_COUNT, program->settings[i], 0);
  }
}

static void
put_plans(struct output *out, const struct program *program)
{
  for (unsigned i = 0; i < program->preemption_count; i++) {
    const struct preemption *p = &program->preemptions[i];

    put_record(out, TAG_PREEMPTION, p->thread | (unsigned)p->to << 4,
               p->site | (unsigned)(p->visit >> 8) << 5, p->visit & 255u);
  }
  for (unsigned i = 0; i < program->failure_count; i++) {
    const struct failure *f = &program->failures[i];

    put_record(out, TAG_FAILURE, f->kind, f->nth, f->count - 1u);
  }
  for (unsigned i = 0; i < program->stress_place_count; i++) {
    const struct stress_place *s = &program->stress_places[i];

    put_record(out, TAG_STRESS, s->thread | (unsigned)s->point << 4,
               s->action | (unsigned)(s->visit >> 8) << 5, s->visit & 255u);
  }
}

static void
put_blocks(struct output *out, const struct program *program)
{
  for (unsigned b = 0; b < program->block_count; b++) {
    const struct block *block = &program->blocks[b];

    if (b > 0)
      put_record(out, TAG_BLOCK, 0, 0, 0);
    for (unsigned i = 0; i < block->op_count; i++) {
      const struct op *op = &program->ops[block->op_first + i];

      put_record(out, op->code, op->operands[0], op->operands[1], op->operands[2]);
    }
  }
}

size_t
program_encode(const struct program *program, uint8_t *data, size_t capacity)
{
  struct output out = {.data = data, .capacity = capacity};

  put_prelude(&out, program);
  put_settings(&out, program);
  put_plans(&out, program);
  put_blocks(&out, program);
  assert(out.size == program_encoded_size(program));
  return out.size;
}

size_t
program_encoded_size(const struct program *program)
{
  size_t records = (size_t)program->preemption_count + program->failure_count +
                   program->stress_place_count + program->op_count + program->block_count - 1;

  assert(program->block_count >= 1);
  for (unsigned i = PROGRAM_PRELUDE_SETTING_COUNT; i < PROGRAM_SETTING_COUNT; i++)
    records += program->settings[i] != 0;
  return PROGRAM_PRELUDE_SIZE + records * PROGRAM_RECORD_SIZE;
}
