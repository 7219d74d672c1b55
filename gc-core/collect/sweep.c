/* sweep.c - freeing unmarked slots: lazily, one page at a time, by the owner; or at once with the
 * world stopped.
 *
 * [INV-LIVE] a local sweep frees no shareable object: every one was marked by the pinned pass.
 * A release looks at no other object, since that may have been swept already.
 */
#include "gc-core/collect/collect.h"

void
sweep_begin(struct rgc_objspace *objspace)
{
  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    struct rgc_heap *heap = &objspace->heaps[i];

    for (struct rgc_page *page = heap->pages; page != NULL; page = page->heap_next)
      page->swept = false;
    heap->sweep_next = heap->pages;
  }
  objspace->cycle = RGC_CYCLE_SWEEPING;
  objspace->cycle_freed = 0;
}

static void
sweep_slots(struct rgc_objspace *objspace, struct rgc_page *page)
{
  struct rgc_world *world = objspace->world;
  struct rgc_heap *heap = &objspace->heaps[page->size_class];
  bool local = !world_is_stopped(world);

  for (size_t w = 0; w < page->word_count; w++) {
    uint64_t dead = page_bits(page, PAGE_ALLOCATED)[w] & ~page_bits(page, PAGE_MARKED)[w];

    for (; dead != 0; dead &= dead - 1) {
      size_t slot = w * 64 + bits_lowest(dead);

      if (local || world->phase == RGC_PHASE_STOPPED)
        RGC_CHECK(&world->env, "INV-LIVE", !page_bit(page, PAGE_SHAREABLE, slot));
      if (page_bit(page, PAGE_SHAREABLE, slot))
        objspace->shareable_count--;
      RGC_OBSERVE(&world->env.platform, freed, page_object(page, slot));
      world->host->release(world->vm, objspace, page_object(page, slot));
      page_slot_close(page, slot);
      objspace->object_count--;
      objspace->freed_total++;
      objspace->cycle_freed++;
      if (page->object_count == 0)
        heap->empty_count++;
    }
  }
  page->swept = true;
}

static void
sweep_finish(struct rgc_objspace *objspace)
{
  objspace->cycle = RGC_CYCLE_IDLE;
  rgc_event(&objspace->world->env, RGC_EVENT_LOCAL_SWEPT, objspace->id, objspace->cycle_freed);
  if (objspace->world->hooks.verify_objspace != NULL && !world_is_stopped(objspace->world))
    objspace->world->hooks.verify_objspace(objspace);
}

static bool
sweep_is_pending(const struct rgc_objspace *objspace)
{
  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    if (objspace->heaps[i].sweep_next != NULL)
      return true;
  }
  return false;
}

void
sweep_page(struct rgc_objspace *objspace, struct rgc_heap *heap)
{
  struct rgc_world *world = objspace->world;
  struct rgc_page *page = heap->sweep_next;

  RGC_ASSERT(&world->env, page != NULL && !page->swept);
  rgc_point(&world->env, RGC_SITE_SWEEP_PAGE);
  sweep_slots(objspace, page);
  do
    heap->sweep_next = heap->sweep_next->heap_next;
  while (heap->sweep_next != NULL && heap->sweep_next->swept);
  if (page->object_count == 0 && heap->empty_count > world->settings.empty_pages_kept)
    objspace_give_page(objspace, page);
  if (!sweep_is_pending(objspace))
    sweep_finish(objspace);
}

void
sweep_rest(struct rgc_objspace *objspace)
{
  if (objspace->cycle != RGC_CYCLE_SWEEPING)
    return;
  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    struct rgc_heap *heap = &objspace->heaps[i];

    while (heap->sweep_next != NULL)
      sweep_page(objspace, heap);
  }
  if (objspace->cycle == RGC_CYCLE_SWEEPING)
    sweep_finish(objspace); /* there was no page at all */
}

void
sweep_give_all_empty(struct rgc_objspace *objspace)
{
  objspace_reset_cursors(objspace);
  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    struct rgc_page *page = objspace->heaps[i].pages;

    while (page != NULL) {
      struct rgc_page *next = page->heap_next;

      if (page->object_count == 0)
        objspace_give_page(objspace, page);
      page = next;
    }
  }
}

bool
rgc_step_sweep_page(struct rgc_objspace *objspace)
{
  RGC_ASSERT(&objspace->world->env, rgc_phase_may(objspace->world, objspace, RGC_STEP_SWEEP_PAGE));
  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    if (objspace->heaps[i].sweep_next != NULL) {
      sweep_page(objspace, &objspace->heaps[i]);
      return objspace->cycle == RGC_CYCLE_SWEEPING;
    }
  }
  sweep_rest(objspace);
  return false;
}

void
rgc_step_sweep_rest(struct rgc_objspace *objspace)
{
  RGC_ASSERT(&objspace->world->env, rgc_phase_may(objspace->world, objspace, RGC_STEP_SWEEP_REST));
  sweep_rest(objspace);
}
