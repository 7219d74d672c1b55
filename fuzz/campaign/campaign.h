/* campaign.h - fuzzes cells (harness × sanitizer × host) with children of one engine for a given
 * time.
 *
 * Children run in slices, so that every cell gets its share of the time; findings are confirmed
 * and filed as they come, and survive whatever happens to this process.
 */
#ifndef GCSTORM_CAMPAIGN_CAMPAIGN_H
#define GCSTORM_CAMPAIGN_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/campaign/findings.h"
#include "fuzz/exec/exec.h"

enum { CELL_MAX = HARNESS_COUNT * SANITIZER_COUNT, JOBS_MAX = 256 };

struct campaign_options {
  enum engine engine;
  enum exec_host host;
  const char *sanitizers; /* comma-separated; AFL++ has "none" alone; X@threads: on that host */
  bool harnesses[HARNESS_COUNT];
  const char *faults; /* NULL: none */
  const char *corpus; /* folder of one folder a harness; NULL: the default */
  const char *findings;
  uint64_t seconds; /* on the clock; of a soak: of CPU time */
  bool soak;
  uint64_t seed;
  uint64_t jobs;
  bool keep_going;
  bool no_seeds; /* leave the kept programs out; with faults they always are */
};

struct cell {
  struct finding_source source;
  char sanitizer[8];
  struct engine_binaries binaries;
  char corpus[PATH_MAX];
  unsigned weight;     /* of its share of the time */
  uint64_t planned_ms; /* time given so far, running slices included */
  uint64_t cpu_ms;     /* used by the children that ended */
  uint64_t run_us;     /* real time of one execution in the last child; 0: not known */
  unsigned slices;
  unsigned slices_unread; /* over before the corpus had been run */
  unsigned failures;      /* children in a row that ended badly and left nothing */
  struct exec_stats sum;  /* of the children that ended */
};

struct campaign {
  struct cell cells[CELL_MAX];
  size_t cell_count;
  struct findings findings;
  bool interrupted;
  bool resumed;      /* a soak that goes on */
  uint64_t children; /* started so far */
  uint64_t elapsed_ms;
};

/* Checks folders and binaries.  Returns 0, or exit code 2 or 3 with `problem`. */
int campaign_open(struct campaign *campaign, const struct campaign_options *options, char *problem,
                  size_t problem_size);
/* Returns 0 when the time is over or it was interrupted or a finding ended it; else 3. */
int campaign_run(struct campaign *campaign, const struct campaign_options *options, char *problem,
                 size_t problem_size);
void campaign_close(struct campaign *campaign);

#endif
