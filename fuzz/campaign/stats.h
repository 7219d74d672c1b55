/* stats.h - counters of executions, shared with fuzz targets through a mapped file; and the table
 * that says what the programs were worth. */
#ifndef GCSTORM_CAMPAIGN_STATS_H
#define GCSTORM_CAMPAIGN_STATS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "fuzz/exec/exec.h"

/* Makes a file of zeroed counters, with its place on the disk, and maps it.  NULL: errno. */
struct exec_stats *stats_map(const char *path);
void stats_unmap(struct exec_stats *stats);

void stats_add(struct exec_stats *sum, const struct exec_stats *one);

/* The worth of the programs as a table, and as JSON.  `dialect` names the ops. */
void stats_print(FILE *file, const struct exec_stats *stats, enum program_dialect dialect);
json_t *stats_json(const struct exec_stats *stats, enum program_dialect dialect);

#endif
