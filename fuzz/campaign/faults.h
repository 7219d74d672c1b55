/* faults.h - the list of seeded faults, as commands need it; without the collector's code. */
#ifndef GCSTORM_CAMPAIGN_FAULTS_H
#define GCSTORM_CAMPAIGN_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

struct fault_row {
  const char *id;
  const char *component;
  const char *series;
  const char *section;
  const char *oracle;
  const char *text;
};

const struct fault_row *fault_rows(size_t *count);

/* Whether each id of a comma-separated list exists; else the first that does not, in `unknown`. */
bool faults_known(const char *list, char *unknown, size_t unknown_size);

#endif
