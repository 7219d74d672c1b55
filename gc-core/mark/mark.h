/* mark.h - marking: the stack, the local and the global visit, draining. */
#ifndef RGC_MARK_MARK_H
#define RGC_MARK_MARK_H

#include "gc-core/mark/walk.h"

/* A walk that marks within one objspace: foreign objects are live leaves, shareable ones are marked
 * and not traversed. [INV-LEAF] */
void mark_begin_local(struct rgc_walk *walk, struct rgc_objspace *objspace);

/* A walk that marks everything, crossing objspaces, and re-derives shrefs.  World stopped. */
void mark_begin_global_stw(struct rgc_walk *walk, struct rgc_world *world,
                           struct rgc_objspace *driver);

/* Puts an already marked object on the stack, to visit its children. */
void mark_push(struct rgc_walk *walk, rgc_ref obj);

/* Visits the children of up to `limit` objects; false when the stack is empty. */
bool mark_drain(struct rgc_walk *walk, size_t limit);

/* Drains to the end, rescanning while the stack overflowed. */
void mark_drain_all(struct rgc_walk *walk);

/* The three extra root sets of a local cycle. */
void mark_remembered(struct rgc_walk *walk);
void mark_shrefs(struct rgc_walk *walk);
void mark_pinned_shareables(struct rgc_walk *walk);

#endif
