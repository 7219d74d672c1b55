/* worker.c - see worker.h. */
#include "fuzz/campaign/worker.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/process.h"

/* Files a worker process gets at once, so that one process costs little and a dead one loses
 * little. */
enum { CHUNK_FILES = 128, ARGUMENTS_MAX = CHUNK_FILES + 16, LINE_MAX_BYTES = 1 << 20 };

struct run {
  const struct worker_options *options;
  const char *path; /* of the worker */
  const char *const *files;
  size_t count;
  size_t done;           /* files that have their record */
  bool last_was_finding; /* the last record of the current process */
  bool hung;
  void (*each)(void *arg, size_t index, json_t *record);
  void *arg;
  char *line; /* LINE_MAX_BYTES */
  size_t line_size;
};

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

static void
take_record(struct run *run, json_t *record)
{
  run->last_was_finding = record_is_finding(record);
  /* The name as the user wrote it. */
  json_object_set_new(record, "file", name_json(run->files[run->done]));
  run->each(run->arg, run->done, record);
  run->done++;
}

/* Takes every complete line of the buffer.  Lines that are no JSON object are not ours. */
static void
take_lines(struct run *run, size_t chunk_end)
{
  char *newline;

  while ((newline = memchr(run->line, '\n', run->line_size)) != NULL) {
    size_t length = (size_t)(newline - run->line);
    json_t *record = json_loadb(run->line, length, 0, NULL);

    if (record != NULL && json_is_object(record) && run->done < chunk_end)
      take_record(run, record);
    json_decref(record);
    run->line_size -= length + 1;
    memmove(run->line, newline + 1, run->line_size);
  }
  if (run->line_size == LINE_MAX_BYTES)
    run->line_size = 0;
}

/* Reads records until the worker closes its output or hangs. */
static void
read_records(struct run *run, size_t chunk_end, int output)
{
  run->line_size = 0;
  run->hung = false;
  for (;;) {
    struct pollfd wait = {.fd = output, .events = POLLIN};
    int ready = poll(&wait, 1, (int)run->options->hang_seconds * 1000);
    ssize_t got;

    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0) {
      run->hung = true;
      return;
    }
    got = read(output, run->line + run->line_size, LINE_MAX_BYTES - run->line_size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return;
    run->line_size += (size_t)got;
    take_lines(run, chunk_end);
  }
}

pid_t
worker_start(const struct worker_options *options, const char *path, const char *const *words,
             size_t word_count, int input, int output, int errors)
{
  char *arguments[ARGUMENTS_MAX];
  char faults[512];
  char stats[PATH_MAX + 32];
  const char *environment[] = {faults, stats, "GCSTORM_FINDINGS=", NULL};
  size_t n = 0;
  struct process_request request = {arguments, environment, output, errors, input};

  snprintf(faults, sizeof faults, "GCSTORM_FAULTS=%s",
           options->faults != NULL ? options->faults : "");
  snprintf(stats, sizeof stats, "GCSTORM_STATS=%s",
           options->stats_path != NULL ? options->stats_path : "");
  arguments[n++] = (char *)(uintptr_t)path;
  arguments[n++] = (char *)(uintptr_t)"--dialect";
  arguments[n++] = (char *)(uintptr_t)options->dialect;
  if (options->variants != NULL) {
    arguments[n++] = (char *)(uintptr_t)"--variants";
    arguments[n++] = (char *)(uintptr_t)options->variants;
  }
  if (options->observations != NULL) {
    arguments[n++] = (char *)(uintptr_t)"--observations";
    arguments[n++] = (char *)(uintptr_t)options->observations;
  }
  if (options->verify != NULL) {
    arguments[n++] = (char *)(uintptr_t)"--verify";
    arguments[n++] = (char *)(uintptr_t)options->verify;
  }
  if (options->trace != NULL) {
    arguments[n++] = (char *)(uintptr_t)"--trace";
    arguments[n++] = (char *)(uintptr_t)options->trace;
  }
  if (options->faults != NULL) {
    arguments[n++] = (char *)(uintptr_t)"--fault";
    arguments[n++] = (char *)(uintptr_t)options->faults;
  }
  for (size_t i = 0; i < word_count; i++)
    arguments[n++] = (char *)(uintptr_t)words[i];
  arguments[n] = NULL;
  return process_start(&request);
}

