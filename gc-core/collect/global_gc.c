/* global_gc.c - the stop-the-world collection of all objspaces as one heap (2.4).
 *
 * Seven steps, in this order, each a function of its name, each followed by the verifier:
 * settle, clear, mark, weak, sweep, budget, recount.  The driver's thread runs all of them; it
 * walks the registry, which holds every objspace in every life [INV-REGISTRY].
 */
#include "gc-core/collect/collect.h"

/* 1. Finish every lazy sweep, so that mark bits have a single meaning. [INV-SETTLED] */
static void
global_gc_settle_stw(struct rgc_world *world)
{
  for (struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    RGC_CHECK(&world->env, "INV-NOSTOP", o->cycle != RGC_CYCLE_MARKING);
    if (FAULT(settle_forgets_largest) && o->pages.count > 19 && o->heaps[0].sweep_next == NULL &&
        o->heaps[1].sweep_next == NULL && o->heaps[2].sweep_next == NULL)
      continue;
    sweep_rest(o);
    objspace_reset_cursors(o);
  }
}

/* 2. Clear mark bits, remembered sets, ages and shref bits: the only place where a shref bit may be
 * dropped while its object lives. [INV-CLEARED] */
static void
global_gc_clear_stw(struct rgc_world *world)
{
  for (struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    if (FAULT(clear_skips_zombies) && o->life == RGC_LIFE_ZOMBIE && o->shareable_count > 28 &&
        o->pages.count > 16)
      continue;
    for (size_t i = 0; i < o->pages.count; i++) {
      struct rgc_page *page = o->pages.pages[i];

      for (size_t w = 0; w < page->word_count; w++) {
        page_bits(page, PAGE_MARKED)[w] = 0;
        page_bits(page, PAGE_AGE_LOW)[w] = 0;
        page_bits(page, PAGE_AGE_HIGH)[w] = 0;
        if (!(FAULT(shref_clear_skipped) && w > 0 && o->pages.count > 16 && page->size_class > 0))
          page_bits(page, PAGE_SHREF)[w] = 0;
        atomic_store_explicit(&page->remembered[w], 0, memory_order_relaxed);
      }
    }
  }
}

/* 3. Mark from every Ractor's roots, crossing objspaces; shrefs and pins are re-derived. */
static void
global_gc_mark_stw(struct rgc_world *world)
{
  struct rgc_walk walk;

  mark_begin_global_stw(&walk, world, world->driver);
  world->host->visit_roots(world->vm, NULL, &walk);
  mark_drain_all(&walk);
}

static enum rgc_verdict
weak_verdict(void *arg, rgc_ref *entry)
{
  const struct rgc_world *world = arg;
  const struct rgc_page *page = world_page_of(world, *entry);

  if (FAULT(weak_rows_of_zombies_kept) && page->ordinal >= 36 &&
      page_owner(page)->life == RGC_LIFE_ZOMBIE)
    return RGC_KEEP;
  return page_bit(page, PAGE_MARKED, page_slot_of(page, *entry)) ? RGC_KEEP : RGC_DROP;
}

/* 4. Each weak table once, not once an objspace. */
static void
global_gc_weak_stw(struct rgc_world *world)
{
  size_t count = world->host->weak_table_count(world->vm);

  for (size_t table = 0; table < count; table++)
    world->host->weak_table_sweep(world->vm, table, weak_verdict, world);
}

/* 5. Sweep inside the barrier: the only place where shareables and cycles across objspaces die.
 * Emptied pages return to the pool. */
static void
global_gc_sweep_stw(struct rgc_world *world)
{
  for (struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    if (FAULT(sweep_skips_zombies) && o->life == RGC_LIFE_ZOMBIE && o->pages.count > 16)
      continue;
    sweep_begin(o);
    sweep_rest(o);
  }
}

static bool
heap_has_room(const struct rgc_heap *heap)
{
  if (heap->page_count < heap->page_budget)
    return true;
  for (const struct rgc_page *page = heap->pages; page != NULL; page = page->heap_next) {
    if (page->object_count < page->slot_count)
      return true;
  }
  return false;
}

/* 6. A heap left without a free slot gets the growth that a local full mark would have granted.
 * [INV-BUDGET] */
static void
global_gc_budget_stw(struct rgc_world *world)
{
  for (struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
      if (!heap_has_room(&o->heaps[i]) && !(FAULT(budget_skipped) && o->heaps[i].page_count > 16))
        heap_grant_budget(o, &o->heaps[i]);
    }
  }
}

