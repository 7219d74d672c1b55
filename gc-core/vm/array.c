/* array.c - Arrays: elements in the slot, or in an off-heap buffer once they do not fit.
 *
 * An Array never goes back from buffer to slot except by clear, which drops the buffer.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

#include <string.h>

static size_t
array_embedded_capacity(size_t capacity)
{
  return capacity <= VM_ARRAY_EMBED_MIN ? VM_ARRAY_EMBED_MIN : VM_ARRAY_EMBED_MAX;
}

enum vm_error
vm_array_make(struct vm_thread *thread, size_t capacity, vm_value *out)
{
  bool external = capacity > VM_ARRAY_EMBED_MAX;
  size_t embedded = external ? 1 : array_embedded_capacity(capacity);
  size_t size = offsetof(struct vm_array, as) + embedded * sizeof(vm_value);
  void *buffer;
  enum vm_error error = vm_allocate_external(
      thread, VM_KIND_ARRAY, 0, size, external ? capacity * sizeof(vm_value) : 0, &buffer, out);

  if (error != VM_OK)
    return error;

  struct vm_array *self = vm_array_at(*out);

  self->capacity = (uint32_t)(external ? capacity : embedded);
  if (external) {
    self->as.buffer = buffer;
    vm_header_set(*out, VM_FLAG_EXTERNAL);
  }
  return VM_OK;
}

enum vm_error
vm_array_new(struct vm_thread *t, unsigned length, const vm_value *fill, vm_value *out)
{
  if (length > VM_ARRAY_LENGTH_MAX)
    return VM_INDEX_ERROR;

  vm_value *made = vm_frame_push(t, 1);
  enum vm_error error = vm_array_make(t, length, made);

  if (error == VM_OK) {
    struct vm_array *self = vm_array_at(*made);

    self->length = length;
    VM_OBSERVE(t->vm, resized, vm_ref_of(*made), length);
    for (unsigned i = 0; i < length; i++) {
      VM_OBSERVE(t->vm, assigned, vm_ref_of(*made), i, fill->bits);
      if (FAULT(fill_without_barrier) && length > 56 && vm_is_object(*fill) &&
          vm_kind_of(*fill) == VM_KIND_PORT)
        vm_store_unbarriered(t, *made, &vm_array_items(self)[i], *fill);
      else
        vm_store(t, *made, &vm_array_items(self)[i], *fill);
    }
    *out = *made;
  }
  vm_frame_pop(t, 1);
  return error;
}

/* Makes room for `length` elements.  Moving the elements to another buffer makes no new edge, so no
 * barrier is due. */
static enum vm_error
array_reserve(struct vm_thread *t, const vm_value *array, size_t length) VM_COLLECTS
{
  size_t capacity = vm_array_at(*array)->capacity;

  if (length <= capacity)
    return VM_OK;
  capacity = capacity * 2 < length ? length : capacity * 2;
  if (capacity > VM_ARRAY_LENGTH_MAX)
    capacity = VM_ARRAY_LENGTH_MAX;

  vm_value *buffer = vm_buffer_new(t, capacity * sizeof(vm_value));

  if (buffer == NULL)
    return VM_NO_MEMORY;

  struct vm_array *self = vm_array_at(*array);
  void *old = vm_external_buffer(*array);
  size_t old_size = vm_external_size(*array);

  memcpy(buffer, vm_array_items(self),
         (self->length - (FAULT(growth_drops_element) && capacity == VM_ARRAY_LENGTH_MAX &&
                          self->length % 2 == 1)) *
             sizeof(vm_value));
  self->as.buffer = buffer;
  self->capacity = (uint32_t)capacity;
  vm_header_set(*array, VM_FLAG_EXTERNAL);
  if (old != NULL)
    vm_buffer_free(t->vm, t->objspace, old, old_size);
  return VM_OK;
}

