/* exec.c - one run: decode, simulate, count, check the accounts, tidy up. */
#include "fuzz/exec/exec.h"

#include <assert.h>
#include <stdio.h>

#include "fuzz/exec/death.h"
#include "fuzz/exec/events.h"
#include "fuzz/exec/interpret.h"
#include "fuzz/exec/sanitize.h"
#include "fuzz/exec/shadow.h"
#include "fuzz/exec/sim.h"
#include "fuzz/exec/progress.h"
#include "fuzz/exec/symbols.h"
#include "fuzz/exec/threads.h"
#include "fuzz/exec/variants.h"

/* A program out of memory collects at every allocation; it must not take a second. */
enum { LOCAL_COST = 3, GLOBAL_COST = 12 };

/* What the observer of a run remembers; on the root's stack. */
struct run {
  const struct program *program;
  const struct exec_options *options;
  struct exec_result *result;
  struct watch *watch;                          /* NULL: GC events */
  struct op_subject subjects[FIBER_THREAD_MAX]; /* of each thread's current op */
  struct rgc_world_stats world;
  bool made; /* there was memory for a world */
};

static struct program decoded;     /* room for any input, made once */
static struct watch program_watch; /* the log of the program itself */
static struct shadow shadow;       /* of the run that is under way */

void
exec_options_default(struct exec_options *options)
{
  *options = (struct exec_options){
      .verify = EXEC_VERIFY_PHASES,
      .oracles = EXEC_ORACLE_ALL,
      .variants = EXEC_VARIANTS_OF_PROGRAM,
      .limits = {
          .ops = 4096, .threads = FINDING_THREAD_MAX, .schedule_points = 200000, .seconds = 20}};
}

bool
exec_prepare(char *problem, size_t problem_size)
{
  static bool done;

  if (done)
    return true;
  if (!sim_memory_setup(problem, problem_size))
    return false;
  if (!shadow_setup(&shadow, (uintptr_t)sim.arena, SIM_ARENA_SIZE)) {
    exec_copy_text(problem, problem_size, "no memory for the model of the heap");
    return false;
  }
  if (!program_init(&decoded, PROGRAM_RACTOR) || !variants_prepare()) {
    exec_copy_text(problem, problem_size, "no memory for a program");
    return false;
  }
  symbols_setup();
  done = true;
  return true;
}

bool
exec_setup(char *problem, size_t problem_size)
{
  static bool done;

  if (done)
    return true;
  if (!exec_prepare(problem, problem_size) || !sim_setup(problem, problem_size))
    return false;
  sanitizer_setup();
  signals_setup();
  done = true;
  return true;
}

/* Whether another thread waits inside the core: for this one to park, if it runs at all. */
static bool
stop_is_pending(void)
{
  for (unsigned i = 0; i < sim.thread_count; i++) {
    if (sim.threads[i].state == SIM_ON_COND && sim.threads[i].wait_kind == RGC_WAIT_CORE)
      return true;
  }
  return sim.world_stopped;
}

static unsigned
op_phase(unsigned objspace)
{
  uint64_t own = UINT64_C(1) << objspace % 64;
  uint64_t marking = __atomic_load_n(&sim.marking, __ATOMIC_RELAXED);
  uint64_t sweeping = __atomic_load_n(&sim.sweeping, __ATOMIC_RELAXED);

  if (stop_is_pending())
    return OP_PHASE_STOP_PENDING;
  if ((marking & ~own) != 0)
    return OP_PHASE_FOREIGN_GC;
  if ((sweeping & own) != 0)
    return OP_PHASE_SWEEPING;
  return (sweeping & ~own) != 0 ? OP_PHASE_FOREIGN_GC : OP_PHASE_QUIET;
}

/* Executed ops, with each collection counted as the ops that it costs. */
static uint64_t
spent(const struct exec_stats *stats)
{
  uint64_t local = __atomic_load_n(&stats->local_minor, __ATOMIC_RELAXED) +
                   __atomic_load_n(&stats->local_major, __ATOMIC_RELAXED);

  return __atomic_load_n(&stats->ops, __ATOMIC_RELAXED) + LOCAL_COST * local +
         GLOBAL_COST * __atomic_load_n(&stats->global, __ATOMIC_RELAXED);
}

static bool
op_begin(void *self, unsigned op_index, unsigned code, unsigned objspace,
         const struct op_subject *subject)
{
  struct run *run = self;
  struct exec_stats *stats = &run->result->stats;
  struct sim_thread *thread = sim_self();
  unsigned count = 0;

  assert(thread != NULL && code < EXEC_OP_MAX);
  if (spent(stats) >= run->options->limits.ops) {
    __atomic_store_n(&stats->runs_budget_spent, 1, __ATOMIC_RELAXED);
    if (run->watch != NULL)
      watch_cut(run->watch, WATCH_BUDGET);
    return false;
  }
  thread->op_index = op_index;
  thread->op_name = op_table(run->program->dialect, &count)[code].name;
  sim_count(&stats->ops, 1);
  sim_count(&stats->op_phase[code][op_phase(objspace)], 1);
  if (run->watch != NULL) {
    run->subjects[sim_thread_self(NULL)] = *subject;
    watch_op_begin(run->watch, code, subject);
  }
  return true;
}

