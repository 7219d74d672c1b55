/* server.c - see server.h. */
#include "fuzz/exec/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/exec/death.h"
#include "fuzz/exec/server_child.h"
#include "fuzz/exec/wire.h"
#include "rgc/faults.h"

enum {
  TICK_MS = 20,          /* between two looks at memory */
  START_MS = 60000,      /* for a child to be ready */
  END_MS = 5000,         /* for a child to die of its finding, or to be ready again */
  CHILD_FINDINGS = 1000, /* a run that is cut off leaves some memory behind, with ASan the most */
  LOG_SIZE = 16384,
  RECORD_SIZE = 1 << 17
};

struct child {
  pid_t pid; /* 0: none */
  int to;
  int from;
  int statm;
  unsigned runs;
  unsigned findings;
};

/* How a request ended for the child that had it. */
enum outcome { ANSWERED, DIED, LATE, TOO_LARGE, CLIENT_GONE };

struct server {
  struct job *job;
  int in;
  int out;
  int log; /* a file in memory: standard error of every child */
  struct child child;
  struct wire_frame request;
  struct wire_frame answer;
  struct wire_frame from_child;
  char log_text[LOG_SIZE];
  char record[RECORD_SIZE];
};

/* ---- Children -------------------------------------------------------------------------------- */

static int
open_statm(pid_t pid)
{
  char path[48];

  snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
  return open(path, O_RDONLY | O_CLOEXEC);
}

static int
child_reap(struct server *server)
{
  struct child *child = &server->child;
  int status = 0;

  while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
    ;
  close(child->to);
  close(child->from);
  if (child->statm >= 0)
    close(child->statm);
  *child = (struct child){0};
  return status;
}

static void
child_end(struct server *server)
{
  if (server->child.pid == 0)
    return;
  kill(server->child.pid, SIGKILL);
  child_reap(server);
}

static void
become_child(struct server *server, pid_t parent, int requests, int answers)
{
  dup2(server->log, STDERR_FILENO);
  close(server->in);
  close(server->out);
  server_child_run(server->job, parent, requests, answers);
}

static bool
child_start(struct server *server)
{
  struct child *child = &server->child;
  const struct wire_wait wait = {.milliseconds = START_MS};
  int requests[2], answers[2];
  pid_t parent = getpid();

  if (pipe2(requests, O_CLOEXEC) != 0)
    return false;
  if (pipe2(answers, O_CLOEXEC) != 0) {
    close(requests[0]);
    close(requests[1]);
    return false;
  }
  fflush(NULL);
  pid_t pid = fork();

  if (pid == 0) {
    close(requests[1]);
    close(answers[0]);
    become_child(server, parent, requests[0], answers[1]);
  }
  close(requests[0]);
  close(answers[1]);
  if (pid < 0) {
    close(requests[1]);
    close(answers[0]);
    return false;
  }
  *child =
      (struct child){.pid = pid, .to = requests[1], .from = answers[0], .statm = open_statm(pid)};
  if (wire_receive(child->from, &server->from_child, &wait) == WIRE_OK &&
      wire_kind_of(&server->from_child) == WIRE_READY)
    return true;
  child_end(server);
  return false;
}

/* ---- What a run wrote ------------------------------------------------------------------------ */

static void
log_clear(struct server *server)
{
  if (ftruncate(server->log, 0) == 0)
    lseek(server->log, 0, SEEK_SET);
}

/* Process ids differ from run to run and say nothing. */
static void
log_hide_ids(char *text, pid_t pid)
{
  char id[24];
  size_t length = (size_t)snprintf(id, sizeof id, "%ld", (long)pid);

  for (char *at = strstr(text, id); at != NULL; at = strstr(at, id)) {
    bool whole = (at == text || at[-1] == '=') && (at[length] == '=' || at[length] == ')');

    if (whole)
      memset(at, '0', length);
    at += length;
  }
}

