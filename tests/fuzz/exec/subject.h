/* subject.h - small programs under test for the hosts' own tests: two threads that share plain
 * fields through the platform.  Compiled as the collector is, so that the sanitizers see it. */
#ifndef GCSTORM_TEST_SUBJECT_H
#define GCSTORM_TEST_SUBJECT_H

#include "fuzz/exec/observe.h"
#include "rgc/platform.h"

enum { SUBJECT_LOG_MAX = 64, SUBJECT_CROWD = 7 };

struct subject {
  struct rgc_platform platform;
  struct rgc_mutex mutex;
  struct rgc_mutex second;
  struct rgc_cond cond;
  unsigned others[2];
  int shared;
  int ready;
  enum rgc_wait_result wait_result;
  char crowded[8] __attribute__((aligned(8)));
  unsigned trail;
  unsigned trails[SUBJECT_CROWD + 1][16];
  uintptr_t arena;              /* addresses that an observer is told of */
  const struct observer *watch; /* told of ops */
  /* Which thread passed which of its own points, in order. */
  unsigned log_count;
  unsigned log[SUBJECT_LOG_MAX];
};

void subject_init(struct subject *subject, struct rgc_platform platform);

/* Bodies for thread 0. */
void subject_race(void *arg);          /* two threads write `shared` without a lock */
void subject_race_observed(void *arg); /* …and tell an observer of objects in between */
void subject_observed(void *arg);      /* two threads tell an observer, and do nothing else */
void subject_crowd(void *arg);         /* more races on one word than TSan remembers accesses */
void subject_trail(void *arg); /* the threads of that one write words of their own: `trail` */
void subject_race_watched(void *arg); /* two threads write, and tell of ops and collections */
void subject_watched(void *arg);      /* two threads tell of ops and collections, nothing else */
void subject_locked(void *arg);       /* the same under a mutex */
void subject_handoff(void *arg);      /* a condition hands a value over */
void subject_deadlock(void *arg);     /* two mutexes, taken in both orders */
void subject_lost_wakeup(void *arg);  /* a core wait that nobody ends */
void subject_idle(void *arg);         /* a wait of the program that nobody ends */
void subject_steps(void *arg);        /* two threads log each of their schedule points */
void subject_leak(void *arg);         /* keeps an off-heap block */
void subject_steps_of_one(void *arg); /* the same with one thread, a second being refused */
void subject_wrong_size(void *arg);   /* gives a block back with another size */
void subject_crash(void *arg);        /* reads address 8 */
void subject_recursion(void *arg);    /* runs into the guard page */
void subject_spin(void *arg);         /* passes schedule points for ever */
void subject_stall(void *arg);        /* runs for ever and passes none */
void subject_fail(void *arg);         /* a broken invariant, in the middle, holding a mutex */

#endif