static void
recount_objspace(struct rgc_objspace *objspace)
{
  const struct rgc_settings *settings = &objspace->world->settings;
  size_t shareables = 0;

  for (size_t i = 0; i < objspace->pages.count; i++) {
    const struct rgc_page *page = objspace->pages.pages[i];

    for (size_t w = 0; w < page->word_count; w++)
      shareables += bits_count(page_bits_const(page, PAGE_SHAREABLE)[w]);
  }
  RGC_CHECK(&objspace->world->env, "INV-COUNT", shareables == objspace->shareable_count);
  objspace->retained_shareable_count = 0;
  objspace->old_count = 0;
  objspace->old_limit = settings->old_limit_min;
  objspace->malloc_due = false;
  objspace->malloc_increase = 0;
  objspace->need_full_mark = false;
  objspace->absorbed_since_full = false;
  if (FAULT(recount_skipped) && shareables > 150)
    return;
  size_t limit = shareables * (100 + settings->shareable_growth_percent) / 100;
  objspace->shareable_limit = limit > settings->shareable_limit ? limit : settings->shareable_limit;
}

/* 7. Populations and trigger limits, each objspace's and the zombies'. */
static void
global_gc_recount_stw(struct rgc_world *world)
{
  size_t zombie_pages = 0;
  size_t live = 0;

  for (struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    recount_objspace(o);
    live += o->life == RGC_LIFE_LIVE;
    if (o->life == RGC_LIFE_ZOMBIE)
      zombie_pages += o->pages.count;
  }
  atomic_store_explicit(&world->zombie_page_count, zombie_pages, memory_order_relaxed);
  if (!(FAULT(zombie_base_not_raised) && zombie_pages > 12))
    atomic_store_explicit(&world->zombie_page_base, zombie_pages, memory_order_relaxed);
  world->global_count++;
  world->global_with_two_live += live >= 2;
}

static const struct {
  enum rgc_step step;
  enum rgc_phase done;
  void (*run)(struct rgc_world *world);
} global_steps[] = {
    {RGC_STEP_SETTLE, RGC_PHASE_SETTLED, global_gc_settle_stw},
    {RGC_STEP_CLEAR, RGC_PHASE_CLEARED, global_gc_clear_stw},
    {RGC_STEP_MARK, RGC_PHASE_MARKED, global_gc_mark_stw},
    {RGC_STEP_WEAK, RGC_PHASE_WEAK_DONE, global_gc_weak_stw},
    {RGC_STEP_SWEEP, RGC_PHASE_SWEPT, global_gc_sweep_stw},
    {RGC_STEP_BUDGET, RGC_PHASE_BUDGETED, global_gc_budget_stw},
    {RGC_STEP_RECOUNT, RGC_PHASE_RECOUNTED, global_gc_recount_stw},
};

enum { GLOBAL_STEP_COUNT = sizeof global_steps / sizeof global_steps[0] };

void
rgc_step_global(struct rgc_world *world, enum rgc_step step)
{
  struct rgc_env *env = &world->env;
  size_t at = 0;

  RGC_ASSERT(env, world_is_stopped(world));
  RGC_ASSERT(env, rgc_phase_may(world, NULL, step));
  while (at < GLOBAL_STEP_COUNT && global_steps[at].step != step)
    at++;
  RGC_ASSERT(env, at < GLOBAL_STEP_COUNT);
  if (at == 0 && world->hooks.verify_world_stw != NULL)
    world->hooks.verify_world_stw(world);
  global_steps[at].run(world);
  world_set_phase_stw(world, global_steps[at].done);
  rgc_event(env, RGC_EVENT_GLOBAL_STEP, global_steps[at].done, world->next_id);
  if (world->hooks.verify_world_stw != NULL &&
      (world->hooks.verify_phases || at == GLOBAL_STEP_COUNT - 1))
    world->hooks.verify_world_stw(world);
  rgc_point(env, RGC_SITE_PHASE);
}

void
global_gc_run(struct rgc_objspace *driver, enum rgc_reason reason)
{
  rgc_world_stop(driver, reason);
  for (size_t at = 0; at < GLOBAL_STEP_COUNT; at++)
    rgc_step_global(driver->world, global_steps[at].step);
  rgc_world_resume(driver);
}
