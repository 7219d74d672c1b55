/* watch.h - what the oracles of a run know of its program: the observation log (O6), and which
 * messages and exits are there (O4).
 *
 * The log holds, for each thread in program order, how each op ended and what it gave.  It is *cut*
 * at the first thing after which a difference would prove nothing: what was logged before is a
 * prefix of what every other run of the same program must log.
 *
 * Why that holds: threads share nothing but ports, exits and slots of shareable objects.  Where
 * every port has one sender and every value one taker, and no slot of another's is touched, a
 * thread's history is a function of the program (a Kahn network), whatever the schedule, the
 * triggers and the settings are.  Everything else cuts (enum watch_cut), or makes a pair of runs
 * undecided (confluence.h).
 *
 * Not instrumented; no lock, no atomic: the oracles order no two threads.
 */
#ifndef GCSTORM_EXEC_WATCH_H
#define GCSTORM_EXEC_WATCH_H

#include <stdio.h>

#include "fuzz/exec/fiber.h"
#include "fuzz/exec/observe.h"

enum watch_cut {
  WATCH_UNCUT,
  WATCH_MAIN_ENDED,  /* waits of the others now end, wherever they stand */
  WATCH_IDLE,        /* the program waits for ever; it is wound down */
  WATCH_BUDGET,      /* ops, with collections counted as such */
  WATCH_MEMORY,      /* NoMemoryError: a matter of settings and triggers */
  WATCH_THREADS,     /* ThreadError: which one is one too many depends on the schedule */
  WATCH_STOPPED,     /* the VM winds down */
  WATCH_CLOSED,      /* another Ractor's port was closed already */
  WATCH_POLLED,      /* try_receive with more than one thread */
  WATCH_SHARED_SLOT, /* a slot of another Ractor's shareable object */
  WATCH_NOT_BEGUN,   /* the value of a Ractor that could not copy its argument */
  WATCH_FULL,        /* of log or ports */
  WATCH_CUT_COUNT
};

const char *watch_cut_text(enum watch_cut cut);

enum { WATCH_ROW_MAX = 8192, WATCH_PORT_MAX = 1024, WATCH_NONE = 255 };

enum watch_row_kind { WATCH_BEGIN, WATCH_OP, WATCH_END };

struct watch_row {
  uint8_t thread;
  uint8_t kind; /* enum watch_row_kind */
  uint8_t code; /* of an op */
  uint8_t outcome;
  uint32_t op_index;
  struct op_value value;
};

struct watch_port {
  uint8_t used;
  uint8_t owner;    /* thread */
  uint16_t senders; /* bit set of threads */
  uint32_t number;
  int32_t pending; /* messages sent and not received, by ops that have ended */
};

struct watch_thread {
  uint64_t name; /* by its place in the tree of creators, not by its number */
  char label[32];
  bool begun;
  uint16_t takers;             /* threads that asked for its value */
  struct watch_port *waits_on; /* while a receive runs */
  uint8_t waits_for;           /* thread, while a join or value runs; else WATCH_NONE */
};

struct watch {
  enum watch_cut cut;
  unsigned row_count;
  struct watch_row rows[WATCH_ROW_MAX];
  struct watch_port ports[WATCH_PORT_MAX];
  unsigned port_count;
  unsigned thread_count;
  struct watch_thread threads[FIBER_THREAD_MAX];
  uint8_t thread_of[FIBER_THREAD_MAX + 1]; /* by Ractor id */
};

void watch_reset(struct watch *watch);
void watch_cut(struct watch *watch, enum watch_cut cut);

/* Events of Ractor programs, told by the thread that they are about. */
void watch_block_begin(struct watch *watch, unsigned ractor, const struct op_value *argument);
void watch_block_end(struct watch *watch, unsigned outcome);
void watch_op_begin(struct watch *watch, unsigned code, const struct op_subject *subject);
void watch_op_end(struct watch *watch, unsigned op_index, unsigned code,
                  const struct op_subject *subject, unsigned outcome, const struct op_value *value);

/* One number for the whole log: threads by name, each in program order. */
uint64_t watch_hash(const struct watch *watch);
/* "array_get: Array(3) frozen #1f2e3d4c". */
int watch_row_text(const struct watch_row *row, char *text, size_t size);
/* A line a row, threads one after the other, and why the log ends. */
void watch_print(const struct watch *watch, FILE *file);

#endif
