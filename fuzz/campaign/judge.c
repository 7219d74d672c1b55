/* judge.c - see judge.h. */
#include "fuzz/campaign/judge.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"

/* A run that a finding cuts off leaves some memory behind, with ASan the most. */
enum { LINE_MAX_BYTES = 1 << 20, CHILD_FINDINGS_MAX = 1000 };

bool
judge_open(struct judge *judge, const struct worker_options *options, char *problem,
           size_t problem_size)
{
  *judge = (struct judge){.options = options, .program = -1, .input = -1, .output = -1};
  if (!build_binary(judge->worker, sizeof judge->worker, options->sanitizer,
                    options->faults != NULL, "gcstorm-worker", problem, problem_size))
    return false;
  judge->line = malloc(LINE_MAX_BYTES);
  /* Inherited on purpose: nothing is left on disk, whatever happens to this process. */
  judge->program = memfd_create("program", 0);
  snprintf(judge->name, sizeof judge->name, "/proc/self/fd/%d", judge->program);
  if (judge->line != NULL && judge->program >= 0)
    return true;
  snprintf(problem, problem_size, "no memory for a program: %s", strerror(errno));
  judge_close(judge);
  return false;
}

static void
stop_child(struct judge *judge)
{
  if (judge->child == 0)
    return;
  kill(-judge->child, SIGKILL);
  while (waitpid(judge->child, NULL, 0) < 0 && errno == EINTR)
    ;
  close(judge->input);
  close(judge->output);
  judge->child = 0;
  judge->findings = 0;
  judge->line_size = 0;
}

void
judge_close(struct judge *judge)
{
  stop_child(judge);
  if (judge->program >= 0)
    close(judge->program);
  judge->program = -1;
  free(judge->line);
  judge->line = NULL;
}

static bool
start_child(struct judge *judge)
{
  static const char *const words[] = {"--files", "-"};
  int names[2], records[2];

  if (pipe2(names, O_CLOEXEC) != 0)
    return false;
  if (pipe2(records, O_CLOEXEC) != 0) {
    close(names[0]);
    close(names[1]);
    return false;
  }
  pid_t child = worker_start(judge->options, judge->worker, words, 2, names[0], records[1], -1);

  close(names[0]);
  close(records[1]);
  if (child < 0) {
    close(names[1]);
    close(records[0]);
    return false;
  }
  judge->child = child;
  judge->input = names[1];
  judge->output = records[0];
  return true;
}

/* The next line that is a record.  NULL: the child died, or said nothing for too long. */
static json_t *
read_record(struct judge *judge)
{
  for (;;) {
    struct pollfd wait = {.fd = judge->output, .events = POLLIN};
    char *newline = memchr(judge->line, '\n', judge->line_size);

    if (newline != NULL) {
      size_t length = (size_t)(newline - judge->line);
      json_t *record = json_loadb(judge->line, length, 0, NULL);

      judge->line_size -= length + 1;
      memmove(judge->line, newline + 1, judge->line_size);
      if (json_is_object(record))
        return record;
      json_decref(record);
      continue;
    }
    int ready = poll(&wait, 1, (int)judge->options->hang_seconds * 1000);

    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0 || judge->line_size == LINE_MAX_BYTES)
      return NULL;
    ssize_t got =
        read(judge->output, judge->line + judge->line_size, LINE_MAX_BYTES - judge->line_size);

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return NULL;
    judge->line_size += (size_t)got;
  }
}

/* NULL: there is no verdict to be had from this worker. */
static json_t *
ask_child(struct judge *judge)
{
  char request[sizeof judge->name + 1];
  int size = snprintf(request, sizeof request, "%s\n", judge->name);
  json_t *record = NULL;

  if (judge->child == 0 && !start_child(judge))
    return NULL;
  if (write(judge->input, request, (size_t)size) == size)
    record = read_record(judge);
  judge->findings += record_is_finding(record);
  /* A sanitizer's report ends the process; there is no use in waiting for the end. */
  if (record == NULL || strcmp(record_finding_text(record, "oracle"), "O2") == 0 ||
      judge->findings >= CHILD_FINDINGS_MAX)
    stop_child(judge);
  return record;
}

static bool
put_program(struct judge *judge, const uint8_t *data, size_t size, char *problem,
            size_t problem_size)
{
  if (ftruncate(judge->program, 0) == 0 && pwrite(judge->program, data, size, 0) == (ssize_t)size)
    return true;
  snprintf(problem, problem_size, "cannot keep a program in memory: %s", strerror(errno));
  return false;
}

static void
keep_record(void *arg, size_t index, json_t *record)
{
  json_t **kept = arg;

  (void)index;
  json_decref(*kept);
  *kept = json_incref(record);
}

json_t *
judge_bytes_fresh(struct judge *judge, const uint8_t *data, size_t size, char *problem,
                  size_t problem_size)
{
  const char *files[] = {judge->name};
  json_t *record = NULL;

  if (!put_program(judge, data, size, problem, problem_size))
    return NULL;
  if (!worker_run(judge->options, files, 1, keep_record, &record, problem, problem_size)) {
    json_decref(record);
    return NULL;
  }
  return record;
}

json_t *
judge_bytes(struct judge *judge, const uint8_t *data, size_t size, char *problem,
            size_t problem_size)
{
  if (!put_program(judge, data, size, problem, problem_size))
    return NULL;
  json_t *record = ask_child(judge);

  return record != NULL ? record : judge_bytes_fresh(judge, data, size, problem, problem_size);
}

static void
show_lines(FILE *trace, void (*each)(void *arg, const json_t *line), void *arg)
{
  char *text = NULL;
  size_t room = 0;

  while (getline(&text, &room, trace) > 0) {
    json_t *line = json_loads(text, 0, NULL);

    if (line != NULL)
      each(arg, line);
    json_decref(line);
  }
  free(text);
}

bool
judge_trace(struct judge *judge, const uint8_t *data, size_t size,
            void (*each)(void *arg, const json_t *line), void *arg)
{
  struct worker_options options = *judge->options;
  const char *files[] = {judge->name};
  char name[sizeof judge->name], problem[256];
  json_t *record = NULL;
  int file = memfd_create("trace", 0);
  FILE *trace = file >= 0 ? fdopen(file, "r") : NULL;

  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  options.trace = name;
  bool good = trace != NULL && put_program(judge, data, size, problem, sizeof problem) &&
              worker_run(&options, files, 1, keep_record, &record, problem, sizeof problem);

  json_decref(record);
  if (good)
    show_lines(trace, each, arg);
  if (trace != NULL)
    fclose(trace);
  else if (file >= 0)
    close(file);
  return good;
}
