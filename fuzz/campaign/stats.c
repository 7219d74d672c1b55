/* stats.c - see stats.h. */
#include "fuzz/campaign/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/campaign/plural.h"

_Static_assert(sizeof(struct exec_stats) % sizeof(uint64_t) == 0, "only 64-bit counters");
_Static_assert(sizeof(struct exec_stats) / sizeof(uint64_t) ==
                   16 + (size_t)EXEC_OP_MAX * OP_PHASE_COUNT,
               "counters without holes");

static const char *const phase_names[OP_PHASE_COUNT] = {"quiet", "sweeping", "foreign-gc",
                                                        "stop-pending"};

struct exec_stats *
stats_map(const char *path)
{
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  void *map = MAP_FAILED;

  if (file < 0)
    return NULL;
  /* Every byte has its place: a write through the map that finds none is a SIGBUS. */
  int error = posix_fallocate(file, 0, (off_t)sizeof(struct exec_stats));

  if (error == 0) {
    map = mmap(NULL, sizeof(struct exec_stats), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    error = errno;
  }
  close(file);
  errno = error;
  return map == MAP_FAILED ? NULL : map;
}

void
stats_unmap(struct exec_stats *stats)
{
  if (stats != NULL)
    munmap(stats, sizeof *stats);
}

void
stats_add(struct exec_stats *sum, const struct exec_stats *one)
{
  uint64_t *to = (uint64_t *)sum;
  const uint64_t *from = (const uint64_t *)one;

  for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
    to[i] += from[i];
}

static double
percent(uint64_t part, uint64_t whole)
{
  return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

static void
print_share(FILE *file, const char *what, uint64_t part, uint64_t whole)
{
  fprintf(file, "  %-44s %6.1f %%\n", what, percent(part, whole));
}

/* A long run names the few cells that it missed; a short one misses too many to name. */
enum { ZEROS_NAMED = 16 };

static void
print_op_phases(FILE *file, const struct exec_stats *stats, enum program_dialect dialect)
{
  unsigned count;
  const struct op_info *table = op_table(dialect, &count);
  size_t zeros = 0;

  fprintf(file, "  %-24s", "op, by what the collector was doing");
  for (int phase = 0; phase < OP_PHASE_COUNT; phase++)
    fprintf(file, " %13s", phase_names[phase]);
  fputc('\n', file);
  for (unsigned op = 0; op < count && op < EXEC_OP_MAX; op++) {
    fprintf(file, "  %-35s", table[op].name);
    for (int phase = 0; phase < OP_PHASE_COUNT; phase++)
      fprintf(file, " %13llu", (unsigned long long)stats->op_phase[op][phase]);
    fputc('\n', file);
  }
  fprintf(file, "  never reached:");
  for (unsigned op = 0; op < count && op < EXEC_OP_MAX; op++)
    for (int phase = 0; phase < OP_PHASE_COUNT; phase++)
      if (stats->op_phase[op][phase] == 0 && zeros++ < ZEROS_NAMED)
        fprintf(file, " %s/%s", table[op].name, phase_names[phase]);
  if (zeros > ZEROS_NAMED)
    fprintf(file, " and %zu more (the zeros of the table)", zeros - ZEROS_NAMED);
  fprintf(file, "%s\n", zeros == 0 ? " nothing" : "");
}

void
stats_print(FILE *file, const struct exec_stats *stats, enum program_dialect dialect)
{
  fprintf(file, "worth of the programs (%llu run%s, %llu op%s):\n", (unsigned long long)stats->runs,
          plural(stats->runs), (unsigned long long)stats->ops, plural(stats->ops));
  print_share(file, "ops that did something", stats->ops_effective, stats->ops);
  print_share(file, "programs with 2 live Ractors at a global GC", stats->runs_two_live_at_global,
              stats->runs);
  print_share(file, "programs with a page emptied", stats->runs_page_emptied, stats->runs);
  print_share(file, "programs with a page changing owner", stats->runs_page_moved, stats->runs);
  print_share(file, "programs with a failed page allocation", stats->runs_page_failed, stats->runs);
  print_share(file, "programs that spent their op budget", stats->runs_budget_spent, stats->runs);
  fprintf(file, "  collections: %llu minor, %llu major, %llu global; %llu switches\n",
          (unsigned long long)stats->local_minor, (unsigned long long)stats->local_major,
          (unsigned long long)stats->global, (unsigned long long)stats->switches);
  print_op_phases(file, stats, dialect);
}

static void
add_number(json_t *object, const char *name, uint64_t value)
{
  json_object_set_new(object, name, json_integer((json_int_t)value));
}

json_t *
stats_json(const struct exec_stats *stats, enum program_dialect dialect)
{
  json_t *object = json_object();
  json_t *cells = json_object();
  unsigned count;
  const struct op_info *table = op_table(dialect, &count);

  add_number(object, "runs", stats->runs);
  add_number(object, "ops", stats->ops);
  add_number(object, "ops_effective", stats->ops_effective);
  add_number(object, "schedule_points", stats->schedule_points);
  add_number(object, "switches", stats->switches);
  add_number(object, "local_minor", stats->local_minor);
  add_number(object, "local_major", stats->local_major);
  add_number(object, "global", stats->global);
  add_number(object, "runs_two_live_at_global", stats->runs_two_live_at_global);
  add_number(object, "runs_page_emptied", stats->runs_page_emptied);
  add_number(object, "runs_page_moved", stats->runs_page_moved);
  add_number(object, "runs_compared", stats->runs_compared);
  add_number(object, "variants", stats->variants);
  add_number(object, "variants_undecided", stats->variants_undecided);
  add_number(object, "runs_page_failed", stats->runs_page_failed);
  add_number(object, "runs_budget_spent", stats->runs_budget_spent);
  for (unsigned op = 0; op < count && op < EXEC_OP_MAX; op++) {
    json_t *row = json_object();

    for (int phase = 0; phase < OP_PHASE_COUNT; phase++)
      add_number(row, phase_names[phase], stats->op_phase[op][phase]);
    json_object_set_new(cells, table[op].name, row);
  }
  json_object_set_new(object, "op_phase", cells);
  return object;
}
