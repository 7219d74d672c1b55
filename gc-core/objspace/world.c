/* world.c - a world: settings, making and freeing, stopping, queries about objects. */
#include "gc-core/objspace/objspace.h"

void
rgc_settings_default(struct rgc_settings *settings)
{
  *settings = (struct rgc_settings){.page_size = 65536,
                                    .arena_pages = 16,
                                    .heap_limit_bytes = 4u << 20,
                                    .initial_page_budget = 4,
                                    .growth_percent = 80,
                                    .free_percent_wanted = 40,
                                    .empty_pages_kept = 1,
                                    .malloc_limit_bytes = 256u << 10,
                                    .old_limit_percent = 200,
                                    .old_limit_min = 64,
                                    .shareable_limit = 1024,
                                    .shareable_growth_percent = 80,
                                    .zombie_page_limit = 16,
                                    .offheap_limit_bytes = 1u << 20};
}

const char *
rgc_settings_problem(const struct rgc_settings *settings)
{
  size_t page = settings->page_size;

  if (page < 1024 || page > 65536 || (page & (page - 1)) != 0)
    return "page_size must be a power of two from 1024 to 65536";
  if (settings->arena_pages < 1 || settings->arena_pages > 1024)
    return "arena_pages must be from 1 to 1024";
  if (settings->heap_limit_bytes < page)
    return "heap_limit_bytes must hold at least one page";
  if (settings->initial_page_budget < 1)
    return "initial_page_budget must be at least 1";
  if (settings->free_percent_wanted > 100)
    return "free_percent_wanted must be at most 100";
  return NULL;
}

struct rgc_world *
world_create(const struct rgc_config *config)
{
  const struct rgc_platform *platform = &config->platform;

  if (rgc_settings_problem(&config->settings) != NULL)
    return NULL;
  struct rgc_world *world = platform->ops->memory_alloc(platform->self, sizeof *world);
  if (world == NULL)
    return NULL;
  world->env.platform = *platform;
  world->host = config->host;
  world->vm = config->vm;
  world->settings = config->settings;
  world_set_phase_stw(world, RGC_PHASE_RUNNING);
  page_pool_init(&world->pool, &world->env, config->settings.page_size,
                 config->settings.arena_pages,
                 config->settings.heap_limit_bytes / config->settings.page_size);
  page_index_init(&world->index, &world->env);
  rgc_lock_init(&world->env, &world->registry_lock, RGC_RANK_REGISTRY, "registry");
  return world;
}

static void
release_page(struct rgc_objspace *objspace, struct rgc_page *page)
{
  struct rgc_world *world = objspace->world;

  PAGE_EACH (page, PAGE_ALLOCATED, slot) {
    world->host->release(world->vm, objspace, page_object(page, slot));
    page_slot_close(page, slot);
    if (page->object_count == 0)
      objspace->heaps[page->size_class].empty_count++;
  }
}

void
rgc_world_destroy(struct rgc_world *world)
{
  struct rgc_env *env = &world->env;

  while (world->registry != NULL) {
    struct rgc_objspace *objspace = world->registry;

    while (objspace->pages.count > 0) {
      struct rgc_page *page = objspace->pages.pages[0];
      release_page(objspace, page);
      objspace_give_page(objspace, page);
    }
    objspace_free(objspace);
  }
  page_index_destroy(&world->index);
  page_pool_destroy(&world->pool);
  rgc_lock_destroy(env, &world->registry_lock);
  RGC_CHECK(env, "INV-COUNT", atomic_load(&world->offheap_bytes) == 0);

  struct rgc_platform platform = env->platform;
  platform.ops->memory_free(platform.self, world, sizeof *world);
}

void
world_set_phase_stw(struct rgc_world *world, enum rgc_phase phase)
{
  world->phase = phase;
  world->env.phase_name = rgc_phase_name(phase);
}

void
rgc_world_stop(struct rgc_objspace *objspace, enum rgc_reason reason)
{
  struct rgc_world *world = objspace->world;

  /* A waiter for the barrier would show its half-collected heap to another driver. */
  RGC_CHECK(&world->env, "INV-NOSTOP", objspace->cycle != RGC_CYCLE_MARKING);
  RGC_CHECK(&world->env, "INV-NOSTOP", reason != RGC_REASON_NONE && reason != RGC_REASON_RETIRE);
  rgc_point(&world->env, RGC_SITE_STOP);
  world->host->world_stop(world->vm);
  RGC_ASSERT(&world->env, world->driver == NULL);
  world->driver = objspace;
  world->stop_count_by_reason[reason]++;
  world_set_phase_stw(world, RGC_PHASE_STOPPED);
  rgc_event(&world->env, RGC_EVENT_WORLD_STOPPED, reason, 0);
}

