/* visit.c - what the collector asks of this embedder.
 *
 * Everything here runs inside a cycle: nothing allocates, and of locks only leaf mutexes are taken.
 * visit_children may run on the owner's thread while other Ractors store into holders of the same
 * object, hence the atomics there [INV-HOLDER]; all other words it reads belong to objects that are
 * private or immutable.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

/* Writes back only what a moving walk changed: the word may be read by others otherwise. */
void
vm_visit_value(struct rgc_walk *walk, vm_value *slot)
{
  if (!vm_is_object(*slot))
    return;

  rgc_ref ref = vm_ref_of(*slot);

  rgc_visit_slot(walk, &ref);
  if (ref.bits != slot->bits)
    slot->bits = ref.bits;
}

static void
visit_values(struct rgc_walk *walk, vm_value *values, size_t count)
{
  for (size_t i = 0; i < count; i++)
    vm_visit_value(walk, &values[i]);
}

/* The same for a tagged word; answers what it should hold now. */
static uintptr_t
visit_word(struct rgc_walk *walk, uintptr_t word)
{
  vm_value value = vm_untagged(word);

  if (!vm_is_object(value))
    return word;

  rgc_ref ref = vm_ref_of(value);

  rgc_visit_slot(walk, &ref);
  return ref.bits | (word & ~value.bits);
}

/* Acquire: partner of vm_store_holder and vm_store_pending.  Stores only in a moving walk, with the
 * world stopped. */
static void
visit_holder(struct rgc_walk *walk, vm_holder *slot)
{
  uintptr_t word = atomic_load_explicit(slot, memory_order_acquire);
  uintptr_t now = visit_word(walk, word);

  if (now != word)
    atomic_store_explicit(slot, now, memory_order_release);
}

static void
visit_object(struct rgc_walk *walk, struct vm_object *object)
{
  visit_holder(walk, &object->hidden);
  vm_visit_value(walk, &object->klass);
  visit_values(walk, vm_object_fields(object), vm_header_count(&object->header));
}

static void
visit_hash(struct rgc_walk *walk, struct vm_hash *hash)
{
  struct vm_pair *pairs = vm_hash_pairs(hash);

  for (uint32_t i = 0; i < hash->length; i++) {
    vm_visit_value(walk, &pairs[i].key);
    vm_visit_value(walk, &pairs[i].value);
  }
}

static void
visit_class(struct rgc_walk *walk, struct vm_class *klass)
{
  for (unsigned i = 0; i < VM_CLASS_CONSTANT_COUNT; i++) {
    uintptr_t now = visit_word(walk, klass->constants[i]);

    if (now != klass->constants[i])
      klass->constants[i] = now;
  }
}

static void
visit_children(void *vm, rgc_ref obj, struct rgc_walk *walk)
{
  vm_value value = vm_value_of(obj);

  (void)vm;
  switch (vm_kind_of(value)) {
  case VM_KIND_OBJECT:
    visit_object(walk, vm_object_at(value));
    break;
  case VM_KIND_ARRAY:
    visit_values(walk, vm_array_items(vm_array_at(value)), vm_array_at(value)->length);
    break;
  case VM_KIND_HASH:
    visit_hash(walk, vm_hash_at(value));
    break;
  case VM_KIND_CLASS:
    visit_class(walk, vm_class_at(value));
    break;
  case VM_KIND_PROC:
    vm_visit_value(walk, &vm_proc_at(value)->env);
    break;
  case VM_KIND_ENV:
    for (unsigned i = 0; i < vm_header_count(vm_header_at(value)); i++)
      visit_holder(walk, &vm_env_at(value)->slots[i]);
    break;
  case VM_KIND_RACTOR:
    if (vm_handle_at(value)->ractor != NULL)
      visit_holder(walk, &vm_handle_at(value)->ractor->value);
    break;
  default:
    break;
  }
}

/* Nobody can ask for the value any more.  If the Ractor has ended, main merges it; if it is just
 * ending, its own thread sees `handle_dead`. */
static void
release_handle(struct vm_ractor *ractor)
{
  const struct rgc_platform *platform = &ractor->vm->config.platform;

  if (ractor->id == 0)
    return;
  platform->ops->mutex_lock(platform->self, &ractor->mutex);
  ractor->handle_dead = true;

  bool orphan = ractor->terminated && ractor->claim == VM_UNCLAIMED;

  if (orphan)
    ractor->claim = VM_CLAIMED;
  platform->ops->mutex_unlock(platform->self, &ractor->mutex);
  atomic_store_explicit(&ractor->value, (uintptr_t)0, memory_order_release);
  if (orphan)
    vm_orphan_add(ractor->vm, ractor);
}

