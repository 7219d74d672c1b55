/* page_table.c - see page_table.h. */
#include "gc-core/page/page_table.h"

bool
page_table_reserve(struct page_table *table, const struct rgc_env *env, size_t extra)
{
  size_t wanted = table->count + extra;

  if (wanted <= table->capacity)
    return true;
  size_t capacity = table->capacity == 0 ? 8 : table->capacity;
  while (capacity < wanted)
    capacity *= 2;
  struct rgc_page **pages = rgc_memory_alloc(env, capacity * sizeof *pages);
  if (pages == NULL)
    return false;
  for (size_t i = 0; i < table->count; i++)
    pages[i] = table->pages[i];
  if (table->pages != NULL)
    rgc_memory_free(env, table->pages, table->capacity * sizeof *pages);
  table->pages = pages;
  table->capacity = capacity;
  return true;
}

/* Number of pages whose body lies below `body`. */
static size_t
table_position(const struct page_table *table, uintptr_t body)
{
  size_t low = 0;
  size_t high = table->count;

  while (low < high) {
    size_t middle = low + (high - low) / 2;

    if (table->pages[middle]->body < body)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void
page_table_insert(struct page_table *table, struct rgc_page *page)
{
  size_t at = table_position(table, page->body);

  for (size_t i = table->count; i > at; i--)
    table->pages[i] = table->pages[i - 1];
  table->pages[at] = page;
  table->count++;
}

void
page_table_remove(struct page_table *table, const struct rgc_page *page)
{
  size_t at = table_position(table, page->body);

  if (at >= table->count || table->pages[at] != page)
    return;
  table->count--;
  for (size_t i = at; i < table->count; i++)
    table->pages[i] = table->pages[i + 1];
}

void
page_table_free(struct page_table *table, const struct rgc_env *env)
{
  if (table->pages != NULL)
    rgc_memory_free(env, table->pages, table->capacity * sizeof *table->pages);
  *table = (struct page_table){0};
}

struct rgc_page *
page_table_find(const struct page_table *table, size_t page_size, uintptr_t word)
{
  uintptr_t body = word & ~(uintptr_t)(page_size - 1);
  size_t at = table_position(table, body);

  if (at < table->count && table->pages[at]->body == body)
    return table->pages[at];
  return NULL;
}

void
page_index_init(struct page_index *index, struct rgc_env *env)
{
  *index = (struct page_index){.env = env};
  rgc_lock_init(env, &index->lock, RGC_RANK_INDEX, "page index");
}

void
page_index_destroy(struct page_index *index)
{
  RGC_CHECK(index->env, "INV-INDEX", index->table.count == 0);
  page_table_free(&index->table, index->env);
  rgc_lock_destroy(index->env, &index->lock);
}

bool
page_index_insert(struct page_index *index, struct rgc_page *page)
{
  rgc_lock_take(index->env, &index->lock);
  bool reserved = page_table_reserve(&index->table, index->env, 1);
  if (reserved)
    page_table_insert(&index->table, page);
  rgc_lock_give(index->env, &index->lock);
  return reserved;
}

void
page_index_remove(struct page_index *index, const struct rgc_page *page)
{
  rgc_lock_take(index->env, &index->lock);
  page_table_remove(&index->table, page);
  rgc_lock_give(index->env, &index->lock);
}
