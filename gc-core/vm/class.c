/* class.c - Classes: born shareable, with constants that only their creator sets.
 *
 * Constants are read and written under the VM lock.  The owner of the class visits them without it
 * in its local collections: it is the creator itself, or took the class over from a dead creator.
 */
#include "gc-core/vm/internal.h"

enum vm_error
vm_class_new(struct vm_thread *t, vm_value *out)
{
  vm_value *made = vm_frame_push(t, 1);
  enum vm_error error = vm_allocate(t, VM_KIND_CLASS, t->ractor->id, sizeof(struct vm_class), made);

  if (error == VM_OK) {
    vm_promote(t, *made, 0);
    *out = *made;
  }
  vm_frame_pop(t, 1);
  return error;
}

static enum vm_error
constant_expect(const vm_value *klass, unsigned index)
{
  if (vm_kind_of(*klass) != VM_KIND_CLASS)
    return VM_TYPE_ERROR;
  return index < VM_CLASS_CONSTANT_COUNT ? VM_OK : VM_INDEX_ERROR;
}

enum vm_error
vm_constant_set(struct vm_thread *t, const vm_value *klass, unsigned index, const vm_value *value)
{
  enum vm_error error = constant_expect(klass, index);

  if (error != VM_OK)
    return error;
  if (vm_header_count(vm_header_at(*klass)) != t->ractor->id)
    return VM_ISOLATION_ERROR;

  vm_lock_acquire(t);
  vm_store_tagged(t, *klass, &vm_class_at(*klass)->constants[index], *value);
  vm_lock_release(t);
  vm_stress(t, RGC_STRESS_BARRIER);
  return VM_OK;
}

/* *out is written under the lock: afterwards the constant may be replaced. */
enum vm_error
vm_constant_get(struct vm_thread *t, const vm_value *klass, unsigned index, vm_value *out)
{
  enum vm_error error = constant_expect(klass, index);

  if (error != VM_OK)
    return error;

  vm_lock_acquire(t);
  error = vm_tagged_load(t, *klass, &vm_class_at(*klass)->constants[index], out);
  vm_lock_release(t);
  return error;
}
