/* harness.c - see harness.h. */
#include "fuzz/exec/harness.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/exec/environment.h"
#include "fuzz/exec/sanitize.h"
#include "fuzz/exec/sim.h"
#include "fuzz/exec/start.h"

static struct {
  const char *findings;     /* folder, or NULL */
  struct exec_stats *stats; /* shared, or NULL */
  struct exec_options options;
  enum harness_end end;
  enum program_dialect dialect; /* of the current input */
  const uint8_t *data;
  size_t size;
  bool ready;
} harness;

/* The folder may be relative and the names are short; a cut path fails to open, loudly. */
static void
path_make(char path[PATH_MAX], uint64_t bucket, uint64_t input, const char *end)
{
  snprintf(path, PATH_MAX, "%s/%016" PRIx64 "-%016" PRIx64 "%s", harness.findings, bucket, input,
           end);
}

static uint64_t
hash_bytes(const uint8_t *data, size_t size)
{
  uint64_t hash = size;

  for (size_t i = 0; i < size; i++)
    hash = sim_mix(hash, data[i]);
  return hash;
}

static bool
write_input(const char *path)
{
  uint8_t header[PROGRAM_HEADER_SIZE];
  FILE *file = fopen(path, "wb");

  if (file == NULL)
    return false;
  if (!program_has_header(harness.data, harness.size)) {
    program_header(harness.dialect, header);
    fwrite(header, 1, sizeof header, file);
  }
  fwrite(harness.data, 1, harness.size, file);
  return fclose(file) == 0;
}

static bool
write_finding(const char *path, const char *input_path, const struct finding *finding)
{
  FILE *file = fopen(path, "w");

  if (file == NULL)
    return false;
  finding_write_json(file, finding, input_path, sim.result->trace_hash);
  fputc('\n', file);
  return fclose(file) == 0;
}

/* The input last, under its own name only when both files are complete. */
static bool
keep(const struct finding *finding)
{
  char input[PATH_MAX];
  char json[PATH_MAX];
  char partial[PATH_MAX];
  uint64_t bucket = hash_bytes((const uint8_t *)finding->bucket, strlen(finding->bucket));
  uint64_t content = hash_bytes(harness.data, harness.size);

  path_make(input, bucket, content, ".bin");
  path_make(json, bucket, content, ".json");
  path_make(partial, bucket, content, ".tmp");
  if (!write_finding(partial, input, finding) || rename(partial, json) != 0)
    return false;
  return write_input(partial) && rename(partial, input) == 0;
}

static void
print(const struct finding *finding)
{
  fprintf(stderr, "gcstorm: finding %s %s\n", finding->oracle, finding->bucket);
  finding_write_json(stderr, finding, NULL, sim.result->trace_hash);
  fputc('\n', stderr);
  fflush(stderr);
}

/* Not through our own handler, which would end the process with an exit code. */
static _Noreturn void
die(void)
{
  signal(SIGABRT, SIG_DFL);
  abort();
}

static void
on_finding(void *arg, const struct finding *finding)
{
  (void)arg;
  if (harness.stats != NULL && sim.result != NULL)
    environment_stats_add(harness.stats, &sim.result->stats);
  if (harness.findings == NULL)
    print(finding);
  else if (!keep(finding))
    fprintf(stderr, "gcstorm: cannot write into %s\n", harness.findings);
  if (harness.end == HARNESS_ABORTS)
    die();
  if (harness.findings != NULL)
    _exit(HARNESS_FINDING_EXIT);
}

static void
stop_with(int code, const char *text)
{
  fprintf(stderr, "gcstorm: %s\n", text);
  _exit(code);
}

/* With libFuzzer not before the first input: the engine's own signal handlers must be there
 * already, so that ours can go on to them. */
static void
set_up(void)
{
  char problem[256];

  if (harness.ready)
    return;
  if (!exec_setup(problem, sizeof problem))
    stop_with(3, problem);
  harness.ready = true;
}

void
harness_initialize(enum harness_end end)
{
  const char *verify = environment_get("GCSTORM_VERIFY");
  const char *faults = environment_get("GCSTORM_FAULTS");
  const char *host = environment_get("GCSTORM_HOST");
  const char *perturb = environment_get("GCSTORM_PERTURB");
  const char *oracles = environment_get("GCSTORM_ORACLES");
  char problem[256];

  exec_options_default(&harness.options);
  harness.options.on_finding = on_finding;
  harness.findings = environment_get("GCSTORM_FINDINGS");
  harness.stats = environment_stats();
  if (verify != NULL && !environment_verify(verify, &harness.options.verify))
    stop_with(2, "GCSTORM_VERIFY must be off, cycles or phases");
  if (host != NULL && !environment_host(host, &harness.options.host))
    stop_with(2, "GCSTORM_HOST must be sim or threads");
  if (perturb != NULL && !environment_number(perturb, &harness.options.perturb))
    stop_with(2, "GCSTORM_PERTURB must be a number from 0");
  if (oracles != NULL && !start_oracles(oracles, &harness.options.oracles))
    stop_with(2, "GCSTORM_ORACLES must be all, none, shadow or stores");
  if (faults != NULL && !environment_faults(faults, problem, sizeof problem))
    stop_with(2, problem);
  harness.end = end;
  /* AFL++ forks after this: done once for all its processes. */
  if (end == HARNESS_ABORTS)
    set_up();
}

void
harness_run(enum program_dialect dialect, const uint8_t *data, size_t size)
{
  static struct exec_result result;

  set_up();
  harness.dialect = dialect;
  harness.data = data;
  harness.size = size;
  exec_run(dialect, data, size, &harness.options, &result);
  if (result.verdict == EXEC_FINDING)
    abort();
  if (harness.stats != NULL)
    environment_stats_add(harness.stats, &result.stats);
}
