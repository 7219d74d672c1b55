/* bare_host.c - see bare_host.h. */
#include "fuzz/exec/bare_host.h"

#include <stdio.h>

struct bare_object *
bare_object(rgc_ref obj)
{
  return (struct bare_object *)obj.bits;
}

size_t
bare_object_size(unsigned slot_count)
{
  return sizeof(struct bare_object) + slot_count * sizeof(rgc_ref);
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

/* A slot that is released twice or was never an object has no identity. */
static void
release(void *vm, struct rgc_objspace *objspace, rgc_ref obj)
{
  struct bare_host *host = vm;
  struct rgc_failure failure = {"released-twice", __func__, "an object without identity dies", ""};

  (void)objspace;
  if (bare_object(obj)->identity == 0 || bare_object(obj)->identity > host->next_identity)
    host->platform->ops->fail(host->platform->self, &failure);
}

static void
visit_entry(struct bare_host *host, struct rgc_objspace *objspace, rgc_ref *entry,
            struct rgc_walk *walk)
{
  struct rgc_objspace *owner = rgc_owner(host->world, *entry);

  if (objspace != NULL) {
    if (owner == objspace)
      rgc_visit_slot(walk, entry);
    return;
  }
  /* What a dead Ractor left is held by a C structure, as its pending value would be. */
  if (rgc_objspace_life(owner) == RGC_LIFE_ZOMBIE)
    rgc_visit_pinned(walk, *entry);
  else
    rgc_visit_slot(walk, entry);
}

static void
visit_roots(void *vm, struct rgc_objspace *objspace, struct rgc_walk *walk)
{
  struct bare_host *host = vm;

  for (unsigned i = 0; i < BARE_OBJECT_COUNT; i++) {
    if (host->objects[i].bits != 0)
      visit_entry(host, objspace, &host->objects[i], walk);
    if (objspace == NULL && host->pins[i].bits != 0)
      rgc_visit_pinned(walk, host->pins[i]);
  }
  for (unsigned i = 0; i < BARE_WORD_COUNT; i++) {
    if (host->words[i] != 0 && (objspace == NULL || host->word_owners[i] == objspace))
      rgc_visit_words(walk, &host->words[i], &host->words[i] + 1);
  }
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

/* A stop waits for every local cycle that is still marking: here it finishes them. */
static void
world_stop(void *vm)
{
  struct bare_host *host = vm;

  for (unsigned i = 0; i < BARE_SPACE_COUNT; i++) {
    if (host->spaces[i] != NULL &&
        rgc_phase_may(host->world, host->spaces[i], RGC_STEP_LOCAL_FINISH))
      rgc_step_local_finish(host->spaces[i]);
  }
}

static void
world_resume(void *vm)
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
  snprintf(text, text_size, "#%llu record", (unsigned long long)bare_object(obj)->identity);
}

const struct rgc_host_ops bare_host_ops = {.visit_children = visit_children,
                                           .release = release,
                                           .visit_roots = visit_roots,
                                           .weak_table_count = weak_table_count,
                                           .weak_table_sweep = weak_table_sweep,
                                           .world_stop = world_stop,
                                           .world_resume = world_resume,
                                           .is_shareable = is_shareable,
                                           .describe = describe};
