/* variants.h - the O6 part of a run: runs a program's variants and compares what they observe.
 * [INV-CONFLUENT] */
#ifndef GCSTORM_EXEC_VARIANTS_H
#define GCSTORM_EXEC_VARIANTS_H

#include "fuzz/exec/exec.h"
#include "fuzz/exec/watch.h"

/* One run, with its own log.  `result` is for this run alone. */
typedef void variants_run(const struct program *program, const struct exec_options *options,
                          struct exec_result *result, struct watch *watch);

/* A program that ran clean on the simulator, with its log and result. */
struct judgement {
  const struct program *program;
  const struct exec_options *options;
  const struct watch *log;
  struct exec_result *result;
  variants_run *run;
};

/* Once a process.  False: out of memory. */
bool variants_prepare(void);

/* Runs as many variants as the options or the program say, until one has a finding or observes
 * something else: then that is the result's. */
void variants_judge(const struct judgement *judgement);

#endif
