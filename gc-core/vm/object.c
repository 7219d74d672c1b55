/* object.c - Objects: a class, a hidden field, and fields in the slot or, when there are many, in
 * an off-heap buffer of fixed size.
 *
 * The hidden field is a holder [INV-HOLDER]: make_shareable does not follow it, copies do not carry
 * it, and any Ractor that holds a shareable Object may store into it.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

enum vm_error
vm_object_make(struct vm_thread *thread, size_t fields, vm_value *out)
{
  bool external = fields > VM_OBJECT_EMBED_MAX;
  size_t embedded = external ? 1 : fields;
  size_t size = offsetof(struct vm_object, as) + embedded * sizeof(vm_value);
  size_t buffer_size = external ? fields * sizeof(vm_value) : 0;
  void *buffer;
  enum vm_error error =
      vm_allocate_external(thread, VM_KIND_OBJECT, fields, size, buffer_size, &buffer, out);

  if (error == VM_OK && external) {
    vm_object_at(*out)->as.buffer = buffer;
    vm_header_set(*out, VM_FLAG_EXTERNAL);
  }
  return error;
}

enum vm_error
vm_object_new(struct vm_thread *t, const vm_value *klass, unsigned fields, vm_value *out)
{
  if (!vm_is_nil(*klass) && vm_kind_of(*klass) != VM_KIND_CLASS)
    return VM_TYPE_ERROR;
  if (fields > VM_OBJECT_FIELD_MAX)
    return VM_INDEX_ERROR;

  vm_value *made = vm_frame_push(t, 1);
  enum vm_error error = vm_object_make(t, fields, made);

  if (error == VM_OK) {
    VM_OBSERVE(t->vm, assigned, vm_ref_of(*made), VM_CHILD_CLASS, klass->bits);
    if (FAULT(class_without_barrier) && fields == VM_OBJECT_FIELD_MAX)
      vm_store_unbarriered(t, *made, &vm_object_at(*made)->klass, *klass);
    else
      vm_store(t, *made, &vm_object_at(*made)->klass, *klass);
    *out = *made;
  }
  vm_frame_pop(t, 1);
  return error;
}

enum vm_error
vm_field_set(struct vm_thread *t, const vm_value *object, unsigned index, const vm_value *value)
{
  enum vm_error error = vm_expect_mutable(*object, VM_KIND_OBJECT);

  if (error != VM_OK)
    return error;

  struct vm_object *self = vm_object_at(*object);

  if (index >= vm_header_count(&self->header))
    return VM_INDEX_ERROR;
  VM_OBSERVE(t->vm, assigned, vm_ref_of(*object), VM_CHILD_FIELD + index, value->bits);
  vm_store(t, *object, &vm_object_fields(self)[index], *value);
  vm_stress(t, RGC_STRESS_BARRIER);
  return VM_OK;
}

enum vm_error
vm_field_get(struct vm_thread *t, const vm_value *object, unsigned index, vm_value *out)
{
  enum vm_error error = vm_expect(*object, VM_KIND_OBJECT);

  if (error != VM_OK)
    return error;

  struct vm_object *self = vm_object_at(*object);

  if (index >= vm_header_count(&self->header))
    return VM_INDEX_ERROR;
  VM_ASSERT(t->vm, t->held_lock_count == 0);

  vm_value loaded = vm_object_fields(self)[index];

  VM_OBSERVE(t->vm, loaded, vm_ref_of(*object), VM_CHILD_FIELD + index, loaded.bits);
  *out = loaded;
  return VM_OK;
}

/* Frozen Objects too: the hidden field is no part of the Object's own state. */
enum vm_error
vm_hidden_set(struct vm_thread *t, const vm_value *object, const vm_value *value)
{
  enum vm_error error = vm_expect(*object, VM_KIND_OBJECT);

  if (error != VM_OK)
    return error;
  vm_store_holder(t, *object, &vm_object_at(*object)->hidden, *value);
  vm_stress(t, RGC_STRESS_BARRIER);
  return VM_OK;
}

enum vm_error
vm_hidden_get(struct vm_thread *t, const vm_value *object, vm_value *out)
{
  enum vm_error error = vm_expect(*object, VM_KIND_OBJECT);

  if (error != VM_OK)
    return error;
  return vm_holder_load(t, *object, &vm_object_at(*object)->hidden, out);
}

enum vm_error
vm_freeze(struct vm_thread *t, const vm_value *value)
{
  if (vm_is_shareable(*value)) /* its header is read by others [INV-HEADER] */
    return VM_OK;
  VM_ASSERT(t->vm, !rgc_is_foreign(t->objspace, vm_ref_of(*value)));
  VM_OBSERVE(t->vm, frozen, vm_ref_of(*value));
  vm_header_set(*value, VM_FLAG_FROZEN);
  return VM_OK;
}

static vm_value
dup_child(void *arg, vm_value child)
{
  (void)arg;
  return child;
}

static enum vm_error
dup_proc(struct vm_thread *t, const vm_value *from, vm_value *made) VM_COLLECTS
{
  enum vm_error error = vm_allocate(t, VM_KIND_PROC, 0, sizeof(struct vm_proc), made);

  if (error == VM_OK) {
    VM_OBSERVE(t->vm, copied, &from->bits, &made->bits, 1, false);
    vm_store(t, *made, &vm_proc_at(*made)->env, vm_proc_at(*from)->env);
  }
  return error;
}

/* A Proc's copy shares the environment, which may be shareable while the copy is private. */
enum vm_error
vm_dup(struct vm_thread *t, const vm_value *from, vm_value *out)
{
  enum vm_kind kind = vm_kind_of(*from);
  enum vm_error error;

  if (kind != VM_KIND_PROC && !vm_is_copyable(kind))
    return VM_TYPE_ERROR;

  vm_value *made = vm_frame_push(t, 1);

  if (kind == VM_KIND_PROC) {
    error = dup_proc(t, from, made);
  } else {
    error = vm_shell_new(t, from, made);
    if (error == VM_OK) {
      vm_shell_fill(t, *from, *made, dup_child, NULL);
      vm_header_clear(*made, VM_FLAG_FROZEN);
      VM_OBSERVE(t->vm, copied, &from->bits, &made->bits, 1, false);
    }
  }
  if (error == VM_OK)
    *out = *made;
  vm_frame_pop(t, 1);
  return error;
}
