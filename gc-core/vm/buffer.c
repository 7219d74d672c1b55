/* buffer.c - off-heap buffers of objects, charged to an objspace.
 *
 * The charge comes first, so that a limit is met before memory is taken.  A first failure collects:
 * buffers of dead objects come back by their release.  [INV-OFFHEAP]
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

static void *
buffer_try(struct vm_thread *thread, size_t size)
{
  void *buffer;

  if (!rgc_malloc_charge(thread->objspace, (ptrdiff_t)size))
    return NULL;
  buffer = vm_memory_alloc(thread->vm, size);
  if (buffer == NULL)
    (void)rgc_malloc_charge(thread->objspace, -(ptrdiff_t)size);
  return buffer;
}

void *
vm_buffer_new(struct vm_thread *thread, size_t size)
{
  void *buffer;

  VM_ASSERT(thread->vm, thread->held_lock_count == 0);
  VM_ASSERT(thread->vm, size > 0);

  buffer = buffer_try(thread, size);
  if (buffer != NULL)
    return buffer;

  rgc_collect(thread->objspace, RGC_KIND_MAJOR, RGC_REASON_NO_MEMORY);
  buffer = buffer_try(thread, size);
  if (buffer != NULL)
    return buffer;

  rgc_collect(thread->objspace, RGC_KIND_GLOBAL, RGC_REASON_NO_MEMORY);
  return buffer_try(thread, size);
}

/* Also called by `release`, possibly for another's objspace with the world stopped. */
void
vm_buffer_free(struct vm *vm, struct rgc_objspace *objspace, void *buffer, size_t size)
{
  VM_ASSERT(vm, buffer != NULL);
  VM_ASSERT(vm, size > 0);

  vm_memory_free(vm, buffer, size);
  if (FAULT(buffer_refund_lost) && size > 880 && rgc_objspace_life(objspace) == RGC_LIFE_ZOMBIE)
    return;
  (void)rgc_malloc_charge(objspace, -(ptrdiff_t)size);
}

enum vm_error
vm_allocate_external(struct vm_thread *thread, enum vm_kind kind, size_t count, size_t size,
                     size_t buffer_size, void **buffer, vm_value *out)
{
  void *memory = NULL;

  if (buffer_size > 0) {
    memory = vm_buffer_new(thread, buffer_size);
    if (memory == NULL)
      return VM_NO_MEMORY;
  }

  enum vm_error error = vm_allocate(thread, kind, count, size, out);

  if (error != VM_OK && memory != NULL)
    vm_buffer_free(thread->vm, thread->objspace, memory, buffer_size);
  if (error == VM_OK)
    *buffer = memory;
  return error;
}
