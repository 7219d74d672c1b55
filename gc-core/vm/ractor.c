/* ractor.c - making Ractors, waiting for them, and taking their value.
 *
 * A struct vm_ractor is published in vm->ractors before it has anything a collection must see, and
 * lives until vm_destroy, so handles and ports may name it by address.  A failed creation burns its
 * number and leaves, at most, an objspace that main merges as an orphan.
 */
#include "gc-core/vm/internal.h"

struct vm_ractor *
vm_ractor_struct_new(struct vm *vm)
{
  const struct rgc_platform *platform = &vm->config.platform;
  struct vm_ractor *ractor = vm_memory_alloc(vm, sizeof *ractor);

  if (ractor == NULL)
    return NULL;
  ractor->ports = vm_memory_alloc(vm, 1);
  if (ractor->ports == NULL) {
    vm_memory_free(vm, ractor, sizeof *ractor);
    return NULL;
  }
  ractor->ports[VM_DEFAULT_PORT] = 1;
  ractor->port_count = 1;
  ractor->port_capacity = 1;
  ractor->vm = vm;
  ractor->objspace_id = RGC_OBJSPACE_ALL;
  ractor->queue_tail = &ractor->queue_head;
  ractor->thread.vm = vm;
  ractor->thread.ractor = ractor;
  atomic_init(&ractor->value, (uintptr_t)0);
  platform->ops->mutex_init(platform->self, &ractor->mutex, "ractor");
  platform->ops->cond_init(platform->self, &ractor->cond, "ractor");
  return ractor;
}

void
vm_ractor_struct_free(struct vm_ractor *ractor)
{
  struct vm *vm = ractor->vm;
  const struct rgc_platform *platform = &vm->config.platform;

  VM_ASSERT(vm, ractor->thread.building == NULL);
  vm_message_free_list(vm, ractor->queue_head);
  vm_message_free_list(vm, ractor->argument);
  platform->ops->cond_destroy(platform->self, &ractor->cond);
  platform->ops->mutex_destroy(platform->self, &ractor->mutex);
  vm_memory_free(vm, ractor->ports, ractor->port_capacity);
  vm_memory_free(vm, ractor, sizeof *ractor);
}

enum vm_error
vm_ractor_objspace_new(struct vm_ractor *ractor)
{
  struct rgc_objspace *objspace;

  if (rgc_objspace_create(ractor->vm->world, ractor, &objspace) != RGC_OK)
    return VM_NO_MEMORY;
  ractor->objspace = objspace;
  ractor->objspace_id = rgc_objspace_id(objspace);
  ractor->thread.objspace = objspace;
  return VM_OK;
}

/* First to last breath of a Ractor's thread. */
static void
ractor_main(void *arg)
{
  struct vm_ractor *ractor = arg;
  struct vm_thread *thread = &ractor->thread;
  struct vm *vm = ractor->vm;

  vm_blocking_end(thread);
  rgc_objspace_start(thread->objspace);

  thread->materialising = ractor->argument; /* no place to park in between [INV-INFLIGHT] */
  ractor->argument = NULL;

  enum vm_error error = vm_message_materialise(thread, &thread->registers[1]);

  if (error == VM_OK) {
    thread->registers[2] = thread->handle;
    error = vm->config.run_block(vm->config.arg, thread, ractor->block);
  }
  vm_ractor_terminate(thread, error);
}

/* Gives the struct its number and makes it visible.  Order: pointer before count, whose release is
 * the partner of the acquire in vm_wind_down. */
static enum vm_error
ractor_publish(struct vm_thread *t, struct vm_ractor *ractor) VM_COLLECTS
{
  struct vm *vm = t->vm;
  enum vm_error error = VM_THREAD_ERROR;

  vm_lock_acquire(t);

  unsigned id = atomic_load_explicit(&vm->ractor_count, memory_order_relaxed);

  if (id <= VM_RACTOR_MAX) {
    ractor->id = id;
    vm->ractors[id] = ractor;
    atomic_store_explicit(&vm->ractor_count, id + 1, memory_order_release);
    error = VM_OK;
  }
  vm_lock_release(t);
  return error;
}

