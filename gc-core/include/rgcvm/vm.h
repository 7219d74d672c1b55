/* vm.h - the reference embedder, as its callers see it: a small Ruby-like VM on top of the
 * collector, with object kinds, Ractors, ports and the rules of Ractor isolation.
 *
 * Values are passed by pointer to a *rooted* slot: a register of the calling thread, a slot of one
 * of its frames, or a local that holds an immediate.  No function keeps such a pointer.  `out` must
 * be a register or frame slot of the calling thread; it is written last and only on VM_OK.  Results
 * may overwrite an argument (`out` may equal an input).
 *
 * Errors are Ruby's exceptions as return codes; on any error nothing has changed except what the
 * function says.  Every call is made by the thread that `thread` describes.  Functions marked
 * [collects] may collect, stop the world, or park for another thread's stop.
 */
#ifndef RGCVM_VM_H
#define RGCVM_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rgc/rgc.h"

/* nil is 0; a fixnum has bit 0 set; everything else is the address of an object. */
typedef struct vm_value {
  uintptr_t bits;
} vm_value;

static inline vm_value
vm_nil(void)
{
  return (vm_value){0};
}

static inline vm_value
vm_fixnum(intptr_t number)
{
  return (vm_value){((uintptr_t)number << 1) | 1u};
}

static inline bool
vm_is_nil(vm_value value)
{
  return value.bits == 0;
}

static inline bool
vm_is_fixnum(vm_value value)
{
  return (value.bits & 1u) != 0;
}

static inline bool
vm_is_object(vm_value value)
{
  return value.bits != 0 && (value.bits & 1u) == 0;
}

/* Kinds of heap objects.  The hidden kind Env is never a value of a program. */
enum vm_kind {
  VM_KIND_NONE,
  VM_KIND_OBJECT,
  VM_KIND_STRING,
  VM_KIND_ARRAY,
  VM_KIND_HASH,
  VM_KIND_CLASS,
  VM_KIND_PROC,
  VM_KIND_ENV,
  VM_KIND_RACTOR,
  VM_KIND_PORT,
  VM_KIND_COUNT
};

enum vm_error {
  VM_OK,
  VM_TYPE_ERROR,      /* TypeError / NoMethodError */
  VM_INDEX_ERROR,     /* IndexError */
  VM_FROZEN_ERROR,    /* FrozenError */
  VM_ISOLATION_ERROR, /* Ractor::IsolationError */
  VM_NO_MEMORY,       /* NoMemoryError */
  VM_CLOSED_ERROR,    /* Ractor::ClosedError */
  VM_RACTOR_ERROR,    /* Ractor::Error: value taken already, own value, … */
  VM_REMOTE_ERROR,    /* Ractor::RemoteError: the Ractor ended by an exception */
  VM_THREAD_ERROR,    /* ThreadError: no thread could be made */
  VM_STOPPED,         /* fatal: nothing can run any more; the block must end now */
  VM_RAISED,          /* the program's own exception; payload in the thread's error slot */
  VM_ERROR_COUNT
};

const char *vm_error_name(enum vm_error error); /* "TypeError", … */
const char *vm_kind_name(enum vm_kind kind);    /* "Array", … */

enum {
  VM_REGISTER_COUNT = 16,
  VM_STACK_WORD_COUNT = 32,
  VM_OBJECT_FIELD_MAX = 24, /* fields of one Object */
  VM_ARRAY_LENGTH_MAX = 64,
  VM_HASH_LENGTH_MAX = 32,
  VM_STRING_LENGTH_MAX = 512,
  VM_CLASS_CONSTANT_COUNT = 6,
  VM_PROC_SLOT_MAX = 6,
  VM_RACTOR_MAX = 15 /* Ractors besides main over the life of one VM */
};

struct vm;
struct vm_thread;

/* Runs block `block` on `thread`; registers are set up.  Returns VM_OK with the block's value in
 * register 0, or the error that ends the Ractor (with VM_RAISED, the payload is in the thread's
 * error slot). */
typedef enum vm_error vm_run_block(void *arg, struct vm_thread *thread, unsigned block);

struct vm_config {
  struct rgc_platform platform;
  struct rgc_settings settings;
  void (*install)(void *arg, struct rgc_world *world); /* e.g. the verifier; may be NULL */
  vm_run_block *run_block;
  void *arg; /* of install and run_block */
};

/* Makes the VM with its main Ractor (id 0) on the calling thread.  VM_NO_MEMORY leaves nothing. */
enum vm_error vm_create(const struct vm_config *config, struct vm **out);

/* Runs `block` on the main Ractor, then winds down: wakes every program wait with VM_STOPPED, waits
 * for each Ractor to end, merges all zombies into main (2.5 "At VM shutdown"). */
enum vm_error vm_run_main(struct vm *vm, unsigned block);

/* Frees everything.  Only after vm_run_main has returned. */
void vm_destroy(struct vm *vm);

