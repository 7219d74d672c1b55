/* corpus_add.c - gcstorm corpus add: keeps a program and what it does today. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/plural.h"
#include "fuzz/campaign/worker.h"
#include "fuzz/cli/beside.h"
#include "fuzz/cli/corpus.h"
#include "fuzz/cli/interrupt.h"
#include "fuzz/cli/reduce.h"
#include "fuzz/program/parser.h"
#include "fuzz/program/printer.h"

/* A program as it will be kept: a seed as it is written, a regression as canonical bytes with their
 * header. */
struct kept_form {
  const char *name; /* says whether it is text */
  const uint8_t *data;
  size_t size;
  char bucket[256]; /* that it must show with the faults; "": any */
};

static struct worker_options
run_options(const struct corpus_request *request, const char *harness, bool faults)
{
  return (struct worker_options){.sanitizer =
                                     request->sanitizer != NULL ? request->sanitizer : "none",
                                 .dialect = harness,
                                 .faults = faults ? request->faults : NULL,
                                 .hang_seconds = 60,
                                 .stop = &interrupt_seen};
}

/* Runs the program once.  NULL: complained. */
static json_t *
run_once(const struct corpus_request *request, const char *harness, const struct kept_form *form,
         bool faults)
{
  struct worker_options options = run_options(request, harness, faults);
  const struct worker_input input = {form->name, form->data, form->size, true, NULL, 0};
  struct worker worker;
  char problem[5000];
  json_t *record = NULL;

  if (worker_open(&worker, &options, problem, sizeof problem)) {
    record = worker_ask(&worker, &input, problem, sizeof problem);
    worker_close(&worker);
  }
  if (record == NULL)
    complain(&corpus_command, "%s", problem);
  return record;
}

/* What the program does today, as an entry without file and hash.  NULL: `code`. */
static json_t *
make_entry(const struct corpus_request *request, const char *harness, const struct kept_form *form,
           int *code)
{
  json_t *entry = NULL;
  json_t *faulty = NULL;
  json_t *clean = run_once(request, harness, form, false);

  *code = EXIT_ENVIRONMENT;
  if (clean == NULL)
    return NULL;
  if (request->faults != NULL && (faulty = run_once(request, harness, form, true)) == NULL) {
    json_decref(clean);
    return NULL;
  }
  if (record_is_finding(clean)) {
    complain(&corpus_command, "%s has a finding without faults (%s); fix that, then add it",
             form->name, record_finding_text(clean, "bucket"));
    *code = EXIT_FINDING;
  } else if (faulty != NULL && !record_is_finding(faulty)) {
    *code =
        usage_error(&corpus_command, "%s is clean with --fault %s", form->name, request->faults);
  } else if (*form->bucket != '\0' &&
             strcmp(form->bucket, record_finding_text(faulty, "bucket")) != 0) {
    complain(&corpus_command,
             "a fresh process does not agree that %s is still there; this is a bug of "
             "gcstorm, and nothing was kept",
             form->bucket);
  } else {
    entry = json_pack("{s:s, s:s}", "trace_hash", record_text(clean, "trace_hash"), "source",
                      request->source != NULL ? request->source : "by hand");
    if (faulty != NULL) {
      json_object_set_new(entry, "faults", json_string(request->faults));
      json_object_set_new(entry, "sanitizer",
                          json_string(request->sanitizer != NULL ? request->sanitizer : "none"));
      json_object_set_new(entry, "bucket", json_string(record_finding_text(faulty, "bucket")));
      json_object_set_new(entry, "rule", json_string(record_finding_text(faulty, "rule")));
    }
  }
  json_decref(clean);
  json_decref(faulty);
  return entry;
}