static void
log_read(struct server *server, pid_t pid)
{
  size_t kept = 0;
  ssize_t got = pread(server->log, server->log_text, LOG_SIZE - 1, 0);

  for (ssize_t i = 0; i < got; i++) {
    unsigned char c = (unsigned char)server->log_text[i];

    if (c != '\0')
      server->log_text[kept++] = (char)(c < 0x80 ? c : '?');
  }
  server->log_text[kept] = '\0';
  log_hide_ids(server->log_text, pid);
  if (getenv("GCSTORM_VERBOSE") != NULL)
    fputs(server->log_text, stderr);
}

/* The last line that is not empty. */
static const char *
log_last_line(const char *log, char *line, size_t size)
{
  size_t end = strlen(log);

  while (end > 0 && log[end - 1] == '\n')
    end--;
  size_t start = end;

  while (start > 0 && log[start - 1] != '\n')
    start--;
  snprintf(line, size, "%.*s", (int)(end - start), log + start);
  return line;
}

/* ---- Records of what the child could not tell ------------------------------------------------ */

static void
name_crash(struct finding *finding, int status, const char *log)
{
  char line[200];

  log_last_line(log, line, sizeof line);
  if (strstr(log, "out of memory") != NULL || strstr(log, "failed to allocate") != NULL) {
    snprintf(finding->rule, sizeof finding->rule, "out-of-memory");
    snprintf(finding->bucket, sizeof finding->bucket, "out-of-memory");
  } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
    snprintf(finding->rule, sizeof finding->rule, "killed");
    snprintf(finding->bucket, sizeof finding->bucket, "killed");
  } else {
    snprintf(finding->rule, sizeof finding->rule, "crash");
    if (WIFSIGNALED(status))
      snprintf(finding->bucket, sizeof finding->bucket, "crash:SIG%s",
               sigabbrev_np(WTERMSIG(status)) != NULL ? sigabbrev_np(WTERMSIG(status)) : "?");
    else
      snprintf(finding->bucket, sizeof finding->bucket, "crash:exit %d", WEXITSTATUS(status));
  }
  if (WIFSIGNALED(status))
    snprintf(finding->text, sizeof finding->text, "the process ended with signal %d (%s)%s%s",
             WTERMSIG(status), strsignal(WTERMSIG(status)), line[0] != '\0' ? ": " : "", line);
  else
    snprintf(finding->text, sizeof finding->text, "the process ended with exit code %d%s%s",
             WEXITSTATUS(status), line[0] != '\0' ? ": " : "", line);
}

static void
name_end(struct finding *finding, enum outcome outcome, int status,
         const struct wire_request *request, const char *log)
{
  snprintf(finding->oracle, sizeof finding->oracle, outcome == LATE ? "O4" : "O2");
  for (unsigned i = 0; i < request->option_count; i++)
    if (strcmp(request->options[i].name, "fault") == 0)
      snprintf(finding->faults, sizeof finding->faults, "%.*s", (int)sizeof finding->faults - 1,
               request->options[i].value);
  if (outcome == DIED) {
    name_crash(finding, status, log);
    return;
  }
  snprintf(finding->rule, sizeof finding->rule, outcome == LATE ? "timeout" : "out-of-memory");
  snprintf(finding->bucket, sizeof finding->bucket, "%s", finding->rule);
  if (outcome == LATE)
    snprintf(finding->text, sizeof finding->text, "no end within %llu s",
             (unsigned long long)request->time_ms / 1000);
  else
    snprintf(finding->text, sizeof finding->text, "more than %llu MiB of memory",
             (unsigned long long)request->memory_bytes >> 20);
}

