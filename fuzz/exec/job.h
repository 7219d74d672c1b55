/* job.h - one run as a worker is asked for it: options by name, an input, and the record of what
 * happened as one line of JSON. */
#ifndef GCSTORM_EXEC_JOB_H
#define GCSTORM_EXEC_JOB_H

#include "fuzz/exec/exec.h"

struct job {
  enum program_dialect dialect;
  struct exec_options options;
  struct exec_stats *stats; /* shared counters, or NULL */
  struct program program;
  struct exec_result result;
  const char *name; /* of the file being run */
  unsigned oracles; /* when no option says which */
};

enum job_end { JOB_CLEAN, JOB_FINDING, JOB_REFUSED };

/* Once.  False: no memory. */
bool job_setup(struct job *job, char *problem, size_t problem_size);

/* What the environment says for all its runs.  False: a bad value. */
bool job_environment(struct job *job, char *problem, size_t problem_size);

/* All options as if none had been given; on_finding stays. */
void job_reset(struct job *job);

/* Takes an option: dialect, verify, oracles, fault, trace, variants, observations, host, perturb,
 * ops, threads, points.  False: `problem`. */
bool job_option(struct job *job, const char *name, const char *value, char *problem,
                size_t problem_size);

/* Runs an input, text or bytes.  JOB_REFUSED: it is no program, or the trace cannot be written;
 * `problem`.  A finding was told to options.on_finding. */
enum job_end job_run(struct job *job, const char *name, const uint8_t *data, size_t size,
                     char *problem, size_t problem_size);

/* {"file","host","trace_hash","verdict","finding","stats"} and a newline. */
void job_write_record(FILE *file, const struct job *job, const struct finding *finding);

#endif
