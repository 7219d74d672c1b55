/* worker.h - the client of worker processes (harnesses/gcstorm-worker of a preset): hands inputs to
 * one and takes a JSON record for each.
 *
 * A record is {"file","host","trace_hash","verdict","finding","stats","log"}.  Whatever happens to
 * a run is its record: a death is a finding "crash" or "killed", no end within the time is
 * "timeout", too much memory is "out-of-memory" (fuzz/exec/server.h).  Should the worker itself die
 * or fall silent it is started anew and asked once more.
 */
#ifndef GCSTORM_CAMPAIGN_WORKER_H
#define GCSTORM_CAMPAIGN_WORKER_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "fuzz/exec/wire.h"

struct worker_options {
  const char *sanitizer;    /* "none", "asan", "tsan" */
  const char *dialect;      /* of files without a header: a harness name */
  const char *faults;       /* comma-separated ids, or NULL */
  const char *verify;       /* "off", "cycles", "phases", or NULL: the worker's default */
  const char *oracles;      /* "all", "none", "shadow", "stores", or NULL: the default */
  const char *host;         /* "sim", "threads", or NULL: the simulator */
  uint64_t perturb;         /* on threads: seed of the perturbation; + 1 from run to run */
  const char *trace;        /* file for the trace, or NULL */
  const char *variants;     /* number of runs to compare with (O6), or NULL: as the file says */
  const char *observations; /* file for the observation log, or NULL */
  const char *stats_path;   /* counters file (stats.h), or NULL */
  unsigned hang_seconds;    /* per file */
  uint64_t memory_bytes;    /* resident, per run; 0: 2 GiB */
  const volatile sig_atomic_t *stop; /* raised by a signal handler to end a wait, or NULL */
};

struct worker {
  const struct worker_options *options;
  char path[4096]; /* of the binary */
  pid_t server;    /* 0: none */
  int to;
  int from;
  int errors; /* its standard error, a file in memory */
  struct wire_frame frame;
};

/* One input. */
struct worker_input {
  const char *name; /* says whether it is text */
  const uint8_t *data;
  size_t size;
  bool fresh;        /* by a process that has run nothing */
  const char *trace; /* file for the trace, or NULL */
  uint64_t run;      /* how many runs came before this one: a part of the perturbation's seed */
};

/* Starts nothing yet.  False: there is no such worker; `problem` has one line. */
bool worker_open(struct worker *worker, const struct worker_options *options, char *problem,
                 size_t problem_size);
void worker_close(struct worker *worker);

/* Starts the process if there is none, and reads its hello. */
bool worker_start(struct worker *worker, char *problem, size_t problem_size);

/* The record of an input, to be freed by the caller.  NULL: `problem`. */
json_t *worker_ask(struct worker *worker, const struct worker_input *input, char *problem,
                   size_t problem_size);

/* Runs the files in order.  `each` gets every file's record and does not keep it.  False when
 * workers cannot run here at all; then `problem` has one line. */
bool worker_run(const struct worker_options *options, const char *const *files, size_t count,
                void (*each)(void *arg, size_t index, json_t *record), void *arg, char *problem,
                size_t problem_size);

/* Fields of a record; "" when absent. */
bool record_is_finding(const json_t *record);
const char *record_text(const json_t *record, const char *name);         /* of the record */
const char *record_finding_text(const json_t *record, const char *name); /* of its finding */

#endif
