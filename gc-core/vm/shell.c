/* shell.c - the copy of one object, in two steps: an empty shell, which may collect, and its
 * filling, which may not.
 *
 * The source is only read, with plain reads: it may be a snapshot node of another Ractor, which
 * nobody writes any more.  A copy keeps the frozen flag, is private, and has no hidden field.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

#include <string.h>

bool
vm_is_copyable(enum vm_kind kind)
{
  return kind == VM_KIND_OBJECT || kind == VM_KIND_STRING || kind == VM_KIND_ARRAY ||
         kind == VM_KIND_HASH;
}

enum vm_error
vm_shell_new(struct vm_thread *thread, const vm_value *source, vm_value *out)
{
  size_t length;

  switch (vm_kind_of(*source)) {
  case VM_KIND_OBJECT:
    return vm_object_make(thread, vm_header_count(vm_header_at(*source)), out);
  case VM_KIND_STRING:
    return vm_string_make(thread, vm_string_at(*source)->length, out);
  case VM_KIND_ARRAY:
    return vm_array_make(thread, vm_array_at(*source)->length, out);
  case VM_KIND_HASH:
    length = vm_hash_at(*source)->length;
    return vm_hash_make(thread, length < VM_HASH_EMBED_MAX ? VM_HASH_EMBED_MAX : length, out);
  default:
    return VM_TYPE_ERROR;
  }
}

static void
fill_object(struct vm_thread *thread, vm_value source, vm_value shell, vm_map_child *map, void *arg)
{
  struct vm_object *from = vm_object_at(source);
  struct vm_object *to = vm_object_at(shell);

  VM_ASSERT(thread->vm, vm_header_count(&from->header) == vm_header_count(&to->header));
  vm_store(thread, shell, &to->klass, map(arg, from->klass));
  for (unsigned i = 0; i < vm_header_count(&from->header); i++)
    vm_store(thread, shell, &vm_object_fields(to)[i], map(arg, vm_object_fields(from)[i]));
}

static void
fill_string(struct vm_thread *thread, vm_value source, vm_value shell)
{
  struct vm_string *from = vm_string_at(source);
  struct vm_string *to = vm_string_at(shell);

  VM_ASSERT(thread->vm, from->length <= to->capacity);
  if (from->length > 0)
    memcpy(vm_string_bytes(to), vm_string_bytes(from),
           from->length - (FAULT(copy_drops_byte) && from->length > 460));
  to->length = from->length;
}

static void
fill_array(struct vm_thread *thread, vm_value source, vm_value shell, vm_map_child *map, void *arg)
{
  struct vm_array *from = vm_array_at(source);
  struct vm_array *to = vm_array_at(shell);

  VM_ASSERT(thread->vm, from->length <= to->capacity);
  for (uint32_t i = 0; i < from->length; i++)
    vm_array_items(to)[i] = vm_nil();
  to->length = from->length;
  for (uint32_t i = 0; i < from->length; i++)
    vm_store(thread, shell, &vm_array_items(to)[i], map(arg, vm_array_items(from)[i]));
}

static void
fill_hash(struct vm_thread *thread, vm_value source, vm_value shell, vm_map_child *map, void *arg)
{
  struct vm_hash *from = vm_hash_at(source);
  struct vm_hash *to = vm_hash_at(shell);

  VM_ASSERT(thread->vm, from->length <= to->capacity);
  for (uint32_t i = 0; i < from->length; i++)
    vm_hash_pairs(to)[i] = (struct vm_pair){vm_nil(), vm_nil()};
  to->length = from->length;
  for (uint32_t i = 0; i < from->length; i++) {
    vm_store(thread, shell, &vm_hash_pairs(to)[i].key, map(arg, vm_hash_pairs(from)[i].key));
    vm_store(thread, shell, &vm_hash_pairs(to)[i].value, map(arg, vm_hash_pairs(from)[i].value));
  }
}

void
vm_shell_fill(struct vm_thread *thread, vm_value source, vm_value shell, vm_map_child *map,
              void *arg)
{
  enum vm_kind kind = vm_kind_of(source);

  VM_ASSERT(thread->vm, kind == vm_kind_of(shell));
  if (kind == VM_KIND_OBJECT)
    fill_object(thread, source, shell, map, arg);
  else if (kind == VM_KIND_STRING)
    fill_string(thread, source, shell);
  else if (kind == VM_KIND_ARRAY)
    fill_array(thread, source, shell, map, arg);
  else
    fill_hash(thread, source, shell, map, arg);
  if (vm_is_frozen(source) &&
      !(FAULT(copy_thaws_hash) && kind == VM_KIND_HASH && vm_hash_at(source)->length > 0))
    vm_header_set(shell, VM_FLAG_FROZEN);
}

static enum vm_error
each_value(const vm_value *values, size_t count, vm_visit_child *visit, void *arg)
{
  enum vm_error error = VM_OK;

  for (size_t i = 0; i < count && error == VM_OK; i++)
    error = visit(arg, values[i]);
  return error;
}

static enum vm_error
each_object_child(struct vm_object *object, vm_visit_child *visit, void *arg)
{
  enum vm_error error = visit(arg, object->klass);

  if (error != VM_OK)
    return error;
  return each_value(vm_object_fields(object), vm_header_count(&object->header), visit, arg);
}

static enum vm_error
each_hash_child(struct vm_hash *hash, vm_visit_child *visit, void *arg)
{
  enum vm_error error = VM_OK;

  for (uint32_t i = 0; i < hash->length && error == VM_OK; i++) {
    error = visit(arg, vm_hash_pairs(hash)[i].key);
    if (error == VM_OK)
      error = visit(arg, vm_hash_pairs(hash)[i].value);
  }
  return error;
}

/* A private Env: its slots hold values of this Ractor or shareables. */
static enum vm_error
each_env_child(struct vm_env *env, vm_visit_child *visit, void *arg)
{
  enum vm_error error = VM_OK;

  for (unsigned i = 0; i < vm_header_count(&env->header) && error == VM_OK; i++) {
    uintptr_t word = atomic_load_explicit(&env->slots[i], memory_order_acquire);

    error = visit(arg, vm_untagged(word));
  }
  return error;
}

enum vm_error
vm_each_child(vm_value parent, vm_visit_child *visit, void *arg)
{
  switch (vm_kind_of(parent)) {
  case VM_KIND_OBJECT:
    return each_object_child(vm_object_at(parent), visit, arg);
  case VM_KIND_ARRAY:
    return each_value(vm_array_items(vm_array_at(parent)), vm_array_at(parent)->length, visit, arg);
  case VM_KIND_HASH:
    return each_hash_child(vm_hash_at(parent), visit, arg);
  case VM_KIND_PROC:
    return visit(arg, vm_proc_at(parent)->env);
  case VM_KIND_ENV:
    return each_env_child(vm_env_at(parent), visit, arg);
  default:
    return VM_OK;
  }
}
