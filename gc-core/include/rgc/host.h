/* host.h - what an embedder of the collector must answer.
 *
 * The collector knows slots, bits and edges; the host knows what a slot means.  Each function says
 * whether it is called inside a cycle.  There it must not allocate from a heap, unwind, or take a
 * lock that a mutator may hold across an allocation, a wait for the world stop or another lock;
 * leaf locks are allowed.
 */
#ifndef RGC_HOST_H
#define RGC_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rgc_walk;
struct rgc_objspace;

/* A heap object; never an immediate.  bits == 0 names no object. */
typedef struct rgc_ref {
  uintptr_t bits;
} rgc_ref;

/* Called by the host from inside its visit functions. */

/* One exact reference.  The slot may be rewritten by a moving walk.  *slot must name an object. */
void rgc_visit_slot(struct rgc_walk *walk, rgc_ref *slot);

/* An exact reference that a C structure holds for a message in flight or a pending value: its
 * object is kept, must not move, and is recorded as shref in its own objspace if private. */
void rgc_visit_pinned(struct rgc_walk *walk, rgc_ref obj);

/* Words that may or may not be references: [low, high). */
void rgc_visit_words(struct rgc_walk *walk, const uintptr_t *low, const uintptr_t *high);

enum rgc_verdict { RGC_KEEP, RGC_DROP };

struct rgc_host_ops {
  /* Calls rgc_visit_slot for each reference that `obj` holds.  Inside a cycle and in promotion. */
  void (*visit_children)(void *vm, rgc_ref obj, struct rgc_walk *walk);

  /* The object dies: gives back its off-heap parts.  Must look at no other object.  `objspace` owns
   * it; the caller may be another thread, with the world stopped.  Inside a cycle. */
  void (*release)(void *vm, struct rgc_objspace *objspace, rgc_ref obj);

  /* Roots of one objspace, as its owner; or with objspace == NULL those of every objspace and of
   * the process, with the world stopped.  Inside a cycle. */
  void (*visit_roots)(void *vm, struct rgc_objspace *objspace, struct rgc_walk *walk);

  /* Weak tables of the host: for each row the host calls `ask` and removes the row on RGC_DROP.
   * World stopped, inside a cycle. */
  size_t (*weak_table_count)(void *vm);
  void (*weak_table_sweep)(void *vm, size_t table,
                           enum rgc_verdict (*ask)(void *arg, rgc_ref *entry), void *arg);

  /* Returns with every other mutator parked at a place where its roots are complete.  The caller
   * may itself park for another driver's stop first.  Never called inside a cycle. */
  void (*world_stop)(void *vm);
  void (*world_resume)(void *vm);

  /* For the verifier: the host's own record of the shareable bit. */
  bool (*is_shareable)(void *vm, rgc_ref obj);

  /* Writes a short name of the object ("main#3 Array") for messages. */
  void (*describe)(void *vm, rgc_ref obj, char *text, size_t text_size);
};

#endif
