/* rgc.h - the collector's calls.
 *
 * A *world* is one process-wide heap: page pool, page index, registry of objspaces.  An *objspace*
 * is the private heap of one Ractor.  All state hangs off a world; a process may make and destroy
 * any number of them.  Sections ("2.3") name the parts of the source document.
 *
 * Who may call: "owner" is the thread of the Ractor that the objspace belongs to (the creator while
 * the objspace is CREATING); "world stopped" is the thread that stopped the world.  Every function
 * that may collect says so: before such a call each reference the caller still needs must be
 * reachable from what host.visit_roots reports.
 */
#ifndef RGC_RGC_H
#define RGC_RGC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rgc/host.h"
#include "rgc/phases.h"
#include "rgc/platform.h"

struct rgc_world;
struct rgc_objspace;

enum rgc_status {
  RGC_OK,
  RGC_OUT_OF_MEMORY,
  RGC_TAKEN /* another thread has claimed the objspace already */
};

/* Why a collection runs, and why the world stops. [INV-NOSTOP] */
enum rgc_reason {
  RGC_REASON_NONE,
  RGC_REASON_EXPLICIT,   /* the program asked */
  RGC_REASON_ALLOCATION, /* no free slot within the page budget */
  RGC_REASON_MALLOC,     /* off-heap bytes past the limit */
  RGC_REASON_SHAREABLES, /* shareable population past the objspace's limit */
  RGC_REASON_ZOMBIES,    /* pages held by dead Ractors past the limit */
  RGC_REASON_STRESS,     /* the input's stress mode */
  RGC_REASON_RETIRE,     /* the last collection of a dying Ractor */
  RGC_REASON_NO_MEMORY,  /* the last try before giving up */
  RGC_REASON_COUNT
};

enum rgc_kind { RGC_KIND_MINOR, RGC_KIND_MAJOR, RGC_KIND_GLOBAL };

enum { RGC_SIZE_CLASS_COUNT = 4, RGC_SLOT_SIZE_MIN = 32, RGC_SLOT_SIZE_MAX = 256 };

/* Settings of a world; each is chosen by a program.  Sizes in bytes, limits in the unit named. */
struct rgc_settings {
  size_t page_size;           /* power of two, 1 KiB to 64 KiB */
  size_t arena_pages;         /* page bodies per arena, 1 to 1024 */
  size_t heap_limit_bytes;    /* all page bodies together */
  size_t initial_page_budget; /* pages a size class may take before its first collection */
  size_t growth_percent;      /* budget added after a full mark that freed too little */
  size_t free_percent_wanted; /* "too little": fewer free slots than this */
  size_t empty_pages_kept;    /* empty pages a size class keeps when it is swept */
  size_t malloc_limit_bytes;  /* off-heap bytes allocated since the last cycle */
  size_t old_limit_percent;   /* a major follows when old objects reach this share of last time's */
  size_t old_limit_min;       /* …but never below this many old objects */
  size_t shareable_limit;     /* shareables in one objspace before the first global cycle */
  size_t
      shareable_growth_percent; /* new limit = survivors × (100 + this) / 100, at least the first */
  size_t zombie_page_limit;     /* zombie pages beyond the survivors of the last global cycle */
  size_t offheap_limit_bytes;   /* all off-heap buffers together */
  bool interior_pins;           /* a word that points inside an object keeps it too */
};

void rgc_settings_default(struct rgc_settings *settings);

/* NULL when the settings are usable, else one line that says which is not and why. */
const char *rgc_settings_problem(const struct rgc_settings *settings);

struct rgc_config {
  struct rgc_platform platform;
  const struct rgc_host_ops *host;
  void *vm; /* first argument of every host op */
  struct rgc_settings settings;
};

/* ---- Worlds ------------------------------------------------------------------------------- */

/* Makes a world without objspaces.  NULL: out of memory or bad settings. */
struct rgc_world *rgc_world_create(const struct rgc_config *config);

/* Frees every objspace that is left (releasing each object) and the world.  One thread is left. */
void rgc_world_destroy(struct rgc_world *world);

enum rgc_phase rgc_world_phase(const struct rgc_world *world);
const struct rgc_settings *rgc_world_settings(const struct rgc_world *world);

/* ---- Objspaces: 2.5 ----------------------------------------------------------------------- */

/* Makes an objspace in life CREATING and registers it, so that every global collection walks it
 * from now on [INV-REGISTRY].  `host_data` is the embedder's.  Any mutator. */
enum rgc_status rgc_objspace_create(struct rgc_world *world, void *host_data,
                                    struct rgc_objspace **out);

/* CREATING → LIVE.  First call of the Ractor's own thread. */
void rgc_objspace_start(struct rgc_objspace *objspace);

/* The retire collection and LIVE → ZOMBIE.  Last use by the owner, whose roots are minimal by now
 * (the pending value).  Neither stops the world nor waits.  May collect. */
void rgc_objspace_retire(struct rgc_objspace *objspace);

/* CREATING → ZOMBIE, for a Ractor whose thread never started.  The creator. */
void rgc_objspace_disown(struct rgc_objspace *objspace);

/* Takes over every page, table row and counter of `dead` (a ZOMBIE), which is gone afterwards, and
 * forces the taker's next collection to be a full one [INV-ABSORB-FULL].  Owner of `taker`.  On
 * RGC_OUT_OF_MEMORY or RGC_TAKEN nothing has changed.  Does not collect. */
enum rgc_status rgc_objspace_absorb(struct rgc_objspace *taker, struct rgc_objspace *dead);

