/* value.h - how the reference embedder lays its objects out in the collector's slots.
 *
 * Every slot starts with a header of two words.  The first holds kind, flags and a small count; the
 * second a serial that names the object without its address.  A freshly allocated slot is zero and
 * thus of kind NONE: it has no children and nothing to release.
 *
 * Invariants
 *  [INV-HEADER]  The header word of a shareable object never changes after its promotion; other
 *                Ractors read it without synchronisation beyond the one that gave them the
 * reference. [INV-HOLDER]  A word that several Ractors may store into (hidden field, slots of an
 * Env) and the constants of a class carry, beside the reference, whether the child was private when
 *                it was stored.  Only so can a reader decide without touching a foreign private
 * object. [INV-OFFHEAP] An object with VM_FLAG_EXTERNAL owns one buffer whose byte size follows
 * from its own fields, so that the refund is exact.
 *
 * A pointer made by one of the *_at functions is invalid after any VM_COLLECTS call.
 */
#ifndef RGCVM_VALUE_H
#define RGCVM_VALUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rgcvm/vm.h"

/* Marks the prototype of each function that may collect, stop the world or park; read by
 * ci/check-refs.  No vm_value, rgc_ref or object pointer may live in a C local across such a call.
 */
#define VM_COLLECTS

struct vm_ractor;

enum vm_flag {
  VM_FLAG_FROZEN = 1u << 8,
  VM_FLAG_SHAREABLE = 1u << 9,
  VM_FLAG_EXTERNAL = 1u << 10 /* contents are in an off-heap buffer [INV-OFFHEAP] */
};

enum {
  VM_KIND_MASK = 0xff,
  VM_COUNT_SHIFT = 16,
  VM_SERIAL_SHIFT = 40,
  VM_OBJECT_EMBED_MAX = 16,
  VM_ARRAY_EMBED_MAX = 13,
  VM_ARRAY_EMBED_MIN = 5,
  VM_STRING_EMBED_MAX = 104,
  VM_HASH_EMBED_MAX = 2
};

/* `word`: kind in bits 0-7, flags in 8-15, a count (fields, env slots) or creator id in 16-31. */
struct vm_header {
  uintptr_t word;
  uint64_t serial;
};

/* A word that more than one Ractor may store into. [INV-HOLDER] */
typedef _Atomic(uintptr_t) vm_holder;

struct vm_object {
  struct vm_header header;
  vm_holder hidden;
  vm_value klass;
  union {
    vm_value fields[VM_OBJECT_EMBED_MAX];
    vm_value *buffer;
  } as;
};

struct vm_string {
  struct vm_header header;
  uint32_t length;
  uint32_t capacity;
  union {
    uint8_t bytes[VM_STRING_EMBED_MAX];
    uint8_t *buffer;
  } as;
};

struct vm_array {
  struct vm_header header;
  uint32_t length;
  uint32_t capacity;
  union {
    vm_value items[VM_ARRAY_EMBED_MAX];
    vm_value *buffer;
  } as;
};

struct vm_pair {
  vm_value key;
  vm_value value;
};

struct vm_hash {
  struct vm_header header;
  uint32_t length;
  uint32_t capacity;
  union {
    struct vm_pair pairs[VM_HASH_EMBED_MAX];
    struct vm_pair *buffer;
  } as;
};

/* The count of its header is the id of the Ractor that created it.  Constants are tagged words,
 * read and written under the VM lock. [INV-HOLDER] */
struct vm_class {
  struct vm_header header;
  uintptr_t constants[VM_CLASS_CONSTANT_COUNT];
};

struct vm_proc {
  struct vm_header header;
  vm_value env;
};

struct vm_env {
  struct vm_header header;
  vm_holder slots[VM_PROC_SLOT_MAX];
};

/* Handle of a Ractor and port: they name a struct that lives until vm_destroy. */
struct vm_handle {
  struct vm_header header;
  struct vm_ractor *ractor;
  uintptr_t port_number; /* of a Port; 0 in a Ractor's handle */
};

static inline struct vm_header *
vm_header_at(vm_value value)
{
  return (struct vm_header *)value.bits;
}

static inline struct vm_object *
vm_object_at(vm_value value)
{
  return (struct vm_object *)value.bits;
}

static inline struct vm_string *
vm_string_at(vm_value value)
{
  return (struct vm_string *)value.bits;
}

static inline struct vm_array *
vm_array_at(vm_value value)
{
  return (struct vm_array *)value.bits;
}

static inline struct vm_hash *
vm_hash_at(vm_value value)
{
  return (struct vm_hash *)value.bits;
}

static inline struct vm_class *
vm_class_at(vm_value value)
{
  return (struct vm_class *)value.bits;
}

static inline struct vm_proc *
vm_proc_at(vm_value value)
{
  return (struct vm_proc *)value.bits;
}

static inline struct vm_env *
vm_env_at(vm_value value)
{
  return (struct vm_env *)value.bits;
}

static inline struct vm_handle *
vm_handle_at(vm_value value)
{
  return (struct vm_handle *)value.bits;
}

static inline rgc_ref
vm_ref_of(vm_value value)
{
  return (rgc_ref){value.bits};
}

static inline vm_value
vm_value_of(rgc_ref ref)
{
  return (vm_value){ref.bits};
}

static inline bool
vm_header_has(const struct vm_header *header, enum vm_flag flag)
{
  return (header->word & (uintptr_t)flag) != 0;
}

static inline unsigned
vm_header_count(const struct vm_header *header)
{
  return (unsigned)((header->word >> VM_COUNT_SHIFT) & 0xffffu);
}

static inline vm_value *
vm_object_fields(struct vm_object *object)
{
  return vm_header_has(&object->header, VM_FLAG_EXTERNAL) ? object->as.buffer : object->as.fields;
}

static inline uint8_t *
vm_string_bytes(struct vm_string *string)
{
  return vm_header_has(&string->header, VM_FLAG_EXTERNAL) ? string->as.buffer : string->as.bytes;
}

static inline vm_value *
vm_array_items(struct vm_array *array)
{
  return vm_header_has(&array->header, VM_FLAG_EXTERNAL) ? array->as.buffer : array->as.items;
}

static inline struct vm_pair *
vm_hash_pairs(struct vm_hash *hash)
{
  return vm_header_has(&hash->header, VM_FLAG_EXTERNAL) ? hash->as.buffer : hash->as.pairs;
}

/* Bytes of the off-heap buffer of an object; 0 when it has none. [INV-OFFHEAP] */
size_t vm_external_size(vm_value value);

/* The buffer itself; NULL when it has none. */
void *vm_external_buffer(vm_value value);

/* VM_OK when `value` is an object of `kind`. */
enum vm_error vm_expect(vm_value value, enum vm_kind kind);

/* The same, and it may be changed. */
enum vm_error vm_expect_mutable(vm_value value, enum vm_kind kind);

/* Whether two Strings hold the same bytes. */
bool vm_string_same(vm_value left, vm_value right);

#endif
