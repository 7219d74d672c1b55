/* string.c - Strings: bytes in the slot or in an off-heap buffer that grows by doubling.
 *
 * Bytes of a shareable String never change; any Ractor that holds it may read them.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

#include <string.h>

enum vm_error
vm_string_make(struct vm_thread *thread, size_t capacity, vm_value *out)
{
  bool external = capacity > VM_STRING_EMBED_MAX;
  size_t wanted = capacity < sizeof(uint8_t *) ? sizeof(uint8_t *) : capacity;
  size_t embedded = external ? sizeof(uint8_t *) : wanted;
  size_t size = offsetof(struct vm_string, as) + embedded;
  void *buffer;
  enum vm_error error =
      vm_allocate_external(thread, VM_KIND_STRING, 0, size, external ? capacity : 0, &buffer, out);

  if (error != VM_OK)
    return error;

  struct vm_string *self = vm_string_at(*out);

  self->capacity = (uint32_t)wanted;
  if (external) {
    self->as.buffer = buffer;
    vm_header_set(*out, VM_FLAG_EXTERNAL);
  }
  return VM_OK;
}

enum vm_error
vm_string_new(struct vm_thread *t, unsigned length, unsigned fill, vm_value *out)
{
  if (length > VM_STRING_LENGTH_MAX)
    return VM_INDEX_ERROR;

  vm_value *made = vm_frame_push(t, 1);
  enum vm_error error = vm_string_make(t, length, made);

  if (error == VM_OK) {
    struct vm_string *self = vm_string_at(*made);

    if (length > 0)
      memset(vm_string_bytes(self), (int)(fill & 0xffu), length);
    VM_OBSERVE(t->vm, filled, vm_ref_of(*made), 0, length, fill & 0xffu);
    self->length = length;
    *out = *made;
  }
  vm_frame_pop(t, 1);
  return error;
}

/* Makes room for `length` bytes. */
static enum vm_error
string_reserve(struct vm_thread *t, const vm_value *string, size_t length) VM_COLLECTS
{
  size_t capacity = vm_string_at(*string)->capacity;

  if (length <= capacity)
    return VM_OK;
  capacity *= 2;
  if (capacity < length)
    capacity = length;

  uint8_t *buffer = vm_buffer_new(t, capacity);

  if (buffer == NULL)
    return VM_NO_MEMORY;

  struct vm_string *self = vm_string_at(*string);
  uint8_t *old = vm_external_buffer(*string);
  size_t old_size = vm_external_size(*string);

  if (self->length > 0)
    memcpy(buffer, vm_string_bytes(self), self->length);
  self->as.buffer = buffer;
  self->capacity = (uint32_t)capacity;
  vm_header_set(*string, VM_FLAG_EXTERNAL);
  if (old != NULL)
    vm_buffer_free(t->vm, t->objspace, old, old_size);
  return VM_OK;
}

enum vm_error
vm_string_append(struct vm_thread *t, const vm_value *string, unsigned count, unsigned fill)
{
  enum vm_error error = vm_expect_mutable(*string, VM_KIND_STRING);

  if (error != VM_OK)
    return error;

  size_t length = vm_string_at(*string)->length;

  if (count > VM_STRING_LENGTH_MAX - length)
    return VM_INDEX_ERROR;
  error = string_reserve(t, string, length + count);
  if (error != VM_OK)
    return error;

  struct vm_string *self = vm_string_at(*string);

  if (count > 0)
    memset(vm_string_bytes(self) + length, (int)(fill & 0xffu), count);
  VM_OBSERVE(t->vm, filled, vm_ref_of(*string), length, count, fill & 0xffu);
  self->length = (uint32_t)(length + count);
  return VM_OK;
}

/* For a seeded fault. */
static bool
had_major(const struct vm_thread *t)
{
  struct rgc_objspace_stats stats;

  rgc_objspace_get_stats(t->objspace, &stats);
  return stats.major_count > 0;
}

/* nil beyond the end, as String#getbyte. */
enum vm_error
vm_string_byte(struct vm_thread *t, const vm_value *string, unsigned index, vm_value *out)
{
  enum vm_error error = vm_expect(*string, VM_KIND_STRING);

  if (error != VM_OK)
    return error;
  VM_ASSERT(t->vm, t->held_lock_count == 0);

  struct vm_string *self = vm_string_at(*string);

  int byte = index < self->length ? vm_string_bytes(self)[index] : -1;

  VM_OBSERVE(t->vm, loaded_byte, vm_ref_of(*string), index, byte);
  if (FAULT(byte_of_old_buffer) && vm_external_buffer(*string) != NULL && self->length > 390 &&
      had_major(t))
    byte = 0;
  *out = byte < 0 ? vm_nil() : vm_fixnum(byte);
  return VM_OK;
}
