/* typed.c - single random ops, chosen by the weights of ops.def, with operands that fit. */
#include <assert.h>

#include "fuzz/mutate/idioms.h"

enum { WILD_PERCENT = 10, FAILED_PICKS_MAX = 8 };

/* Ops that block, end the block, change the flow or start Ractors: only idioms write these. */
static bool
is_single(unsigned code)
{
  switch (code) {
  case OP_ractor_new:
  case OP_send:
  case OP_receive:
  case OP_port_receive:
  case OP_try_receive:
  case OP_port_close:
  case OP_join:
  case OP_value:
  case OP_raise:
  case OP_finish:
  case OP_loop:
  case OP_skip_if_nil:
    return false;
  default:
    return true;
  }
}

static unsigned
pick_code(struct builder *builder)
{
  unsigned count, total = 0;
  const struct op_info *table = op_table(PROGRAM_RACTOR, &count);

  for (unsigned i = 0; i < count; i++)
    total += is_single(i) ? table[i].weight : 0;
  unsigned roll = rng_below(builder->rng, total);

  for (unsigned i = 0; i < count; i++) {
    unsigned weight = is_single(i) ? table[i].weight : 0;

    if (roll < weight)
      return i;
    roll -= weight;
  }
  assert(roll == 0);
  return OP_pass;
}

/* An op with arbitrary operands; what it writes is unknown afterwards. */
static void
wild_op(struct builder *builder, unsigned code)
{
  unsigned count;
  const struct op_info *info = &op_table(PROGRAM_RACTOR, &count)[code];
  unsigned operands[PROGRAM_OPERAND_MAX];

  for (unsigned i = 0; i < PROGRAM_OPERAND_MAX; i++) {
    operands[i] = rng_below(builder->rng, operand_limit(info->operands[i]));
    if (info->operands[i] == OPERAND_DST)
      operands[i] = pick_dst(builder);
  }
  emit(builder, code, operands[0], operands[1], operands[2]);
  if (info->operands[0] == OPERAND_DST)
    builder->facts.registers[operands[0]] = (struct fact){.kind = FACT_UNKNOWN};
}

static bool
typed_make(struct builder *builder, unsigned code)
{
  switch (code) {
  case OP_object:
    make_object(builder, rng_between(builder->rng, 1, 8));
    return true;
  case OP_string:
    make_string(builder, rng_below(builder->rng, 24));
    return true;
  case OP_array:
    make_array(builder, rng_below(builder->rng, 10));
    return true;
  case OP_hash:
    make_hash(builder);
    return true;
  case OP_klass:
    make_class(builder);
    return true;
  case OP_proc:
    make_proc(builder, rng_between(builder->rng, 1, VM_PROC_SLOT_MAX), find_plain(builder));
    return true;
  case OP_port:
    make_port(builder);
    return true;
  case OP_make_shareable:
    do_share(builder, find_plain(builder));
    return true;
  case OP_gc:
    do_gc(builder);
    return true;
  default:
    return false;
  }
}

/* The kind that the first object operand of a storing or loading op must have. */
static unsigned
parent_kinds(unsigned code)
{
  switch (code) {
  case OP_field_set:
  case OP_field_get:
  case OP_hidden_set:
  case OP_hidden_get:
    return 1u << FACT_OBJECT;
  case OP_array_push:
  case OP_array_set:
  case OP_array_get:
  case OP_array_pop:
  case OP_array_clear:
    return 1u << FACT_ARRAY;
  case OP_hash_set:
  case OP_hash_get:
  case OP_hash_delete:
    return 1u << FACT_HASH;
  case OP_constant_set:
  case OP_constant_get:
    return 1u << FACT_CLASS;
  case OP_env_set:
  case OP_env_get:
    return 1u << FACT_PROC;
  case OP_string_append:
  case OP_string_byte:
  case OP_string_intern:
    return 1u << FACT_STRING;
  default:
    return 0;
  }
}

