/* value.c - what can be said of a value without a thread.
 *
 * Readers of headers: any Ractor may read the header of an object that it may hold; see INV-HEADER
 * in value.h.  Nothing here writes, allocates or takes a lock.
 */
#include "gc-core/vm/value.h"

#include <string.h>

const char *
vm_error_name(enum vm_error error)
{
  static const char *const names[VM_ERROR_COUNT] = {
      [VM_OK] = "ok",
      [VM_TYPE_ERROR] = "TypeError",
      [VM_INDEX_ERROR] = "IndexError",
      [VM_FROZEN_ERROR] = "FrozenError",
      [VM_ISOLATION_ERROR] = "Ractor::IsolationError",
      [VM_NO_MEMORY] = "NoMemoryError",
      [VM_CLOSED_ERROR] = "Ractor::ClosedError",
      [VM_RACTOR_ERROR] = "Ractor::Error",
      [VM_REMOTE_ERROR] = "Ractor::RemoteError",
      [VM_THREAD_ERROR] = "ThreadError",
      [VM_STOPPED] = "fatal",
      [VM_RAISED] = "raised",
  };

  return (unsigned)error < VM_ERROR_COUNT ? names[error] : "?";
}

const char *
vm_kind_name(enum vm_kind kind)
{
  static const char *const names[VM_KIND_COUNT] = {
      [VM_KIND_NONE] = "None",   [VM_KIND_OBJECT] = "Object", [VM_KIND_STRING] = "String",
      [VM_KIND_ARRAY] = "Array", [VM_KIND_HASH] = "Hash",     [VM_KIND_CLASS] = "Class",
      [VM_KIND_PROC] = "Proc",   [VM_KIND_ENV] = "Env",       [VM_KIND_RACTOR] = "Ractor",
      [VM_KIND_PORT] = "Port",
  };

  return (unsigned)kind < VM_KIND_COUNT ? names[kind] : "?";
}

enum vm_kind
vm_kind_of(vm_value value)
{
  if (!vm_is_object(value))
    return VM_KIND_NONE;
  return (enum vm_kind)(vm_header_at(value)->word & VM_KIND_MASK);
}

bool
vm_is_shareable(vm_value value)
{
  return !vm_is_object(value) || vm_header_has(vm_header_at(value), VM_FLAG_SHAREABLE);
}

bool
vm_is_frozen(vm_value value)
{
  return !vm_is_object(value) || vm_header_has(vm_header_at(value), VM_FLAG_FROZEN);
}

uint64_t
vm_serial(vm_value value)
{
  return vm_is_object(value) ? vm_header_at(value)->serial : 0;
}

size_t
vm_external_size(vm_value value)
{
  if (!vm_is_object(value) || !vm_header_has(vm_header_at(value), VM_FLAG_EXTERNAL))
    return 0;
  switch (vm_kind_of(value)) {
  case VM_KIND_OBJECT:
    return vm_header_count(vm_header_at(value)) * sizeof(vm_value);
  case VM_KIND_STRING:
    return vm_string_at(value)->capacity;
  case VM_KIND_ARRAY:
    return vm_array_at(value)->capacity * sizeof(vm_value);
  case VM_KIND_HASH:
    return vm_hash_at(value)->capacity * sizeof(struct vm_pair);
  default:
    return 0;
  }
}

void *
vm_external_buffer(vm_value value)
{
  if (vm_external_size(value) == 0)
    return NULL;
  switch (vm_kind_of(value)) {
  case VM_KIND_OBJECT:
    return vm_object_at(value)->as.buffer;
  case VM_KIND_STRING:
    return vm_string_at(value)->as.buffer;
  case VM_KIND_ARRAY:
    return vm_array_at(value)->as.buffer;
  default:
    return vm_hash_at(value)->as.buffer;
  }
}

enum vm_error
vm_expect(vm_value value, enum vm_kind kind)
{
  return vm_kind_of(value) == kind ? VM_OK : VM_TYPE_ERROR;
}

enum vm_error
vm_expect_mutable(vm_value value, enum vm_kind kind)
{
  if (vm_kind_of(value) != kind)
    return VM_TYPE_ERROR;
  return vm_is_frozen(value) ? VM_FROZEN_ERROR : VM_OK;
}

bool
vm_string_same(vm_value left, vm_value right)
{
  struct vm_string *a = vm_string_at(left);
  struct vm_string *b = vm_string_at(right);

  if (a->length != b->length)
    return false;
  return a->length == 0 || memcmp(vm_string_bytes(a), vm_string_bytes(b), a->length) == 0;
}
