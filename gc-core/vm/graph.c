/* graph.c - the set of private objects reachable from a value, for copies and for promotion.
 *
 * The list lives off heap and is walked by number, so the depth of a graph costs no stack.  Its
 * index by address is of use only until the next collection, which may move objects; the list
 * itself survives when its holder makes it a root.  Nothing here allocates from a heap or collects,
 * and every failure leaves the heap as it was.
 */
#include "gc-core/vm/internal.h"

#include <string.h>

enum { GRAPH_CAPACITY_FIRST = 16 };

void
vm_graph_init(struct vm_graph *graph, struct vm *vm)
{
  *graph = (struct vm_graph){.vm = vm};
}

void
vm_graph_free(struct vm_graph *graph)
{
  if (graph->items != NULL)
    vm_memory_free(graph->vm, graph->items, graph->capacity * sizeof(vm_value));
  if (graph->index != NULL)
    vm_memory_free(graph->vm, graph->index, graph->index_capacity * sizeof(uint32_t));
  vm_graph_init(graph, graph->vm);
}

/* Where the value is or would be put; the index is never full. */
static size_t
index_place(const struct vm_graph *graph, vm_value value)
{
  size_t mask = graph->index_capacity - 1;
  size_t place = (size_t)(((uint64_t)value.bits * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;

  while (graph->index[place] != 0 && graph->items[graph->index[place] - 1].bits != value.bits)
    place = (place + 1) & mask;
  return place;
}

size_t
vm_graph_find(const struct vm_graph *graph, vm_value value)
{
  size_t i = 0;

  if (graph->index != NULL) {
    uint32_t number = graph->index[index_place(graph, value)];

    return number == 0 ? graph->count : number - 1;
  }
  while (i < graph->count && graph->items[i].bits != value.bits)
    i++;
  return i;
}

/* Makes the index anew for twice the capacity of the list.  On failure there is none, and searches
 * are linear: slower, not wrong. */
void
vm_graph_reindex(struct vm_graph *graph)
{
  if (graph->index != NULL)
    vm_memory_free(graph->vm, graph->index, graph->index_capacity * sizeof(uint32_t));
  graph->index_capacity = graph->capacity * 2;
  graph->index = vm_memory_alloc(graph->vm, graph->index_capacity * sizeof(uint32_t));
  if (graph->index == NULL)
    return;
  for (size_t i = 0; i < graph->count; i++)
    graph->index[index_place(graph, graph->items[i])] = (uint32_t)(i + 1);
}

static enum vm_error
graph_grow(struct vm_graph *graph)
{
  size_t capacity = graph->capacity == 0 ? GRAPH_CAPACITY_FIRST : graph->capacity * 2;
  vm_value *items = vm_memory_alloc(graph->vm, capacity * sizeof(vm_value));

  if (items == NULL)
    return VM_NO_MEMORY;
  if (graph->items != NULL) {
    memcpy(items, graph->items, graph->count * sizeof(vm_value));
    vm_memory_free(graph->vm, graph->items, graph->capacity * sizeof(vm_value));
  }
  graph->items = items;
  graph->capacity = capacity;
  vm_graph_reindex(graph);
  return VM_OK;
}

enum vm_error
vm_graph_add(struct vm_graph *graph, vm_value value)
{
  VM_ASSERT(graph->vm, vm_is_object(value));

  if (graph->count > 0 && vm_graph_find(graph, value) < graph->count)
    return VM_OK;
  if (graph->count == graph->capacity) {
    enum vm_error error = graph_grow(graph);

    if (error != VM_OK)
      return error;
  }
  if (graph->index != NULL)
    graph->index[index_place(graph, value)] = (uint32_t)(graph->count + 1);
  graph->items[graph->count] = value;
  graph->count++;
  return VM_OK;
}

struct discovery {
  struct vm_graph *graph;
  enum vm_graph_use use;
};

static enum vm_error
discover_child(void *arg, vm_value child)
{
  struct discovery *discovery = arg;

  if (vm_is_shareable(child)) /* immediates too: leaves */
    return VM_OK;
  if (discovery->use == VM_GRAPH_COPY && !vm_is_copyable(vm_kind_of(child)))
    return VM_TYPE_ERROR;
  return vm_graph_add(discovery->graph, child);
}

enum vm_error
vm_graph_discover(struct vm_graph *graph, vm_value root, enum vm_graph_use use)
{
  struct discovery discovery = {graph, use};
  enum vm_error error = discover_child(&discovery, root);

  for (size_t i = 0; i < graph->count && error == VM_OK; i++)
    error = vm_each_child(graph->items[i], discover_child, &discovery);
  return error;
}
