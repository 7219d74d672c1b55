/* local_gc.c - the collection of one objspace by its owner, while others run (2.3).
 *
 * A classic generational collector, plus three rules: never free a shareable object
 * (mark_pinned_shareables), treat shrefs as roots (mark_shrefs), never touch a foreign object's
 * state (mark_visit_local).  It takes no lock but leaf locks and never waits for another Ractor.
 */
#include "gc-core/collect/collect.h"

static void
clear_for_minor(struct rgc_page *page)
{
  uint64_t *marked = page_bits(page, PAGE_MARKED);

  /* Old objects stay marked: a minor cycle neither frees nor traverses them. */
  for (size_t w = 0; w < page->word_count; w++)
    marked[w] = page_bits(page, PAGE_AGE_LOW)[w] & page_bits(page, PAGE_AGE_HIGH)[w];
}

static void
clear_for_major(struct rgc_page *page)
{
  for (size_t w = 0; w < page->word_count; w++) {
    page_bits(page, PAGE_MARKED)[w] = 0;
    atomic_store_explicit(&page->remembered[w], 0, memory_order_relaxed);
  }
}

static void
count_survivors(struct rgc_objspace *objspace)
{
  objspace->old_count = 0;
  for (size_t i = 0; i < objspace->pages.count; i++) {
    struct rgc_page *page = objspace->pages.pages[i];

    for (size_t w = 0; w < page->word_count; w++)
      objspace->old_count +=
          bits_count(page_bits(page, PAGE_AGE_LOW)[w] & page_bits(page, PAGE_AGE_HIGH)[w] &
                     page_bits(page, PAGE_MARKED)[w]);
  }
}

void
rgc_step_local_start(struct rgc_objspace *objspace, enum rgc_kind kind)
{
  struct rgc_world *world = objspace->world;
  struct rgc_walk walk;

  RGC_ASSERT(&world->env, rgc_phase_may(world, objspace, RGC_STEP_LOCAL_START));
  sweep_rest(objspace);
  if (world->hooks.verify_objspace != NULL)
    world->hooks.verify_objspace(objspace);
  objspace->cycle = RGC_CYCLE_MARKING;
  objspace->cycle_major = kind != RGC_KIND_MINOR || objspace->need_full_mark;
  rgc_event(&world->env, RGC_EVENT_LOCAL_BEGIN, objspace->id, objspace->cycle_major);
  objspace_reset_cursors(objspace);
  bool keep_old = !objspace->cycle_major || (FAULT(major_keeps_old) && objspace->old_count > 280 &&
                                             !objspace->absorbed_since_full);
  for (size_t i = 0; i < objspace->pages.count; i++) {
    if (!keep_old)
      clear_for_major(objspace->pages.pages[i]);
    else
      clear_for_minor(objspace->pages.pages[i]);
  }
  mark_begin_local(&walk, objspace);
  world->host->visit_roots(world->vm, objspace, &walk);
  if (keep_old)
    mark_remembered(&walk);
  mark_shrefs(&walk);
}

bool
rgc_step_local_mark(struct rgc_objspace *objspace, size_t object_limit)
{
  struct rgc_walk walk;

  RGC_ASSERT(&objspace->world->env, rgc_phase_may(objspace->world, objspace, RGC_STEP_LOCAL_MARK));
  mark_begin_local(&walk, objspace);
  return mark_drain(&walk, object_limit);
}

static bool
heap_is_tight(const struct rgc_objspace *objspace, const struct rgc_heap *heap)
{
  size_t slots = 0;
  size_t live = 0;

  for (struct rgc_page *page = heap->pages; page != NULL; page = page->heap_next) {
    slots += page->slot_count;
    for (size_t w = 0; w < page->word_count; w++)
      live += bits_count(page_bits(page, PAGE_MARKED)[w]);
  }
  return (slots - live) * 100 < slots * objspace->world->settings.free_percent_wanted;
}

void
heap_grant_budget(struct rgc_objspace *objspace, struct rgc_heap *heap)
{
  size_t growth = heap->page_count * objspace->world->settings.growth_percent / 100;
  size_t wanted = heap->page_count + (growth == 0 ? 1 : growth);

  if (heap->page_budget < wanted)
    heap->page_budget = wanted;
}

static void
finish_major(struct rgc_objspace *objspace)
{
  const struct rgc_settings *settings = &objspace->world->settings;
  size_t limit = objspace->old_count * settings->old_limit_percent / 100;

  objspace->need_full_mark = false;
  objspace->absorbed_since_full = false;
  objspace->old_limit = limit > settings->old_limit_min ? limit : settings->old_limit_min;
  objspace->major_count++;
  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    if (heap_is_tight(objspace, &objspace->heaps[i]))
      heap_grant_budget(objspace, &objspace->heaps[i]);
  }
}

void
rgc_step_local_finish(struct rgc_objspace *objspace)
{
  struct rgc_world *world = objspace->world;
  struct rgc_walk walk;

  RGC_ASSERT(&world->env, rgc_phase_may(world, objspace, RGC_STEP_LOCAL_FINISH));
  mark_begin_local(&walk, objspace);
  mark_drain_all(&walk);
  mark_pinned_shareables(&walk);
  RGC_CHECK(&world->env, "INV-ABSORB-FULL",
            objspace->cycle_major || !objspace->absorbed_since_full);
  count_survivors(objspace);
  objspace->malloc_due = false;
  objspace->malloc_increase = 0;
  if (objspace->cycle_major) {
    finish_major(objspace);
  } else {
    objspace->minor_count++;
    if (objspace->old_count > objspace->old_limit)
      objspace->need_full_mark = true;
  }
  sweep_begin(objspace);
  rgc_event(&world->env, RGC_EVENT_LOCAL_MARKED, objspace->id, objspace->old_count);
  if (world->hooks.verify_objspace != NULL)
    world->hooks.verify_objspace(objspace);
}

void
local_gc_run(struct rgc_objspace *objspace, enum rgc_kind kind)
{
  rgc_step_local_start(objspace, kind);
  rgc_step_local_finish(objspace);
}