/* The thread never started: whatever exists goes back, the objspace by way of main. */
static void
ractor_undo(struct vm_thread *t, struct vm_ractor *ractor)
{
  struct vm *vm = t->vm;
  struct vm_message *argument = ractor->argument;

  vm_mutex_lock(t, &ractor->mutex);
  ractor->argument = NULL;
  ractor->ports[VM_DEFAULT_PORT] = 0;
  ractor->claim = VM_CLAIMED;
  vm_mutex_unlock(t, &ractor->mutex);

  vm_message_free_list(vm, argument);
  ractor->thread.handle = vm_nil();
  ractor->failed = true;
  ractor->retired = true;
  if (ractor->objspace == NULL)
    return;
  vm_schedule(vm, RGC_SITE_CREATE);
  rgc_objspace_disown(ractor->objspace);
  atomic_fetch_add_explicit(&vm->zombie_count, 1, memory_order_relaxed);
  vm_orphan_add(vm, ractor);
}

/* The argument's snapshot: builder → the new Ractor. [INV-INFLIGHT] */
static enum vm_error
ractor_give_argument(struct vm_thread *t, struct vm_ractor *ractor,
                     const vm_value *argument) VM_COLLECTS
{
  enum vm_error error = vm_message_build(t, argument, RGC_SITE_CREATE);

  if (error != VM_OK)
    return error;
  atomic_fetch_add_explicit(&t->vm->in_flight_count, 1, memory_order_relaxed);
  ractor->argument = t->building;
  t->building = NULL;
  return VM_OK;
}

/* It counts as live before its thread can run. */
static enum vm_error
ractor_launch(struct vm_thread *t, struct vm_ractor *ractor)
{
  const struct rgc_platform *platform = &t->vm->config.platform;
  unsigned thread_id;

  atomic_fetch_add_explicit(&t->vm->live_count, 1, memory_order_relaxed);
  if (!platform->ops->thread_start(platform->self, ractor_main, ractor, &thread_id)) {
    atomic_fetch_sub_explicit(&t->vm->live_count, 1, memory_order_relaxed);
    return VM_THREAD_ERROR;
  }
  ractor->thread_id = thread_id;
  ractor->thread_started = true;
  atomic_fetch_add_explicit(&t->vm->created_count, 1, memory_order_relaxed);
  return VM_OK;
}

static enum vm_error
ractor_construct(struct vm_thread *t, struct vm_ractor *ractor, const vm_value *argument,
                 vm_value *handle) VM_COLLECTS
{
  vm_schedule(t->vm, RGC_SITE_CREATE);

  enum vm_error error = vm_ractor_objspace_new(ractor);

  if (error != VM_OK)
    return error;
  vm_schedule(t->vm, RGC_SITE_CREATE);
  error = vm_port_handle_new(t, VM_KIND_RACTOR, ractor, VM_DEFAULT_PORT, handle);
  if (error != VM_OK)
    return error;
  ractor->thread.handle = *handle;
  vm_schedule(t->vm, RGC_SITE_CREATE);
  error = ractor_give_argument(t, ractor, argument);
  if (error != VM_OK)
    return error;
  vm_schedule(t->vm, RGC_SITE_CREATE);
  return ractor_launch(t, ractor);
}

enum vm_error
vm_ractor_new(struct vm_thread *t, unsigned block, const vm_value *argument, vm_value *out)
{
  enum vm_error error = vm_message_check(t, argument);

  if (error != VM_OK)
    return error;

  struct vm_ractor *ractor = vm_ractor_struct_new(t->vm);

  if (ractor == NULL)
    return VM_NO_MEMORY;
  ractor->block = block;
  error = ractor_publish(t, ractor);
  if (error != VM_OK) {
    vm_ractor_struct_free(ractor);
    return error;
  }

  vm_value *handle = vm_frame_push(t, 1);

  error = ractor_construct(t, ractor, argument, handle);
  if (error == VM_OK)
    *out = *handle;
  else
    ractor_undo(t, ractor);
  vm_frame_pop(t, 1);
  return error;
}

