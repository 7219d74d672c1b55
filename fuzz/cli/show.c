/* show.c - gcstorm show: prints an input for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/files.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/options.h"
#include "fuzz/program/parser.h"
#include "fuzz/program/printer.h"

static const struct command command = {
    .name = "show",
    .summary = "prints an input as a Ruby program, as ops or its schedule",
    .synopsis = "FILE [OPTION…]",
    .details = NULL,
};

struct show_request {
  const char *harness;
  uint64_t max_bytes;
  bool prelude;
  bool ops;
  bool schedule;
  bool json;
};

static int
print_program(const struct show_request *request, const struct program *program)
{
  if (request->json)
    program_print_json(program, stdout);
  else if (request->ops)
    program_print_ops(program, stdout);
  else if (request->schedule)
    program_print_schedule(program, stdout);
  else {
    if (request->prelude)
      program_print_prelude(stdout);
    program_print_ruby(program, stdout);
  }
  return finish_output(&command, EXIT_CLEAN);
}

/* GC events name no Ruby API, so no prelude makes a stock ruby run them. */
static bool
is_of_events(const struct program *program, char *problem, size_t problem_size)
{
  if (program->dialect != PROGRAM_EVENTS)
    return false;
  snprintf(problem, problem_size,
           "--prelude is for Ractor programs; GC events run in gcstorm alone");
  return true;
}

static int
show_file(const struct show_request *request, const char *path)
{
  enum program_dialect dialect =
      strcmp(request->harness, harness_names[0]) == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS;
  struct program program;
  char problem[5000];
  uint8_t *data;
  size_t size;
  int code;

  if (!file_read_input(path, request->max_bytes, &data, &size, problem, sizeof problem)) {
    complain(&command, "%s", problem);
    return EXIT_USAGE;
  }
  if (!program_init(&program, dialect)) {
    complain(&command, "out of memory");
    free(data);
    return EXIT_ENVIRONMENT;
  }
  if (program_read(&program, dialect, path, data, size, problem, sizeof problem) &&
      !(request->prelude && is_of_events(&program, problem, sizeof problem))) {
    code = print_program(request, &program);
  } else {
    complain(&command, "%s", problem);
    code = EXIT_USAGE;
  }
  program_free(&program);
  free(data);
  return code;
}

int
command_show(int argc, char **argv)
{
  struct show_request request = {.harness = harness_names[0], .max_bytes = 1 << 20};
  const struct option options[] = {
      {"prelude", 0, OPTION_FLAG, &request.prelude, NULL,
       "with what a stock ruby needs to run the program", 0, 0},
      {"ops", 0, OPTION_FLAG, &request.ops, NULL, "a flat list of ops", 0, 0},
      {"schedule", 0, OPTION_FLAG, &request.schedule, NULL,
       "settings, schedule, variants, failures and stress", 0, 0},
      {"json", 0, OPTION_FLAG, &request.json, NULL, "everything, as JSON", 0, 0},
      {"harness", 0, OPTION_CHOICE, &request.harness, HARNESS_CHOICES,
       "dialect of a file without a header", 0, 0},
      {"max-bytes", 0, OPTION_NUMBER, &request.max_bytes, "N", "largest file taken (1048576)", 1,
       1u << 30},
  };
  struct words words;
  int code = options_parse(&command, options, COUNT_OF(options), argc, argv, &words);

  if (code >= 0)
    return code;
  if (words.count != 1)
    return usage_error(&command, words.count == 0 ? "no file given" : "one file at a time");
  if (request.prelude + request.ops + request.schedule + request.json > 1)
    return usage_error(&command, "--prelude, --ops, --schedule and --json exclude each other");
  return show_file(&request, words.items[0]);
}
