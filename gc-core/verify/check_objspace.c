/* check_objspace.c - one objspace: tables, bits, counters, edges, roots. */
#include "gc-core/verify/check.h"

bool
check_slot_is_live(const struct rgc_page *page, size_t slot)
{
  return page_bit(page, PAGE_ALLOCATED, slot) && (page->swept || page_bit(page, PAGE_MARKED, slot));
}

static void
check_page_bits(struct rgc_objspace *objspace, struct rgc_page *page)
{
  struct rgc_world *world = objspace->world;
  size_t objects = 0;

  for (size_t w = 0; w < page->word_count; w++) {
    uint64_t allocated = page_bits(page, PAGE_ALLOCATED)[w];
    uint64_t shareable = page_bits(page, PAGE_SHAREABLE)[w];
    uint64_t shref = page_bits(page, PAGE_SHREF)[w];
    uint64_t age = page_bits(page, PAGE_AGE_LOW)[w] | page_bits(page, PAGE_AGE_HIGH)[w];

    objects += bits_count(allocated);
    RGC_CHECK(&world->env, "INV-SHBIT", ((shareable | shref | age) & ~allocated) == 0);
    RGC_CHECK(&world->env, "INV-SHBIT", (shareable & shref) == 0);
    if (!page->swept && !world_is_stopped(world))
      RGC_CHECK(&world->env, "INV-LIVE", (shareable & ~page_bits(page, PAGE_MARKED)[w]) == 0);
  }
  RGC_CHECK(&world->env, "INV-COUNT", objects == page->object_count);
}

static void
check_flags(struct rgc_objspace *objspace, struct rgc_page *page, size_t *shareables)
{
  struct rgc_world *world = objspace->world;

  for (size_t w = 0; w < page->word_count; w++)
    *shareables += bits_count(page_bits(page, PAGE_SHAREABLE)[w]);
  PAGE_EACH (page, PAGE_ALLOCATED, slot) {
    bool bit = page_bit(page, PAGE_SHAREABLE, slot);

    if (!check_slot_is_live(page, slot))
      continue;
    if (world->host->is_shareable(world->vm, page_object(page, slot)) != bit)
      check_failed(world, "INV-SHBIT", __func__, "shareable bit and host flag differ", (rgc_ref){0},
                   page_object(page, slot));
  }
}

static void
check_heap(struct rgc_objspace *objspace, unsigned size_class)
{
  struct rgc_world *world = objspace->world;
  const struct rgc_heap *heap = &objspace->heaps[size_class];
  size_t count = 0;
  size_t empty = 0;
  uintptr_t last = 0;

  for (const struct rgc_page *page = heap->pages; page != NULL; page = page->heap_next) {
    RGC_CHECK(&world->env, "INV-OWNER", page->body > last);
    RGC_CHECK(&world->env, "INV-OWNER", page->size_class == size_class);
    RGC_CHECK(&world->env, "INV-OWNER",
              page_table_find(&objspace->pages, world->settings.page_size, page->body) == page);
    last = page->body;
    count++;
    empty += page->object_count == 0;
  }
  RGC_CHECK(&world->env, "INV-COUNT", count == heap->page_count);
  RGC_CHECK(&world->env, "INV-COUNT", empty == heap->empty_count);
}

void
check_tables(struct rgc_objspace *objspace)
{
  struct rgc_world *world = objspace->world;
  size_t pages = 0;
  size_t objects = 0;
  size_t shareables = 0;

  for (size_t i = 0; i < objspace->pages.count; i++) {
    struct rgc_page *page = objspace->pages.pages[i];

    RGC_CHECK(&world->env, "INV-INDEX", i == 0 || objspace->pages.pages[i - 1]->body < page->body);
    RGC_CHECK(&world->env, "INV-OWNER", page_owner(page) == objspace);
    check_page_bits(objspace, page);
    check_flags(objspace, page, &shareables);
    objects += page->object_count;
  }
  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    check_heap(objspace, i);
    pages += objspace->heaps[i].page_count;
  }
  RGC_CHECK(&world->env, "INV-COUNT", pages == objspace->pages.count);
  RGC_CHECK(&world->env, "INV-COUNT", objects == objspace->object_count);
  RGC_CHECK(&world->env, "INV-COUNT", shareables == objspace->shareable_count);
}

