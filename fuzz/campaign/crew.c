/* crew.c - see crew.h.  Each thread has a worker process of its own; all else is under one mutex.
 */
#include "fuzz/campaign/crew.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz/campaign/files.h"

enum { PATIENCE_NS = 100 * 1000 * 1000, STACK_SIZE = 1 << 20 };

struct crew {
  const struct crew_request *request;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  json_t **records; /* one a task; NULL: not yet */
  size_t next;      /* task to take */
  size_t done;
  size_t running; /* threads */
  bool failed;
  char problem[5000];
};

static bool
stopped(const struct crew *crew)
{
  return crew->request->stop != NULL && *crew->request->stop;
}

static bool
take(struct crew *crew, size_t *index)
{
  bool taken;

  pthread_mutex_lock(&crew->mutex);
  taken = !crew->failed && !stopped(crew) && crew->next < crew->request->count;
  if (taken)
    *index = crew->next++;
  pthread_mutex_unlock(&crew->mutex);
  return taken;
}

static void
put(struct crew *crew, size_t index, json_t *record, const char *problem)
{
  pthread_mutex_lock(&crew->mutex);
  if (record != NULL) {
    crew->records[index] = record;
    crew->done++;
  } else if (!stopped(crew) && !crew->failed) {
    crew->failed = true;
    snprintf(crew->problem, sizeof crew->problem, "%s", problem);
  }
  pthread_cond_signal(&crew->changed);
  pthread_mutex_unlock(&crew->mutex);
}

static bool
same_text(const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* A thread's worker process, and for which options it is. */
struct member {
  struct worker worker;
  const struct worker_options *options; /* NULL: none is open */
};

static json_t *
run_task(struct member *member, const struct crew_task *task, char *problem, size_t problem_size)
{
  uint8_t *data = NULL;
  size_t size;
  json_t *record = NULL;

  if (member->options != NULL && (!same_text(member->options->sanitizer, task->options.sanitizer) ||
                                  !same_text(member->options->faults, task->options.faults) ||
                                  !same_text(member->options->dialect, task->options.dialect))) {
    worker_close(&member->worker);
    member->options = NULL;
  }
  if (member->options == NULL) {
    if (!worker_open(&member->worker, &task->options, problem, problem_size))
      return NULL;
    member->options = &task->options;
  }
  if (file_read(task->path, SIZE_MAX, &data, &size, problem, problem_size)) {
    const struct worker_input input = {task->path, data, size, false, NULL, 0};

    record = worker_ask(&member->worker, &input, problem, problem_size);
  }
  free(data);
  return record;
}

static void *
work(void *arg)
{
  struct crew *crew = arg;
  struct member *member = calloc(1, sizeof *member);
  char problem[5000] = "out of memory";
  size_t index;

  while (take(crew, &index))
    put(crew, index,
        member != NULL ? run_task(member, &crew->request->tasks[index], problem, sizeof problem)
                       : NULL,
        problem);
  if (member != NULL && member->options != NULL)
    worker_close(&member->worker);
  free(member);
  pthread_mutex_lock(&crew->mutex);
  crew->running--;
  pthread_cond_signal(&crew->changed);
  pthread_mutex_unlock(&crew->mutex);
  return NULL;
}

/* Hands out what is ready, until all is done or nobody works any more. */
static void
hand_out(struct crew *crew)
{
  const struct crew_request *request = crew->request;
  size_t next = 0;
  bool over = false;

  while (!over) {
    struct timespec until;
    json_t *record = NULL;
    size_t done;

    pthread_mutex_lock(&crew->mutex);
    if (next < request->count && crew->records[next] == NULL && crew->running > 0) {
      clock_gettime(CLOCK_REALTIME, &until);
      until.tv_nsec += PATIENCE_NS;
      until.tv_sec += until.tv_nsec / 1000000000;
      until.tv_nsec %= 1000000000;
      pthread_cond_timedwait(&crew->changed, &crew->mutex, &until);
    }
    if (next < request->count)
      record = crew->records[next];
    done = crew->done;
    over = next == request->count || (record == NULL && crew->running == 0);
    pthread_mutex_unlock(&crew->mutex);
    if (record != NULL)
      request->each(request->arg, next++, record);
    request->progress(request->arg, done);
  }
  /* Beyond a task that an interrupt left out. */
  for (; next < request->count; next++)
    if (crew->records[next] != NULL)
      request->each(request->arg, next, crew->records[next]);
}

/* Threads that cannot be made are done without; the first must be. */
static size_t
start_threads(struct crew *crew, pthread_t *threads)
{
  size_t wanted =
      crew->request->jobs < crew->request->count ? crew->request->jobs : crew->request->count;
  pthread_attr_t attributes;
  size_t started = 0;

  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_SIZE);
  pthread_mutex_lock(&crew->mutex);
  while (started < wanted && pthread_create(&threads[started], &attributes, work, crew) == 0)
    started++;
  crew->running = started;
  pthread_mutex_unlock(&crew->mutex);
  pthread_attr_destroy(&attributes);
  return started;
}

bool
crew_run(const struct crew_request *request, char *problem, size_t problem_size)
{
  struct crew crew = {.request = request,
                      .mutex = PTHREAD_MUTEX_INITIALIZER,
                      .changed = PTHREAD_COND_INITIALIZER,
                      .records = calloc(request->count + 1, sizeof(json_t *))};
  pthread_t *threads = calloc(request->jobs + 1, sizeof *threads);
  size_t started = 0;

  snprintf(crew.problem, sizeof crew.problem, "no thread can be made");
  if (crew.records != NULL && threads != NULL)
    started = start_threads(&crew, threads);
  crew.failed |= started == 0 && request->count > 0;
  if (started > 0)
    hand_out(&crew);
  for (size_t i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
  for (size_t i = 0; crew.records != NULL && i < request->count; i++)
    json_decref(crew.records[i]);
  free(crew.records);
  free(threads);
  snprintf(problem, problem_size, "%s", crew.failed ? crew.problem : "");
  return !crew.failed;
}
