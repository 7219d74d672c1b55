/* describe.c - what stands at an address: for reports that have nothing else, such as a data race.
 *
 * Reads everything and takes no lock, since the process may be about to end in the middle of
 * anything; page by page, from the index, and never a pointer that it has not found there. */
#include <stdio.h>

#include "gc-core/objspace/objspace.h"
#include "rgc/verify.h"

static void
describe_slot(const struct rgc_world *world, const struct rgc_page *page, uintptr_t address,
              char *text, size_t size)
{
  char name[96] = "a free slot";
  uintptr_t body = page->body;

  if (address < body + PAGE_HEADER_SIZE) {
    (void)snprintf(text, size, "header of page %zu", page->ordinal);
    return;
  }
  size_t slot = (address - body - PAGE_HEADER_SIZE) / page->slot_size;

  if (slot >= page->slot_count) {
    (void)snprintf(text, size, "rest of page %zu", page->ordinal);
    return;
  }
  rgc_ref obj = page_object(page, slot);

  if (page_bit(page, PAGE_ALLOCATED, slot) && world->host->describe != NULL)
    world->host->describe(world->vm, obj, name, sizeof name);
  (void)snprintf(text, size, "%s, byte %zu of slot %zu of page %zu", name,
                 (size_t)(address - obj.bits), slot, page->ordinal);
}

/* Whether the address is in the side table of the page. */
static bool
describe_table(const struct rgc_page *page, uintptr_t address, char *text, size_t size)
{
  static const char *const names[] = {"allocated", "marked",   "shareable", "shref",
                                      "age low",   "age high", "remembered"};
  uintptr_t first = (uintptr_t)page;
  uintptr_t bits = (uintptr_t)page->bitmaps;
  size_t bytes = page->word_count * sizeof page->bitmaps[0];

  _Static_assert(sizeof names / sizeof names[0] == PAGE_BITMAP_COUNT + 1, "a name for each");
  if (address < first || address >= bits + (PAGE_BITMAP_COUNT + 1) * bytes)
    return false;
  if (address < bits)
    (void)snprintf(text, size, "counters of page %zu", page->ordinal);
  else
    (void)snprintf(text, size, "%s bits %zu to %zu of page %zu", names[(address - bits) / bytes],
                   (address - bits) % bytes * 8, (address - bits) % bytes * 8 + 63, page->ordinal);
  return true;
}

static void
describe_metadata(const struct rgc_world *world, uintptr_t address, char *text, size_t size)
{
  for (const struct rgc_objspace *space = world->registry; space != NULL;
       space = space->registry_next) {
    if (address >= (uintptr_t)space && address < (uintptr_t)(space + 1)) {
      (void)snprintf(text, size, "objspace %u, byte %zu", space->id,
                     (size_t)(address - (uintptr_t)space));
      return;
    }
  }
  if (address >= (uintptr_t)&world->pool && address < (uintptr_t)(&world->pool + 1))
    (void)snprintf(text, size, "page pool, byte %zu", (size_t)(address - (uintptr_t)&world->pool));
  else if (address >= (uintptr_t)&world->index && address < (uintptr_t)(&world->index + 1))
    (void)snprintf(text, size, "page index");
  else if (address >= (uintptr_t)world && address < (uintptr_t)(world + 1))
    (void)snprintf(text, size, "world, byte %zu", (size_t)(address - (uintptr_t)world));
  else
    (void)snprintf(text, size, "memory outside of heap and page tables");
}

void
rgc_describe_address(const struct rgc_world *world, const void *pointer, char *text, size_t size)
{
  uintptr_t address = (uintptr_t)pointer;
  const struct page_table *table = &world->index.table;

  for (size_t i = 0; i < table->count; i++) {
    const struct rgc_page *page = table->pages[i];

    if (address >= page->body && address - page->body < world->settings.page_size) {
      describe_slot(world, page, address, text, size);
      return;
    }
    if (describe_table(page, address, text, size))
      return;
  }
  describe_metadata(world, address, text, size);
}
