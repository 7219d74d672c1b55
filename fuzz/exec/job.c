/* job.c - see job.h. */
#include "fuzz/exec/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/exec/environment.h"
#include "fuzz/exec/start.h"
#include "fuzz/program/parser.h"
#include "rgc/faults.h"

bool
job_setup(struct job *job, char *problem, size_t problem_size)
{
  exec_options_default(&job->options);
  job->dialect = PROGRAM_RACTOR;
  job->stats = environment_stats();
  job->oracles = job->options.oracles;
  if (program_init(&job->program, PROGRAM_RACTOR))
    return true;
  snprintf(problem, problem_size, "no memory for a program");
  return false;
}

bool
job_environment(struct job *job, char *problem, size_t problem_size)
{
  const char *oracles = environment_get("GCSTORM_ORACLES");

  if (oracles != NULL && !start_oracles(oracles, &job->oracles)) {
    snprintf(problem, problem_size, "GCSTORM_ORACLES must be all, none, shadow or stores");
    return false;
  }
  job->options.oracles = job->oracles;
  return true;
}

static void
close_file(FILE **file)
{
  if (*file != NULL)
    fclose(*file);
  *file = NULL;
}

/* Whether all that was written to it is there. */
static bool
file_is_whole(FILE *file)
{
  return file == NULL || (fflush(file) == 0 && !ferror(file));
}

void
job_reset(struct job *job)
{
  void (*on_finding)(void *, const struct finding *) = job->options.on_finding;
  void *arg = job->options.arg;
  size_t count = 0;
  const struct rgc_fault_info *faults = rgc_fault_list(&count);

  close_file(&job->options.trace);
  close_file(&job->options.observations);
  exec_options_default(&job->options);
  job->options.oracles = job->oracles;
  job->options.on_finding = on_finding;
  job->options.arg = arg;
  job->dialect = PROGRAM_RACTOR;
  for (size_t i = 0; i < count; i++)
    rgc_fault_set(faults[i].id, false);
}

static bool
take_dialect(struct job *job, const char *value)
{
  bool ractor = strcmp(value, "ractor") == 0 || strcmp(value, "ractor_program") == 0;
  bool events = strcmp(value, "events") == 0 || strcmp(value, "gc_events") == 0;

  job->dialect = events ? PROGRAM_EVENTS : PROGRAM_RACTOR;
  return ractor || events;
}

static bool
take_limit(const char *value, unsigned long long max, unsigned long long *limit)
{
  char *end;

  *limit = strtoull(value, &end, 10);
  return *value >= '0' && *value <= '9' && *end == '\0' && *limit >= 1 && *limit <= max;
}

static bool
option_limit(struct job *job, const char *name, const char *value)
{
  unsigned long long limit;

  if (!take_limit(value, UINT32_MAX, &limit))
    return false;
  if (strcmp(name, "ops") == 0)
    job->options.limits.ops = (unsigned)limit;
  else if (strcmp(name, "points") == 0)
    job->options.limits.schedule_points = limit;
  else if (limit <= FINDING_THREAD_MAX)
    job->options.limits.threads = (unsigned)limit;
  else
    return false;
  return true;
}

static bool
option_variants(struct job *job, const char *value)
{
  uint64_t count;

  if (!environment_number(value, &count) || count > 1000)
    return false;
  job->options.variants = (int)count;
  return true;
}

