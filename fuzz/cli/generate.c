/* generate.c - gcstorm generate: writes fresh programs, and says what they are worth. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/plural.h"
#include "fuzz/campaign/stats.h"
#include "fuzz/campaign/worker.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/options.h"
#include "fuzz/mutate/generate.h"

static const struct command command = {
    .name = "generate",
    .summary = "writes fresh programs, seedSEED-000001.bin and so on",
    .synopsis = "-o DIR [OPTION…]",
    .details = "Profiles: mixed (default), confluent, local, ractors.\n",
    .runs_programs = true,
};

struct generate_request {
  const char *folder;
  const char *harness;
  const char *profile;
  uint64_t seed;
  uint64_t count;
  uint64_t size;
  bool stats;
  bool json;
  struct generate_options generator;
};

static bool
find_profile(struct generate_request *request)
{
  for (int profile = 0; profile < GENERATE_PROFILE_COUNT; profile++) {
    if (strcmp(generate_profile_name((enum generate_profile)profile), request->profile) == 0) {
      request->generator.profile = (enum generate_profile)profile;
      return true;
    }
  }
  return false;
}

static enum program_dialect
request_dialect(const struct generate_request *request)
{
  return strcmp(request->harness, harness_names[0]) == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS;
}

/* Path of the nth program. */
static void
program_path(const struct generate_request *request, uint64_t n, char *path, size_t size)
{
  snprintf(path, size, "%s/seed%llu-%06llu.bin", request->folder, (unsigned long long)request->seed,
           (unsigned long long)n);
}

static int
write_programs(const struct generate_request *request)
{
  enum program_dialect dialect = request_dialect(request);
  static uint8_t bytes[PROGRAM_INPUT_MAX];
  struct program program;
  int code = -1;

  if (!program_init(&program, dialect)) {
    complain(&command, "out of memory");
    return EXIT_ENVIRONMENT;
  }
  for (uint64_t n = 1; n <= request->count && code < 0; n++) {
    char path[PATH_MAX + 64];
    uint8_t head[PROGRAM_HEADER_SIZE];
    size_t head_size = program_header(dialect, head);
    size_t size;

    /* Seeds of neighbouring --seed values must not overlap: mix the two numbers. */
    generate_program(&program, dialect, &request->generator,
                     (request->seed + 1) * 0x9e3779b97f4a7c15ull + n);
    size = program_encode(&program, bytes, sizeof bytes);
    program_path(request, n, path, sizeof path);
    if (!file_is_replaceable(path)) {
      complain(&command, "%s is no plain file; name another folder", path);
      code = EXIT_USAGE;
    } else if (!file_write(path, head, head_size, bytes,
                           size < sizeof bytes ? size : sizeof bytes)) {
      complain(&command, "cannot write %s: %s", path, strerror(errno));
      code = EXIT_ENVIRONMENT;
    }
  }
  program_free(&program);
  return code;
}

static void
count_findings(void *arg, size_t index, json_t *record)
{
  size_t *findings = arg;

  (void)index;
  if (!record_is_finding(record))
    return;
  ++*findings;
  fprintf(stderr, "finding  %s  %s: %s\n", record_text(record, "file"),
          record_finding_text(record, "rule"), record_finding_text(record, "text"));
}

/* Runs the programs and prints what they did. */
static int
print_worth(const struct generate_request *request, const struct exec_stats *stats,
            const char *stats_path, const char **files)
{
  struct worker_options worker = {.sanitizer = "none",
                                  .dialect = request->harness,
                                  .stats_path = stats_path,
                                  .hang_seconds = 60};
  char problem[5000];
  size_t findings = 0;

  if (!worker_run(&worker, files, request->count, count_findings, &findings, problem,
                  sizeof problem)) {
    complain(&command, "%s", problem);
    return EXIT_ENVIRONMENT;
  }
  if (request->json) {
    json_t *worth = stats_json(stats, request_dialect(request));

    json_object_set_new(worth, "findings", json_integer((json_int_t)findings));
    json_dumpf(worth, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(worth);
  } else {
    stats_print(stdout, stats, request_dialect(request));
  }
  return finish_output(&command, findings > 0 ? EXIT_FINDING : EXIT_CLEAN);
}

static int
measure_programs(const struct generate_request *request)
{
  const char **files = calloc(request->count, sizeof *files);
  size_t room = strlen(request->folder) + 64; /* of a path in the folder */
  char *paths = calloc(request->count, room);
  char stats_path[PATH_MAX + 32];
  struct exec_stats *stats;
  int code = EXIT_ENVIRONMENT;

  snprintf(stats_path, sizeof stats_path, "%s/.stats-%ld", request->folder, (long)getpid());
  stats = stats_map(stats_path);
  if (files == NULL || paths == NULL || stats == NULL) {
    complain(&command, "cannot keep counters in %s: %s", stats_path, strerror(errno));
  } else {
    for (uint64_t n = 0; n < request->count; n++) {
      files[n] = paths + n * room;
      program_path(request, n + 1, paths + n * room, room);
    }
    code = print_worth(request, stats, stats_path, files);
  }
  stats_unmap(stats);
  unlink(stats_path);
  free(paths);
  free(files);
  return code;
}

int
command_generate(int argc, char **argv)
{
  struct generate_request request = {
      .harness = harness_names[0], .profile = "mixed", .seed = 1, .count = 100};
  const struct option options[] = {
      {"out", 'o', OPTION_TEXT, &request.folder, "DIR", "where to write", 0, 0},
      {"seed", 0, OPTION_NUMBER, &request.seed, "N", "same seed, same programs (1)", 0, UINT64_MAX},
      {"count", 0, OPTION_NUMBER, &request.count, "N", "how many (100)", 1, 1000000},
      {"size", 0, OPTION_NUMBER, &request.size, "N", "ops in main; 0: by chance", 0, 4096},
      {"profile", 0, OPTION_TEXT, &request.profile, "P", "kind of programs (mixed)", 0, 0},
      {"harness", 0, OPTION_CHOICE, &request.harness, HARNESS_CHOICES, "dialect", 0, 0},
      {"stats", 0, OPTION_FLAG, &request.stats, NULL, "run them and print what they are worth", 0,
       0},
      {"json", 0, OPTION_FLAG, &request.json, NULL, "with --stats: as JSON", 0, 0},
  };
  struct words words;
  char problem[5000];
  int code = options_parse(&command, options, COUNT_OF(options), argc, argv, &words);

  if (code >= 0)
    return code;
  if (words.count > 0)
    return usage_error(&command, "unexpected word '%s'", words.items[0]);
  if (request.json && !request.stats)
    return usage_error(&command, "--json is for --stats");
  if (request.folder == NULL)
    return usage_error(&command, "-o DIR is needed");
  if (!find_profile(&request))
    return usage_error(&command, "no profile '%s'", request.profile);
  if (!folder_prepare(request.folder, problem, sizeof problem)) {
    complain(&command, "%s", problem);
    return EXIT_USAGE;
  }
  request.generator.size = (unsigned)request.size;
  code = write_programs(&request);
  if (code >= 0)
    return code;
  if (request.stats)
    return measure_programs(&request);
  if (!request.json)
    printf("%llu program%s in %s\n", (unsigned long long)request.count, plural(request.count),
           request.folder);
  return finish_output(&command, EXIT_CLEAN);
}
