/* digest.c - a number that tells two observations of a value apart, without any address.
 *
 * It covers the kind, the flags a program can see, lengths and immediates; of a child object only
 * its kind.  What other Ractors may store into (constants, environments, hidden fields) is left
 * out: the calling Ractor may not read it, and its contents depend on the schedule.
 */
#include "gc-core/vm/internal.h"

static uint64_t
mix(uint64_t digest, uint64_t word)
{
  digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return digest ^ (digest >> 29);
}

static uint64_t
mix_child(uint64_t digest, vm_value child)
{
  if (vm_is_object(child))
    return mix(digest, UINT64_C(0x100) + (uint64_t)vm_kind_of(child));
  return mix(digest, ((uint64_t)child.bits << 16) | 0x200u);
}

static uint64_t
mix_children(uint64_t digest, const vm_value *children, size_t count)
{
  digest = mix(digest, count);
  for (size_t i = 0; i < count; i++)
    digest = mix_child(digest, children[i]);
  return digest;
}

static uint64_t
mix_string(uint64_t digest, struct vm_string *string)
{
  const uint8_t *bytes = vm_string_bytes(string);

  digest = mix(digest, string->length);
  for (uint32_t i = 0; i < string->length; i++)
    digest = mix(digest, bytes[i]);
  return digest;
}

static uint64_t
mix_hash(uint64_t digest, struct vm_hash *hash)
{
  digest = mix(digest, hash->length);
  for (uint32_t i = 0; i < hash->length; i++) {
    digest = mix_child(digest, vm_hash_pairs(hash)[i].key);
    digest = mix_child(digest, vm_hash_pairs(hash)[i].value);
  }
  return digest;
}

uint64_t
vm_digest(struct vm_thread *thread, vm_value value)
{
  uint64_t digest = mix(1, vm_kind_of(value));

  VM_ASSERT(thread->vm, thread->held_lock_count == 0);
  if (!vm_is_object(value))
    return mix_child(digest, value);

  digest = mix(digest, (vm_is_frozen(value) ? 1u : 0u) | (vm_is_shareable(value) ? 2u : 0u));
  switch (vm_kind_of(value)) {
  case VM_KIND_OBJECT:
    digest = mix_child(digest, vm_object_at(value)->klass);
    return mix_children(digest, vm_object_fields(vm_object_at(value)),
                        vm_header_count(vm_header_at(value)));
  case VM_KIND_STRING:
    return mix_string(digest, vm_string_at(value));
  case VM_KIND_ARRAY:
    return mix_children(digest, vm_array_items(vm_array_at(value)), vm_array_at(value)->length);
  case VM_KIND_HASH:
    return mix_hash(digest, vm_hash_at(value));
  case VM_KIND_PROC:
    return mix(digest, vm_header_count(vm_header_at(vm_proc_at(value)->env)));
  default:
    return digest;
  }
}

size_t
vm_length(vm_value value)
{
  switch (vm_kind_of(value)) {
  case VM_KIND_OBJECT:
    return vm_header_count(vm_header_at(value));
  case VM_KIND_STRING:
    return vm_string_at(value)->length;
  case VM_KIND_ARRAY:
    return vm_array_at(value)->length;
  case VM_KIND_HASH:
    return vm_hash_at(value)->length;
  default:
    return 0;
  }
}

bool
vm_handle_names(vm_value value, unsigned *ractor_id, size_t *port_number)
{
  if (vm_kind_of(value) != VM_KIND_RACTOR && vm_kind_of(value) != VM_KIND_PORT)
    return false;
  *ractor_id = vm_handle_at(value)->ractor->id;
  *port_number = vm_handle_at(value)->port_number;
  return true;
}

bool
vm_slots_are_foreign(const struct vm_thread *thread, vm_value value)
{
  if (vm_kind_of(value) == VM_KIND_PROC)
    value = vm_proc_at(value)->env;
  return vm_is_object(value) && vm_is_shareable(value) &&
         vm_serial(value) >> VM_SERIAL_SHIFT != thread->ractor->id;
}