struct rgc_world *vm_world(struct vm *vm);
struct vm_thread *vm_main_thread(struct vm *vm);

/* ---- Threads: registers, frames, machine stack -------------------------------------------- */

struct rgc_objspace *vm_thread_objspace(struct vm_thread *thread);
struct vm *vm_thread_vm(struct vm_thread *thread);
unsigned vm_thread_ractor_id(const struct vm_thread *thread); /* 0 is main */

vm_value *vm_register(struct vm_thread *thread, unsigned index); /* rooted, exact */
vm_value *vm_error_slot(struct vm_thread *thread);               /* payload of VM_RAISED */

/* `count` rooted slots, nil at first; pops must mirror pushes.  At most 256 slots are open. */
vm_value *vm_frame_push(struct vm_thread *thread, unsigned count);
void vm_frame_pop(struct vm_thread *thread, unsigned count);

/* The machine stack: words that a collection scans conservatively.  A word pushed as a reference
 * may be loaded again; others only look like one. */
enum vm_word_kind {
  VM_WORD_REFERENCE, /* the object itself */
  VM_WORD_INTERIOR,  /* an address inside its slot */
  VM_WORD_PAST_END,  /* one past the end of its slot */
  VM_WORD_STALE,     /* the object itself, but not loadable: what a dead frame left */
  VM_WORD_LOOKALIKE, /* an aligned address in the arena that names no slot of the program */
  VM_WORD_KIND_COUNT
};
enum vm_error vm_stack_push(struct vm_thread *thread, const vm_value *value,
                            enum vm_word_kind kind); /* VM_INDEX_ERROR: full */
enum vm_error vm_stack_load(struct vm_thread *thread, unsigned depth, vm_value *out);
enum vm_error vm_stack_pop(struct vm_thread *thread, unsigned count);

/* Where the thread may park for another's world stop, and where main merges orphans.  Called by
 * the interpreter before each op. [collects] */
enum vm_error vm_safepoint(struct vm_thread *thread);

/* ---- Objects.  All [collects] unless marked otherwise -------------------------------------- */

enum vm_kind vm_kind_of(vm_value value); /* NONE for immediates; does not collect */
bool vm_is_shareable(vm_value value);    /* immediates are; does not collect */
bool vm_is_frozen(vm_value value);       /* does not collect */
/* A stable, address-free number of the object: Ractor id of the allocator and its serial. */
uint64_t vm_serial(vm_value value);
/* Digest of kind, flags and immediate contents (never an address); does not collect.  Reads only
 * what the calling Ractor may read. */
uint64_t vm_digest(struct vm_thread *thread, vm_value value);

/* Length of an Array, Hash or String, fields of an Object; else 0.  Same context as vm_digest. */
size_t vm_length(vm_value value);
/* Whom a Ractor's handle or a Port names.  False: it is neither.  Does not collect. */
bool vm_handle_names(vm_value value, unsigned *ractor_id, size_t *port_number);
/* Whether other Ractors may write slots of the object (constants, environment, hidden field): it,
 * or its environment, is shareable and another Ractor's allocation.  Does not collect. */
bool vm_slots_are_foreign(const struct vm_thread *thread, vm_value value);

enum vm_error vm_object_new(struct vm_thread *t, const vm_value *klass, unsigned fields,
                            vm_value *out); /* klass: Class or nil */
enum vm_error vm_string_new(struct vm_thread *t, unsigned length, unsigned fill, vm_value *out);
enum vm_error vm_array_new(struct vm_thread *t, unsigned length, const vm_value *fill,
                           vm_value *out);
enum vm_error vm_hash_new(struct vm_thread *t, vm_value *out);
enum vm_error vm_class_new(struct vm_thread *t, vm_value *out);
enum vm_error vm_proc_new(struct vm_thread *t, unsigned slots, const vm_value *captured,
                          vm_value *out); /* each slot holds *captured */
enum vm_error vm_port_new(struct vm_thread *t, vm_value *out);
enum vm_error vm_dup(struct vm_thread *t, const vm_value *from,
                     vm_value *out); /* shallow, unfrozen, private */

enum vm_error vm_field_set(struct vm_thread *t, const vm_value *object, unsigned index,
                           const vm_value *value);
enum vm_error vm_field_get(struct vm_thread *t, const vm_value *object, unsigned index,
                           vm_value *out);
/* The hidden field: not reached by make_shareable, may stay private on a shareable Object (2.1).
 * Reading a private object of another Ractor through it raises VM_ISOLATION_ERROR. */
enum vm_error vm_hidden_set(struct vm_thread *t, const vm_value *object, const vm_value *value);
enum vm_error vm_hidden_get(struct vm_thread *t, const vm_value *object, vm_value *out);

enum vm_error vm_string_append(struct vm_thread *t, const vm_value *string, unsigned count,
                               unsigned fill);
enum vm_error vm_string_byte(struct vm_thread *t, const vm_value *string, unsigned index,
                             vm_value *out);
