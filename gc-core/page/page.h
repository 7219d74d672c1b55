/* page.h - one heap page: a body of slots and its side table of bits.
 *
 * The body starts with a header that names the owner and the side table, so that the owner of any
 * object is one load away (2.2); everything else stands in the side table, where an object's faults
 * cannot reach it.
 *
 * Who writes which bit:
 *   allocated, marked, shareable, shref, age   the owner, or the driver of a stopped world: plain
 *   remembered                                 any thread's write barrier: atomic
 *   header.owner                               the absorber, while others read it: atomic
 * [INV-OWNER] a page has one owner, changed only by an absorb.
 */
#ifndef RGC_PAGE_PAGE_H
#define RGC_PAGE_PAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gc-core/base/bits.h"
#include "gc-core/base/env.h"
#include "rgc/host.h"

struct rgc_objspace;
struct rgc_page;

struct rgc_page_header {
  _Atomic(struct rgc_objspace *) owner;
  struct rgc_page *page;
};

enum page_bitmap {
  PAGE_ALLOCATED,
  PAGE_MARKED,
  PAGE_SHAREABLE,
  PAGE_SHREF,
  PAGE_AGE_LOW,
  PAGE_AGE_HIGH,
  PAGE_BITMAP_COUNT
};

enum { PAGE_AGE_OLD = 3, PAGE_HEADER_SIZE = 32 };

struct rgc_page {
  struct rgc_page *heap_next; /* next page of the size class, by body address */
  uintptr_t body;
  size_t ordinal; /* number of the body, counted from the first arena: for traces */
  size_t slot_size;
  size_t slot_count;
  size_t word_count;   /* words of one bitmap */
  size_t object_count; /* allocated slots */
  unsigned size_class;
  bool swept;                   /* false between the end of marking and this page's sweep */
  _Atomic uint64_t *remembered; /* behind the bitmaps */
  uint64_t bitmaps[];
};

static inline uint64_t *
page_bits(struct rgc_page *page, enum page_bitmap which)
{
  return page->bitmaps + (size_t)which * page->word_count;
}

static inline const uint64_t *
page_bits_const(const struct rgc_page *page, enum page_bitmap which)
{
  return page->bitmaps + (size_t)which * page->word_count;
}

static inline bool
page_bit(const struct rgc_page *page, enum page_bitmap which, size_t slot)
{
  return bit_get(page_bits_const(page, which), slot);
}

/* First slot at or after `from` with that bit; slot_count if there is none. */
static inline size_t
page_next(const struct rgc_page *page, enum page_bitmap which, size_t from)
{
  return bits_find(page_bits_const(page, which), from, page->slot_count, true);
}

/* For loops over the slots with a bit, which may come and go in the body at `slot` or behind it. */
#define PAGE_EACH(page, which, slot)                                                               \
  for (size_t slot = page_next(page, which, 0); slot < (page)->slot_count;                         \
       slot = page_next(page, which, slot + 1))

static inline struct rgc_page_header *
page_header_of(size_t page_size, rgc_ref obj)
{
  return (struct rgc_page_header *)(obj.bits & ~(uintptr_t)(page_size - 1));
}

static inline struct rgc_page *
page_of(size_t page_size, rgc_ref obj)
{
  return page_header_of(page_size, obj)->page;
}

/* Relaxed: pairs with page_set_owner; see rgc_owner for what the answer is worth. */
static inline struct rgc_objspace *
page_owner(const struct rgc_page *page)
{
  struct rgc_page_header *header = (struct rgc_page_header *)page->body;

  return atomic_load_explicit(&header->owner, memory_order_relaxed);
}

static inline void
page_set_owner(struct rgc_page *page, struct rgc_objspace *owner)
{
  struct rgc_page_header *header = (struct rgc_page_header *)page->body;

  atomic_store_explicit(&header->owner, owner, memory_order_relaxed);
}

static inline size_t
page_slot_of(const struct rgc_page *page, rgc_ref obj)
{
  return (obj.bits - page->body - PAGE_HEADER_SIZE) / page->slot_size;
}

static inline rgc_ref
page_object(const struct rgc_page *page, size_t slot)
{
  return (rgc_ref){page->body + PAGE_HEADER_SIZE + slot * page->slot_size};
}

/* 0 (new) to PAGE_AGE_OLD. */
static inline unsigned
page_age(const struct rgc_page *page, size_t slot)
{
  return (unsigned)page_bit(page, PAGE_AGE_LOW, slot) +
         2u * (unsigned)page_bit(page, PAGE_AGE_HIGH, slot);
}

static inline bool
page_is_old(const struct rgc_page *page, size_t slot)
{
  return page_age(page, slot) == PAGE_AGE_OLD;
}

/* One cycle older, up to old.  Owner or world stopped. */
void page_age_advance(struct rgc_page *page, size_t slot);

/* Whether `word` is the start address of an allocated slot of this page.  Owner or world stopped.
 */
bool page_names_object(const struct rgc_page *page, uintptr_t word);

/* Makes the side table for a body that came from the pool and writes the header.  All slots are
 * free and forbidden.  NULL: out of memory, nothing changed. */
struct rgc_page *page_attach(struct rgc_env *env, void *body, size_t page_size, size_t slot_size,
                             unsigned size_class, struct rgc_objspace *owner);

/* Frees the side table; the body is the caller's again.  Every slot is free. */
void page_detach(struct rgc_env *env, struct rgc_page *page);

/* The allocated slot of this page that `word` points into; bits == 0: none.  Owner or world
 * stopped.
 */
rgc_ref page_object_around(const struct rgc_page *page, uintptr_t word);

/* Zeroes the slot and sets its allocated bit. */
void page_slot_open(struct rgc_page *page, size_t slot);

/* Clears every bit of the slot, writes it whole and forbids it. */
void page_slot_close(struct rgc_page *page, size_t slot);

#endif
