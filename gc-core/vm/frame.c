/* frame.c - what a thread roots: registers, frame slots, the error slot and the machine stack.
 *
 * Written by the thread alone; visit.c reads them as the owner or with the world stopped.
 */
#include "gc-core/vm/internal.h"

struct rgc_objspace *
vm_thread_objspace(struct vm_thread *thread)
{
  return thread->objspace;
}

struct vm *
vm_thread_vm(struct vm_thread *thread)
{
  return thread->vm;
}

unsigned
vm_thread_ractor_id(const struct vm_thread *thread)
{
  return thread->ractor->id;
}

vm_value *
vm_register(struct vm_thread *thread, unsigned index)
{
  VM_ASSERT(thread->vm, index < VM_REGISTER_COUNT);
  return &thread->registers[index];
}

vm_value *
vm_error_slot(struct vm_thread *thread)
{
  return &thread->error;
}

vm_value *
vm_frame_push(struct vm_thread *thread, unsigned count)
{
  unsigned first = thread->frame_count;

  VM_ASSERT(thread->vm, count <= VM_FRAME_SLOT_MAX + VM_FRAME_SLOT_RESERVE - first);
  for (unsigned i = 0; i < count; i++)
    thread->frames[first + i] = vm_nil();
  thread->frame_count += count;
  return &thread->frames[first];
}

void
vm_frame_pop(struct vm_thread *thread, unsigned count)
{
  VM_ASSERT(thread->vm, count <= thread->frame_count);
  thread->frame_count -= count;
}

/* The word that `kind` makes of an object's address. */
static uintptr_t
stack_word(struct vm_thread *thread, vm_value value, enum vm_word_kind kind)
{
  const struct rgc_world *world = thread->vm->world;

  switch (kind) {
  case VM_WORD_INTERIOR:
    return value.bits + sizeof(uintptr_t);
  case VM_WORD_PAST_END:
    return value.bits + rgc_slot_size(world, vm_ref_of(value));
  case VM_WORD_LOOKALIKE: /* the head of its page, where no slot starts */
    return value.bits & ~(uintptr_t)(rgc_world_settings(world)->page_size - 1);
  default:
    return value.bits;
  }
}

enum vm_error
vm_stack_push(struct vm_thread *thread, const vm_value *value, enum vm_word_kind kind)
{
  unsigned place = thread->word_count;

  VM_ASSERT(thread->vm, (unsigned)kind < VM_WORD_KIND_COUNT);
  if (place == VM_STACK_WORD_COUNT)
    return VM_INDEX_ERROR;
  thread->words[place] = vm_is_object(*value) ? stack_word(thread, *value, kind) : value->bits;
  thread->word_kinds[place] = kind;
  thread->word_count++;
  return VM_OK;
}

/* Depth 0 is the word pushed last. */
enum vm_error
vm_stack_load(struct vm_thread *thread, unsigned depth, vm_value *out)
{
  if (depth >= thread->word_count)
    return VM_INDEX_ERROR;

  unsigned place = thread->word_count - 1 - depth;

  if (thread->word_kinds[place] != VM_WORD_REFERENCE)
    return VM_TYPE_ERROR;
  *out = (vm_value){thread->words[place]};
  return VM_OK;
}

/* On VM_INDEX_ERROR nothing has changed. */
enum vm_error
vm_stack_pop(struct vm_thread *thread, unsigned count)
{
  if (count > thread->word_count)
    return VM_INDEX_ERROR;
  thread->word_count -= count;
  for (unsigned i = 0; i < count; i++)
    thread->words[thread->word_count + i] = 0;
  return VM_OK;
}
