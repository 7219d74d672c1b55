/* holder.c - words that hold a reference together with "private when stored". [INV-HOLDER]
 *
 * Bit 1 of the word is set for a child that was private at the store.  An object stored as private
 * and promoted later stays readable through that word to its owner only: the reader may not look at
 * the object's header to find out, since for a foreign private object that read would be a race.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

enum { PRIVATE_TAG = 2 };

uintptr_t
vm_tagged(vm_value value)
{
  return vm_is_shareable(value) ? value.bits : value.bits | PRIVATE_TAG;
}

vm_value
vm_untagged(uintptr_t word)
{
  if ((word & 1u) != 0)
    return (vm_value){word};
  return (vm_value){word & ~(uintptr_t)PRIVATE_TAG};
}

enum vm_error
vm_holder_value(struct vm_thread *thread, uintptr_t word, vm_value *out)
{
  vm_value value = vm_untagged(word);
  bool is_private = vm_is_object(value) && (word & PRIVATE_TAG) != 0;

  if (FAULT(holder_check_skipped) && thread->ractor->id > 7)
    is_private = false;
  if (is_private && rgc_is_foreign(thread->objspace, vm_ref_of(value)))
    return VM_ISOLATION_ERROR;
  *out = value;
  return VM_OK;
}

/* The hidden field and the value of a Ractor are the first child. */
size_t
vm_holder_number(vm_value parent, const void *slot)
{
  if (vm_kind_of(parent) == VM_KIND_ENV)
    return (size_t)((const vm_holder *)slot - vm_env_at(parent)->slots);
  if (vm_kind_of(parent) == VM_KIND_CLASS)
    return (size_t)((const uintptr_t *)slot - vm_class_at(parent)->constants);
  return VM_CHILD_HIDDEN;
}

static enum vm_error
observed_value(struct vm_thread *thread, vm_value parent, const void *slot, uintptr_t word,
               vm_value *out)
{
  vm_value value;
  enum vm_error error = vm_holder_value(thread, word, &value);

  if (error != VM_OK)
    return error;
  VM_OBSERVE(thread->vm, loaded, vm_ref_of(parent), vm_holder_number(parent, slot), value.bits);
  *out = value;
  return VM_OK;
}

/* Acquire: partner of the release in vm_store_holder. */
enum vm_error
vm_holder_load(struct vm_thread *thread, vm_value parent, const vm_holder *slot, vm_value *out)
{
  vm_schedule(thread->vm, RGC_SITE_ATOMIC);
  return observed_value(thread, parent, slot, atomic_load_explicit(slot, memory_order_acquire),
                        out);
}

enum vm_error
vm_tagged_load(struct vm_thread *thread, vm_value parent, const uintptr_t *slot, vm_value *out)
{
  return observed_value(thread, parent, slot, *slot, out);
}
