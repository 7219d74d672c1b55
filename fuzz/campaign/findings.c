/* findings.c - see findings.h. */
#include "fuzz/campaign/findings.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/worker.h"

#define SHORT_NAME "build/gcstorm"

enum { PATH_ROOM = PATH_MAX + 320, INPUT_MAX_BYTES = 1 << 20, RECORD_MAX_BYTES = 1 << 24 };

bool
findings_open(struct findings *findings, const char *folder, char *problem, size_t problem_size)
{
  findings->folder = folder;
  findings->unstable = 0;
  findings->confirmed = json_array();
  return folder_prepare(folder, problem, problem_size);
}

void
findings_close(struct findings *findings)
{
  json_decref(findings->confirmed);
  findings->confirmed = NULL;
}

static uint64_t
hash_text(uint64_t hash, const char *text)
{
  for (; *text != '\0'; text++)
    hash = (hash ^ (uint8_t)*text) * 0x100000001b3ull;
  return (hash ^ 0xff) * 0x100000001b3ull;
}

/* "inv-shref-1234567890abcdef". */
static void
finding_name(char *name, size_t size, const struct finding_source *source, const char *rule,
             const char *bucket)
{
  uint64_t hash = 0xcbf29ce484222325ull;
  char slug[32];
  size_t n = 0;

  hash = hash_text(hash, source->harness);
  if (source->host != EXEC_HOST_SIM)
    hash = hash_text(hash, exec_host_name(source->host));
  hash = hash_text(hash, source->faults != NULL ? source->faults : "");
  hash = hash_text(hash, bucket);
  for (; *rule != '\0' && n < sizeof slug - 1; rule++)
    slug[n++] = isalnum((unsigned char)*rule) ? (char)tolower((unsigned char)*rule) : '-';
  slug[n] = '\0';
  snprintf(name, size, "%s-%016llx", n > 0 ? slug : "finding", (unsigned long long)hash);
}

static bool
name_ends(const char *name, const char *end)
{
  size_t length = strlen(name);

  return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

/* The name of the record beside an input. */
static void
record_name(char *path, size_t size, const char *input)
{
  size_t length = strlen(input) - (name_ends(input, ".bin") ? 4 : 0);

  snprintf(path, size, "%.*s.json", (int)length, input);
}

void
finding_record_names(const char *input, char names[2][FINDING_RECORD_ROOM])
{
  snprintf(names[0], FINDING_RECORD_ROOM, "%s.json", input);
  record_name(names[1], FINDING_RECORD_ROOM, input);
}

bool
finding_record_beside(const char *input, json_t **record, char *problem, size_t problem_size)
{
  char names[2][FINDING_RECORD_ROOM];
  json_error_t error = {.line = 0};
  uint8_t *data;
  size_t size;

  *record = NULL;
  finding_record_names(input, names);
  const char *path = names[access(names[0], F_OK) != 0];
  if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG))
    return true;
  if (!file_read(path, RECORD_MAX_BYTES, &data, &size, problem, problem_size))
    return false;
  *record = json_loadb((const char *)data, size, 0, &error);
  free(data);
  if (json_is_object(*record))
    return true;
  json_decref(*record);
  *record = NULL;
  snprintf(
      problem, problem_size,
      "%s, beside %s, is no record of a finding (%s); restore it, or move it away and say what "
      "it said by options",
      path, input, error.text[0] != '\0' ? error.text : "not an object");
  return false;
}

/* Whether a fresh process reports what the target wrote.  AFL++'s target has another compiler than
 * the worker: what is inlined, and so a bucket made from a stack, may differ; the rule may not. */
static bool
is_same(const struct finding_source *source, const char *input, const json_t *record)
{
  const char *member = source->engine == ENGINE_AFL ? "rule" : "bucket";
  char problem[2 * PATH_ROOM + 512];
  json_t *beside;
  const char *expected;
  bool same;

  /* What cannot be read expects nothing: the target may have died while it wrote. */
  finding_record_beside(input, &beside, problem, sizeof problem);
  expected = record_text(beside, member);
  if (*expected == '\0')
    expected = record_finding_text(beside, member);
  same = *expected == '\0' || strcmp(expected, record_finding_text(record, member)) == 0;
  json_decref(beside);
  return same;
}

static void
keep_record(void *arg, size_t index, json_t *record)
{
  json_t **kept = arg;

  (void)index;
  json_decref(*kept);
  *kept = json_incref(record);
}

