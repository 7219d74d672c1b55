/* variant.c - see variant.h.  The first three are the corners (hardly a collection, a switch at
 * every schedule point with minor collections, priorities with global collections); the others are
 * drawn from the program's own seed. */
#include "fuzz/program/variant.h"

#include <assert.h>

#include "fuzz/program/names.h"
#include "rgc/platform.h"

static unsigned
drawn(const struct program *base, unsigned number, unsigned salt)
{
  uint64_t x = ((uint64_t)base->schedule_seed << 32 | (uint64_t)number << 16 | salt) + 1;

  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (unsigned)((x ^ (x >> 31)) >> 8 & 0xffffff);
}

static void
set_all(struct program *out, bool spacious)
{
  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT; i++)
    out->settings[i] = (uint8_t)(spacious ? setting_limit((enum program_setting)i) - 1 : 0);
}

static void
set_stress(struct program *out, unsigned point, unsigned action, unsigned every)
{
  out->stress_point = (uint8_t)point;
  out->stress_action = (uint8_t)action;
  out->stress_every = (uint8_t)every;
}

static void
set_schedule(struct program *out, unsigned policy, unsigned quantum, unsigned depth, unsigned seed)
{
  out->policy = (uint8_t)policy;
  out->quantum = (uint8_t)quantum;
  out->depth = (uint8_t)depth;
  out->schedule_seed = (uint16_t)seed;
}

static void
draw(struct program *out, const struct program *base, unsigned number)
{
  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT; i++)
    out->settings[i] = (uint8_t)(drawn(base, number, i < 20 ? i : i + 80) %
                                 setting_limit((enum program_setting)i));
  set_stress(out, drawn(base, number, 20) % RGC_STRESS_COUNT,
             1 + drawn(base, number, 21) % (RGC_STRESS_ACTION_COUNT - 1),
             3 + drawn(base, number, 22) % 28);
  set_schedule(out, drawn(base, number, 23) % SCHEDULE_POLICY_COUNT,
               1 + drawn(base, number, 24) % 16, drawn(base, number, 25) % 8,
               drawn(base, number, 26) % 65536);
}

bool
program_variant(struct program *out, const struct program *base, unsigned number)
{
  assert(number >= 1);
  if (!program_copy(out, base))
    return false;
  out->preemption_count = 0;
  out->failure_count = 0;
  out->stress_place_count = 0;
  out->variants = 0;
  switch (number) {
  case 1:
    set_all(out, true);
    set_stress(out, 0, 0, 0);
    set_schedule(out, SCHEDULE_RUN, 1, 0, 0);
    break;
  case 2:
    set_all(out, false);
    set_stress(out, RGC_STRESS_ALLOCATE, RGC_STRESS_MINOR, 3);
    set_schedule(out, SCHEDULE_ROUND_ROBIN, 1, 0, 0);
    break;
  case 3:
    set_all(out, false);
    set_stress(out, RGC_STRESS_BARRIER, RGC_STRESS_GLOBAL, 5);
    set_schedule(out, SCHEDULE_PCT, 1, 5, drawn(base, number, 27) % 65536);
    break;
  default:
    draw(out, base, number);
    break;
  }
  out->settings[SETTING_HEAP_LIMIT] = (uint8_t)(setting_limit(SETTING_HEAP_LIMIT) - 1);
  out->settings[SETTING_OFFHEAP_LIMIT] = (uint8_t)(setting_limit(SETTING_OFFHEAP_LIMIT) - 1);
  return true;
}

int
program_variant_describe(const struct program *variant, char *text, size_t size)
{
  return snprintf(
      text, size,
      "policy=%s quantum=%u depth=%u seed=%u stress=%s:%s/%u page_size=%zu budget=%zu "
      "shareable_limit=%zu",
      name_of_policy(variant->policy), variant->quantum, variant->depth, variant->schedule_seed,
      name_of_point(variant->stress_point), name_of_action(variant->stress_action),
      variant->stress_every, setting_value(SETTING_PAGE_SIZE, variant->settings[SETTING_PAGE_SIZE]),
      setting_value(SETTING_INITIAL_BUDGET, variant->settings[SETTING_INITIAL_BUDGET]),
      setting_value(SETTING_SHAREABLE_LIMIT, variant->settings[SETTING_SHAREABLE_LIMIT]));
}
