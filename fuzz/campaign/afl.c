/* afl.c - how afl-fuzz is run, and how its folders and the corpus folder meet.
 *
 * Below the nest: .seed/ stands in for an empty corpus, .afl/default/ is afl-fuzz's output with
 * queue/, crashes/ and hangs/.  Their names start with a dot, so that they are no findings.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/process.h"
#include "fuzz/program/program.h"

enum { PATH_ROOM = PATH_MAX + 320, INPUT_MAX_BYTES = 1 << 20, TEXT_ROOM = PATH_MAX + 64 };

/* Artifacts judged of one child: when it kept no finding of its own, one death is as good as
 * many. */
enum { ARTIFACTS_MAX = 4 };

/* With a fixed seed afl-fuzz takes as many microseconds, less one, for the time of every run; from
 * 10000 on it holds the target for slow, and mutates each entry half as often. */
enum { TIMEOUT_MS = 9000 };

bool
afl_find(struct engine_binaries *binaries, bool faults, const char *harness, char *problem,
         size_t problem_size)
{
  char library[64];

  if (!program_find("afl-fuzz", binaries->fuzzer, sizeof binaries->fuzzer)) {
    snprintf(problem, problem_size,
             "afl-fuzz is not on PATH; run ci/install afl, or apt-get install afl++");
    return false;
  }
  snprintf(library, sizeof library, "%s-mutator.so", harness);
  return build_binary(binaries->target, sizeof binaries->target, "afl", faults, harness, problem,
                      problem_size) &&
         build_binary(binaries->mutator, sizeof binaries->mutator, "afl", faults, library, problem,
                      problem_size);
}

/* ---- Start ----------------------------------------------------------------------------------- */

/* The folder to start from: the corpus, or one with the empty program, without which afl-fuzz
 * does not start. */
static void
seed_folder(const struct engine_child *child, char *path, size_t size)
{
  static const uint8_t empty_program[PROGRAM_PRELUDE_SIZE];
  char seed[PATH_ROOM];
  char problem[PATH_ROOM + 128];

  snprintf(path, size, "%s", child->corpus);
  if (folder_count(child->corpus) > 0)
    return;
  snprintf(path, size, "%s/.seed", child->nest);
  snprintf(seed, sizeof seed, "%s/empty", path);
  if (folder_prepare(path, problem, sizeof problem))
    file_write(seed, "", 0, empty_program, sizeof empty_program);
}

pid_t
afl_start(const struct engine_child *child, int log)
{
  char seed[32], seconds[32], timeout[32], in[PATH_ROOM], out[PATH_ROOM];
  char findings[TEXT_ROOM], stats[TEXT_ROOM], faults[512], mutator[TEXT_ROOM];
  char *arguments[] = {(char *)(uintptr_t)child->binaries->fuzzer,
                       (char *)(uintptr_t)"-s",
                       seed,
                       (char *)(uintptr_t)"-V",
                       seconds,
                       (char *)(uintptr_t)"-t",
                       timeout,
                       (char *)(uintptr_t)"-G",
                       (char *)(uintptr_t)"4096",
                       (char *)(uintptr_t)"-i",
                       in,
                       (char *)(uintptr_t)"-o",
                       out,
                       (char *)(uintptr_t)"--",
                       (char *)(uintptr_t)child->binaries->target,
                       NULL};
  /* Until the first crash, as libFuzzer; one look at each path, since runs repeat exactly. */
  const char *environment[] = {findings,
                               stats,
                               faults,
                               "GCSTORM_VERIFY=",
                               mutator,
                               "AFL_CUSTOM_MUTATOR_ONLY=1",
                               "AFL_BENCH_UNTIL_CRASH=1",
                               "AFL_FAST_CAL=1",
                               "AFL_DEBUG_CHILD=1", /* the target's stderr into the log */
                               "AFL_NO_UI=1",
                               "AFL_NO_AFFINITY=1",
                               "AFL_SKIP_CPUFREQ=1",
                               "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1",
                               NULL};
  struct process_request request = {
      .arguments = arguments, .environment = environment, .output = log, .errors = log};

  seed_folder(child, in, sizeof in);
  snprintf(out, sizeof out, "%s/.afl", child->nest);
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)child->seed);
  snprintf(seconds, sizeof seconds, "%llu", (unsigned long long)(child->slice_ms + 999) / 1000);
  snprintf(timeout, sizeof timeout, "%d", TIMEOUT_MS);
  snprintf(findings, sizeof findings, "GCSTORM_FINDINGS=%s", child->nest);
  snprintf(stats, sizeof stats, "GCSTORM_STATS=%s/.stats", child->nest);
  snprintf(faults, sizeof faults, "GCSTORM_FAULTS=%s", child->faults != NULL ? child->faults : "");
  snprintf(mutator, sizeof mutator, "AFL_CUSTOM_MUTATOR_LIBRARY=%s", child->binaries->mutator);
  return process_start(&request);
}

