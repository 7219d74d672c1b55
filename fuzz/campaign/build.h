/* build.h - where the binaries of each preset are, seen from the running command. */
#ifndef GCSTORM_CAMPAIGN_BUILD_H
#define GCSTORM_CAMPAIGN_BUILD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { HARNESS_COUNT = 2, SANITIZER_COUNT = 3, PRESET_NAME_MAX = 32 };

/* The fuzz targets: "ractor_program" and "gc_events". */
extern const char *const harness_names[HARNESS_COUNT];

/* "none", "asan", "tsan". */
extern const char *const sanitizer_names[SANITIZER_COUNT];

/* The build folder: GCSTORM_BUILD, else the nearest folder above the command that holds presets. */
bool build_root(char *path, size_t size);

/* "asan" and faults → "asan-faults"; "none" → "plain".  Where a sanitizer is meant, "afl" names the
 * build of AFL++'s targets. */
void preset_name(char name[PRESET_NAME_MAX], const char *sanitizer, bool faults);

/* Path of harnesses/BINARY of a preset.  False when it is not there; then `problem` says what to
 * do. */
bool build_binary(char *path, size_t size, const char *sanitizer, bool faults, const char *binary,
                  char *problem, size_t problem_size);

/* Path of a program on PATH or in LLVM's own folder. */
bool program_find(const char *name, char *path, size_t size);

#endif
