/* alloc.c - bump allocation through free regions, and what happens when there is none (2.2).
 *
 * Fast path: a cursor advances through a free region of one page.  Slow path, in this order: the
 * next region of a swept page, sweeping one page at a time if a lazy sweep is under way; a page
 * within the budget; a local collection; a full local one, which may grant budget; a page beyond
 * the budget; a global collection; failure, which is the program's NoMemoryError.
 */
#include "gc-core/objspace/objspace.h"

/* Opens the next free region of `heap`, sweeping as it goes.  False: every page is full. */
static bool
heap_next_region(struct rgc_objspace *objspace, struct rgc_heap *heap)
{
  struct rgc_page *page = heap->alloc_page != NULL ? heap->alloc_page : heap->pages;
  size_t from = 0;

  if (heap->alloc_page != NULL)
    from = (heap->cursor_end - page->body - PAGE_HEADER_SIZE) / heap->slot_size;
  while (page != NULL) {
    if (!page->swept) {
      struct rgc_page *next = page->heap_next;
      size_t count = heap->page_count;

      objspace->world->hooks.sweep_page(objspace, heap);
      if (heap->page_count < count)
        page = next; /* it was empty and went back to the pool */
      continue;
    }
    size_t start = page->object_count < page->slot_count
                       ? bits_find(page_bits(page, PAGE_ALLOCATED), from, page->slot_count, false)
                       : page->slot_count;
    if (start < page->slot_count) {
      size_t end = bits_find(page_bits(page, PAGE_ALLOCATED), start, page->slot_count, true);
      heap->alloc_page = page;
      heap->cursor = page_object(page, start).bits;
      heap->cursor_end = page_object(page, end).bits;
      return true;
    }
    from = 0;
    page = page->heap_next;
  }
  return false;
}

static bool
heap_refill_within_budget(struct rgc_objspace *objspace, struct rgc_heap *heap)
{
  if (heap_next_region(objspace, heap))
    return true;
  if (heap->page_count >= heap->page_budget)
    return false;
  return objspace_grow(objspace, heap) == RGC_OK && heap_next_region(objspace, heap);
}

/* Makes a region by every means.  False: out of memory. */
static bool
heap_refill(struct rgc_objspace *objspace, struct rgc_heap *heap)
{
  struct rgc_hooks *hooks = &objspace->world->hooks;

  if (heap_refill_within_budget(objspace, heap))
    return true;
  hooks->collect(objspace, RGC_KIND_MINOR, RGC_REASON_ALLOCATION);
  if (heap_refill_within_budget(objspace, heap))
    return true;
  hooks->collect(objspace, RGC_KIND_MAJOR, RGC_REASON_ALLOCATION);
  if (heap_refill_within_budget(objspace, heap))
    return true;
  if (objspace_grow(objspace, heap) == RGC_OK && heap_next_region(objspace, heap))
    return true;
  hooks->collect(objspace, RGC_KIND_GLOBAL, RGC_REASON_NO_MEMORY);
  if (heap_refill_within_budget(objspace, heap))
    return true;
  return objspace_grow(objspace, heap) == RGC_OK && heap_next_region(objspace, heap);
}

static void
allocation_stress(struct rgc_objspace *objspace)
{
  struct rgc_world *world = objspace->world;
  struct rgc_platform *platform = &world->env.platform;

  switch (platform->ops->stress(platform->self, RGC_STRESS_ALLOCATE)) {
  case RGC_STRESS_MINOR:
    world->hooks.collect(objspace, RGC_KIND_MINOR, RGC_REASON_STRESS);
    break;
  case RGC_STRESS_MAJOR:
    world->hooks.collect(objspace, RGC_KIND_MAJOR, RGC_REASON_STRESS);
    break;
  case RGC_STRESS_GLOBAL:
    world->hooks.collect(objspace, RGC_KIND_GLOBAL, RGC_REASON_STRESS);
    break;
  case RGC_STRESS_VERIFY:
    if (world->hooks.verify_objspace != NULL)
      world->hooks.verify_objspace(objspace);
    break;
  case RGC_STRESS_NONE:
  case RGC_STRESS_ACTION_COUNT:
    break;
  }
}

rgc_ref
rgc_allocate(struct rgc_objspace *objspace, size_t size)
{
  struct rgc_world *world = objspace->world;

  RGC_ASSERT(&world->env, size > 0 && size <= RGC_SLOT_SIZE_MAX);
  RGC_ASSERT(&world->env, rgc_phase_may(world, objspace, RGC_STEP_ALLOCATE));
  rgc_point(&world->env, RGC_SITE_ALLOCATE);
  allocation_stress(objspace);
  if (objspace->malloc_due)
    world->hooks.collect(objspace, RGC_KIND_MINOR, RGC_REASON_MALLOC);

  struct rgc_heap *heap = &objspace->heaps[size_class_for(size)];
  if (heap->cursor == heap->cursor_end && !heap_refill(objspace, heap)) {
    rgc_event(&world->env, RGC_EVENT_OUT_OF_MEMORY, objspace->id, 0);
    return (rgc_ref){0};
  }
  rgc_ref obj = {heap->cursor};
  struct rgc_page *page = heap->alloc_page;
  if (page->object_count == 0)
    heap->empty_count--;
  page_slot_open(page, page_slot_of(page, obj));
  heap->cursor += heap->slot_size;
  objspace->object_count++;
  objspace->allocated_total++;
  RGC_OBSERVE(&world->env.platform, allocated, objspace->id, obj, heap->slot_size);
  return obj;
}
