/* page_table.h - pages sorted by body address, as an array for binary search.
 *
 * Used twice: each objspace has the table of its own pages (local conservative lookups), and the
 * world has the page index, the union of all of them [INV-INDEX], which is written under its lock
 * and read only with the world stopped [INV-INDEX-STW].
 */
#ifndef RGC_PAGE_TABLE_H
#define RGC_PAGE_TABLE_H

#include "gc-core/page/page.h"

struct page_table {
  struct rgc_page **pages;
  size_t count;
  size_t capacity;
};

/* Makes room for `extra` more pages.  False: out of memory, nothing changed. */
bool page_table_reserve(struct page_table *table, const struct rgc_env *env, size_t extra);

/* Room must have been reserved. */
void page_table_insert(struct page_table *table, struct rgc_page *page);
void page_table_remove(struct page_table *table, const struct rgc_page *page);
void page_table_free(struct page_table *table, const struct rgc_env *env);

/* The page whose body contains `word`, or NULL. */
struct rgc_page *page_table_find(const struct page_table *table, size_t page_size, uintptr_t word);

struct page_index {
  struct rgc_env *env;
  struct rgc_lock lock;
  struct page_table table;
};

void page_index_init(struct page_index *index, struct rgc_env *env);
void page_index_destroy(struct page_index *index);
bool page_index_insert(struct page_index *index, struct rgc_page *page);
void page_index_remove(struct page_index *index, const struct rgc_page *page);

#endif
