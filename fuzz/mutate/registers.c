/* registers.c - see registers.h. */
#include "fuzz/mutate/registers.h"

#include "fuzz/program/shape.h"

enum { NEAR_OPS = 12, FAR_OPS = 60, REGISTER_COUNT = 16 };

/* ---- What is needed later -------------------------------------------------------------------- */

static void
look_at(const struct program *program, unsigned index, uint32_t *written, uint32_t *live)
{
  unsigned count;
  const struct op_info *info = &op_table(program->dialect, &count)[program->ops[index].code];
  const uint8_t *operands = program->ops[index].operands;

  for (unsigned i = 0; i < PROGRAM_OPERAND_MAX; i++)
    if (info->operands[i] == OPERAND_REG)
      *live |= (1u << operands[i]) & ~*written;
  if (info->operands[0] == OPERAND_DST)
    *written |= 1u << operands[0];
}

uint32_t
registers_live(const struct program *program, unsigned block, unsigned at)
{
  unsigned first = program->blocks[block].op_first;
  unsigned end = first + program->blocks[block].op_count;
  unsigned body = at, body_end = at;
  uint32_t written = 0, live = 0;

  if (program->dialect != PROGRAM_RACTOR)
    return 0;
  for (unsigned i = first; i < at; i++)
    if (op_is_loop(program, i) && op_body_end(program, i, end) > at) {
      body = i + 1;
      body_end = op_body_end(program, i, end);
      break;
    }
  for (unsigned i = at; i < body_end; i++)
    look_at(program, i, &written, &live);
  for (unsigned i = body; i < at; i++)
    look_at(program, i, &written, &live);
  for (unsigned i = body_end; i < end; i++)
    look_at(program, i, &written, &live);
  return live;
}

unsigned
registers_spare(uint32_t live, struct rng *rng)
{
  unsigned start = rng_below(rng, REGISTER_COUNT);

  for (unsigned i = 0; i < REGISTER_COUNT; i++)
    if ((live >> (start + i) % REGISTER_COUNT & 1) == 0)
      return (start + i) % REGISTER_COUNT;
  return start;
}

void
registers_fit(struct op *ops, unsigned count, enum program_dialect dialect, uint32_t live,
              struct rng *rng)
{
  unsigned table_count;
  const struct op_info *table = op_table(dialect, &table_count);
  uint8_t names[REGISTER_COUNT];
  uint32_t renamed = 0;

  for (unsigned i = 0; i < REGISTER_COUNT; i++)
    names[i] = (uint8_t)i;
  for (unsigned i = 0; i < count; i++) {
    const struct op_info *info = &table[ops[i].code];

    if (info->operands[0] == OPERAND_DST && (renamed >> ops[i].operands[0] & 1) == 0) {
      unsigned to = registers_spare(live, rng);

      renamed |= 1u << ops[i].operands[0];
      names[ops[i].operands[0]] = (uint8_t)to;
      live |= 1u << to;
    }
  }
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < PROGRAM_OPERAND_MAX; k++) {
      enum op_operand kind = table[ops[i].code].operands[k];

      if (kind == OPERAND_DST || kind == OPERAND_REG)
        ops[i].operands[k] = names[ops[i].operands[k]];
    }
}

/* ---- What is there --------------------------------------------------------------------------- */

/* The op that makes what an op works on; OP_pass: anything will do. */
static unsigned
maker_of(unsigned code)
{
  static const uint8_t makers[OP_COUNT] = {
      [OP_field_set] = OP_object,     [OP_field_get] = OP_object,
      [OP_hidden_set] = OP_object,    [OP_hidden_get] = OP_object,
      [OP_string_append] = OP_string, [OP_string_byte] = OP_string,
      [OP_string_intern] = OP_string, [OP_array_push] = OP_array,
      [OP_array_pop] = OP_array,      [OP_array_set] = OP_array,
      [OP_array_get] = OP_array,      [OP_array_clear] = OP_array,
      [OP_hash_set] = OP_hash,        [OP_hash_get] = OP_hash,
      [OP_hash_delete] = OP_hash,     [OP_constant_set] = OP_klass,
      [OP_constant_get] = OP_klass,   [OP_env_set] = OP_proc,
      [OP_env_get] = OP_proc,         [OP_ractor_port] = OP_ractor_new,
      [OP_send] = OP_ractor_new,      [OP_join] = OP_ractor_new,
      [OP_value] = OP_ractor_new,     [OP_port_receive] = OP_port,
      [OP_port_close] = OP_port,      [OP_object] = OP_klass,
  };

  return makers[code] == 0 ? OP_pass : makers[code];
}

unsigned
registers_recent(const struct program *program, unsigned block, unsigned at, struct rng *rng)
{
  unsigned count;
  const struct op_info *table = op_table(program->dialect, &count);
  unsigned behind = at - program->blocks[block].op_first;

  for (unsigned try = 0; try < 4 && behind > 0; try++) {
    const struct op *op =
        &program->ops[at - rng_between(rng, 1, behind < NEAR_OPS ? behind : NEAR_OPS)];

    if (table[op->code].operands[0] == OPERAND_DST)
      return op->operands[0];
  }
  return rng_below(rng, REGISTER_COUNT);
}

unsigned
registers_receiver(const struct program *program, unsigned block, unsigned at, unsigned code,
                   struct rng *rng)
{
  unsigned count;
  const struct op_info *table = op_table(program->dialect, &count);
  unsigned first = program->blocks[block].op_first;
  unsigned maker = program->dialect == PROGRAM_RACTOR ? maker_of(code) : OP_pass;
  unsigned skips = rng_below(rng, 3), found = REGISTER_COUNT;
  uint32_t written = 0;

  /* Backwards: the registers written since hold something else now. */
  for (unsigned i = at; i > first && at - i < FAR_OPS && maker != OP_pass; i--) {
    const struct op *op = &program->ops[i - 1];

    if (table[op->code].operands[0] != OPERAND_DST || (written >> op->operands[0] & 1) != 0)
      continue;
    written |= 1u << op->operands[0];
    if (op->code != maker)
      continue;
    found = op->operands[0];
    if (skips-- == 0)
      break;
  }
  return found < REGISTER_COUNT ? found : registers_recent(program, block, at, rng);
}
