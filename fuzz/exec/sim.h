/* sim.h - the simulator: the platform of rgc/platform.h over fibers, with a schedule, a failure
 * plan and stress places taken from the program, a trace hash, and the record of a finding.
 *
 * Everything of one process lives in the single struct `sim`, which the threads host (threads.h)
 * uses too.  Its code is not instrumented, uses
 * its own loops and reaches TSan only through the hooks of sanitize.h, so that nothing the
 * scheduler does is an access of the program under test or orders two of its threads.
 *
 * A run is a function of program and limits: no clock, no address, no process id is read.
 */
#ifndef GCSTORM_EXEC_SIM_H
#define GCSTORM_EXEC_SIM_H

#include "fuzz/exec/exec.h"
#include "fuzz/exec/fiber.h"

enum sim_state {
  SIM_NONE,
  SIM_RUNNABLE,
  SIM_ON_LOCK, /* until the mutex is given back */
  SIM_ON_COND, /* until a broadcast, or idleness for a wait of the program */
  SIM_ON_JOIN, /* until thread `target` is done */
  SIM_DONE
};

struct sim_thread {
  enum sim_state state;
  void (*entry)(void *arg);
  void *arg;
  struct rgc_mutex *mutex; /* waited for, or to be taken again after a condition */
  bool wants_mutex;        /* threads host: not yet had */
  struct rgc_cond *cond;
  enum rgc_wait_kind wait_kind;
  enum rgc_wait_result wait_result;
  unsigned target;
  unsigned oracle_depth;
  unsigned op_index;
  const char *op_name;   /* NULL before the first op */
  int64_t priority;      /* PCT: the highest runs */
  unsigned parent;       /* that started it; of the first: itself */
  unsigned child_number; /* among its parent's */
  unsigned child_count;
  unsigned last_child;
  uint32_t visits[RGC_SITE_COUNT];
  uint32_t stress_visits[RGC_STRESS_COUNT];
};

#define SIM_ARENA_SIZE ((size_t)64 << 20)

enum { SIM_STRESS_BUDGET = 1200, SIM_PCT_DEPTH_MAX = 8 };

struct watch;
struct sim_block; /* header of an off-heap block */

struct sim {
  bool ready; /* arena and fibers are there */
  bool running;
  bool abandoned;  /* the run was given up in the middle */
  bool reported;   /* on_finding was called for this run */
  bool on_threads; /* the threads host runs it; else the simulator */

  const struct program *program;
  const struct exec_options *options;
  struct exec_result *result;
  struct watch *watch;        /* of a Ractor program; else NULL */
  unsigned shareable_globals; /* triggered by a limit, with nothing between that raised the count */
  unsigned zombie_globals;    /* the same */
  unsigned collections_of_op; /* since an op ended last */

  struct sim_thread threads[FIBER_THREAD_MAX];
  unsigned thread_count;
  unsigned runnable; /* threads host: under the gate */
  unsigned quantum_left;
  uint64_t points;             /* schedule points so far */
  uint64_t points_at_progress; /* …when an op or a phase last advanced */
  uint64_t advances;           /* threads host: ops and phases that did */
  uint64_t change_points[SIM_PCT_DEPTH_MAX];
  unsigned change_count;

  uint64_t requests[FAILURE_KIND_COUNT];
  unsigned stress_left;
  bool page_failed;

  /* A bit an objspace id, modulo their width: those in a local cycle, as told by events. */
  uint64_t marking;
  uint64_t sweeping;
  bool world_stopped; /* GC events only: between two ops */

  const struct rgc_world *world; /* of the run, for reports; NULL while there is none */

  char *arena;
  size_t arena_used;
  size_t arena_live;        /* bytes reserved and not released */
  struct sim_block *blocks; /* off-heap blocks of the run, newest first */
  size_t block_bytes;
  struct sim_block *freed; /* kept until the run ends */
  size_t freed_bytes;
};

extern struct sim sim;

/* Once a process. */
bool sim_setup(char *problem, size_t problem_size);

/* Runs `body(arg)` as thread 0 and returns once every thread is done (true) or the run was given up
 * by a finding (false).  Called by the root. */
bool sim_run(const struct program *program, const struct exec_options *options,
             struct exec_result *result, void (*body)(void *arg), void *arg);

/* After the accounts of the run are closed: forgets program, options and result. */
void sim_release(void);

/* The platform; valid for ever. */
struct rgc_platform sim_platform(void);

/* ---- sim.c: scheduling --------------------------------------------------------------------- */

