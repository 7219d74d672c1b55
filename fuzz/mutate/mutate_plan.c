/* mutate_plan.c - mutations of everything but the ops: settings, stress, schedule, failures. */
#include <assert.h>
#include <string.h>

#include "fuzz/mutate/generate.h"
#include "fuzz/mutate/mutate.h"
#include "rgc/platform.h"

static void
tweak_setting(struct program *program, struct rng *rng)
{
  unsigned setting = rng_below(rng, PROGRAM_SETTING_COUNT);

  program->settings[setting] =
      (uint8_t)rng_below(rng, setting_limit((enum program_setting)setting));
}

static void
tweak_stress(struct program *program, struct rng *rng)
{
  if (rng_percent(rng, 40))
    program->stress_every = 0;
  else
    generate_stress(program, rng);
}

static void
tweak_schedule(struct program *program, struct rng *rng)
{
  switch (rng_below(rng, 4)) {
  case 0:
    program->policy = (uint8_t)rng_below(rng, SCHEDULE_POLICY_COUNT);
    break;
  case 1:
    program->quantum = (uint8_t)rng_between(rng, 1, 64);
    break;
  case 2:
    program->depth = (uint8_t)rng_below(rng, 8);
    break;
  default:
    program->schedule_seed = (uint16_t)rng_below(rng, 65536);
    break;
  }
}

static void
add_preemption(struct program *program, struct rng *rng)
{
  unsigned at = rng_below(rng, program->preemption_count + 1);

  if (program->preemption_count >= PROGRAM_PREEMPTION_MAX)
    return;
  memmove(&program->preemptions[at + 1], &program->preemptions[at],
          (program->preemption_count - at) * sizeof program->preemptions[0]);
  program->preemptions[at] = generate_preemption(rng);
  program->preemption_count++;
}

static void
drop_preemption(struct program *program, struct rng *rng)
{
  if (program->preemption_count == 0)
    return;
  unsigned at = rng_below(rng, program->preemption_count--);

  memmove(&program->preemptions[at], &program->preemptions[at + 1],
          (program->preemption_count - at) * sizeof program->preemptions[0]);
}

/* Moves a preemption to a near visit, another site, another thread. */
static void
move_preemption(struct program *program, struct rng *rng)
{
  if (program->preemption_count == 0) {
    add_preemption(program, rng);
    return;
  }
  struct preemption *one = &program->preemptions[rng_below(rng, program->preemption_count)];
  struct preemption other = generate_preemption(rng);

  switch (rng_below(rng, 5)) {
  case 0:
    one->site = other.site;
    break;
  case 1:
    one->thread = other.thread;
    break;
  case 2:
    one->to = other.to;
    break;
  default:
    one->visit = (uint16_t)((one->visit + 1021u + rng_below(rng, 7)) % 1024u);
    break;
  }
}

static void
tweak_failure(struct program *program, struct rng *rng)
{
  if (program->failure_count > 0 && rng_percent(rng, 50))
    program->failure_count--;
  else if (program->failure_count < PROGRAM_FAILURE_MAX)
    program->failures[program->failure_count++] = generate_failure(rng);
}

static void
tweak_stress_place(struct program *program, struct rng *rng)
{
  if (program->stress_place_count > 0 && rng_percent(rng, 50))
    program->stress_place_count--;
  else if (program->stress_place_count < PROGRAM_STRESS_PLACE_MAX)
    program->stress_places[program->stress_place_count++] = generate_stress_place(rng);
}

static void
tweak_variants(struct program *program, struct rng *rng)
{
  program->variants = (uint8_t)(rng_percent(rng, 60) ? 0 : rng_between(rng, 1, 4));
}

void
mutate_plan(struct program *program, struct rng *rng)
{
  static void (*const mutations[])(struct program *program, struct rng *rng) = {
      tweak_setting,  tweak_setting,      tweak_stress,    tweak_schedule, tweak_schedule,
      add_preemption, drop_preemption,    move_preemption, tweak_failure,  move_preemption,
      add_preemption, tweak_stress_place, tweak_variants};

  assert(program->quantum >= 1);
  mutations[rng_below(rng, sizeof mutations / sizeof mutations[0])](program, rng);
}
