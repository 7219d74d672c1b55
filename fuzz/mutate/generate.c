/* generate.c - see generate.h. */
#include "fuzz/mutate/generate.h"

#include <assert.h>

#include "fuzz/mutate/idioms.h"
#include "rgc/platform.h"

enum { EXECUTED_MAX = 1300, BLOCKS_PLANNED_MAX = 6, WORKER_MESSAGES_MAX = 5, RACTORS_MAX = 8 };

/* How often each group of idioms is taken, by profile. */
static const struct profile {
  const char *name;
  unsigned groups[IDIOM_GROUP_COUNT];
  unsigned ractor_percent; /* programs that must start a Ractor */
} profiles[GENERATE_PROFILE_COUNT] = {
    [GENERATE_MIXED] = {"mixed", {4, 4, 3}, 90},
    [GENERATE_CONFLUENT] = {"confluent", {4, 4, 3}, 90},
    [GENERATE_LOCAL] = {"local", {8, 3, 0}, 10},
    [GENERATE_RACTORS] = {"ractors", {2, 3, 8}, 100},
};

const char *
generate_profile_name(enum generate_profile profile)
{
  assert(profile < GENERATE_PROFILE_COUNT);
  return profiles[profile].name;
}

/* ---- Settings, schedule, stress, failures ---------------------------------------------------- */

void
generate_settings(struct program *program, struct rng *rng)
{
  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT; i++) {
    unsigned limit = setting_limit((enum program_setting)i);

    /* The first choices are the small worlds. */
    program->settings[i] = (uint8_t)(rng_percent(rng, 60)   ? 0
                                     : rng_percent(rng, 60) ? rng_below(rng, 2)
                                                            : rng_below(rng, limit));
  }
}

struct preemption
generate_preemption(struct rng *rng)
{
  unsigned visit = rng_percent(rng, 70) ? rng_below(rng, 16) : rng_below(rng, 256);

  return (struct preemption){.thread = (uint8_t)rng_below(rng, rng_percent(rng, 80) ? 3 : 8),
                             .site = (uint8_t)rng_below(rng, RGC_SITE_COUNT),
                             .visit = (uint16_t)visit,
                             .to = (uint8_t)rng_below(rng, rng_percent(rng, 80) ? 4 : 16)};
}

struct failure
generate_failure(struct rng *rng)
{
  return (struct failure){.kind = rng_percent(rng, 80) ? FAILURE_PAGE : FAILURE_THREAD,
                          .count = (uint8_t)rng_between(rng, 1, 4),
                          .nth = (uint8_t)rng_below(rng, rng_percent(rng, 70) ? 12 : 64)};
}

struct stress_place
generate_stress_place(struct rng *rng)
{
  return (struct stress_place){.thread = (uint8_t)rng_below(rng, 4),
                               .point = (uint8_t)rng_below(rng, RGC_STRESS_COUNT),
                               .action = (uint8_t)rng_between(rng, 1, RGC_STRESS_ACTION_COUNT - 1),
                               .visit = (uint16_t)rng_below(rng, 32)};
}

void
generate_schedule(struct program *program, struct rng *rng)
{
  unsigned roll = rng_below(rng, 10);

  program->policy = roll < 3 ? SCHEDULE_RUN : roll < 6 ? SCHEDULE_ROUND_ROBIN : SCHEDULE_PCT;
  program->quantum = (uint8_t)rng_between(rng, 1, rng_percent(rng, 70) ? 8 : 64);
  program->depth = (uint8_t)rng_below(rng, 5);
  program->schedule_seed = (uint16_t)rng_below(rng, 65536);
}

void
generate_stress(struct program *program, struct rng *rng)
{
  program->stress_point = (uint8_t)rng_below(rng, RGC_STRESS_COUNT);
  program->stress_action = (uint8_t)rng_between(rng, 1, RGC_STRESS_ACTION_COUNT - 1);
  /* A global collection or a check at every visit makes a run slow and shows little more. */
  program->stress_every =
      (uint8_t)rng_between(rng, program->stress_action >= RGC_STRESS_GLOBAL ? 4 : 1, 31);
}

