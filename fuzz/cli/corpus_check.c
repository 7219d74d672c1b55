/* corpus_check.c - gcstorm corpus check and record: what the kept programs do on each build. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/crew.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/plural.h"
#include "fuzz/campaign/process.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/corpus.h"
#include "fuzz/cli/interrupt.h"
#include "fuzz/cli/output.h"

enum { BAR_WIDTH = 30, BAR_MS = 200, LINE_MS = 5000 };

/* One run of an entry. */
struct planned {
  json_t *entry;
  const char *harness;
  size_t suite; /* index of the sanitizer */
  bool faults;
};

struct suite {
  size_t ran, differ;
  char *text; /* JUnit cases */
  size_t size;
  FILE *cases;
};

struct checking {
  const struct corpus_request *request;
  struct corpus corpora[HARNESS_COUNT];
  struct planned *plan;
  struct crew_task *tasks;
  char (*paths)[2 * CORPUS_PATH_MAX];
  size_t count, room, ran, differ;
  struct suite suites[SANITIZER_COUNT];
  bool wanted[SANITIZER_COUNT];
  bool recording;
  size_t changed;  /* trace hashes, when recording */
  json_t *results; /* NULL: as text */
  bool bar, bar_shown;
  unsigned long long shown_ms;
};

/* ---- Plan ------------------------------------------------------------------------------------ */

static bool
load(struct checking *checking)
{
  char problem[9000];
  bool empty = true;

  for (size_t h = 0; h < HARNESS_COUNT; h++) {
    struct corpus *corpus = &checking->corpora[h];

    if (!corpus_load(corpus, checking->request->root, harness_names[h], problem, sizeof problem) ||
        !(checking->recording ? corpus_files_read : corpus_files_check)(corpus, problem,
                                                                        sizeof problem)) {
      complain(&corpus_command, "%s", problem);
      return false;
    }
    if (checking->request->harness == NULL ||
        strcmp(checking->request->harness, harness_names[h]) == 0)
      empty &= json_array_size(corpus->entries) == 0;
    checking->room += 2 * SANITIZER_COUNT * json_array_size(corpus->entries);
  }
  if (empty)
    usage_error(&corpus_command, "%s has no entries; name another --corpus",
                checking->request->root);
  return !empty;
}

static void
plan_run(struct checking *checking, size_t harness, json_t *entry, size_t suite, bool faults)
{
  size_t at = checking->count++;

  checking->plan[at] = (struct planned){entry, harness_names[harness], suite, faults};
  snprintf(checking->paths[at], sizeof checking->paths[at], "%.4000s/%.1000s",
           checking->corpora[harness].folder, corpus_text(entry, "file"));
  checking->tasks[at].path = checking->paths[at];
  checking->tasks[at].options =
      (struct worker_options){.sanitizer = sanitizer_names[suite],
                              .dialect = harness_names[harness],
                              .faults = faults ? corpus_text(entry, "faults") : NULL,
                              .hang_seconds = 60,
                              .stop = &interrupt_seen};
}

/* An entry runs clean on each build, and with its faults on the one that shows them. */
static void
plan_suite(struct checking *checking, size_t suite)
{
  const char *only = checking->request->harness;

  for (int faults = 0; faults <= (checking->request->no_faults ? 0 : 1); faults++)
    for (size_t h = 0; h < HARNESS_COUNT; h++) {
      size_t i;
      json_t *entry;

      if (only != NULL && strcmp(only, harness_names[h]) != 0)
        continue;
      json_array_foreach(checking->corpora[h].entries, i, entry)
      {
        if (faults == 0 || (*corpus_text(entry, "faults") != '\0' &&
                            strcmp(corpus_text(entry, "sanitizer"), sanitizer_names[suite]) == 0))
          plan_run(checking, h, entry, suite, faults != 0);
      }
    }
}

