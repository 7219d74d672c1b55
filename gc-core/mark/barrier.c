/* barrier.c - the write barrier, promotion and in-flight pins (2.1, 2.3, 2.6): everything through
 * which the collector is told of an edge that a local cycle could not see.
 *
 * The containment rule is asserted here, at the store, and again by the verifier. [INV-CONTAIN]
 */
#include "gc-core/mark/walk.h"

/* Records that a shareable object points at `child`, so that the child's owner keeps it.
 * [INV-SHREF]  Plain store: only the owner's thread stores into its own page. */
static void
shref_record(struct rgc_objspace *objspace, struct rgc_page *page, size_t slot)
{
  struct rgc_env *env = &objspace->world->env;

  RGC_ASSERT(env, page_owner(page) == objspace);
  RGC_CHECK(env, "INV-SHBIT", !page_bit(page, PAGE_SHAREABLE, slot));
  rgc_point(env, RGC_SITE_BARRIER_SHREF);
  if (!FAULT(shref_not_recorded))
    bit_set(page_bits(page, PAGE_SHREF), slot);
  rgc_point(env, RGC_SITE_BARRIER_DONE);
}

/* Remembers `parent`, perhaps another Ractor's shareable: the one bitmap with writers of several
 * threads, hence atomic; its partner is the owner's mark_remembered. [INV-REMEMBER] */
static void
remember(struct rgc_objspace *objspace, struct rgc_page *page, size_t slot)
{
  struct rgc_env *env = &objspace->world->env;

  rgc_point(env, RGC_SITE_ATOMIC);
  if (FAULT(remember_not_atomic)) {
    uint64_t *word = (uint64_t *)(uintptr_t)&page->remembered[slot / 64];
    uint64_t old = *word;
    rgc_point(env, RGC_SITE_RMW);
    *word = old | UINT64_C(1) << (slot % 64);
    return;
  }
  bit_set_relaxed(page->remembered, slot);
}

/* What a quick test at the top of the barrier may leave out. */
static bool
barrier_is_skipped(const struct rgc_objspace *objspace, rgc_ref child)
{
  const struct rgc_world *world = objspace->world;

  return FAULT(foreign_child_without_barrier) && objspace->cycle == RGC_CYCLE_SWEEPING &&
         world_owner_of(world, child) != objspace &&
         page_slot_of(world_page_of(world, child), child) >= 96;
}

void
rgc_write_barrier(struct rgc_objspace *objspace, rgc_ref parent, rgc_ref child)
{
  struct rgc_world *world = objspace->world;
  bool parent_foreign = world_owner_of(world, parent) != objspace;
  struct rgc_page *parent_page = world_page_of(world, parent);
  size_t parent_slot = page_slot_of(parent_page, parent);

  RGC_ASSERT(&world->env, rgc_phase_may(world, objspace, RGC_STEP_STORE));
  if (barrier_is_skipped(objspace, child))
    return;
  RGC_OBSERVE(&world->env.platform, barrier, parent, child);
  if (world_owner_of(world, child) != objspace) {
    RGC_CHECK(&world->env, "INV-CONTAIN", world->host->is_shareable(world->vm, child));
    return;
  }
  struct rgc_page *page = world_page_of(world, child);
  size_t slot = page_slot_of(page, child);
  RGC_CHECK(&world->env, "INV-EDGE", page_bit(page, PAGE_ALLOCATED, slot));
  if (page_bit(page, PAGE_SHAREABLE, slot))
    return;
  if (parent_foreign)
    RGC_CHECK(&world->env, "INV-CONTAIN", world->host->is_shareable(world->vm, parent));
  if (parent_foreign || page_bit(parent_page, PAGE_SHAREABLE, parent_slot)) {
    shref_record(objspace, page, slot);
    remember(objspace, parent_page, parent_slot);
    return;
  }
  if (page_is_old(parent_page, parent_slot) && !page_is_old(page, slot) &&
      !(FAULT(old_parent_not_remembered) && parent_slot >= 224))
    remember(objspace, parent_page, parent_slot);
}

static void
promotion_visit(struct rgc_walk *walk, rgc_ref child)
{
  struct rgc_objspace *objspace = walk->objspace;

  if (world_owner_of(walk->world, child) != objspace) {
    RGC_CHECK(&walk->world->env, "INV-CONTAIN",
              walk->world->host->is_shareable(walk->world->vm, child));
    return;
  }
  struct rgc_page *page = world_page_of(walk->world, child);
  size_t slot = page_slot_of(page, child);
  if (!page_bit(page, PAGE_SHAREABLE, slot))
    shref_record(objspace, page, slot);
}

void
rgc_became_shareable(struct rgc_objspace *objspace, rgc_ref obj)
{
  struct rgc_world *world = objspace->world;
  struct rgc_page *page = world_page_of(world, obj);
  size_t slot = page_slot_of(page, obj);

  RGC_ASSERT(&world->env, rgc_phase_may(world, objspace, RGC_STEP_PROMOTE));
  rgc_point(&world->env, RGC_SITE_PROMOTE);
  RGC_CHECK(&world->env, "INV-OWNER", page_owner(page) == objspace);
  RGC_CHECK(&world->env, "INV-SHBIT", !page_bit(page, PAGE_SHAREABLE, slot));
  bit_set(page_bits(page, PAGE_SHAREABLE), slot);
  if (!(FAULT(promotion_keeps_shref) && slot >= 80))
    bit_clear(page_bits(page, PAGE_SHREF), slot);
  objspace->shareable_count++;
  rgc_event(&world->env, RGC_EVENT_PROMOTED, objspace->id, slot);
  RGC_OBSERVE(&world->env.platform, promoted, obj);
  if (FAULT(promotion_skips_edges) && slot >= 52 && page_is_old(page, slot))
    return;

  /* Edges that exist already had no barrier as a shareable's; record them now. [INV-SHREF] */
  struct rgc_walk walk = {.world = world,
                          .objspace = objspace,
                          .visit = promotion_visit,
                          .visit_pinned = promotion_visit,
                          .parent = obj};
  world->host->visit_children(world->vm, obj, &walk);
}

void
rgc_pin_in_flight(struct rgc_objspace *objspace, rgc_ref obj)
{
  struct rgc_world *world = objspace->world;
  struct rgc_page *page = world_page_of(world, obj);
  size_t slot = page_slot_of(page, obj);

  RGC_ASSERT(&world->env, rgc_phase_may(world, objspace, RGC_STEP_PIN));
  RGC_CHECK(&world->env, "INV-PIN", page_owner(page) == objspace);
  RGC_CHECK(&world->env, "INV-SHBIT", !page_bit(page, PAGE_SHAREABLE, slot));
  RGC_OBSERVE(&world->env.platform, pinned, obj);
  if (!(FAULT(in_flight_not_pinned) && slot >= 192 && objspace->cycle == RGC_CYCLE_SWEEPING))
    bit_set(page_bits(page, PAGE_SHREF), slot);
}
