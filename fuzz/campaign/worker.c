/* worker.c - see worker.h. */
#include "fuzz/campaign/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/process.h"
#include "fuzz/program/program.h"

enum {
  START_MS = 60000, /* for a worker's hello */
  GRACE_MS = 70000  /* beyond a run's time, for the worker to fork and to answer */
};

static const uint64_t memory_default = (uint64_t)2 << 30;

/* ---- Records --------------------------------------------------------------------------------- */

const char *
record_text(const json_t *record, const char *name)
{
  const char *text = json_string_value(json_object_get(record, name));

  return text != NULL ? text : "";
}

const char *
record_finding_text(const json_t *record, const char *name)
{
  return record_text(json_object_get(record, "finding"), name);
}

bool
record_is_finding(const json_t *record)
{
  return strcmp(record_text(record, "verdict"), "finding") == 0;
}

/* A file name as JSON, which has no bytes that are no UTF-8. */
static json_t *
name_json(const char *name)
{
  json_t *text = json_string(name);
  char plain[PATH_MAX];
  size_t length = 0;

  if (text != NULL)
    return text;
  for (; name[length] != '\0' && length + 1 < sizeof plain; length++)
    plain[length] = (unsigned char)name[length] < 0x80 ? name[length] : '?';
  plain[length] = '\0';
  return json_string(plain);
}

/* ---- Process --------------------------------------------------------------------------------- */

bool
worker_open(struct worker *worker, const struct worker_options *options, char *problem,
            size_t problem_size)
{
  *worker = (struct worker){.options = options, .to = -1, .from = -1, .errors = -1};
  return build_binary(worker->path, sizeof worker->path, options->sanitizer,
                      options->faults != NULL, "gcstorm-worker", problem, problem_size);
}

static int
stop_server(struct worker *worker)
{
  int status = 0;

  if (worker->server == 0)
    return 0;
  /* Its children die with it. */
  kill(-worker->server, SIGKILL);
  while (waitpid(worker->server, &status, 0) < 0 && errno == EINTR)
    ;
  close(worker->to);
  close(worker->from);
  worker->server = 0;
  return status;
}

void
worker_close(struct worker *worker)
{
  stop_server(worker);
  if (worker->errors >= 0)
    close(worker->errors);
  worker->errors = -1;
  wire_frame_free(&worker->frame);
}

/* The last line that is not empty of a worker's stderr. */
static void
last_line(int errors, char *text, size_t size)
{
  static const char own[] = "gcstorm-worker: ";
  char tail[4096];
  off_t end = lseek(errors, 0, SEEK_END);
  off_t start = end > (off_t)sizeof tail - 1 ? end - ((off_t)sizeof tail - 1) : 0;
  ssize_t got = pread(errors, tail, sizeof tail - 1, start);
  char *line;

  text[0] = '\0';
  if (got <= 0)
    return;
  tail[got] = '\0';
  while (got > 0 && tail[got - 1] == '\n')
    tail[--got] = '\0';
  line = strrchr(tail, '\n');
  line = line != NULL ? line + 1 : tail;
  if (strncmp(line, own, sizeof own - 1) == 0)
    line += sizeof own - 1; /* the command says its own name */
  snprintf(text, size, "%s", line);
}

static bool
start_process(struct worker *worker)
{
  char *arguments[] = {worker->path, (char *)(uintptr_t)"--serve", NULL};
  const char *stats_path = worker->options->stats_path;
  char stats[PATH_MAX + 32];
  const char *environment[] = {stats,
                               "GCSTORM_FINDINGS=", "GCSTORM_FAULTS=", "GCSTORM_HOST=", NULL};
  int requests[2], answers[2];

  snprintf(stats, sizeof stats, "GCSTORM_STATS=%s", stats_path != NULL ? stats_path : "");
  if (pipe2(requests, O_CLOEXEC) != 0)
    return false;
  if (pipe2(answers, O_CLOEXEC) != 0) {
    close(requests[0]);
    close(requests[1]);
    return false;
  }
  struct process_request request = {
      arguments, environment, answers[1],
      getenv("GCSTORM_VERBOSE") != NULL ? STDERR_FILENO : worker->errors, requests[0]};
  pid_t server = process_start(&request);

  close(requests[0]);
  close(answers[1]);
  if (server < 0) {
    close(requests[1]);
    close(answers[0]);
    return false;
  }
  worker->server = server;
  worker->to = requests[1];
  worker->from = answers[0];
  return true;
}

