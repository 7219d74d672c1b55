/* idioms.c - idioms of one heap and of sharing; see idioms.h. */
#include "fuzz/mutate/idioms.h"

#include <assert.h>

enum { CROWD_OPS_MAX = 720 };

static unsigned
between(struct builder *builder, unsigned low, unsigned high)
{
  return rng_between(builder->rng, low, high);
}

static void
gc(struct builder *builder, unsigned kind)
{
  emit(builder, OP_gc, kind, 0, 0);
}

/* Allocates and drops at once. */
static void
idiom_churn(struct builder *builder)
{
  unsigned keep = pick_dst(builder);

  set_nil(builder, keep);
  reserve(builder, keep);
  loop_open(builder, between(builder, 8, 40));
  unsigned made = make_any(builder);

  if (rng_percent(builder->rng, 40))
    do_copy(builder, keep, made);
  if (rng_percent(builder->rng, 30))
    make_any(builder);
  loop_close(builder);
  release(builder, keep);
  if (rng_percent(builder->rng, 40))
    do_gc(builder);
}

void
idiom_empty_page(struct builder *builder)
{
  unsigned list = make_array(builder, 0);
  unsigned count = between(builder, 30, 60);
  unsigned fields = between(builder, 1, 8);

  reserve(builder, list);
  loop_open(builder, count);
  unsigned made = make_object(builder, fields);

  do_push(builder, list, made);
  loop_close(builder);
  if (rng_percent(builder->rng, 50))
    gc(builder, RGC_KIND_MINOR);
  set_nil(builder, made);
  set_nil(builder, list);
  release(builder, list);
  gc(builder, rng_percent(builder->rng, 50) ? RGC_KIND_MAJOR : RGC_KIND_GLOBAL);
  if (rng_percent(builder->rng, 50))
    gc(builder, RGC_KIND_MAJOR);
}

/* How often `ops` may be repeated: at least once. */
static unsigned
rounds_left(const struct builder *builder, unsigned ops)
{
  unsigned left =
      builder->executed < builder->executed_max ? builder->executed_max - builder->executed : 0;

  if (left > CROWD_OPS_MAX)
    left = CROWD_OPS_MAX;
  return left > ops ? left / ops : 1;
}

/* So many objects that pages, mark stack and counters notice, all old or all shareable. */
static void
idiom_crowd(struct builder *builder)
{
  bool shares = rng_percent(builder->rng, 40);
  unsigned list = make_array(builder, 0);
  unsigned each_round = between(builder, 1, 6), ops = each_round * (shares ? 3 : 2);
  unsigned rounds = between(builder, 30, 63);
  unsigned fitting = rounds_left(builder, ops);

  reserve(builder, list);
  loop_open(builder, rounds < fitting ? rounds : fitting);
  for (unsigned i = 0; i < each_round; i++) {
    unsigned made = make_any(builder);

    if (shares)
      do_share(builder, made);
    do_push(builder, list, made);
  }
  loop_close(builder);
  if (!shares || rng_percent(builder->rng, 50)) {
    loop_open(builder, 3);
    gc(builder, RGC_KIND_MINOR);
    loop_close(builder);
  }
  if (rng_percent(builder->rng, 40))
    do_gc(builder);
  do_load(builder, list);
  release(builder, list);
}

/* A list linked through first fields, which only the head keeps alive. */
static void
idiom_chain(struct builder *builder)
{
  unsigned head = make_object(builder, 2);

  reserve(builder, head);
  loop_open(builder, between(builder, 3, 20));
  unsigned link = make_object(builder, 2);

  emit(builder, OP_field_set, link, 0, head);
  do_copy(builder, head, link);
  loop_close(builder);
  release(builder, head);
  builder->facts.registers[head] = builder->facts.registers[link];
  if (rng_percent(builder->rng, 50))
    set_nil(builder, link);
}

static void
idiom_hash(struct builder *builder)
{
  unsigned hash = make_hash(builder);

  reserve(builder, hash);
  loop_open(builder, between(builder, 3, 24));
  unsigned key = rng_percent(builder->rng, 50) ? make_object(builder, 1) : make_string(builder, 1);
  unsigned value = make_any(builder);

  emit(builder, OP_hash_set, hash, key, value);
  loop_close(builder);
  facts_join(&builder->facts, hash, key);
  facts_join(&builder->facts, hash, value);
  release(builder, hash);
  emit(builder, OP_hash_get, pick_dst(builder), hash, key);
}

