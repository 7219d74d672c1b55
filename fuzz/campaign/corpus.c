/* corpus.c - reads, checks and writes the manifest of kept programs. */
#include "fuzz/campaign/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/faults.h"
#include "fuzz/campaign/files.h"

enum { MANIFEST_FORMAT = 1, MANIFEST_MAX_BYTES = 1 << 26 };

void
corpus_hash(const uint8_t *data, size_t size, char hash[CORPUS_HASH_SIZE])
{
  uint64_t value = UINT64_C(0xcbf29ce484222325);

  for (size_t i = 0; i < size; i++)
    value = (value ^ data[i]) * UINT64_C(0x100000001b3);
  snprintf(hash, CORPUS_HASH_SIZE, "%016" PRIx64, value);
}

const char *
corpus_text(const json_t *entry, const char *field)
{
  const char *text = json_string_value(json_object_get(entry, field));

  return text != NULL ? text : "";
}

json_t *
corpus_find(const struct corpus *corpus, const char *field, const char *value)
{
  size_t i;
  json_t *entry;

  json_array_foreach(corpus->entries, i,
                     entry) if (strcmp(corpus_text(entry, field), value) == 0) return entry;
  return NULL;
}

/* A name below seeds/ or regressions/ that leads nowhere else. */
static bool
name_is_good(const char *name)
{
  const char *slash = strchr(name, '/');

  return (strncmp(name, "seeds/", 6) == 0 || strncmp(name, "regressions/", 12) == 0) &&
         slash[1] != '\0' && slash[1] != '.' && strchr(slash + 1, '/') == NULL;
}

/* Absent, or one of those that there are. */
static bool
sanitizer_is_good(const json_t *entry)
{
  const char *sanitizer = corpus_text(entry, "sanitizer");

  for (size_t i = 0; i < SANITIZER_COUNT; i++)
    if (strcmp(sanitizer, sanitizer_names[i]) == 0)
      return true;
  return json_object_get(entry, "sanitizer") == NULL && *corpus_text(entry, "faults") == '\0';
}

/* What an entry is to be run with is known here: else it would be skipped.  False: `problem`. */
static bool
entry_can_run(const struct corpus *corpus, size_t index, const json_t *entry, char *problem,
              size_t problem_size)
{
  const char *faults = corpus_text(entry, "faults");
  char unknown[64];

  if (!sanitizer_is_good(entry)) {
    snprintf(problem, problem_size,
             "%s/manifest.json: entry %zu (%s): sanitizer '%s' is none of none, asan, tsan; "
             "correct it",
             corpus->folder, index + 1, corpus_text(entry, "file"),
             corpus_text(entry, "sanitizer"));
    return false;
  }
  if (*faults != '\0' && !faults_known(faults, unknown, sizeof unknown)) {
    snprintf(problem, problem_size,
             "%s/manifest.json: entry %zu (%s): no fault '%s'; correct or remove the entry",
             corpus->folder, index + 1, corpus_text(entry, "file"), unknown);
    return false;
  }
  return true;
}

static bool
entries_are_good(const struct corpus *corpus, char *problem, size_t problem_size)
{
  size_t i;
  json_t *entry;

  json_array_foreach(corpus->entries, i, entry)
  {
    const char *file = corpus_text(entry, "file");

    if (!name_is_good(file) || *corpus_text(entry, "hash") == '\0' ||
        *corpus_text(entry, "trace_hash") == '\0' ||
        (*corpus_text(entry, "faults") != '\0') != (*corpus_text(entry, "bucket") != '\0')) {
      snprintf(problem, problem_size,
               "%s/manifest.json: entry %zu needs file (in seeds/ or regressions/), hash and "
               "trace_hash, and bucket together with faults",
               corpus->folder, i + 1);
      return false;
    }
    if (corpus_find(corpus, "file", file) != entry) {
      snprintf(problem, problem_size, "%s/manifest.json lists %s twice; remove one", corpus->folder,
               file);
      return false;
    }
    if (!entry_can_run(corpus, i, entry, problem, problem_size))
      return false;
  }
  return true;
}

/* Without a manifest there may be no entries either: the next one written would forget them. */
static bool
is_bare(const struct corpus *corpus, const char *manifest, char *problem, size_t problem_size)
{
  static const char *const parts[] = {"seeds", "regressions"};
  char path[CORPUS_PATH_MAX + 16];

  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", corpus->folder, parts[i]);
    if (folder_count(path) > 0) {
      snprintf(problem, problem_size, "%s is missing, but %s has files; restore it", manifest,
               path);
      return false;
    }
  }
  return true;
}

bool
corpus_load(struct corpus *corpus, const char *root, const char *harness, char *problem,
            size_t problem_size)
{
  char path[CORPUS_PATH_MAX + 16];
  json_error_t error;
  json_t *manifest;
  uint8_t *data;
  size_t size;

  corpus->entries = NULL;
  if (snprintf(corpus->folder, sizeof corpus->folder, "%s/%s", root, harness) >=
      (int)sizeof corpus->folder) {
    snprintf(problem, problem_size, "the corpus folder's name is too long");
    return false;
  }
  snprintf(path, sizeof path, "%s/manifest.json", corpus->folder);
  if (access(path, F_OK) != 0 && errno == ENOENT) {
    corpus->entries = json_array();
    return is_bare(corpus, path, problem, problem_size);
  }
  if (!file_read(path, MANIFEST_MAX_BYTES, &data, &size, problem, problem_size))
    return false;
  manifest = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, &error);
  free(data);
  if (manifest == NULL) {
    snprintf(problem, problem_size, "%s:%d: %s; correct or restore it", path, error.line,
             error.text);
    return false;
  }
  corpus->entries = json_incref(json_object_get(manifest, "entries"));
  if (json_integer_value(json_object_get(manifest, "format")) != MANIFEST_FORMAT ||
      !json_is_array(corpus->entries)) {
    snprintf(problem, problem_size, "%s: no manifest of format %d", path, MANIFEST_FORMAT);
    json_decref(manifest);
    return false;
  }
  json_decref(manifest);
  return entries_are_good(corpus, problem, problem_size);
}

