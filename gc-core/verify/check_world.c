/* check_world.c - the stopped world: registry, index, pool, phase promises, every objspace. */
#include "gc-core/verify/check.h"

static void
check_registry(struct rgc_world *world)
{
  size_t zombie_pages = 0;
  unsigned last = world->next_id;

  for (struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    RGC_CHECK(&world->env, "INV-REGISTRY", o->id < last);
    RGC_CHECK(&world->env, "INV-REGISTRY",
              o->life != RGC_LIFE_ABSORBING && o->life != RGC_LIFE_RETIRING);
    RGC_CHECK(&world->env, "INV-NOSTOP", o->cycle != RGC_CYCLE_MARKING);
    last = o->id;
    if (o->life == RGC_LIFE_ZOMBIE)
      zombie_pages += o->pages.count;
  }
  /* While a global sweep frees zombies' pages the counter waits for the recount. */
  if (world->phase <= RGC_PHASE_WEAK_DONE || world->phase == RGC_PHASE_RECOUNTED)
    RGC_CHECK(&world->env, "INV-COUNT",
              zombie_pages ==
                  atomic_load_explicit(&world->zombie_page_count, memory_order_relaxed));
}

static void
check_index_and_pool(struct rgc_world *world)
{
  const struct page_table *index = &world->index.table;
  size_t pages = 0;

  for (struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    for (size_t i = 0; i < o->pages.count; i++) {
      struct rgc_page *page = o->pages.pages[i];

      RGC_CHECK(&world->env, "INV-INDEX",
                page_table_find(index, world->settings.page_size, page->body) == page);
      RGC_CHECK(&world->env, "INV-POOL", !page_pool_holds_stw(&world->pool, page->body));
    }
    pages += o->pages.count;
  }
  RGC_CHECK(&world->env, "INV-INDEX", pages == index->count);
  RGC_CHECK(&world->env, "INV-POOL", pages == world->pool.used_count);
  RGC_CHECK(&world->env, "INV-POOL",
            world->pool.used_count + world->pool.free_count ==
                world->pool.arena_count * world->pool.arena_pages);
}

static void
check_phase_of_page(struct rgc_world *world, struct rgc_page *page)
{
  if (world->phase >= RGC_PHASE_SETTLED && world->phase <= RGC_PHASE_WEAK_DONE)
    RGC_CHECK(&world->env, "INV-SETTLED", page->swept);
  for (size_t w = 0; w < page->word_count; w++) {
    uint64_t marked = page_bits(page, PAGE_MARKED)[w];

    if (world->phase == RGC_PHASE_CLEARED) {
      uint64_t left = marked | page_bits(page, PAGE_SHREF)[w] | page_bits(page, PAGE_AGE_LOW)[w] |
                      page_bits(page, PAGE_AGE_HIGH)[w] |
                      atomic_load_explicit(&page->remembered[w], memory_order_relaxed);
      RGC_CHECK(&world->env, "INV-CLEARED", left == 0);
    }
    if (world->phase >= RGC_PHASE_SWEPT)
      RGC_CHECK(&world->env, "INV-SWEPT", (page_bits(page, PAGE_ALLOCATED)[w] & ~marked) == 0);
  }
}

static void
check_budget(struct rgc_objspace *objspace)
{
  struct rgc_world *world = objspace->world;

  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    const struct rgc_heap *heap = &objspace->heaps[i];
    bool room = heap->page_count < heap->page_budget;

    for (const struct rgc_page *page = heap->pages; page != NULL; page = page->heap_next)
      room = room || page->object_count < page->slot_count;
    RGC_CHECK(&world->env, "INV-BUDGET", room);
  }
}

/* A limit below what survived would start one global cycle after another. */
static void
check_limit(struct rgc_objspace *objspace)
{
  const struct rgc_settings *settings = &objspace->world->settings;
  size_t grown = objspace->shareable_count * (100 + settings->shareable_growth_percent) / 100;

  RGC_CHECK(&objspace->world->env, "INV-LIMIT",
            objspace->shareable_limit >= grown &&
                objspace->shareable_limit >= settings->shareable_limit);
}