/* What a server that did not say hello has said instead. */
static void
start_problem(struct worker *worker, enum wire_status status, char *problem, size_t problem_size)
{
  char line[400];

  if (status == WIRE_STOPPED) {
    snprintf(problem, problem_size, "interrupted");
    return;
  }
  last_line(worker->errors, line, sizeof line);
  if (line[0] == '\0' && status == WIRE_BROKEN)
    snprintf(line, sizeof line, "%s", worker->frame.problem);
  snprintf(problem, problem_size, "%s cannot run here: %s; gcstorm doctor says more", worker->path,
           line[0] != '\0'       ? line
           : status == WIRE_LATE ? "it says nothing"
                                 : "it dies at once");
}

bool
worker_start(struct worker *worker, char *problem, size_t problem_size)
{
  const struct wire_wait wait = {START_MS, worker->options->stop};
  struct wire_hello hello;

  if (worker->server != 0)
    return true;
  if (worker->errors < 0)
    worker->errors = memfd_create("worker-stderr", MFD_CLOEXEC);
  if (worker->errors < 0 || !start_process(worker)) {
    snprintf(problem, problem_size, "%s cannot be started: %s", worker->path, strerror(errno));
    return false;
  }
  enum wire_status status = wire_receive(worker->from, &worker->frame, &wait);

  if (status != WIRE_OK) {
    stop_server(worker);
    start_problem(worker, status, problem, problem_size);
    return false;
  }
  if (!wire_hello_get(&worker->frame, &hello))
    snprintf(problem, problem_size, "%s does not say hello; run ci/build", worker->path);
  else if (hello.problem[0] != '\0')
    snprintf(problem, problem_size, "%s", hello.problem);
  else if (hello.format != PROGRAM_FORMAT_VERSION ||
           strcmp(hello.sanitizer, worker->options->sanitizer) != 0)
    snprintf(problem, problem_size, "%s is a %s worker of program format %llu; run ci/build",
             worker->path, hello.preset, (unsigned long long)hello.format);
  else
    return true;
  stop_server(worker);
  return false;
}

/* ---- Requests -------------------------------------------------------------------------------- */

static void
add_option(struct wire_request *request, const char *name, const char *value)
{
  if (value != NULL)
    request->options[request->option_count++] = (struct wire_option){name, value};
}

static void
put_request(struct worker *worker, const struct worker_input *input)
{
  const struct worker_options *options = worker->options;
  char perturb[24];
  struct wire_request request = {
      .fresh = input->fresh,
      .time_ms = (uint64_t)options->hang_seconds * 1000,
      .memory_bytes = options->memory_bytes != 0 ? options->memory_bytes : memory_default,
      .name = input->name,
      .data = input->data,
      /* Of bytes far less is read. */
      .size = input->size < WIRE_INPUT_MAX ? input->size : WIRE_INPUT_MAX};

  add_option(&request, "dialect", options->dialect);
  add_option(&request, "verify", options->verify);
  add_option(&request, "oracles", options->oracles);
  add_option(&request, "fault", options->faults);
  add_option(&request, "trace", input->trace);
  add_option(&request, "host", options->host);
  add_option(&request, "variants", options->variants);
  add_option(&request, "observations", options->observations);
  snprintf(perturb, sizeof perturb, "%llu", (unsigned long long)(options->perturb + input->run));
  add_option(&request, "perturb", perturb);
  wire_request_put(&worker->frame, &request);
}

