/* reduce.h - minimises a program while a worker still sees its bucket: what minimize and corpus add
 * share. */
#ifndef GCSTORM_CLI_REDUCE_H
#define GCSTORM_CLI_REDUCE_H

#include "fuzz/campaign/judge.h"
#include "fuzz/triage/minimize.h"

struct reduction {
  struct judge judge;
  char bucket[256]; /* to keep */
  uint64_t seconds; /* 0: no limit */
  uint8_t bytes[PROGRAM_HEADER_SIZE + PROGRAM_INPUT_MAX];
  bool broken; /* no worker could judge; `problem` */
  char problem[5000];
  unsigned long long start_ms;
  unsigned long long shown_ms;
};

/* Writes a kept file's bytes to `bytes`; returns how many. */
size_t reduction_bytes(struct reduction *reduction, const struct program *program);

/* Minimises in place, with an open judge; progress goes to stderr, an interrupt ends it early.
 * False: `problem`. */
bool reduction_run(struct reduction *reduction, struct program *program,
                   struct minimize_report *report);

#endif
