/* platform.h - what the collector and its embedder ask of the machine below them.
 *
 * Memory, locks, conditions, threads and schedule points are reached only through this table, so
 * that the same object files run on the deterministic simulator and on free threads.  The table
 * and `self` outlive every world made from them.
 *
 * Rules for an implementation:
 *  - every function may be called from any thread unless its comment says otherwise;
 *  - nothing here may call back into the collector;
 *  - memory functions return NULL for "out of memory" and that is the seam for injected failures;
 *  - no function may let a clock, an address chosen by the system or a thread's timing reach a
 *    return value in the simulator.
 */
#ifndef RGC_PLATFORM_H
#define RGC_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a thread may be switched.  The names are part of the input format: append only. */
enum rgc_site {
  RGC_SITE_OP,            /* before an op of a program */
  RGC_SITE_LOCK,          /* before a mutex is taken */
  RGC_SITE_UNLOCK,        /* after a mutex was given back */
  RGC_SITE_WAIT,          /* before a condition wait */
  RGC_SITE_NOTIFY,        /* after a condition was notified */
  RGC_SITE_ATOMIC,        /* before an atomic access to shared metadata */
  RGC_SITE_RMW,           /* between load and store of a plain read-modify-write (faults only) */
  RGC_SITE_ALLOCATE,      /* entry of every allocation */
  RGC_SITE_BARRIER_SHREF, /* before the shref store of the write barrier */
  RGC_SITE_BARRIER_DONE,  /* after the shref store of the write barrier */
  RGC_SITE_MARK_CHUNK,    /* a chunk of the mark stack was drained */
  RGC_SITE_SWEEP_PAGE,    /* before one page of a local sweep */
  RGC_SITE_POOL_TAKE,     /* before a page body is taken from the pool */
  RGC_SITE_POOL_GIVE,     /* before a page body goes back to the pool */
  RGC_SITE_PROMOTE,       /* before an object becomes shareable */
  RGC_SITE_SEND,          /* each step of a send */
  RGC_SITE_RECEIVE,       /* each step of a receive */
  RGC_SITE_CREATE,        /* each step of making a Ractor */
  RGC_SITE_RETIRE,        /* each step of ending a Ractor */
  RGC_SITE_ABSORB,        /* each step of an absorb */
  RGC_SITE_ORPHAN,        /* each step of an orphan merge */
  RGC_SITE_STOP,          /* a world stop is requested or ends */
  RGC_SITE_PHASE,         /* between two steps of a global collection */
  RGC_SITE_STORE,         /* between a reference store of the VM and its write barrier */
  RGC_SITE_COUNT
};

/* Where stress may start a collection.  Append only. */
enum rgc_stress_point {
  RGC_STRESS_ALLOCATE,
  RGC_STRESS_BARRIER,
  RGC_STRESS_SEND,
  RGC_STRESS_RECEIVE,
  RGC_STRESS_PROMOTE,
  RGC_STRESS_COUNT
};

enum rgc_stress_action {
  RGC_STRESS_NONE,
  RGC_STRESS_MINOR,
  RGC_STRESS_MAJOR,
  RGC_STRESS_GLOBAL,
  RGC_STRESS_VERIFY,
  RGC_STRESS_ACTION_COUNT
};

/* Things worth a line in a trace.  `a` and `b` never hold addresses, only ids and counts. */
enum rgc_event {
  RGC_EVENT_LOCAL_BEGIN,      /* a: objspace id, b: 0 minor, 1 major */
  RGC_EVENT_LOCAL_MARKED,     /* a: objspace id, b: marked objects */
  RGC_EVENT_LOCAL_SWEPT,      /* a: objspace id, b: freed objects of the cycle */
  RGC_EVENT_GLOBAL_STEP,      /* a: enum rgc_phase just finished, b: objspaces walked */
  RGC_EVENT_PAGE_TAKEN,       /* a: objspace id, b: page ordinal in the arena */
  RGC_EVENT_PAGE_GIVEN,       /* a: objspace id, b: page ordinal in the arena */
  RGC_EVENT_OBJSPACE_CREATED, /* a: objspace id */
  RGC_EVENT_OBJSPACE_RETIRED, /* a: objspace id, b: pages */
  RGC_EVENT_ABSORBED,         /* a: taker id, b: dead objspace id */
  RGC_EVENT_PROMOTED,         /* a: objspace id, b: slot ordinal */
  RGC_EVENT_OUT_OF_MEMORY,    /* a: objspace id */
  RGC_EVENT_WORLD_STOPPED,    /* a: enum rgc_reason */
  RGC_EVENT_COUNT
};

