/* mark.c - marking one objspace (2.3) or the whole world (2.4 step 3). */
#include "gc-core/mark/mark.h"

enum { MARK_STACK_FIRST = 64, MARK_CHUNK = 32 };

/* A cycle cannot fail: when the stack cannot grow, the object stays marked and a rescan finds its
 * children. */
void
mark_push(struct rgc_walk *walk, rgc_ref obj)
{
  struct mark_stack *stack = walk->stack;
  struct rgc_env *env = &walk->world->env;

  if (stack->count == stack->capacity) {
    size_t capacity = stack->capacity == 0 ? MARK_STACK_FIRST : stack->capacity * 2;
    rgc_ref *items = rgc_memory_alloc(env, capacity * sizeof *items);

    if (items == NULL) {
      stack->overflowed = true;
      return;
    }
    for (size_t i = 0; i < stack->count; i++)
      items[i] = stack->items[i];
    if (stack->items != NULL)
      rgc_memory_free(env, stack->items, stack->capacity * sizeof *items);
    if (FAULT(mark_stack_growth_drops) && capacity > 256)
      stack->count--;
    stack->items = items;
    stack->capacity = capacity;
  }
  stack->items[stack->count++] = obj;
}

/* Sets the mark bit and ages; false when it was marked already. */
static bool
mark_once(struct rgc_walk *walk, struct rgc_page *page, size_t slot)
{
  RGC_CHECK(&walk->world->env, "INV-EDGE", slot < page->slot_count);
  RGC_CHECK(&walk->world->env, "INV-EDGE", page_bit(page, PAGE_ALLOCATED, slot));
  if (page_bit(page, PAGE_MARKED, slot))
    return false;
  bit_set(page_bits(page, PAGE_MARKED), slot);
  page_age_advance(page, slot);
  walk->marked_count++;
  return true;
}

static void
mark_visit_local(struct rgc_walk *walk, rgc_ref obj)
{
  /* Its bits belong to its owner, whose own collection may be running. [INV-LEAF] */
  if (world_owner_of(walk->world, obj) != walk->objspace && !FAULT(local_marks_foreign))
    return;
  struct rgc_page *page = world_page_of(walk->world, obj);
  size_t slot = page_slot_of(page, obj);
  bool first = mark_once(walk, page, slot);

  if (page_bit(page, PAGE_SHAREABLE, slot))
    return;
  if (first)
    mark_push(walk, obj);
  if (!page_is_old(page, slot))
    walk->young_child = true;
}

static void
mark_visit_global(struct rgc_walk *walk, rgc_ref obj)
{
  struct rgc_page *page = world_page_of(walk->world, obj);
  size_t slot = page_slot_of(page, obj);

  if (mark_once(walk, page, slot))
    mark_push(walk, obj);
  /* Step 2 dropped every shref bit; each such edge records its target again. [INV-SHREF] */
  if (walk->parent_shareable && !page_bit(page, PAGE_SHAREABLE, slot) &&
      !(FAULT(shref_not_rederived) && world_owner_of(walk->world, obj)->life == RGC_LIFE_ZOMBIE &&
        world_owner_of(walk->world, obj) != world_owner_of(walk->world, walk->parent)))
    bit_set(page_bits(page, PAGE_SHREF), slot);
}

/* A message in flight: no edge of the heap leads to it, so its owner's local collections must find
 * it among the shrefs. [INV-PIN] */
static void
mark_visit_pinned_global(struct rgc_walk *walk, rgc_ref obj)
{
  struct rgc_page *page = world_page_of(walk->world, obj);
  size_t slot = page_slot_of(page, obj);

  mark_visit_global(walk, obj);
  if (!page_bit(page, PAGE_SHAREABLE, slot) &&
      !(FAULT(in_flight_not_repinned) && slot >= 96 && page_owner(page)->life == RGC_LIFE_ZOMBIE))
    bit_set(page_bits(page, PAGE_SHREF), slot);
}

void
mark_begin_local(struct rgc_walk *walk, struct rgc_objspace *objspace)
{
  *walk = (struct rgc_walk){.world = objspace->world,
                            .objspace = objspace,
                            .visit = mark_visit_local,
                            .visit_pinned = mark_visit_local,
                            .stack = &objspace->mark_stack};
}

void
mark_begin_global_stw(struct rgc_walk *walk, struct rgc_world *world, struct rgc_objspace *driver)
{
  *walk = (struct rgc_walk){.world = world,
                            .visit = mark_visit_global,
                            .visit_pinned = mark_visit_pinned_global,
                            .stack = &driver->mark_stack};
}

/* Visits the children of one marked object.  An old object is remembered exactly while it has a
 * young private child. [INV-REMEMBER] */
