/* intern.c - the weak table of interned Strings.
 *
 * Rows are read and written under the VM lock, or with the world stopped by the sweep of a global
 * collection.  A row's String can die only in a global collection, which removes the row in the
 * same stop, so whatever the lookup finds is alive.  Nothing is allocated from a heap under the
 * lock.
 */
#include "gc-core/vm/internal.h"

#include <string.h>

enum { INTERN_CAPACITY_FIRST = 16 };

/* The row with the same contents; false if none. */
static bool
intern_find(const struct vm *vm, vm_value string, vm_value *out)
{
  for (size_t i = 0; i < vm->intern_count; i++) {
    if (vm_string_same(vm->intern_rows[i], string)) {
      *out = vm->intern_rows[i];
      return true;
    }
  }
  return false;
}

static enum vm_error
intern_grow(struct vm *vm)
{
  size_t capacity = vm->intern_capacity == 0 ? INTERN_CAPACITY_FIRST : vm->intern_capacity * 2;
  vm_value *rows = vm_memory_alloc(vm, capacity * sizeof(vm_value));

  if (rows == NULL)
    return VM_NO_MEMORY;
  if (vm->intern_rows != NULL) {
    memcpy(rows, vm->intern_rows, vm->intern_count * sizeof(vm_value));
    vm_memory_free(vm, vm->intern_rows, vm->intern_capacity * sizeof(vm_value));
  }
  vm->intern_rows = rows;
  vm->intern_capacity = capacity;
  return VM_OK;
}

/* Finds the row or adds `candidate`, a shareable String, as one. */
static enum vm_error
intern_put(struct vm_thread *t, const vm_value *candidate, vm_value *out) VM_COLLECTS
{
  struct vm *vm = t->vm;
  enum vm_error error = VM_OK;

  vm_lock_acquire(t);
  VM_ASSERT(vm, vm_is_shareable(*candidate));

  uintptr_t from = candidate->bits;

  if (!intern_find(vm, *candidate, out)) {
    if (vm->intern_count == vm->intern_capacity)
      error = intern_grow(vm);
    if (error == VM_OK) {
      vm->intern_rows[vm->intern_count] = *candidate;
      vm->intern_count++;
      *out = *candidate;
    }
  }
  if (error == VM_OK)
    VM_OBSERVE(vm, interned, from, out->bits);
  vm_lock_release(t);
  return error;
}

static bool
intern_lookup(struct vm_thread *t, const vm_value *string, vm_value *out) VM_COLLECTS
{
  vm_lock_acquire(t);

  uintptr_t from = string->bits;
  bool found = intern_find(t->vm, *string, out);

  if (found)
    VM_OBSERVE(t->vm, interned, from, out->bits);
  vm_lock_release(t);
  return found;
}

enum vm_error
vm_string_intern(struct vm_thread *t, const vm_value *string, vm_value *out)
{
  enum vm_error error = vm_expect(*string, VM_KIND_STRING);

  if (error != VM_OK)
    return error;
  if (vm_is_shareable(*string))
    return intern_put(t, string, out);
  if (intern_lookup(t, string, out))
    return VM_OK;

  vm_value *copy = vm_frame_push(t, 1);

  error = vm_dup(t, string, copy);
  if (error == VM_OK) {
    vm_promote(t, *copy, VM_FLAG_FROZEN);
    error = intern_put(t, copy, out);
  }
  vm_frame_pop(t, 1);
  if (error == VM_OK)
    vm_stress(t, RGC_STRESS_PROMOTE);
  return error;
}

size_t
vm_weak_table_count(void *vm)
{
  (void)vm;
  return 1;
}

void
vm_weak_table_sweep(void *vm_pointer, size_t table,
                    enum rgc_verdict (*ask)(void *arg, rgc_ref *entry), void *arg)
{
  struct vm *vm = vm_pointer;
  size_t kept = 0;

  VM_ASSERT(vm, table == 0);
  for (size_t i = 0; i < vm->intern_count; i++) {
    rgc_ref entry = vm_ref_of(vm->intern_rows[i]);

    if (ask(arg, &entry) == RGC_KEEP) {
      vm->intern_rows[kept] = vm_value_of(entry);
      kept++;
    }
  }
  vm->intern_count = kept;
}

void
vm_intern_free(struct vm *vm)
{
  if (vm->intern_rows != NULL)
    vm_memory_free(vm, vm->intern_rows, vm->intern_capacity * sizeof(vm_value));
  vm->intern_rows = NULL;
  vm->intern_count = 0;
}
