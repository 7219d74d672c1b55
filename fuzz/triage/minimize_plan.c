/* minimize_plan.c - the passes over what stands beside the ops: settings, stress, schedule and
 * failure plan. */
#include <string.h>

#include "fuzz/program/edit.h"
#include "fuzz/triage/search.h"
#include "fuzz/triage/shrink.h"

/* ---- Settings and stress --------------------------------------------------------------------- */

/* All defaults at once, then each for itself.  Choices are no scale: below the present one each is
 * as good as the next, and the first is the default. */
void
minimize_settings(struct search *search)
{
  memset(search_trial(search)->settings, 0, PROGRAM_SETTING_COUNT);
  if (search_take(search))
    return;
  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT; i++) {
    for (unsigned choice = 0; choice < search->best.settings[i]; choice++) {
      search_trial(search)->settings[i] = (uint8_t)choice;
      if (search_take(search))
        break;
    }
  }
}

static void
set_stress_point(struct program *program, unsigned at, unsigned value)
{
  (void)at;
  program->stress_point = (uint8_t)value;
}

static void
set_stress_action(struct program *program, unsigned at, unsigned value)
{
  (void)at;
  program->stress_action = (uint8_t)value;
}

static void
set_stress_every(struct program *program, unsigned at, unsigned value)
{
  (void)at;
  program->stress_every = (uint8_t)value;
}

void
minimize_stress(struct search *search)
{
  struct program *trial = search_trial(search);

  trial->stress_every = 0;
  shrink_settle(trial);
  if (search_take(search) || search->best.stress_every == 0)
    return;
  minimize_value(search, search->best.stress_point, 0, set_stress_point, 0);
  minimize_value(search, search->best.stress_action, 1, set_stress_action, 0);
  minimize_value(search, search->best.stress_every, 1, set_stress_every, 0);
}

/* ---- Schedule -------------------------------------------------------------------------------- */

static void
set_depth(struct program *program, unsigned at, unsigned value)
{
  (void)at;
  program->depth = (uint8_t)value;
}

static void
set_seed(struct program *program, unsigned at, unsigned value)
{
  (void)at;
  program->schedule_seed = (uint16_t)value;
}

static bool
take_policy(struct search *search, enum schedule_policy policy, unsigned quantum)
{
  struct program *trial = search_trial(search);

  trial->policy = (uint8_t)policy;
  trial->quantum = (uint8_t)quantum;
  shrink_settle(trial);
  return search_take(search);
}

/* Towards run until blocked: the longer the turns, the fewer the switches. */
void
minimize_policy(struct search *search)
{
  static const unsigned quanta[] = {64, 32, 16, 8, 4, 2, 1};

  if (search->best.policy == SCHEDULE_RUN || take_policy(search, SCHEDULE_RUN, 1))
    return;
  for (size_t i = 0; i < sizeof quanta / sizeof quanta[0]; i++) {
    if (search->best.policy == SCHEDULE_ROUND_ROBIN && quanta[i] <= search->best.quantum)
      return;
    if (take_policy(search, SCHEDULE_ROUND_ROBIN, quanta[i]))
      return;
  }
  minimize_value(search, search->best.depth, 0, set_depth, 0);
  minimize_value(search, search->best.schedule_seed, 0, set_seed, 0);
}

/* The switches that the run makes, preemptions of the program's among them. */
void
minimize_to_preemptions(struct search *search)
{
  const struct minimize_request *request = search->request;
  struct program *trial = search_trial(search);

  if (trial->policy == SCHEDULE_RUN || request->switches == NULL)
    return;
  trial->preemption_count = request->switches(request->arg, &search->best, trial->preemptions);
  trial->policy = SCHEDULE_RUN;
  shrink_settle(trial);
  if (trial->preemption_count > 0)
    search_take(search);
}

/* ---- Rows of the plans ----------------------------------------------------------------------- */

static unsigned
count_preemptions(const struct program *program)
{
  return program->preemption_count;
}

static unsigned
count_failures(const struct program *program)
{
  return program->failure_count;
}

static unsigned
count_stress_places(const struct program *program)
{
  return program->stress_place_count;
}

static void
set_preemption_visit(struct program *program, unsigned at, unsigned value)
{
  program->preemptions[at].visit = (uint16_t)value;
}

static void
set_failure_count(struct program *program, unsigned at, unsigned value)
{
  program->failures[at].count = (uint8_t)value;
}

static void
set_failure_nth(struct program *program, unsigned at, unsigned value)
{
  program->failures[at].nth = (uint8_t)value;
}

static void
set_place_visit(struct program *program, unsigned at, unsigned value)
{
  program->stress_places[at].visit = (uint16_t)value;
}

static void
set_place_action(struct program *program, unsigned at, unsigned value)
{
  program->stress_places[at].action = (uint8_t)value;
}

static void
set_variants(struct program *program, unsigned at, unsigned value)
{
  (void)at;
  program->variants = (uint8_t)value;
}

/* Sites, points and threads stay: another one is another place, not a simpler one. */
void
minimize_plan_rows(struct search *search)
{
  minimize_value(search, search->best.variants, 0, set_variants, 0);
  minimize_rows(search, count_preemptions, program_remove_preemptions);
  minimize_rows(search, count_failures, program_remove_failures);
  minimize_rows(search, count_stress_places, program_remove_stress_places);
  for (unsigned i = 0; i < search->best.preemption_count; i++)
    minimize_value(search, search->best.preemptions[i].visit, 0, set_preemption_visit, i);
  for (unsigned i = 0; i < search->best.failure_count; i++) {
    minimize_value(search, search->best.failures[i].count, 1, set_failure_count, i);
    minimize_value(search, search->best.failures[i].nth, 0, set_failure_nth, i);
  }
  for (unsigned i = 0; i < search->best.stress_place_count; i++) {
    minimize_value(search, search->best.stress_places[i].action, 0, set_place_action, i);
    minimize_value(search, search->best.stress_places[i].visit, 0, set_place_visit, i);
  }
}
