/* printer.c - the Ruby form; see printer.h.  Prints only what the model holds: never an address. */
#include "fuzz/program/printer.h"

#include <assert.h>
#include <string.h>

#include "fuzz/program/names.h"
#include "fuzz/program/shape.h"
#include "rgcvm/vm.h"

struct printer {
  const struct program *program;
  FILE *file;
  unsigned depth; /* of indentation */
  bool in_loop;
  bool throws; /* `finish` leaves by a throw */
};

static void
print_indent(const struct printer *printer)
{
  fprintf(printer->file, "%*s", (int)(2 * printer->depth), "");
}

/* ---- One op ---------------------------------------------------------------------------------- */

static void
print_operand(const struct printer *printer, enum op_operand kind, unsigned value)
{
  FILE *file = printer->file;
  bool events = printer->program->dialect == PROGRAM_EVENTS;

  switch (kind) {
  case OPERAND_DST:
  case OPERAND_REG:
    fprintf(file, "r%u", value);
    break;
  case OPERAND_GC_KIND:
    fprintf(file, ":%s", name_of_gc_kind(value));
    break;
  case OPERAND_WORD_KIND:
    fprintf(file, ":%s", name_of_word_kind(value));
    break;
  case OPERAND_BLOCK:
    fprintf(file, "%u", program_started_block(printer->program, value));
    break;
  case OPERAND_OBJSPACE:
    fprintf(file, events ? ":s%u" : "%u", value);
    break;
  case OPERAND_OBJECT:
    fprintf(file, "o[%u]", value);
    break;
  default:
    fprintf(file, "%u", value);
    break;
  }
}

/* A Ruby form of the table, from `at` on, with the op's operands filled in. */
static void
print_text(const struct printer *printer, const struct op *op, const struct op_info *info,
           const char *at)
{
  for (; *at != '\0'; at++) {
    if (*at == '%' && at[1] >= '1' && at[1] <= '3') {
      unsigned which = (unsigned)(at[1] - '1');

      print_operand(printer, info->operands[which], op->operands[which]);
      at++;
    } else {
      fputc(*at, printer->file);
    }
  }
}

static const struct op_info *
info_of(const struct printer *printer, const struct op *op)
{
  unsigned count;
  const struct op_info *table = op_table(printer->program->dialect, &count);

  assert(op->code < count);
  return &table[op->code];
}

static void
print_form(const struct printer *printer, const struct op *op)
{
  const struct op_info *info = info_of(printer, op);

  print_text(printer, op, info, info->ruby);
}

/* The guard answers nil when the op raises, so the assignment stands outside. */
static void
print_guarded(const struct printer *printer, const struct op *op)
{
  static const char assignment[] = "%1 = ";
  const struct op_info *info = info_of(printer, op);
  const char *text = info->ruby;

  if (info->operands[0] == OPERAND_DST && strncmp(text, assignment, sizeof assignment - 1) == 0) {
    fprintf(printer->file, "r%u = ", op->operands[0]);
    text += sizeof assignment - 1;
  }
  fputs("t { ", printer->file);
  print_text(printer, op, info, text);
  fputs(" }", printer->file);
}

/* A block operand prints reduced; the comment keeps what the bytes say. */
static void
print_raw_block(const struct printer *printer, const struct op *op)
{
  const struct op_info *info = info_of(printer, op);

  for (unsigned i = 0; i < PROGRAM_OPERAND_MAX; i++)
    if (info->operands[i] == OPERAND_BLOCK &&
        op->operands[i] + 1u != program_started_block(printer->program, op->operands[i]))
      fprintf(printer->file, "  # block %u", op->operands[i]);
}

static void
print_op(const struct printer *printer, const struct op *op)
{
  FILE *file = printer->file;

  if (printer->program->dialect == PROGRAM_EVENTS) {
    print_form(printer, op);
  } else if (op->code == OP_finish) {
    if (printer->throws)
      fprintf(file, "throw :finish, r%u", op->operands[0]);
    else
      print_form(printer, op);
  } else if (op->code == OP_raise) {
    print_form(printer, op);
  } else {
    print_guarded(printer, op);
  }
}

/* ---- Blocks as nested Ruby ------------------------------------------------------------------- */

/* Closes the bodies that end at `index`; several may. */
static void
close_bodies(struct printer *printer, unsigned *ends, unsigned *open, unsigned index,
             unsigned loop_end)
{
  while (*open > 0 && ends[*open - 1] <= index) {
    --*open;
    printer->depth--;
    print_indent(printer);
    fputs("end\n", printer->file);
  }
  if (index >= loop_end)
    printer->in_loop = false;
}

/* The number of ops is told only where the body is cut, since otherwise `end` tells it. */
static void
open_body(struct printer *printer, unsigned index, unsigned end)
{
  const struct op *op = &printer->program->ops[index];

  print_indent(printer);
  if (op_is_skip(printer->program, index))
    fprintf(printer->file, "unless r%u.nil?", op->operands[0]);
  else
    fprintf(printer->file, "%u.times do", op->operands[0]);
  if (end - index - 1 < op->operands[1])
    fprintf(printer->file, " # the next %u ops", op->operands[1]);
  fputc('\n', printer->file);
  printer->depth++;
}

