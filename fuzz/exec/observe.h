/* observe.h - what an interpreter tells the run that it is part of: which op begins, how it ended.
 * The run counts, hashes and traces; it decides when the op budget is spent. */
#ifndef GCSTORM_EXEC_OBSERVE_H
#define GCSTORM_EXEC_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "rgc/platform.h"

struct observer {
  void *self;
  /* False: the budget is spent; the block ends quietly.  `objspace` is the id of the thread's own.
   */
  bool (*op_begin)(void *self, unsigned op_index, unsigned code, unsigned objspace);
  /* `effective`: the op did something.  `outcome` and `digest` hold no address. */
  void (*op_end)(void *self, unsigned op_index, unsigned code, bool effective, unsigned outcome,
                 uint64_t digest);
};

/* Reports a broken account (O5) through the platform; does not return. */
_Noreturn void observe_account_failed(const struct rgc_platform *platform, const char *rule,
                                      const char *text);

#endif