bool
job_option(struct job *job, const char *name, const char *value, char *problem, size_t problem_size)
{
  const char *wants = NULL;

  if (strcmp(name, "dialect") == 0) {
    wants = take_dialect(job, value) ? NULL : "must be ractor or events";
  } else if (strcmp(name, "verify") == 0) {
    wants =
        environment_verify(value, &job->options.verify) ? NULL : "must be off, cycles or phases";
  } else if (strcmp(name, "fault") == 0) {
    return environment_faults(value, problem, problem_size);
  } else if (strcmp(name, "trace") == 0) {
    close_file(&job->options.trace);
    job->options.trace = fopen(value, "we");
    wants = job->options.trace != NULL ? NULL : "the file cannot be written";
  } else if (strcmp(name, "oracles") == 0) {
    wants =
        start_oracles(value, &job->options.oracles) ? NULL : "must be all, none, shadow or stores";
  } else if (strcmp(name, "variants") == 0) {
    wants = option_variants(job, value) ? NULL : "must be a number from 0 to 1000";
  } else if (strcmp(name, "observations") == 0) {
    close_file(&job->options.observations);
    job->options.observations = fopen(value, "we");
    wants = job->options.observations != NULL ? NULL : "the file cannot be written";
  } else if (strcmp(name, "host") == 0) {
    wants = environment_host(value, &job->options.host) ? NULL : "must be sim or threads";
  } else if (strcmp(name, "perturb") == 0) {
    wants = environment_number(value, &job->options.perturb) ? NULL : "must be a number from 0";
  } else if (strcmp(name, "ops") == 0 || strcmp(name, "points") == 0 ||
             strcmp(name, "threads") == 0) {
    wants = option_limit(job, name, value) ? NULL : "must be a number from 1 that is not too large";
  } else {
    snprintf(problem, problem_size, "unknown option --%s", name);
    return false;
  }
  if (wants != NULL)
    snprintf(problem, problem_size, "--%s: %s", name, wants);
  return wants == NULL;
}

enum job_end
job_run(struct job *job, const char *name, const uint8_t *data, size_t size, char *problem,
        size_t problem_size)
{
  job->name = name;
  job->result.verdict = EXEC_CLEAN;
  if (!program_read(&job->program, job->dialect, name, data, size, problem, problem_size))
    return JOB_REFUSED;
  exec_run_program(&job->program, &job->options, &job->result);
  job->options.perturb++; /* the next run of the same file is another one */
  if (job->stats != NULL)
    environment_stats_add(job->stats, &job->result.stats);
  if (!file_is_whole(job->options.trace) || !file_is_whole(job->options.observations)) {
    snprintf(problem, problem_size,
             "trace or observations could not be written; is the disk full?");
    return JOB_REFUSED;
  }
  return job->result.verdict == EXEC_FINDING ? JOB_FINDING : JOB_CLEAN;
}

static void
write_stats(FILE *file, const struct exec_stats *stats)
{
  fprintf(file,
          "{\"ops\":%" PRIu64 ",\"ops_effective\":%" PRIu64 ",\"schedule_points\":%" PRIu64
          ",\"switches\":%" PRIu64 ",\"local_minor\":%" PRIu64 ",\"local_major\":%" PRIu64
          ",\"global\":%" PRIu64,
          stats->ops, stats->ops_effective, stats->schedule_points, stats->switches,
          stats->local_minor, stats->local_major, stats->global);
  fprintf(file,
          ",\"two_live_at_global\":%" PRIu64 ",\"page_emptied\":%" PRIu64 ",\"page_moved\":%" PRIu64
          ",\"page_failed\":%" PRIu64 ",\"budget_spent\":%" PRIu64 ",\"compared\":%" PRIu64
          ",\"variants\":%" PRIu64 ",\"variants_undecided\":%" PRIu64 "}",
          stats->runs_two_live_at_global, stats->runs_page_emptied, stats->runs_page_moved,
          stats->runs_page_failed, stats->runs_budget_spent, stats->runs_compared, stats->variants,
          stats->variants_undecided);
}

void
job_write_record(FILE *file, const struct job *job, const struct finding *finding)
{
  const struct exec_result *result = &job->result;
  const char *host = exec_host_name(job->options.host);

  fprintf(file, "{\"file\":");
  json_write_text(file, job->name);
  fprintf(file, ",\"host\":\"%s\",\"trace_hash\":", host);
  json_write_hash(file, host, result->trace_hash);
  fprintf(file, ",\"verdict\":\"%s\"", finding == NULL ? "clean" : "finding");
  if (finding != NULL) {
    fprintf(file, ",\"finding\":");
    finding_write_json(file, finding, job->name, result->trace_hash);
  }
  fprintf(file, ",\"observations\":\"%016" PRIx64 "\"", result->observation_hash);
  fprintf(file, ",\"stats\":");
  write_stats(file, &result->stats);
  fprintf(file, "}\n");
  fflush(file);
}
