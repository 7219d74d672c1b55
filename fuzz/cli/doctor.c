/* doctor.c - gcstorm doctor: what this machine has, what is missing, and how to get it. */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/campaign/worker.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/options.h"

static const struct command command = {
    .name = "doctor",
    .summary = "says what is installed, what is missing, and how to get it",
    .synopsis = "[--json]",
    .details = "Builds are looked for in GCSTORM_BUILD, else in the nearest folder above the "
               "command that\nholds presets.\n",
    .runs_programs = true,
};

struct checkup {
  bool json;
  json_t *rows;
  size_t missing;
};

static void
report(struct checkup *checkup, bool good, const char *what, const char *detail, const char *remedy)
{
  if (!good)
    checkup->missing++;
  if (checkup->json)
    json_array_append_new(checkup->rows, json_pack("{s:s, s:b, s:s, s:s}", "what", what, "ok", good,
                                                   "detail", detail, "remedy", good ? "" : remedy));
  else if (good)
    printf("ok       %-28s %s\n", what, detail);
  else
    printf("missing  %-28s %s; %s\n", what, detail, remedy);
}

/* What only some options need: said, not counted as missing. */
static void
report_optional(struct checkup *checkup, bool good, const char *what, const char *detail,
                const char *remedy)
{
  if (checkup->json)
    json_array_append_new(checkup->rows,
                          json_pack("{s:s, s:b, s:b, s:s, s:s}", "what", what, "ok", good,
                                    "optional", 1, "detail", detail, "remedy", good ? "" : remedy));
  else if (good)
    printf("ok       %-28s %s\n", what, detail);
  else
    printf("absent   %-28s %s; %s\n", what, detail, remedy);
}

static void
check_program(struct checkup *checkup, const char *name, const char *package)
{
  char path[PATH_MAX];
  char remedy[128];
  bool good = program_find(name, path, sizeof path);

  snprintf(remedy, sizeof remedy, "run ci/install, or apt-get install %s", package);
  report(checkup, good, name, good ? path : "not found", remedy);
}

static void
check_runtimes(struct checkup *checkup)
{
  static const char *const names[] = {"asan", "tsan", "fuzzer"};

  for (size_t i = 0; i < COUNT_OF(names); i++) {
    char path[PATH_MAX];
    char what[48];

    snprintf(path, sizeof path, "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.%s-x86_64.a",
             names[i]);
    snprintf(what, sizeof what, "runtime of %s", names[i]);
    report(checkup, access(path, R_OK) == 0, what, path,
           "run ci/install, or apt-get install libclang-rt-19-dev");
  }
}

static void
check_builds(struct checkup *checkup)
{
  static const char *const binaries[] = {"gcstorm-worker", "ractor_program", "gc_events"};

  for (size_t i = 0; i < SANITIZER_COUNT * 2; i++) {
    const char *sanitizer = sanitizer_names[i / 2];
    bool faults = i % 2 != 0;
    char preset[PRESET_NAME_MAX];
    char what[64];
    char path[PATH_MAX];
    char problem[256] = "worker and fuzz targets";
    char remedy[64];
    bool good = true;

    preset_name(preset, sanitizer, faults);
    for (size_t k = 0; k < COUNT_OF(binaries) && good; k++)
      good =
          build_binary(path, sizeof path, sanitizer, faults, binaries[k], problem, sizeof problem);
    snprintf(what, sizeof what, "build %s", preset);
    snprintf(remedy, sizeof remedy, "run ci/build %s", preset);
    report(checkup, good, what, good ? "worker and fuzz targets" : "not built", remedy);
  }
}

/* Each worker that is built is started once, and must say hello. */
static void
check_workers(struct checkup *checkup)
{
  for (size_t i = 0; i < SANITIZER_COUNT * 2; i++) {
    const struct worker_options options = {.sanitizer = sanitizer_names[i / 2],
                                           .faults = i % 2 != 0 ? "" : NULL};
    struct worker worker;
    char preset[PRESET_NAME_MAX], what[64], remedy[96], problem[PATH_MAX + 512] = "starts";

    preset_name(preset, options.sanitizer, options.faults != NULL);
    /* One that is not built has its line already. */
    if (!worker_open(&worker, &options, problem, sizeof problem))
      continue;
    bool good = worker_start(&worker, problem, sizeof problem);

    worker_close(&worker);
    snprintf(what, sizeof what, "worker %s", preset);
    snprintf(remedy, sizeof remedy, "run ci/build %s", preset);
    report(checkup, good, what, good ? "starts" : problem, remedy);
  }
}

