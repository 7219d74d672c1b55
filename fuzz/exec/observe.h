/* observe.h - what an interpreter tells the run that it is part of: which op begins, how it ended.
 * The run counts, hashes and traces; it decides when the op budget is spent. */
#ifndef GCSTORM_EXEC_OBSERVE_H
#define GCSTORM_EXEC_OBSERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rgc/platform.h"

/* Whom an op deals with. */
struct op_subject {
  bool is_handle; /* a Ractor or port; of a plain receive the caller's own */
  unsigned ractor;
  size_t port;
  bool slots_are_shared; /* another Ractor may write what the op reads or writes */
};

/* What an op left in its destination; nothing of it holds an address. */
struct op_value {
  uint64_t digest;
  uint8_t kind;   /* enum vm_kind */
  uint8_t flags;  /* 1: frozen, 2: shareable */
  uint8_t ractor; /* of a Ractor's handle: its id, which depends on the schedule */
  int32_t number; /* of an immediate; else the length */
};

struct observer {
  void *self;
  /* False: the budget is spent; the block ends quietly.  `objspace` is the id of the thread's own;
   * `subject` is NULL where ops have none. */
  bool (*op_begin)(void *self, unsigned op_index, unsigned code, unsigned objspace,
                   const struct op_subject *subject);
  /* `effective`: the op did something. */
  void (*op_end)(void *self, unsigned op_index, unsigned code, bool effective, unsigned outcome,
                 const struct op_value *value);
  /* The calling thread begins a block as this Ractor, with this argument; it ends one. */
  void (*block_begin)(void *self, unsigned ractor, const struct op_value *argument);
  void (*block_end)(void *self, unsigned outcome);
};

/* Reports a broken account (O5) through the platform; does not return. */
_Noreturn void observe_account_failed(const struct rgc_platform *platform, const char *rule,
                                      const char *text);

#endif
