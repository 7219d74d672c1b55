/* receive.c - send and receive.
 *
 * Hand-overs happen inside the receiving Ractor's mutex and without a place to park in between, so
 * that every global collection finds each message in exactly one place [INV-INFLIGHT]: builder →
 * queue when it is sent, queue → `materialising` when it is taken.
 */
#include "gc-core/vm/internal.h"
#include "rgc/faults.h"

static bool
port_open(struct vm_thread *t, struct vm_ractor *ractor, size_t number)
{
  vm_mutex_lock(t, &ractor->mutex);

  bool open = vm_port_is_open_locked(ractor, number);

  vm_mutex_unlock(t, &ractor->mutex);
  return open;
}

/* Builder → queue. */
static enum vm_error
hand_over(struct vm_thread *t, struct vm_ractor *ractor, size_t number)
{
  struct vm_message *message = t->building;
  bool wakes = true;

  message->port_number = number;
  vm_mutex_lock(t, &ractor->mutex);

  bool open = vm_port_is_open_locked(ractor, number);

  if (open) {
    atomic_fetch_add_explicit(&t->vm->in_flight_count, 1, memory_order_relaxed);
    if (FAULT(send_wakes_first_only) && ractor->id > 5)
      wakes = ractor->queue_head == NULL;
    vm_queue_put_locked(ractor, message);
  }
  t->building = NULL;
  vm_mutex_unlock(t, &ractor->mutex);

  if (!open) {
    vm_message_free(t->vm, message);
    return VM_CLOSED_ERROR;
  }
  if (wakes)
    t->vm->config.platform.ops->cond_broadcast(t->vm->config.platform.self, &ractor->cond);
  atomic_fetch_add_explicit(&t->vm->sent_count, 1, memory_order_relaxed);
  return VM_OK;
}

enum vm_error
vm_send(struct vm_thread *t, const vm_value *target, const vm_value *value)
{
  enum vm_kind kind = vm_kind_of(*target);

  if (kind != VM_KIND_RACTOR && kind != VM_KIND_PORT)
    return VM_TYPE_ERROR;

  struct vm_ractor *ractor = vm_handle_at(*target)->ractor;
  size_t number = vm_handle_at(*target)->port_number;

  vm_schedule(t->vm, RGC_SITE_SEND);
  if (!port_open(t, ractor, number))
    return VM_CLOSED_ERROR;

  enum vm_error error = vm_message_build(t, value, RGC_SITE_SEND);

  if (error != VM_OK)
    return error;
  vm_schedule(t->vm, RGC_SITE_SEND);
  error = hand_over(t, ractor, number);
  vm_schedule(t->vm, RGC_SITE_SEND);
  vm_stress(t, RGC_STRESS_SEND);
  return error;
}

/* Queue → thread->materialising.  VM_RACTOR_ERROR: nothing there. */
static enum vm_error
take(struct vm_thread *t, size_t number)
{
  struct vm_ractor *ractor = t->ractor;
  enum vm_error error = VM_OK;

  VM_ASSERT(t->vm, t->materialising == NULL);

  vm_mutex_lock(t, &ractor->mutex);
  t->materialising = vm_queue_take_locked(ractor, number);
  if (t->materialising == NULL)
    error = vm_port_is_open_locked(ractor, number) ? VM_RACTOR_ERROR : VM_CLOSED_ERROR;
  vm_mutex_unlock(t, &ractor->mutex);
  return error;
}

static bool
has_message_locked(const struct vm_ractor *ractor, size_t number)
{
  const struct vm_message *message = ractor->queue_head;

  while (message != NULL && message->port_number != number)
    message = message->next;
  return message != NULL;
}

static bool
must_wait_locked(const struct vm_ractor *ractor, size_t number)
{
  if (FAULT(receive_polls_full_queue) && ractor->id > 5 && ractor->queue_head != NULL &&
      ractor->queue_head->next != NULL)
    return false;
  return !has_message_locked(ractor, number);
}

/* Blocks until there may be a message.  In the region only off-heap state is looked at. */
static enum vm_error
wait_message(struct vm_thread *t, size_t number) VM_COLLECTS
{
  const struct rgc_platform *platform = &t->vm->config.platform;
  struct vm_ractor *ractor = t->ractor;
  enum rgc_wait_result result = RGC_WAIT_WOKEN;

  if (atomic_load_explicit(&t->vm->winding_down, memory_order_acquire))
    return VM_STOPPED;

  vm_blocking_begin(t);
  vm_mutex_lock(t, &ractor->mutex);
  while (must_wait_locked(ractor, number) && result == RGC_WAIT_WOKEN &&
         !atomic_load_explicit(&t->vm->winding_down, memory_order_acquire))
    result =
        platform->ops->cond_wait(platform->self, &ractor->cond, &ractor->mutex, RGC_WAIT_PROGRAM);
  vm_mutex_unlock(t, &ractor->mutex);
  vm_blocking_end(t);

  if (result == RGC_WAIT_IDLE)
    vm_wind_down(t->vm);
  return VM_OK;
}

/* The port's number, if the thread may receive on it. */
static enum vm_error
receive_port(const struct vm_thread *t, const vm_value *port, size_t *number)
{
  *number = VM_DEFAULT_PORT;
  if (vm_is_nil(*port))
    return VM_OK;
  if (vm_kind_of(*port) != VM_KIND_PORT)
    return VM_TYPE_ERROR;
  if (vm_handle_at(*port)->ractor != t->ractor)
    return VM_RACTOR_ERROR;
  *number = vm_handle_at(*port)->port_number;
  return VM_OK;
}

static enum vm_error
deliver(struct vm_thread *t, vm_value *out) VM_COLLECTS
{
  vm_schedule(t->vm, RGC_SITE_RECEIVE);

  enum vm_error error = vm_message_materialise(t, out);

  if (error == VM_OK)
    atomic_fetch_add_explicit(&t->vm->received_count, 1, memory_order_relaxed);
  vm_stress(t, RGC_STRESS_RECEIVE);
  return error;
}

enum vm_error
vm_receive(struct vm_thread *t, const vm_value *port, vm_value *out)
{
  size_t number;
  enum vm_error error = receive_port(t, port, &number);

  while (error == VM_OK) {
    vm_schedule(t->vm, RGC_SITE_RECEIVE);
    error = take(t, number);
    if (error == VM_OK)
      return deliver(t, out);
    if (error == VM_RACTOR_ERROR)
      error = wait_message(t, number);
  }
  return error;
}

enum vm_error
vm_try_receive(struct vm_thread *t, const vm_value *port, vm_value *out)
{
  size_t number;
  enum vm_error error = receive_port(t, port, &number);

  if (error != VM_OK)
    return error;
  vm_schedule(t->vm, RGC_SITE_RECEIVE);
  error = take(t, number);
  return error == VM_OK ? deliver(t, out) : error;
}