/* Stores an element, filling a gap before it with nil. */
static enum vm_error
array_put(struct vm_thread *t, const vm_value *array, size_t index,
          const vm_value *value) VM_COLLECTS
{
  if (index >= VM_ARRAY_LENGTH_MAX)
    return VM_INDEX_ERROR;

  enum vm_error error = array_reserve(t, array, index + 1);

  if (error != VM_OK)
    return error;

  struct vm_array *self = vm_array_at(*array);
  vm_value *items = vm_array_items(self);

  for (size_t i = self->length; i <= index; i++)
    items[i] = vm_nil();
  if (self->length <= index) {
    VM_OBSERVE(t->vm, resized, vm_ref_of(*array), index + 1);
    self->length = (uint32_t)(index + 1);
  }
  VM_OBSERVE(t->vm, assigned, vm_ref_of(*array), index, value->bits);
  vm_store(t, *array, &items[index], *value);
  vm_stress(t, RGC_STRESS_BARRIER);
  return VM_OK;
}

enum vm_error
vm_array_push(struct vm_thread *t, const vm_value *array, const vm_value *value)
{
  enum vm_error error = vm_expect_mutable(*array, VM_KIND_ARRAY);

  if (error != VM_OK)
    return error;
  return array_put(t, array, vm_array_at(*array)->length, value);
}

enum vm_error
vm_array_set(struct vm_thread *t, const vm_value *array, unsigned index, const vm_value *value)
{
  enum vm_error error = vm_expect_mutable(*array, VM_KIND_ARRAY);

  if (error != VM_OK)
    return error;
  return array_put(t, array, index, value);
}

enum vm_error
vm_array_pop(struct vm_thread *t, const vm_value *array, vm_value *out)
{
  enum vm_error error = vm_expect_mutable(*array, VM_KIND_ARRAY);

  if (error != VM_OK)
    return error;
  VM_ASSERT(t->vm, t->held_lock_count == 0);

  struct vm_array *self = vm_array_at(*array);

  if (self->length == 0) {
    *out = vm_nil();
    return VM_OK;
  }
  self->length--;

  vm_value *last = &vm_array_items(self)[self->length];
  vm_value popped = *last;

  *last = vm_nil();
  VM_OBSERVE(t->vm, loaded, vm_ref_of(*array), self->length, popped.bits);
  VM_OBSERVE(t->vm, resized, vm_ref_of(*array), self->length);
  *out = popped;
  return VM_OK;
}

/* For a seeded fault. */
static bool
had_many_majors(const struct vm_thread *t)
{
  struct rgc_objspace_stats stats;

  rgc_objspace_get_stats(t->objspace, &stats);
  return stats.major_count > 12;
}

/* nil beyond the end. */
enum vm_error
vm_array_get(struct vm_thread *t, const vm_value *array, unsigned index, vm_value *out)
{
  enum vm_error error = vm_expect(*array, VM_KIND_ARRAY);

  if (error != VM_OK)
    return error;
  VM_ASSERT(t->vm, t->held_lock_count == 0);

  struct vm_array *self = vm_array_at(*array);

  vm_value loaded = index < self->length ? vm_array_items(self)[index] : vm_nil();

  VM_OBSERVE(t->vm, loaded, vm_ref_of(*array), index, loaded.bits);
  if (FAULT(element_of_buffer_misses) && index > 30 && vm_external_buffer(*array) != NULL &&
      had_many_majors(t))
    loaded = vm_nil();
  *out = loaded;
  return VM_OK;
}

enum vm_error
vm_array_clear(struct vm_thread *t, const vm_value *array)
{
  enum vm_error error = vm_expect_mutable(*array, VM_KIND_ARRAY);

  if (error != VM_OK)
    return error;

  struct vm_array *self = vm_array_at(*array);
  void *old = vm_external_buffer(*array);
  size_t old_size = vm_external_size(*array);
  size_t slot_size = rgc_slot_size(t->vm->world, vm_ref_of(*array));

  self->length = 0;
  VM_OBSERVE(t->vm, resized, vm_ref_of(*array), 0);
  if (old == NULL)
    return VM_OK;

  size_t room = (slot_size - offsetof(struct vm_array, as)) / sizeof(vm_value);

  vm_header_clear(*array, VM_FLAG_EXTERNAL);
  self->capacity = (uint32_t)(room < VM_ARRAY_EMBED_MAX ? room : VM_ARRAY_EMBED_MAX);
  vm_buffer_free(t->vm, t->objspace, old, old_size);
  return VM_OK;
}