static void
op_end(void *self, unsigned op_index, unsigned code, bool effective, unsigned outcome,
       const struct op_value *value)
{
  struct run *run = self;
  unsigned count = 0;

  sim_count(&run->result->stats.ops_effective, effective);
  if (run->program->dialect == PROGRAM_EVENTS && effective &&
      (code == EV_resume || code == EV_collect || code == EV_allocate))
    sim.world_stopped = false;
  sim_trace_op(op_index, op_table(run->program->dialect, &count)[code].name, outcome,
               value->digest);
  if (run->watch == NULL)
    return;
  const struct op_subject *subject = &run->subjects[sim_thread_self(NULL)];
  watch_op_end(run->watch, op_index, code, subject, outcome, value);
  if (code == OP_send)
    progress_check_waiters();
}

static void
block_begin(void *self, unsigned ractor, const struct op_value *argument)
{
  struct run *run = self;

  if (run->watch != NULL)
    watch_block_begin(run->watch, ractor, argument);
}

static void
block_end(void *self, unsigned outcome)
{
  struct run *run = self;

  if (run->watch != NULL)
    watch_block_end(run->watch, outcome);
}

void
observe_account_failed(const struct rgc_platform *platform, const char *rule, const char *text)
{
  struct rgc_failure failure = {rule, "accounts", text, "end"};

  platform->ops->fail(platform->self, &failure);
  __builtin_trap();
}

static void
take_verdict(void *arg, const char *oracle, const char *rule, const char *where, const char *text)
{
  (void)arg;
  sim_verdict(oracle, rule, where, text);
}

static unsigned
shadow_thread(void)
{
  return sim_thread_self(NULL);
}

/* The oracles that look at what the program does. */
static void
reset_oracles(const struct exec_options *options)
{
  shadow_reset(&shadow);
  shadow.report = take_verdict;
  shadow.thread = shadow_thread;
  shadow.model = (options->oracles & EXEC_ORACLE_SHADOW) != 0;
  shadow.stores = (options->oracles & EXEC_ORACLE_STORES) != 0;
}

static void
run_body(void *arg)
{
  struct run *run = arg;
  struct rgc_platform platform = sim.on_threads ? threads_platform() : sim_platform();
  struct rgc_observer shadow_calls = shadow_observer(&shadow);
  struct observer observer = {run, op_begin, op_end, block_begin, block_end};

  reset_oracles(run->options);
  /* The model is fed by one thread at a time. */
  if (run->options->oracles != 0 && !sim.on_threads)
    platform.observer = &shadow_calls;
  if (run->program->dialect == PROGRAM_EVENTS)
    run->made = events_run(run->program, &platform, run->options->verify, &observer, &run->world);
  else
    run->made =
        interpret_run(run->program, &platform, run->options->verify, &observer, &run->world);
}

/* O5, after the world is gone. */
static void
check_leftovers(void)
{
  char text[96];

  if (sim.block_bytes != 0) {
    snprintf(text, sizeof text, "%zu bytes off heap were not given back", sim.block_bytes);
    sim_verdict("O5", "leak-offheap", "end", text);
  } else if (sim.arena_live != 0) {
    snprintf(text, sizeof text, "%zu bytes of arenas were not given back", sim.arena_live);
    sim_verdict("O5", "leak-arena", "end", text);
  }
}

static void
take_world_stats(const struct run *run)
{
  struct exec_stats *stats = &run->result->stats;

  if (!run->made)
    return;
  stats->runs_two_live_at_global = run->world.global_with_two_live > 0;
  stats->runs_page_emptied = run->world.pages_emptied > 0;
  stats->runs_page_moved = run->world.pages_moved > 0;
}

/* One run, with its own log.  `result` is for this run alone. */
static void
run_once(const struct program *program, const struct exec_options *options,
         struct exec_result *result, struct watch *log)
{
  struct run run;

  exec_zero(result, sizeof *result);
  exec_zero(&run, sizeof run);
  run.program = program;
  run.options = options;
  run.result = result;
  /* Told by one thread at a time, as the model is. */
  bool watched = program->dialect == PROGRAM_RACTOR && options->host == EXEC_HOST_SIM;
  run.watch = watched ? log : NULL;
  watch_reset(log);
  sim.watch = run.watch;
  result->verdict = EXEC_CLEAN;
  result->stats.runs = 1;
  sim.world = NULL;
  bool finished = true;
  if (options->host == EXEC_HOST_THREADS)
    threads_run(program, options, result, run_body, &run);
  else
    finished = sim_run(program, options, result, run_body, &run);
  if (finished) {
    take_world_stats(&run);
    check_leftovers();
  }
  result->stats.runs_page_failed = sim.page_failed;
  sim_memory_reset(!finished);
  sim_release();
}

void
exec_run_program(const struct program *program, const struct exec_options *options,
                 struct exec_result *result)
{
  const struct judgement judgement = {program, options, &program_watch, result, run_once};

  run_once(program, options, result, &program_watch);
  if (result->verdict != EXEC_CLEAN || program->dialect != PROGRAM_RACTOR ||
      options->host != EXEC_HOST_SIM)
    return;
  result->observation_hash = watch_hash(&program_watch);
  if (options->observations != NULL)
    watch_print(&program_watch, options->observations);
  variants_judge(&judgement);
}

void
exec_run(enum program_dialect dialect, const uint8_t *data, size_t size,
         const struct exec_options *options, struct exec_result *result)
{
  char problem[128];

  if (!program_decode(&decoded, dialect, data, size, problem, sizeof problem)) {
    /* A kept file of another format: nothing that this build can judge. */
    exec_zero(result, sizeof *result);
    return;
  }
  exec_run_program(&decoded, options, result);
}
