/* store.c - every store of a reference into a heap object, and nothing else.
 *
 * Between the store and its barrier another thread may run (RGC_SITE_STORE), but the storing thread
 * does not park and nothing collects in its objspace: INV-BARRIER needs no more.  The child stays
 * in a C local over that window, which is legal because nothing here collects. [INV-ROOTED]
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

/* What oracles are told of a store into a word that several Ractors may store into: here, since the
 * order of such stores is that of these functions. */
static void
observe_holder(struct vm_thread *thread, vm_value parent, const void *slot, vm_value child)
{
  VM_OBSERVE(thread->vm, store, vm_ref_of(parent), slot, child.bits);
  VM_OBSERVE(thread->vm, assigned, vm_ref_of(parent), vm_holder_number(parent, slot), child.bits);
}

static void
barrier_due(struct vm_thread *thread, vm_value parent, vm_value child)
{
  vm_schedule(thread->vm, RGC_SITE_STORE);
  if (FAULT(store_without_barrier) && vm_kind_of(parent) == VM_KIND_HASH &&
      vm_hash_at(parent)->length > 29)
    return;
  if (FAULT(shareable_without_barrier) && vm_kind_of(parent) == VM_KIND_ARRAY &&
      vm_array_at(parent)->length > 62 && vm_is_object(child) &&
      vm_kind_of(child) == VM_KIND_PORT && vm_handle_at(child)->port_number > 2)
    return;
  if (vm_is_object(child))
    rgc_write_barrier(thread->objspace, vm_ref_of(parent), vm_ref_of(child));
}

static void
store_barrier(struct vm_thread *thread, vm_value parent, vm_value child)
{
  barrier_due(thread, parent, child);
  VM_OBSERVE(thread->vm, stored);
}

/* Plain store: the parent is private to this thread, or nobody else has seen it yet. */
void
vm_store(struct vm_thread *thread, vm_value parent, vm_value *slot, vm_value child)
{
  VM_ASSERT(thread->vm, vm_is_object(parent));
  VM_ASSERT(thread->vm, !vm_header_has(vm_header_at(parent), VM_FLAG_SHAREABLE));

  VM_OBSERVE(thread->vm, store, vm_ref_of(parent), slot, child.bits);
  *slot = child;
  store_barrier(thread, parent, child);
}

void
vm_store_unbarriered(struct vm_thread *thread, vm_value parent, vm_value *slot, vm_value child)
{
  VM_ASSERT(thread->vm, vm_is_object(parent));

  VM_OBSERVE(thread->vm, store, vm_ref_of(parent), slot, child.bits);
  *slot = child;
}

/* Any Ractor may store into this word of a shareable object.  Release: partner of the acquire in
 * vm_holder_load and visit_children; what the child holds was written before. [INV-HOLDER] */
void
vm_store_holder(struct vm_thread *thread, vm_value parent, vm_holder *slot, vm_value child)
{
  VM_ASSERT(thread->vm, vm_is_object(parent));

  vm_schedule(thread->vm, RGC_SITE_ATOMIC);
  observe_holder(thread, parent, slot, child);
  atomic_store_explicit(slot, vm_tagged(child), memory_order_release);
  store_barrier(thread, parent, child);
}

/* Constants: plain, as only the creator stores and all others read under the VM lock. */
void
vm_store_tagged(struct vm_thread *thread, vm_value parent, uintptr_t *slot, vm_value child)
{
  VM_ASSERT(thread->vm, thread->held_lock_count > 0);
  VM_ASSERT(thread->vm, vm_is_object(parent));

  observe_holder(thread, parent, slot, child);
  *slot = vm_tagged(child);
  store_barrier(thread, parent, child);
}

/* The pending value hangs under the handle, which may be foreign and is visited by its owner's
 * local collections at the same time: release, partner of the acquire in visit_children. */
void
vm_store_pending(struct vm_thread *thread, vm_value parent, vm_holder *slot, vm_value child)
{
  VM_ASSERT(thread->vm, vm_kind_of(parent) == VM_KIND_RACTOR);

  vm_schedule(thread->vm, RGC_SITE_ATOMIC);
  observe_holder(thread, parent, slot, child);
  atomic_store_explicit(slot, child.bits, memory_order_release);
  store_barrier(thread, parent, child);
}
