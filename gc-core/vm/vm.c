/* vm.c - making a VM, running its main Ractor, winding down, and what all files use of the
 * platform.
 *
 * Winding down: program waits end with VM_STOPPED, every thread is joined, and main takes over
 * every heap that is left (2.5 "At VM shutdown").  A heap for whose take-over memory is missing is
 * freed with the world.
 */
#include "gc-core/vm/internal.h"

#include <stdlib.h>

void
vm_fail(struct vm *vm, const char *rule, const char *where, const char *text)
{
  struct rgc_failure failure = {
      .rule = rule,
      .where = where,
      .text = text,
      .phase = vm->world == NULL ? "none" : rgc_phase_name(rgc_world_phase(vm->world)),
  };

  vm->config.platform.ops->fail(vm->config.platform.self, &failure);
  abort(); /* the platform broke its contract */
}

void *
vm_memory_alloc(struct vm *vm, size_t size)
{
  return vm->config.platform.ops->memory_alloc(vm->config.platform.self, size);
}

void
vm_memory_free(struct vm *vm, void *memory, size_t size)
{
  vm->config.platform.ops->memory_free(vm->config.platform.self, memory, size);
}

void
vm_schedule(struct vm *vm, enum rgc_site site)
{
#ifdef RGC_RELEASE
  (void)vm;
  (void)site;
#else
  vm->config.platform.ops->schedule_point(vm->config.platform.self, site);
#endif
}

void
vm_mutex_lock(struct vm_thread *thread, struct rgc_mutex *mutex)
{
  const struct rgc_platform *platform = &thread->vm->config.platform;

  platform->ops->mutex_lock(platform->self, mutex);
  thread->held_lock_count++;
}

void
vm_mutex_unlock(struct vm_thread *thread, struct rgc_mutex *mutex)
{
  const struct rgc_platform *platform = &thread->vm->config.platform;

  VM_ASSERT(thread->vm, thread->held_lock_count > 0);
  thread->held_lock_count--;
  platform->ops->mutex_unlock(platform->self, mutex);
}

struct rgc_world *
vm_world(struct vm *vm)
{
  return vm->world;
}

struct vm_thread *
vm_main_thread(struct vm *vm)
{
  return &vm->ractors[0]->thread;
}

static void
vm_locks_init(struct vm *vm)
{
  const struct rgc_platform *platform = &vm->config.platform;

  platform->ops->mutex_init(platform->self, &vm->lock, "vm");
  platform->ops->mutex_init(platform->self, &vm->barrier_mutex, "barrier");
  platform->ops->cond_init(platform->self, &vm->barrier_cond, "barrier");
  platform->ops->mutex_init(platform->self, &vm->orphan_mutex, "orphans");
}

static void
vm_locks_destroy(struct vm *vm)
{
  const struct rgc_platform *platform = &vm->config.platform;

  platform->ops->mutex_destroy(platform->self, &vm->orphan_mutex);
  platform->ops->cond_destroy(platform->self, &vm->barrier_cond);
  platform->ops->mutex_destroy(platform->self, &vm->barrier_mutex);
  platform->ops->mutex_destroy(platform->self, &vm->lock);
}

/* The world first: releasing its objects needs the structs of Ractors, which go with the VM. */
void
vm_destroy(struct vm *vm)
{
  struct rgc_platform platform = vm->config.platform;
  unsigned count = atomic_load_explicit(&vm->ractor_count, memory_order_acquire);

  VM_OBSERVE(vm, ended, atomic_load_explicit(&vm->in_flight_count, memory_order_relaxed));
  if (vm->world != NULL)
    rgc_world_destroy(vm->world);
  vm->world = NULL;
  for (unsigned id = 0; id < count; id++)
    vm_ractor_struct_free(vm->ractors[id]);
  vm_intern_free(vm);
  vm_locks_destroy(vm);
  platform.ops->memory_free(platform.self, vm, sizeof *vm);
}

static enum vm_error
vm_world_make(struct vm *vm)
{
  struct rgc_config config = {
      .platform = vm->config.platform,
      .host = vm_host_ops(),
      .vm = vm,
      .settings = vm->config.settings,
  };

  struct rgc_subject subject = vm_subject(vm);

  VM_OBSERVE(vm, began, &subject);
  vm->world = rgc_world_create(&config);
  if (vm->world == NULL)
    return VM_NO_MEMORY;
  if (vm->config.install != NULL)
    vm->config.install(vm->config.arg, vm->world);
  return VM_OK;
}

