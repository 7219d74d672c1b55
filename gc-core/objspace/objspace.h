/* objspace.h - the world, its objspaces and their heaps: data and what reads or links it.
 *
 * An objspace holds one heap per size class, its own sorted page table, its generational state and
 * its counters.  Its owner alone writes it; the driver of a stopped world may too.
 * [INV-REGISTRY] each objspace is in the world's registry exactly once, from its creation to the
 * end of its absorb, also while it is being created.
 */
#ifndef RGC_OBJSPACE_OBJSPACE_H
#define RGC_OBJSPACE_OBJSPACE_H

#include "gc-core/page/page.h"
#include "gc-core/page/page_pool.h"
#include "gc-core/page/page_table.h"
#include "rgc/rgc.h"

struct rgc_heap {
  size_t slot_size;
  struct rgc_page *pages; /* by body address */
  size_t page_count;
  size_t page_budget; /* pages it may have before it must collect */
  uintptr_t cursor;   /* bump pointer: [cursor, cursor_end) is a free region */
  uintptr_t cursor_end;
  struct rgc_page *alloc_page; /* page of the region; NULL: start over at the first page */
  struct rgc_page *sweep_next; /* first page of the list that is not swept yet */
  size_t empty_count;          /* swept pages without an object */
};

struct mark_stack {
  rgc_ref *items;
  size_t count;
  size_t capacity;
  bool overflowed; /* an item was dropped: rescan marked objects */
};

struct rgc_objspace {
  struct rgc_world *world;
  struct rgc_objspace *registry_next;
  void *host_data;
  unsigned id;
  enum rgc_life life; /* written under the registry lock */
  enum rgc_cycle cycle;
  bool cycle_major;
  bool need_full_mark;
  bool absorbed_since_full; /* [INV-ABSORB-FULL] */
  bool malloc_due;
  struct rgc_heap heaps[RGC_SIZE_CLASS_COUNT];
  struct page_table pages;
  struct mark_stack mark_stack;

  size_t object_count;
  size_t shareable_count;
  size_t shareable_limit;
  size_t retained_shareable_count;
  size_t old_count;
  size_t old_limit;
  size_t malloc_bytes;
  size_t malloc_increase;
  uint64_t allocated_total;
  uint64_t freed_total;
  uint64_t cycle_freed;
  uint64_t minor_count;
  uint64_t major_count;
};

/* What lower layers need from higher ones, turned round. */
struct rgc_hooks {
  void (*collect)(struct rgc_objspace *objspace, enum rgc_kind kind, enum rgc_reason reason);
  void (*sweep_page)(struct rgc_objspace *objspace, struct rgc_heap *heap);
  void (*verify_objspace)(struct rgc_objspace *objspace);
  void (*verify_world_stw)(struct rgc_world *world);
  bool verify_phases;
};

enum { RGC_EXEMPTION_MAX = 8 };

struct rgc_world {
  struct rgc_env env;
  const struct rgc_host_ops *host;
  void *vm;
  struct rgc_settings settings;
  struct rgc_hooks hooks;
  enum rgc_phase phase;
  struct rgc_objspace *driver; /* who stopped the world; NULL while running */
  struct page_pool pool;
  struct page_index index;

  struct rgc_lock registry_lock;
  struct rgc_objspace *registry; /* by id, newest first; walked only with the world stopped */
  unsigned next_id;
  _Atomic size_t zombie_page_count;
  _Atomic size_t zombie_page_base; /* survivors of the last global cycle */
  _Atomic size_t offheap_bytes;
  _Atomic uint64_t pages_emptied;
  _Atomic uint64_t pages_moved;
  uint64_t global_count;
  uint64_t global_with_two_live;
  uint64_t stop_count_by_reason[RGC_REASON_COUNT];
  _Atomic uint64_t exemption_counts[RGC_EXEMPTION_MAX];
};

static inline struct rgc_page *
world_page_of(const struct rgc_world *world, rgc_ref obj)
{
  return page_of(world->settings.page_size, obj);
}

/* Owner from the page header; see rgc_owner. */
static inline struct rgc_objspace *
world_owner_of(const struct rgc_world *world, rgc_ref obj)
{
  struct rgc_page_header *header = page_header_of(world->settings.page_size, obj);

  return atomic_load_explicit(&header->owner, memory_order_relaxed);
}

static inline bool
world_is_stopped(const struct rgc_world *world)
{
  return world->phase >= RGC_PHASE_STOPPED;
}

/* A world without hooks; see rgc_world_create. */
struct rgc_world *world_create(const struct rgc_config *config);

/* Sets the phase and its name for failure reports.  The driver. */
void world_set_phase_stw(struct rgc_world *world, enum rgc_phase phase);

unsigned size_class_for(size_t size);

/* Links a page into its heap, the objspace's table and nothing else; room was reserved. */
void heap_link_page(struct rgc_objspace *objspace, struct rgc_page *page);
void heap_unlink_page(struct rgc_objspace *objspace, struct rgc_page *page);

/* Adds one page from the pool.  On failure nothing has changed.  Owner. */
enum rgc_status objspace_grow(struct rgc_objspace *objspace, struct rgc_heap *heap);

/* Gives an empty page back to the pool.  Owner or world stopped. */
void objspace_give_page(struct rgc_objspace *objspace, struct rgc_page *page);

/* Forgets the free region, so that the next allocation looks for one from the first page on. */
void objspace_reset_cursors(struct rgc_objspace *objspace);

/* Changes the life under the registry lock; false when it was not `from`. */
bool objspace_change_life(struct rgc_objspace *objspace, enum rgc_life from, enum rgc_life to);

/* Takes the objspace out of the registry and frees it.  It has no pages. */
void objspace_free(struct rgc_objspace *objspace);

#endif