/* Writes CORPUS/HARNESS/NAME. */
static bool
write_kept(const struct corpus *corpus, const char *name, const void *data, size_t size)
{
  char path[2 * CORPUS_PATH_MAX];
  char folder[2 * CORPUS_PATH_MAX], problem[5000];

  snprintf(path, sizeof path, "%.4000s/%.1000s", corpus->folder, name);
  snprintf(folder, sizeof folder, "%s", path);
  *strrchr(folder, '/') = '\0';
  if (!folder_prepare(folder, problem, sizeof problem)) {
    complain(&corpus_command, "%s", problem);
    return false;
  }
  if (!file_is_replaceable(path)) {
    complain(&corpus_command, "%s is no plain file; move it away", path);
    return false;
  }
  if (!file_write(path, data, size, "", 0)) {
    complain(&corpus_command, "cannot write %s: %s", path, strerror(errno));
    return false;
  }
  return true;
}

/* seeds/NAME.rb, or regressions/RULE-HASH.bin. */
static void
name_entry(const struct corpus_request *request, const json_t *entry, const char *hash,
           char name[512])
{
  const char *rule = corpus_text(entry, "rule");

  if (request->cause != NULL)
    rule = request->cause;
  if (request->seed != NULL) {
    snprintf(name, 512, "seeds/%.200s.rb", request->seed);
    return;
  }
  snprintf(name, 512, "regressions/%.64s-%s.bin", *rule != '\0' ? rule : "clean", hash);
  for (char *c = strchr(name, '/') + 1; *c != '.' || strcmp(c, ".bin") != 0; c++)
    *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
}

/* The Ruby text beside a regression. */
static bool
write_text(const struct corpus *corpus, const char *name, const struct program *program)
{
  char beside[512];
  char *text = NULL;
  size_t size = 0;
  FILE *printed = open_memstream(&text, &size);
  bool good = printed != NULL;

  if (good) {
    program_print_ruby(program, printed);
    good = fclose(printed) == 0;
    snprintf(beside, sizeof beside, "%.*s.rb", (int)(strlen(name) - 4), name);
    good = good && write_kept(corpus, beside, text, size);
  }
  free(text);
  return good;
}

/* Files first, the manifest last: a kill between leaves files that `check` names and that adding
 * again completes. */
static int
keep(const struct corpus_request *request, struct corpus *corpus, const struct program *program,
     json_t *entry, const uint8_t *data, size_t size)
{
  char hash[CORPUS_HASH_SIZE], name[512];
  const char *bucket = corpus_text(entry, "bucket");
  json_t *twin;

  corpus_hash(data, size, hash);
  name_entry(request, entry, hash, name);
  twin = corpus_find(corpus, "hash", hash);
  if (twin == NULL && *bucket != '\0')
    twin = corpus_find(corpus, "bucket", bucket);
  if (twin != NULL) {
    printf("already kept: %s/%s\n", corpus->folder, corpus_text(twin, "file"));
    return EXIT_CLEAN;
  }
  if (corpus_find(corpus, "file", name) != NULL)
    return usage_error(&corpus_command, "%s is another program; choose another name", name);
  if (!write_kept(corpus, name, data, size) ||
      (request->seed == NULL && !write_text(corpus, name, program)))
    return EXIT_USAGE;
  json_object_set_new(entry, "file", json_string(name));
  json_object_set_new(entry, "hash", json_string(hash));
  json_array_append(corpus->entries, entry);
  if (!corpus_save(corpus)) {
    complain(&corpus_command, "cannot write %s/manifest.json", corpus->folder);
    return EXIT_USAGE;
  }
  printf("kept %s/%s\n", corpus->folder, name);
  return EXIT_CLEAN;
}

/* The entry that has the bucket which the program shows, or NULL; `bucket` is "" when it is clean
 * or cannot run, which make_entry tells. */
static json_t *
bucket_twin(struct reduction *reduction, const struct corpus *corpus, const struct program *program)
{
  json_t *record =
      judge_bytes_fresh(&reduction->judge, reduction->bytes, reduction_bytes(reduction, program),
                        reduction->problem, sizeof reduction->problem);

  snprintf(reduction->bucket, sizeof reduction->bucket, "%s",
           record_is_finding(record) ? record_finding_text(record, "bucket") : "");
  json_decref(record);
  return *reduction->bucket != '\0' ? corpus_find(corpus, "bucket", reduction->bucket) : NULL;
}

