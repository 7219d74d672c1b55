/* bare_host.h - the smallest embedder: records of references in a table that is the root set. */
#ifndef GCSTORM_EXEC_BARE_HOST_H
#define GCSTORM_EXEC_BARE_HOST_H

#include "rgc/observe.h"
#include "rgc/rgc.h"

enum { BARE_SPACE_COUNT = 8, BARE_OBJECT_COUNT = 32, BARE_WORD_COUNT = 16, BARE_SLOT_MAX = 30 };

struct bare_object {
  uint32_t slot_count;
  uint32_t shareable;
  uint64_t identity;
  rgc_ref slots[];
};

struct bare_host {
  const struct rgc_platform *platform;
  struct rgc_world *world;
  struct rgc_objspace *spaces[BARE_SPACE_COUNT];
  size_t owed[BARE_SPACE_COUNT];           /* off-heap bytes charged */
  bool ended[BARE_SPACE_COUNT];            /* a zombie, to be absorbed */
  rgc_ref objects[BARE_OBJECT_COUNT];      /* roots of their owner */
  uint8_t entry_spaces[BARE_OBJECT_COUNT]; /* …by its place in `spaces` */
  rgc_ref pins[BARE_OBJECT_COUNT];         /* messages in flight */
  struct rgc_objspace *word_owners[BARE_WORD_COUNT];
  uintptr_t words[BARE_WORD_COUNT];
  struct rgc_objspace *stopper;
  uint64_t next_identity;
};

extern const struct rgc_host_ops bare_host_ops;

struct bare_object *bare_object(rgc_ref obj);
size_t bare_object_size(unsigned slot_count);

/* bare_subject.c: what the oracles O3 and O8 know of this host. */
struct rgc_subject bare_subject(struct bare_host *host);
/* Tells them of a new record with its count and identity. */
void bare_made(const struct bare_host *host, rgc_ref obj);

#endif
