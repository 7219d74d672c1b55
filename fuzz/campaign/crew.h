/* crew.h - runs many programs on several workers at once, and hands their records out in order. */
#ifndef GCSTORM_CAMPAIGN_CREW_H
#define GCSTORM_CAMPAIGN_CREW_H

#include "fuzz/campaign/worker.h"

struct crew_task {
  const char *path;
  struct worker_options options; /* a worker stays for tasks in a row that have the same */
};

struct crew_request {
  const struct crew_task *tasks;
  size_t count;
  size_t jobs;
  const volatile sig_atomic_t *stop; /* raised by a signal handler; ends it early */
  /* A task's record, in the order of the tasks and in the caller's thread. */
  void (*each)(void *arg, size_t index, json_t *record);
  /* Asked ten times a second, in the caller's thread; `done` may run ahead of `each`. */
  void (*progress)(void *arg, size_t done);
  void *arg;
};

/* False: workers cannot run here; `problem`.  What was done before was handed out. */
bool crew_run(const struct crew_request *request, char *problem, size_t problem_size);

#endif
