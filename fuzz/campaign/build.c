/* build.c - see build.h. */
#include "fuzz/campaign/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const harness_names[HARNESS_COUNT] = {"ractor_program", "gc_events"};
const char *const sanitizer_names[SANITIZER_COUNT] = {"none", "asan", "tsan"};

/* Whether the folder holds presets. */
static bool
holds_presets(const char *folder)
{
  static const char *const presets[] = {"plain",       "asan",        "tsan", "plain-faults", "gcc",
                                        "asan-faults", "tsan-faults", "afl",  "afl-faults"};
  char path[PATH_MAX + 64];

  for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
    snprintf(path, sizeof path, "%s/%s/CMakeCache.txt", folder, presets[i]);
    if (access(path, F_OK) == 0)
      return true;
  }
  return false;
}

bool
build_root(char *path, size_t size)
{
  const char *given = getenv("GCSTORM_BUILD");
  char here[PATH_MAX];
  ssize_t length;

  if (given != NULL && *given != '\0')
    return (size_t)snprintf(path, size, "%s", given) < size;
  length = readlink("/proc/self/exe", here, sizeof here - 1);
  if (length <= 0)
    return false;
  here[length] = '\0';
  for (int level = 0; level < 3; level++) {
    char *slash = strrchr(here, '/');

    if (slash == NULL || slash == here)
      break;
    *slash = '\0';
    if (holds_presets(here))
      return (size_t)snprintf(path, size, "%s", here) < size;
  }
  return false;
}

void
preset_name(char name[PRESET_NAME_MAX], const char *sanitizer, bool faults)
{
  snprintf(name, PRESET_NAME_MAX, "%s%s", strcmp(sanitizer, "none") == 0 ? "plain" : sanitizer,
           faults ? "-faults" : "");
}

bool
build_binary(char *path, size_t size, const char *sanitizer, bool faults, const char *binary,
             char *problem, size_t problem_size)
{
  char root[PATH_MAX];
  char preset[PRESET_NAME_MAX];

  preset_name(preset, sanitizer, faults);
  if (!build_root(root, sizeof root)) {
    snprintf(problem, problem_size,
             "no builds beside the command; run ci/build %s, or set "
             "GCSTORM_BUILD to the build folder",
             preset);
    return false;
  }
  if ((size_t)snprintf(path, size, "%s/%s/harnesses/%s", root, preset, binary) >= size ||
      access(path, X_OK) != 0) {
    const char *given = getenv("GCSTORM_BUILD");

    if (given != NULL && *given != '\0')
      snprintf(problem, problem_size,
               "%s is not built in GCSTORM_BUILD=%s; unset it, or run ci/build %s and name its "
               "build folder",
               preset, given, preset);
    else
      snprintf(problem, problem_size, "%s is not built; run ci/build %s", preset, preset);
    return false;
  }
  return true;
}

bool
program_find(const char *name, char *path, size_t size)
{
  const char *rest = getenv("PATH");

  snprintf(path, size, "/usr/lib/llvm-19/bin/%s", name);
  if (access(path, X_OK) == 0)
    return true;
  while (rest != NULL && *rest != '\0') {
    size_t length = strcspn(rest, ":");

    snprintf(path, size, "%.*s/%s", (int)length, rest, name);
    if (access(path, X_OK) == 0)
      return true;
    rest += length;
    rest += *rest == ':';
  }
  return false;
}
