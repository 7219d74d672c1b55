/* corpus_stats.c - gcstorm corpus stats: what is kept, by harness. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/files.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/corpus.h"
#include "fuzz/program/parser.h"

struct kept {
  size_t seeds, regressions;
  unsigned long ops, blocks;
  json_t *rules; /* of the buckets: rule → number */
};

/* False: complained. */
static bool
count_entry(struct kept *kept, struct program *program, enum program_dialect dialect,
            const struct corpus *corpus, const json_t *entry)
{
  const char *file = corpus_text(entry, "file"), *rule = corpus_text(entry, "rule");
  char path[2 * CORPUS_PATH_MAX], problem[9000];
  uint8_t *data = NULL;
  size_t size;
  bool good;

  snprintf(path, sizeof path, "%.4000s/%.1000s", corpus->folder, file);
  good = file_read(path, CORPUS_FILE_MAX, &data, &size, problem, sizeof problem) &&
         program_read(program, dialect, path, data, size, problem, sizeof problem);
  free(data);
  if (!good) {
    complain(&corpus_command, "%s", problem);
    return false;
  }
  *(strncmp(file, "seeds/", 6) == 0 ? &kept->seeds : &kept->regressions) += 1;
  kept->ops += program->op_count;
  kept->blocks += program->block_count;
  if (*rule != '\0')
    json_object_set_new(kept->rules, rule,
                        json_integer(json_integer_value(json_object_get(kept->rules, rule)) + 1));
  return true;
}

static void
print_kept(const struct kept *kept, const char *harness, json_t *all)
{
  const char *rule;
  json_t *number;

  if (all != NULL) {
    json_object_set_new(all, harness,
                        json_pack("{s:I, s:I, s:I, s:I, s:O}", "seeds", (json_int_t)kept->seeds,
                                  "regressions", (json_int_t)kept->regressions, "ops",
                                  (json_int_t)kept->ops, "blocks", (json_int_t)kept->blocks,
                                  "rules", kept->rules));
    return;
  }
  printf("%-16s %zu seeds, %zu regressions, %lu ops, %lu blocks\n", harness, kept->seeds,
         kept->regressions, kept->ops, kept->blocks);
  json_object_foreach(kept->rules, rule, number)
      printf("  %-20s %lld\n", rule, (long long)json_integer_value(number));
}

static int
count_harness(const struct corpus_request *request, size_t harness, struct program *program,
              json_t *all)
{
  enum program_dialect dialect = harness == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS;
  struct kept kept = {.rules = json_object()};
  struct corpus corpus;
  char problem[9000];
  int code = EXIT_CLEAN;

  if (!corpus_load(&corpus, request->root, harness_names[harness], problem, sizeof problem)) {
    complain(&corpus_command, "%s", problem);
    code = EXIT_USAGE;
  }
  for (size_t i = 0; code == EXIT_CLEAN && i < json_array_size(corpus.entries); i++)
    if (!count_entry(&kept, program, dialect, &corpus, json_array_get(corpus.entries, i)))
      code = EXIT_USAGE;
  if (code == EXIT_CLEAN)
    print_kept(&kept, harness_names[harness], all);
  corpus_free(&corpus);
  json_decref(kept.rules);
  return code;
}

int
corpus_stats(const struct corpus_request *request)
{
  json_t *all = request->json ? json_object() : NULL;
  struct program program;
  int code = EXIT_CLEAN;

  if (!program_init(&program, PROGRAM_RACTOR)) {
    complain(&corpus_command, "out of memory");
    json_decref(all);
    return EXIT_ENVIRONMENT;
  }
  for (size_t h = 0; code == EXIT_CLEAN && h < HARNESS_COUNT; h++)
    if (request->harness == NULL || strcmp(request->harness, harness_names[h]) == 0)
      code = count_harness(request, h, &program, all);
  if (code == EXIT_CLEAN && all != NULL) {
    json_dumpf(all, stdout, JSON_INDENT(2));
    printf("\n");
  }
  json_decref(all);
  program_free(&program);
  return finish_output(&corpus_command, code);
}
