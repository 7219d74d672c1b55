/* engine.c - see engine.h; and how libFuzzer is run. */
#include "fuzz/campaign/engine.h"

#include <stdio.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/process.h"

const char *const engine_names[ENGINE_COUNT] = {"libfuzzer", "afl"};

bool
engine_find(enum engine engine, struct engine_binaries *binaries, const char *sanitizer,
            bool faults, const char *harness, char *problem, size_t problem_size)
{
  if (engine == ENGINE_AFL)
    return afl_find(binaries, faults, harness, problem, problem_size);
  return build_binary(binaries->target, sizeof binaries->target, sanitizer, faults, harness,
                      problem, problem_size);
}

uint64_t
engine_slice_max_ms(enum engine engine)
{
  return engine == ENGINE_AFL ? 300000 : 15000;
}

/* What is slow but within the time says more of the machine's load than of the input: no finding.
 */
static pid_t
libfuzzer_start(const struct engine_child *child, int log)
{
  char total[48], seed[48], artifacts[PATH_MAX + 48], findings[PATH_MAX + 48];
  char stats[PATH_MAX + 48], faults[512], host[32], perturb[48];
  char *arguments[] = {(char *)(uintptr_t)child->binaries->target,
                       total,
                       seed,
                       artifacts,
                       (char *)(uintptr_t)"-max_len=4096",
                       (char *)(uintptr_t)"-len_control=0",
                       (char *)(uintptr_t)"-timeout=30",
                       (char *)(uintptr_t)"-report_slow_units=86400",
                       (char *)(uintptr_t)"-print_final_stats=1",
                       (char *)(uintptr_t)child->corpus,
                       NULL};
  const char *environment[] = {findings, stats, faults, host, perturb, "GCSTORM_VERIFY=", NULL};
  struct process_request request = {
      .arguments = arguments, .environment = environment, .output = log, .errors = log};

  snprintf(total, sizeof total, "-max_total_time=%llu",
           (unsigned long long)(child->slice_ms + 999) / 1000);
  snprintf(seed, sizeof seed, "-seed=%llu", (unsigned long long)child->seed);
  snprintf(artifacts, sizeof artifacts, "-artifact_prefix=%s/artifact-", child->nest);
  snprintf(findings, sizeof findings, "GCSTORM_FINDINGS=%s", child->nest);
  snprintf(stats, sizeof stats, "GCSTORM_STATS=%s/.stats", child->nest);
  snprintf(faults, sizeof faults, "GCSTORM_FAULTS=%s", child->faults != NULL ? child->faults : "");
  snprintf(host, sizeof host, "GCSTORM_HOST=%s", child->host);
  snprintf(perturb, sizeof perturb, "GCSTORM_PERTURB=%llu", (unsigned long long)child->seed);
  return process_start(&request);
}

pid_t
engine_start(enum engine engine, const struct engine_child *child, int log)
{
  return engine == ENGINE_AFL ? afl_start(child, log) : libfuzzer_start(child, log);
}

size_t
engine_queue_count(enum engine engine, const char *nest)
{
  return engine == ENGINE_AFL ? afl_queue_count(nest) : 0;
}

void
engine_collect(enum engine engine, const char *nest, const char *corpus)
{
  if (engine == ENGINE_AFL)
    afl_collect(nest, corpus);
}
