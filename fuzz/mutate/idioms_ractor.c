/* idioms_ractor.c - idioms that start Ractors and talk to them; see idioms.h.
 *
 * A starter sends exactly the messages that the worker's plan waits for (or more), so that neither
 * waits for ever; only the program's blocks above the starter's are started, so that the tree of
 * Ractors is finite.
 */
#include <assert.h>

#include "fuzz/mutate/idioms.h"

/* A started worker: where its handle and the port for its reply are held. */
struct started {
  unsigned handle;
  unsigned port; /* REGISTER_NONE if it does not reply */
  unsigned block;
};

bool
may_spawn(const struct builder *builder)
{
  return builder->block + 1 < builder->planned_blocks && *builder->ractors_left > 0;
}

/* A block to start: each block is met, the next ones above more often. */
static unsigned
pick_block(struct builder *builder)
{
  unsigned above = builder->planned_blocks - builder->block - 1;

  return builder->block + 1 + rng_below(builder->rng, above);
}

/* Something private behind what the worker gets by reference: the worker may only be refused it
 * [INV-HOLDER]. */
static void
hide_secret(struct builder *builder, unsigned holder)
{
  const struct fact *fact = &builder->facts.registers[holder];

  if (!fact->shareable ||
      (fact->kind != FACT_PROC && fact->kind != FACT_CLASS && fact->kind != FACT_OBJECT) ||
      rng_percent(builder->rng, 40))
    return;
  reserve(builder, holder);
  do_store(builder, holder, make_any(builder));
  release(builder, holder);
}

static struct started
spawn(struct builder *builder)
{
  unsigned block = pick_block(builder);
  const struct worker_plan *plan = &builder->plans[block];
  struct started started = {.block = block, .port = REGISTER_NONE};
  unsigned argument = make_like(builder, &plan->argument);

  assert(may_spawn(builder));
  (*builder->ractors_left)--;
  hide_secret(builder, argument);
  reserve(builder, argument);
  started.handle = pick_dst(builder);
  emit(builder, OP_ractor_new, started.handle, block - 1, argument); /* main's has no number */
  builder->facts.registers[started.handle] = fact_shareable(&builder->facts, FACT_RACTOR, 0);
  builder->facts.registers[started.handle].moved_on = true; /* held by this idiom alone */
  reserve(builder, started.handle);
  if (plan->replies)
    started.port = argument;
  else
    release(builder, argument);
  return started;
}

/* Lets the worker run until it waits for messages or ends. */
static void
let_run(struct builder *builder, struct started *started)
{
  if (started->port == REGISTER_NONE) {
    emit(builder, OP_pass, 0, 0, 0);
    return;
  }
  unsigned dst = pick_dst(builder);

  emit(builder, OP_port_receive, dst, started->port, 0);
  builder->facts.registers[dst] = fact_new(&builder->facts, FACT_STRING, 16);
  release(builder, started->port);
  started->port = REGISTER_NONE;
}

static void
deliver(struct builder *builder, const struct started *started)
{
  const struct worker_plan *plan = &builder->plans[started->block];
  unsigned count = plan->message_count + (rng_percent(builder->rng, 15) ? 2 : 0);

  if (count == 0)
    return;
  unsigned message = make_like(builder, &plan->message);

  if (fact_is_plain(&builder->facts.registers[message]) && plan->message.kind == FACT_ARRAY &&
      !plan->message.shareable && rng_percent(builder->rng, 50))
    do_store(builder, message, make_any(builder));
  hide_secret(builder, message);
  unsigned target = started->handle;

  if (rng_percent(builder->rng, 20)) {
    reserve(builder, message);
    target = pick_dst(builder);
    release(builder, message);
    emit(builder, OP_ractor_port, target, started->handle, 0);
    builder->facts.registers[target] = (struct fact){.kind = FACT_UNKNOWN};
  }
  if (count <= 2) {
    for (unsigned i = 0; i < count; i++)
      emit(builder, OP_send, target, message, 0);
  } else {
    loop_open(builder, count);
    emit(builder, OP_send, target, message, 0);
    loop_close(builder);
  }
  if (rng_percent(builder->rng, 50))
    set_nil(builder, message);
}

static void
take_value(struct builder *builder, const struct started *started)
{
  unsigned dst = pick_dst(builder);
  const struct worker_plan *plan = &builder->plans[started->block];

  emit(builder, OP_value, dst, started->handle, 0);
  builder->facts.registers[dst] = plan->value;
  builder->facts.registers[dst].group = builder->facts.group_next++;
  if (plan->raises)
    builder->facts.registers[dst] = (struct fact){.kind = FACT_UNKNOWN};
  else if (rng_percent(builder->rng, 60))
    do_load(builder, dst);
  if (rng_percent(builder->rng, 3))
    emit(builder, OP_value, pick_dst(builder), started->handle, 0);
}

static void
let_go(struct builder *builder, const struct started *started)
{
  release(builder, started->handle);
  if (started->port != REGISTER_NONE)
    release(builder, started->port);
  if (rng_percent(builder->rng, 60))
    set_nil(builder, started->handle);
}

static void
global_gc(struct builder *builder)
{
  emit(builder, OP_gc, RGC_KIND_GLOBAL, 0, 0);
}

