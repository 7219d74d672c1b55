/* orphan.c - dead Ractors that nobody can ask for their value: main takes their heaps over.
 *
 * The list is intrusive, so `release` can add to it inside a cycle without allocating.  Being on
 * the list, or being merged, is a claim: vm_ractor_value cannot take such a Ractor.
 */
#include "gc-core/vm/internal.h"

/* Any thread, also inside a cycle; takes the leaf mutex of the list.  The caller made the claim. */
void
vm_orphan_add(struct vm *vm, struct vm_ractor *ractor)
{
  const struct rgc_platform *platform = &vm->config.platform;

  platform->ops->mutex_lock(platform->self, &vm->orphan_mutex);
  ractor->orphan_next = vm->orphan_head;
  vm->orphan_head = ractor;
  atomic_fetch_add_explicit(&vm->orphan_count, 1, memory_order_release);
  platform->ops->mutex_unlock(platform->self, &vm->orphan_mutex);
}

static struct vm_ractor *
orphan_take(struct vm_thread *thread)
{
  struct vm *vm = thread->vm;

  vm_mutex_lock(thread, &vm->orphan_mutex);

  struct vm_ractor *ractor = vm->orphan_head;

  if (ractor != NULL) {
    vm->orphan_head = ractor->orphan_next;
    ractor->orphan_next = NULL;
    atomic_fetch_sub_explicit(&vm->orphan_count, 1, memory_order_release);
  }
  vm_mutex_unlock(thread, &vm->orphan_mutex);
  return ractor;
}

/* The objspace is gone; the taker is the holder of the claim. */
void
vm_ractor_absorbed(struct vm_ractor *ractor)
{
  ractor->objspace = NULL;
  ractor->thread.objspace = NULL;
  atomic_fetch_sub_explicit(&ractor->vm->zombie_count, 1, memory_order_relaxed);
}

/* Without memory the orphan waits for main's next safepoint. */
void
vm_orphans_merge(struct vm_thread *thread)
{
  struct vm *vm = thread->vm;
  struct vm_ractor *ractor;

  VM_ASSERT(vm, thread->ractor->id == 0);
  if (atomic_load_explicit(&vm->orphan_count, memory_order_acquire) == 0)
    return;

  while ((ractor = orphan_take(thread)) != NULL) {
    vm_schedule(vm, RGC_SITE_ORPHAN);
    if (rgc_objspace_absorb(thread->objspace, ractor->objspace) != RGC_OK) {
      vm_orphan_add(vm, ractor);
      return;
    }
    vm_ractor_absorbed(ractor);
    atomic_fetch_add_explicit(&vm->merged_count, 1, memory_order_relaxed);
    vm_schedule(vm, RGC_SITE_ORPHAN);
  }
}