unsigned rgc_objspace_id(const struct rgc_objspace *objspace);
void *rgc_objspace_host_data(const struct rgc_objspace *objspace);
struct rgc_world *rgc_objspace_world(const struct rgc_objspace *objspace);
enum rgc_cycle rgc_objspace_cycle(const struct rgc_objspace *objspace);
enum rgc_life rgc_objspace_life(const struct rgc_objspace *objspace);

/* ---- Objects: 2.1, 2.2 -------------------------------------------------------------------- */

/* A zeroed slot of at least `size` bytes (1 to RGC_SLOT_SIZE_MAX), private to `objspace`, young.
 * bits == 0: out of memory even after a global collection.  Owner.  May collect, may stop the
 * world, may park for another driver's stop. */
rgc_ref rgc_allocate(struct rgc_objspace *objspace, size_t size);

/* Bytes of the object's slot.  Any thread that may hold the reference. */
size_t rgc_slot_size(const struct rgc_world *world, rgc_ref obj);

/* Must follow each store of `child` into `parent`, before the next step that may collect
 * [INV-BARRIER].  `objspace` is the storing thread's own.  Does not collect. */
void rgc_write_barrier(struct rgc_objspace *objspace, rgc_ref parent, rgc_ref child);

/* `obj`, private and owned by `objspace`, is shareable from now on.  The host has set its own flag
 * already.  Outgoing edges to private objects are recorded as shrefs (2.1).  Owner. */
void rgc_became_shareable(struct rgc_objspace *objspace, rgc_ref obj);

/* Pins a node of a message snapshot in the sender's objspace until the next global collection,
 * which re-derives the pin from whoever holds the message then (2.6).  Owner. */
void rgc_pin_in_flight(struct rgc_objspace *objspace, rgc_ref obj);

/* The owner, read from the page header; any thread that may hold the reference.  The answer for an
 * object of another Ractor may be out of date, but never becomes or stops being the caller's own
 * objspace except through the caller's own absorb. */
struct rgc_objspace *rgc_owner(const struct rgc_world *world, rgc_ref obj);
bool rgc_is_foreign(const struct rgc_objspace *objspace, rgc_ref obj);

/* The collector's shareable bit of an own object.  Owner or world stopped. */
bool rgc_is_shareable(const struct rgc_objspace *objspace, rgc_ref obj);

/* Whether a word is the start address of a live slot of this objspace.  Owner. */
bool rgc_is_own_object(const struct rgc_objspace *objspace, uintptr_t word);

/* Charges (or, negative, refunds) off-heap bytes.  False when the limit of the world does not
 * allow the charge, with nothing changed.  Owner, or inside `release`. */
bool rgc_malloc_charge(struct rgc_objspace *objspace, ptrdiff_t bytes);

/* ---- Collections: 2.3, 2.4 ---------------------------------------------------------------- */

/* Runs a collection.  A local one that finds a global trigger due becomes a global one (2.3
 * "Triggers").  Owner, outside any cycle.  May stop the world if global. */
void rgc_collect(struct rgc_objspace *objspace, enum rgc_kind kind, enum rgc_reason reason);

/* Stops and restarts the world for a purpose of the embedder; in between the caller may use the
 * `_stw` calls.  Owner of `objspace`, outside any cycle. */
void rgc_world_stop(struct rgc_objspace *objspace, enum rgc_reason reason);
void rgc_world_resume(struct rgc_objspace *objspace);

/* The same collections in single steps, for harnesses that drive the collector directly.  Each is
 * legal when rgc_phase_may says so and asserts it. */
void rgc_step_local_start(struct rgc_objspace *objspace, enum rgc_kind kind);
bool rgc_step_local_mark(struct rgc_objspace *objspace, size_t object_limit); /* false: drained */
void rgc_step_local_finish(struct rgc_objspace *objspace);
bool rgc_step_sweep_page(struct rgc_objspace *objspace); /* false: nothing left to sweep */
void rgc_step_sweep_rest(struct rgc_objspace *objspace);
void rgc_step_global(struct rgc_world *world, enum rgc_step step); /* SETTLE … RECOUNT; stopped */

/* ---- Counters ----------------------------------------------------------------------------- */

struct rgc_objspace_stats {
  size_t page_count;
  size_t slot_count;   /* all slots of those pages */
  size_t object_count; /* allocated slots */
  size_t shareable_count;
  size_t retained_shareable_count; /* kept alive by the pinned pass alone, last cycle (2.3) */
  size_t old_count;
  size_t malloc_bytes;
  uint64_t allocated_total;
  uint64_t freed_total;
  uint64_t minor_count;
  uint64_t major_count;
};

struct rgc_world_stats {
  size_t objspace_count; /* in the registry, any life */
  size_t zombie_count;
  size_t zombie_page_count;
  size_t pool_page_count;  /* free bodies in the pool */
  size_t arena_page_count; /* all bodies of all arenas */
  size_t used_page_count;
  size_t offheap_bytes;
  uint64_t global_count;
  uint64_t stop_count_by_reason[RGC_REASON_COUNT];
  uint64_t pages_emptied;        /* given back to the pool by a sweep */
  uint64_t pages_moved;          /* owner changed by an absorb */
  uint64_t global_with_two_live; /* global cycles that saw two or more live objspaces */
};

/* Owner or world stopped. */
void rgc_objspace_get_stats(const struct rgc_objspace *objspace, struct rgc_objspace_stats *out);
/* World stopped, or no other thread left. */
void rgc_world_get_stats(const struct rgc_world *world, struct rgc_world_stats *out);

/* Calls `visit` for each allocated object of each objspace, in address order.  World stopped. */
void rgc_each_object_stw(struct rgc_world *world,
                         void (*visit)(void *arg, struct rgc_objspace *objspace, rgc_ref obj),
                         void *arg);

#endif
