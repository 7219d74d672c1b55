/* environment.h - what a binary that runs inputs is told from outside: verify level, seeded faults,
 * the file that sums up counters. */
#ifndef GCSTORM_EXEC_ENVIRONMENT_H
#define GCSTORM_EXEC_ENVIRONMENT_H

#include "fuzz/exec/exec.h"

/* The value of a variable, NULL when unset or empty. */
const char *environment_get(const char *name);

/* "off", "cycles" or "phases".  False: none of these. */
bool environment_verify(const char *text, enum exec_verify *out);

/* "sim" or "threads".  False: neither. */
bool environment_host(const char *text, enum exec_host *out);

/* A number from 0.  False: it is none. */
bool environment_number(const char *text, uint64_t *out);

/* Switches on each fault of a comma-separated list.  False, with a line in `problem`, when one does
 * not exist or the build has none. */
bool environment_faults(const char *list, char *problem, size_t problem_size);

/* The counters of GCSTORM_STATS, shared with whoever reads the file, so that they outlive the
 * process; NULL when the variable is unset or the file cannot be mapped. */
struct exec_stats *environment_stats(void);

/* Adds up with atomic additions, since several processes may share the file. */
void environment_stats_add(struct exec_stats *shared, const struct exec_stats *one);

#endif