static enum vm_error
vm_main_make(struct vm *vm) VM_COLLECTS
{
  struct vm_ractor *ractor = vm_ractor_struct_new(vm);

  if (ractor == NULL)
    return VM_NO_MEMORY;
  vm->ractors[0] = ractor;
  atomic_store_explicit(&vm->ractor_count, 1, memory_order_release);

  enum vm_error error = vm_ractor_objspace_new(ractor);

  if (error != VM_OK)
    return error;
  vm->running = 1;
  rgc_objspace_start(ractor->objspace);
  return vm_port_handle_new(&ractor->thread, VM_KIND_RACTOR, ractor, VM_DEFAULT_PORT,
                            &ractor->thread.handle);
}

enum vm_error
vm_create(const struct vm_config *config, struct vm **out)
{
  struct vm *vm = config->platform.ops->memory_alloc(config->platform.self, sizeof *vm);

  if (vm == NULL)
    return VM_NO_MEMORY;
  vm->config = *config;
  vm_locks_init(vm);

  enum vm_error error = vm_world_make(vm);

  if (error == VM_OK)
    error = vm_main_make(vm);
  if (error == VM_OK)
    *out = vm;
  else
    vm_destroy(vm);
  return error;
}

/* The flag first, then each condition under its mutex: a waiter either sees the flag before it
 * waits, or is waiting when the broadcast comes.  Acquire of the count: partner of the release in
 * ractor_publish. */
void
vm_wind_down(struct vm *vm)
{
  const struct rgc_platform *platform = &vm->config.platform;
  unsigned count = atomic_load_explicit(&vm->ractor_count, memory_order_acquire);

  atomic_store_explicit(&vm->winding_down, true, memory_order_release);
  for (unsigned id = 0; id < count; id++) {
    struct vm_ractor *ractor = vm->ractors[id];

    platform->ops->mutex_lock(platform->self, &ractor->mutex);
    platform->ops->cond_broadcast(platform->self, &ractor->cond);
    platform->ops->mutex_unlock(platform->self, &ractor->mutex);
  }
}

/* In order of number: a Ractor's creator has a lower one and has been joined, so what it wrote
 * about the new thread is seen, and no new Ractor appears behind the loop. */
static void
join_all(struct vm_thread *thread) VM_COLLECTS
{
  struct vm *vm = thread->vm;
  const struct rgc_platform *platform = &vm->config.platform;

  for (unsigned id = 1; id < atomic_load_explicit(&vm->ractor_count, memory_order_acquire); id++) {
    struct vm_ractor *ractor = vm->ractors[id];

    if (!ractor->thread_started)
      continue;
    vm_blocking_begin(thread);
    platform->ops->thread_join(platform->self, ractor->thread_id);
    vm_blocking_end(thread);
  }
}

static void
absorb_all(struct vm_thread *thread)
{
  struct vm *vm = thread->vm;
  unsigned count = atomic_load_explicit(&vm->ractor_count, memory_order_acquire);

  vm_orphans_merge(thread);
  for (unsigned id = 1; id < count; id++) {
    struct vm_ractor *ractor = vm->ractors[id];

    if (ractor->objspace == NULL || ractor->claim != VM_UNCLAIMED)
      continue;
    vm_schedule(vm, RGC_SITE_ABSORB);
    if (rgc_objspace_absorb(thread->objspace, ractor->objspace) != RGC_OK)
      continue;
    ractor->claim = VM_CLAIMED;
    vm_ractor_absorbed(ractor);
  }
}

enum vm_error
vm_run_main(struct vm *vm, unsigned block)
{
  struct vm_thread *thread = vm_main_thread(vm);
  enum vm_error error = vm->config.run_block(vm->config.arg, thread, block);

  VM_ASSERT(vm, thread->held_lock_count == 0);
  vm_wind_down(vm);
  join_all(thread);
  vm_ports_shut(thread);
  absorb_all(thread);
  VM_ASSERT(vm, vm->running == 1);
  return error;
}
