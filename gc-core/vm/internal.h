/* internal.h - the structs of a VM, its Ractors and threads, and what the files of vm/ offer each
 * other.
 *
 * Who writes what
 *  struct vm_thread    its own thread; others read it with the world stopped.
 *  struct vm_ractor    `queue`, `ports`, `terminated`, `claim`, `handle_dead`: under `mutex`, or
 * with the world stopped (readers in a blocking region never write). struct vm           `ractors`,
 * intern table: under `lock`; the barrier's fields: under `barrier_mutex`; the orphan list: under
 * `orphan_mutex`.
 *
 * Lock order: VM lock, then barrier; a Ractor's mutex and the orphan mutex are leaves.
 *  [INV-LOCK-LEAF]  Nothing is allocated from a heap, collected or waited for under the VM lock or
 * a Ractor's mutex (except the wait on that Ractor's own condition). [INV-INFLIGHT]   A message is
 * at every moment reachable from exactly one of: a thread's `building`, a Ractor's queue or
 * argument, a thread's `materialising`. [INV-ROOTED]     No reference is held by a C local alone
 * across a VM_COLLECTS call.
 */
#ifndef RGCVM_INTERNAL_H
#define RGCVM_INTERNAL_H

#include "gc-core/vm/value.h"
#include "rgc/observe.h"

enum {
  VM_FRAME_SLOT_MAX = 256,
  VM_FRAME_SLOT_RESERVE = 16, /* for the VM's own frames, on top of the program's */
  VM_DEFAULT_PORT = 0
};

/* A copy under way or delivered.  Arrays hold references off heap and are roots while reachable
 * from a thread or a queue. [INV-INFLIGHT] */
struct vm_message {
  struct vm_message *next;
  size_t port_number;
  vm_value root;     /* immediate, shareable, or one of nodes */
  vm_value *sources; /* of the copy under way; NULL once complete */
  vm_value *nodes;   /* the snapshot, or the receiver's new objects */
  size_t node_count; /* valid entries of both; nodes not made yet are nil */
  size_t node_capacity;
};

/* Whose the dead Ractor's heap is to become; a claim is given back only when memory is out. */
enum vm_claim { VM_UNCLAIMED, VM_CLAIMED };

struct vm_thread {
  struct vm *vm;
  struct vm_ractor *ractor;
  struct rgc_objspace *objspace;
  unsigned held_lock_count; /* [INV-LOCK-LEAF] */
  uint64_t serial_count;
  vm_value registers[VM_REGISTER_COUNT];
  vm_value error;
  vm_value handle; /* of the own Ractor */
  vm_value frames[VM_FRAME_SLOT_MAX + VM_FRAME_SLOT_RESERVE];
  unsigned frame_count;
  uintptr_t words[VM_STACK_WORD_COUNT];
  enum vm_word_kind word_kinds[VM_STACK_WORD_COUNT];
  unsigned word_count;
  struct vm_message *building;      /* snapshot not handed over yet */
  struct vm_message *materialising; /* taken from the queue, not yet copied out */
  struct vm_message *rebuilt;       /* the receiver's copy of it */
};

struct vm_ractor {
  struct vm *vm;
  unsigned id;
  unsigned block;
  unsigned thread_id;
  bool thread_started;
  struct vm_thread thread;
  struct rgc_objspace *objspace; /* NULL once absorbed */
  unsigned objspace_id;          /* RGC_OBJSPACE_ALL before there is one */
  struct rgc_mutex mutex;
  struct rgc_cond cond;
  struct vm_message *queue_head;
  struct vm_message **queue_tail;
  struct vm_message *argument;
  uint8_t *ports; /* one byte a port: 1 open */
  size_t port_count;
  size_t port_capacity;
  bool terminated;
  bool handle_dead;
  bool failed;
  enum vm_claim claim;
  bool retired;                  /* roots are none of ours any more; see retire.c */
  vm_holder value;               /* pending value, a child of the handle */
  struct vm_ractor *orphan_next; /* under the orphan mutex */
};

