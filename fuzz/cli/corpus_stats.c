/* corpus_stats.c - gcstorm corpus stats: what is kept, by harness. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/plural.h"
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

static json_t *
kept_json(const struct kept *kept)
{
  return json_pack("{s:I, s:I, s:I, s:I, s:O}", "seeds", (json_int_t)kept->seeds, "regressions",
                   (json_int_t)kept->regressions, "ops", (json_int_t)kept->ops, "blocks",
                   (json_int_t)kept->blocks, "rules", kept->rules);
}

static void
print_kept(const struct kept *kept, const char *harness)
{
  const char *rule;
  json_t *number;

  printf("%-16s %zu seed%s, %zu regression%s, %lu op%s, %lu block%s\n", harness, kept->seeds,
         plural(kept->seeds), kept->regressions, plural(kept->regressions), kept->ops,
         plural(kept->ops), kept->blocks, plural(kept->blocks));
  json_object_foreach(kept->rules, rule, number)
      printf("  %-20s %lld\n", rule, (long long)json_integer_value(number));
}

static int
count_harness(const struct corpus_request *request, size_t harness, struct program *program,
              struct kept *kept)
{
  enum program_dialect dialect = harness == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS;
  struct corpus corpus;
  char problem[9000];
  int code = EXIT_CLEAN;

  if (!corpus_load(&corpus, request->root, harness_names[harness], problem, sizeof problem)) {
    complain(&corpus_command, "%s", problem);
    code = EXIT_USAGE;
  }
  for (size_t i = 0; code == EXIT_CLEAN && i < json_array_size(corpus.entries); i++)
    if (!count_entry(kept, program, dialect, &corpus, json_array_get(corpus.entries, i)))
      code = EXIT_USAGE;
  corpus_free(&corpus);
  return code;
}

static bool
is_asked_for(const struct corpus_request *request, size_t harness)
{
  return request->harness == NULL || strcmp(request->harness, harness_names[harness]) == 0;
}

static int
count_all(const struct corpus_request *request, struct program *program,
          struct kept kept[HARNESS_COUNT])
{
  size_t entries = 0;

  for (size_t h = 0; h < HARNESS_COUNT; h++) {
    int code = is_asked_for(request, h) ? count_harness(request, h, program, &kept[h]) : EXIT_CLEAN;

    if (code != EXIT_CLEAN)
      return code;
    entries += kept[h].seeds + kept[h].regressions;
  }
  return entries > 0 ? EXIT_CLEAN
                     : usage_error(&corpus_command, "%s has no entries; name another --corpus",
                                   request->root);
}

static void
print_all(const struct corpus_request *request, const struct kept kept[HARNESS_COUNT])
{
  json_t *all = json_object();

  for (size_t h = 0; h < HARNESS_COUNT; h++)
    if (is_asked_for(request, h) && request->json)
      json_object_set_new(all, harness_names[h], kept_json(&kept[h]));
    else if (is_asked_for(request, h))
      print_kept(&kept[h], harness_names[h]);
  if (request->json) {
    json_dumpf(all, stdout, JSON_INDENT(2));
    printf("\n");
  }
  json_decref(all);
}

int
corpus_stats(const struct corpus_request *request)
{
  struct kept kept[HARNESS_COUNT] = {0};
  struct program program;
  int code;

  if (!program_init(&program, PROGRAM_RACTOR)) {
    complain(&corpus_command, "out of memory");
    return EXIT_ENVIRONMENT;
  }
  for (size_t h = 0; h < HARNESS_COUNT; h++)
    kept[h].rules = json_object();
  code = count_all(request, &program, kept);
  if (code == EXIT_CLEAN)
    print_all(request, kept);
  for (size_t h = 0; h < HARNESS_COUNT; h++)
    json_decref(kept[h].rules);
  program_free(&program);
  return finish_output(&corpus_command, code);
}