/* Before a run, of either host. */
void sim_reset(const struct program *program, const struct exec_options *options,
               struct exec_result *result);

/* The number of the thread that runs, on either host; FIBER_ROOT on the root. */
unsigned sim_current(void);
/* Its entry; NULL on the root. */
struct sim_thread *sim_self(void);
/* Reports that no thread can go on (O4). */
void sim_deadlock(void);

/* Counters that the threads of a run share. */
static inline void
sim_count(uint64_t *counter, uint64_t amount)
{
  __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

/* Suspends the caller, whose state says what for, and runs somebody else. */
void sim_block_self(void);
void sim_schedule_point(void *self, enum rgc_site site);
void sim_progress(void);

/* ---- sim_plan.c: what the program's schedule and plans say ---------------------------------- */

void sim_plan_reset(void);
int64_t sim_plan_priority(unsigned thread);
/* The thread that must run after this schedule point; the caller if nothing changes. */
unsigned sim_plan_next(unsigned self, enum rgc_site site, uint32_t visit);
/* The thread to run when the caller cannot go on; FIBER_THREAD_MAX when none can. */
unsigned sim_plan_pick(unsigned after);
bool sim_plan_allows(enum failure_kind kind);
enum rgc_stress_action sim_stress(void *self, enum rgc_stress_point point);

/* ---- sim_sync.c ---------------------------------------------------------------------------- */

void sim_mutex_init(void *self, struct rgc_mutex *mutex, const char *name);
void sim_mutex_destroy(void *self, struct rgc_mutex *mutex);
void sim_mutex_lock(void *self, struct rgc_mutex *mutex);
void sim_mutex_unlock(void *self, struct rgc_mutex *mutex);
void sim_cond_init(void *self, struct rgc_cond *cond, const char *name);
void sim_cond_destroy(void *self, struct rgc_cond *cond);
enum rgc_wait_result sim_cond_wait(void *self, struct rgc_cond *cond, struct rgc_mutex *mutex,
                                   enum rgc_wait_kind kind);
void sim_cond_broadcast(void *self, struct rgc_cond *cond);
bool sim_thread_start(void *self, void (*entry)(void *arg), void *arg, unsigned *id);
void sim_thread_join(void *self, unsigned id);
unsigned sim_thread_self(void *self);
/* A lock or condition was used against its rules. */
void sim_lock_misused(const char *rule, const char *name);
/* Ends every wait of the program.  False: there is none. */
bool sim_wake_idle(void);
/* One line: who waits for what, and who holds it. */
void sim_wait_graph(char *text, size_t text_size);
/* The names waited for, as the end of a bucket. */
void sim_wait_key(char *key, size_t key_size);

/* ---- sim_memory.c -------------------------------------------------------------------------- */

bool sim_memory_setup(char *problem, size_t problem_size);
/* Gives back what a given-up run left, and makes the arena clean. */
void sim_memory_reset(bool abandoned);
void *sim_arena_reserve(void *self, size_t size, size_t alignment);
void sim_arena_release(void *self, void *base, size_t size);
void *sim_memory_alloc(void *self, size_t size);
void sim_memory_free(void *self, void *memory, size_t size);

/* ---- trace.c ------------------------------------------------------------------------------- */

void sim_event(void *self, enum rgc_event event, uint64_t a, uint64_t b);
/* Folds the outcome of an op into the trace; never an address. */
void sim_trace_op(unsigned op_index, const char *name, unsigned error, uint64_t digest);
/* Another thread goes on, though this one could. */
void sim_trace_switch(enum rgc_site site, uint32_t visit, unsigned to);
uint64_t sim_mix(uint64_t hash, uint64_t value);

/* ---- report.c ------------------------------------------------------------------------------ */

void sim_oracle_begin(void *self);
void sim_oracle_end(void *self);
void sim_fail(void *self, const struct rgc_failure *failure);

/* Fills the parts of the finding that the simulator knows.  Async-signal-safe. */
struct finding *sim_finding_begin(const char *oracle, const char *rule);
/* Hands the finding out, once a run.  Does not end anything. */
void sim_finding_publish(void);
/* Publishes and gives the run up: switches to the root and does not return.  Not on the root. */
_Noreturn void sim_abandon(void);
/* A finding of the simulator itself (O4, O5), with the bucket rule:where.  Gives the run up when
 * called on a fiber, else returns. */
void sim_verdict(const char *oracle, const char *rule, const char *where, const char *text);

#endif
