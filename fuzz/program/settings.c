/* settings.c - tables of the choices that a program has for the settings of its world.
 *
 * Choice 0 of each makes the smallest world that is still interesting (1 KiB pages, a budget of one
 * page), so that a program whose prelude is missing collects often.  Append only: a choice's index
 * is part of the format.
 */
#include "fuzz/program/settings.h"

#include <assert.h>
#include <string.h>

enum { CHOICE_MAX = 6, HEAP_PAGES_MIN = 16, KIB = 1024 };

/* An arena larger than this would outgrow the simulator's region for no gain. */
#define ARENA_BYTES_MAX ((size_t)4 * KIB * KIB)

struct setting_row {
  const char *name;
  unsigned count;
  size_t values[CHOICE_MAX];
};

static const struct setting_row settings[PROGRAM_SETTING_COUNT] = {
    [SETTING_PAGE_SIZE] = {"page_size",
                           6,
                           {1 * KIB, 2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB, 64 * KIB}},
    [SETTING_ARENA_PAGES] = {"arena_pages", 6, {16, 4, 8, 32, 64, 256}},
    [SETTING_HEAP_LIMIT] = {"heap_limit",
                            6,
                            {256 * KIB, 64 * KIB, 128 * KIB, 512 * KIB, 1024 * KIB, 4096 * KIB}},
    [SETTING_INITIAL_BUDGET] = {"initial_budget", 6, {1, 2, 3, 4, 8, 16}},
    [SETTING_GROWTH] = {"growth", 5, {50, 10, 25, 100, 200}},
    [SETTING_FREE_WANTED] = {"free_wanted", 5, {20, 5, 10, 40, 60}},
    [SETTING_EMPTY_KEPT] = {"empty_kept", 4, {0, 1, 2, 4}},
    [SETTING_MALLOC_LIMIT] = {"malloc_limit", 5, {2 * KIB, 512, 8 * KIB, 64 * KIB, 1024 * KIB}},
    [SETTING_OLD_LIMIT] = {"old_limit", 5, {8, 2, 32, 128, 1024}},
    [SETTING_SHAREABLE_LIMIT] = {"shareable_limit", 5, {32, 8, 64, 256, 4096}},
    [SETTING_ZOMBIE_LIMIT] = {"zombie_limit", 5, {2, 0, 1, 8, 64}},
    [SETTING_OFFHEAP_LIMIT] = {"offheap_limit",
                               5,
                               {64 * KIB, 16 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB}},
    [SETTING_INTERIOR_PINS] = {"interior_pins", 2, {0, 1}},
};

/* Goes with SETTING_OLD_LIMIT, which is the number of old objects below which no major follows. */
static const size_t old_percents[] = {150, 110, 200, 200, 400};

const char *
setting_name(enum program_setting setting)
{
  assert(setting < PROGRAM_SETTING_COUNT);
  return settings[setting].name;
}

unsigned
setting_limit(enum program_setting setting)
{
  assert(setting < PROGRAM_SETTING_COUNT);
  return settings[setting].count;
}

size_t
setting_value(enum program_setting setting, unsigned choice)
{
  assert(setting < PROGRAM_SETTING_COUNT);
  return settings[setting].values[choice % settings[setting].count];
}

static size_t
chosen(const struct program *program, enum program_setting setting)
{
  return setting_value(setting, program->settings[setting]);
}

void
program_rgc_settings(const struct program *program, struct rgc_settings *out)
{
  memset(out, 0, sizeof *out);
  out->page_size = chosen(program, SETTING_PAGE_SIZE);
  out->arena_pages = chosen(program, SETTING_ARENA_PAGES);
  if (out->arena_pages > ARENA_BYTES_MAX / out->page_size)
    out->arena_pages = ARENA_BYTES_MAX / out->page_size;
  out->heap_limit_bytes = chosen(program, SETTING_HEAP_LIMIT);
  if (out->heap_limit_bytes < HEAP_PAGES_MIN * out->page_size)
    out->heap_limit_bytes = HEAP_PAGES_MIN * out->page_size;
  out->initial_page_budget = chosen(program, SETTING_INITIAL_BUDGET);
  out->growth_percent = chosen(program, SETTING_GROWTH);
  out->free_percent_wanted = chosen(program, SETTING_FREE_WANTED);
  out->empty_pages_kept = chosen(program, SETTING_EMPTY_KEPT);
  out->malloc_limit_bytes = chosen(program, SETTING_MALLOC_LIMIT);
  out->old_limit_min = chosen(program, SETTING_OLD_LIMIT);
  out->old_limit_percent =
      old_percents[program->settings[SETTING_OLD_LIMIT] % setting_limit(SETTING_OLD_LIMIT)];
  out->shareable_limit = chosen(program, SETTING_SHAREABLE_LIMIT);
  out->shareable_growth_percent = 50;
  out->zombie_page_limit = chosen(program, SETTING_ZOMBIE_LIMIT);
  out->offheap_limit_bytes = chosen(program, SETTING_OFFHEAP_LIMIT);
  out->interior_pins = chosen(program, SETTING_INTERIOR_PINS) != 0;
  assert(out->arena_pages >= 1 && out->arena_pages <= 1024);
  assert(out->heap_limit_bytes / out->page_size >= HEAP_PAGES_MIN);
}
