/* builder.c - see builder.h. */
#include "fuzz/mutate/builder.h"

#include <assert.h>

enum { LOOP_BODY_MAX = 63, IDIOM_OPS_MAX = 40 };

void
builder_open(struct builder *builder, unsigned block)
{
  assert(block + 1 == builder->program->block_count);
  builder->block = block;
  builder->loop_at = LOOP_NONE;
  builder->loop_times = 1;
  builder->reserved = block == 0 ? 0 : 1u << 1 | 1u << 2;
  facts_init(&builder->facts, block == 0 ? NULL : &builder->plans[block].argument);
}

bool
builder_has_room(const struct builder *builder)
{
  return builder->program->blocks[builder->block].op_count < builder->op_target &&
         builder->executed + IDIOM_OPS_MAX < builder->executed_max;
}

void
emit(struct builder *builder, unsigned code, unsigned a, unsigned b, unsigned c)
{
  struct program *program = builder->program;
  const struct block *block = &program->blocks[builder->block];
  struct op op = {.code = (uint8_t)code, .operands = {(uint8_t)a, (uint8_t)b, (uint8_t)c}};

  assert(code < OP_COUNT && a < 256 && b < 256 && c < 256);
  if (program_insert_op(program, builder->block, block->op_first + block->op_count, op))
    builder->executed += builder->loop_times;
}

void
loop_open(struct builder *builder, unsigned times)
{
  const struct block *block = &builder->program->blocks[builder->block];

  assert(builder->loop_at == LOOP_NONE && times < 64);
  emit(builder, OP_loop, times, 0, 0);
  builder->loop_at = block->op_first + block->op_count - 1;
  builder->loop_times = times;
}

void
loop_close(struct builder *builder)
{
  const struct block *block = &builder->program->blocks[builder->block];
  unsigned body = block->op_first + block->op_count - builder->loop_at - 1;

  assert(builder->loop_at != LOOP_NONE && body <= LOOP_BODY_MAX);
  builder->program->ops[builder->loop_at].operands[1] = (uint8_t)body;
  builder->loop_at = LOOP_NONE;
  builder->loop_times = 1;
}

void
reserve(struct builder *builder, unsigned index)
{
  assert(index < VM_REGISTER_COUNT);
  builder->reserved |= 1u << index;
}

void
release(struct builder *builder, unsigned index)
{
  assert(index < VM_REGISTER_COUNT);
  builder->reserved &= ~(1u << index);
}

unsigned
pick_dst(struct builder *builder)
{
  unsigned best = REGISTER_NONE;

  for (unsigned try = 0; try < 12; try++) {
    unsigned i = rng_below(builder->rng, VM_REGISTER_COUNT);

    if (builder->reserved >> i & 1)
      continue;
    best = i;
    if (builder->facts.registers[i].kind == FACT_NIL ||
        builder->facts.registers[i].kind == FACT_UNKNOWN)
      break;
  }
  for (unsigned i = 0; best == REGISTER_NONE && i < VM_REGISTER_COUNT; i++)
    if (!(builder->reserved >> i & 1))
      best = i;
  assert(best != REGISTER_NONE);
  return best;
}

/* The first register from a random start that `fits`. */
static unsigned
find(struct builder *builder, unsigned kinds, bool (*fits)(const struct fact *fact))
{
  unsigned start = rng_below(builder->rng, VM_REGISTER_COUNT);

  for (unsigned i = 0; i < VM_REGISTER_COUNT; i++) {
    unsigned index = (start + i) % VM_REGISTER_COUNT;
    const struct fact *fact = &builder->facts.registers[index];

    if (kinds >> fact->kind & 1 && fits(fact))
      return index;
  }
  return REGISTER_NONE;
}

static bool
is_usable(const struct fact *fact)
{
  return !fact->moved_on;
}

static bool
is_mutable(const struct fact *fact)
{
  bool indexed = fact->kind == FACT_OBJECT || fact->kind == FACT_PROC || fact->kind == FACT_CLASS;

  return (!fact->frozen || fact->kind == FACT_PROC) && (!indexed || fact->length > 0);
}