static void
check_file(struct checkup *checkup, const char *path, const char *package)
{
  char remedy[128];

  snprintf(remedy, sizeof remedy, "run ci/install, or apt-get install %s", package);
  report(checkup, access(path, R_OK) == 0, package, path, remedy);
}

static void
check_afl(struct checkup *checkup)
{
  char path[PATH_MAX];
  bool good = program_find("afl-fuzz", path, sizeof path);

  report_optional(checkup, good, "afl-fuzz", good ? path : "not found",
                  "for fuzz --engine afl run ci/install afl, or apt-get install afl++");
  for (int faults = 0; faults < 2; faults++) {
    struct engine_binaries binaries;
    char what[64];
    char remedy[80];
    char problem[PATH_MAX + 128];
    char preset[PRESET_NAME_MAX];
    bool built = good;

    for (size_t i = 0; i < HARNESS_COUNT && built; i++)
      built = engine_find(ENGINE_AFL, &binaries, "none", faults != 0, harness_names[i], problem,
                          sizeof problem);
    preset_name(preset, "afl", faults != 0);
    snprintf(what, sizeof what, "build %s", preset);
    snprintf(remedy, sizeof remedy, "for fuzz --engine afl run ci/build %s", preset);
    report_optional(checkup, built, what, built ? "fuzz targets and mutators" : "not built",
                    remedy);
  }
}

/* TSan of clang-19 copes with up to 32 random bits by restarting itself without randomisation,
 * which a sandbox may forbid. */
static void
check_kernel(struct checkup *checkup)
{
  FILE *file = fopen("/proc/sys/vm/mmap_rnd_bits", "re");
  int bits = 0;
  char detail[64];

  if (file == NULL || fscanf(file, "%d", &bits) != 1)
    bits = 0;
  if (file != NULL)
    fclose(file);
  if (bits == 0)
    snprintf(detail, sizeof detail, "not readable; taken as usual");
  else
    snprintf(detail, sizeof detail, "%d%s", bits,
             bits > 28 ? "; workers start without randomisation" : "");
  report(checkup, bits <= 32, "vm.mmap_rnd_bits", detail, "run: sudo sysctl vm.mmap_rnd_bits=28");
}

/* Page arenas sit at one fixed address, so that addresses are part of an input's meaning. */
static void
check_arena(struct checkup *checkup)
{
  void *wanted = (void *)(uintptr_t)0x7e8000000000ull;
  void *got = mmap(wanted, 1u << 26, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  const char *detail = got == wanted ? "0x7e8000000000 is free" : strerror(errno);

  if (got != MAP_FAILED)
    munmap(got, 1u << 26);
  report(checkup, got == wanted, "page arena", detail,
         "lift the address-space limit (ulimit -v unlimited)");
}

int
command_doctor(int argc, char **argv)
{
  struct checkup checkup = {0};
  const struct option options[] = {
      {"json", 0, OPTION_FLAG, &checkup.json, NULL, "one JSON object on stdout", 0, 0},
  };
  struct words words;
  int code = options_parse(&command, options, COUNT_OF(options), argc, argv, &words);

  if (code >= 0)
    return code;
  if (words.count > 0)
    return usage_error(&command, "unexpected word '%s'", words.items[0]);
  checkup.rows = json_array();
  check_program(&checkup, "clang-19", "clang-19");
  check_program(&checkup, "llvm-symbolizer", "llvm-19");
  check_program(&checkup, "cmake", "cmake");
  check_program(&checkup, "ninja", "ninja-build");
  check_program(&checkup, "pkg-config", "pkg-config");
  check_program(&checkup, "ld", "binutils");
  check_file(&checkup, "/usr/include/jansson.h", "libjansson-dev");
  check_file(&checkup, "/usr/include/stdio.h", "libc6-dev");
  check_runtimes(&checkup);
  check_kernel(&checkup);
  check_arena(&checkup);
  check_builds(&checkup);
  check_workers(&checkup);
  check_afl(&checkup);
  if (checkup.json) {
    json_t *all =
        json_pack("{s:O, s:I}", "checks", checkup.rows, "missing", (json_int_t)checkup.missing);

    json_dumpf(all, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(all);
  }
  json_decref(checkup.rows);
  return finish_output(&command, checkup.missing > 0 ? EXIT_ENVIRONMENT : EXIT_CLEAN);
}
