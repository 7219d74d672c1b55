/* judge.h - judges programs one after the other in a worker process that stays.
 *
 * For searches that need the verdict on one program before they make the next.
 */
#ifndef GCSTORM_CAMPAIGN_JUDGE_H
#define GCSTORM_CAMPAIGN_JUDGE_H

#include <stdint.h>

#include "fuzz/campaign/worker.h"

struct judge {
  const struct worker_options *options;
  struct worker worker;
};

/* False: workers cannot run here; `problem`. */
bool judge_open(struct judge *judge, const struct worker_options *options, char *problem,
                size_t problem_size);
void judge_close(struct judge *judge);

/* The record of a program, to be freed by the caller.  NULL: `problem`. */
json_t *judge_bytes(struct judge *judge, const uint8_t *data, size_t size, char *problem,
                    size_t problem_size);
/* The same by a process that has run nothing else. */
json_t *judge_bytes_fresh(struct judge *judge, const uint8_t *data, size_t size, char *problem,
                          size_t problem_size);

/* Runs a program in a fresh process and shows each line of its trace.  False: there is none. */
bool judge_trace(struct judge *judge, const uint8_t *data, size_t size,
                 void (*each)(void *arg, const json_t *line), void *arg);

#endif
