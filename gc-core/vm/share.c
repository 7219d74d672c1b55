/* share.c - Ractor.make_shareable: the whole graph or nothing.
 *
 * The closure is computed off heap before any change, so the only failure is early.  Nothing
 * between the first and the last promotion collects or parks: no collector ever sees half a
 * promoted graph. Hidden fields are not followed and may stay private (2.1).
 */
#include "gc-core/vm/internal.h"

/* Every child of a promoted Env is shareable by the end of the promotion: its tags say so from now
 * on.  Release: partner of vm_holder_load.  No new edge, hence no barrier. [INV-HOLDER] */
static void
env_retag(vm_value env)
{
  struct vm_env *self = vm_env_at(env);

  for (unsigned i = 0; i < vm_header_count(&self->header); i++) {
    uintptr_t word = atomic_load_explicit(&self->slots[i], memory_order_acquire);

    atomic_store_explicit(&self->slots[i], vm_untagged(word).bits, memory_order_release);
  }
}

/* Last found first, so that children mostly become shareable before their parents and fewer edges
 * have to be recorded. */
static void
graph_promote(struct vm_thread *thread, const struct vm_graph *graph)
{
  for (size_t i = graph->count; i > 0; i--) {
    vm_value item = graph->items[i - 1];

    if (vm_kind_of(item) == VM_KIND_ENV)
      env_retag(item);
    vm_promote(thread, item, VM_FLAG_FROZEN);
  }
}

enum vm_error
vm_make_shareable(struct vm_thread *t, const vm_value *value)
{
  struct vm_graph graph;

  if (vm_is_shareable(*value))
    return VM_OK;
  VM_ASSERT(t->vm, t->held_lock_count == 0);

  vm_graph_init(&graph, t->vm);

  enum vm_error error = vm_graph_discover(&graph, *value, VM_GRAPH_SHARE);

  if (error == VM_OK) {
    VM_OBSERVE(t->vm, sharing, value->bits);
    graph_promote(t, &graph);
    VM_OBSERVE(t->vm, shared, value->bits);
  }
  vm_graph_free(&graph);
  if (error == VM_OK)
    vm_stress(t, RGC_STRESS_PROMOTE);
  return error;
}
