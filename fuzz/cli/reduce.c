/* reduce.c - see reduce.h. */
#include "fuzz/cli/reduce.h"

#include <stdio.h>
#include <string.h>

#include "fuzz/campaign/process.h"
#include "fuzz/cli/interrupt.h"

enum { PREEMPTION_VISIT_MAX = 1023 };

size_t
reduction_bytes(struct reduction *reduction, const struct program *program)
{
  size_t head = program_header(program->dialect, reduction->bytes);

  return head + program_encode(program, reduction->bytes + head, PROGRAM_INPUT_MAX);
}

static bool
still_shows(void *arg, const struct program *program)
{
  struct reduction *reduction = arg;
  json_t *record =
      judge_bytes(&reduction->judge, reduction->bytes, reduction_bytes(reduction, program),
                  reduction->problem, sizeof reduction->problem);
  bool same = record_is_finding(record) &&
              strcmp(record_finding_text(record, "bucket"), reduction->bucket) == 0;

  reduction->broken = reduction->broken || (record == NULL && !interrupt_seen);
  json_decref(record);
  return same;
}

struct switches {
  struct preemption *list;
  unsigned count; /* may be more than fit */
};

static unsigned
number_of(const json_t *line, const char *name)
{
  return (unsigned)json_integer_value(json_object_get(line, name));
}

static void
note_switch(void *arg, const json_t *line)
{
  struct switches *switches = arg;

  if (json_object_get(line, "switch") == NULL)
    return;
  /* A visit beyond what a preemption can name. */
  if (number_of(line, "visit") > PREEMPTION_VISIT_MAX)
    switches->count = PROGRAM_PREEMPTION_MAX;
  if (switches->count < PROGRAM_PREEMPTION_MAX)
    switches->list[switches->count] =
        (struct preemption){.thread = (uint8_t)number_of(line, "thread"),
                            .site = (uint8_t)number_of(line, "site"),
                            .visit = (uint16_t)number_of(line, "visit"),
                            .to = (uint8_t)number_of(line, "switch")};
  switches->count++;
}

static unsigned
list_switches(void *arg, const struct program *program,
              struct preemption list[PROGRAM_PREEMPTION_MAX])
{
  struct reduction *reduction = arg;
  struct switches switches = {.list = list};

  if (!judge_trace(&reduction->judge, reduction->bytes, reduction_bytes(reduction, program),
                   note_switch, &switches) ||
      switches.count > PROGRAM_PREEMPTION_MAX)
    return 0;
  return switches.count;
}

static bool
has_enough(void *arg)
{
  const struct reduction *reduction = arg;
  uint64_t seconds = reduction->seconds;

  return interrupt_seen || reduction->broken ||
         (seconds != 0 && clock_ms() - reduction->start_ms >= seconds * 1000);
}

static void
show_progress(void *arg, const struct program *best, unsigned long runs)
{
  struct reduction *reduction = arg;
  unsigned long long now = clock_ms();

  if (now - reduction->shown_ms < 1000)
    return;
  reduction->shown_ms = now;
  fprintf(stderr, "%5llu s  runs %lu  ops %u  blocks %u  preemptions %u  bytes %zu\n",
          (now - reduction->start_ms) / 1000, runs, best->op_count, best->block_count,
          best->preemption_count, PROGRAM_HEADER_SIZE + program_encoded_size(best));
}

bool
reduction_run(struct reduction *reduction, struct program *program, struct minimize_report *report)
{
  const struct minimize_request request = {.still = still_shows,
                                           .switches = list_switches,
                                           .enough = has_enough,
                                           .progress = show_progress,
                                           .arg = reduction};

  reduction->start_ms = reduction->shown_ms = clock_ms();
  if (!minimize_program(program, &request, report)) {
    snprintf(reduction->problem, sizeof reduction->problem, "out of memory");
    return false;
  }
  return !reduction->broken;
}
