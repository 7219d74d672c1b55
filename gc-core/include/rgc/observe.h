/* observe.h - the seam through which an oracle sees what the program does.
 *
 * A platform may carry an observer.  The collector tells it what becomes of slots; the embedder
 * tells it what the program means each object to hold, from the operands of its calls and not from
 * the heap.  Without an observer each place costs one test of a pointer; a release build has none.
 *
 * Rules for an observer: it is no part of the program under test, so it allocates from no heap,
 * takes no lock, reaches no schedule point and makes no edge between threads.  Two calls about one
 * word come in the order of the stores, since no schedule point stands between store and call.
 */
#ifndef RGC_OBSERVE_H
#define RGC_OBSERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rgc/host.h"

enum { RGC_VIEW_CHILD_MAX = 64, RGC_OBJSPACE_ALL = 0xffff };

/* How the program holds a root. */
enum rgc_root {
  RGC_ROOT_EXACT,
  RGC_ROOT_IN_FLIGHT, /* exact, by a message that is on its way */
  RGC_ROOT_WORD       /* may or may not be an object */
};

/* What a heap object is and holds, read from the heap.  A child is an address, an odd immediate, or
 * 0; the order of children is the embedder's. */
struct rgc_view {
  unsigned kind;
  bool frozen;
  bool shareable;
  unsigned owner;
  uint64_t name;
  size_t child_count;
  uintptr_t children[RGC_VIEW_CHILD_MAX];
  size_t byte_count;
  const uint8_t *bytes;
};

typedef void rgc_root_sink(void *arg, enum rgc_root root, uintptr_t word);

/* The embedder as an observer may ask it.  Roots are enumerated from the program's own structures,
 * never by what marks them. */
struct rgc_subject {
  void *self;
  bool interior_pins; /* setting of the world */
  /* Roots of one objspace, by id; or all with RGC_OBJSPACE_ALL, with the world stopped. */
  void (*each_root)(void *self, unsigned objspace, rgc_root_sink *sink, void *arg);
  void (*view)(void *self, rgc_ref obj, struct rgc_view *view);
  /* "main#3 Array", from kind and name alone. */
  void (*describe)(void *self, unsigned kind, uint64_t name, char *text, size_t text_size);
};

/* Every member is set. */
struct rgc_observer {
  void *self;

  /* The embedder comes and goes; `in_flight` messages are left at its end. */
  void (*began)(void *self, const struct rgc_subject *subject);
  void (*ended)(void *self, size_t in_flight);

  /* ---- the collector */
  void (*allocated)(void *self, unsigned objspace, rgc_ref obj, size_t slot_size);
  void (*freed)(void *self, rgc_ref obj); /* before its release */
  void (*promoted)(void *self, rgc_ref obj);
  void (*pinned)(void *self, rgc_ref obj);
  void (*barrier)(void *self, rgc_ref parent, rgc_ref child);
  void (*event)(void *self, unsigned event, uint64_t a, uint64_t b); /* enum rgc_event */

  /* ---- the embedder: the one function that stores references [INV-BARRIER] */
  void (*store)(void *self, rgc_ref parent, const void *slot, uintptr_t child);
  void (*stored)(void *self); /* store and barrier are done */

  /* ---- the embedder: contents, by the number of the child */
  /* A new object.  Its first `hidden_count` children are neither copied nor shared with it. */
  void (*made)(void *self, rgc_ref obj, unsigned kind, uint64_t name, size_t child_count,
               size_t hidden_count);
  void (*assigned)(void *self, rgc_ref obj, size_t at, uintptr_t child);
  void (*resized)(void *self, rgc_ref obj, size_t child_count); /* new ones are 0 */
  void (*removed)(void *self, rgc_ref obj, size_t at, size_t child_count);
  void (*filled)(void *self, rgc_ref obj, size_t at, size_t byte_count, unsigned byte);
  void (*frozen)(void *self, rgc_ref obj);
  void (*sharing)(void *self, uintptr_t value); /* the private graph is to be shareable, frozen */
  void (*shared)(void *self, uintptr_t value);  /* …and is */
  /* Copies of a whole graph, whose private children are replaced by their copies; or of one object
   * alone, which is not frozen. */
  void (*copied)(void *self, const uintptr_t *from, const uintptr_t *to, size_t count, bool deep);
  /* A program's own read. */
  void (*loaded)(void *self, rgc_ref obj, size_t at, uintptr_t child);
  void (*loaded_byte)(void *self, rgc_ref obj, size_t at, int byte); /* -1: beyond the end */
  void (*interned)(void *self, uintptr_t from, uintptr_t to);
};

#ifdef RGC_RELEASE
#define RGC_IS_OBSERVED 0
#else
#define RGC_IS_OBSERVED 1
#endif

#define RGC_OBSERVE(platform, call, ...)                                                           \
  do {                                                                                             \
    const struct rgc_observer *observer_ = (platform)->observer;                                   \
    if (RGC_IS_OBSERVED && observer_ != NULL)                                                      \
      observer_->call(observer_->self __VA_OPT__(, ) __VA_ARGS__);                                 \
  } while (0)

#endif