void
idiom_value(struct builder *builder)
{
  struct started started = spawn(builder);

  if (started.port != REGISTER_NONE || rng_percent(builder->rng, 60))
    let_run(builder, &started);
  if (rng_percent(builder->rng, 60))
    global_gc(builder);
  deliver(builder, &started);
  if (rng_percent(builder->rng, 30))
    do_gc(builder);
  take_value(builder, &started);
  if (rng_percent(builder->rng, 40))
    do_gc(builder);
  let_go(builder, &started);
}

/* Nobody keeps the handle: the heap is an orphan once its Ractor has ended. */
static void
idiom_orphan(struct builder *builder)
{
  struct started started = spawn(builder);

  if (rng_percent(builder->rng, 50))
    let_run(builder, &started);
  deliver(builder, &started);
  release(builder, started.handle);
  set_nil(builder, started.handle);
  if (started.port != REGISTER_NONE)
    release(builder, started.port);
  emit(builder, OP_pass, 0, 0, 0);
  global_gc(builder);
  if (rng_percent(builder->rng, 50)) {
    emit(builder, OP_pass, 0, 0, 0);
    do_gc(builder);
  }
}

/* A zombie that a global collection walks, and whose value is taken later or never. */
static void
idiom_join(struct builder *builder)
{
  struct started started = spawn(builder);

  deliver(builder, &started);
  emit(builder, OP_join, started.handle, 0, 0);
  global_gc(builder);
  if (rng_percent(builder->rng, 60))
    take_value(builder, &started);
  let_go(builder, &started);
}

/* Several at once, all alive at a global collection. */
static void
idiom_many(struct builder *builder)
{
  struct started started[3];
  unsigned count = 0;

  for (unsigned wanted = rng_between(builder->rng, 2, 3); count < wanted && may_spawn(builder);)
    started[count++] = spawn(builder);
  for (unsigned i = 0; i < count; i++)
    if (started[i].port != REGISTER_NONE || i == 0)
      let_run(builder, &started[i]);
  global_gc(builder);
  for (unsigned i = 0; i < count; i++)
    deliver(builder, &started[i]);
  if (rng_percent(builder->rng, 50))
    do_gc(builder);
  for (unsigned i = 0; i < count; i++) {
    if (rng_percent(builder->rng, 85))
      take_value(builder, &started[i]);
    let_go(builder, &started[i]);
  }
}

/* Messages to oneself: no other Ractor is needed, the pins are the same. */
static void
idiom_self_message(struct builder *builder)
{
  bool own_port = builder->block != 0 || rng_percent(builder->rng, 50);
  unsigned target = pick_dst(builder);

  if (own_port)
    target = make_port(builder);
  else {
    emit(builder, OP_ractor_current, target, 0, 0);
    builder->facts.registers[target] = fact_shareable(&builder->facts, FACT_RACTOR, 0);
  }
  reserve(builder, target);
  unsigned message = find_kind(builder, KINDS_COPYABLE);

  if (message == REGISTER_NONE)
    message = make_any(builder);
  struct fact fact = builder->facts.registers[message];

  emit(builder, OP_send, target, message, 0);
  do_gc(builder);
  unsigned dst = pick_dst(builder);

  if (own_port)
    emit(builder, OP_port_receive, dst, target, 0);
  else
    emit(builder, OP_receive, dst, 0, 0);
  builder->facts.registers[dst] = fact;
  builder->facts.registers[dst].group = builder->facts.group_next++;
  release(builder, target);
}

/* Messages that nobody takes, dropped with their port. */
static void
idiom_undelivered(struct builder *builder)
{
  unsigned port = make_port(builder);

  reserve(builder, port);
  for (unsigned i = rng_between(builder->rng, 1, 3); i > 0; i--)
    emit(builder, OP_send, port, make_any(builder), 0);
  do_gc(builder);
  if (rng_percent(builder->rng, 50)) {
    emit(builder, OP_port_close, port, 0, 0);
    builder->facts.registers[port].moved_on = true;
  }
  release(builder, port);
  set_nil(builder, port);
}

/* Takes a message if one is there: what one sent to oneself, or what somebody else sent first. */
static void
idiom_poll(struct builder *builder)
{
  unsigned self = pick_dst(builder);

  if (builder->confluent)
    return;
  emit(builder, OP_ractor_current, self, 0, 0);
  builder->facts.registers[self] = fact_shareable(&builder->facts, FACT_RACTOR, 0);
  reserve(builder, self);
  if (rng_percent(builder->rng, 85))
    emit(builder, OP_send, self, make_any(builder), 0);
  if (rng_percent(builder->rng, 40))
    do_gc(builder);
  release(builder, self);
  unsigned dst = pick_dst(builder);

  emit(builder, OP_try_receive, dst, 0, 0);
  builder->facts.registers[dst] = (struct fact){.kind = FACT_UNKNOWN};
}

const struct idiom idioms_ractor[] = {
    {"value", IDIOM_RACTOR, 12, idiom_value},
    {"orphan", IDIOM_RACTOR, 5, idiom_orphan},
    {"join", IDIOM_RACTOR, 5, idiom_join},
    {"many", IDIOM_RACTOR, 7, idiom_many},
    {"self message", IDIOM_SHARE, 5, idiom_self_message},
    {"poll", IDIOM_SHARE, 4, idiom_poll},
    {"undelivered", IDIOM_SHARE, 3, idiom_undelivered},
};
const unsigned idioms_ractor_count = sizeof idioms_ractor / sizeof idioms_ractor[0];