/* ---- Collect --------------------------------------------------------------------------------- */

/* The name of an input in the corpus folder: its contents, so that none is there twice. */
static void
content_name(char *name, size_t size, const uint8_t *data, size_t data_size)
{
  uint64_t hash = 0xcbf29ce484222325ull;

  for (size_t i = 0; i < data_size; i++)
    hash = (hash ^ data[i]) * 0x100000001b3ull;
  snprintf(name, size, "afl-%016llx", (unsigned long long)hash);
}

/* Moves it, or copies it to another file system: its folder is about to go anyhow. */
static void
move_input(const char *from, const char *folder, const char *prefix)
{
  char problem[PATH_ROOM + 128];
  char name[32];
  char to[PATH_ROOM];
  uint8_t *data;
  size_t size;

  if (!file_read(from, INPUT_MAX_BYTES, &data, &size, problem, sizeof problem))
    return;
  content_name(name, sizeof name, data, size);
  snprintf(to, sizeof to, "%s/%s%s", folder, prefix, name);
  if (access(to, F_OK) != 0 && rename(from, to) != 0)
    file_write(to, "", 0, data, size);
  free(data);
}

/* An entry that afl-fuzz made, not one that it read from the corpus folder. */
static bool
is_new_entry(const char *name)
{
  return strncmp(name, "id:", 3) == 0 && strstr(name, ",orig:") == NULL;
}

/* Moves at most `max` of the entries that afl-fuzz made in one of its folders, or with `to` NULL
 * only counts them; returns how many. */
static size_t
move_entries(const char *nest, const char *part, const char *to, const char *prefix, size_t max)
{
  char from[PATH_ROOM];
  DIR *folder;
  const struct dirent *entry;
  size_t count = 0;

  snprintf(from, sizeof from, "%s/.afl/default/%s", nest, part);
  folder = opendir(from);
  if (folder == NULL)
    return 0;
  while (count < max && (entry = readdir(folder)) != NULL) {
    char path[PATH_ROOM + 264];

    if (!is_new_entry(entry->d_name))
      continue;
    count++;
    if (to != NULL) {
      snprintf(path, sizeof path, "%s/%s", from, entry->d_name);
      move_input(path, to, prefix);
    }
  }
  closedir(folder);
  return count;
}

size_t
afl_queue_count(const char *nest)
{
  return move_entries(nest, "queue", NULL, "", SIZE_MAX);
}

/* Crashes and hangs become artifacts as libFuzzer leaves them: they count where the target could
 * not keep its finding itself. */
void
afl_collect(const char *nest, const char *corpus)
{
  move_entries(nest, "queue", corpus, "", SIZE_MAX);
  move_entries(nest, "crashes", nest, "artifact-", ARTIFACTS_MAX);
  move_entries(nest, "hangs", nest, "artifact-", ARTIFACTS_MAX);
}