/* -1: go on. */
static int
plan(struct checking *checking)
{
  const char *only = checking->request->sanitizer;
  char path[PATH_MAX], problem[5000];
  bool any = false;

  checking->plan = calloc(checking->room, sizeof *checking->plan);
  checking->tasks = calloc(checking->room, sizeof *checking->tasks);
  checking->paths = calloc(checking->room, sizeof *checking->paths);
  if (checking->plan == NULL || checking->tasks == NULL || checking->paths == NULL) {
    complain(&corpus_command, "out of memory");
    return EXIT_ENVIRONMENT;
  }
  for (size_t s = 0; s < SANITIZER_COUNT; s++) {
    if (only != NULL ? strcmp(only, sanitizer_names[s]) != 0
                     : !build_binary(path, sizeof path, sanitizer_names[s], false, "gcstorm-worker",
                                     problem, sizeof problem))
      continue;
    any = checking->wanted[s] = true;
    plan_suite(checking, s);
  }
  if (any)
    return -1;
  complain(&corpus_command, "%s", problem);
  return EXIT_ENVIRONMENT;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static void
print_xml(FILE *file, const char *text)
{
  for (; *text != '\0'; text++) {
    if (strchr("<>&\"'", *text) != NULL)
      fprintf(file, "&#%d;", *text);
    else
      fputc((unsigned char)*text < ' ' ? '?' : *text, file);
  }
}

static void
clear_bar(struct checking *checking)
{
  if (checking->bar_shown)
    fputs("\r\033[K", stderr);
  checking->bar_shown = false;
}

static void
show_progress(void *arg, size_t done)
{
  struct checking *checking = arg;
  unsigned long long now = clock_ms();
  int filled = (int)(done * BAR_WIDTH / checking->count);

  if (now - checking->shown_ms < (checking->bar ? BAR_MS : LINE_MS))
    return;
  checking->shown_ms = now;
  if (checking->bar)
    fprintf(stderr, "\r\033[K[%.*s%*s] %zu/%zu  %zu differ", filled,
            "##############################", BAR_WIDTH - filled, "", done, checking->count,
            checking->differ);
  else
    fprintf(stderr, "%zu/%zu run%s, %zu differ\n", done, checking->count, plural(checking->count),
            checking->differ);
  checking->bar_shown = checking->bar;
}

static void
add_case(FILE *cases, const char *preset, const char *file, bool faults, bool same,
         const char *seen)
{
  fprintf(cases, "<testcase classname=\"%s\" name=\"", preset);
  print_xml(cases, file);
  fputs(faults ? " with faults\">" : "\">", cases);
  if (!same) {
    fputs("<failure message=\"", cases);
    print_xml(cases, seen);
    fputs("\"/>", cases);
  }
  fputs("</testcase>\n", cases);
}

static void
take_trace(struct checking *checking, const struct planned *planned, const char *seen)
{
  if (strcmp(corpus_text(planned->entry, "trace_hash"), seen) == 0)
    return;
  printf("%s/%s: trace %s → %s\n", planned->harness, corpus_text(planned->entry, "file"),
         corpus_text(planned->entry, "trace_hash"), seen);
  json_object_set_new(planned->entry, "trace_hash", json_string(seen));
  checking->changed++;
}

static void
take_record(void *arg, size_t index, json_t *record)
{
  struct checking *checking = arg;
  const struct planned *planned = &checking->plan[index];
  struct suite *suite = &checking->suites[planned->suite];
  const char *file = corpus_text(planned->entry, "file");
  const char *wanted = corpus_text(planned->entry, planned->faults ? "bucket" : "trace_hash");
  const char *kind = planned->faults ? "bucket" : "clean, trace";
  bool finding = record_is_finding(record);
  const char *seen =
      finding ? record_finding_text(record, "bucket") : record_text(record, "trace_hash");
  bool same = finding == planned->faults &&
              (strcmp(wanted, seen) == 0 || (checking->recording && !planned->faults));
  char preset[PRESET_NAME_MAX];

  preset_name(preset, sanitizer_names[planned->suite], false);
  checking->ran++;
  suite->ran++;
  checking->differ += !same;
  suite->differ += !same;
  add_case(suite->cases, preset, file, planned->faults, same, seen);
  clear_bar(checking);
  if (checking->results != NULL)
    json_array_append_new(checking->results,
                          json_pack("{s:s, s:s, s:s, s:b, s:b, s:s, s:s, s:s}", "build", preset,
                                    "harness", planned->harness, "file", file, "faults",
                                    planned->faults, "same", same, "wanted", wanted, "got", seen,
                                    "verdict", finding ? "finding" : "clean"));
  else if (!same)
    printf("differs  %s  %s: wanted %s %s, got %s %s\n", preset, file, kind, wanted,
           finding ? "bucket" : "clean, trace", seen);
  else if (checking->recording && !planned->faults)
    take_trace(checking, planned, seen);
}

/* ---- Result ---------------------------------------------------------------------------------- */

static void
print_summary(const struct checking *checking)
{
  if (checking->results != NULL) {
    json_t *all =
        json_pack("{s:O, s:I, s:I, s:I, s:b}", "entries", checking->results, "planned",
                  (json_int_t)checking->count, "runs", (json_int_t)checking->ran, "differ",
                  (json_int_t)checking->differ, "interrupted", (int)(interrupt_seen != 0));

    json_dumpf(all, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(all);
    return;
  }
  for (size_t s = 0; s < SANITIZER_COUNT; s++) {
    char preset[PRESET_NAME_MAX];

    preset_name(preset, sanitizer_names[s], false);
    if (checking->wanted[s])
      printf("%-6s %zu run%s, %zu differ\n", preset, checking->suites[s].ran,
             plural(checking->suites[s].ran), checking->suites[s].differ);
  }
  if (interrupt_seen)
    printf("interrupted: %zu of %zu run%s\n", checking->ran, checking->count,
           plural(checking->count));
}

static bool
write_junit(const struct checking *checking)
{
  char *xml = NULL;
  size_t size;
  FILE *file = open_memstream(&xml, &size);
  bool good = file != NULL;

  if (good) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", file);
    for (size_t s = 0; s < SANITIZER_COUNT; s++) {
      const struct suite *suite = &checking->suites[s];
      char preset[PRESET_NAME_MAX];

      preset_name(preset, sanitizer_names[s], false);
      if (checking->wanted[s])
        fprintf(file, "<testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\">\n%s</testsuite>\n",
                preset, suite->ran, suite->differ, suite->text);
    }
    fputs("</testsuites>\n", file);
    good = fclose(file) == 0 && file_write(checking->request->junit, xml, size, "", 0);
  }
  if (!good)
    complain(&corpus_command, "cannot write %s: %s", checking->request->junit, strerror(errno));
  free(xml);
  return good;
}

static int
run_plan(struct checking *checking)
{
  struct crew_request crew = {.tasks = checking->tasks,
                              .count = checking->count,
                              .jobs = checking->request->jobs,
                              .stop = &interrupt_seen,
                              .each = take_record,
                              .progress = show_progress,
                              .arg = checking};
  char problem[5000];
  bool good = true;

  interrupts_catch();
  checking->bar = isatty(STDERR_FILENO) != 0;
  checking->shown_ms = clock_ms();
  checking->results = checking->request->json ? json_array() : NULL;
  for (size_t s = 0; s < SANITIZER_COUNT; s++) {
    struct suite *suite = &checking->suites[s];

    suite->cases = open_memstream(&suite->text, &suite->size);
    good &= suite->cases != NULL;
  }
  snprintf(problem, sizeof problem, "out of memory");
  good = good && crew_run(&crew, problem, sizeof problem);
  clear_bar(checking);
  for (size_t s = 0; s < SANITIZER_COUNT; s++)
    if (checking->suites[s].cases != NULL)
      fclose(checking->suites[s].cases);
  if (!good) {
    complain(&corpus_command, "%s", problem);
    return EXIT_ENVIRONMENT;
  }
  return interrupt_seen ? EXIT_INTERRUPTED : checking->differ > 0 ? EXIT_FINDING : EXIT_CLEAN;
}

static int
run_all(struct checking *checking)
{
  int code = load(checking) ? plan(checking) : EXIT_USAGE;

  if (code >= 0)
    return code;
  code = run_plan(checking);
  if (code != EXIT_ENVIRONMENT && !checking->recording)
    print_summary(checking);
  if (code != EXIT_ENVIRONMENT && checking->request->junit != NULL && !write_junit(checking))
    code = EXIT_USAGE;
  return code;
}

static int
finish(struct checking *checking, int code)
{
  for (size_t s = 0; s < SANITIZER_COUNT; s++)
    free(checking->suites[s].text);
  for (size_t h = 0; h < HARNESS_COUNT; h++)
    corpus_free(&checking->corpora[h]);
  json_decref(checking->results);
  free(checking->plan);
  free(checking->tasks);
  free(checking->paths);
  return finish_output(&corpus_command, code);
}

int
corpus_check(const struct corpus_request *request)
{
  struct checking checking = {.request = request};
  int code = request->junit != NULL ? output_check(&corpus_command, request->junit) : -1;

  if (code >= 0)
    return code;
  return finish(&checking, run_all(&checking));
}

/* ---- Record ---------------------------------------------------------------------------------- */

/* Content hashes as the files are now.  False: complained. */
static bool
take_contents(struct checking *checking)
{
  for (size_t i = 0; i < checking->count; i++) {
    const struct planned *planned = &checking->plan[i];
    char hash[CORPUS_HASH_SIZE], problem[5000];
    uint8_t *data;
    size_t size;

    if (!file_read(checking->paths[i], CORPUS_FILE_MAX, &data, &size, problem, sizeof problem)) {
      complain(&corpus_command, "%s", problem);
      return false;
    }
    corpus_hash(data, size, hash);
    free(data);
    if (strcmp(corpus_text(planned->entry, "hash"), hash) == 0)
      continue;
    printf("%s/%s: content %s → %s\n", planned->harness, corpus_text(planned->entry, "file"),
           corpus_text(planned->entry, "hash"), hash);
    json_object_set_new(planned->entry, "hash", json_string(hash));
    checking->changed++;
  }
  return true;
}

int
corpus_record(const struct corpus_request *request)
{
  struct checking checking = {.request = request, .recording = true};
  int code = run_all(&checking);

  if (code == EXIT_FINDING) {
    complain(&corpus_command, "%zu verdict%s changed; nothing was written", checking.differ,
             plural(checking.differ));
  } else if (code == EXIT_INTERRUPTED) {
    complain(&corpus_command, "interrupted; nothing was written");
  } else if (code == EXIT_CLEAN) {
    if (!take_contents(&checking))
      return finish(&checking, EXIT_USAGE);
    for (size_t h = 0; h < HARNESS_COUNT; h++)
      if (checking.changed > 0 && json_array_size(checking.corpora[h].entries) > 0 &&
          !corpus_save(&checking.corpora[h])) {
        complain(&corpus_command, "cannot write %s/manifest.json: %s", checking.corpora[h].folder,
                 strerror(errno));
        code = EXIT_USAGE;
      }
    printf("%zu changed\n", checking.changed);
  }
  return finish(&checking, code);
}
