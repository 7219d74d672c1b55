/* gc.c - the GC API of programs, stress, and counters. */
#include "gc-core/vm/internal.h"

#include "rgc/verify.h"

enum vm_error
vm_gc_start(struct vm_thread *t, enum rgc_kind kind)
{
  VM_ASSERT(t->vm, t->held_lock_count == 0);
  rgc_collect(t->objspace, kind, RGC_REASON_EXPLICIT);
  return VM_OK;
}

static void
verify_stopped(struct vm_thread *t, enum rgc_reason reason) VM_COLLECTS
{
  rgc_world_stop(t->objspace, reason);
  rgc_verify_world_stw(t->vm->world);
  rgc_world_resume(t->objspace);
}

enum vm_error
vm_gc_verify(struct vm_thread *t)
{
  VM_ASSERT(t->vm, t->held_lock_count == 0);
  verify_stopped(t, RGC_REASON_EXPLICIT);
  return VM_OK;
}

void
vm_stress(struct vm_thread *t, enum rgc_stress_point point)
{
  const struct rgc_platform *platform = &t->vm->config.platform;

  VM_ASSERT(t->vm, t->held_lock_count == 0);

  switch (platform->ops->stress(platform->self, point)) {
  case RGC_STRESS_MINOR:
    rgc_collect(t->objspace, RGC_KIND_MINOR, RGC_REASON_STRESS);
    break;
  case RGC_STRESS_MAJOR:
    rgc_collect(t->objspace, RGC_KIND_MAJOR, RGC_REASON_STRESS);
    break;
  case RGC_STRESS_GLOBAL:
    rgc_collect(t->objspace, RGC_KIND_GLOBAL, RGC_REASON_STRESS);
    break;
  case RGC_STRESS_VERIFY:
    verify_stopped(t, RGC_REASON_STRESS);
    break;
  default:
    break;
  }
}

/* Each counter is exact once no other thread runs, and a moment old before. */
void
vm_get_stats(struct vm *vm, struct vm_stats *out)
{
  *out = (struct vm_stats){
      .ractors_live = atomic_load_explicit(&vm->live_count, memory_order_relaxed),
      .zombies = atomic_load_explicit(&vm->zombie_count, memory_order_relaxed),
      .ractors_created = atomic_load_explicit(&vm->created_count, memory_order_relaxed),
      .messages_sent = atomic_load_explicit(&vm->sent_count, memory_order_relaxed),
      .messages_received = atomic_load_explicit(&vm->received_count, memory_order_relaxed),
      .values_taken = atomic_load_explicit(&vm->taken_count, memory_order_relaxed),
      .orphans_merged = atomic_load_explicit(&vm->merged_count, memory_order_relaxed),
      .messages_in_flight = atomic_load_explicit(&vm->in_flight_count, memory_order_relaxed),
  };
}
