/* walk.h - one traversal: what a visit of a slot means is the walk's, not the host's. */
#ifndef RGC_MARK_WALK_H
#define RGC_MARK_WALK_H

#include "gc-core/objspace/objspace.h"

struct rgc_walk {
  struct rgc_world *world;
  struct rgc_objspace *objspace; /* NULL: all of them, world stopped */
  void (*visit)(struct rgc_walk *walk, rgc_ref obj);
  void (*visit_pinned)(struct rgc_walk *walk, rgc_ref obj);
  struct mark_stack *stack;
  rgc_ref parent; /* bits == 0: a root */
  bool parent_shareable;
  bool young_child; /* a private young child of the parent was seen */
  size_t marked_count;
  void *arg;
};

#endif