void
rgc_world_resume(struct rgc_objspace *objspace)
{
  struct rgc_world *world = objspace->world;

  RGC_ASSERT(&world->env, world->driver == objspace);
  RGC_ASSERT(&world->env, world->phase == RGC_PHASE_STOPPED || world->phase == RGC_PHASE_RECOUNTED);
  world->driver = NULL;
  world_set_phase_stw(world, RGC_PHASE_RUNNING);
  world->host->world_resume(world->vm);
  rgc_point(&world->env, RGC_SITE_STOP);
}

enum rgc_phase
rgc_world_phase(const struct rgc_world *world)
{
  return world->phase;
}

const struct rgc_settings *
rgc_world_settings(const struct rgc_world *world)
{
  return &world->settings;
}

size_t
rgc_slot_size(const struct rgc_world *world, rgc_ref obj)
{
  return world_page_of(world, obj)->slot_size;
}

struct rgc_objspace *
rgc_owner(const struct rgc_world *world, rgc_ref obj)
{
  return world_owner_of(world, obj);
}

bool
rgc_is_foreign(const struct rgc_objspace *objspace, rgc_ref obj)
{
  return world_owner_of(objspace->world, obj) != objspace;
}

bool
rgc_is_shareable(const struct rgc_objspace *objspace, rgc_ref obj)
{
  struct rgc_page *page = world_page_of(objspace->world, obj);

  return page_bit(page, PAGE_SHAREABLE, page_slot_of(page, obj));
}

bool
rgc_is_own_object(const struct rgc_objspace *objspace, uintptr_t word)
{
  struct rgc_page *page =
      page_table_find(&objspace->pages, objspace->world->settings.page_size, word);

  return page != NULL && page_names_object(page, word);
}

bool
rgc_malloc_charge(struct rgc_objspace *objspace, ptrdiff_t bytes)
{
  struct rgc_world *world = objspace->world;

  if (bytes < 0) {
    RGC_CHECK(&world->env, "INV-COUNT", objspace->malloc_bytes >= (size_t)-bytes);
    objspace->malloc_bytes -= (size_t)-bytes;
    atomic_fetch_sub_explicit(&world->offheap_bytes, (size_t)-bytes, memory_order_relaxed);
    return true;
  }
  size_t charge = (size_t)bytes;
  size_t before = atomic_fetch_add_explicit(&world->offheap_bytes, charge, memory_order_relaxed);
  if (before + charge > world->settings.offheap_limit_bytes) {
    atomic_fetch_sub_explicit(&world->offheap_bytes, charge, memory_order_relaxed);
    return false;
  }
  objspace->malloc_bytes += charge;
  objspace->malloc_increase += charge;
  if (objspace->malloc_increase > world->settings.malloc_limit_bytes)
    objspace->malloc_due = true;
  return true;
}

void
rgc_objspace_get_stats(const struct rgc_objspace *objspace, struct rgc_objspace_stats *out)
{
  *out = (struct rgc_objspace_stats){.page_count = objspace->pages.count,
                                     .object_count = objspace->object_count,
                                     .shareable_count = objspace->shareable_count,
                                     .retained_shareable_count = objspace->retained_shareable_count,
                                     .old_count = objspace->old_count,
                                     .malloc_bytes = objspace->malloc_bytes,
                                     .allocated_total = objspace->allocated_total,
                                     .freed_total = objspace->freed_total,
                                     .minor_count = objspace->minor_count,
                                     .major_count = objspace->major_count};
  for (size_t i = 0; i < objspace->pages.count; i++)
    out->slot_count += objspace->pages.pages[i]->slot_count;
}

void
rgc_world_get_stats(const struct rgc_world *world, struct rgc_world_stats *out)
{
  *out = (struct rgc_world_stats){
      .zombie_page_count = atomic_load_explicit(&world->zombie_page_count, memory_order_relaxed),
      .pool_page_count = world->pool.free_count,
      .arena_page_count = world->pool.arena_count * world->pool.arena_pages,
      .used_page_count = world->pool.used_count,
      .offheap_bytes = atomic_load_explicit(&world->offheap_bytes, memory_order_relaxed),
      .global_count = world->global_count,
      .pages_emptied = atomic_load_explicit(&world->pages_emptied, memory_order_relaxed),
      .pages_moved = atomic_load_explicit(&world->pages_moved, memory_order_relaxed),
      .global_with_two_live = world->global_with_two_live};
  for (unsigned i = 0; i < RGC_REASON_COUNT; i++)
    out->stop_count_by_reason[i] = world->stop_count_by_reason[i];
  for (const struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    out->objspace_count++;
    out->zombie_count += o->life == RGC_LIFE_ZOMBIE;
  }
}

void
rgc_each_object_stw(struct rgc_world *world,
                    void (*visit)(void *arg, struct rgc_objspace *objspace, rgc_ref obj), void *arg)
{
  for (struct rgc_objspace *o = world->registry; o != NULL; o = o->registry_next) {
    for (size_t i = 0; i < o->pages.count; i++) {
      struct rgc_page *page = o->pages.pages[i];

      PAGE_EACH (page, PAGE_ALLOCATED, slot)
        visit(arg, o, page_object(page, slot));
    }
  }
}