unsigned
find_kind(struct builder *builder, unsigned kinds)
{
  return find(builder, kinds, is_usable);
}

unsigned
find_mutable(struct builder *builder, unsigned kinds)
{
  return find(builder, kinds, is_mutable);
}

unsigned
find_plain(struct builder *builder)
{
  unsigned index = find(builder, KINDS_ANY & ~(1u << FACT_NIL), fact_is_plain);

  return index == REGISTER_NONE ? make_any(builder) : index;
}

static unsigned
define(struct builder *builder, unsigned dst, struct fact fact)
{
  builder->facts.registers[dst] = fact;
  return dst;
}

void
set_nil(struct builder *builder, unsigned dst)
{
  emit(builder, OP_nil, dst, 0, 0);
  define(builder, dst, (struct fact){.kind = FACT_NIL});
}

unsigned
make_object(struct builder *builder, unsigned fields)
{
  unsigned dst = pick_dst(builder);
  unsigned klass = find_kind(builder, 1u << FACT_CLASS | 1u << FACT_NIL);

  if (klass == REGISTER_NONE) {
    set_nil(builder, dst);
    klass = dst;
  }
  emit(builder, OP_object, dst, klass, fields);
  return define(builder, dst, fact_new(&builder->facts, FACT_OBJECT, fields));
}

unsigned
make_string(struct builder *builder, unsigned eighths)
{
  unsigned dst = pick_dst(builder);

  emit(builder, OP_string, dst, eighths, rng_below(builder->rng, 8));
  return define(builder, dst, fact_new(&builder->facts, FACT_STRING, eighths * 8));
}

unsigned
make_array(struct builder *builder, unsigned length)
{
  unsigned fill = find_plain(builder);
  unsigned dst = pick_dst(builder);
  struct fact fact = fact_new(&builder->facts, FACT_ARRAY, length);

  emit(builder, OP_array, dst, length, fill);
  if (length > 0 && fact_is_heap(&builder->facts.registers[fill]) &&
      !builder->facts.registers[fill].shareable)
    fact.group = builder->facts.registers[fill].group;
  return define(builder, dst, fact);
}

unsigned
make_hash(struct builder *builder)
{
  unsigned dst = pick_dst(builder);

  emit(builder, OP_hash, dst, 0, 0);
  return define(builder, dst, fact_new(&builder->facts, FACT_HASH, 0));
}

unsigned
make_class(struct builder *builder)
{
  unsigned dst = pick_dst(builder);

  emit(builder, OP_klass, dst, 0, 0);
  return define(builder, dst, fact_shareable(&builder->facts, FACT_CLASS, VM_CLASS_CONSTANT_COUNT));
}

unsigned
make_proc(struct builder *builder, unsigned slots, unsigned captured)
{
  unsigned dst = pick_dst(builder);
  const struct fact *inner = &builder->facts.registers[captured];
  struct fact fact = fact_new(&builder->facts, FACT_PROC, slots);

  assert(slots <= VM_PROC_SLOT_MAX);
  if (fact_is_heap(inner) && !inner->shareable)
    fact.group = inner->group;
  emit(builder, OP_proc, dst, slots, captured);
  return define(builder, dst, fact);
}

unsigned
make_port(struct builder *builder)
{
  unsigned dst = pick_dst(builder);

  emit(builder, OP_port, dst, 0, 0);
  return define(builder, dst, fact_shareable(&builder->facts, FACT_PORT, 0));
}

unsigned
make_any(struct builder *builder)
{
  switch (rng_below(builder->rng, 5)) {
  case 0:
    return make_string(builder, rng_below(builder->rng, 12));
  case 1:
    return make_hash(builder);
  case 2: {
    unsigned dst = pick_dst(builder);

    /* An empty Array: find_plain would come back here for a fill. */
    emit(builder, OP_array, dst, 0, dst);
    return define(builder, dst, fact_new(&builder->facts, FACT_ARRAY, 0));
  }
  default:
    return make_object(builder, rng_between(builder->rng, 1, 6));
  }
}

