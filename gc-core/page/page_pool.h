/* page_pool.h - the process-wide pool of page bodies: large arenas carved into page-sized bodies,
 * recycled under a mutex of its own (2.2).
 *
 * [INV-POOL] each body is in exactly one place: free in the pool, or a page of one objspace.
 * The lowest free body is taken first, so addresses are a function of the program.
 */
#ifndef RGC_PAGE_POOL_H
#define RGC_PAGE_POOL_H

#include "gc-core/base/env.h"

struct pool_arena {
  struct pool_arena *next;
  uintptr_t base;
  size_t first_ordinal;
  size_t free_count;
  uint64_t free_bits[];
};

struct page_pool {
  struct rgc_env *env;
  struct rgc_lock lock;
  size_t page_size;
  size_t arena_pages;
  size_t page_limit;
  struct pool_arena *arenas; /* by address */
  size_t arena_count;
  size_t free_count;
  size_t used_count;
};

void page_pool_init(struct page_pool *pool, struct rgc_env *env, size_t page_size,
                    size_t arena_pages, size_t page_limit);

/* Every body must have come back. */
void page_pool_destroy(struct page_pool *pool);

/* A body, every byte of which is forbidden; its ordinal in *ordinal.  NULL: out of memory.  Any
 * mutator, no lock held. */
void *page_pool_take(struct page_pool *pool, size_t *ordinal);

void page_pool_give(struct page_pool *pool, void *body);

/* Whether the pool holds this body as free.  World stopped. */
bool page_pool_holds_stw(const struct page_pool *pool, uintptr_t body);

#endif