/* Minimises a finding in place; one whose bucket is kept already is not worth it.  -1: go on. */
static int
minimise(const struct corpus_request *request, const char *harness, const struct corpus *corpus,
         struct program *program, char bucket[256])
{
  const struct worker_options options = run_options(request, harness, true);
  struct reduction *reduction = calloc(1, sizeof *reduction);
  struct minimize_report report;
  unsigned ops = program->op_count;
  const json_t *twin;
  int code = -1;

  if (reduction == NULL ||
      !judge_open(&reduction->judge, &options, reduction->problem, sizeof reduction->problem)) {
    complain(&corpus_command, "%s", reduction != NULL ? reduction->problem : "out of memory");
    free(reduction);
    return EXIT_ENVIRONMENT;
  }
  twin = bucket_twin(reduction, corpus, program);
  if (twin != NULL) {
    printf("already kept: %s/%s\n", corpus->folder, corpus_text(twin, "file"));
    code = EXIT_CLEAN;
  } else if (*reduction->bucket != '\0') {
    interrupts_catch();
    if (!reduction_run(reduction, program, &report)) {
      complain(&corpus_command, "%s", reduction->problem);
      code = EXIT_ENVIRONMENT;
    } else {
      fprintf(stderr, "minimised: ops %u → %u, %lu run%s%s\n", ops, program->op_count, report.runs,
              plural(report.runs), report.ended_early ? "; ended early" : "");
    }
    snprintf(bucket, 256, "%s", reduction->bucket);
    interrupt_seen = 0;
  }
  judge_close(&reduction->judge);
  free(reduction);
  return code;
}

static int
add_form(const struct corpus_request *request, const char *harness, struct corpus *corpus,
         const struct program *program, const struct kept_form *form)
{
  int code;
  json_t *entry = make_entry(request, harness, form, &code);

  if (entry != NULL)
    code = keep(request, corpus, program, entry, form->data, form->size);
  json_decref(entry);
  return code;
}

/* A regression: minimised if it is a finding, as canonical bytes. */
static int
add_regression(const struct corpus_request *request, const char *harness, const char *path,
               struct corpus *corpus, struct program *program)
{
  struct kept_form form = {.name = path};
  uint8_t *bytes;
  int code = -1;

  if (request->faults != NULL && !request->no_minimize)
    code = minimise(request, harness, corpus, program, form.bucket);
  if (code >= 0)
    return code;
  form.size = PROGRAM_HEADER_SIZE + program_encoded_size(program);
  bytes = malloc(form.size);
  if (bytes == NULL) {
    complain(&corpus_command, "out of memory");
    return EXIT_ENVIRONMENT;
  }
  program_header(program->dialect, bytes);
  program_encode(program, bytes + PROGRAM_HEADER_SIZE, form.size - PROGRAM_HEADER_SIZE);
  form.data = bytes;
  if (program_is_text(path, bytes, form.size))
    form.name = "program.bin"; /* of text that was read from FILE.rb */
  code = add_form(request, harness, corpus, program, &form);
  free(bytes);
  return code;
}

static int
add_program(const struct corpus_request *request, const char *path, struct program *program,
            const uint8_t *data, size_t size)
{
  const char *harness = harness_names[program->dialect == PROGRAM_RACTOR ? 0 : 1];
  const struct kept_form as_written = {path, data, size, ""};
  struct corpus corpus = {0};
  char problem[9000];
  int code = EXIT_USAGE;

  if (!corpus_load(&corpus, request->root, harness, problem, sizeof problem))
    complain(&corpus_command, "%s", problem);
  else if (request->seed != NULL)
    code = add_form(request, harness, &corpus, program, &as_written);
  else
    code = add_regression(request, harness, path, &corpus, program);
  corpus_free(&corpus);
  return code;
}

