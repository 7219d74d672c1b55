/* retire.c - the end of a Ractor.
 *
 * Order, and why:
 *  1. the end value hangs under the handle, with its barrier, before the thread's roots go: it is
 *     never without a holder;
 *  2. roots are cleared and ports shut, so the retire collection keeps the value and shareables
 * only;
 *  3. the objspace becomes a zombie before `live_count` falls and before anyone can see
 *     `terminated`: there is no moment in which the Ractor is neither live nor a zombie;
 *  4. `retired` ends the visits of its roots; the thread leaves the barrier;
 *  5. `terminated` is published last.  The struct lives until vm_destroy, so the few uses of it
 *     after that are of the VM's own lists.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

#include <string.h>

static void
keep_value(struct vm_thread *thread, enum vm_error error)
{
  struct vm_ractor *ractor = thread->ractor;
  vm_value value = vm_nil();

  if (error == VM_OK)
    value = thread->registers[0];
  else if (error == VM_RAISED)
    value = thread->error;
  ractor->failed = error != VM_OK;
  vm_store_pending(thread, thread->handle, &ractor->value, value);
}

static void
clear_roots(struct vm_thread *thread)
{
  memset(thread->registers, 0, sizeof thread->registers);
  memset(thread->frames, 0, sizeof thread->frames);
  memset(thread->words, 0, sizeof thread->words);
  thread->frame_count = 0;
  thread->word_count = 0;
  thread->error = vm_nil();
}

/* Step 5.  A handle that died while its Ractor did leaves the orphan to us. */
static void
publish_end(struct vm_ractor *ractor)
{
  const struct rgc_platform *platform = &ractor->vm->config.platform;

  platform->ops->mutex_lock(platform->self, &ractor->mutex);
  ractor->terminated = true;

  bool orphan = ractor->handle_dead && ractor->claim == VM_UNCLAIMED;

  if (orphan)
    ractor->claim = VM_CLAIMED;
  platform->ops->mutex_unlock(platform->self, &ractor->mutex);
  if (!(FAULT(failed_end_not_told) && ractor->failed && ractor->id > 7))
    platform->ops->cond_broadcast(platform->self, &ractor->cond);
  if (orphan)
    vm_orphan_add(ractor->vm, ractor);
}

void
vm_ractor_terminate(struct vm_thread *thread, enum vm_error error)
{
  struct vm *vm = thread->vm;
  struct vm_ractor *ractor = thread->ractor;

  VM_ASSERT(vm, ractor->id != 0);
  VM_ASSERT(vm, thread->building == NULL);
  VM_ASSERT(vm, thread->materialising == NULL);

  vm_schedule(vm, RGC_SITE_RETIRE);
  keep_value(thread, error);
  vm_schedule(vm, RGC_SITE_RETIRE);
  clear_roots(thread);
  vm_ports_shut(thread);
  vm_schedule(vm, RGC_SITE_RETIRE);
  rgc_objspace_retire(thread->objspace);

  atomic_fetch_add_explicit(&vm->zombie_count, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&vm->live_count, 1, memory_order_relaxed);
  thread->handle = vm_nil();
  ractor->retired = true;
  vm_schedule(vm, RGC_SITE_RETIRE);
  vm_blocking_begin(thread);
  publish_end(ractor);
}