/* A word for a shell: as it is if that is plain, else between quotes. */
static void
quote(char *out, size_t size, const char *word)
{
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:@%";
  size_t at = 0;

  if (word[strspn(word, plain)] == '\0') {
    snprintf(out, size, "%s", word);
    return;
  }
  out[at++] = '\'';
  for (; *word != '\0' && at + 6 < size; word++) {
    if (*word == '\'')
      at += (size_t)snprintf(out + at, size - at, "'\\''"); /* out, an escaped quote, in again */
    else
      out[at++] = *word;
  }
  out[at++] = '\'';
  out[at] = '\0';
}

/* The commands that reproduce and show the finding. */
static void
add_commands(json_t *record, const struct finding_source *source, const char *path)
{
  char self[PATH_MAX], command[2 * PATH_MAX], file[2 * PATH_ROOM];
  char text[sizeof command + sizeof file + 1024];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

  self[length > 0 ? length : 0] = '\0';
  /* The short name where it works, as in the documents. */
  if (length <= 0 || access(SHORT_NAME, X_OK) == 0)
    snprintf(self, sizeof self, "%s", SHORT_NAME);
  quote(command, sizeof command, self);
  quote(file, sizeof file, path);
  snprintf(text, sizeof text, "%s run --sanitizer %s%s%s%s %s", command, source->sanitizer,
           source->host == EXEC_HOST_THREADS ? " --host threads --repeat 20" : "",
           source->faults != NULL ? " --fault " : "", source->faults != NULL ? source->faults : "",
           file);
  json_object_set_new(record, "run", json_string(text));
  snprintf(text, sizeof text, "%s show %s", command, file);
  json_object_set_new(record, "show", json_string(text));
}

bool
finding_record_write(json_t *record, const struct finding_source *source, const char *path)
{
  char beside[PATH_ROOM + 8];
  char temporary[PATH_ROOM + 16];
  char preset[PRESET_NAME_MAX];

  preset_name(preset, source->sanitizer, source->faults != NULL);
  json_object_set_new(record, "file", json_string(path));
  json_object_set_new(json_object_get(record, "finding"), "input", json_string(path));
  json_object_set_new(record, "harness", json_string(source->harness));
  json_object_set_new(record, "sanitizer", json_string(source->sanitizer));
  json_object_set_new(record, "host", json_string(exec_host_name(source->host)));
  json_object_set_new(record, "engine", json_string(engine_names[source->engine]));
  json_object_set_new(record, "preset", json_string(preset));
  json_object_set_new(record, "faults", json_string(source->faults != NULL ? source->faults : ""));
  json_object_set_new(record, "bucket", json_string(record_finding_text(record, "bucket")));
  json_object_set_new(record, "seen", json_integer(1));
  json_object_del(record, "stats");
  add_commands(record, source, path);
  record_name(beside, sizeof beside, path);
  snprintf(temporary, sizeof temporary, "%s.new", beside);
  return json_dump_file(record, temporary, JSON_INDENT(2)) == 0 && rename(temporary, beside) == 0;
}

/* Fresh processes until one reports the same.  `*record` is the last one's.  False: none can run
 * here. */
static bool
confirm(const struct finding_source *source, const char *input, const char *trial, json_t **record,
        bool *confirmed, char *problem, size_t problem_size)
{
  struct worker_options options = {.sanitizer = source->sanitizer,
                                   .dialect = source->harness,
                                   .host = exec_host_name(source->host),
                                   .faults = source->faults,
                                   .hang_seconds = 60};
  unsigned tries = source->host == EXEC_HOST_THREADS ? FINDING_THREADS_TRIES : 1;

  *confirmed = false;
  for (unsigned i = 0; i < tries && !*confirmed; i++) {
    options.perturb = i;
    if (!worker_run(&options, &trial, 1, keep_record, record, problem, problem_size))
      return false;
    *confirmed = record_is_finding(*record) && is_same(source, input, *record);
  }
  return true;
}

/* What an earlier campaign kept under that name stays while it shows the same: two bugs may share a
 * bucket, and what was minimised from it stands beside it.  NULL: nothing, or it shows it no more.
 */
static json_t *
earlier_finding(const struct finding_source *source, const char *path, const char *bucket)
{
  char problem[PATH_ROOM + 512];
  json_t *record = NULL;
  bool same = false;

  if (access(path, F_OK) == 0 &&
      confirm(source, path, path, &record, &same, problem, sizeof problem) && same &&
      strcmp(record_finding_text(record, "bucket"), bucket) == 0)
    return record;
  json_decref(record);
  return NULL;
}

