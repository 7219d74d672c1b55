/* events.c - the events of events.def, one function each; see events.h.
 *
 * An event plays a legal embedder: it respects containment and asks rgc_phase_may before each step,
 * so whatever fails afterwards is the collector's.  One that is not legal now does nothing.
 * Oracles are told what an event means for a record, from its operands (rgc/observe.h).
 */
#include "fuzz/exec/events.h"

#include "fuzz/exec/bare_host.h"
#include "fuzz/exec/control.h"
#include "fuzz/exec/sim.h"
#include "fuzz/program/settings.h"
#include "rgc/verify.h"

/* Each returns whether it did something. */
#define RUN(name) static bool run_##name(struct bare_host *h, const struct op *op)

static struct rgc_objspace *
space_of(const struct bare_host *h, const struct op *op, unsigned operand)
{
  return h->spaces[op->operands[operand] % BARE_SPACE_COUNT];
}

static rgc_ref *
entry_of(struct bare_host *h, const struct op *op, unsigned operand)
{
  return &h->objects[op->operands[operand] % BARE_OBJECT_COUNT];
}

static bool
may(const struct bare_host *h, const struct rgc_objspace *space, enum rgc_step step)
{
  return space != NULL && rgc_phase_may(h->world, space, step);
}

static bool
is_private(rgc_ref obj)
{
  return bare_object(obj)->shareable == 0;
}

RUN(create)
{
  unsigned at = op->operands[0] % BARE_SPACE_COUNT;

  if (h->spaces[at] != NULL || rgc_world_phase(h->world) != RGC_PHASE_RUNNING ||
      rgc_objspace_create(h->world, NULL, &h->spaces[at]) != RGC_OK)
    return false;
  h->ended[at] = false;
  return true;
}

RUN(start)
{
  if (!may(h, space_of(h, op, 0), RGC_STEP_START_LIFE))
    return false;
  rgc_objspace_start(space_of(h, op, 0));
  return true;
}

/* A Ractor that ends has a pending value at most: every other root of it goes. */
static void
leave_pending_value(struct bare_host *h, struct rgc_objspace *space)
{
  bool kept = false;

  for (unsigned i = 0; i < BARE_OBJECT_COUNT; i++) {
    rgc_ref *entry = &h->objects[i];

    if (entry->bits == 0 || rgc_owner(h->world, *entry) != space || !is_private(*entry))
      continue;
    if (kept)
      entry->bits = 0;
    else
      rgc_pin_in_flight(space, *entry);
    kept = true;
  }
  for (unsigned i = 0; i < BARE_WORD_COUNT; i++) {
    if (h->word_owners[i] == space)
      h->words[i] = 0;
  }
}

RUN(disown)
{
  struct rgc_objspace *space = space_of(h, op, 0);

  if (!may(h, space, RGC_STEP_START_LIFE))
    return false;
  leave_pending_value(h, space);
  rgc_objspace_disown(space);
  h->ended[op->operands[0] % BARE_SPACE_COUNT] = true;
  return true;
}

RUN(allocate)
{
  struct rgc_objspace *space = space_of(h, op, 1);
  unsigned slots = op->operands[2] % (BARE_SLOT_MAX + 1);

  if (!may(h, space, RGC_STEP_ALLOCATE))
    return false;
  rgc_ref obj = rgc_allocate(space, bare_object_size(slots));
  if (obj.bits == 0)
    return false;
  bare_object(obj)->slot_count = slots;
  bare_object(obj)->identity = ++h->next_identity;
  bare_made(h, obj);
  *entry_of(h, op, 0) = obj;
  h->entry_spaces[op->operands[0] % BARE_OBJECT_COUNT] = op->operands[1] % BARE_SPACE_COUNT;
  return true;
}

/* Whose thread may store `child` into `parent` now; NULL: nobody. */
static struct rgc_objspace *
storing_space(const struct bare_host *h, rgc_ref parent, rgc_ref child)
{
  struct rgc_objspace *by = rgc_owner(h->world, is_private(child) ? child : parent);

  if (is_private(parent) && is_private(child) && rgc_owner(h->world, parent) != by)
    return NULL;
  if (!is_private(parent) && !is_private(child) && !may(h, by, RGC_STEP_STORE))
    by = h->spaces[0];
  return may(h, by, RGC_STEP_STORE) ? by : NULL;
}

