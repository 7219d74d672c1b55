/* seeds.h - the kept programs of the repository as a campaign's first inputs. */
#ifndef GCSTORM_CAMPAIGN_SEEDS_H
#define GCSTORM_CAMPAIGN_SEEDS_H

#include <stdbool.h>
#include <stddef.h>

#include "fuzz/program/program.h"

/* Puts the seeds and regressions of corpus/HARNESS, which is beside the build folder, into a
 * campaign's corpus folder: as bytes, named by content, only those that are not there.  Where there
 * is no such corpus, nothing.  False: `problem`. */
bool seeds_add(const char *folder, const char *harness, enum program_dialect dialect, char *problem,
               size_t problem_size);

#endif
