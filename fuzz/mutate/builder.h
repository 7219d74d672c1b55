/* builder.h - appends ops to the last block of a program while keeping the facts up to date.
 *
 * `emit` is the low-level call; the `make_` and `do_` calls add one op whose operands fit the
 * facts.  A builder that has no room left drops ops silently; its users ask builder_has_room before
 * each idiom, so that idioms end whole.
 */
#ifndef GCSTORM_BUILDER_H
#define GCSTORM_BUILDER_H

#include "fuzz/mutate/facts.h"
#include "fuzz/mutate/rng.h"
#include "fuzz/program/program.h"

/* What a worker block is for; fixed before any block is written, so that those who start it know.
 */
struct worker_plan {
  struct fact argument;
  struct fact message;
  struct fact value;
  unsigned message_count; /* messages it waits for */
  bool raises;
  bool replies; /* its argument is a port, on which it says that it has started */
  bool collects_global;
};

struct builder {
  struct program *program;
  struct rng *rng;
  struct facts facts;
  const struct worker_plan *plans; /* by block; [0] is unused */
  unsigned block;
  unsigned planned_blocks;
  unsigned loop_at; /* index of the open loop op; LOOP_NONE */
  unsigned loop_times;
  unsigned op_target; /* ops wanted in this block */
  unsigned executed;  /* estimate, with loops, of the whole program */
  unsigned executed_max;
  unsigned reserved;      /* bit set of registers that no one may overwrite */
  unsigned *ractors_left; /* Ractors that the program may still start */
  bool confluent;         /* avoid what depends on the schedule */
};

enum { LOOP_NONE = ~0u, REGISTER_NONE = VM_REGISTER_COUNT };

void builder_open(struct builder *builder, unsigned block);
bool builder_has_room(const struct builder *builder);

void emit(struct builder *builder, unsigned code, unsigned a, unsigned b, unsigned c);
void loop_open(struct builder *builder, unsigned times);
void loop_close(struct builder *builder);

/* A register to write: preferably one whose value is worth least. */
unsigned pick_dst(struct builder *builder);
/* A register whose fact is of one of the kinds; REGISTER_NONE if there is none. */
unsigned find_kind(struct builder *builder, unsigned kinds);
/* …and that may be written to, and indexed if it has a length. */
unsigned find_mutable(struct builder *builder, unsigned kinds);
/* Any register whose value may be stored, sent or shared. */
unsigned find_plain(struct builder *builder);

void set_nil(struct builder *builder, unsigned dst);
unsigned make_object(struct builder *builder, unsigned fields);
unsigned make_string(struct builder *builder, unsigned eighths);
unsigned make_array(struct builder *builder, unsigned length);
unsigned make_hash(struct builder *builder);
unsigned make_class(struct builder *builder);
unsigned make_proc(struct builder *builder, unsigned slots, unsigned captured);
unsigned make_port(struct builder *builder);
/* One of the copyable kinds, at random. */
unsigned make_any(struct builder *builder);
/* Something that matches the fact: the argument of a worker, a message. */
unsigned make_like(struct builder *builder, const struct fact *fact);

void do_share(struct builder *builder, unsigned root);
void do_copy(struct builder *builder, unsigned dst, unsigned from);
/* Appends to an Array, as often as the open loop goes round. */
void do_push(struct builder *builder, unsigned list, unsigned child);
/* Stores `child` into `parent` by the op of its kind, at a legal index. */
void do_store(struct builder *builder, unsigned parent, unsigned child);
/* Loads something out of `parent` into a register whose kind is then unknown. */
void do_load(struct builder *builder, unsigned parent);
void do_gc(struct builder *builder);

void reserve(struct builder *builder, unsigned index);
void release(struct builder *builder, unsigned index);

#endif
