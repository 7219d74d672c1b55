/* threads.h - the threads host: the platform of rgc/platform.h over pthreads.
 *
 * What a run is made of (program, options, result, memory, the table of threads) is the record
 * `sim` of sim.h, as in the simulator; here each thread writes its own entry of sim.threads, and
 * what threads share is guarded by the gate.  The gate is a lock that TSan cannot see, so that the
 * host orders no two threads of the program under test: TSan sees the pthread calls and no more.
 *
 * Who can go on is known exactly, as in the simulator: a thread is runnable, or waits for a lock, a
 * condition or the end of a thread, and whoever ends its wait makes it runnable under the gate
 * before the pthread call that lets it go.  So "no thread is runnable" is a fact, not a timeout.
 */
#ifndef GCSTORM_EXEC_THREADS_H
#define GCSTORM_EXEC_THREADS_H

#include "fuzz/exec/sim.h"

struct rgc_platform threads_platform(void);

/* Runs `body(arg)` as thread 0 and returns once every thread is joined.  A finding on one of them
 * ends the process.  Called by the root. */
void threads_run(const struct program *program, const struct exec_options *options,
                 struct exec_result *result, void (*body)(void *arg), void *arg);

/* Number of the calling thread; FIBER_ROOT on a thread that is none of the run's. */
unsigned threads_current(void);

/* False on a thread that is none of the run's. */
bool threads_stack_bounds(uintptr_t *low, uintptr_t *high);
bool threads_is_guard(uintptr_t address);

/* ---- What ends the process ------------------------------------------------------------------ */

/* Returns to the first thread that has something to report, and to that one only: the others stop
 * here until it has ended the process. */
void threads_claim_report(void);
/* After the finding was published: by way of the signal handlers, so that a fuzz engine keeps the
 * input; exit code DEATH_EXIT_CODE where there is none. */
_Noreturn void threads_die(void);

/* ---- The gate ------------------------------------------------------------------------------- */

void threads_gate_take(void);
void threads_gate_give(void);

/* ---- threads_sync.c: under the gate --------------------------------------------------------- */

/* Nobody may be able to go on after `thread` left the runnable ones: ends every wait of the
 * program.  True: there was none, and not every thread is done, which is a deadlock. */
bool threads_leave_locked(struct sim_thread *thread, enum sim_state state);
void threads_enter_locked(struct sim_thread *thread);
/* Not under the gate.  Does not return. */
void threads_deadlock(void);

/* ---- threads_sync.c: the platform ----------------------------------------------------------- */

void threads_mutex_init(void *self, struct rgc_mutex *mutex, const char *name);
void threads_mutex_destroy(void *self, struct rgc_mutex *mutex);
void threads_mutex_lock(void *self, struct rgc_mutex *mutex);
void threads_mutex_unlock(void *self, struct rgc_mutex *mutex);
void threads_cond_init(void *self, struct rgc_cond *cond, const char *name);
void threads_cond_destroy(void *self, struct rgc_cond *cond);
enum rgc_wait_result threads_cond_wait(void *self, struct rgc_cond *cond, struct rgc_mutex *mutex,
                                       enum rgc_wait_kind kind);
void threads_cond_broadcast(void *self, struct rgc_cond *cond);

/* ---- threads_perturb.c ---------------------------------------------------------------------- */

/* The seed is the program and options->perturb; per thread, site and visit it decides who yields,
 * spins or sleeps, most often at a few sites that it chooses for the run. */
void threads_perturb_reset(void);
void threads_schedule_point(void *self, enum rgc_site site);

#endif