/* Containment and reachability bits of one edge parent -> child. */
static void
edge_visit(struct rgc_walk *walk, rgc_ref child)
{
  struct rgc_world *world = walk->world;
  struct rgc_objspace *objspace = walk->objspace;

  if (world_owner_of(world, child) != objspace) {
    if (!walk->parent_shareable && !world->host->is_shareable(world->vm, child))
      check_failed(world, "INV-CONTAIN", __func__, "private object of another objspace",
                   walk->parent, child);
    if (!world_is_stopped(world))
      return;
  }
  struct rgc_page *page = world_page_of(world, child);
  size_t slot = page_slot_of(page, child);
  if (slot >= page->slot_count || !page_bit(page, PAGE_ALLOCATED, slot))
    check_failed(world, "INV-EDGE", __func__, "edge to a free slot", walk->parent, (rgc_ref){0});
  if (world->phase >= RGC_PHASE_MARKED && !page_bit(page, PAGE_MARKED, slot))
    check_failed(world, "INV-MARK", __func__, "unmarked child", walk->parent, child);
  if (page_bit(page, PAGE_SHAREABLE, slot))
    return;
  if (walk->parent_shareable) {
    if (world->phase == RGC_PHASE_CLEARED)
      check_exempted(world, EXEMPT_CLEARED_SHREF);
    else if (!page_bit(page, PAGE_SHREF, slot))
      check_failed(world, "INV-SHREF", __func__, "shref not recorded", walk->parent, child);
    return;
  }
  walk->young_child |= !page_is_old(page, slot);
}

static void
check_object_edges(struct rgc_walk *walk, struct rgc_page *page, size_t slot)
{
  struct rgc_world *world = walk->world;
  rgc_ref obj = page_object(page, slot);

  walk->parent = obj;
  walk->parent_shareable = page_bit(page, PAGE_SHAREABLE, slot);
  walk->young_child = false;
  world->host->visit_children(world->vm, obj, walk);
  if (walk->young_child && page_is_old(page, slot) && !bit_get_relaxed(page->remembered, slot))
    check_failed(world, "INV-REMEMBER", __func__, "old object with a young child", obj,
                 (rgc_ref){0});
}

/* Between mark and sweep only marked objects have edges that mean anything. */
static bool
check_wants_edges(struct rgc_world *world, const struct rgc_page *page, size_t slot)
{
  bool live = check_slot_is_live(page, slot);
  if (world->phase == RGC_PHASE_MARKED || world->phase == RGC_PHASE_WEAK_DONE)
    live = page_bit(page, PAGE_MARKED, slot);
  if (!live)
    check_exempted(world, EXEMPT_DEAD_UNSWEPT);
  return live && (world_is_stopped(world) || !page_bit(page, PAGE_SHAREABLE, slot));
}

void
check_edges(struct rgc_objspace *objspace)
{
  struct rgc_walk walk = {.world = objspace->world,
                          .objspace = objspace,
                          .visit = edge_visit,
                          .visit_pinned = edge_visit};

  for (size_t i = 0; i < objspace->pages.count; i++) {
    struct rgc_page *page = objspace->pages.pages[i];

    PAGE_EACH (page, PAGE_ALLOCATED, slot) {
      if (check_wants_edges(objspace->world, page, slot))
        check_object_edges(&walk, page, slot);
    }
  }
}

static void
root_pinned_visit(struct rgc_walk *walk, rgc_ref obj)
{
  struct rgc_world *world = walk->world;

  edge_visit(walk, obj);
  if (world_owner_of(world, obj) != walk->objspace || world->phase == RGC_PHASE_CLEARED)
    return;
  struct rgc_page *page = world_page_of(world, obj);
  size_t slot = page_slot_of(page, obj);
  if (!page_bit(page, PAGE_SHAREABLE, slot) && !page_bit(page, PAGE_SHREF, slot))
    check_failed(world, "INV-PIN", __func__, "in flight and not pinned", (rgc_ref){0}, obj);
}

void
check_roots(struct rgc_objspace *objspace)
{
  struct rgc_world *world = objspace->world;
  struct rgc_walk walk = {
      .world = world, .objspace = objspace, .visit = edge_visit, .visit_pinned = root_pinned_visit};

  world->host->visit_roots(world->vm, objspace, &walk);
}
