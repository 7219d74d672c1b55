/* fiber.h - the fibers on which the simulated threads run, all on one OS thread.
 *
 * A pool of FIBER_COUNT fibers is made once per process: making a TSan context costs 100 us and its
 * memory never comes back.  Fiber `FIBER_ROOT` is the caller's own stack; the others have a stack
 * of their own above a guard page.  To TSan each fiber is a thread, and a switch orders nothing:
 * every edge is one that a real program would have.  To ASan each switch is announced with the
 * bounds of the new stack.
 *
 * An execution that is given up in the middle is not unwound.  Its fibers are primed anew, and
 * `fibers_renew` makes fresh TSan contexts, since the old ones hold half a call stack.
 */
#ifndef GCSTORM_EXEC_FIBER_H
#define GCSTORM_EXEC_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIBER_THREAD_MAX = 16, FIBER_ROOT = FIBER_THREAD_MAX, FIBER_COUNT };

/* Once a process, on the OS thread that will run everything.  False: no memory for the stacks. */
bool fibers_setup(void);

/* Makes fiber `index` start at `entry(arg)` when it is next switched to.  `entry` must not return.
 * Acquires the fork edge of the fiber before `entry`, that is before any instrumented function. */
void fiber_prime(unsigned index, void (*entry)(void *arg), void *arg);

/* Suspends the caller until someone switches back to it. */
void fiber_switch(unsigned index);
unsigned fiber_current(void);

/* Before each execution, by the root: TSan forgets all that the process did, since what it finds
 * must be a function of the input alone.  Which of more than four accesses to a word it remembers
 * depends on how much each fiber has traced; so do the older accesses whose stacks it still knows.
 */
void fibers_forget(void);

/* Happens-before edges.  The caller is the parent, the ending fiber, or whoever waits for its end.
 */
void fiber_fork_release(unsigned index);
void fiber_join_release(unsigned index);
void fiber_join_acquire(unsigned index);

/* After an execution was given up, by the root: orders everything the fibers did before what the
 * root does next, and makes all fibers as new. */
void fibers_renew(void);

/* The fiber whose guard page holds `address`, or FIBER_COUNT. */
unsigned fiber_of_guard(uintptr_t address);

/* Bounds of the stack of a fiber, for the frame walk; [0, 0) for the root. */
void fiber_stack_bounds(unsigned index, uintptr_t *low, uintptr_t *high);

#endif
