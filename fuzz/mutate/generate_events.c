/* generate_events.c - event sequences for the bare collector.
 *
 * Keeps its own small model of lives, cycles and the world's phase, so that most events are legal
 * when their turn comes, and interleaves the local cycles of several objspaces: each step picks one
 * objspace and does its next thing.  One event in twelve ignores the model.
 */
#include <assert.h>

#include "fuzz/mutate/generate.h"
#include "rgc/phases.h"
#include "rgc/rgc.h"

enum { OBJSPACES = 8, OBJECTS = 32, SLOTS = 8, WILD_ONE_IN = 12, UNUSED = RGC_LIFE_COUNT };

struct event_object {
  bool used;
  bool shareable;
  bool pinned;
  unsigned objspace;
};

struct event_model {
  struct program *program;
  struct rng *rng;
  unsigned lives[OBJSPACES]; /* enum rgc_life or UNUSED */
  enum rgc_cycle cycles[OBJSPACES];
  struct event_object objects[OBJECTS];
  unsigned op_target;
};

static void
event(struct event_model *model, unsigned code, unsigned a, unsigned b, unsigned c)
{
  struct program *program = model->program;
  struct op op = {.code = (uint8_t)code, .operands = {(uint8_t)a, (uint8_t)b, (uint8_t)c}};

  assert(code < EV_COUNT && a < 256 && b < 256 && c < 256);
  program_insert_op(program, 0, program->op_count, op);
}

static bool
is_owned(const struct event_model *model, unsigned objspace)
{
  return model->lives[objspace] == RGC_LIFE_CREATING || model->lives[objspace] == RGC_LIFE_LIVE;
}

/* A mutator may act: owned and not marking. */
static bool
is_quiet(const struct event_model *model, unsigned objspace)
{
  return is_owned(model, objspace) && model->cycles[objspace] != RGC_CYCLE_MARKING;
}

/* A quiet objspace from a random start; OBJSPACES if there is none. */
static unsigned
pick_quiet(struct event_model *model)
{
  unsigned start = rng_below(model->rng, OBJSPACES);

  for (unsigned i = 0; i < OBJSPACES; i++)
    if (is_quiet(model, (start + i) % OBJSPACES))
      return (start + i) % OBJSPACES;
  return OBJSPACES;
}

static unsigned
pick_life(struct event_model *model, unsigned life)
{
  unsigned start = rng_below(model->rng, OBJSPACES);

  for (unsigned i = 0; i < OBJSPACES; i++)
    if (model->lives[(start + i) % OBJSPACES] == life)
      return (start + i) % OBJSPACES;
  return OBJSPACES;
}

/* A used object whose owner is quiet, of `objspace` unless that is OBJSPACES. */
static unsigned
pick_object(struct event_model *model, unsigned objspace)
{
  unsigned start = rng_below(model->rng, OBJECTS);

  for (unsigned i = 0; i < OBJECTS; i++) {
    unsigned index = (start + i) % OBJECTS;
    const struct event_object *object = &model->objects[index];

    if (object->used && is_quiet(model, object->objspace) &&
        (objspace == OBJSPACES || object->objspace == objspace))
      return index;
  }
  return OBJECTS;
}

/* ---- Lives ----------------------------------------------------------------------------------- */

static void
step_create(struct event_model *model)
{
  unsigned objspace = pick_life(model, UNUSED);

  if (objspace == OBJSPACES)
    return;
  event(model, EV_create, objspace, 0, 0);
  model->lives[objspace] = RGC_LIFE_CREATING;
  model->cycles[objspace] = RGC_CYCLE_IDLE;
  if (!rng_percent(model->rng, 75))
    return;
  event(model, EV_start, objspace, 0, 0);
  model->lives[objspace] = RGC_LIFE_LIVE;
}

static void
step_start(struct event_model *model)
{
  unsigned objspace = pick_life(model, RGC_LIFE_CREATING);

  if (objspace == OBJSPACES || !is_quiet(model, objspace))
    return;
  bool starts = rng_percent(model->rng, 75);

  event(model, starts ? EV_start : EV_disown, objspace, 0, 0);
  model->lives[objspace] = starts ? RGC_LIFE_LIVE : RGC_LIFE_ZOMBIE;
}

