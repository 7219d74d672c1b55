/* inspect.c - the VM as an oracle sees it: its roots as the program holds them, and what an object
 * is and holds.
 *
 * Written apart from visit.c on purpose: a root or child that the visit functions forget is still
 * found here.  Reads only, with plain reads: the caller's own heap, or any with the world stopped.
 * Neither instrumented nor covered; uses no library function that a sanitizer intercepts but
 * snprintf, for a text that is already a finding's.
 */
#include "gc-core/vm/internal.h"

#include <stdio.h>

struct sink {
  rgc_root_sink *take;
  void *arg;
};

static void
take_values(const struct sink *sink, enum rgc_root root, const vm_value *values, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (vm_is_object(values[i]))
      sink->take(sink->arg, root, values[i].bits);
  }
}

static void
take_messages(const struct sink *sink, const struct vm_message *message)
{
  for (; message != NULL; message = message->next) {
    take_values(sink, RGC_ROOT_IN_FLIGHT, &message->root, 1);
    take_values(sink, RGC_ROOT_IN_FLIGHT, message->nodes, message->node_count);
  }
}

static void
take_building(const struct sink *sink, const struct vm_message *building)
{
  if (building == NULL)
    return;
  take_messages(sink, building);
  if (building->sources != NULL)
    take_values(sink, RGC_ROOT_EXACT, building->sources, building->node_count);
}

/* What only this thread can name.  A Ractor that has ended has none of it. */
static void
take_thread(const struct sink *sink, const struct vm_thread *thread)
{
  take_values(sink, RGC_ROOT_EXACT, thread->registers, VM_REGISTER_COUNT);
  take_values(sink, RGC_ROOT_EXACT, thread->frames, thread->frame_count);
  take_values(sink, RGC_ROOT_EXACT, &thread->error, 1);
  take_values(sink, RGC_ROOT_EXACT, &thread->handle, 1);
  for (unsigned i = 0; i < thread->word_count; i++)
    sink->take(sink->arg, RGC_ROOT_WORD, thread->words[i]);
  take_building(sink, thread->building);
  if (thread->rebuilt != NULL)
    take_values(sink, RGC_ROOT_EXACT, thread->rebuilt->nodes, thread->rebuilt->node_count);
}

/* The end value hangs under the handle; while its Ractor ends, nothing else may hold the handle. */
static void
take_pending(const struct sink *sink, struct vm_ractor *ractor)
{
  vm_value value = vm_untagged(atomic_load_explicit(&ractor->value, memory_order_relaxed));

  if (!vm_is_nil(ractor->thread.handle))
    take_values(sink, RGC_ROOT_EXACT, &value, 1);
}

static void
each_root(void *self, unsigned objspace, rgc_root_sink *take, void *arg)
{
  struct vm *vm = self;
  const struct sink sink = {take, arg};
  unsigned count = atomic_load_explicit(&vm->ractor_count, memory_order_relaxed);

  for (unsigned id = 0; id < count; id++) {
    struct vm_ractor *ractor = vm->ractors[id];

    if (objspace != RGC_OBJSPACE_ALL && ractor->objspace_id != objspace)
      continue;
    take_thread(&sink, &ractor->thread);
    take_pending(&sink, ractor);
    if (objspace != RGC_OBJSPACE_ALL)
      continue;
    take_messages(&sink, ractor->queue_head);
    take_messages(&sink, ractor->argument);
    take_messages(&sink, ractor->thread.materialising);
  }
}

static void
see(struct rgc_view *view, vm_value child)
{
  if (view->child_count < RGC_VIEW_CHILD_MAX)
    view->children[view->child_count] = child.bits;
  view->child_count++;
}

static void
see_values(struct rgc_view *view, const vm_value *values, size_t count)
{
  for (size_t i = 0; i < count; i++)
    see(view, values[i]);
}

static void
see_holder(struct rgc_view *view, const vm_holder *slot)
{
  see(view, vm_untagged(atomic_load_explicit(slot, memory_order_relaxed)));
}

static void
see_object(struct rgc_view *view, struct vm_object *object)
{
  see_holder(view, &object->hidden);
  see(view, object->klass);
  see_values(view, vm_object_fields(object), vm_header_count(&object->header));
}

static void
see_pairs(struct rgc_view *view, struct vm_hash *hash)
{
  const struct vm_pair *pairs = vm_hash_pairs(hash);

  for (uint32_t i = 0; i < hash->length; i++) {
    see(view, pairs[i].key);
    see(view, pairs[i].value);
  }
}

static void
see_contents(struct rgc_view *view, vm_value value)
{
  switch ((enum vm_kind)view->kind) {
  case VM_KIND_OBJECT:
    see_object(view, vm_object_at(value));
    break;
  case VM_KIND_STRING:
    view->bytes = vm_string_bytes(vm_string_at(value));
    view->byte_count = vm_string_at(value)->length;
    break;
  case VM_KIND_ARRAY:
    see_values(view, vm_array_items(vm_array_at(value)), vm_array_at(value)->length);
    break;
  case VM_KIND_HASH:
    see_pairs(view, vm_hash_at(value));
    break;
  case VM_KIND_CLASS:
    for (unsigned i = 0; i < VM_CLASS_CONSTANT_COUNT; i++)
      see(view, vm_untagged(vm_class_at(value)->constants[i]));
    break;
  case VM_KIND_PROC:
    see(view, vm_proc_at(value)->env);
    break;
  case VM_KIND_ENV:
    for (unsigned i = 0; i < vm_header_count(vm_header_at(value)); i++)
      see_holder(view, &vm_env_at(value)->slots[i]);
    break;
  case VM_KIND_RACTOR:
    see_holder(view, &vm_handle_at(value)->ractor->value);
    break;
  default:
    break;
  }
}

static void
view(void *self, rgc_ref obj, struct rgc_view *out)
{
  const struct vm *vm = self;
  vm_value value = vm_value_of(obj);
  const struct vm_header *header = vm_header_at(value);

  out->kind = (unsigned)(header->word & VM_KIND_MASK);
  out->frozen = vm_header_has(header, VM_FLAG_FROZEN);
  out->shareable = vm_header_has(header, VM_FLAG_SHAREABLE);
  out->owner = rgc_objspace_id(rgc_owner(vm->world, obj));
  out->name = header->serial;
  out->child_count = 0;
  out->byte_count = 0;
  out->bytes = NULL;
  see_contents(out, value);
}

void
vm_describe(enum vm_kind kind, uint64_t serial, char *text, size_t text_size)
{
  unsigned ractor_id = (unsigned)(serial >> VM_SERIAL_SHIFT);
  unsigned long long number = serial & ((UINT64_C(1) << VM_SERIAL_SHIFT) - 1);

  if (ractor_id == 0)
    (void)snprintf(text, text_size, "main#%llu %s", number, vm_kind_name(kind));
  else
    (void)snprintf(text, text_size, "r%u#%llu %s", ractor_id, number, vm_kind_name(kind));
}

static void
describe(void *self, unsigned kind, uint64_t name, char *text, size_t text_size)
{
  (void)self;
  vm_describe((enum vm_kind)kind, name, text, text_size);
}

struct rgc_subject
vm_subject(struct vm *vm)
{
  return (struct rgc_subject){.self = vm,
                              .interior_pins = vm->config.settings.interior_pins,
                              .each_root = each_root,
                              .view = view,
                              .describe = describe};
}
