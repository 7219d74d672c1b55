/* bare.c - see bare.h. */
#include "tests/gc-core/bare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

enum { ARENA_BYTES = 8 << 20 };

static void *
arena_reserve(void *self, size_t size, size_t alignment)
{
  struct bare *bare = self;
  size_t at = (bare->arena_used + alignment - 1) / alignment * alignment;

  if (at + size > ARENA_BYTES)
    return NULL;
  bare->arena_used = at + size;
  return bare->arena + at;
}

static void
arena_release(void *self, void *base, size_t size)
{
  (void)self;
  (void)base;
  (void)size;
}

static bool
page_allowed(void *self)
{
  struct bare *bare = self;

  if (bare->page_requests_left == 0)
    return false;
  bare->page_requests_left--;
  return true;
}

static void *
memory_alloc(void *self, size_t size)
{
  struct bare *bare = self;

  bare->live_bytes += size;
  return calloc(1, size);
}

static void
memory_free(void *self, void *memory, size_t size)
{
  struct bare *bare = self;

  assert_true(bare->live_bytes >= size);
  bare->live_bytes -= size;
  free(memory);
}

static void
mutex_init(void *self, struct rgc_mutex *mutex, const char *name)
{
  (void)self;
  (void)name;
  mutex->opaque[0] = 0;
}

static void
mutex_destroy(void *self, struct rgc_mutex *mutex)
{
  (void)self;
  assert_int_equal(mutex->opaque[0], 0);
}

static void
mutex_lock(void *self, struct rgc_mutex *mutex)
{
  (void)self;
  assert_int_equal(mutex->opaque[0], 0);
  mutex->opaque[0] = 1;
}

static void
mutex_unlock(void *self, struct rgc_mutex *mutex)
{
  (void)self;
  assert_int_equal(mutex->opaque[0], 1);
  mutex->opaque[0] = 0;
}

static unsigned
thread_self(void *self)
{
  (void)self;
  return 0;
}

static void
schedule_point(void *self, enum rgc_site site)
{
  (void)self;
  (void)site;
}

static enum rgc_stress_action
stress(void *self, enum rgc_stress_point point)
{
  (void)self;
  (void)point;
  return RGC_STRESS_NONE;
}

static void
event(void *self, enum rgc_event kind, uint64_t a, uint64_t b)
{
  (void)self;
  (void)kind;
  (void)a;
  (void)b;
}

static void
oracle(void *self)
{
  (void)self;
}

static _Noreturn void
failed(void *self, const struct rgc_failure *failure)
{
  (void)self;
  fprintf(stderr, "%s in %s (%s): %s\n", failure->rule, failure->where, failure->phase,
          failure->text);
  abort();
}

static const struct rgc_platform_ops platform_ops = {.arena_reserve = arena_reserve,
                                                     .arena_release = arena_release,
                                                     .page_allowed = page_allowed,
                                                     .memory_alloc = memory_alloc,
                                                     .memory_free = memory_free,
                                                     .mutex_init = mutex_init,
                                                     .mutex_destroy = mutex_destroy,
                                                     .mutex_lock = mutex_lock,
                                                     .mutex_unlock = mutex_unlock,
                                                     .thread_self = thread_self,
                                                     .schedule_point = schedule_point,
                                                     .stress = stress,
                                                     .event = event,
                                                     .oracle_begin = oracle,
                                                     .oracle_end = oracle,
                                                     .fail = failed};

struct bare_object *
bare_object(rgc_ref obj)
{
  return (struct bare_object *)obj.bits;
}

static void
visit_children(void *vm, rgc_ref obj, struct rgc_walk *walk)
{
  struct bare_object *object = bare_object(obj);

  (void)vm;
  for (unsigned i = 0; i < object->slot_count; i++) {
    if (object->slots[i].bits != 0)
      rgc_visit_slot(walk, &object->slots[i]);
  }
}

static void
release(void *vm, struct rgc_objspace *objspace, rgc_ref obj)
{
  struct bare *bare = vm;

  (void)objspace;
  assert_true(bare_object(obj)->identity != 0);
  bare->released++;
}

