/* trigger.c - which collection runs: every local entry first asks whether a global one is due (2.3
 * "Triggers", 2.4). */
#include "gc-core/collect/collect.h"

enum rgc_reason
trigger_global(const struct rgc_objspace *objspace)
{
  struct rgc_world *world = objspace->world;
  size_t zombies = atomic_load_explicit(&world->zombie_page_count, memory_order_relaxed);
  size_t base = atomic_load_explicit(&world->zombie_page_base, memory_order_relaxed);

  if (objspace->shareable_count > objspace->shareable_limit)
    return RGC_REASON_SHAREABLES;
  /* Against what survived last time, so that a zombie with much live data does not fire for ever.
   */
  if (zombies > base + world->settings.zombie_page_limit)
    return RGC_REASON_ZOMBIES;
  return RGC_REASON_NONE;
}

void
rgc_collect(struct rgc_objspace *objspace, enum rgc_kind kind, enum rgc_reason reason)
{
  struct rgc_env *env = &objspace->world->env;

  RGC_ASSERT(env, objspace->cycle != RGC_CYCLE_MARKING);
  RGC_ASSERT(env, !world_is_stopped(objspace->world));
  if (kind != RGC_KIND_GLOBAL && reason != RGC_REASON_RETIRE) {
    enum rgc_reason global_reason = trigger_global(objspace);

    if (global_reason != RGC_REASON_NONE) {
      global_gc_run(objspace, global_reason);
      return;
    }
  }
  if (kind == RGC_KIND_GLOBAL)
    global_gc_run(objspace, reason);
  else
    local_gc_run(objspace, kind);
}