static pid_t
start_chunk(const struct run *run, size_t chunk_end, int output, int errors)
{
  const char *words[CHUNK_FILES + 1] = {"--"};
  size_t count = chunk_end - run->done;

  assert(count <= CHUNK_FILES);
  memcpy(&words[1], &run->files[run->done], count * sizeof words[0]);
  return worker_start(run->options, run->path, words, count + 1, 0, output, errors);
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

/* The record of a file whose worker died or hung without one. */
static void
blame_file(struct run *run, int status, int errors)
{
  char how[80];
  char bucket[96];
  char line[400];
  char text[512];
  bool hung = run->hung;

  process_describe(how, sizeof how, status);
  last_line(errors, line, sizeof line);
  if (hung)
    snprintf(text, sizeof text, "no answer within %u s", run->options->hang_seconds);
  else
    snprintf(text, sizeof text, "the worker ended with %s%s%s", how, line[0] != '\0' ? ": " : "",
             line);
  snprintf(bucket, sizeof bucket, "%s", hung ? "hang" : how);
  json_t *record = json_pack("{s:s, s:s, s:{s:s, s:s, s:s, s:s}}", "file", "", "verdict", "finding",
                             "finding", "oracle", hung ? "O4" : "O2", "rule",
                             hung ? "hang" : "crash", "bucket", bucket, "text", text);
  if (record == NULL)
    record = json_pack("{s:s, s:{s:s, s:s}}", "verdict", "finding", "finding", "rule", "crash",
                       "bucket", "crash");
  take_record(run, record);
  json_decref(record);
}

/* Whether a worker can run at all: what dies on the empty program dies before any program. */
static bool
worker_starts(const struct run *run, int errors)
{
  static const char *const words[] = {"--", "/dev/null"};
  int output[2];
  char first;
  int status;

  if (pipe2(output, O_CLOEXEC) != 0)
    return false;
  pid_t child = worker_start(run->options, run->path, words, 2, 0, output[1], errors);

  close(output[1]);
  struct pollfd wait = {.fd = output[0], .events = POLLIN};
  bool alive = child >= 0 && poll(&wait, 1, (int)run->options->hang_seconds * 1000) == 1 &&
               read(output[0], &first, 1) == 1;

  close(output[0]);
  if (child < 0)
    return false;
  kill(-child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return alive;
}

static void
start_problem(const struct run *run, int errors, char *problem, size_t problem_size)
{
  char line[400];

  last_line(errors, line, sizeof line);
  snprintf(problem, problem_size, "%s cannot run here: %s; gcstorm doctor says more", run->path,
           line[0] != '\0' ? line : "it dies at once");
}

/* One worker process, over the next files.  False: it cannot run here. */
static bool
run_chunk(struct run *run, char *problem, size_t problem_size)
{
  size_t first = run->done;
  size_t chunk_end = run->count - first > CHUNK_FILES ? first + CHUNK_FILES : run->count;
  int errors = memfd_create("worker-stderr", MFD_CLOEXEC);
  int output[2] = {-1, -1};
  int status = 0;
  pid_t child = -1;

  if (errors < 0 || pipe2(output, O_CLOEXEC) != 0) {
    snprintf(problem, problem_size, "no pipe for a worker: %s", strerror(errno));
    if (errors >= 0)
      close(errors);
    return false;
  }
  run->last_was_finding = false;
  child = start_chunk(run, chunk_end, output[1], errors);
  close(output[1]);
  if (child < 0) {
    snprintf(problem, problem_size, "%s cannot be started: %s", run->path, strerror(errno));
  } else {
    read_records(run, chunk_end, output[0]);
    if (run->hung)
      kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  }
  close(output[0]);
  bool usable = child >= 0;
  if (usable && WIFEXITED(status) && (run->done == first || run->done == chunk_end) &&
      (WEXITSTATUS(status) == 2 || WEXITSTATUS(status) == 3)) {
    last_line(errors, problem, problem_size);
    usable = false;
  } else if (usable && run->done < chunk_end && !run->last_was_finding) {
    usable = run->hung || run->done > first || worker_starts(run, errors);
    if (usable)
      blame_file(run, status, errors);
    else
      start_problem(run, errors, problem, problem_size);
  }
  close(errors);
  return usable;
}

bool
worker_run(const struct worker_options *options, const char *const *files, size_t count,
           void (*each)(void *arg, size_t index, json_t *record), void *arg, char *problem,
           size_t problem_size)
{
  char path[PATH_MAX];
  struct run run = {
      .options = options, .path = path, .files = files, .count = count, .each = each, .arg = arg};
  bool good = true;

  if (!build_binary(path, sizeof path, options->sanitizer, options->faults != NULL,
                    "gcstorm-worker", problem, problem_size))
    return false;
  run.line = malloc(LINE_MAX_BYTES);
  if (run.line == NULL) {
    snprintf(problem, problem_size, "out of memory");
    return false;
  }
  while (good && run.done < count)
    good = run_chunk(&run, problem, problem_size);
  free(run.line);
  return good;
}