unsigned
make_like(struct builder *builder, const struct fact *fact)
{
  unsigned made;

  switch (fact->kind) {
  case FACT_OBJECT:
    made = make_object(builder, fact->length);
    break;
  case FACT_STRING:
    made = make_string(builder, fact->length / 8);
    break;
  case FACT_HASH:
    made = make_hash(builder);
    break;
  case FACT_PORT:
    return make_port(builder);
  case FACT_PROC:
    made = make_proc(builder, fact->length, make_any(builder));
    break;
  case FACT_CLASS:
    return make_class(builder);
  default:
    made = make_array(builder, fact->length);
    break;
  }
  if (fact->shareable)
    do_share(builder, made);
  return made;
}

void
do_share(struct builder *builder, unsigned root)
{
  emit(builder, OP_make_shareable, root, 0, 0);
  facts_share(&builder->facts, root);
}

void
do_copy(struct builder *builder, unsigned dst, unsigned from)
{
  emit(builder, OP_copy, dst, from, 0);
  builder->facts.registers[dst] = builder->facts.registers[from];
}

/* A legal index of an object of so many fields. */
static unsigned
index_of(struct builder *builder, const struct fact *fact)
{
  unsigned limit = fact->length < 32 ? fact->length : 32;

  return limit == 0 ? 0 : rng_below(builder->rng, limit);
}

void
do_push(struct builder *builder, unsigned list, unsigned child)
{
  emit(builder, OP_array_push, list, child, 0);
  builder->facts.registers[list].length += builder->loop_times;
  if (!builder->facts.registers[list].shareable)
    facts_join(&builder->facts, list, child);
}

void
do_store(struct builder *builder, unsigned parent, unsigned child)
{
  struct fact *fact = &builder->facts.registers[parent];
  unsigned index = index_of(builder, fact);

  if (fact->kind == FACT_OBJECT)
    emit(builder, fact->frozen ? OP_hidden_set : OP_field_set, parent, fact->frozen ? child : index,
         fact->frozen ? 0 : child);
  else if (fact->kind == FACT_HASH)
    emit(builder, OP_hash_set, parent, child, find_plain(builder));
  else if (fact->kind == FACT_PROC)
    emit(builder, OP_env_set, parent, index, child);
  else if (fact->kind == FACT_CLASS)
    emit(builder, OP_constant_set, parent, index, child);
  else if (fact->length > 0 && rng_percent(builder->rng, 40))
    emit(builder, OP_array_set, parent, index, child);
  else
    do_push(builder, parent, child);
  if (!fact->shareable)
    facts_join(&builder->facts, parent, child);
}

void
do_load(struct builder *builder, unsigned parent)
{
  const struct fact *fact = &builder->facts.registers[parent];
  unsigned dst = pick_dst(builder);
  unsigned index = index_of(builder, fact);

  if (fact->kind == FACT_OBJECT && fact->length > 0 &&
      !(fact->shareable && rng_percent(builder->rng, 50)))
    emit(builder, OP_field_get, dst, parent, index);
  else if (fact->kind == FACT_OBJECT)
    emit(builder, OP_hidden_get, dst, parent, 0);
  else if (fact->kind == FACT_PROC)
    emit(builder, OP_env_get, dst, parent, index);
  else if (fact->kind == FACT_CLASS)
    emit(builder, OP_constant_get, dst, parent, index);
  else if (fact->kind == FACT_HASH)
    emit(builder, OP_hash_get, dst, parent, find_plain(builder));
  else if (fact->length > 0)
    emit(builder, OP_array_get, dst, parent, index);
  else
    return;
  define(builder, dst, (struct fact){.kind = FACT_UNKNOWN, .group = fact->group});
}

void
do_gc(struct builder *builder)
{
  unsigned roll = rng_below(builder->rng, 10);

  emit(builder, OP_gc,
       roll < 5   ? RGC_KIND_MINOR
       : roll < 8 ? RGC_KIND_MAJOR
                  : RGC_KIND_GLOBAL,
       0, 0);
}
