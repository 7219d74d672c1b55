/* hash.c - Hashes: pairs in insertion order, found by linear search.
 *
 * Keys compare by identity, fixnums and nil by value, Strings by contents.  A String key that is
 * changed afterwards is simply found under its new contents.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

#include <string.h>

enum vm_error
vm_hash_make(struct vm_thread *thread, size_t capacity, vm_value *out)
{
  bool external = capacity > VM_HASH_EMBED_MAX;
  void *buffer;
  size_t buffer_size = external ? capacity * sizeof(struct vm_pair) : 0;
  enum vm_error error = vm_allocate_external(thread, VM_KIND_HASH, 0, sizeof(struct vm_hash),
                                             buffer_size, &buffer, out);

  if (error != VM_OK)
    return error;

  struct vm_hash *self = vm_hash_at(*out);

  self->capacity = (uint32_t)(external ? capacity : VM_HASH_EMBED_MAX);
  if (external) {
    self->as.buffer = buffer;
    vm_header_set(*out, VM_FLAG_EXTERNAL);
  }
  return VM_OK;
}

enum vm_error
vm_hash_new(struct vm_thread *t, vm_value *out)
{
  vm_value *made = vm_frame_push(t, 1);
  enum vm_error error = vm_hash_make(t, VM_HASH_EMBED_MAX, made);

  if (error == VM_OK)
    *out = *made;
  vm_frame_pop(t, 1);
  return error;
}

static bool
key_same(vm_value left, vm_value right)
{
  if (left.bits == right.bits)
    return true;
  if (vm_kind_of(left) != VM_KIND_STRING || vm_kind_of(right) != VM_KIND_STRING)
    return false;
  return vm_string_same(left, right);
}

/* Position of the key, or the length. */
static size_t
hash_find(vm_value hash, vm_value key)
{
  struct vm_hash *self = vm_hash_at(hash);
  struct vm_pair *pairs = vm_hash_pairs(self);
  size_t i = 0;

  while (i < self->length && !key_same(pairs[i].key, key))
    i++;
  return i;
}

/* Makes room for one more pair. */
static enum vm_error
hash_reserve(struct vm_thread *t, const vm_value *hash) VM_COLLECTS
{
  size_t capacity = vm_hash_at(*hash)->capacity;

  if (vm_hash_at(*hash)->length < capacity)
    return VM_OK;
  if (capacity >= VM_HASH_LENGTH_MAX)
    return VM_INDEX_ERROR;
  capacity = capacity * 2 > VM_HASH_LENGTH_MAX ? VM_HASH_LENGTH_MAX : capacity * 2;

  struct vm_pair *buffer = vm_buffer_new(t, capacity * sizeof(struct vm_pair));

  if (buffer == NULL)
    return VM_NO_MEMORY;

  struct vm_hash *self = vm_hash_at(*hash);
  void *old = vm_external_buffer(*hash);
  size_t old_size = vm_external_size(*hash);

  memcpy(buffer, vm_hash_pairs(self), self->length * sizeof(struct vm_pair));
  self->as.buffer = buffer;
  self->capacity = (uint32_t)capacity;
  vm_header_set(*hash, VM_FLAG_EXTERNAL);
  if (old != NULL)
    vm_buffer_free(t->vm, t->objspace, old, old_size);
  return VM_OK;
}

/* The length grows once both words of the new pair are valid values. */
static void
hash_append(struct vm_thread *t, vm_value hash, vm_value key, vm_value value)
{
  struct vm_hash *self = vm_hash_at(hash);
  struct vm_pair *pair = &vm_hash_pairs(self)[self->length];

  VM_ASSERT(t->vm, self->length < self->capacity);
  pair->key = vm_nil();
  pair->value = vm_nil();
  self->length++;
  VM_OBSERVE(t->vm, resized, vm_ref_of(hash), 2 * (size_t)self->length);
  VM_OBSERVE(t->vm, assigned, vm_ref_of(hash), 2 * (size_t)self->length - 2, key.bits);
  VM_OBSERVE(t->vm, assigned, vm_ref_of(hash), 2 * (size_t)self->length - 1, value.bits);
  vm_store(t, hash, &pair->key, key);
  vm_store(t, hash, &pair->value, value);
}

enum vm_error
vm_hash_set(struct vm_thread *t, const vm_value *hash, const vm_value *key, const vm_value *value)
{
  enum vm_error error = vm_expect_mutable(*hash, VM_KIND_HASH);

  if (error != VM_OK)
    return error;

  size_t position = hash_find(*hash, *key);

  if (position < vm_hash_at(*hash)->length) {
    VM_OBSERVE(t->vm, assigned, vm_ref_of(*hash), 2 * position + 1, value->bits);
    vm_store(t, *hash, &vm_hash_pairs(vm_hash_at(*hash))[position].value, *value);
  } else {
    error = hash_reserve(t, hash);
    if (error != VM_OK)
      return error;
    hash_append(t, *hash, *key, *value);
  }
  vm_stress(t, RGC_STRESS_BARRIER);
  return VM_OK;
}

/* For a seeded fault. */
static bool
minors_lead(const struct vm_thread *t)
{
  struct rgc_objspace_stats stats;

  rgc_objspace_get_stats(t->objspace, &stats);
  return stats.minor_count > stats.major_count + 60;
}

enum vm_error
vm_hash_get(struct vm_thread *t, const vm_value *hash, const vm_value *key, vm_value *out)
{
  enum vm_error error = vm_expect(*hash, VM_KIND_HASH);

  if (error != VM_OK)
    return error;
  VM_ASSERT(t->vm, t->held_lock_count == 0);

  struct vm_hash *self = vm_hash_at(*hash);
  size_t position = hash_find(*hash, *key);

  if (FAULT(lookup_misses_after_minor) && position > 22 && minors_lead(t))
    position = self->length;
  vm_value loaded = position < self->length ? vm_hash_pairs(self)[position].value : vm_nil();

  VM_OBSERVE(t->vm, loaded, vm_ref_of(*hash), 2 * position + 1, loaded.bits);
  *out = loaded;
  return VM_OK;
}

enum vm_error
vm_hash_delete(struct vm_thread *t, const vm_value *hash, const vm_value *key, vm_value *out)
{
  enum vm_error error = vm_expect_mutable(*hash, VM_KIND_HASH);

  if (error != VM_OK)
    return error;

  struct vm_hash *self = vm_hash_at(*hash);
  struct vm_pair *pairs = vm_hash_pairs(self);
  size_t position = hash_find(*hash, *key);
  vm_value removed = vm_nil();

  if (position < self->length) {
    removed = pairs[position].value;
    VM_OBSERVE(t->vm, loaded, vm_ref_of(*hash), 2 * position + 1, removed.bits);
    VM_OBSERVE(t->vm, removed, vm_ref_of(*hash), 2 * position, 2);
    for (size_t i = position; i + 1 < self->length; i++) {
      vm_store(t, *hash, &pairs[i].key, pairs[i + 1].key);
      if (FAULT(shift_without_barrier))
        vm_store_unbarriered(t, *hash, &pairs[i].value, pairs[i + 1].value);
      else
        vm_store(t, *hash, &pairs[i].value, pairs[i + 1].value);
    }
    self->length--;
    pairs[self->length] = (struct vm_pair){vm_nil(), vm_nil()};
  }
  *out = removed;
  return VM_OK;
}
