/* plural.h - "1 finding", "2 findings". */
#ifndef GCSTORM_CAMPAIGN_PLURAL_H
#define GCSTORM_CAMPAIGN_PLURAL_H

#include <stdint.h>

/* The ending of a noun that so many of are counted. */
static inline const char *
plural(uint64_t count)
{
  return count == 1 ? "" : "s";
}

#endif