static enum rgc_verdict
weak_row_check(void *arg, rgc_ref *entry)
{
  struct rgc_world *world = arg;
  const struct rgc_page *page = world_page_of(world, *entry);
  size_t slot = page_slot_of(page, *entry);

  if (!page_bit(page, PAGE_ALLOCATED, slot) || !page_bit(page, PAGE_MARKED, slot))
    check_failed(world, "INV-WEAK", __func__, "row of a dead object", (rgc_ref){0}, (rgc_ref){0});
  return RGC_KEEP;
}

static void
check_weak_tables(struct rgc_world *world)
{
  size_t count = world->host->weak_table_count(world->vm);

  for (size_t table = 0; table < count; table++)
    world->host->weak_table_sweep(world->vm, table, weak_row_check, world);
}

static void
any_root_visit(struct rgc_walk *walk, rgc_ref obj)
{
  const struct rgc_page *page = world_page_of(walk->world, obj);
  size_t slot = page_slot_of(page, obj);

  if (slot >= page->slot_count || !page_bit(page, PAGE_ALLOCATED, slot))
    check_failed(walk->world, "INV-EDGE", __func__, "root of a free slot", (rgc_ref){0},
                 (rgc_ref){0});
}

/* What C structures hold in flight is recorded in whatever objspace owns it. [INV-PIN] */
static void
in_flight_visit(struct rgc_walk *walk, rgc_ref obj)
{
  const struct rgc_page *page = world_page_of(walk->world, obj);
  size_t slot = page_slot_of(page, obj);

  any_root_visit(walk, obj);
  if (walk->world->phase != RGC_PHASE_CLEARED && !page_bit(page, PAGE_SHAREABLE, slot) &&
      !page_bit(page, PAGE_SHREF, slot))
    check_failed(walk->world, "INV-PIN", __func__, "in flight and not pinned", (rgc_ref){0}, obj);
}

static void
check_all_roots(struct rgc_world *world)
{
  struct rgc_walk walk = {.world = world, .visit = any_root_visit, .visit_pinned = in_flight_visit};

  world->host->visit_roots(world->vm, NULL, &walk);
}

static void
verify_world_stw(struct rgc_world *world)
{
  check_all_roots(world);
  check_registry(world);
  check_index_and_pool(world);
  for (struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    for (size_t i = 0; i < o->pages.count; i++)
      check_phase_of_page(world, o->pages.pages[i]);
    check_tables(o);
    check_edges(o);
    check_roots(o);
    if (world->phase >= RGC_PHASE_BUDGETED)
      check_budget(o);
    if (world->phase == RGC_PHASE_RECOUNTED)
      check_limit(o);
  }
  if (world->phase >= RGC_PHASE_WEAK_DONE)
    check_weak_tables(world);
}

void
rgc_verify_world_stw(struct rgc_world *world)
{
  RGC_ASSERT(&world->env, world_is_stopped(world));
  world->env.platform.ops->oracle_begin(world->env.platform.self);
  verify_world_stw(world);
  world->env.platform.ops->oracle_end(world->env.platform.self);
}

void
rgc_verify_objspace(struct rgc_world *world, struct rgc_objspace *objspace)
{
  RGC_ASSERT(&world->env, objspace->cycle != RGC_CYCLE_MARKING);
  world->env.platform.ops->oracle_begin(world->env.platform.self);
  check_tables(objspace);
  check_edges(objspace);
  check_roots(objspace);
  world->env.platform.ops->oracle_end(world->env.platform.self);
}

static void
hook_verify_objspace(struct rgc_objspace *objspace)
{
  rgc_verify_objspace(objspace->world, objspace);
}

void
rgc_verify_install(struct rgc_world *world, enum rgc_verify_level level)
{
  if (level == RGC_VERIFY_OFF)
    return;
  world->hooks.verify_objspace = hook_verify_objspace;
  world->hooks.verify_world_stw = rgc_verify_world_stw;
  world->hooks.verify_phases = level == RGC_VERIFY_PHASES;
}