static void
file_confirmed(struct findings *findings, const struct finding_source *source, const char *trial,
               json_t *record)
{
  char name[128];
  char path[PATH_ROOM];
  const char *bucket = record_finding_text(record, "bucket");
  size_t index;
  json_t *known;

  finding_name(name, sizeof name, source, record_finding_text(record, "rule"), bucket);
  snprintf(path, sizeof path, "%s/%s.bin", findings->folder, name);
  json_array_foreach(findings->confirmed, index, known)
  {
    if (strcmp(record_text(known, "file"), path) == 0) {
      json_t *seen = json_object_get(known, "seen");

      json_integer_set(seen, json_integer_value(seen) + 1);
      unlink(trial);
      return;
    }
  }
  json_t *earlier = earlier_finding(source, path, bucket);
  json_t *kept = earlier != NULL ? earlier : record;

  if ((earlier != NULL ? unlink(trial) : rename(trial, path)) != 0 ||
      !finding_record_write(kept, source, path))
    fprintf(stderr, "gcstorm fuzz: cannot write %s: %s\n", path, strerror(errno));
  json_array_append(findings->confirmed, kept);
  json_decref(earlier);
}

static void
file_unstable(struct findings *findings, const char *trial, const char *input,
              const struct finding_source *source)
{
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 64];
  char from[PATH_ROOM + 8];
  char to[sizeof path + 8];
  char problem[PATH_ROOM + 128];
  const char *base = strrchr(input, '/');

  snprintf(folder, sizeof folder, "%s/unstable", findings->folder);
  if (folder_prepare(folder, problem, sizeof problem)) {
    snprintf(path, sizeof path, "%s/%s-%s%s-%.64s", folder, source->harness, source->sanitizer,
             source->host == EXEC_HOST_THREADS ? "-threads" : "", base != NULL ? base + 1 : input);
    /* What the target saw is all there is to go by; the engine's artifacts have no record. */
    record_name(from, sizeof from, input);
    record_name(to, sizeof to, path);
    rename(from, to);
    rename(trial, path);
  }
  findings->unstable++;
}

/* One input that made a fuzz target stop. */
static bool
judge_input(struct findings *findings, const char *input, const struct finding_source *source,
            char *problem, size_t problem_size)
{
  char trial[PATH_ROOM];
  uint8_t head[PROGRAM_HEADER_SIZE];
  json_t *record = NULL;
  uint8_t *data;
  size_t size;
  bool confirmed;
  bool good;

  if (!file_read(input, INPUT_MAX_BYTES, &data, &size, problem, problem_size))
    return false;
  snprintf(trial, sizeof trial, "%s/.trial-%ld.bin", findings->folder, (long)getpid());
  good = file_write(trial, head,
                    program_has_header(data, size) ? 0 : program_header(source->dialect, head),
                    data, size);
  free(data);
  if (!good) {
    snprintf(problem, problem_size, "cannot write %s: %s", trial, strerror(errno));
    return false;
  }
  good = confirm(source, input, trial, &record, &confirmed, problem, problem_size);
  if (good && confirmed)
    file_confirmed(findings, source, trial, record);
  else
    file_unstable(findings, trial, input, source);
  json_decref(record);
  return good;
}

/* Judges the inputs of the nest that are (or are not) the engine's artifacts. */
static int
judge_folder(struct findings *findings, const char *nest, const struct finding_source *source,
             bool artifacts, char *problem, size_t problem_size)
{
  DIR *folder = opendir(nest);
  const struct dirent *entry;
  int count = 0;

  if (folder == NULL)
    return 0;
  while (count >= 0 && (entry = readdir(folder)) != NULL) {
    char path[PATH_ROOM];
    bool artifact = strncmp(entry->d_name, "artifact-", 9) == 0;

    if (entry->d_name[0] == '.' || artifact != artifacts || name_ends(entry->d_name, ".json"))
      continue;
    snprintf(path, sizeof path, "%s/%s", nest, entry->d_name);
    if (judge_input(findings, path, source, problem, problem_size))
      count++;
    else
      count = -1;
  }
  closedir(folder);
  return count;
}

int
findings_harvest(struct findings *findings, const char *nest, const struct finding_source *source,
                 char *problem, size_t problem_size)
{
  int count = judge_folder(findings, nest, source, false, problem, problem_size);

  return count != 0 ? count : judge_folder(findings, nest, source, true, problem, problem_size);
}