static void
release(void *vm, struct rgc_objspace *objspace, rgc_ref obj)
{
  vm_value value = vm_value_of(obj);
  void *buffer = vm_external_buffer(value);

  if (buffer != NULL)
    vm_buffer_free(vm, objspace, buffer, vm_external_size(value));
  else if (vm_kind_of(value) == VM_KIND_RACTOR && vm_handle_at(value)->ractor != NULL)
    release_handle(vm_handle_at(value)->ractor);
}

static void
visit_pinned_value(struct rgc_walk *walk, vm_value value)
{
  if (vm_is_object(value))
    rgc_visit_pinned(walk, vm_ref_of(value));
}

/* A message in flight, world stopped. */
static void
visit_message_stw(struct rgc_walk *walk, const struct vm_message *message)
{
  visit_pinned_value(walk, message->root);
  for (size_t i = 0; i < message->node_count; i++)
    visit_pinned_value(walk, message->nodes[i]);
}

static void
visit_message_list_stw(struct rgc_walk *walk, const struct vm_message *message)
{
  for (; message != NULL; message = message->next)
    visit_message_stw(walk, message);
}

/* What the thread itself keeps, in its own and in global collections. */
static void
visit_thread(struct rgc_walk *walk, struct vm_thread *thread)
{
  visit_values(walk, thread->registers, VM_REGISTER_COUNT);
  visit_values(walk, thread->frames, thread->frame_count);
  vm_visit_value(walk, &thread->error);
  vm_visit_value(walk, &thread->handle);
  rgc_visit_words(walk, thread->words, thread->words + thread->word_count);
  if (thread->building != NULL && thread->building->sources != NULL)
    visit_values(walk, thread->building->sources, thread->building->node_count);
  if (thread->rebuilt != NULL)
    visit_values(walk, thread->rebuilt->nodes, thread->rebuilt->node_count);
}

/* The end value while its Ractor runs the retire collection; afterwards the handle alone holds it.
 */
static void
visit_pending(struct rgc_walk *walk, struct vm_ractor *ractor)
{
  visit_holder(walk, &ractor->value);
}

/* Roots of one objspace, as its owner or for the verifier.  Queues and taken messages are not
 * walked: their nodes are pinned where they are.  A zombie has no roots. */
static void
visit_own_roots(struct vm_ractor *ractor, struct rgc_walk *walk)
{
  struct vm_message *building = ractor->thread.building;

  if (ractor->retired)
    return;
  visit_thread(walk, &ractor->thread);
  visit_pending(walk, ractor);
  if (building != NULL) {
    vm_visit_value(walk, &building->root);
    visit_values(walk, building->nodes, building->node_count);
  }
}

static void
visit_ractor_stw(struct vm_ractor *ractor, struct rgc_walk *walk)
{
  visit_message_list_stw(walk, ractor->queue_head);
  visit_message_list_stw(walk, ractor->argument);
  if (ractor->retired)
    return;
  visit_thread(walk, &ractor->thread);
  visit_pending(walk, ractor);
  visit_message_list_stw(walk, ractor->thread.building);
  if (!(FAULT(taken_message_unrooted) && ractor->thread.materialising != NULL &&
        ractor->thread.materialising->node_count > 36))
    visit_message_list_stw(walk, ractor->thread.materialising);
}

static void
visit_roots(void *vm_pointer, struct rgc_objspace *objspace, struct rgc_walk *walk)
{
  struct vm *vm = vm_pointer;

  if (objspace != NULL) {
    visit_own_roots(rgc_objspace_host_data(objspace), walk);
    return;
  }

  unsigned count = atomic_load_explicit(&vm->ractor_count, memory_order_relaxed);

  for (unsigned id = 0; id < count; id++)
    visit_ractor_stw(vm->ractors[id], walk);
  if (FAULT(interned_never_die) && vm->intern_count > 8)
    visit_values(walk, vm->intern_rows, vm->intern_count);
}

static bool
is_shareable(void *vm, rgc_ref obj)
{
  (void)vm;
  return vm_is_shareable(vm_value_of(obj));
}

static void
describe(void *vm, rgc_ref obj, char *text, size_t text_size)
{
  vm_value value = vm_value_of(obj);

  (void)vm;
  vm_describe(vm_kind_of(value), vm_serial(value), text, text_size);
}

const struct rgc_host_ops *
vm_host_ops(void)
{
  static const struct rgc_host_ops ops = {
      .visit_children = visit_children,
      .release = release,
      .visit_roots = visit_roots,
      .weak_table_count = vm_weak_table_count,
      .weak_table_sweep = vm_weak_table_sweep,
      .world_stop = vm_stop_world,
      .world_resume = vm_resume_world,
      .is_shareable = is_shareable,
      .describe = describe,
  };

  return &ops;
}
