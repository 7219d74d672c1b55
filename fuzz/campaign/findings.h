/* findings.h - the findings folder.
 *
 * A finding is an input (RULE-KEY.bin, with the file header that names its dialect) and beside it
 * RULE-KEY.json.  KEY is a hash of harness, faults and bucket, so that the same bug has one file.
 * A finding counts when a fresh process reports it again from the file alone; what does not is
 * kept in unstable/, with the target's own record.  One of the host "threads" has
 * FINDING_THREADS_TRIES such processes.
 */
#ifndef GCSTORM_CAMPAIGN_FINDINGS_H
#define GCSTORM_CAMPAIGN_FINDINGS_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "fuzz/campaign/engine.h"
#include "fuzz/exec/exec.h"
#include "fuzz/program/program.h"

enum { FINDING_THREADS_TRIES = 20, FINDING_RECORD_ROOM = PATH_MAX + 16 };

/* Where something was found. */
struct finding_source {
  const char *harness;
  enum program_dialect dialect;
  const char *sanitizer;
  enum exec_host host;
  const char *faults; /* NULL: none */
  enum engine engine;
};

struct findings {
  const char *folder;
  json_t *confirmed; /* array of records: harness, sanitizer, bucket, …, run, show, seen */
  size_t unstable;
};

bool findings_open(struct findings *findings, const char *folder, char *problem,
                   size_t problem_size);
void findings_close(struct findings *findings);

/* Where the record beside an input is looked for: FILE.json; and where one is written: the same,
 * with .json for .bin. */
void finding_record_names(const char *input, char names[2][FINDING_RECORD_ROOM]);
/* The record beside an input (FILE.json, or with .json for .bin), to be freed by the caller; NULL:
 * there is none.  False: there is one that cannot be read or is damaged; `problem`. */
bool finding_record_beside(const char *input, json_t **record, char *problem, size_t problem_size);
/* Makes a worker's record that of the finding kept at `path` and writes it beside.  False: errno.
 */
bool finding_record_write(json_t *record, const struct finding_source *source, const char *path);

/* Takes what a fuzz target left in `nest` (its findings, or else the engine's artifacts), confirms
 * each input in a fresh process and files it.  Returns how many inputs there were; -1 with
 * `problem` when nothing can be confirmed here. */
int findings_harvest(struct findings *findings, const char *nest,
                     const struct finding_source *source, char *problem, size_t problem_size);

#endif
