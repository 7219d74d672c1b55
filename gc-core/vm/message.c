/* message.c - copies that travel: a snapshot made by the sender in its own objspace, and the
 * receiver's copy of that.
 *
 * The arrays of a message live off heap and hold references: visit.c visits them wherever the
 * message is [INV-INFLIGHT].  Snapshot nodes are pinned in the sender's objspace from the moment
 * they exist, so a local collection of the sender never has to look at queues; the next global
 * collection pins again what is still in flight.  The receiver reads nodes with plain reads and
 * never writes them.
 *
 * Both ends copy in two passes: all shells (may collect), then all contents (may not).
 */
#include "gc-core/vm/internal.h"

static struct vm_message *
message_new(struct vm *vm, size_t node_count, size_t capacity)
{
  struct vm_message *message = vm_memory_alloc(vm, sizeof *message);

  if (message == NULL || node_count == 0)
    return message;
  message->nodes = vm_memory_alloc(vm, capacity * sizeof(vm_value));
  if (message->nodes == NULL) {
    vm_memory_free(vm, message, sizeof *message);
    return NULL;
  }
  message->node_count = node_count;
  message->node_capacity = capacity;
  return message;
}

void
vm_message_free(struct vm *vm, struct vm_message *message)
{
  size_t array_size = message->node_capacity * sizeof(vm_value);

  if (message->sources != NULL)
    vm_memory_free(vm, message->sources, array_size);
  if (message->nodes != NULL)
    vm_memory_free(vm, message->nodes, array_size);
  vm_memory_free(vm, message, sizeof *message);
}

void
vm_message_free_list(struct vm *vm, struct vm_message *message)
{
  while (message != NULL) {
    struct vm_message *next = message->next;

    vm_message_free(vm, message);
    atomic_fetch_sub_explicit(&vm->in_flight_count, 1, memory_order_relaxed);
    message = next;
  }
}

struct copy_map {
  struct vm *vm;
  struct vm_graph graph;
  const vm_value *nodes;
};

static vm_value
copy_child(void *arg, vm_value child)
{
  struct copy_map *map = arg;

  if (vm_is_shareable(child))
    return child;

  size_t number = vm_graph_find(&map->graph, child);

  VM_ASSERT(map->vm, number < map->graph.count);
  return map->nodes[number];
}

/* Second pass: contents.  Does not collect, so addresses may serve as keys. */
static void
copy_contents(struct vm_thread *thread, vm_value *sources, const struct vm_message *to)
{
  struct copy_map map = {.vm = thread->vm, .nodes = to->nodes};

  map.graph = (struct vm_graph){
      .vm = thread->vm, .items = sources, .count = to->node_count, .capacity = to->node_capacity};
  vm_graph_reindex(&map.graph);
  for (size_t i = 0; i < to->node_count; i++)
    vm_shell_fill(thread, sources[i], to->nodes[i], copy_child, &map);
  VM_OBSERVE(thread->vm, copied, &sources->bits, &to->nodes->bits, to->node_count, true);
  map.graph.items = NULL; /* the message's */
  vm_graph_free(&map.graph);
}

enum vm_error
vm_message_check(struct vm_thread *thread, const vm_value *value)
{
  struct vm_graph graph;

  vm_graph_init(&graph, thread->vm);

  enum vm_error error = vm_graph_discover(&graph, *value, VM_GRAPH_COPY);

  vm_graph_free(&graph);
  return error;
}

/* Discovers the graph and makes thread->building a message that names its sources. */
static enum vm_error
build_begin(struct vm_thread *thread, const vm_value *value)
{
  struct vm *vm = thread->vm;
  struct vm_graph graph;

  vm_graph_init(&graph, vm);

  enum vm_error error = vm_graph_discover(&graph, *value, VM_GRAPH_COPY);

  if (error != VM_OK)
    goto fail;

  struct vm_message *message = message_new(vm, graph.count, graph.capacity);

  if (message == NULL) {
    error = VM_NO_MEMORY;
    goto fail;
  }
  message->root = vm_is_shareable(*value) ? *value : vm_nil();
  message->sources = graph.items;
  graph.items = NULL;
  thread->building = message;

fail:
  vm_graph_free(&graph);
  return error;
}

enum vm_error
vm_message_build(struct vm_thread *thread, const vm_value *value, enum rgc_site site)
{
  VM_ASSERT(thread->vm, thread->building == NULL);

  enum vm_error error = build_begin(thread, value);

  if (error != VM_OK)
    return error;

  struct vm_message *message = thread->building;

  for (size_t i = 0; i < message->node_count; i++) {
    vm_schedule(thread->vm, site);
    error = vm_shell_new(thread, &message->sources[i], &message->nodes[i]);
    if (error != VM_OK) {
      thread->building = NULL;
      vm_message_free(thread->vm, message);
      return error;
    }
    rgc_pin_in_flight(thread->objspace, vm_ref_of(message->nodes[i]));
  }
  if (message->node_count > 0) {
    copy_contents(thread, message->sources, message);
    vm_memory_free(thread->vm, message->sources, message->node_capacity * sizeof(vm_value));
    message->sources = NULL;
    message->root = message->nodes[0];
  }
  return VM_OK;
}

/* First and second pass of the receiver into thread->rebuilt. */
static enum vm_error
rebuild(struct vm_thread *thread, struct vm_message *from) VM_COLLECTS
{
  struct vm_message *to = message_new(thread->vm, from->node_count, from->node_capacity);

  if (to == NULL)
    return VM_NO_MEMORY;
  thread->rebuilt = to;
  for (size_t i = 0; i < from->node_count; i++) {
    vm_schedule(thread->vm, RGC_SITE_RECEIVE);

    enum vm_error error = vm_shell_new(thread, &from->nodes[i], &to->nodes[i]);

    if (error != VM_OK)
      return error;
  }
  copy_contents(thread, from->nodes, to);
  return VM_OK;
}

enum vm_error
vm_message_materialise(struct vm_thread *thread, vm_value *out)
{
  struct vm_message *from = thread->materialising;
  enum vm_error error = VM_OK;

  VM_ASSERT(thread->vm, from != NULL);
  VM_ASSERT(thread->vm, thread->rebuilt == NULL);

  if (from->node_count > 0)
    error = rebuild(thread, from);
  if (error == VM_OK)
    *out = from->node_count > 0 ? thread->rebuilt->nodes[0] : from->root;

  struct vm_message *to = thread->rebuilt;

  thread->rebuilt = NULL;
  thread->materialising = NULL;
  if (to != NULL)
    vm_message_free(thread->vm, to);
  from->next = NULL;
  vm_message_free_list(thread->vm, from);
  return error;
}