/* Its barrier is due, but for nil. */
static void
store_slot(struct bare_host *h, rgc_ref parent, unsigned operand, rgc_ref child)
{
  unsigned at = operand % bare_object(parent)->slot_count;
  rgc_ref *slot = &bare_object(parent)->slots[at];

  RGC_OBSERVE(h->platform, store, parent, slot, child.bits);
  *slot = child;
  RGC_OBSERVE(h->platform, assigned, parent, at, child.bits);
}

RUN(store)
{
  rgc_ref parent = *entry_of(h, op, 0);
  rgc_ref child = *entry_of(h, op, 2);

  if (parent.bits == 0 || child.bits == 0 || bare_object(parent)->slot_count == 0)
    return false;
  struct rgc_objspace *by = storing_space(h, parent, child);
  if (by == NULL)
    return false;
  store_slot(h, parent, op->operands[1], child);
  h->platform->ops->schedule_point(h->platform->self, RGC_SITE_STORE);
  rgc_write_barrier(by, parent, child);
  RGC_OBSERVE(h->platform, stored);
  return true;
}

RUN(erase)
{
  rgc_ref parent = *entry_of(h, op, 0);

  if (parent.bits == 0 || bare_object(parent)->slot_count == 0 ||
      rgc_world_phase(h->world) != RGC_PHASE_RUNNING)
    return false;
  if (is_private(parent) && !may(h, rgc_owner(h->world, parent), RGC_STEP_STORE))
    return false;
  store_slot(h, parent, op->operands[1], (rgc_ref){0});
  RGC_OBSERVE(h->platform, stored);
  return true;
}

RUN(forget)
{
  bool held = entry_of(h, op, 0)->bits != 0 && rgc_world_phase(h->world) == RGC_PHASE_RUNNING;

  if (held)
    entry_of(h, op, 0)->bits = 0;
  return held;
}

RUN(promote)
{
  rgc_ref obj = *entry_of(h, op, 0);

  if (obj.bits == 0 || !is_private(obj) || !may(h, rgc_owner(h->world, obj), RGC_STEP_PROMOTE))
    return false;
  bare_object(obj)->shareable = 1;
  rgc_became_shareable(rgc_owner(h->world, obj), obj);
  return true;
}

RUN(pin)
{
  rgc_ref obj = *entry_of(h, op, 0);

  if (obj.bits == 0 || !is_private(obj) || !may(h, rgc_owner(h->world, obj), RGC_STEP_PIN))
    return false;
  rgc_pin_in_flight(rgc_owner(h->world, obj), obj);
  h->pins[op->operands[0] % BARE_OBJECT_COUNT] = obj;
  return true;
}

RUN(unpin)
{
  rgc_ref *pin = &h->pins[op->operands[0] % BARE_OBJECT_COUNT];
  bool held = pin->bits != 0 && rgc_world_phase(h->world) == RGC_PHASE_RUNNING;

  if (held)
    pin->bits = 0;
  return held;
}

RUN(word)
{
  rgc_ref obj = *entry_of(h, op, 0);
  unsigned at = op->operands[1] % BARE_WORD_COUNT;

  if (obj.bits == 0 || !may(h, rgc_owner(h->world, obj), RGC_STEP_STORE))
    return false;
  h->words[at] = obj.bits + (op->operands[1] >= BARE_WORD_COUNT ? 8 : 0);
  h->word_owners[at] = rgc_owner(h->world, obj);
  return true;
}

RUN(unword)
{
  unsigned at = op->operands[0] % BARE_WORD_COUNT;
  bool held = h->words[at] != 0 && rgc_world_phase(h->world) == RGC_PHASE_RUNNING;

  if (held)
    h->words[at] = 0;
  return held;
}

RUN(collect)
{
  struct rgc_objspace *space = space_of(h, op, 0);

  if (!may(h, space, RGC_STEP_LOCAL_START) || !may(h, space, RGC_STEP_STOP))
    return false;
  rgc_collect(space, (enum rgc_kind)op->operands[1], RGC_REASON_EXPLICIT);
  return true;
}

RUN(local_start)
{
  struct rgc_objspace *space = space_of(h, op, 0);

  if (!may(h, space, RGC_STEP_LOCAL_START))
    return false;
  rgc_step_local_start(space, op->operands[1] == RGC_KIND_MINOR ? RGC_KIND_MINOR : RGC_KIND_MAJOR);
  return true;
}