static void
generate_plans(struct program *program, const struct generate_options *options, struct rng *rng)
{
  generate_settings(program, rng);
  generate_schedule(program, rng);
  if (rng_percent(rng, 30))
    generate_stress(program, rng);
  if (rng_percent(rng, 15))
    for (unsigned i = rng_between(rng, 1, 4); i > 0; i--)
      program->stress_places[program->stress_place_count++] = generate_stress_place(rng);
  if (rng_percent(rng, 10))
    program->failures[program->failure_count++] = generate_failure(rng);
  if (options->profile == GENERATE_CONFLUENT || rng_percent(rng, 15))
    program->variants = (uint8_t)rng_between(rng, 2, 4);
  if (options->profile == GENERATE_CONFLUENT) {
    program->failure_count = 0;
    return;
  }
  for (unsigned i = rng_below(rng, 7); i > 0; i--)
    program->preemptions[program->preemption_count++] = generate_preemption(rng);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* A kind of value that can be sent: private kinds are copied, shareable ones go by reference. */
static struct fact
plan_value(struct rng *rng)
{
  static const enum fact_kind kinds[] = {FACT_ARRAY,  FACT_ARRAY, FACT_OBJECT, FACT_HASH,
                                         FACT_STRING, FACT_PROC,  FACT_CLASS};
  enum fact_kind kind = kinds[rng_below(rng, sizeof kinds / sizeof kinds[0])];
  struct fact fact = {.kind = kind};

  fact.shareable = kind == FACT_PROC || kind == FACT_CLASS || rng_percent(rng, 25);
  fact.frozen = fact.shareable && kind != FACT_CLASS;
  if (kind == FACT_CLASS)
    fact.length = VM_CLASS_CONSTANT_COUNT;
  else if (kind == FACT_STRING)
    fact.length = 8 * rng_below(rng, 12);
  else if (kind != FACT_HASH)
    fact.length = rng_between(rng, 1, 4);
  if (kind == FACT_CLASS)
    fact.frozen = true; /* only its creator may set constants */
  return fact;
}

static void
plan_worker(struct worker_plan *plan, struct rng *rng)
{
  plan->replies = rng_percent(rng, 45);
  plan->argument =
      plan->replies ? (struct fact){.kind = FACT_PORT, .shareable = true} : plan_value(rng);
  plan->message = plan_value(rng);
  plan->message_count = rng_percent(rng, 75) ? rng_between(rng, 1, WORKER_MESSAGES_MAX) : 0;
  plan->value = plan_value(rng);
  while (plan->value.kind == FACT_CLASS || (plan->value.shareable && rng_percent(rng, 60)))
    plan->value = plan_value(rng);
  plan->raises = rng_percent(rng, 8);
  plan->collects_global = rng_percent(rng, 40);
}

static void
write_idioms(struct builder *builder, const unsigned groups[IDIOM_GROUP_COUNT])
{
  while (builder_has_room(builder))
    idiom_random(builder, groups);
}

/* Takes the planned messages, one at a time in a loop, and keeps something of each. */
static void
write_receives(struct builder *builder, const struct worker_plan *plan, unsigned kept)
{
  if (plan->message_count == 0)
    return;
  loop_open(builder, plan->message_count);
  unsigned dst = pick_dst(builder);

  emit(builder, OP_receive, dst, 0, 0);
  builder->facts.registers[dst] = plan->message;
  builder->facts.registers[dst].group = builder->facts.group_next++;
  if (!builder->facts.registers[kept].frozen || builder->facts.registers[kept].kind == FACT_PROC)
    do_store(builder, kept, dst);
  if (rng_percent(builder->rng, 40))
    do_load(builder, dst);
  if (rng_percent(builder->rng, 30))
    do_gc(builder);
  loop_close(builder);
}

static void
write_worker(struct builder *builder, const unsigned groups[IDIOM_GROUP_COUNT])
{
  const struct worker_plan *plan = &builder->plans[builder->block];
  unsigned sparse[IDIOM_GROUP_COUNT] = {groups[IDIOM_HEAP], groups[IDIOM_SHARE],
                                        rng_percent(builder->rng, 30) ? 1 : 0};
  struct rng *rng = builder->rng;

  if (plan->replies)
    emit(builder, OP_send, 1, make_string(builder, 2), 0);
  struct fact value = plan->value;

  value.shareable = false;
  unsigned kept = make_like(builder, &value);

  reserve(builder, kept);
  if (!plan->replies && plan->argument.kind == FACT_PROC) {
    unsigned secret = make_any(builder);

    if (rng_percent(rng, 50))
      do_load(builder, 1);
    do_store(builder, 1, secret);
    set_nil(builder, secret);
  } else if (!plan->replies && rng_percent(rng, 50))
    do_load(builder, 1);
  write_receives(builder, plan, kept);
  write_idioms(builder, sparse);
  if (plan->collects_global)
    emit(builder, OP_gc, RGC_KIND_GLOBAL, 0, 0);
  if (rng_percent(rng, 30) && plan->value.kind != FACT_STRING && !plan->value.shareable &&
      !builder->facts.registers[kept].frozen)
    do_store(builder, kept, make_any(builder));
  if (plan->value.shareable && !builder->facts.registers[kept].shareable)
    do_share(builder, kept);
  emit(builder, plan->raises ? OP_raise : OP_finish, kept, 0, 0);
}

static void
write_main(struct builder *builder, const struct profile *profile)
{
  struct rng *rng = builder->rng;
  bool needs_ractor = rng_percent(rng, profile->ractor_percent);

  typed_ops(builder, rng_between(rng, 1, 4));
  if (rng_percent(rng, 60))
    idiom_random(builder, profile->groups);
  if (needs_ractor && may_spawn(builder))
    idiom_value(builder);
  if (rng_percent(rng, 60))
    idiom_empty_page(builder);
  write_idioms(builder, profile->groups);
  if (rng_percent(rng, 40))
    emit(builder, OP_gc, RGC_KIND_GLOBAL, 0, 0);
}

static void
generate_blocks(struct program *program, const struct generate_options *options, struct rng *rng)
{
  const struct profile *profile = &profiles[options->profile];
  struct worker_plan plans[PROGRAM_BLOCK_MAX] = {0};
  unsigned ractors_left = rng_between(rng, 1, RACTORS_MAX);
  struct builder builder = {.program = program,
                            .rng = rng,
                            .plans = plans,
                            .planned_blocks = 1 + rng_between(rng, 1, BLOCKS_PLANNED_MAX - 1),
                            .executed_max = EXECUTED_MAX,
                            .ractors_left = &ractors_left,
                            .confluent = options->profile == GENERATE_CONFLUENT};

  for (unsigned i = 1; i < builder.planned_blocks; i++)
    plan_worker(&plans[i], rng);
  builder.op_target = options->size != 0 ? options->size : rng_between(rng, 20, 150);
  builder_open(&builder, 0);
  write_main(&builder, profile);
  for (unsigned i = 1; i < builder.planned_blocks && program_add_block(program); i++) {
    builder.executed_max += 150;
    builder.op_target = rng_between(rng, 10, 60);
    builder_open(&builder, i);
    write_worker(&builder, profile->groups);
  }
}

void
generate_program(struct program *program, enum program_dialect dialect,
                 const struct generate_options *options, uint64_t seed)
{
  struct rng rng = rng_seeded(seed);

  assert(options->profile < GENERATE_PROFILE_COUNT);
  program_clear(program, dialect);
  generate_plans(program, options, &rng);
  if (dialect == PROGRAM_EVENTS)
    generate_events(program, options->size != 0 ? options->size : rng_between(&rng, 30, 250), &rng);
  else
    generate_blocks(program, options, &rng);
}

void
generate_splice(struct program *program, enum program_dialect dialect, struct rng *rng)
{
  struct worker_plan plans[PROGRAM_BLOCK_MAX] = {0};
  unsigned ractors_left = 2;
  struct builder builder = {.program = program,
                            .rng = rng,
                            .plans = plans,
                            .planned_blocks = 2,
                            .executed_max = EXECUTED_MAX,
                            .op_target = 30,
                            .ractors_left = &ractors_left};

  program_clear(program, dialect);
  if (dialect == PROGRAM_EVENTS) {
    generate_events(program, rng_between(rng, 4, 16), rng);
    return;
  }
  plan_worker(&plans[1], rng);
  plans[1].replies = false;
  plans[1].argument = plan_value(rng);
  builder_open(&builder, 0);
  idiom_random(&builder, profiles[GENERATE_MIXED].groups);
}
