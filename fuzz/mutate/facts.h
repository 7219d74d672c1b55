/* facts.h - what the generator knows of the registers and stack words at one place of a block.
 *
 * Facts are guesses that are right on the straight path: an injected failure, a stolen message or
 * a spent budget makes them wrong, which costs a useful op and nothing else.  A *group* is a set of
 * registers whose objects may reach one another; make_shareable freezes a whole group, which
 * over-approximates the graph.  Hidden fields, constants and environments of shareable objects do
 * not join groups, since make_shareable does not follow them.
 */
#ifndef GCSTORM_FACTS_H
#define GCSTORM_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "rgcvm/vm.h"

enum fact_kind {
  FACT_NIL,
  FACT_FIXNUM,
  FACT_OBJECT,
  FACT_STRING,
  FACT_ARRAY,
  FACT_HASH,
  FACT_CLASS,
  FACT_PROC,
  FACT_RACTOR,
  FACT_PORT,
  FACT_UNKNOWN,
  FACT_KIND_COUNT
};

/* Sets of kinds. */
enum {
  KINDS_CONTAINER = 1 << FACT_OBJECT | 1 << FACT_ARRAY | 1 << FACT_HASH,
  KINDS_COPYABLE = KINDS_CONTAINER | 1 << FACT_STRING,
  KINDS_HEAP = KINDS_COPYABLE | 1 << FACT_CLASS | 1 << FACT_PROC | 1 << FACT_PORT,
  KINDS_ANY = (1 << FACT_KIND_COUNT) - 1
};

struct fact {
  enum fact_kind kind;
  unsigned length; /* fields, elements or slots that an index may name */
  bool frozen;
  bool shareable;
  bool moved_on; /* a port that was closed, a Ractor whose value was taken */
  unsigned group;
};

struct facts {
  struct fact registers[VM_REGISTER_COUNT];
  struct fact words[VM_STACK_WORD_COUNT]; /* FACT_UNKNOWN: not loadable */
  unsigned word_count;
  unsigned group_next;
};

/* Registers 1 and 2 are what vm_ractor_new puts there: `argument` and the Ractor itself. */
void facts_init(struct facts *facts, const struct fact *argument);

/* A new object in a group of its own. */
struct fact fact_new(struct facts *facts, enum fact_kind kind, unsigned length);
/* Shareable from birth: Class, Port, Ractor, interned String. */
struct fact fact_shareable(struct facts *facts, enum fact_kind kind, unsigned length);

/* `parent` now reaches `child`. */
void facts_join(struct facts *facts, unsigned parent, unsigned child);
void facts_share(struct facts *facts, unsigned root);
void facts_freeze(struct facts *facts, unsigned object);

/* Whether a value may be part of a graph that is sent or made shareable. */
bool fact_is_plain(const struct fact *fact);
bool fact_is_heap(const struct fact *fact);

#endif
