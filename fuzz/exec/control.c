/* control.c - see control.h. */
#include "fuzz/exec/control.h"

void
cursor_begin(struct cursor *cursor, const struct block *block)
{
  *cursor = (struct cursor){.at = block->op_first, .end = block->op_first + block->op_count};
}

bool
cursor_next(struct cursor *cursor, unsigned *op_index)
{
  if (cursor->body_end != 0 && cursor->at >= cursor->body_end) {
    if (cursor->rounds_left > 0) {
      cursor->rounds_left--;
      cursor->at = cursor->body_first;
    } else {
      cursor->body_end = 0;
    }
  }
  if (cursor->at >= cursor->end)
    return false;
  *op_index = cursor->at++;
  return true;
}

static unsigned
clip(const struct cursor *cursor, unsigned length)
{
  unsigned end = cursor->body_end != 0 ? cursor->body_end : cursor->end;
  unsigned wanted = cursor->at + length;

  return wanted < end ? wanted : end;
}

void
cursor_skip(struct cursor *cursor, unsigned length)
{
  cursor->at = clip(cursor, length);
}

void
cursor_loop(struct cursor *cursor, unsigned rounds, unsigned length)
{
  if (cursor->body_end != 0)
    return;
  unsigned end = clip(cursor, length);
  if (rounds == 0 || end == cursor->at) {
    cursor->at = end;
    return;
  }
  cursor->body_first = cursor->at;
  cursor->body_end = end;
  cursor->rounds_left = rounds - 1;
}