/* What a thread waits for, so that the scheduler can tell a program's wait from a core deadlock. */
enum rgc_wait_kind {
  RGC_WAIT_CORE,   /* must be woken by the core; nobody left to wake it is a deadlock */
  RGC_WAIT_PROGRAM /* the program may wait for ever; the wait then ends with RGC_WAIT_IDLE */
};

enum rgc_wait_result {
  RGC_WAIT_WOKEN,
  RGC_WAIT_IDLE /* no thread can run any more: the embedder should wind down */
};

/* Room for a lock or condition of any platform. */
struct rgc_mutex {
  uintptr_t opaque[8];
};

struct rgc_cond {
  uintptr_t opaque[8];
};

/* A broken state or verdict, handed to the platform, which does not return. */
struct rgc_failure {
  const char *rule;  /* "INV-SHREF", "ASSERT", … : a literal */
  const char *where; /* function name: a literal; part of the bucket */
  const char *text;  /* one line; may name objects; valid during the call only */
  const char *phase; /* name of the world's phase */
};

struct rgc_platform_ops {
  /* Page arenas.  The simulator answers with consecutive addresses of one fixed region. */
  void *(*arena_reserve)(void *self, size_t size, size_t alignment);
  void (*arena_release)(void *self, void *base, size_t size);

  /* Asked before each page body leaves the pool; false is an injected "no memory". */
  bool (*page_allowed)(void *self);

  /* Metadata and off-heap buffers; zeroed; `size` is given back at free. */
  void *(*memory_alloc)(void *self, size_t size);
  void (*memory_free)(void *self, void *memory, size_t size);

  /* Locks: not recursive. `name` is a literal, shown in wait-for graphs. */
  void (*mutex_init)(void *self, struct rgc_mutex *mutex, const char *name);
  void (*mutex_destroy)(void *self, struct rgc_mutex *mutex);
  void (*mutex_lock)(void *self, struct rgc_mutex *mutex);
  void (*mutex_unlock)(void *self, struct rgc_mutex *mutex);
  void (*cond_init)(void *self, struct rgc_cond *cond, const char *name);
  void (*cond_destroy)(void *self, struct rgc_cond *cond);
  enum rgc_wait_result (*cond_wait)(void *self, struct rgc_cond *cond, struct rgc_mutex *mutex,
                                    enum rgc_wait_kind kind);
  void (*cond_broadcast)(void *self, struct rgc_cond *cond);

  /* Threads.  `entry(arg)` runs on the new thread; returns false when none can be made.  The start
   * is a happens-before edge; so is an exit seen by thread_join. Ids count up from 0, the caller
   * of the run being 0. */
  bool (*thread_start)(void *self, void (*entry)(void *arg), void *arg, unsigned *id);
  void (*thread_join)(void *self, unsigned id);
  unsigned (*thread_self)(void *self);

  /* The scheduler may switch threads here.  Never called with a core lock held across which it
   * would be illegal to stop for long; a stopped world has one runnable thread. */
  void (*schedule_point)(void *self, enum rgc_site site);

  /* Asked where a collection may start; answers what the input's stress mode wants. */
  enum rgc_stress_action (*stress)(void *self, enum rgc_stress_point point);

  /* Adds to the trace. */
  void (*event)(void *self, enum rgc_event event, uint64_t a, uint64_t b);

  /* Brackets an oracle: its accesses are no accesses of the program under test. */
  void (*oracle_begin)(void *self);
  void (*oracle_end)(void *self);

  /* Reports broken state.  Does not return. */
  void (*fail)(void *self, const struct rgc_failure *failure);
};

struct rgc_observer;

/* A platform: the table and its first argument. */
struct rgc_platform {
  const struct rgc_platform_ops *ops;
  void *self;
  const struct rgc_observer *observer; /* an oracle's, see observe.h; NULL: none */
};

#endif
