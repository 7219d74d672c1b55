/* port.c - ports, queues and the handles that name them.
 *
 * A Ractor has one queue for all its ports; a message carries the number of its port.  Port 0 is
 * the default port.  A port's number is never used again.  Queue and ports are guarded by the mutex
 * of the Ractor that owns them; only that Ractor's thread adds and closes ports, and it does so
 * without ever holding the mutex across an allocation. [INV-LOCK-LEAF]
 */
#include "gc-core/vm/internal.h"

#include <string.h>

enum { PORT_CAPACITY_FIRST = 8 };

void
vm_queue_put_locked(struct vm_ractor *ractor, struct vm_message *message)
{
  VM_ASSERT(ractor->vm, message->next == NULL);

  *ractor->queue_tail = message;
  ractor->queue_tail = &message->next;
}

struct vm_message *
vm_queue_take_locked(struct vm_ractor *ractor, size_t port_number)
{
  struct vm_message **link = &ractor->queue_head;

  while (*link != NULL && (*link)->port_number != port_number)
    link = &(*link)->next;

  struct vm_message *message = *link;

  if (message == NULL)
    return NULL;
  *link = message->next;
  if (message->next == NULL)
    ractor->queue_tail = link;
  message->next = NULL;
  return message;
}

bool
vm_port_is_open_locked(const struct vm_ractor *ractor, size_t port_number)
{
  return port_number < ractor->port_count && ractor->ports[port_number] != 0;
}

/* Only the owner changes the table's size, so it may allocate before it takes the mutex. */
enum vm_error
vm_port_add(struct vm_thread *thread, size_t *port_number)
{
  struct vm_ractor *ractor = thread->ractor;
  size_t old_capacity = ractor->port_capacity;
  uint8_t *old = ractor->ports;
  uint8_t *ports = NULL;
  size_t capacity = old_capacity == 0 ? PORT_CAPACITY_FIRST : old_capacity * 2;
  bool grows = ractor->port_count == old_capacity;

  if (grows) {
    ports = vm_memory_alloc(thread->vm, capacity);
    if (ports == NULL)
      return VM_NO_MEMORY;
  }

  vm_mutex_lock(thread, &ractor->mutex);
  if (grows) {
    if (old != NULL)
      memcpy(ports, old, ractor->port_count);
    ractor->ports = ports;
    ractor->port_capacity = capacity;
  }
  *port_number = ractor->port_count;
  ractor->ports[ractor->port_count] = 1;
  ractor->port_count++;
  vm_mutex_unlock(thread, &ractor->mutex);

  if (grows && old != NULL)
    vm_memory_free(thread->vm, old, old_capacity);
  return VM_OK;
}

/* Closes one port; gives back the list of its messages. */
static struct vm_message *
port_close_locked(struct vm_ractor *ractor, size_t port_number)
{
  struct vm_message *dropped = NULL;
  struct vm_message *message;

  ractor->ports[port_number] = 0;
  while ((message = vm_queue_take_locked(ractor, port_number)) != NULL) {
    message->next = dropped;
    dropped = message;
  }
  return dropped;
}

void
vm_ports_shut(struct vm_thread *thread)
{
  struct vm_ractor *ractor = thread->ractor;

  vm_mutex_lock(thread, &ractor->mutex);

  struct vm_message *dropped = ractor->queue_head;

  for (size_t i = 0; i < ractor->port_count; i++)
    ractor->ports[i] = 0;
  ractor->queue_head = NULL;
  ractor->queue_tail = &ractor->queue_head;
  vm_mutex_unlock(thread, &ractor->mutex);

  vm_message_free_list(thread->vm, dropped);
}

enum vm_error
vm_port_handle_new(struct vm_thread *thread, enum vm_kind kind, struct vm_ractor *ractor,
                   size_t port_number, vm_value *out)
{
  enum vm_error error = vm_allocate(thread, kind, 0, sizeof(struct vm_handle), out);

  if (error != VM_OK)
    return error;
  vm_handle_at(*out)->ractor = ractor;
  vm_handle_at(*out)->port_number = port_number;
  vm_promote(thread, *out, VM_FLAG_FROZEN);
  return VM_OK;
}

enum vm_error
vm_port_new(struct vm_thread *t, vm_value *out)
{
  size_t number;
  vm_value *made = vm_frame_push(t, 1);
  enum vm_error error = vm_port_add(t, &number);

  if (error == VM_OK)
    error = vm_port_handle_new(t, VM_KIND_PORT, t->ractor, number, made);
  if (error == VM_OK)
    *out = *made;
  vm_frame_pop(t, 1);
  return error;
}

enum vm_error
vm_ractor_port(struct vm_thread *t, const vm_value *ractor, vm_value *out)
{
  if (vm_kind_of(*ractor) != VM_KIND_RACTOR)
    return VM_TYPE_ERROR;

  vm_value *made = vm_frame_push(t, 1);
  enum vm_error error =
      vm_port_handle_new(t, VM_KIND_PORT, vm_handle_at(*ractor)->ractor, VM_DEFAULT_PORT, made);

  if (error == VM_OK)
    *out = *made;
  vm_frame_pop(t, 1);
  return error;
}

/* Only its owner may close a port. */
enum vm_error
vm_port_close(struct vm_thread *t, const vm_value *port)
{
  if (vm_kind_of(*port) != VM_KIND_PORT)
    return VM_TYPE_ERROR;

  struct vm_ractor *ractor = vm_handle_at(*port)->ractor;

  if (ractor != t->ractor)
    return VM_RACTOR_ERROR;

  vm_mutex_lock(t, &ractor->mutex);

  struct vm_message *dropped = port_close_locked(ractor, vm_handle_at(*port)->port_number);

  vm_mutex_unlock(t, &ractor->mutex);
  vm_message_free_list(t->vm, dropped);
  return VM_OK;
}
