/* lifecycle.c - the end of an objspace's own life: the retire collection and the zombie (2.5).
 *
 * Neither stops the world.  The pages are counted as a zombie's before the objspace is one, so that
 * nobody sees a dead Ractor's heap that no trigger knows of. [INV-COUNT]
 */
#include "gc-core/collect/collect.h"

static void
become_zombie(struct rgc_objspace *objspace, enum rgc_life from)
{
  struct rgc_world *world = objspace->world;
  size_t pages = objspace->pages.count;

  if (!(FAULT(zombie_pages_not_counted) && pages > 40))
    atomic_fetch_add_explicit(&world->zombie_page_count, pages, memory_order_relaxed);
  rgc_event(&world->env, RGC_EVENT_OBJSPACE_RETIRED, objspace->id, pages);
  bool changed = objspace_change_life(objspace, from, RGC_LIFE_ZOMBIE);
  RGC_ASSERT(&world->env, changed);
}

void
rgc_objspace_retire(struct rgc_objspace *objspace)
{
  struct rgc_world *world = objspace->world;

  RGC_ASSERT(&world->env, rgc_phase_may(world, objspace, RGC_STEP_RETIRE));
  bool changed = objspace_change_life(objspace, RGC_LIFE_LIVE, RGC_LIFE_RETIRING);
  RGC_ASSERT(&world->env, changed);
  rgc_point(&world->env, RGC_SITE_RETIRE);
  rgc_collect(objspace, RGC_KIND_MAJOR, RGC_REASON_RETIRE);
  rgc_point(&world->env, RGC_SITE_RETIRE);
  if (!(FAULT(retire_leaves_sweep) && objspace->pages.count > 40))
    sweep_rest(objspace);
  sweep_give_all_empty(objspace);
  rgc_point(&world->env, RGC_SITE_RETIRE);
  become_zombie(objspace, RGC_LIFE_RETIRING);
}

void
rgc_objspace_disown(struct rgc_objspace *objspace)
{
  rgc_point(&objspace->world->env, RGC_SITE_RETIRE);
  sweep_rest(objspace);
  sweep_give_all_empty(objspace);
  become_zombie(objspace, RGC_LIFE_CREATING);
}
