/* ops.c - the op tables of both dialects, made from ops.def and events.def, and the sizes of the
 * operand kinds.  Read by the codec, the printer, the generator and the interpreter alike, so that
 * a new op is one row.  Constant data only.
 */
#include <assert.h>

#include "fuzz/program/program.h"
#include "rgc/rgc.h"
#include "rgcvm/vm.h"

#define OP(name, a, b, c, weight, section, ruby, text)                                             \
  {#name, {OPERAND_##a, OPERAND_##b, OPERAND_##c}, ruby, section, text, weight},

static const struct op_info ractor_ops[] = {
#include "fuzz/program/ops.def"
};

static const struct op_info event_ops[] = {
#include "fuzz/program/events.def"
};

#undef OP

_Static_assert(sizeof ractor_ops / sizeof ractor_ops[0] == OP_COUNT, "one row an op");
_Static_assert(sizeof event_ops / sizeof event_ops[0] == EV_COUNT, "one row an event");

const struct op_info *
op_table(enum program_dialect dialect, unsigned *count)
{
  assert(dialect < PROGRAM_DIALECT_COUNT);
  if (dialect == PROGRAM_EVENTS) {
    *count = EV_COUNT;
    return event_ops;
  }
  *count = OP_COUNT;
  return ractor_ops;
}

unsigned
operand_limit(enum op_operand kind)
{
  static const unsigned limits[OPERAND_KIND_COUNT] = {
      [OPERAND_NONE] = 1,
      [OPERAND_DST] = VM_REGISTER_COUNT,
      [OPERAND_REG] = VM_REGISTER_COUNT,
      [OPERAND_INDEX] = 32,
      [OPERAND_COUNT] = 64,
      [OPERAND_BYTE] = 256,
      [OPERAND_BLOCK] = PROGRAM_BLOCK_MAX,
      [OPERAND_WORD_KIND] = VM_WORD_KIND_COUNT,
      [OPERAND_GC_KIND] = RGC_KIND_GLOBAL + 1,
      [OPERAND_OBJSPACE] = 8,
      [OPERAND_OBJECT] = 32,
  };

  assert(kind < OPERAND_KIND_COUNT);
  return limits[kind];
}

const char *
operand_name(enum op_operand kind)
{
  static const char *const names[OPERAND_KIND_COUNT] = {
      [OPERAND_NONE] = "",        [OPERAND_DST] = "rN",          [OPERAND_REG] = "rN",
      [OPERAND_INDEX] = "INDEX",  [OPERAND_COUNT] = "COUNT",     [OPERAND_BYTE] = "BYTE",
      [OPERAND_BLOCK] = "N",      [OPERAND_WORD_KIND] = ":KIND", [OPERAND_GC_KIND] = ":KIND",
      [OPERAND_OBJSPACE] = ":sN", [OPERAND_OBJECT] = "o[N]",
  };

  assert(kind < OPERAND_KIND_COUNT);
  return names[kind];
}
