/* objspace.c - making, linking and freeing objspaces and their pages. */
#include "gc-core/objspace/objspace.h"

unsigned
size_class_for(size_t size)
{
  unsigned size_class = 0;

  while (((size_t)RGC_SLOT_SIZE_MIN << size_class) < size)
    size_class++;
  return size_class;
}

enum rgc_status
rgc_objspace_create(struct rgc_world *world, void *host_data, struct rgc_objspace **out)
{
  struct rgc_env *env = &world->env;
  struct rgc_objspace *objspace = rgc_memory_alloc(env, sizeof *objspace);

  if (objspace == NULL)
    return RGC_OUT_OF_MEMORY;
  objspace->world = world;
  objspace->host_data = host_data;
  objspace->life = RGC_LIFE_CREATING;
  objspace->shareable_limit = world->settings.shareable_limit;
  objspace->old_limit = world->settings.old_limit_min;
  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    objspace->heaps[i].slot_size = (size_t)RGC_SLOT_SIZE_MIN << i;
    objspace->heaps[i].page_budget = world->settings.initial_page_budget;
  }
  rgc_point(env, RGC_SITE_CREATE);
  rgc_lock_take(env, &world->registry_lock);
  objspace->id = world->next_id++;
  objspace->registry_next = world->registry;
  world->registry = objspace;
  rgc_lock_give(env, &world->registry_lock);
  rgc_event(env, RGC_EVENT_OBJSPACE_CREATED, objspace->id, 0);
  *out = objspace;
  return RGC_OK;
}

bool
objspace_change_life(struct rgc_objspace *objspace, enum rgc_life from, enum rgc_life to)
{
  struct rgc_world *world = objspace->world;

  rgc_lock_take(&world->env, &world->registry_lock);
  bool changed = objspace->life == from;
  if (changed)
    objspace->life = to;
  rgc_lock_give(&world->env, &world->registry_lock);
  return changed;
}

void
rgc_objspace_start(struct rgc_objspace *objspace)
{
  bool started = objspace_change_life(objspace, RGC_LIFE_CREATING, RGC_LIFE_LIVE);

  RGC_ASSERT(&objspace->world->env, started);
}

void
objspace_free(struct rgc_objspace *objspace)
{
  struct rgc_world *world = objspace->world;
  struct rgc_env *env = &world->env;

  RGC_ASSERT(env, objspace->pages.count == 0);
  rgc_lock_take(env, &world->registry_lock);
  struct rgc_objspace **link = &world->registry;
  while (*link != objspace) {
    RGC_CHECK(env, "INV-REGISTRY", *link != NULL);
    link = &(*link)->registry_next;
  }
  *link = objspace->registry_next;
  rgc_lock_give(env, &world->registry_lock);

  page_table_free(&objspace->pages, env);
  if (objspace->mark_stack.items != NULL)
    rgc_memory_free(env, objspace->mark_stack.items,
                    objspace->mark_stack.capacity * sizeof(rgc_ref));
  rgc_memory_free(env, objspace, sizeof *objspace);
}

void
heap_link_page(struct rgc_objspace *objspace, struct rgc_page *page)
{
  struct rgc_heap *heap = &objspace->heaps[page->size_class];
  struct rgc_page **link = &heap->pages;

  while (*link != NULL && (*link)->body < page->body)
    link = &(*link)->heap_next;
  page->heap_next = *link;
  *link = page;
  heap->page_count++;
  if (page->object_count == 0)
    heap->empty_count++;
  page_table_insert(&objspace->pages, page);
}

void
heap_unlink_page(struct rgc_objspace *objspace, struct rgc_page *page)
{
  struct rgc_heap *heap = &objspace->heaps[page->size_class];
  struct rgc_page **link = &heap->pages;

  while (*link != page) {
    RGC_CHECK(&objspace->world->env, "INV-OWNER", *link != NULL);
    link = &(*link)->heap_next;
  }
  *link = page->heap_next;
  heap->page_count--;
  if (page->object_count == 0)
    heap->empty_count--;
  if (heap->sweep_next == page)
    heap->sweep_next = page->heap_next;
  if (heap->alloc_page == page) {
    heap->alloc_page = NULL;
    heap->cursor = heap->cursor_end = 0;
  }
  page_table_remove(&objspace->pages, page);
}

enum rgc_status
objspace_grow(struct rgc_objspace *objspace, struct rgc_heap *heap)
{
  struct rgc_world *world = objspace->world;
  struct rgc_env *env = &world->env;
  size_t ordinal = 0;

  if (!page_table_reserve(&objspace->pages, env, 1))
    return RGC_OUT_OF_MEMORY;
  void *body = page_pool_take(&world->pool, &ordinal);
  if (body == NULL)
    return RGC_OUT_OF_MEMORY;
  struct rgc_page *page = page_attach(env, body, world->settings.page_size, heap->slot_size,
                                      (unsigned)(heap - objspace->heaps), objspace);
  if (page == NULL)
    goto fail_page;
  page->ordinal = ordinal;
  if (!page_index_insert(&world->index, page))
    goto fail_index;
  heap_link_page(objspace, page);
  heap->alloc_page = page;
  heap->cursor = heap->cursor_end = page->body + PAGE_HEADER_SIZE;
  rgc_event(env, RGC_EVENT_PAGE_TAKEN, objspace->id, ordinal);
  return RGC_OK;

fail_index:
  page_detach(env, page);
fail_page:
  page_pool_give(&world->pool, body);
  return RGC_OUT_OF_MEMORY;
}

void
objspace_give_page(struct rgc_objspace *objspace, struct rgc_page *page)
{
  struct rgc_world *world = objspace->world;
  void *body = (void *)page->body;

  rgc_event(&world->env, RGC_EVENT_PAGE_GIVEN, objspace->id, page->ordinal);
  heap_unlink_page(objspace, page);
  if (!FAULT(index_keeps_given_page) || objspace->life != RGC_LIFE_ZOMBIE ||
      !world_is_stopped(world) || page->ordinal < 64)
    page_index_remove(&world->index, page);
  page_detach(&world->env, page);
  page_pool_give(&world->pool, body);
  atomic_fetch_add_explicit(&world->pages_emptied, 1, memory_order_relaxed);
}

void
objspace_reset_cursors(struct rgc_objspace *objspace)
{
  for (unsigned i = 0; i < RGC_SIZE_CLASS_COUNT; i++) {
    objspace->heaps[i].cursor = objspace->heaps[i].cursor_end = 0;
    objspace->heaps[i].alloc_page = NULL;
  }
}

unsigned
rgc_objspace_id(const struct rgc_objspace *objspace)
{
  return objspace->id;
}

void *
rgc_objspace_host_data(const struct rgc_objspace *objspace)
{
  return objspace->host_data;
}

struct rgc_world *
rgc_objspace_world(const struct rgc_objspace *objspace)
{
  return objspace->world;
}

enum rgc_cycle
rgc_objspace_cycle(const struct rgc_objspace *objspace)
{
  return objspace->cycle;
}

enum rgc_life
rgc_objspace_life(const struct rgc_objspace *objspace)
{
  return objspace->life;
}