static bool
typed_access(struct builder *builder, unsigned code)
{
  unsigned kinds = parent_kinds(code);
  bool stores = code == OP_field_set || code == OP_array_push || code == OP_array_set ||
                code == OP_hash_set || code == OP_constant_set || code == OP_env_set;
  unsigned parent;

  if (kinds == 0 || kinds == 1u << FACT_STRING || code == OP_hidden_set || code == OP_hidden_get ||
      code == OP_array_pop || code == OP_array_clear || code == OP_hash_delete)
    return false;
  parent = stores ? find_mutable(builder, kinds) : find_kind(builder, kinds);
  if (parent == REGISTER_NONE)
    return false;
  if (stores)
    do_store(builder, parent, find_plain(builder));
  else
    do_load(builder, parent);
  return true;
}

static bool
typed_edit(struct builder *builder, unsigned code)
{
  unsigned kinds = parent_kinds(code);
  unsigned object = kinds == 0 ? REGISTER_NONE : find_mutable(builder, kinds);
  struct fact *registers = builder->facts.registers;
  unsigned key = 0;

  if (object == REGISTER_NONE)
    return false;
  switch (code) {
  case OP_hidden_set:
    emit(builder, code, object, find_plain(builder), 0);
    return true;
  case OP_string_append:
    emit(builder, code, object, rng_between(builder->rng, 1, 20), rng_below(builder->rng, 8));
    return true;
  case OP_array_clear:
    emit(builder, code, object, 0, 0);
    registers[object].length = 0;
    return true;
  case OP_array_pop:
    if (registers[object].length == 0)
      return false;
    registers[object].length--;
    break;
  case OP_string_byte:
  case OP_string_intern:
  case OP_hidden_get:
    break;
  case OP_hash_delete:
    key = find_plain(builder);
    break;
  default:
    return false;
  }
  unsigned dst = pick_dst(builder);

  emit(builder, code, dst, object, key);
  registers[dst] = code == OP_string_intern ? fact_shareable(&builder->facts, FACT_STRING, 0)
                                            : (struct fact){.kind = FACT_UNKNOWN};
  return true;
}

static bool
typed_dup(struct builder *builder)
{
  unsigned from = find_kind(builder, KINDS_COPYABLE);

  if (from == REGISTER_NONE)
    return false;
  struct fact fact = builder->facts.registers[from];
  unsigned dst = pick_dst(builder);

  emit(builder, OP_dup, dst, from, 0);
  fact.frozen = false;
  fact.shareable = false;
  builder->facts.registers[dst] = fact;
  return true;
}

static bool
typed_rest(struct builder *builder, unsigned code)
{
  struct facts *facts = &builder->facts;
  unsigned dst, from;

  switch (code) {
  case OP_nil:
    set_nil(builder, pick_dst(builder));
    return true;
  case OP_fixnum:
    dst = pick_dst(builder);
    emit(builder, code, dst, rng_below(builder->rng, 256), 0);
    facts->registers[dst] = (struct fact){.kind = FACT_FIXNUM};
    return true;
  case OP_copy:
    from = find_plain(builder);
    do_copy(builder, pick_dst(builder), from);
    return true;
  case OP_dup:
    return typed_dup(builder);
  case OP_freeze:
    from = find_mutable(builder, KINDS_COPYABLE);
    if (from == REGISTER_NONE)
      return false;
    emit(builder, code, from, 0, 0);
    facts_freeze(facts, from);
    return true;
  case OP_gc_verify:
  case OP_pass:
    emit(builder, code, 0, 0, 0);
    return true;
  default:
    return false;
  }
}

void
typed_ops(struct builder *builder, unsigned count)
{
  unsigned failed = 0;

  for (unsigned done = 0; done < count && failed < FAILED_PICKS_MAX;) {
    unsigned code = pick_code(builder);

    if (rng_percent(builder->rng, WILD_PERCENT))
      wild_op(builder, code);
    else if (!typed_make(builder, code) && !typed_access(builder, code) &&
             !typed_edit(builder, code) && !typed_rest(builder, code)) {
      failed++;
      continue;
    }
    done++;
  }
}