void
corpus_free(struct corpus *corpus)
{
  json_decref(corpus->entries);
  corpus->entries = NULL;
}

/* Every file of a folder is listed, but for the text beside a regression. */
static bool
folder_is_listed(const struct corpus *corpus, const char *part, char *problem, size_t problem_size)
{
  char path[CORPUS_PATH_MAX + 16];
  bool good = true;
  struct dirent *item;

  snprintf(path, sizeof path, "%s/%s", corpus->folder, part);
  DIR *folder = opendir(path);

  if (folder == NULL)
    return true;
  while (good && (item = readdir(folder)) != NULL) {
    char name[sizeof item->d_name + 16];
    size_t length;

    if (item->d_name[0] == '.')
      continue;
    snprintf(name, sizeof name, "%s/%s", part, item->d_name);
    length = strlen(name);
    if (strcmp(part, "regressions") == 0 && length > 3 && strcmp(name + length - 3, ".rb") == 0)
      continue;
    good = corpus_find(corpus, "file", name) != NULL;
    if (!good)
      snprintf(problem, problem_size,
               "%s/%s is not in the manifest; gcstorm corpus add it, or "
               "remove it",
               corpus->folder, name);
  }
  closedir(folder);
  return good;
}

/* The content of an entry's file, to be freed.  NULL: `problem`. */
static uint8_t *
entry_read(const struct corpus *corpus, size_t index, const json_t *entry, size_t *size,
           char *problem, size_t problem_size)
{
  char path[2 * CORPUS_PATH_MAX], why[CORPUS_PATH_MAX];
  uint8_t *data;

  snprintf(path, sizeof path, "%.4000s/%.1000s", corpus->folder, corpus_text(entry, "file"));
  if (file_read(path, CORPUS_FILE_MAX, &data, size, why, sizeof why))
    return data;
  /* What to do is another thing here than what file_read says. */
  char *advice = strrchr(why, ';');

  if (advice != NULL)
    *advice = '\0';
  snprintf(problem, problem_size, "%s/manifest.json: entry %zu: %s; restore it or remove its entry",
           corpus->folder, index + 1, why);
  return NULL;
}

bool
corpus_files_read(const struct corpus *corpus, char *problem, size_t problem_size)
{
  size_t i;
  json_t *entry;

  json_array_foreach(corpus->entries, i, entry)
  {
    size_t size;
    uint8_t *data = entry_read(corpus, i, entry, &size, problem, problem_size);

    if (data == NULL)
      return false;
    free(data);
  }
  return true;
}

bool
corpus_files_check(const struct corpus *corpus, char *problem, size_t problem_size)
{
  size_t i;
  json_t *entry;

  json_array_foreach(corpus->entries, i, entry)
  {
    char hash[CORPUS_HASH_SIZE];
    size_t size;
    uint8_t *data = entry_read(corpus, i, entry, &size, problem, problem_size);

    if (data == NULL)
      return false;
    corpus_hash(data, size, hash);
    free(data);
    if (strcmp(hash, corpus_text(entry, "hash")) != 0) {
      snprintf(problem, problem_size,
               "%s/%s is not what was added (hash %s, manifest %s); restore it, "
               "or remove its entry and add it again",
               corpus->folder, corpus_text(entry, "file"), hash, corpus_text(entry, "hash"));
      return false;
    }
  }
  return folder_is_listed(corpus, "seeds", problem, problem_size) &&
         folder_is_listed(corpus, "regressions", problem, problem_size);
}

static int
compare_entries(const void *a, const void *b)
{
  return strcmp(corpus_text(*(json_t *const *)a, "file"), corpus_text(*(json_t *const *)b, "file"));
}

bool
corpus_save(const struct corpus *corpus)
{
  size_t count = json_array_size(corpus->entries);
  json_t **sorted = calloc(count + 1, sizeof(json_t *));
  char path[CORPUS_PATH_MAX + 16];
  json_t *array = json_array();
  bool good = false;

  if (sorted != NULL && array != NULL) {
    for (size_t i = 0; i < count; i++)
      sorted[i] = json_array_get(corpus->entries, i);
    qsort(sorted, count, sizeof(json_t *), compare_entries);
    for (size_t i = 0; i < count; i++)
      json_array_append(array, sorted[i]);
    json_t *all = json_pack("{s:i, s:O}", "format", MANIFEST_FORMAT, "entries", array);
    char *text = json_dumps(all, JSON_INDENT(1));

    snprintf(path, sizeof path, "%s/manifest.json", corpus->folder);
    good = text != NULL && file_write(path, text, strlen(text), "\n", 1);
    free(text);
    json_decref(all);
  }
  json_decref(array);
  free(sorted);
  return good;
}
