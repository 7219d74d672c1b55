/* soak.c - see soak.h. */
#include "fuzz/campaign/soak.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/files.h"

enum { COUNTERS = sizeof(struct exec_stats) / sizeof(uint64_t), STATE_MAX_BYTES = 1 << 20 };

static bool
state_path(const struct campaign_options *options, char *path, size_t size)
{
  return (size_t)snprintf(path, size, "%s/soak.json", options->findings) < size;
}

static const char *
fault_list(const struct campaign_options *options)
{
  return options->faults != NULL ? options->faults : "";
}

static void
cell_name(char *name, size_t size, const struct cell *cell)
{
  snprintf(name, size, "%s %s %s", cell->source.harness, cell->sanitizer,
           exec_host_name(cell->source.host));
}

uint64_t
soak_spent_ms(const struct campaign *campaign)
{
  uint64_t sum = 0;

  for (size_t i = 0; i < campaign->cell_count; i++)
    sum += campaign->cells[i].cpu_ms;
  return sum;
}

bool
soak_keep(const struct campaign *campaign, const struct campaign_options *options)
{
  char path[PATH_MAX], name[96];
  json_t *cells = json_array();

  for (size_t i = 0; i < campaign->cell_count; i++) {
    const struct cell *cell = &campaign->cells[i];
    const uint64_t *counters = (const uint64_t *)&cell->sum;
    json_t *numbers = json_array();

    for (unsigned k = 0; k < COUNTERS; k++)
      json_array_append_new(numbers, json_integer((json_int_t)counters[k]));
    cell_name(name, sizeof name, cell);
    json_array_append_new(cells, json_pack("{s:s, s:I, s:o}", "cell", name, "cpu_ms",
                                           (json_int_t)cell->cpu_ms, "counters", numbers));
  }
  json_t *state =
      json_pack("{s:I, s:s, s:I, s:I, s:o}", "seconds", (json_int_t)options->seconds, "faults",
                fault_list(options), "children", (json_int_t)campaign->children, "elapsed_ms",
                (json_int_t)campaign->elapsed_ms, "cells", cells);
  char *text = json_dumps(state, JSON_COMPACT);
  bool good = text != NULL && state_path(options, path, sizeof path) &&
              file_write(path, "", 0, text, strlen(text));

  free(text);
  json_decref(state);
  return good;
}

void
soak_forget(const struct campaign_options *options)
{
  char path[PATH_MAX];

  if (state_path(options, path, sizeof path))
    unlink(path);
}

/* One number from 0.  False: it is none. */
static bool
take_number(const json_t *number, uint64_t *out)
{
  if (!json_is_integer(number) || json_integer_value(number) < 0)
    return false;
  *out = (uint64_t)json_integer_value(number);
  return true;
}

static bool
take_cell(struct cell *cell, const json_t *kept)
{
  const json_t *numbers = json_object_get(kept, "counters");
  const char *text = json_string_value(json_object_get(kept, "cell"));
  uint64_t *counters = (uint64_t *)&cell->sum;
  char name[96];

  cell_name(name, sizeof name, cell);
  if (text == NULL || strcmp(text, name) != 0 || json_array_size(numbers) != COUNTERS ||
      !take_number(json_object_get(kept, "cpu_ms"), &cell->cpu_ms))
    return false;
  cell->planned_ms = cell->cpu_ms;
  for (unsigned i = 0; i < COUNTERS; i++)
    if (!take_number(json_array_get(numbers, i), &counters[i]))
      return false;
  return true;
}

/* False: the state is of another soak, or no state at all. */
static bool
take_state(struct campaign *campaign, const struct campaign_options *options, const json_t *state)
{
  const json_t *cells = json_object_get(state, "cells");
  const char *faults = json_string_value(json_object_get(state, "faults"));
  uint64_t seconds;
  bool good = take_number(json_object_get(state, "seconds"), &seconds) &&
              seconds == options->seconds && faults != NULL &&
              strcmp(faults, fault_list(options)) == 0 &&
              take_number(json_object_get(state, "children"), &campaign->children) &&
              take_number(json_object_get(state, "elapsed_ms"), &campaign->elapsed_ms) &&
              json_array_size(cells) == campaign->cell_count;

  for (size_t i = 0; good && i < campaign->cell_count; i++)
    good = take_cell(&campaign->cells[i], json_array_get(cells, i));
  return good;
}

int
soak_resume(struct campaign *campaign, const struct campaign_options *options, char *problem,
            size_t problem_size)
{
  char path[PATH_MAX];
  uint8_t *data;
  size_t size;

  if (!state_path(options, path, sizeof path)) {
    snprintf(problem, problem_size, "--findings: the path is too long");
    return 2;
  }
  if (access(path, F_OK) != 0 && errno == ENOENT)
    return 0;
  if (!file_read(path, STATE_MAX_BYTES, &data, &size, problem, problem_size))
    return 2;
  json_t *state = json_loadb((const char *)data, size, 0, NULL);
  bool good = take_state(campaign, options, state);

  json_decref(state);
  free(data);
  if (!good) {
    snprintf(problem, problem_size,
             "%s is of another soak, or damaged: end that one with its own options, or remove it",
             path);
    return 2;
  }
  campaign->resumed = true;
  return 0;
}
