/* absorb.c - taking over a dead Ractor's heap (2.5 "Inheritance").
 *
 * Pages are spliced into the taker's heaps, sorted by body address, and change owner one by one
 * [INV-OWNER]; counters are added; the next collection is forced to be full, which rebuilds the
 * generational state [INV-ABSORB-FULL].  Other Ractors run meanwhile and may read a page's owner or
 * remember a shareable of the dead heap; the world cannot stop in between, since the taker does not
 * park here.
 */
#include "gc-core/collect/collect.h"

static void
splice_pages(struct rgc_objspace *taker, struct rgc_objspace *dead)
{
  struct rgc_world *world = taker->world;

  while (dead->pages.count > 0) {
    struct rgc_page *page = dead->pages.pages[dead->pages.count - 1];

    rgc_point(&world->env, RGC_SITE_ABSORB);
    heap_unlink_page(dead, page);
    if (!(FAULT(absorb_keeps_owner) && dead->pages.count == 40))
      page_set_owner(page, taker);
    heap_link_page(taker, page);
    if (FAULT(absorb_unsorted) && dead->pages.count == 40 && taker->pages.count > 1) {
      struct rgc_page **last = &taker->pages.pages[taker->pages.count - 1];
      struct rgc_page *swapped = last[0];
      last[0] = last[-1];
      last[-1] = swapped;
    }
    atomic_fetch_add_explicit(&world->pages_moved, 1, memory_order_relaxed);
  }
}

static void
add_counters(struct rgc_objspace *taker, const struct rgc_objspace *dead)
{
  taker->object_count += dead->object_count;
  if (!(FAULT(absorb_loses_shareables) && dead->shareable_count > 240))
    taker->shareable_count += dead->shareable_count;
  taker->old_count += dead->old_count;
  if (!(FAULT(absorb_loses_malloc) && dead->malloc_bytes > 50000))
    taker->malloc_bytes += dead->malloc_bytes;
  taker->malloc_increase += dead->malloc_increase;
  taker->allocated_total += dead->allocated_total;
  taker->freed_total += dead->freed_total;
  taker->minor_count += dead->minor_count;
  taker->major_count += dead->major_count;
}

enum rgc_status
rgc_objspace_absorb(struct rgc_objspace *taker, struct rgc_objspace *dead)
{
  struct rgc_world *world = taker->world;

  RGC_ASSERT(&world->env, taker != dead && !world_is_stopped(world));
  RGC_ASSERT(&world->env, taker->cycle != RGC_CYCLE_MARKING);
  rgc_point(&world->env, RGC_SITE_ABSORB);
  if (!objspace_change_life(dead, RGC_LIFE_ZOMBIE, RGC_LIFE_ABSORBING))
    return RGC_TAKEN;
  size_t page_count = dead->pages.count;
  if (!page_table_reserve(&taker->pages, &world->env, page_count)) {
    objspace_change_life(dead, RGC_LIFE_ABSORBING, RGC_LIFE_ZOMBIE);
    return RGC_OUT_OF_MEMORY;
  }
  RGC_CHECK(&world->env, "INV-SETTLED", dead->cycle == RGC_CYCLE_IDLE);
  sweep_rest(taker);
  objspace_reset_cursors(taker);
  splice_pages(taker, dead);
  add_counters(taker, dead);
  taker->need_full_mark = !(FAULT(absorb_skips_full_mark) && taker->old_count > 300);
  taker->absorbed_since_full = true;
  if (!(FAULT(absorb_keeps_zombie_pages) && page_count > 40))
    atomic_fetch_sub_explicit(&world->zombie_page_count, page_count, memory_order_relaxed);
  rgc_point(&world->env, RGC_SITE_ABSORB);
  rgc_event(&world->env, RGC_EVENT_ABSORBED, taker->id, dead->id);
  objspace_free(dead);
  return RGC_OK;
}
