/* proc.c - Procs and their environments.
 *
 * An Env's slots are holders [INV-HOLDER]: once shareable, any Ractor may set them, to private
 * values too.  Env is never a value of a program; copies of a Proc share it.
 */
#include "gc-core/vm/internal.h"

enum vm_error
vm_proc_new(struct vm_thread *t, unsigned slots, const vm_value *captured, vm_value *out)
{
  if (slots > VM_PROC_SLOT_MAX)
    return VM_INDEX_ERROR;

  vm_value *made = vm_frame_push(t, 2); /* the Env, the Proc */
  enum vm_error error = vm_allocate(t, VM_KIND_ENV, slots, sizeof(struct vm_env), &made[0]);

  if (error != VM_OK)
    goto done;
  for (unsigned i = 0; i < slots; i++)
    vm_store_holder(t, made[0], &vm_env_at(made[0])->slots[i], *captured);

  error = vm_allocate(t, VM_KIND_PROC, 0, sizeof(struct vm_proc), &made[1]);
  if (error != VM_OK)
    goto done;
  VM_OBSERVE(t->vm, assigned, vm_ref_of(made[1]), 0, made[0].bits);
  vm_store(t, made[1], &vm_proc_at(made[1])->env, made[0]);
  *out = made[1];

done:
  vm_frame_pop(t, 2);
  return error;
}

/* The slot; NULL when the Env has fewer. */
static vm_holder *
env_slot(vm_value env, unsigned index)
{
  return index < vm_header_count(vm_header_at(env)) ? &vm_env_at(env)->slots[index] : NULL;
}

enum vm_error
vm_env_set(struct vm_thread *t, const vm_value *proc, unsigned index, const vm_value *value)
{
  enum vm_error error = vm_expect(*proc, VM_KIND_PROC);

  if (error != VM_OK)
    return error;

  vm_value env = vm_proc_at(*proc)->env;
  vm_holder *slot = env_slot(env, index);

  if (slot == NULL)
    return VM_INDEX_ERROR;
  VM_ASSERT(t->vm, vm_kind_of(env) == VM_KIND_ENV);
  vm_store_holder(t, env, slot, *value);
  vm_stress(t, RGC_STRESS_BARRIER);
  return VM_OK;
}

enum vm_error
vm_env_get(struct vm_thread *t, const vm_value *proc, unsigned index, vm_value *out)
{
  enum vm_error error = vm_expect(*proc, VM_KIND_PROC);

  if (error != VM_OK)
    return error;

  vm_value env = vm_proc_at(*proc)->env;
  vm_holder *slot = env_slot(env, index);

  if (slot == NULL)
    return VM_INDEX_ERROR;
  return vm_holder_load(t, env, slot, out);
}
