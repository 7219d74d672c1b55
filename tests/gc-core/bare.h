/* bare.h - a platform without threads and a host of plain records, for unit tests of the core. */
#ifndef TESTS_GC_CORE_BARE_H
#define TESTS_GC_CORE_BARE_H

#include "rgc/rgc.h"
#include "rgc/verify.h"

enum { BARE_ROOT_MAX = 64, BARE_SPACE_MAX = 6, BARE_SLOT_MAX = 30 };

/* Slot layout of a test object: header, identity, references. */
struct bare_object {
  uint64_t slot_count : 32;
  uint64_t shareable : 32;
  uint64_t identity;
  rgc_ref slots[];
};

struct bare_root {
  struct rgc_objspace *owner;
  rgc_ref obj;
};

struct bare {
  struct rgc_platform platform;
  struct rgc_world *world;
  struct rgc_objspace *spaces[BARE_SPACE_MAX];
  struct bare_root roots[BARE_ROOT_MAX];
  rgc_ref in_flight[BARE_ROOT_MAX];
  uintptr_t words[8];
  struct rgc_objspace *words_owner;
  uint64_t next_identity;
  uint64_t released;
  size_t page_requests_left; /* page_allowed answers false when it is 0 */
  size_t live_bytes;         /* of memory_alloc */
  unsigned char *arena;
  size_t arena_used;
};

void bare_settings(struct rgc_settings *settings);
void bare_open(struct bare *bare, const struct rgc_settings *settings, enum rgc_verify_level level);
void bare_close(struct bare *bare);

struct rgc_objspace *bare_space(struct bare *bare, unsigned index);
/* A new object of `slots` references, in root `root` of the objspace; bits == 0: no memory. */
rgc_ref bare_new(struct bare *bare, struct rgc_objspace *space, unsigned root, unsigned slots);
struct bare_object *bare_object(rgc_ref obj);
/* Stores with the barrier of the thread that owns `space`. */
void bare_store(struct rgc_objspace *space, rgc_ref parent, unsigned slot, rgc_ref child);
void bare_share(struct bare *bare, struct rgc_objspace *space, rgc_ref obj);
size_t bare_object_count(struct bare *bare);

#endif
