/* heap.c - new objects and changes of their headers.
 *
 * Keeps INV-HEADER: flags are written on own private objects only, and a promotion is the last
 * write. Called by the owner of the thread's objspace with no VM lock and no Ractor's mutex held.
 */
#include "gc-core/vm/internal.h"

/* Children that an object of this kind has from the start. */
static size_t
child_count(enum vm_kind kind, size_t count)
{
  switch (kind) {
  case VM_KIND_OBJECT:
    return VM_CHILD_FIELD + count;
  case VM_KIND_CLASS:
    return VM_CLASS_CONSTANT_COUNT;
  case VM_KIND_ENV:
    return count;
  case VM_KIND_PROC:
  case VM_KIND_RACTOR:
    return 1;
  default:
    return 0;
  }
}

static void
header_write(vm_value value, enum vm_kind kind, size_t count, uint64_t serial)
{
  struct vm_header *header = vm_header_at(value);

  header->serial = serial;
  header->word = (uintptr_t)kind | ((uintptr_t)count << VM_COUNT_SHIFT);
}

enum vm_error
vm_allocate(struct vm_thread *thread, enum vm_kind kind, size_t count, size_t size, vm_value *out)
{
  VM_ASSERT(thread->vm, thread->held_lock_count == 0);
  VM_ASSERT(thread->vm, count <= 0xffffu);

  rgc_ref ref = rgc_allocate(thread->objspace, size);

  if (ref.bits == 0)
    return VM_NO_MEMORY;
  VM_ASSERT(thread->vm, (ref.bits & 7u) == 0);

  uint64_t serial = ((uint64_t)thread->ractor->id << VM_SERIAL_SHIFT) | ++thread->serial_count;

  header_write(vm_value_of(ref), kind, count, serial);
  VM_OBSERVE(thread->vm, made, ref, kind, serial, child_count(kind, count),
             kind == VM_KIND_OBJECT ? VM_CHILD_CLASS : 0);
  *out = vm_value_of(ref);
  return VM_OK;
}

void
vm_header_set(vm_value value, enum vm_flag flag)
{
  vm_header_at(value)->word |= (uintptr_t)flag;
}

void
vm_header_clear(vm_value value, enum vm_flag flag)
{
  vm_header_at(value)->word &= ~(uintptr_t)flag;
}

/* The host's flag first: the collector asks is_shareable while it records the outgoing edges. */
void
vm_promote(struct vm_thread *thread, vm_value value, unsigned extra_flags)
{
  struct vm_header *header = vm_header_at(value);

  VM_ASSERT(thread->vm, !vm_header_has(header, VM_FLAG_SHAREABLE));
  VM_ASSERT(thread->vm, !rgc_is_foreign(thread->objspace, vm_ref_of(value)));

  vm_schedule(thread->vm, RGC_SITE_PROMOTE);
  if ((extra_flags & VM_FLAG_FROZEN) != 0)
    VM_OBSERVE(thread->vm, frozen, vm_ref_of(value));
  header->word |= (uintptr_t)(VM_FLAG_SHAREABLE | extra_flags);
  rgc_became_shareable(thread->objspace, vm_ref_of(value));
}