/* Fills server->record. */
static void
blame_request(struct server *server, enum outcome outcome, int status,
              const struct wire_request *request)
{
  static struct finding finding; /* large */
  FILE *file = fmemopen(server->record, RECORD_SIZE, "w");

  memset(&finding, 0, sizeof finding);
  memset(&server->job->result, 0, sizeof server->job->result);
  name_end(&finding, outcome, status, request, server->log_text);
  server->job->name = request->name;
  if (file == NULL) {
    snprintf(server->record, RECORD_SIZE, "{\"verdict\":\"finding\"}");
    return;
  }
  job_write_record(file, server->job, &finding);
  fclose(file);
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* By calls that no sanitizer sees, like wire_poll.  The second number of statm, in pages. */
static uint64_t
resident_bytes(int statm)
{
  char text[128];
  uint64_t pages = 0;
  long got = syscall(SYS_pread64, statm, text, sizeof text, (off_t)0);
  long at = 0;

  while (at < got && text[at] != ' ')
    at++;
  for (at++; at < got && text[at] >= '0' && text[at] <= '9'; at++)
    pages = 10 * pages + (uint64_t)(text[at] - '0');
  return pages * (uint64_t)getpagesize();
}

/* Waits for the child's next frame, for the end of a limit, or for the client to go. */
static enum outcome
watch_child(struct server *server, const struct wire_request *request, uint64_t start_ms)
{
  const struct wire_wait frame_wait = {.milliseconds = END_MS};
  uint64_t looked_ms = start_ms;

  for (;;) {
    struct pollfd files[2] = {{.fd = server->child.from, .events = POLLIN}, {.fd = server->in}};
    int ready = wire_poll(files, 2, TICK_MS);
    uint64_t now = wire_clock_ms();

    if (ready > 0 && (files[1].revents & (POLLHUP | POLLERR)) != 0)
      return CLIENT_GONE;
    if (ready > 0 && files[0].revents != 0)
      return wire_receive(server->child.from, &server->from_child, &frame_wait) == WIRE_OK
                 ? ANSWERED
                 : DIED;
    if (request->time_ms != 0 && now - start_ms >= request->time_ms)
      return LATE;
    if (request->memory_bytes != 0 && now - looked_ms >= TICK_MS) {
      looked_ms = now;
      if (resident_bytes(server->child.statm) > request->memory_bytes)
        return TOO_LARGE;
    }
  }
}

static enum outcome
run_in_child(struct server *server, const struct wire_request *request)
{
  uint64_t start_ms = wire_clock_ms();
  const struct wire_wait wait = {
      .milliseconds =
          request->time_ms != 0 && request->time_ms < INT32_MAX ? (int)request->time_ms : -1};
  enum wire_status sent = wire_send(server->child.to, &server->request, &wait);

  server->child.runs++;
  if (sent == WIRE_LATE)
    return LATE;
  return sent == WIRE_OK ? watch_child(server, request, start_ms) : DIED;
}

/* After a finding: whether the child lives on.  Its log is complete then. */
static bool
child_survived(struct server *server)
{
  const struct wire_wait wait = {.milliseconds = END_MS};

  return wire_receive(server->child.from, &server->from_child, &wait) == WIRE_OK &&
         wire_kind_of(&server->from_child) == WIRE_READY &&
         ++server->child.findings < CHILD_FINDINGS;
}

static void
refuse(struct server *server, const char *text)
{
  wire_answer_put(&server->answer, &(struct wire_answer){WIRE_REFUSED, text, ""});
}

/* Puts together the answer of a child that gave one. */
static void
pass_answer(struct server *server, pid_t pid)
{
  struct wire_answer answer;

  if (!wire_answer_get(&server->from_child, &answer)) {
    refuse(server, "the worker's child sent no answer; this is a bug of gcstorm");
    child_end(server);
    return;
  }
  if (answer.verdict != WIRE_FINDING) {
    wire_answer_put(&server->answer, &answer);
    return;
  }
  snprintf(server->record, RECORD_SIZE, "%s", answer.record);
  if (!child_survived(server))
    child_end(server);
  log_read(server, pid);
  answer.record = server->record;
  answer.log = server->log_text;
  wire_answer_put(&server->answer, &answer);
}

/* The answer of a child that died, or that had to be ended. */
static void
make_answer(struct server *server, enum outcome outcome, const struct wire_request *request)
{
  pid_t pid = server->child.pid;

  if (outcome != DIED)
    kill(pid, SIGKILL);
  int status = child_reap(server);

  log_read(server, pid);
  blame_request(server, outcome, status, request);
  wire_answer_put(&server->answer,
                  &(struct wire_answer){WIRE_FINDING, server->record, server->log_text});
}

/* False: the client is gone. */
static bool
answer_request(struct server *server)
{
  struct wire_request request;

  if (!wire_request_get(&server->request, &request)) {
    refuse(server, "a request that cannot be understood");
    return true;
  }
  if (request.fresh && server->child.runs > 0)
    child_end(server);
  if (server->child.pid == 0 && !child_start(server)) {
    refuse(server, "no process can be made for a run");
    return true;
  }
  log_clear(server);
  pid_t pid = server->child.pid;
  enum outcome outcome = run_in_child(server, &request);

  if (outcome == ANSWERED)
    pass_answer(server, pid);
  else if (outcome != CLIENT_GONE)
    make_answer(server, outcome, &request);
  return outcome != CLIENT_GONE;
}

static int
serve(struct server *server)
{
  const struct wire_wait wait = {.milliseconds = -1};

  for (;;) {
    enum wire_status status = wire_receive(server->in, &server->request, &wait);

    if (status == WIRE_END)
      return 0;
    if (status != WIRE_OK) {
      fprintf(stderr, "gcstorm-worker: %s\n", server->request.problem);
      return 2;
    }
    if (!answer_request(server) || wire_send(server->out, &server->answer, &wait) != WIRE_OK)
      return 0;
    /* The next one is ready before it is asked for. */
    if (server->child.pid == 0)
      child_start(server);
  }
}

/* ---- Start ----------------------------------------------------------------------------------- */

static void
list_faults(char *text, size_t size)
{
  size_t count = 0, at = 0;
  const struct rgc_fault_info *rows = rgc_fault_list(&count);

  text[0] = '\0';
  for (size_t i = 0; rgc_faults_compiled() && i < count && at < size; i++)
    at += (size_t)snprintf(text + at, size - at, "%s%s", i > 0 ? "," : "", rows[i].id);
}

static bool
say_hello(struct server *server, const char *problem)
{
  const struct wire_wait wait = {.milliseconds = -1};
  const char *sanitizer = exec_sanitizer();
  char preset[32];

  snprintf(preset, sizeof preset, "%s%s", strcmp(sanitizer, "none") == 0 ? "plain" : sanitizer,
           rgc_faults_compiled() ? "-faults" : "");
  list_faults(server->record, RECORD_SIZE);
  wire_hello_put(&server->answer, &(struct wire_hello){PROGRAM_FORMAT_VERSION, preset, sanitizer,
                                                       server->record, problem});
  return wire_send(server->out, &server->answer, &wait) == WIRE_OK;
}

/* The pipes under numbers of their own, so that nothing that prints can garble a frame. */
static bool
take_pipes(struct server *server)
{
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);

  server->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  server->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  server->log = memfd_create("log", MFD_CLOEXEC);
  if (null < 0 || server->in < 0 || server->out < 0 || server->log < 0)
    return false;
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  close(null);
  return true;
}

int
server_run(struct job *job)
{
  static struct server server;
  char problem[256];
  int code = 3;

  server.job = job;
  if (!take_pipes(&server)) {
    fprintf(stderr, "gcstorm-worker: no file for its pipes: %s\n", strerror(errno));
    return code;
  }
  if (!exec_prepare(problem, sizeof problem)) {
    say_hello(&server, problem);
  } else if (!child_start(&server)) {
    log_read(&server, 0);
    log_last_line(server.log_text, problem, sizeof problem);
    say_hello(&server, problem[0] != '\0' ? problem : "no process can be made for a run");
  } else {
    code = say_hello(&server, "") ? serve(&server) : 0;
  }
  child_end(&server);
  return code;
}