/* String#-@: the one shareable, frozen string with these contents (a weak VM table). */
enum vm_error vm_string_intern(struct vm_thread *t, const vm_value *string, vm_value *out);

enum vm_error vm_array_push(struct vm_thread *t, const vm_value *array, const vm_value *value);
enum vm_error vm_array_pop(struct vm_thread *t, const vm_value *array, vm_value *out);
enum vm_error vm_array_set(struct vm_thread *t, const vm_value *array, unsigned index,
                           const vm_value *value);
enum vm_error vm_array_get(struct vm_thread *t, const vm_value *array, unsigned index,
                           vm_value *out);
enum vm_error vm_array_clear(struct vm_thread *t, const vm_value *array);

/* Keys compare by identity (fixnums and nil by value; Strings by contents). */
enum vm_error vm_hash_set(struct vm_thread *t, const vm_value *hash, const vm_value *key,
                          const vm_value *value);
enum vm_error vm_hash_get(struct vm_thread *t, const vm_value *hash, const vm_value *key,
                          vm_value *out); /* nil if absent */
enum vm_error vm_hash_delete(struct vm_thread *t, const vm_value *hash, const vm_value *key,
                             vm_value *out);

/* Constants of a class, under the VM lock.  Only the class's creator may set; it may set private
 * values; another Ractor that reads a private one gets VM_ISOLATION_ERROR. */
enum vm_error vm_constant_set(struct vm_thread *t, const vm_value *klass, unsigned index,
                              const vm_value *value);
enum vm_error vm_constant_get(struct vm_thread *t, const vm_value *klass, unsigned index,
                              vm_value *out);

/* Slots of a Proc's environment.  A shareable Proc's slots may be set by any Ractor, also to
 * private values (2.1); reading another's private value raises VM_ISOLATION_ERROR. */
enum vm_error vm_env_set(struct vm_thread *t, const vm_value *proc, unsigned index,
                         const vm_value *value);
enum vm_error vm_env_get(struct vm_thread *t, const vm_value *proc, unsigned index, vm_value *out);

enum vm_error vm_freeze(struct vm_thread *t, const vm_value *value);
/* Ractor.make_shareable: freezes and promotes the graph, or raises before any change. */
enum vm_error vm_make_shareable(struct vm_thread *t, const vm_value *value);

/* ---- Ractors and ports: 2.5, 2.6 ----------------------------------------------------------- */

enum vm_error vm_ractor_new(struct vm_thread *t, unsigned block, const vm_value *argument,
                            vm_value *out); /* argument is copied; the block finds it in register 1,
                                               its own Ractor in register 2 */
enum vm_error vm_ractor_current(struct vm_thread *t, vm_value *out);
enum vm_error vm_ractor_port(struct vm_thread *t, const vm_value *ractor,
                             vm_value *out); /* its default port */
/* Copy send to a Ractor's default port or to a Port. */
enum vm_error vm_send(struct vm_thread *t, const vm_value *target, const vm_value *value);
/* Blocks until a message is there.  Ractor#receive on the default port (port nil) or Port#receive,
 * which only the port's creator may call. */
enum vm_error vm_receive(struct vm_thread *t, const vm_value *port, vm_value *out);
/* Like vm_receive but never blocks: VM_RACTOR_ERROR if empty. */
enum vm_error vm_try_receive(struct vm_thread *t, const vm_value *port, vm_value *out);
enum vm_error vm_port_close(struct vm_thread *t, const vm_value *port);
/* Waits for the end; the heap stays a zombie. */
enum vm_error vm_ractor_join(struct vm_thread *t, const vm_value *ractor);
/* One-shot: waits, absorbs, gives the value by reference; VM_REMOTE_ERROR with the exception's
 * payload in `out` if it ended by one (absorbed all the same); VM_RACTOR_ERROR if taken. */
enum vm_error vm_ractor_value(struct vm_thread *t, const vm_value *ractor, vm_value *out);

/* ---- GC API: 3 ------------------------------------------------------------------------------ */

enum vm_error vm_gc_start(struct vm_thread *t, enum rgc_kind kind); /* GLOBAL is GC.start */
/* Asks the platform for a stress action at `point` and carries it out.  Called by the VM itself
 * after barriers, sends, receives and promotions. */
void vm_stress(struct vm_thread *t, enum rgc_stress_point point);
/* GC.verify_internal_consistency: stops the world and checks it. */
enum vm_error vm_gc_verify(struct vm_thread *t);

/* ---- Numbers for statistics and oracles ----------------------------------------------------- */

struct vm_stats {
  unsigned ractors_live; /* besides main */
  unsigned zombies;
  uint64_t ractors_created;
  uint64_t messages_sent;
  uint64_t messages_received;
  uint64_t values_taken;
  uint64_t orphans_merged;
  size_t messages_in_flight;
};
void vm_get_stats(struct vm *vm, struct vm_stats *out);

#endif