RUN(local_mark)
{
  if (!may(h, space_of(h, op, 0), RGC_STEP_LOCAL_MARK))
    return false;
  rgc_step_local_mark(space_of(h, op, 0), op->operands[1]);
  return true;
}

RUN(local_finish)
{
  if (!may(h, space_of(h, op, 0), RGC_STEP_LOCAL_FINISH))
    return false;
  rgc_step_local_finish(space_of(h, op, 0));
  return true;
}

RUN(sweep_page)
{
  if (!may(h, space_of(h, op, 0), RGC_STEP_SWEEP_PAGE))
    return false;
  rgc_step_sweep_page(space_of(h, op, 0));
  return true;
}

RUN(sweep_rest)
{
  if (!may(h, space_of(h, op, 0), RGC_STEP_SWEEP_REST))
    return false;
  rgc_step_sweep_rest(space_of(h, op, 0));
  return true;
}

RUN(stop)
{
  struct rgc_objspace *space = space_of(h, op, 0);

  if (!may(h, space, RGC_STEP_STOP))
    return false;
  rgc_world_stop(space, RGC_REASON_EXPLICIT);
  h->stopper = space;
  return true;
}

static bool
run_global(struct bare_host *h, enum rgc_step step)
{
  if (!rgc_phase_may(h->world, NULL, step))
    return false;
  rgc_step_global(h->world, step);
  return true;
}

#define RUN_GLOBAL(name, step)                                                                     \
  RUN(name)                                                                                        \
  {                                                                                                \
    (void)op;                                                                                      \
    return run_global(h, step);                                                                    \
  }

RUN_GLOBAL(settle, RGC_STEP_SETTLE)
RUN_GLOBAL(clear, RGC_STEP_CLEAR)
RUN_GLOBAL(mark, RGC_STEP_MARK)
RUN_GLOBAL(weak, RGC_STEP_WEAK)
RUN_GLOBAL(sweep, RGC_STEP_SWEEP)
RUN_GLOBAL(budget, RGC_STEP_BUDGET)
RUN_GLOBAL(recount, RGC_STEP_RECOUNT)

RUN(resume)
{
  (void)op;
  if (!rgc_phase_may(h->world, NULL, RGC_STEP_RESUME))
    return false;
  rgc_world_resume(h->stopper);
  return true;
}

/* Objspace 0 is main's and does not end. */
RUN(retire)
{
  struct rgc_objspace *space = space_of(h, op, 0);

  if (space == h->spaces[0] || !may(h, space, RGC_STEP_RETIRE))
    return false;
  leave_pending_value(h, space);
  rgc_objspace_retire(space);
  h->ended[op->operands[0] % BARE_SPACE_COUNT] = true;
  return true;
}

static bool
absorb(struct bare_host *h, unsigned taker, unsigned dead)
{
  if (taker == dead || !may(h, h->spaces[taker], RGC_STEP_STORE) ||
      !may(h, h->spaces[dead], RGC_STEP_ABSORB))
    return false;
  if (rgc_objspace_absorb(h->spaces[taker], h->spaces[dead]) != RGC_OK)
    return false;
  h->owed[taker] += h->owed[dead];
  h->owed[dead] = 0;
  h->spaces[dead] = NULL;
  for (unsigned i = 0; i < BARE_OBJECT_COUNT; i++) {
    if (h->entry_spaces[i] == dead)
      h->entry_spaces[i] = (uint8_t)taker;
  }
  return true;
}

RUN(absorb)
{
  return absorb(h, op->operands[0] % BARE_SPACE_COUNT, op->operands[1] % BARE_SPACE_COUNT);
}

/* Odd bytes give back what was charged. */
RUN(malloc)
{
  unsigned at = op->operands[0] % BARE_SPACE_COUNT;
  size_t bytes = (size_t)op->operands[1] * 64;

  if (!may(h, h->spaces[at], RGC_STEP_STORE))
    return false;
  if ((op->operands[1] & 1u) != 0) {
    bytes = bytes < h->owed[at] ? bytes : h->owed[at];
    h->owed[at] -= bytes;
    return rgc_malloc_charge(h->spaces[at], -(ptrdiff_t)bytes);
  }
  if (!rgc_malloc_charge(h->spaces[at], (ptrdiff_t)bytes))
    return false;
  h->owed[at] += bytes;
  return true;
}

