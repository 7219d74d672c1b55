/* page_pool.c - see page_pool.h. */
#include "gc-core/page/page_pool.h"

#include "gc-core/base/bits.h"
#include "gc-core/base/poison.h"

void
page_pool_init(struct page_pool *pool, struct rgc_env *env, size_t page_size, size_t arena_pages,
               size_t page_limit)
{
  *pool = (struct page_pool){
      .env = env, .page_size = page_size, .arena_pages = arena_pages, .page_limit = page_limit};
  rgc_lock_init(env, &pool->lock, RGC_RANK_POOL, "page pool");
}

static size_t
arena_table_size(const struct page_pool *pool)
{
  return sizeof(struct pool_arena) + (pool->arena_pages + 63) / 64 * sizeof(uint64_t);
}

void
page_pool_destroy(struct page_pool *pool)
{
  RGC_CHECK(pool->env, "INV-POOL", pool->used_count == 0);
  while (pool->arenas != NULL) {
    struct pool_arena *arena = pool->arenas;
    size_t size = pool->arena_pages * pool->page_size;

    pool->arenas = arena->next;
    memory_permit((void *)arena->base, size);
    pool->env->platform.ops->arena_release(pool->env->platform.self, (void *)arena->base, size);
    rgc_memory_free(pool->env, arena, arena_table_size(pool));
  }
  rgc_lock_destroy(pool->env, &pool->lock);
}

/* Adds one arena.  On failure nothing has changed. */
static struct pool_arena *
pool_grow(struct page_pool *pool)
{
  size_t size = pool->arena_pages * pool->page_size;
  struct pool_arena *arena = rgc_memory_alloc(pool->env, arena_table_size(pool));

  if (arena == NULL)
    return NULL;
  void *base =
      pool->env->platform.ops->arena_reserve(pool->env->platform.self, size, pool->page_size);
  if (base == NULL) {
    rgc_memory_free(pool->env, arena, arena_table_size(pool));
    return NULL;
  }
  memory_forbid(base, size);
  arena->base = (uintptr_t)base;
  arena->first_ordinal = pool->arena_count * pool->arena_pages;
  arena->free_count = pool->arena_pages;
  for (size_t i = 0; i < pool->arena_pages; i++)
    bit_set(arena->free_bits, i);

  struct pool_arena **link = &pool->arenas;
  while (*link != NULL && (*link)->base < arena->base)
    link = &(*link)->next;
  arena->next = *link;
  *link = arena;
  pool->arena_count++;
  pool->free_count += pool->arena_pages;
  return arena;
}

static void *
take_locked(struct page_pool *pool, size_t *ordinal)
{
  if (pool->used_count >= pool->page_limit)
    return NULL;
  struct pool_arena *arena = pool->arenas;
  while (arena != NULL && arena->free_count == 0)
    arena = arena->next;
  if (arena == NULL)
    arena = pool_grow(pool);
  if (arena == NULL)
    return NULL;

  size_t at = bits_find(arena->free_bits, 0, pool->arena_pages, true);
  if (!FAULT(pool_body_stays_free) || at % 64 != 63)
    bit_clear(arena->free_bits, at);
  arena->free_count--;
  pool->free_count--;
  pool->used_count++;
  *ordinal = arena->first_ordinal + at;
  return (void *)(arena->base + at * pool->page_size);
}

void *
page_pool_take(struct page_pool *pool, size_t *ordinal)
{
  rgc_point(pool->env, RGC_SITE_POOL_TAKE);
  if (!pool->env->platform.ops->page_allowed(pool->env->platform.self))
    return NULL;
  if (FAULT(pool_take_unlocked))
    return take_locked(pool, ordinal);
  rgc_lock_take(pool->env, &pool->lock);
  void *body = take_locked(pool, ordinal);
  rgc_lock_give(pool->env, &pool->lock);
  return body;
}

void
page_pool_give(struct page_pool *pool, void *body)
{
  rgc_point(pool->env, RGC_SITE_POOL_GIVE);
  rgc_lock_take(pool->env, &pool->lock);
  struct pool_arena *arena = pool->arenas;
  while (arena != NULL && ((uintptr_t)body < arena->base ||
                           (uintptr_t)body >= arena->base + pool->arena_pages * pool->page_size))
    arena = arena->next;
  RGC_CHECK(pool->env, "INV-POOL", arena != NULL);
  size_t at = ((uintptr_t)body - arena->base) / pool->page_size;
  RGC_CHECK(pool->env, "INV-POOL", !bit_get(arena->free_bits, at));
  bit_set(arena->free_bits, at);
  arena->free_count++;
  pool->free_count++;
  pool->used_count--;
  rgc_lock_give(pool->env, &pool->lock);
}

bool
page_pool_holds_stw(const struct page_pool *pool, uintptr_t body)
{
  for (const struct pool_arena *arena = pool->arenas; arena != NULL; arena = arena->next) {
    if (body >= arena->base && body < arena->base + pool->arena_pages * pool->page_size)
      return bit_get(arena->free_bits, (body - arena->base) / pool->page_size);
  }
  return false;
}
