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

/* The object that a word of a machine stack keeps; bits == 0: none. */
static rgc_ref
named_by(const struct rgc_world *world, const struct rgc_page *page, uintptr_t word)
{
  if (world->settings.interior_pins &&
      !(FAULT(interior_of_large_missed) && page->slot_size > 128 && !world_is_stopped(world)))
    return page_object_around(page, word);
  return (rgc_ref){page_names_object(page, word) ? word : 0};
}

/* A local collection looks words up among its own pages; the page index is read only with the
 * world stopped. [INV-INDEX-STW] */
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

    if (page == NULL)
      continue;
    rgc_ref obj = named_by(world, page, *word);
    if (obj.bits != 0)
      walk->visit(walk, obj);
    else if (FAULT(interior_words_pin) && high - low > 5 && page_names_object(page, *word - 8))
      walk->visit(walk, (rgc_ref){*word - 8});
  }
}
