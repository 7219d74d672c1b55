/* stop.c - the world stop as the host provides it, blocking regions and the VM lock.
 *
 * `running` counts the threads that may touch a heap.  A thread that wants to stop the world waits
 * until it is the only one; the others park at a safepoint or are in a blocking region, which they
 * leave only while no stop is requested.
 *  [INV-PARK]  A thread that is not counted has complete roots and touches no heap.
 *
 * Taking the VM lock is a blocking region, since its holder may be parked: a holder parks at most
 * right after the acquisition, before it has read or changed anything.  No collection takes the
 * barrier's mutex except through world_stop and world_resume.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

static void
barrier_lock(struct vm *vm)
{
  vm->config.platform.ops->mutex_lock(vm->config.platform.self, &vm->barrier_mutex);
}

static void
barrier_unlock(struct vm *vm)
{
  vm->config.platform.ops->mutex_unlock(vm->config.platform.self, &vm->barrier_mutex);
}

static void
barrier_wait(struct vm *vm)
{
  (void)vm->config.platform.ops->cond_wait(vm->config.platform.self, &vm->barrier_cond,
                                           &vm->barrier_mutex, RGC_WAIT_CORE);
}

static void
barrier_broadcast(struct vm *vm)
{
  vm->config.platform.ops->cond_broadcast(vm->config.platform.self, &vm->barrier_cond);
}

/* Written under the mutex; the acquire loads outside it are a hint to park. */
static bool
stop_requested(struct vm *vm)
{
  return atomic_load_explicit(&vm->stop_requested, memory_order_acquire);
}

static void
leave_locked(struct vm *vm, bool told)
{
  VM_ASSERT(vm, vm->running > 0);
  vm->running--;
  if (told)
    barrier_broadcast(vm);
}

static void
enter_locked(struct vm *vm)
{
  while (stop_requested(vm)) {
    barrier_wait(vm);
    if (FAULT(park_checks_once) && vm->running > 4)
      break;
  }
  vm->running++;
}

void
vm_stop_world(void *vm_pointer)
{
  struct vm *vm = vm_pointer;

  vm_schedule(vm, RGC_SITE_STOP);
  barrier_lock(vm);
  if (stop_requested(vm)) {
    leave_locked(vm, true);
    enter_locked(vm);
  }
  atomic_store_explicit(&vm->stop_requested, true, memory_order_release);
  while (vm->running != 1)
    barrier_wait(vm);
  barrier_unlock(vm);
}

void
vm_resume_world(void *vm_pointer)
{
  struct vm *vm = vm_pointer;

  barrier_lock(vm);
  VM_ASSERT(vm, stop_requested(vm));
  VM_ASSERT(vm, vm->running == 1);
  atomic_store_explicit(&vm->stop_requested, false, memory_order_release);
  barrier_broadcast(vm);
  barrier_unlock(vm);
  vm_schedule(vm, RGC_SITE_STOP);
}

void
vm_blocking_begin(struct vm_thread *thread)
{
  VM_ASSERT(thread->vm, thread->held_lock_count == 0);

  barrier_lock(thread->vm);
  leave_locked(thread->vm, !(FAULT(dying_leaves_silently) && thread->ractor->retired &&
                             thread->ractor->id > 7));
  barrier_unlock(thread->vm);
}

/* Also the first act of a new thread, which starts uncounted. */
void
vm_blocking_end(struct vm_thread *thread)
{
  barrier_lock(thread->vm);
  enter_locked(thread->vm);
  barrier_unlock(thread->vm);
}

enum vm_error
vm_safepoint(struct vm_thread *thread)
{
  VM_ASSERT(thread->vm, thread->held_lock_count == 0);

  vm_schedule(thread->vm, RGC_SITE_ATOMIC);
  if (stop_requested(thread->vm)) {
    vm_blocking_begin(thread);
    vm_blocking_end(thread);
  }
  if (thread->ractor->id == 0)
    vm_orphans_merge(thread);
  return VM_OK;
}

void
vm_lock_acquire(struct vm_thread *thread)
{
  const struct rgc_platform *platform = &thread->vm->config.platform;

  vm_blocking_begin(thread);
  platform->ops->mutex_lock(platform->self, &thread->vm->lock);
  vm_blocking_end(thread);
  thread->held_lock_count++;
}

void
vm_lock_release(struct vm_thread *thread)
{
  vm_mutex_unlock(thread, &thread->vm->lock);
}