struct vm {
  struct vm_config config;
  struct rgc_world *world;

  struct rgc_mutex lock;
  struct vm_ractor *ractors[VM_RACTOR_MAX + 1];
  _Atomic(unsigned) ractor_count;
  vm_value *intern_rows;
  size_t intern_count;
  size_t intern_capacity;

  struct rgc_mutex barrier_mutex;
  struct rgc_cond barrier_cond;
  unsigned running;
  _Atomic(bool) stop_requested;

  struct rgc_mutex orphan_mutex;
  struct vm_ractor *orphan_head;
  _Atomic(unsigned) orphan_count;

  _Atomic(bool) winding_down;
  _Atomic(unsigned) live_count;
  _Atomic(unsigned) zombie_count;
  _Atomic(uint64_t) created_count;
  _Atomic(uint64_t) sent_count;
  _Atomic(uint64_t) received_count;
  _Atomic(uint64_t) taken_count;
  _Atomic(uint64_t) merged_count;
  _Atomic(size_t) in_flight_count;
};

/* ---- vm.c ---------------------------------------------------------------------------------- */

_Noreturn void vm_fail(struct vm *vm, const char *rule, const char *where, const char *text);

#define VM_ASSERT(vm, condition)                                                                   \
  do {                                                                                             \
    if (!(condition))                                                                              \
      vm_fail((vm), "ASSERT", __func__, #condition);                                               \
  } while (0)

/* Tells an oracle what the program does; nothing without one. */
#define VM_OBSERVE(vm, ...) RGC_OBSERVE(&(vm)->config.platform, __VA_ARGS__)

/* Off-heap memory that no objspace is charged for. */
void *vm_memory_alloc(struct vm *vm, size_t size);
void vm_memory_free(struct vm *vm, void *memory, size_t size);
void vm_schedule(struct vm *vm, enum rgc_site site);
void vm_mutex_lock(struct vm_thread *thread, struct rgc_mutex *mutex);
void vm_mutex_unlock(struct vm_thread *thread, struct rgc_mutex *mutex);

/* Makes every wait of the program end with VM_STOPPED. */
void vm_wind_down(struct vm *vm);

/* ---- heap.c -------------------------------------------------------------------------------- */

/* A new private object with its header written; count is stored in the header. */
enum vm_error vm_allocate(struct vm_thread *thread, enum vm_kind kind, size_t count, size_t size,
                          vm_value *out) VM_COLLECTS;

/* Sets flags of an own private object; with VM_FLAG_SHAREABLE it is promoted. [INV-HEADER] */
void vm_promote(struct vm_thread *thread, vm_value value, unsigned extra_flags);

void vm_header_set(vm_value value, enum vm_flag flag);
void vm_header_clear(vm_value value, enum vm_flag flag);

/* ---- buffer.c ------------------------------------------------------------------------------ */

/* A zeroed off-heap buffer charged to the thread's objspace.  Collects when the first try fails;
 * NULL when that did not help, with nothing changed. */
void *vm_buffer_new(struct vm_thread *thread, size_t size) VM_COLLECTS;
void vm_buffer_free(struct vm *vm, struct rgc_objspace *objspace, void *buffer, size_t size);
/* vm_allocate, and a buffer beside it when buffer_size is not 0.  The caller must store *buffer in
 * the object and set VM_FLAG_EXTERNAL before its next step that may collect. */
enum vm_error vm_allocate_external(struct vm_thread *thread, enum vm_kind kind, size_t count,
                                   size_t size, size_t buffer_size, void **buffer,
                                   vm_value *out) VM_COLLECTS;

/* ---- object.c, string.c, array.c, hash.c: objects with room but no contents ------------------ */

enum vm_error vm_object_make(struct vm_thread *thread, size_t fields, vm_value *out) VM_COLLECTS;
enum vm_error vm_string_make(struct vm_thread *thread, size_t capacity, vm_value *out) VM_COLLECTS;
enum vm_error vm_array_make(struct vm_thread *thread, size_t capacity, vm_value *out) VM_COLLECTS;
enum vm_error vm_hash_make(struct vm_thread *thread, size_t capacity, vm_value *out) VM_COLLECTS;

/* ---- store.c ------------------------------------------------------------------------------- */

/* The one way to store a reference into a heap object; `slot` may be in its buffer.  Does not
 * collect. [INV-BARRIER] */
void vm_store(struct vm_thread *thread, vm_value parent, vm_value *slot, vm_value child);
/* A store whose barrier is forgotten: what seeded faults do. */
void vm_store_unbarriered(struct vm_thread *thread, vm_value parent, vm_value *slot,
                          vm_value child);
void vm_store_holder(struct vm_thread *thread, vm_value parent, vm_holder *slot, vm_value child);
void vm_store_tagged(struct vm_thread *thread, vm_value parent, uintptr_t *slot, vm_value child);
/* Stores the end value of a Ractor into its off-heap struct, whose parent is its handle. */
void vm_store_pending(struct vm_thread *thread, vm_value parent, vm_holder *slot, vm_value child);

/* ---- holder.c ------------------------------------------------------------------------------ */

uintptr_t vm_tagged(vm_value value); /* the word a holder keeps */
vm_value vm_untagged(uintptr_t word);
/* The value of a word, unless it is another Ractor's private object. [INV-HOLDER] */
enum vm_error vm_holder_value(struct vm_thread *thread, uintptr_t word, vm_value *out);
enum vm_error vm_holder_load(struct vm_thread *thread, vm_value parent, const vm_holder *slot,
                             vm_value *out);
/* The same for a word that is read under the VM lock. */
enum vm_error vm_tagged_load(struct vm_thread *thread, vm_value parent, const uintptr_t *slot,
                             vm_value *out);
/* The number of a holder among its parent's children, as an oracle counts them. */
size_t vm_holder_number(vm_value parent, const void *slot);

/* ---- shell.c: copies of one object ---------------------------------------------------------- */

/* Whether an object of this kind can be copied at all. */
bool vm_is_copyable(enum vm_kind kind);
/* A private object of the same kind and size as *source, without contents. */
enum vm_error vm_shell_new(struct vm_thread *thread, const vm_value *source,
                           vm_value *out) VM_COLLECTS;
/* Answers what stands in a copy for a child of the original. */
typedef vm_value vm_map_child(void *arg, vm_value child);
/* Fills a shell from its source, which is only read.  Does not collect. */
void vm_shell_fill(struct vm_thread *thread, vm_value source, vm_value shell, vm_map_child *map,
                   void *arg);
/* Calls `visit` with each child that copies and promotion follow: not the hidden field, not the
 * constants of classes.  Stops at the first error. */
typedef enum vm_error vm_visit_child(void *arg, vm_value child);
enum vm_error vm_each_child(vm_value parent, vm_visit_child *visit, void *arg);

/* ---- graph.c: sets of objects --------------------------------------------------------------- */

struct vm_graph {
  struct vm *vm;
  vm_value *items; /* in order of discovery */
  size_t count;
  size_t capacity;
  uint32_t *index; /* item number + 1, by address; valid until the next collection */
  size_t index_capacity;
};

enum vm_graph_use { VM_GRAPH_COPY, VM_GRAPH_SHARE };

void vm_graph_init(struct vm_graph *graph, struct vm *vm);
void vm_graph_free(struct vm_graph *graph);
enum vm_error vm_graph_add(struct vm_graph *graph, vm_value value);
/* Makes the index anew after collections; see vm_graph.index. */
void vm_graph_reindex(struct vm_graph *graph);
/* Number of `value`, or graph->count. */
size_t vm_graph_find(const struct vm_graph *graph, vm_value value);
/* Everything private that is reachable from `root`.  VM_TYPE_ERROR when the graph is for a copy and
 * holds what cannot be copied.  Does not collect. */
enum vm_error vm_graph_discover(struct vm_graph *graph, vm_value root, enum vm_graph_use use);

/* ---- message.c ----------------------------------------------------------------------------- */

/* Snapshots *value and leaves it as thread->building.  On failure there is none. */
enum vm_error vm_message_build(struct vm_thread *thread, const vm_value *value,
                               enum rgc_site site) VM_COLLECTS;
/* Copies thread->materialising into the thread's objspace and frees it, also on failure. */
enum vm_error vm_message_materialise(struct vm_thread *thread, vm_value *out) VM_COLLECTS;
/* Frees a message that no thread and no queue names any more. */
void vm_message_free(struct vm *vm, struct vm_message *message);
void vm_message_free_list(struct vm *vm, struct vm_message *message);
/* VM_OK when *value can be sent. */
enum vm_error vm_message_check(struct vm_thread *thread, const vm_value *value);

/* ---- port.c -------------------------------------------------------------------------------- */

/* Puts a message into the Ractor's queue; the caller holds its mutex. */
void vm_queue_put_locked(struct vm_ractor *ractor, struct vm_message *message);
/* The first message for the port, unlinked, or NULL; the caller holds the mutex. */
struct vm_message *vm_queue_take_locked(struct vm_ractor *ractor, size_t port_number);
bool vm_port_is_open_locked(const struct vm_ractor *ractor, size_t port_number);
enum vm_error vm_port_add(struct vm_thread *thread, size_t *port_number);
/* Closes all ports and drops all messages of the thread's own Ractor. */
void vm_ports_shut(struct vm_thread *thread);
enum vm_error vm_port_handle_new(struct vm_thread *thread, enum vm_kind kind,
                                 struct vm_ractor *ractor, size_t port_number,
                                 vm_value *out) VM_COLLECTS;

/* ---- stop.c -------------------------------------------------------------------------------- */

void vm_stop_world(void *vm) VM_COLLECTS;
void vm_resume_world(void *vm);
/* The thread's roots are complete and it touches no heap until the end of the region. */
void vm_blocking_begin(struct vm_thread *thread) VM_COLLECTS;
void vm_blocking_end(struct vm_thread *thread) VM_COLLECTS;
void vm_lock_acquire(struct vm_thread *thread) VM_COLLECTS;
void vm_lock_release(struct vm_thread *thread);

/* ---- ractor.c, retire.c, orphan.c ----------------------------------------------------------- */

struct vm_ractor *vm_ractor_struct_new(struct vm *vm);
void vm_ractor_struct_free(struct vm_ractor *ractor);
/* Makes the objspace and, with it, the thread fit to run. */
enum vm_error vm_ractor_objspace_new(struct vm_ractor *ractor);
void vm_ractor_terminate(struct vm_thread *thread, enum vm_error error) VM_COLLECTS;
/* Waits for the end of the Ractor. */
enum vm_error vm_ractor_wait(struct vm_thread *thread, struct vm_ractor *ractor) VM_COLLECTS;

void vm_orphan_add(struct vm *vm, struct vm_ractor *ractor);
/* Merges every orphan into main.  Main's thread. */
void vm_orphans_merge(struct vm_thread *thread);
void vm_ractor_absorbed(struct vm_ractor *ractor);

/* ---- inspect.c ----------------------------------------------------------------------------- */

/* The VM as an oracle may ask it; shares nothing with visit.c. */
struct rgc_subject vm_subject(struct vm *vm);
/* "main#3 Array" */
void vm_describe(enum vm_kind kind, uint64_t serial, char *text, size_t text_size);

/* Numbers of children, as an oracle counts them. */
enum { VM_CHILD_HIDDEN, VM_CHILD_CLASS, VM_CHILD_FIELD };

/* ---- visit.c ------------------------------------------------------------------------------- */

const struct rgc_host_ops *vm_host_ops(void);
void vm_visit_value(struct rgc_walk *walk, vm_value *slot);

/* ---- intern.c ------------------------------------------------------------------------------ */

size_t vm_weak_table_count(void *vm);
void vm_weak_table_sweep(void *vm, size_t table, enum rgc_verdict (*ask)(void *arg, rgc_ref *entry),
                         void *arg);
void vm_intern_free(struct vm *vm);

#endif
