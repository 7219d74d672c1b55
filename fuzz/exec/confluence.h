/* confluence.h - O6: a program observes the same under every schedule, stress mode and setting.
 * [INV-CONFLUENT] */
#ifndef GCSTORM_EXEC_CONFLUENCE_H
#define GCSTORM_EXEC_CONFLUENCE_H

#include "fuzz/exec/watch.h"

struct confluence_difference {
  unsigned thread; /* of the first log */
  const struct watch_row *first;
  const struct watch_row *second;
};

enum confluence { CONFLUENCE_SAME, CONFLUENCE_DIFFERENT, CONFLUENCE_UNDECIDED };

/* Compares two logs of one program: for each thread one must be a prefix of the other.  UNDECIDED:
 * they differ, but a port has several senders or a value several takers, so that the order among
 * these may be the cause. */
enum confluence confluence_compare(const struct watch *first, const struct watch *second,
                                   struct confluence_difference *difference);

#endif
