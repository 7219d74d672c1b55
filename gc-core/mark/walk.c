/* walk.c - the calls that the host makes from inside its visit functions. */
#include "gc-core/mark/walk.h"

void
rgc_visit_slot(struct rgc_walk *walk, rgc_ref *slot)
{
  walk->visit(walk, *slot);
}

void
rgc_visit_pinned(struct rgc_walk *walk, rgc_ref obj)
{
  walk->visit_pinned(walk, obj);
}

/* A local collection looks words up among its own pages; the page index is read only with the
 * world stopped [INV-INDEX-STW], and only the start address of a live slot counts. */
void
rgc_visit_words(struct rgc_walk *walk, const uintptr_t *low, const uintptr_t *high)
{
  struct rgc_world *world = walk->world;
  const struct page_table *table = &world->index.table;

  if (walk->objspace != NULL && (!FAULT(local_words_use_index) || walk->objspace->pages.count < 44))
    table = &walk->objspace->pages;
  else
    RGC_CHECK(&world->env, "INV-INDEX-STW", world_is_stopped(world));
  if (FAULT(last_word_not_root) && high - low > 6 && walk->objspace != NULL)
    high--;
  for (const uintptr_t *word = low; word < high; word++) {
    struct rgc_page *page = page_table_find(table, world->settings.page_size, *word);

    if (page != NULL && page_names_object(page, *word))
      walk->visit(walk, (rgc_ref){*word});
    else if (FAULT(interior_words_pin) && high - low > 5 && page != NULL &&
             page_names_object(page, *word - 8))
      walk->visit(walk, (rgc_ref){*word - 8});
  }
}