static void
step_retire(struct event_model *model)
{
  unsigned objspace = pick_life(model, RGC_LIFE_LIVE);

  if (objspace == OBJSPACES || !is_quiet(model, objspace))
    return;
  event(model, EV_retire, objspace, 0, 0);
  model->lives[objspace] = RGC_LIFE_ZOMBIE;
  model->cycles[objspace] = RGC_CYCLE_IDLE;
}

static void
step_absorb(struct event_model *model)
{
  unsigned dead = pick_life(model, RGC_LIFE_ZOMBIE);
  unsigned taker = pick_quiet(model);

  if (dead == OBJSPACES || taker == OBJSPACES)
    return;
  event(model, EV_absorb, taker, dead, 0);
  model->lives[dead] = UNUSED;
  for (unsigned i = 0; i < OBJECTS; i++)
    if (model->objects[i].used && model->objects[i].objspace == dead)
      model->objects[i].objspace = taker;
}

/* ---- Objects --------------------------------------------------------------------------------- */

static void
step_allocate(struct event_model *model)
{
  unsigned objspace = pick_quiet(model);
  unsigned count = rng_percent(model->rng, 70) ? 1 : rng_between(model->rng, 2, 6);

  for (unsigned i = 0; objspace < OBJSPACES && i < count; i++) {
    unsigned index = rng_below(model->rng, OBJECTS);

    event(model, EV_allocate, index, objspace, rng_below(model->rng, 256));
    model->objects[index] = (struct event_object){.used = true, .objspace = objspace};
  }
}

/* Many objects that nobody keeps, so that pages fill and empty. */
static void
step_fill(struct event_model *model)
{
  unsigned objspace = pick_quiet(model);
  unsigned index = rng_below(model->rng, OBJECTS);

  if (objspace == OBJSPACES)
    return;
  event(model, EV_loop, rng_between(model->rng, 8, 60), 1, 0);
  event(model, EV_allocate, index, objspace, rng_below(model->rng, 256));
  model->objects[index] = (struct event_object){.used = true, .objspace = objspace};
}

static void
step_store(struct event_model *model)
{
  unsigned parent = pick_object(model, OBJSPACES);

  if (parent == OBJECTS)
    return;
  unsigned child = pick_object(model, OBJSPACES);
  const struct event_object *object = &model->objects[child < OBJECTS ? child : parent];

  /* Containment allows an edge to another heap only if it leads to a shareable. */
  if (object->objspace != model->objects[parent].objspace && !object->shareable)
    child = pick_object(model, model->objects[parent].objspace);
  if (child == OBJECTS)
    child = parent;
  event(model, EV_store, parent, rng_below(model->rng, SLOTS), child);
}

static void
step_object(struct event_model *model)
{
  unsigned index = pick_object(model, OBJSPACES);

  if (index == OBJECTS)
    return;
  struct event_object *object = &model->objects[index];

  switch (rng_below(model->rng, 8)) {
  case 0:
  case 1:
  case 2:
    event(model, EV_forget, index, 0, 0);
    object->used = false;
    break;
  case 3:
  case 4:
    event(model, EV_promote, index, 0, 0);
    object->shareable = true;
    break;
  case 5:
    event(model, object->pinned ? EV_unpin : EV_pin, index, 0, 0);
    object->pinned = !object->pinned;
    break;
  case 6:
    event(model, EV_erase, index, rng_below(model->rng, SLOTS), 0);
    break;
  default:
    event(model, EV_word, index, rng_below(model->rng, SLOTS), 0);
    if (rng_percent(model->rng, 50))
      event(model, EV_unword, rng_below(model->rng, SLOTS), 0, 0);
    break;
  }
}

/* ---- Cycles ---------------------------------------------------------------------------------- */

/* An owned objspace, three times in four one that is in a cycle; OBJSPACES if there is none. */
static unsigned
pick_for_cycle(struct event_model *model)
{
  unsigned start = rng_below(model->rng, OBJSPACES);
  bool wants_cycle = rng_percent(model->rng, 75);
  unsigned found = OBJSPACES;

  for (unsigned i = 0; i < OBJSPACES; i++) {
    unsigned index = (start + i) % OBJSPACES;

    if (!is_owned(model, index))
      continue;
    if (wants_cycle == (model->cycles[index] != RGC_CYCLE_IDLE))
      return index;
    found = index;
  }
  return found;
}

