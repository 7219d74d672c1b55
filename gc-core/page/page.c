/* page.c - side tables and slots of one page (see page.h for who writes what). */
#include "gc-core/page/page.h"

#include "gc-core/base/poison.h"

static size_t
page_table_size(size_t word_count)
{
  return sizeof(struct rgc_page) + (PAGE_BITMAP_COUNT + 1) * word_count * sizeof(uint64_t);
}

struct rgc_page *
page_attach(struct rgc_env *env, void *body, size_t page_size, size_t slot_size,
            unsigned size_class, struct rgc_objspace *owner)
{
  size_t slot_count = (page_size - PAGE_HEADER_SIZE) / slot_size;
  size_t word_count = (slot_count + 63) / 64;
  struct rgc_page *page = rgc_memory_alloc(env, page_table_size(word_count));

  if (page == NULL)
    return NULL;
  page->body = (uintptr_t)body;
  page->slot_size = slot_size;
  page->slot_count = slot_count;
  page->word_count = word_count;
  page->size_class = size_class;
  page->swept = true;
  page->remembered = (_Atomic uint64_t *)(page->bitmaps + PAGE_BITMAP_COUNT * word_count);

  memory_permit(body, PAGE_HEADER_SIZE);
  struct rgc_page_header *header = body;
  header->page = page;
  page_set_owner(page, owner);
  return page;
}

void
page_detach(struct rgc_env *env, struct rgc_page *page)
{
  RGC_ASSERT(env, page->object_count == 0);
  memory_forbid((void *)page->body, PAGE_HEADER_SIZE);
  rgc_memory_free(env, page, page_table_size(page->word_count));
}

void
page_age_advance(struct rgc_page *page, size_t slot)
{
  if (page_is_old(page, slot))
    return;
  if (page_bit(page, PAGE_AGE_LOW, slot)) {
    bit_clear(page_bits(page, PAGE_AGE_LOW), slot);
    bit_set(page_bits(page, PAGE_AGE_HIGH), slot);
    return;
  }
  bit_set(page_bits(page, PAGE_AGE_LOW), slot);
}

bool
page_names_object(const struct rgc_page *page, uintptr_t word)
{
  uintptr_t first = page->body + PAGE_HEADER_SIZE;

  if (word < first || (word - first) % page->slot_size != 0)
    return false;
  size_t slot = (word - first) / page->slot_size;
  return slot < page->slot_count && page_bit(page, PAGE_ALLOCATED, slot);
}

rgc_ref
page_object_around(const struct rgc_page *page, uintptr_t word)
{
  uintptr_t first = page->body + PAGE_HEADER_SIZE;
  uintptr_t start = word < first ? word : word - (word - first) % page->slot_size;

  return (rgc_ref){page_names_object(page, start) ? start : 0};
}

void
page_slot_open(struct rgc_page *page, size_t slot)
{
  void *memory = (void *)page_object(page, slot).bits;

  memory_permit(memory, page->slot_size);
  memory_fill(memory, page->slot_size, 0);
  bit_set(page_bits(page, PAGE_ALLOCATED), slot);
  page->object_count++;
}

void
page_slot_close(struct rgc_page *page, size_t slot)
{
  void *memory = (void *)page_object(page, slot).bits;

  bit_clear(page_bits(page, PAGE_ALLOCATED), slot);
  if (!FAULT(free_keeps_shareable) || slot < 264)
    bit_clear(page_bits(page, PAGE_SHAREABLE), slot);
  bit_clear(page_bits(page, PAGE_SHREF), slot);
  bit_clear(page_bits(page, PAGE_AGE_LOW), slot);
  bit_clear(page_bits(page, PAGE_AGE_HIGH), slot);
  bit_clear_relaxed(page->remembered, slot);
  page->object_count--;
  memory_fill(memory, page->slot_size, RGC_FREE_PATTERN);
  memory_forbid(memory, page->slot_size);
}