static int
add(const struct corpus_request *request, const char *path)
{
  const char *harness = request->harness != NULL ? request->harness : harness_names[0];
  struct program program;
  char problem[9000];
  uint8_t *data;
  size_t size;
  int code = EXIT_USAGE;

  if (!file_read_input(path, request->max_bytes, &data, &size, problem, sizeof problem)) {
    complain(&corpus_command, "%s", problem);
    return EXIT_USAGE;
  }
  if (!program_init(&program, PROGRAM_RACTOR)) {
    complain(&corpus_command, "out of memory");
    free(data);
    return EXIT_ENVIRONMENT;
  }
  if (!program_read(&program,
                    strcmp(harness, harness_names[0]) == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS, path,
                    data, size, problem, sizeof problem))
    complain(&corpus_command, "%s", problem);
  else if (request->seed != NULL && !program_is_text(path, data, size))
    usage_error(&corpus_command, "a seed is text; gcstorm show prints it");
  else if (request->seed != NULL && size > CORPUS_FILE_MAX)
    usage_error(&corpus_command,
                "a seed is kept as it is written, in at most %d bytes; take comments out of %s",
                CORPUS_FILE_MAX, path);
  else
    code = add_program(request, path, &program, data, size);
  program_free(&program);
  free(data);
  return finish_output(&corpus_command, code);
}

/* A finding without faults has a cause that was fixed since; its record says what it was. */
static void
take_cause(struct corpus_request *request, const json_t *record, char *source, size_t source_size)
{
  if (request->faults != NULL || *record_finding_text(record, "bucket") == '\0')
    return;
  request->cause = record_finding_text(record, "rule");
  snprintf(source, source_size, "%s, fixed", record_finding_text(record, "bucket"));
  if (request->source == NULL)
    request->source = source;
}

/* -1: go on. */
static int
check_finding(const struct corpus_request *request, const char *path, const json_t *record)
{
  if (beside_is_of_threads(record)) {
    complain(&corpus_command,
             "%s was found on threads, where a run is no function of its bytes; if gcstorm run "
             "--host sim shows it, gcstorm minimize --bucket makes a file to add",
             path);
    return EXIT_USAGE;
  }
  if (request->faults == NULL && request->source == NULL)
    return usage_error(&corpus_command,
                       "nothing says what %s showed: no record beside it, no --fault and no "
                       "--source; a program to start from is kept with --seed NAME",
                       path);
  return -1;
}

/* Whether there is something to add; said before what its record says.  -1: go on. */
static int
check_input(const struct corpus_request *request, const char *path)
{
  char problem[5000];
  uint8_t *data;
  size_t size;

  if (!file_read_input(path, request->max_bytes, &data, &size, problem, sizeof problem)) {
    complain(&corpus_command, "%s", problem);
    return EXIT_USAGE;
  }
  free(data);
  return -1;
}

int
corpus_add(const struct corpus_request *asked, const char *path)
{
  struct corpus_request request = *asked;
  struct beside beside = {request.sanitizer, request.harness, request.faults};
  char source[400];
  json_t *record;
  int code;

  if (request.max_bytes == 0)
    request.max_bytes = CORPUS_FILE_MAX;
  if (request.seed != NULL)
    return add(&request, path);
  code = check_input(&request, path);
  if (code >= 0)
    return code;
  if (!beside_read(&corpus_command, path, &record))
    return EXIT_USAGE;
  code = EXIT_USAGE;
  if (beside_take(&corpus_command, path, record, &beside)) {
    request.sanitizer = beside.sanitizer;
    request.harness = beside.harness;
    request.faults = beside.faults;
    take_cause(&request, record, source, sizeof source);
    code = check_finding(&request, path, record);
  }
  if (code < 0)
    code = add(&request, path);
  json_decref(record);
  return code;
}
