/* server_child.c - see server_child.h. */
#include "fuzz/exec/server_child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "fuzz/exec/death.h"
#include "fuzz/exec/sim.h"
#include "fuzz/exec/wire.h"

/* Room for a record: the longest texts and stacks, each byte of them escaped. */
enum { RECORD_SIZE = 1 << 17 };

/* What an answer needs, also in the middle of a sanitizer's report or in a signal handler: all of
 * it is there before the first run. */
struct child {
  struct job *job;
  int requests;
  int answers;
  struct wire_frame request;
  struct wire_frame answer;
  FILE *file; /* over `record` */
  char record[RECORD_SIZE];
};

static void
send_answer(struct child *child, enum wire_verdict verdict, const char *record)
{
  const struct wire_wait wait = {.milliseconds = -1};

  wire_answer_put(&child->answer, &(struct wire_answer){verdict, record, ""});
  if (wire_send(child->answers, &child->answer, &wait) != WIRE_OK)
    _exit(DEATH_EXIT_CODE);
}

static void
send_record(struct child *child, const struct finding *finding)
{
  rewind(child->file);
  job_write_record(child->file, child->job, finding);
  long size = ftell(child->file);

  child->record[size > 0 && size < RECORD_SIZE ? size : 0] = '\0';
  send_answer(child, finding != NULL ? WIRE_FINDING : WIRE_CLEAN, child->record);
}

static void
on_finding(void *arg, const struct finding *finding)
{
  struct child *child = arg;

  /* Of a run outside of exec_run_program the result is another one. */
  if (sim.result != NULL && sim.result != &child->job->result)
    child->job->result.trace_hash = sim.result->trace_hash;
  if (child->job->options.trace != NULL)
    fflush(child->job->options.trace);
  send_record(child, finding);
}

static void
send_ready(struct child *child)
{
  const struct wire_wait wait = {.milliseconds = -1};

  wire_begin(&child->answer, WIRE_READY);
  if (wire_send(child->answers, &child->answer, &wait) != WIRE_OK)
    _exit(0);
}

/* One request.  A finding has been answered when job_run returns. */
static void
answer_request(struct child *child, const struct wire_request *request)
{
  struct job *job = child->job;
  char problem[512];
  bool good = true;

  job_reset(job);
  for (unsigned i = 0; i < request->option_count && good; i++)
    good = job_option(job, request->options[i].name, request->options[i].value, problem,
                      sizeof problem);
  enum job_end end =
      good ? job_run(job, request->name, request->data, request->size, problem, sizeof problem)
           : JOB_REFUSED;
  bool told = good && end == JOB_REFUSED && job->result.verdict == EXEC_FINDING;

  if (end == JOB_FINDING || told)
    send_ready(child);
  else if (end == JOB_CLEAN)
    send_record(child, NULL);
  else
    send_answer(child, WIRE_REFUSED, problem);
  job_reset(job);
}

static void
set_up(struct child *child, pid_t parent)
{
  char problem[256];

  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(0);
  /* Should memory run out, this process is the one to go. */
  int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

  if (score >= 0 && (write(score, "1000", 4) < 0 || close(score) != 0))
    fprintf(stderr, "oom_score_adj cannot be set\n"); /* which changes no run */
  child->file = fmemopen(child->record, RECORD_SIZE, "w");
  if (!exec_setup(problem, sizeof problem)) {
    fprintf(stderr, "%s\n", problem);
    _exit(3);
  }
  sanitizer_show(STDERR_FILENO);
  memset(child->record, 'x', RECORD_SIZE - 1);
  wire_answer_put(&child->answer, &(struct wire_answer){WIRE_CLEAN, child->record, ""});
  if (child->file == NULL || child->answer.failed)
    _exit(3);
}

void
server_child_run(struct job *job, pid_t parent, int requests, int answers)
{
  static struct child child;
  static struct wire_request request;
  const struct wire_wait wait = {.milliseconds = -1};

  child.job = job;
  child.requests = requests;
  child.answers = answers;
  set_up(&child, parent);
  job->options.on_finding = on_finding;
  job->options.arg = &child;
  send_ready(&child);
  while (wire_receive(requests, &child.request, &wait) == WIRE_OK) {
    if (!wire_request_get(&child.request, &request))
      break;
    answer_request(&child, &request);
  }
  _exit(0);
}
