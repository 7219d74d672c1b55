/* sim_memory.c - page arenas at one fixed address, and off-heap blocks.
 *
 * Arenas are consecutive from ARENA_BASE in every run, so that address order is part of the input's
 * meaning.  Off-heap blocks come from malloc, so that the sanitizers know them; a header in front
 * links those of a run, for a run that is given up.  Under ASan the header is poisoned: only this
 * uninstrumented file may touch it.
 */
#include "fuzz/exec/sim.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fuzz/exec/sanitize.h"
#include "fuzz/exec/threads.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define ARENA_BASE ((uintptr_t)0x7e8000000000)
#define ARENA_SIZE SIM_ARENA_SIZE
#define OFFHEAP_MAX ((size_t)64 << 20)
#define HEADER_SIZE ((size_t)32)
#define PAGE ((size_t)4096)

struct sim_block {
  struct sim_block *next;
  struct sim_block *previous;
  size_t size;
};

_Static_assert(sizeof(struct sim_block) <= HEADER_SIZE, "the header has room");

static void
accounts_take(void)
{
  if (sim.on_threads)
    threads_gate_take();
}

static void
accounts_give(void)
{
  if (sim.on_threads)
    threads_gate_give();
}

bool
sim_memory_setup(char *problem, size_t problem_size)
{
  void *wanted = (void *)ARENA_BASE;

  if (sim.arena != NULL)
    return true;
  void *got = mmap(wanted, ARENA_SIZE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

  if (got == wanted) {
    sim.arena = got;
    return true;
  }
  if (got != MAP_FAILED)
    munmap(got, ARENA_SIZE);
  snprintf(problem, problem_size,
           "the arena at %p is not free (%s): set vm.mmap_rnd_bits to 28, or start with "
           "`setarch -R`",
           wanted, got == MAP_FAILED ? strerror(errno) : "another mapping is there");
  return false;
}

static void
arena_clean(bool abandoned)
{
  size_t used = (sim.arena_used + PAGE - 1) / PAGE * PAGE;

  if (used == 0)
    return;
  if (abandoned) {
    /* A granule that was reported stays mute until its memory is mapped anew. */
    void *got = mmap(sim.arena, used, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    assert(got == sim.arena);
    (void)got;
  } else {
    uint64_t *words = (uint64_t *)(void *)sim.arena;
    for (size_t i = 0; i < used / sizeof *words; i++) {
      if (words[i] != 0)
        words[i] = 0;
    }
  }
  ASAN(__asan_unpoison_memory_region(sim.arena, used));
}

static void
free_list(struct sim_block **list)
{
  while (*list != NULL) {
    struct sim_block *block = *list;

    *list = block->next;
    free(block);
  }
}

void
sim_memory_reset(bool abandoned)
{
  free_list(&sim.blocks);
  free_list(&sim.freed);
  sim.block_bytes = 0;
  sim.freed_bytes = 0;
  arena_clean(abandoned);
  sim.arena_used = 0;
  sim.arena_live = 0;
}

void *
sim_arena_reserve(void *self, size_t size, size_t alignment)
{
  (void)self;
  assert(alignment != 0 && (alignment & (alignment - 1)) == 0);
  accounts_take();
  size_t at = (sim.arena_used + alignment - 1) & ~(alignment - 1);
  bool fits = size <= ARENA_SIZE && at <= ARENA_SIZE - size;
  if (fits) {
    sim.arena_used = at + size;
    sim.arena_live += size;
  }
  accounts_give();
  return fits ? sim.arena + at : NULL;
}

void
sim_arena_release(void *self, void *base, size_t size)
{
  char *low = base;

  (void)self;
  accounts_take();
  bool known =
      low >= sim.arena && low + size <= sim.arena + sim.arena_used && size <= sim.arena_live;
  if (known)
    sim.arena_live -= size;
  accounts_give();
  if (!known)
    sim_verdict("core", "arena-release", "arena", "the core releases an arena that it has not");
}

/* False: it is over the limit. */
static bool
link_block(struct sim_block *block)
{
  accounts_take();
  bool fits = sim.block_bytes <= OFFHEAP_MAX - block->size;
  if (fits) {
    block->next = sim.blocks;
    block->previous = NULL;
    if (sim.blocks != NULL)
      sim.blocks->previous = block;
    sim.blocks = block;
    sim.block_bytes += block->size;
  }
  accounts_give();
  return fits;
}

void *
sim_memory_alloc(void *self, size_t size)
{
  (void)self;
  if (size > OFFHEAP_MAX)
    return NULL;
  struct sim_block *block = calloc(1, HEADER_SIZE + size);
  if (block == NULL)
    return NULL;
  block->size = size;
  if (!link_block(block)) {
    free(block);
    return NULL;
  }
  ASAN(__asan_poison_memory_region(block, HEADER_SIZE));
  return (char *)block + HEADER_SIZE;
}

/* Without a sanitizer to report it, a touch of freed memory reads what the run left there, never
 * what earlier runs of the process did: the block stays, overwritten, until the run ends. */
static void
release(struct sim_block *block)
{
#if defined(GCSTORM_SANITIZE_ASAN) || defined(GCSTORM_SANITIZE_TSAN)
  free(block);
#else
  memset((char *)block + HEADER_SIZE, 0xdf, block->size);
  accounts_take();
  bool keeps = sim.freed_bytes <= OFFHEAP_MAX - block->size;
  if (keeps) {
    sim.freed_bytes += block->size;
    block->next = sim.freed;
    sim.freed = block;
  }
  accounts_give();
  if (!keeps)
    free(block);
#endif
}

static void
unlink_block(struct sim_block *block)
{
  accounts_take();
  if (block->next != NULL)
    block->next->previous = block->previous;
  if (block->previous != NULL)
    block->previous->next = block->next;
  else
    sim.blocks = block->next;
  sim.block_bytes -= block->size;
  accounts_give();
}

void
sim_memory_free(void *self, void *memory, size_t size)
{
  struct sim_block *block = (struct sim_block *)(void *)((char *)memory - HEADER_SIZE);
  char text[96];

  (void)self;
  if (memory == NULL)
    return;
  if (block->size != size) {
    sim_oracle_begin(NULL);
    snprintf(text, sizeof text, "%zu bytes are given back of a block of %zu", size, block->size);
    sim_oracle_end(NULL);
    sim_verdict("core", "memory-size", "memory_free", text);
  }
  unlink_block(block);
  release(block);
}