static void
print_line(const struct printer *printer, unsigned index)
{
  const struct op *op = &printer->program->ops[index];

  print_indent(printer);
  if (op_is_loop(printer->program, index))
    fprintf(printer->file, "# loop %u, %u does nothing inside a loop", op->operands[0],
            op->operands[1]);
  else
    print_op(printer, op);
  print_raw_block(printer, op);
  fputc('\n', printer->file);
}

static void
print_nested(struct printer *printer, unsigned first, unsigned end)
{
  unsigned ends[SHAPE_DEPTH_MAX];
  unsigned open = 0, loop_end = first;
  const struct program *program = printer->program;

  printer->in_loop = false;
  for (unsigned i = first; i < end; i++) {
    close_bodies(printer, ends, &open, i, loop_end);
    bool is_skip = op_is_skip(program, i);

    if (is_skip || (op_is_loop(program, i) && !printer->in_loop)) {
      assert(open < SHAPE_DEPTH_MAX);
      ends[open++] = op_body_end(program, i, printer->in_loop ? loop_end : end);
      if (!is_skip) {
        loop_end = ends[open - 1];
        printer->in_loop = true;
      }
      open_body(printer, i, ends[open - 1]);
    } else {
      print_line(printer, i);
    }
  }
  close_bodies(printer, ends, &open, end, end);
}

/* ---- Blocks as a flow ------------------------------------------------------------------------ */

static void
print_flow(struct printer *printer, unsigned first, unsigned end)
{
  FILE *file = printer->file;

  print_indent(printer);
  fputs("G.flow(\n", file);
  printer->depth++;
  for (unsigned i = first; i < end; i++) {
    const struct op *op = &printer->program->ops[i];

    print_indent(printer);
    if (op_is_skip(printer->program, i)) {
      fprintf(file, "G.skip(%u) { r%u.nil? }", op->operands[1], op->operands[0]);
    } else if (op_is_loop(printer->program, i)) {
      fprintf(file, "G.loop(%u, %u)", op->operands[0], op->operands[1]);
    } else {
      fputs("-> { ", file);
      print_op(printer, op);
      fputs(" }", file);
    }
    if (i + 1 < end)
      fputc(',', file);
    print_raw_block(printer, op);
    fputc('\n', file);
  }
  printer->depth--;
  print_indent(printer);
  fputs(")\n", file);
}

/* ---- Whole programs -------------------------------------------------------------------------- */

/* All registers exist from the start; naming them once also tells Ruby that each is used. */
static void
print_registers(const struct printer *printer)
{
  fputs("  r0 =", printer->file);
  for (unsigned i = 2; i < VM_REGISTER_COUNT; i++)
    fprintf(printer->file, " r%u =", i);
  fputs(" nil\n  G.registers { [r0", printer->file);
  for (unsigned i = 1; i < VM_REGISTER_COUNT; i++)
    fprintf(printer->file, ", r%u", i);
  fputs("] }\n", printer->file);
}

static void
print_block(struct printer *printer, unsigned block)
{
  const struct program *program = printer->program;
  const struct block *body = &program->blocks[block];
  struct block_shape shape = block_shape_of(program, block);
  unsigned end = body->op_first + body->op_count;

  fprintf(printer->file, "\ndef b%u(r1 = nil)\n", block);
  print_registers(printer);
  printer->depth = 1;
  printer->throws = shape.throws || !shape.nests;
  if (printer->throws) {
    fputs("  catch(:finish) do\n", printer->file);
    printer->depth++;
  }
  if (shape.nests)
    print_nested(printer, body->op_first, end);
  else
    print_flow(printer, body->op_first, end);
  /* Behind a `return` it could not be reached; one that ends a body does not end the block. */
  if (printer->throws || !shape.returns) {
    print_indent(printer);
    fputs("r0\n", printer->file);
  }
  if (printer->throws)
    fputs("  end\n", printer->file);
  fputs("end\n", printer->file);
  printer->depth = 0;
}

/* Events dialect: objects are entries of a table, o[0] … o[31], all nil at first. */
static void
print_events(struct printer *printer)
{
  const struct program *program = printer->program;

  fputs("\ngc_events do\n", printer->file);
  printer->depth = 1;
  for (unsigned b = 0; b < program->block_count; b++) {
    if (b > 0)
      fprintf(printer->file, "  # block %u\n", b);
    for (unsigned i = 0; i < program->blocks[b].op_count; i++) {
      const struct op *op = &program->ops[program->blocks[b].op_first + i];

      print_indent(printer);
      print_op(printer, op);
      fputc('\n', printer->file);
    }
  }
  fputs("end\n", printer->file);
}

void
program_print_ruby(const struct program *program, FILE *file)
{
  struct printer printer = {.program = program, .file = file};

  assert(program->block_count >= 1);
  program_print_comments(program, file);
  if (program->dialect == PROGRAM_EVENTS) {
    print_events(&printer);
    return;
  }
  for (unsigned i = 0; i < program->block_count; i++)
    print_block(&printer, i);
  fputs("\nG.main { b0 }\n", file);
}