static void
mark_children(struct rgc_walk *walk, rgc_ref obj)
{
  struct rgc_page *page = world_page_of(walk->world, obj);
  size_t slot = page_slot_of(page, obj);

  walk->parent = obj;
  walk->parent_shareable = page_bit(page, PAGE_SHAREABLE, slot);
  walk->young_child = false;
  walk->world->host->visit_children(walk->world->vm, obj, walk);
  walk->parent = (rgc_ref){0};
  if (walk->objspace == NULL || !page_is_old(page, slot))
    return;
  if (walk->young_child && !(FAULT(marking_forgets_young_child) && slot >= 224))
    bit_set_relaxed(page->remembered, slot);
  else
    bit_clear_relaxed(page->remembered, slot);
}

bool
mark_drain(struct rgc_walk *walk, size_t limit)
{
  struct mark_stack *stack = walk->stack;

  while (limit-- > 0 && stack->count > 0) {
    mark_children(walk, stack->items[--stack->count]);
    if (limit % MARK_CHUNK == 0)
      rgc_point(&walk->world->env, RGC_SITE_MARK_CHUNK);
  }
  return stack->count > 0;
}

static void
rescan_objspace(struct rgc_walk *walk, struct rgc_objspace *objspace)
{
  for (size_t i = 0; i < objspace->pages.count; i++) {
    struct rgc_page *page = objspace->pages.pages[i];

    PAGE_EACH (page, PAGE_MARKED, slot) {
      if (!page_bit(page, PAGE_ALLOCATED, slot))
        continue;
      if (walk->objspace != NULL && page_bit(page, PAGE_SHAREABLE, slot))
        continue;
      mark_children(walk, page_object(page, slot));
      while (mark_drain(walk, MARK_CHUNK))
        ;
    }
  }
}

void
mark_drain_all(struct rgc_walk *walk)
{
  struct mark_stack *stack = walk->stack;

  while (mark_drain(walk, MARK_CHUNK))
    ;
  while (stack->overflowed) {
    stack->overflowed = false;
    if (walk->objspace != NULL) {
      rescan_objspace(walk, walk->objspace);
      continue;
    }
    for (struct rgc_objspace *o = walk->world->registry; o != NULL; o = o->registry_next)
      rescan_objspace(walk, o);
  }
}

/* Old objects that may hold young ones are looked into again; they are marked already. */
void
mark_remembered(struct rgc_walk *walk)
{
  struct rgc_objspace *objspace = walk->objspace;

  for (size_t i = 0; i < objspace->pages.count; i++) {
    struct rgc_page *page = objspace->pages.pages[i];

    for (size_t w = 0; w < page->word_count && !(FAULT(minor_skips_remembered) && w > 2); w++) {
      uint64_t word = atomic_load_explicit(&page->remembered[w], memory_order_relaxed);

      word &= page_bits(page, PAGE_MARKED)[w] & ~page_bits(page, PAGE_SHAREABLE)[w];
      for (; word != 0; word &= word - 1)
        mark_push(walk, page_object(page, w * 64 + bits_lowest(word)));
    }
  }
}

/* The shareable parent is never traversed here, so its private children are roots. [INV-SHREF] */
void
mark_shrefs(struct rgc_walk *walk)
{
  struct rgc_objspace *objspace = walk->objspace;

  for (size_t i = 0; i < objspace->pages.count; i++) {
    struct rgc_page *page = objspace->pages.pages[i];

    for (size_t w = 0;
         w < page->word_count &&
         !(FAULT(shrefs_not_roots) && w == 1 && objspace->pages.count > 12 && page->size_class > 0);
         w++) {
      uint64_t word = page_bits(page, PAGE_SHREF)[w];

      for (; word != 0; word &= word - 1)
        walk->visit(walk, page_object(page, w * 64 + bits_lowest(word)));
    }
  }
}

/* Every shareable that ordinary marking did not reach: mark bit only, no traversal.  Another Ractor
 * may hold the only reference. [INV-LIVE] */
void
mark_pinned_shareables(struct rgc_walk *walk)
{
  struct rgc_objspace *objspace = walk->objspace;

  objspace->retained_shareable_count = 0;
  if (FAULT(pinned_pass_skipped) && objspace->life == RGC_LIFE_RETIRING && objspace->old_count > 0)
    return;
  for (size_t i = 0; i < objspace->pages.count; i++) {
    struct rgc_page *page = objspace->pages.pages[i];
    uint64_t *marked = page_bits(page, PAGE_MARKED);

    for (size_t w = 0; w < page->word_count; w++) {
      uint64_t unreached = page_bits(page, PAGE_SHAREABLE)[w] & ~marked[w];

      marked[w] |= unreached;
      objspace->retained_shareable_count += bits_count(unreached);
    }
  }
}
