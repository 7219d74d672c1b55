/* worker.h - runs files in worker processes (harnesses/gcstorm-worker of a preset), one JSON record
 * a file.
 *
 * The worker prints one JSON object a line and file: {"file","trace_hash","verdict","finding",
 * "stats"}.  Whatever happens to the worker becomes the record of the file that it was running: a
 * death without a record is a finding "crash", no answer for too long is a finding "hang".
 */
#ifndef GCSTORM_CAMPAIGN_WORKER_H
#define GCSTORM_CAMPAIGN_WORKER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct worker_options {
  const char *sanitizer;    /* "none", "asan", "tsan" */
  const char *dialect;      /* of files without a header: a harness name */
  const char *faults;       /* comma-separated ids, or NULL */
  const char *verify;       /* "off", "cycles", "phases", or NULL: the worker's default */
  const char *trace;        /* file for the trace, or NULL */
  const char *variants;     /* number of runs to compare with (O6), or NULL: as the file says */
  const char *observations; /* file for the observation log, or NULL */
  const char *stats_path;   /* counters file (stats.h), or NULL */
  unsigned hang_seconds;    /* per file */
};

/* Runs the files in order.  `each` gets every file's record and does not keep it.  False when
 * workers cannot run here at all; then `problem` has one line. */
bool worker_run(const struct worker_options *options, const char *const *files, size_t count,
                void (*each)(void *arg, size_t index, json_t *record), void *arg, char *problem,
                size_t problem_size);

/* Starts one worker on `words`: "--" and files, or an option that names them.  -1: errno. */
pid_t worker_start(const struct worker_options *options, const char *path, const char *const *words,
                   size_t word_count, int input, int output, int errors);

/* Fields of a record; "" when absent. */
bool record_is_finding(const json_t *record);
const char *record_text(const json_t *record, const char *name);         /* of the record */
const char *record_finding_text(const json_t *record, const char *name); /* of its finding */

#endif
