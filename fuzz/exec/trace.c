/* trace.c - the trace hash of a run, and the trace itself when somebody wants to read it; of
 * the simulator only.
 *
 * Only numbers that are the same in every build and process are folded: ids, counts, op numbers.
 */
#include "fuzz/exec/sim.h"

#include <inttypes.h>

#include "fuzz/exec/progress.h"

static const char *const event_names[RGC_EVENT_COUNT] = {
    "local_begin", "local_marked", "local_swept",      "global_step",
    "page_taken",  "page_given",   "objspace_created", "objspace_retired",
    "absorbed",    "promoted",     "out_of_memory",    "world_stopped"};

uint64_t
sim_mix(uint64_t hash, uint64_t value)
{
  uint64_t x = hash ^ (value + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2));

  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static void
fold(uint64_t kind, uint64_t a, uint64_t b)
{
  uint64_t hash = sim.result->trace_hash;

  if (sim.on_threads)
    return;
  hash = sim_mix(hash, kind << 8 | fiber_current());
  hash = sim_mix(hash, a);
  sim.result->trace_hash = sim_mix(hash, b);
}

static void
note_space(uint64_t *spaces, uint64_t space, bool in)
{
  if (in)
    __atomic_fetch_or(spaces, space, __ATOMIC_RELAXED);
  else
    __atomic_fetch_and(spaces, ~space, __ATOMIC_RELAXED);
}

static void
note_cycle(uint64_t objspace, enum rgc_cycle cycle)
{
  uint64_t space = UINT64_C(1) << objspace % 64;

  note_space(&sim.marking, space, cycle == RGC_CYCLE_MARKING);
  note_space(&sim.sweeping, space, cycle == RGC_CYCLE_SWEEPING);
}

static void
count(enum rgc_event event, uint64_t a, uint64_t b)
{
  struct exec_stats *stats = &sim.result->stats;

  sim_progress();
  progress_event(event, a);
  switch (event) {
  case RGC_EVENT_LOCAL_BEGIN:
    sim_count(&stats->local_minor, b == 0);
    sim_count(&stats->local_major, b != 0);
    note_cycle(a, RGC_CYCLE_MARKING);
    break;
  case RGC_EVENT_LOCAL_MARKED:
    note_cycle(a, RGC_CYCLE_SWEEPING);
    break;
  case RGC_EVENT_LOCAL_SWEPT:
  case RGC_EVENT_OBJSPACE_RETIRED:
    note_cycle(a, RGC_CYCLE_IDLE);
    break;
  case RGC_EVENT_GLOBAL_STEP:
    sim_count(&stats->global, a == RGC_PHASE_RECOUNTED);
    break;
  case RGC_EVENT_WORLD_STOPPED:
    sim.world_stopped = sim.program->dialect == PROGRAM_EVENTS;
    break;
  default:
    break;
  }
}

void
sim_event(void *self, enum rgc_event event, uint64_t a, uint64_t b)
{
  (void)self;
  if (sim.result == NULL || event >= RGC_EVENT_COUNT)
    return;
  fold((uint64_t)event + 1, a, b);
  count(event, a, b);
  if (sim.on_threads || sim.options->trace == NULL)
    return;
  sim_oracle_begin(NULL);
  fprintf(sim.options->trace,
          "{\"point\":%" PRIu64 ",\"thread\":%u,\"event\":\"%s\",\"a\":%" PRIu64 ",\"b\":%" PRIu64
          "}\n",
          sim.points, sim_thread_self(NULL), event_names[event], a, b);
  sim_oracle_end(NULL);
}

void
sim_trace_op(unsigned op_index, const char *name, unsigned error, uint64_t digest)
{
  sim_progress();
  progress_op();
  fold(UINT64_C(0x1000) + error, op_index, digest);
  if (sim.on_threads || sim.options->trace == NULL)
    return;
  sim_oracle_begin(NULL);
  fprintf(sim.options->trace,
          "{\"point\":%" PRIu64 ",\"thread\":%u,\"op\":\"%s\",\"index\":%u,\"error\":%u,"
          "\"digest\":\"%016" PRIx64 "\"}\n",
          sim.points, sim_thread_self(NULL), name, op_index, error, digest);
  sim_oracle_end(NULL);
}

/* Not folded: the hash knows the order of ops and events, which is what a switch is for. */
void
sim_trace_switch(enum rgc_site site, uint32_t visit, unsigned to)
{
  if (sim.on_threads || sim.options->trace == NULL)
    return;
  sim_oracle_begin(NULL);
  fprintf(sim.options->trace,
          "{\"point\":%" PRIu64 ",\"thread\":%u,\"switch\":%u,\"site\":%u,\"visit\":%" PRIu32 "}\n",
          sim.points, sim_thread_self(NULL), to, (unsigned)site, visit);
  sim_oracle_end(NULL);
}