static void
visit_roots(void *vm, struct rgc_objspace *objspace, struct rgc_walk *walk)
{
  struct bare *bare = vm;

  for (unsigned i = 0; i < BARE_ROOT_MAX; i++) {
    struct bare_root *root = &bare->roots[i];

    if (root->obj.bits != 0 && (objspace == NULL || root->owner == objspace))
      rgc_visit_slot(walk, &root->obj);
    if (objspace == NULL && bare->in_flight[i].bits != 0)
      rgc_visit_pinned(walk, bare->in_flight[i]);
  }
  if (objspace == NULL || objspace == bare->words_owner)
    rgc_visit_words(walk, bare->words, bare->words + 8);
}

static size_t
weak_table_count(void *vm)
{
  (void)vm;
  return 0;
}

static void
weak_table_sweep(void *vm, size_t table, enum rgc_verdict (*ask)(void *arg, rgc_ref *entry),
                 void *arg)
{
  (void)vm;
  (void)table;
  (void)ask;
  (void)arg;
}

static void
world_nothing(void *vm)
{
  (void)vm;
}

static bool
is_shareable(void *vm, rgc_ref obj)
{
  (void)vm;
  return bare_object(obj)->shareable != 0;
}

static void
describe(void *vm, rgc_ref obj, char *text, size_t text_size)
{
  (void)vm;
  snprintf(text, text_size, "#%llu", (unsigned long long)bare_object(obj)->identity);
}

static const struct rgc_host_ops host_ops = {.visit_children = visit_children,
                                             .release = release,
                                             .visit_roots = visit_roots,
                                             .weak_table_count = weak_table_count,
                                             .weak_table_sweep = weak_table_sweep,
                                             .world_stop = world_nothing,
                                             .world_resume = world_nothing,
                                             .is_shareable = is_shareable,
                                             .describe = describe};

void
bare_settings(struct rgc_settings *settings)
{
  rgc_settings_default(settings);
  settings->page_size = 1024;
  settings->arena_pages = 16;
  settings->heap_limit_bytes = 512u << 10;
  settings->initial_page_budget = 2;
  settings->shareable_limit = 40;
}

void
bare_open(struct bare *bare, const struct rgc_settings *settings, enum rgc_verify_level level)
{
  *bare = (struct bare){.page_requests_left = SIZE_MAX};
  bare->arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(bare->arena != MAP_FAILED);
  bare->platform = (struct rgc_platform){&platform_ops, bare, NULL};
  struct rgc_config config = {
      .platform = bare->platform, .host = &host_ops, .vm = bare, .settings = *settings};
  bare->world = rgc_world_create(&config);
  assert_non_null(bare->world);
  rgc_verify_install(bare->world, level);
}

void
bare_close(struct bare *bare)
{
  rgc_world_destroy(bare->world);
  assert_int_equal(bare->live_bytes, 0);
  munmap(bare->arena, ARENA_BYTES);
}

struct rgc_objspace *
bare_space(struct bare *bare, unsigned index)
{
  if (bare->spaces[index] == NULL) {
    assert_int_equal(rgc_objspace_create(bare->world, NULL, &bare->spaces[index]), RGC_OK);
    rgc_objspace_start(bare->spaces[index]);
  }
  return bare->spaces[index];
}

rgc_ref
bare_new(struct bare *bare, struct rgc_objspace *space, unsigned root, unsigned slots)
{
  rgc_ref obj = rgc_allocate(space, sizeof(struct bare_object) + slots * sizeof(rgc_ref));

  if (obj.bits == 0)
    return obj;
  bare_object(obj)->slot_count = slots;
  bare_object(obj)->identity = ++bare->next_identity;
  bare->roots[root] = (struct bare_root){space, obj};
  return obj;
}

void
bare_store(struct rgc_objspace *space, rgc_ref parent, unsigned slot, rgc_ref child)
{
  bare_object(parent)->slots[slot] = child;
  rgc_write_barrier(space, parent, child);
}

void
bare_share(struct bare *bare, struct rgc_objspace *space, rgc_ref obj)
{
  (void)bare;
  bare_object(obj)->shareable = 1;
  rgc_became_shareable(space, obj);
}

static void
count_one(void *arg, struct rgc_objspace *objspace, rgc_ref obj)
{
  size_t *count = arg;

  (void)objspace;
  (void)obj;
  (*count)++;
}

size_t
bare_object_count(struct bare *bare)
{
  size_t count = 0;

  rgc_each_object_stw(bare->world, count_one, &count);
  return count;
}
