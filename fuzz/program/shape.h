/* shape.h - where the bodies of loops and skips end, by the rule of printer.h. */
#ifndef GCSTORM_SHAPE_H
#define GCSTORM_SHAPE_H

#include "fuzz/program/program.h"

/* Bodies that nest are open at most so many at once: a body has up to 63 ops. */
enum { SHAPE_DEPTH_MAX = 64 };

struct block_shape {
  bool nests;   /* every body ends inside the one around it */
  bool throws;  /* ops stand behind a `finish` in the same body */
  bool returns; /* without throws: the last op of the block, in no body, is `finish` */
};

struct block_shape block_shape_of(const struct program *program, unsigned block);

/* The operands of the loop or skip at `index` of program.ops, with the body cut at `end`. */
bool op_is_loop(const struct program *program, unsigned index);
bool op_is_skip(const struct program *program, unsigned index);
unsigned op_body_end(const struct program *program, unsigned index, unsigned end);

/* `place` (an index into program.ops, in `block`) itself, or the end of the loop in whose body it
 * is. */
unsigned program_past_loop(const struct program *program, unsigned block, unsigned place);

#endif