/* The next step of one objspace's local cycle. */
static void
step_local(struct event_model *model)
{
  unsigned objspace = pick_for_cycle(model);

  if (objspace == OBJSPACES)
    return;
  if (model->cycles[objspace] == RGC_CYCLE_IDLE) {
    event(model, EV_local_start, objspace, rng_below(model->rng, 2), 0);
    model->cycles[objspace] = RGC_CYCLE_MARKING;
  } else if (model->cycles[objspace] == RGC_CYCLE_MARKING) {
    bool finishes = rng_percent(model->rng, 50);

    event(model, finishes ? EV_local_finish : EV_local_mark, objspace,
          finishes ? 0 : rng_between(model->rng, 1, 8), 0);
    if (finishes)
      model->cycles[objspace] = RGC_CYCLE_SWEEPING;
  } else if (rng_percent(model->rng, 70)) {
    event(model, EV_sweep_page, objspace, 0, 0);
  } else {
    event(model, EV_sweep_rest, objspace, 0, 0);
    model->cycles[objspace] = RGC_CYCLE_IDLE;
  }
}

static void
step_global(struct event_model *model)
{
  static const enum event_op steps[] = {EV_settle, EV_clear,  EV_mark,   EV_weak,
                                        EV_sweep,  EV_budget, EV_recount};
  unsigned driver = pick_quiet(model);

  if (driver == OBJSPACES)
    return;
  event(model, EV_stop, driver, 0, 0);
  if (rng_percent(model->rng, 92)) {
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++)
      event(model, steps[i], 0, 0, 0);
    for (unsigned i = 0; i < OBJSPACES; i++)
      model->cycles[i] = RGC_CYCLE_IDLE;
  }
  event(model, EV_resume, driver, 0, 0);
}

static void
step_collect(struct event_model *model)
{
  unsigned objspace = pick_quiet(model);

  if (objspace == OBJSPACES)
    return;
  event(model, EV_collect, objspace, rng_below(model->rng, 3), 0);
  model->cycles[objspace] = RGC_CYCLE_IDLE;
}

static void
step_other(struct event_model *model)
{
  unsigned objspace = pick_quiet(model);

  if (objspace != OBJSPACES && rng_percent(model->rng, 70))
    event(model, EV_malloc, objspace, rng_below(model->rng, 256), 0);
  else
    event(model, EV_verify, 0, 0, 0);
}

static void
step_wild(struct event_model *model)
{
  unsigned count;
  const struct op_info *table = op_table(PROGRAM_EVENTS, &count);
  unsigned code = rng_below(model->rng, EV_loop);
  unsigned operands[PROGRAM_OPERAND_MAX];

  assert(count == EV_COUNT);
  for (unsigned i = 0; i < PROGRAM_OPERAND_MAX; i++)
    operands[i] = rng_below(model->rng, operand_limit(table[code].operands[i]));
  /* A world that a stray stop leaves stopped would make all that follows void. */
  if (code != EV_stop)
    event(model, code, operands[0], operands[1], operands[2]);
}

static const struct {
  unsigned weight;
  void (*write)(struct event_model *model);
} steps[] = {
    {3, step_create},    {3, step_start},  {3, step_retire},  {4, step_absorb},
    {22, step_allocate}, {6, step_fill},   {20, step_store},  {20, step_object},
    {30, step_local},    {3, step_global}, {3, step_collect}, {2, step_other},
};

static void
step_any(struct event_model *model)
{
  unsigned total = 0;

  for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++)
    total += steps[i].weight;
  unsigned roll = rng_below(model->rng, total), i = 0;

  for (; roll >= steps[i].weight; i++)
    roll -= steps[i].weight;
  steps[i].write(model);
}

void
generate_events(struct program *program, unsigned size, struct rng *rng)
{
  struct event_model model = {.program = program, .rng = rng, .op_target = size};

  assert(program->dialect == PROGRAM_EVENTS && program->block_count == 1);
  for (unsigned i = 0; i < OBJSPACES; i++)
    model.lives[i] = UNUSED;
  for (unsigned i = rng_between(rng, 1, 3); i > 0; i--)
    step_create(&model);
  for (unsigned tries = 0; program->op_count < size && tries < 8 * size; tries++)
    if (rng_below(rng, WILD_ONE_IN) == 0)
      step_wild(&model);
    else
      step_any(&model);
}
