/* control.h - where a block stands: loops and skips over the next ops, for both dialects.
 *
 * A loop body is clipped to the end of the block; loops do not nest (inside a body a loop op does
 * nothing); a skip is clipped to the end of the block or of the enclosing body.
 */
#ifndef GCSTORM_EXEC_CONTROL_H
#define GCSTORM_EXEC_CONTROL_H

#include <stdbool.h>

#include "fuzz/program/program.h"

struct cursor {
  unsigned at;
  unsigned end;
  unsigned body_first;
  unsigned body_end; /* 0 outside a loop */
  unsigned rounds_left;
};

void cursor_begin(struct cursor *cursor, const struct block *block);

/* The index of the next op in program.ops; false at the end of the block. */
bool cursor_next(struct cursor *cursor, unsigned *op_index);

/* Called while the loop or skip op is the last one that cursor_next gave. */
void cursor_loop(struct cursor *cursor, unsigned rounds, unsigned length);
void cursor_skip(struct cursor *cursor, unsigned length);

#endif
