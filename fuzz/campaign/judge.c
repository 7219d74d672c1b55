/* judge.c - see judge.h. */
#include "fuzz/campaign/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

bool
judge_open(struct judge *judge, const struct worker_options *options, char *problem,
           size_t problem_size)
{
  judge->options = options;
  return worker_open(&judge->worker, options, problem, problem_size);
}

void
judge_close(struct judge *judge)
{
  worker_close(&judge->worker);
}

static json_t *
ask(struct judge *judge, const uint8_t *data, size_t size, bool fresh, const char *trace,
    char *problem, size_t problem_size)
{
  const struct worker_input input = {"program", data, size, fresh, trace, 0};

  return worker_ask(&judge->worker, &input, problem, problem_size);
}

json_t *
judge_bytes_fresh(struct judge *judge, const uint8_t *data, size_t size, char *problem,
                  size_t problem_size)
{
  return ask(judge, data, size, true, judge->options->trace, problem, problem_size);
}

json_t *
judge_bytes(struct judge *judge, const uint8_t *data, size_t size, char *problem,
            size_t problem_size)
{
  return ask(judge, data, size, false, judge->options->trace, problem, problem_size);
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
  char name[48], problem[512];
  /* Nothing is left on disk, whatever happens to this process. */
  int file = memfd_create("trace", MFD_CLOEXEC);
  FILE *trace = file >= 0 ? fdopen(file, "r") : NULL;
  json_t *record = NULL;

  snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)getpid(), file);
  if (trace != NULL)
    record = ask(judge, data, size, true, name, problem, sizeof problem);
  if (record != NULL)
    show_lines(trace, each, arg);
  if (trace != NULL)
    fclose(trace);
  else if (file >= 0)
    close(file);
  json_decref(record);
  return record != NULL;
}
