/* shadow.h - the exact model of the heap (O3) and the log of reference stores (O8).
 *
 * The model is fed by rgc/observe.h alone: what the program asked for, never what the heap holds.
 * It judges the heap against itself:
 *  [INV-REACH]   nothing that the program can reach is freed;
 *  [INV-GONE]    what it cannot reach is gone after a global cycle, and after the sweep of a full
 *                local one, but for what the collector's rules retain;
 *  [INV-INTACT]  what lives has the kind, flags, owner and contents that the program gave it, and
 *                what an op reads is what the model holds;
 *  [INV-BARRIER] each store has its barrier before anything else happens on its thread.
 *
 * Neither instrumented nor covered; its memory is reserved once a process, and it calls nothing
 * that a sanitizer intercepts, so it makes no edge that TSan could see.  Children are numbers of
 * the model's objects, since an address may name another object later.
 */
#ifndef GCSTORM_EXEC_SHADOW_H
#define GCSTORM_EXEC_SHADOW_H

#include "rgc/observe.h"
#include "rgc/phases.h"
#include "rgc/platform.h"
#include "rgc/rgc.h"

enum { SHADOW_SPACE_MAX = 8192, SHADOW_THREAD_MAX = 64, SHADOW_CLASS_COUNT = 16 };

/* A child: 0, an odd immediate, or the number of an object shifted by one. */
typedef uint64_t shadow_child;

struct shadow_object {
  uintptr_t address; /* 0: the record is free */
  uint64_t name;
  shadow_child *words; /* children, or bytes */
  uint32_t count;      /* children */
  uint32_t byte_count;
  uint32_t next, previous; /* ring of its heap */
  uint32_t twin;           /* of the copy under way */
  uint32_t via;            /* reached from; 0: a root */
  uint16_t space;          /* that it was allocated in; see shadow_owner */
  uint16_t slot_size;
  uint8_t kind;
  uint8_t hidden_count;
  uint8_t word_class; /* size class of `words` */
  bool frozen, shareable, shref, reached, doomed, sharing;
};

struct shadow_pending {
  rgc_ref parent;
  uintptr_t child;
  bool due;
};

/* Where verdicts go.  In a run it does not return; in a test it may. */
typedef void shadow_report(void *arg, const char *oracle, const char *rule, const char *where,
                           const char *text);

struct shadow {
  uintptr_t arena;
  size_t arena_size;
  shadow_report *report;
  void *arg;
  unsigned (*thread)(void); /* the caller's number, below SHADOW_THREAD_MAX */
  bool model, stores;       /* which of the two speak */
  bool active;
  struct rgc_subject subject;

  struct shadow_object *objects; /* from 1 */
  uint32_t *index;               /* number by (address - arena) / slot size */
  uint32_t *stack;               /* of the walk */
  uint32_t object_end;           /* records ever used */
  uint32_t free_record;
  size_t stack_count;
  size_t live_count;
  char *words;
  size_t words_used;
  void *free_words[SHADOW_CLASS_COUNT];

  uint32_t heaps[SHADOW_SPACE_MAX];  /* an object of each ring; 0: none */
  uint16_t owners[SHADOW_SPACE_MAX]; /* taker + 1; 0: its own */
  bool major[SHADOW_SPACE_MAX];      /* the local cycle under way is a full one */
  unsigned space_end;
  struct shadow_pending pending[SHADOW_THREAD_MAX];
};

/* Reserves the memory, once.  False: none. */
bool shadow_setup(struct shadow *shadow, uintptr_t arena, size_t arena_size);
/* Forgets every object. */
void shadow_reset(struct shadow *shadow);
/* The calls of the seam, on this shadow. */
struct rgc_observer shadow_observer(struct shadow *shadow);

/* ---- between the files of the model ---- */

uint32_t shadow_find(const struct shadow *shadow, uintptr_t word); /* 0: no object */
/* The object that `word` points into. */
uint32_t shadow_find_around(const struct shadow *shadow, uintptr_t word);
shadow_child shadow_encode(const struct shadow *shadow, uintptr_t bits);
uint32_t shadow_target(shadow_child child); /* 0: an immediate */
unsigned shadow_owner(const struct shadow *shadow, unsigned space);
const uint8_t *shadow_bytes(const struct shadow_object *object);
/* Reports about one object; `where` is the kind's name. */
void shadow_verdict(struct shadow *shadow, const char *rule, uint32_t number, const char *text);

/* ---- shadow_reach.c ---- */

void shadow_local_begin(struct shadow *shadow, unsigned space, bool major);
void shadow_local_swept(struct shadow *shadow, unsigned space);
void shadow_global_marked(struct shadow *shadow);
void shadow_global_swept(struct shadow *shadow);
void shadow_check_object(struct shadow *shadow, uint32_t number);
void shadow_check_all(struct shadow *shadow);

#endif