/* Off-heap buffers that grow and go, or that others may see and a dead heap may keep. */
static void
idiom_buffers(struct builder *builder)
{
  unsigned string = make_string(builder, between(builder, 0, 8));

  reserve(builder, string);
  loop_open(builder, between(builder, 2, 20));
  emit(builder, OP_string_append, string, between(builder, 4, 24), rng_below(builder->rng, 8));
  make_string(builder, between(builder, 8, 40));
  loop_close(builder);
  if (rng_percent(builder->rng, 35))
    do_share(builder, string);
  if (rng_percent(builder->rng, 35))
    do_gc(builder);
  emit(builder, OP_string_byte, pick_dst(builder), string, between(builder, 0, 31));
  release(builder, string);
  if (rng_percent(builder->rng, 30))
    set_nil(builder, string);
}

/* An old parent gets a young child that only it keeps alive. */
static void
idiom_old_to_young(struct builder *builder)
{
  unsigned parent =
      rng_percent(builder->rng, 50) ? make_array(builder, 3) : make_object(builder, 3);

  reserve(builder, parent);
  loop_open(builder, 3);
  gc(builder, RGC_KIND_MINOR);
  loop_close(builder);
  unsigned child = make_any(builder);

  do_store(builder, parent, child);
  set_nil(builder, child);
  gc(builder, RGC_KIND_MINOR);
  do_load(builder, parent);
  release(builder, parent);
}

/* Words of every kind on the machine stack, with the register's reference gone. */
static void
idiom_stack(struct builder *builder)
{
  unsigned count = between(builder, 1, 4);
  unsigned kind = 0;

  for (unsigned i = 0; i < count; i++) {
    unsigned made = make_any(builder);

    kind = rng_below(builder->rng, VM_WORD_KIND_COUNT);
    emit(builder, OP_stack_push, made, kind, 0);
    if (rng_percent(builder->rng, 70))
      set_nil(builder, made);
  }
  do_gc(builder);
  if (kind == VM_WORD_REFERENCE) {
    unsigned dst = pick_dst(builder);

    emit(builder, OP_stack_load, dst, 0, 0);
    builder->facts.registers[dst] = (struct fact){.kind = FACT_UNKNOWN};
  }
  emit(builder, OP_stack_pop, rng_percent(builder->rng, 80) ? count : count - 1, 0, 0);
}

static void
idiom_typed(struct builder *builder)
{
  typed_ops(builder, between(builder, 3, 10));
}

/* A few ops that depend on what was loaded. */
static void
idiom_skip(struct builder *builder)
{
  const struct block *block = &builder->program->blocks[builder->block];
  unsigned parent = find_kind(builder, KINDS_CONTAINER | 1u << FACT_PROC);

  if (parent == REGISTER_NONE)
    parent = make_array(builder, 2);
  do_load(builder, parent);
  unsigned tested = rng_percent(builder->rng, 70) ? find_plain(builder)
                                                  : rng_below(builder->rng, VM_REGISTER_COUNT);

  emit(builder, OP_skip_if_nil, tested, 0, 0);
  unsigned at = block->op_first + block->op_count - 1;

  do_store(builder, make_array(builder, between(builder, 0, 4)), tested);
  if (rng_percent(builder->rng, 40))
    do_gc(builder);
  unsigned length = block->op_first + block->op_count - at - 1;

  assert(builder->program->ops[at].code == OP_skip_if_nil && length < 64);
  builder->program->ops[at].operands[1] = (uint8_t)length;
}

/* A graph of a few objects becomes shareable as a whole, and private things hang off it. */
static void
idiom_share_graph(struct builder *builder)
{
  unsigned root = make_object(builder, 3);

  reserve(builder, root);
  for (unsigned i = between(builder, 1, 3); i > 0; i--) {
    unsigned inner = make_any(builder);

    do_store(builder, root, inner);
    if (rng_percent(builder->rng, 50))
      do_store(builder, inner, make_string(builder, 2));
  }
  if (rng_percent(builder->rng, 50))
    emit(builder, OP_hidden_set, root, make_any(builder), 0);
  do_share(builder, root);
  if (rng_percent(builder->rng, 60)) {
    unsigned secret = make_any(builder);

    emit(builder, OP_hidden_set, root, secret, 0);
    set_nil(builder, secret);
  }
  do_gc(builder);
  emit(builder, OP_hidden_get, pick_dst(builder), root, 0);
  release(builder, root);
}

