/* collect.h - sweeping, local and global collections, triggers. */
#ifndef RGC_COLLECT_COLLECT_H
#define RGC_COLLECT_COLLECT_H

#include "gc-core/mark/mark.h"

/* ---- sweep.c ------------------------------------------------------------------------------ */

/* Every page is unswept from now on. */
void sweep_begin(struct rgc_objspace *objspace);

/* Sweeps the next unswept page of the heap; it may go back to the pool. Owner. */
void sweep_page(struct rgc_objspace *objspace, struct rgc_heap *heap);

/* Sweeps what is left.  Owner, or world stopped. */
void sweep_rest(struct rgc_objspace *objspace);

/* Gives back every empty page, also those that a heap would keep. */
void sweep_give_all_empty(struct rgc_objspace *objspace);

/* ---- local_gc.c --------------------------------------------------------------------------- */

/* Runs a whole local marking and begins its lazy sweep.  Owner.  Takes neither the VM lock nor any
 * barrier (2.3). */
void local_gc_run(struct rgc_objspace *objspace, enum rgc_kind kind);

/* The budget that a full mark grants to a heap with too few free slots. */
void heap_grant_budget(struct rgc_objspace *objspace, struct rgc_heap *heap);

/* ---- global_gc.c -------------------------------------------------------------------------- */

/* Stops the world, runs the seven steps, restarts it. */
void global_gc_run(struct rgc_objspace *driver, enum rgc_reason reason);

/* ---- trigger.c ---------------------------------------------------------------------------- */

/* Why a global cycle is due, or RGC_REASON_NONE. */
enum rgc_reason trigger_global(const struct rgc_objspace *objspace);

#endif