RUN(verify)
{
  (void)op;
  if (rgc_world_phase(h->world) != RGC_PHASE_RUNNING) {
    rgc_verify_world_stw(h->world);
    return true;
  }
  if (!may(h, h->spaces[0], RGC_STEP_STOP))
    return false;
  rgc_world_stop(h->spaces[0], RGC_REASON_EXPLICIT);
  rgc_verify_world_stw(h->world);
  rgc_world_resume(h->spaces[0]);
  return true;
}

RUN(loop)
{
  (void)h;
  (void)op;
  return true;
}

static bool (*const run_table[])(struct bare_host *h, const struct op *op) = {
#define OP(name, a, b, c, weight, section, ruby, text) run_##name,
#include "fuzz/program/events.def"
#undef OP
};

static void
run_block(struct bare_host *h, const struct program *program, const struct observer *observer)
{
  struct cursor cursor;
  unsigned op_index = 0;

  cursor_begin(&cursor, &program->blocks[0]);
  while (cursor_next(&cursor, &op_index)) {
    const struct op *op = &program->ops[op_index];

    h->platform->ops->schedule_point(h->platform->self, RGC_SITE_OP);
    if (!observer->op_begin(observer->self, op_index, op->code, op->operands[0], NULL))
      return;
    bool effective = run_table[op->code](h, op);
    struct op_value value = {.digest =
                                 (uint64_t)rgc_world_phase(h->world) << 32 | h->next_identity};

    observer->op_end(observer->self, op_index, op->code, effective, effective, &value);
    if (op->code == EV_loop)
      cursor_loop(&cursor, op->operands[0], op->operands[1]);
  }
}

/* Ends whatever is under way in a legal order. */
static void
wind_down(struct bare_host *h)
{
  static const enum rgc_step rest[] = {RGC_STEP_SETTLE, RGC_STEP_CLEAR, RGC_STEP_MARK,
                                       RGC_STEP_WEAK,   RGC_STEP_SWEEP, RGC_STEP_BUDGET,
                                       RGC_STEP_RECOUNT};

  for (unsigned i = 0; i < sizeof rest / sizeof rest[0]; i++)
    run_global(h, rest[i]);
  if (rgc_phase_may(h->world, NULL, RGC_STEP_RESUME))
    rgc_world_resume(h->stopper);
  for (unsigned i = 0; i < BARE_SPACE_COUNT; i++) {
    struct op op = {.operands = {(uint8_t)i}};

    run_local_finish(h, &op);
    run_disown(h, &op);
    run_retire(h, &op);
    absorb(h, 0, i);
  }
}

static void
check_accounts(struct bare_host *h, struct rgc_world_stats *stats)
{
  rgc_world_get_stats(h->world, stats);
  if (stats->used_page_count + stats->pool_page_count != stats->arena_page_count)
    observe_account_failed(h->platform, "O5-pages", "used and free pages are not all pages");
  if (stats->zombie_page_count != 0)
    observe_account_failed(h->platform, "O5-zombies", "zombie pages are counted without a zombie");
  if (stats->objspace_count != 1)
    observe_account_failed(h->platform, "O5-objspaces", "more than objspace 0 is left");
  if (stats->offheap_bytes != h->owed[0])
    observe_account_failed(h->platform, "O5-offheap", "off-heap bytes differ from the charges");
}

bool
events_run(const struct program *program, const struct rgc_platform *platform,
           enum exec_verify verify, const struct observer *observer, struct rgc_world_stats *stats)
{
  struct bare_host host = {.platform = platform};
  struct rgc_config config = {.platform = *platform, .host = &bare_host_ops, .vm = &host};
  struct rgc_subject subject = bare_subject(&host);

  program_rgc_settings(program, &config.settings);
  subject.interior_pins = config.settings.interior_pins;
  RGC_OBSERVE(platform, began, &subject);
  host.world = rgc_world_create(&config);
  if (host.world == NULL)
    return false;
  rgc_verify_install(host.world, (enum rgc_verify_level)verify);
  sim.world = host.world;
  if (rgc_objspace_create(host.world, NULL, &host.spaces[0]) == RGC_OK) {
    rgc_objspace_start(host.spaces[0]);
    run_block(&host, program, observer);
    wind_down(&host);
    RGC_OBSERVE(platform, ended, 0);
    check_accounts(&host, stats);
    rgc_malloc_charge(host.spaces[0], -(ptrdiff_t)host.owed[0]);
  }
  sim.world = NULL;
  rgc_world_destroy(host.world);
  return true;
}