/* A shareable Proc whose environment holds private values. */
static void
idiom_environment(struct builder *builder)
{
  unsigned proc = make_proc(builder, between(builder, 1, VM_PROC_SLOT_MAX), make_any(builder));

  reserve(builder, proc);
  if (rng_percent(builder->rng, 75))
    do_share(builder, proc);
  for (unsigned i = between(builder, 1, 3); i > 0; i--) {
    unsigned secret = make_any(builder);

    do_store(builder, proc, secret);
    set_nil(builder, secret);
  }
  do_gc(builder);
  do_load(builder, proc);
  release(builder, proc);
}

/* Class constants that hold private values. */
static void
idiom_constants(struct builder *builder)
{
  unsigned klass = builder->block == 0 ? find_kind(builder, 1u << FACT_CLASS) : REGISTER_NONE;

  if (klass == REGISTER_NONE)
    klass = make_class(builder);
  reserve(builder, klass);
  unsigned secret = make_any(builder);

  do_store(builder, klass, secret);
  set_nil(builder, secret);
  emit(builder, OP_object, pick_dst(builder), klass, between(builder, 0, 4));
  do_gc(builder);
  do_load(builder, klass);
  release(builder, klass);
}

/* The weak table of strings: entries that die and come again. */
static void
idiom_intern(struct builder *builder)
{
  for (unsigned i = between(builder, 1, 3); i > 0; i--) {
    unsigned string = make_string(builder, between(builder, 0, 3));

    emit(builder, OP_string_intern, string, string, 0);
    builder->facts.registers[string] = fact_shareable(&builder->facts, FACT_STRING, 0);
    if (rng_percent(builder->rng, 60))
      set_nil(builder, string);
    if (rng_percent(builder->rng, 30))
      do_gc(builder);
  }
}

const struct idiom idioms_heap[] = {
    {"churn", IDIOM_HEAP, 10, idiom_churn},
    {"empty page", IDIOM_HEAP, 6, idiom_empty_page},
    {"crowd", IDIOM_HEAP, 3, idiom_crowd},
    {"chain", IDIOM_HEAP, 8, idiom_chain},
    {"hash", IDIOM_HEAP, 6, idiom_hash},
    {"buffers", IDIOM_HEAP, 5, idiom_buffers},
    {"old to young", IDIOM_HEAP, 8, idiom_old_to_young},
    {"stack", IDIOM_HEAP, 8, idiom_stack},
    {"typed ops", IDIOM_HEAP, 22, idiom_typed},
    {"skip", IDIOM_HEAP, 4, idiom_skip},
    {"share graph", IDIOM_SHARE, 10, idiom_share_graph},
    {"environment", IDIOM_SHARE, 10, idiom_environment},
    {"constants", IDIOM_SHARE, 6, idiom_constants},
    {"intern", IDIOM_SHARE, 6, idiom_intern},
};
const unsigned idioms_heap_count = sizeof idioms_heap / sizeof idioms_heap[0];

/* One pass over both tables: the sum of weights, or, given a roll, the idiom it falls on. */
static unsigned
pass_over(const struct idiom *table, unsigned count, const unsigned *weights, unsigned roll,
          const struct idiom **hit)
{
  unsigned total = 0;

  for (unsigned i = 0; i < count; i++) {
    unsigned weight = table[i].weight * weights[table[i].group];

    if (*hit == NULL && roll < total + weight && roll >= total)
      *hit = &table[i];
    total += weight;
  }
  return total;
}

void
idiom_random(struct builder *builder, const unsigned weights[IDIOM_GROUP_COUNT])
{
  const struct idiom *none = &idioms_heap[0], *hit = NULL;
  unsigned usable[IDIOM_GROUP_COUNT] = {weights[IDIOM_HEAP], weights[IDIOM_SHARE],
                                        may_spawn(builder) ? weights[IDIOM_RACTOR] : 0};
  unsigned heap = pass_over(idioms_heap, idioms_heap_count, usable, 0, &none);
  unsigned ractor = pass_over(idioms_ractor, idioms_ractor_count, usable, 0, &none);

  assert(heap + ractor > 0);
  unsigned roll = rng_below(builder->rng, heap + ractor);

  if (roll < heap)
    pass_over(idioms_heap, idioms_heap_count, usable, roll, &hit);
  else
    pass_over(idioms_ractor, idioms_ractor_count, usable, roll - heap, &hit);
  assert(hit != NULL);
  hit->write(builder);
}