/* NULL: this server is of no use any more, or refuses; `*refused` and `problem` tell. */
static json_t *
read_answer(struct worker *worker, bool *refused, char *problem, size_t problem_size)
{
  struct wire_answer answer;
  json_t *record;

  if (!wire_answer_get(&worker->frame, &answer)) {
    snprintf(problem, problem_size, "%s sends what is no answer", worker->path);
    return NULL;
  }
  *refused = answer.verdict == WIRE_REFUSED;
  if (*refused) {
    snprintf(problem, problem_size, "%s", answer.record);
    return NULL;
  }
  record = json_loads(answer.record, 0, NULL);
  if (json_is_object(record)) {
    if (answer.log[0] != '\0')
      json_object_set_new(record, "log", json_string(answer.log));
    return record;
  }
  json_decref(record);
  snprintf(problem, problem_size, "%s sends a record that is no JSON", worker->path);
  return NULL;
}

static json_t *
ask_once(struct worker *worker, const struct worker_input *input, enum wire_status *status,
         bool *refused, char *problem, size_t problem_size)
{
  const struct wire_wait wait = {(int)worker->options->hang_seconds * 1000 + GRACE_MS,
                                 worker->options->stop};

  *refused = false;
  put_request(worker, input);
  *status = wire_send(worker->to, &worker->frame, &wait);
  if (*status == WIRE_OK)
    *status = wire_receive(worker->from, &worker->frame, &wait);
  return *status == WIRE_OK ? read_answer(worker, refused, problem, problem_size) : NULL;
}

/* The record of an input at which the server itself died, or fell silent, twice. */
static json_t *
blame_input(const struct worker *worker, enum wire_status status, int end)
{
  bool late = status == WIRE_LATE;
  bool killed = WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL;
  char how[80], text[640], line[400];

  process_describe(how, sizeof how, end);
  last_line(worker->errors, line, sizeof line);
  snprintf(text, sizeof text, "the worker %s%s%s%s", late ? "gave no answer" : "ended with ",
           late ? "" : how, line[0] != '\0' ? ": " : "", line);
  return json_pack("{s:s, s:s, s:s, s:{s:s, s:s, s:s, s:s}}", "file", "", "host",
                   worker->options->host != NULL ? worker->options->host : "sim", "verdict",
                   "finding", "finding", "oracle", late ? "O4" : "O2", "rule",
                   late     ? "timeout"
                   : killed ? "killed"
                            : "crash",
                   "bucket",
                   late     ? "timeout"
                   : killed ? "killed"
                            : "crash:worker",
                   "text", text);
}

json_t *
worker_ask(struct worker *worker, const struct worker_input *input, char *problem,
           size_t problem_size)
{
  enum wire_status status = WIRE_OK;
  bool refused = false;
  int end = 0;

  for (int attempt = 0; attempt < 2; attempt++) {
    if (!worker_start(worker, problem, problem_size))
      return NULL;
    json_t *record = ask_once(worker, input, &status, &refused, problem, problem_size);

    if (record != NULL || refused)
      return record;
    if (status == WIRE_LATE)
      kill(-worker->server, SIGKILL);
    /* Gone by itself, perhaps: its own end says how. */
    end = stop_server(worker);
    if (status == WIRE_STOPPED) {
      snprintf(problem, problem_size, "interrupted");
      return NULL;
    }
  }
  /* Something came, but no record. */
  if (status == WIRE_OK)
    return NULL;
  return blame_input(worker, status, end);
}

/* ---- Files ----------------------------------------------------------------------------------- */

bool
worker_run(const struct worker_options *options, const char *const *files, size_t count,
           void (*each)(void *arg, size_t index, json_t *record), void *arg, char *problem,
           size_t problem_size)
{
  struct worker worker;
  uint8_t *data = NULL;
  size_t size = 0;
  bool good = worker_open(&worker, options, problem, problem_size);

  for (size_t i = 0; i < count && good; i++) {
    /* A file that is run again is read once. */
    if (i == 0 || files[i] != files[i - 1]) {
      free(data);
      data = NULL;
      good = file_read(files[i], SIZE_MAX, &data, &size, problem, problem_size);
    }
    const struct worker_input input = {files[i], data, size, false, options->trace, i};
    json_t *record = good ? worker_ask(&worker, &input, problem, problem_size) : NULL;

    good = record != NULL;
    if (good) {
      /* The name as the user wrote it. */
      json_object_set_new(record, "file", name_json(files[i]));
      each(arg, i, record);
    }
    json_decref(record);
  }
  free(data);
  worker_close(&worker);
  return good;
}