enum vm_error
vm_ractor_current(struct vm_thread *t, vm_value *out)
{
  VM_ASSERT(t->vm, vm_kind_of(t->handle) == VM_KIND_RACTOR);
  *out = t->handle;
  return VM_OK;
}

static bool
has_terminated(struct vm_thread *t, struct vm_ractor *ractor)
{
  vm_mutex_lock(t, &ractor->mutex);

  bool terminated = ractor->terminated;

  vm_mutex_unlock(t, &ractor->mutex);
  return terminated;
}

enum vm_error
vm_ractor_wait(struct vm_thread *t, struct vm_ractor *ractor)
{
  const struct rgc_platform *platform = &t->vm->config.platform;

  while (!has_terminated(t, ractor)) {
    enum rgc_wait_result result = RGC_WAIT_WOKEN;

    if (atomic_load_explicit(&t->vm->winding_down, memory_order_acquire))
      return VM_STOPPED;
    vm_blocking_begin(t);
    vm_mutex_lock(t, &ractor->mutex);
    while (!ractor->terminated && result == RGC_WAIT_WOKEN &&
           !atomic_load_explicit(&t->vm->winding_down, memory_order_acquire))
      result =
          platform->ops->cond_wait(platform->self, &ractor->cond, &ractor->mutex, RGC_WAIT_PROGRAM);
    vm_mutex_unlock(t, &ractor->mutex);
    vm_blocking_end(t);
    if (result == RGC_WAIT_IDLE)
      vm_wind_down(t->vm);
  }
  return VM_OK;
}

enum vm_error
vm_ractor_join(struct vm_thread *t, const vm_value *ractor)
{
  if (vm_kind_of(*ractor) != VM_KIND_RACTOR)
    return VM_TYPE_ERROR;

  struct vm_ractor *other = vm_handle_at(*ractor)->ractor;

  return other == t->ractor ? VM_RACTOR_ERROR : vm_ractor_wait(t, other);
}

/* The first claim wins; the others are told that the value is taken. */
static bool
claim_take(struct vm_thread *t, struct vm_ractor *ractor)
{
  vm_mutex_lock(t, &ractor->mutex);

  bool won = ractor->claim == VM_UNCLAIMED;

  ractor->claim = VM_CLAIMED;
  vm_mutex_unlock(t, &ractor->mutex);
  return won;
}

static void
claim_give(struct vm_thread *t, struct vm_ractor *ractor)
{
  vm_mutex_lock(t, &ractor->mutex);
  ractor->claim = VM_UNCLAIMED;
  vm_mutex_unlock(t, &ractor->mutex);
}

enum vm_error
vm_ractor_value(struct vm_thread *t, const vm_value *ractor, vm_value *out)
{
  if (vm_kind_of(*ractor) != VM_KIND_RACTOR)
    return VM_TYPE_ERROR;

  struct vm_ractor *other = vm_handle_at(*ractor)->ractor;

  if (other == t->ractor)
    return VM_RACTOR_ERROR;

  enum vm_error error = vm_ractor_wait(t, other);

  if (error != VM_OK)
    return error;
  if (!claim_take(t, other))
    return VM_RACTOR_ERROR;

  vm_schedule(t->vm, RGC_SITE_ABSORB);
  if (rgc_objspace_absorb(t->objspace, other->objspace) != RGC_OK) {
    claim_give(t, other);
    return VM_NO_MEMORY;
  }
  vm_ractor_absorbed(other);

  VM_OBSERVE(t->vm, loaded, vm_ref_of(*ractor), 0,
             atomic_load_explicit(&other->value, memory_order_acquire));
  VM_OBSERVE(t->vm, assigned, vm_ref_of(*ractor), 0, 0);

  /* The value is ours now; it moves from the handle to `out` without a place to collect between. */
  out->bits = atomic_exchange_explicit(&other->value, (uintptr_t)0, memory_order_acq_rel);
  atomic_fetch_add_explicit(&t->vm->taken_count, 1, memory_order_relaxed);
  vm_schedule(t->vm, RGC_SITE_ABSORB);
  return other->failed ? VM_REMOTE_ERROR : VM_OK;
}
