/* parser.c - see parser.h.  Line by line, since the printer writes one op a line; what is open
 * stands on a stack, so that a body counts its ops when its `end` is read.
 */
#include "fuzz/program/parser.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/program/parse_comment.h"
#include "fuzz/program/parse_explain.h"
#include "fuzz/program/shape.h"

enum { LINE_MAX_BYTES = 1024, BODY_MAX = 63, PROGRAM_OPEN_MAX = SHAPE_DEPTH_MAX + 4 };

enum open_kind {
  OPEN_BLOCK,
  OPEN_EVENTS,
  OPEN_CATCH,
  OPEN_LOOP,
  OPEN_SKIP,
  OPEN_FLOW,
  OPEN_PRELUDE
};

struct open {
  enum open_kind kind;
  unsigned line; /* where it began */
  unsigned op;   /* of a loop or skip */
};

struct parser {
  struct program *program;
  struct parse_problem *problem;
  struct scan scan;
  char line[LINE_MAX_BYTES];
  unsigned number;
  unsigned open_count;
  struct open open[PROGRAM_OPEN_MAX];
  bool started;         /* a block was opened */
  unsigned named_block; /* the greatest that an op starts, with its place */
  unsigned named_line, named_column;
};

static const char magic[] = "# gcstorm:";

/* ---- Complaints ------------------------------------------------------------------------------ */

static bool
fail_at(struct parser *parser, const char *at, const char *text)
{
  parser->problem->line = parser->number;
  parser->problem->column = (unsigned)(at - parser->line) + 1;
  snprintf(parser->problem->text, sizeof parser->problem->text, "%s", text);
  return false;
}

static bool
fail(struct parser *parser, const char *text)
{
  const char *at = parser->line + strspn(parser->line, " \t");

  return fail_at(parser, at, text);
}

/* What the attempts at the line wanted at the furthest place that one of them reached. */
static bool
fail_expected(struct parser *parser)
{
  char text[sizeof parser->problem->text];

  explain_expected(&parser->scan, text, sizeof text);
  return fail_at(parser, parser->scan.furthest, text);
}

static bool
fail_no_op(struct parser *parser)
{
  char text[sizeof parser->problem->text];
  const char *at = explain_op(parser->line, parser->program->dialect, text, sizeof text);

  return fail_at(parser, at, text);
}

/* ---- What is open ---------------------------------------------------------------------------- */

static struct open *
innermost(struct parser *parser)
{
  return parser->open_count > 0 ? &parser->open[parser->open_count - 1] : NULL;
}

static bool
inside(const struct parser *parser, enum open_kind kind)
{
  for (unsigned i = 0; i < parser->open_count; i++)
    if (parser->open[i].kind == kind)
      return true;
  return false;
}

static bool
open_push(struct parser *parser, enum open_kind kind)
{
  if (parser->open_count == PROGRAM_OPEN_MAX)
    return fail(parser, "too many bodies inside each other");
  parser->open[parser->open_count++] =
      (struct open){.kind = kind, .line = parser->number, .op = parser->program->op_count};
  return true;
}

static bool
add_op(struct parser *parser, struct op op)
{
  struct program *program = parser->program;

  if (!program_insert_op(program, program->block_count - 1, program->op_count, op))
    return fail(parser, "the program is too long: its bytes would exceed 65536");
  return true;
}

static bool
add_body(struct parser *parser, enum open_kind kind, struct op op)
{
  return open_push(parser, kind) && add_op(parser, op);
}

static bool
close_body(struct parser *parser, const struct open *open)
{
  struct program *program = parser->program;
  unsigned count = program->op_count - open->op - 1;
  struct op *op = &program->ops[open->op];

  if (count > BODY_MAX)
    return fail(parser, "a body has at most 63 ops");
  if (op->operands[1] < count)
    op->operands[1] = (uint8_t)count;
  return true;
}

static bool
parse_end(struct parser *parser)
{
  const struct open *open = innermost(parser);

  if (open == NULL || open->kind == OPEN_FLOW)
    return fail(parser, "an `end` that ends nothing");
  if ((open->kind == OPEN_LOOP || open->kind == OPEN_SKIP) && !close_body(parser, open))
    return false;
  parser->open_count--;
  return true;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void
rewind_scan(struct parser *parser)
{
  parser->scan.at = parser->line;
}

static bool
line_is(struct parser *parser, const char *text)
{
  rewind_scan(parser);
  return scan_text(&parser->scan, text) && scan_end(&parser->scan);
}

/* Whether the line begins so, and nothing more is asked of it. */
static bool
line_begins(struct parser *parser, const char *text)
{
  rewind_scan(parser);
  scan_blanks(&parser->scan);
  return strncmp(parser->scan.at, text, strlen(text)) == 0;
}

/* The count that stands in a trailing comment, "# the next N ops". */
static unsigned
counted(struct parser *parser)
{
  unsigned count = 0;

  scan_blanks(&parser->scan);
  if (!scan_text(&parser->scan, "# the next") || !scan_number(&parser->scan, 64, &count))
    return 0;
  return count;
}

/* A block operand whose bytes say more than its reduced number. */
static void
take_raw_block(struct parser *parser, struct op *op)
{
  unsigned count, value = 0;
  const struct op_info *table = op_table(parser->program->dialect, &count);

  scan_blanks(&parser->scan);
  if (!scan_text(&parser->scan, "# block") ||
      !scan_number(&parser->scan, operand_limit(OPERAND_BLOCK), &value))
    return;
  for (unsigned i = 0; i < PROGRAM_OPERAND_MAX; i++)
    if (table[op->code].operands[i] == OPERAND_BLOCK)
      op->operands[i] = (uint8_t)value;
}

/* Keeps which block an op starts, since it may be defined further down. */
static void
note_block(struct parser *parser, const struct op *op)
{
  const char *bar = strrchr(parser->line, '|');
  const char *at = bar != NULL ? strchr(bar, 'b') : NULL;

  if (parser->program->dialect != PROGRAM_RACTOR || op->code != OP_ractor_new ||
      op->operands[1] + 1u <= parser->named_block)
    return;
  parser->named_block = op->operands[1] + 1u;
  parser->named_line = parser->number;
  parser->named_column = at != NULL ? (unsigned)(at - parser->line) + 1 : 1;
}

/* `finish` inside a `catch`; elsewhere it is a `return`. */
static bool
scan_throw(struct parser *parser, struct op *op)
{
  unsigned value;

  scan_begin(&parser->scan, parser->line);
  *op = (struct op){.code = OP_finish};
  if (!scan_prefix(&parser->scan, "throw :finish, r") ||
      !scan_number(&parser->scan, operand_limit(OPERAND_REG), &value) || !scan_end(&parser->scan))
    return false;
  op->operands[0] = (uint8_t)value;
  return true;
}

static bool
parse_op(struct parser *parser)
{
  struct op op;

  if (!inside(parser, OPEN_EVENTS) && scan_throw(parser, &op))
    return add_op(parser, op);
  if (!inside(parser, OPEN_EVENTS) && line_begins(parser, "throw"))
    return fail_expected(parser);
  rewind_scan(parser);
  scan_blanks(&parser->scan);
  if (!scan_op(&parser->scan, parser->program->dialect, &op))
    return fail_no_op(parser);
  if (op.code == OP_loop && parser->program->dialect == PROGRAM_RACTOR)
    return fail(parser, "write a loop as `N.times do` … `end`");
  if (op.code == OP_skip_if_nil && parser->program->dialect == PROGRAM_RACTOR)
    return fail(parser, "write a condition as `unless rN.nil?` … `end`");
  note_block(parser, &op);
  take_raw_block(parser, &op);
  return add_op(parser, op);
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

static bool
scan_register(struct parser *parser, unsigned *value)
{
  return scan_prefix(&parser->scan, "r") &&
         scan_number(&parser->scan, operand_limit(OPERAND_REG), value);
}

/* Takes `unless rN.nil?` or `N.times do`.  False without a problem: it is neither. */
static bool
parse_body_start(struct parser *parser, bool *good)
{
  unsigned value;

  rewind_scan(parser);
  if (scan_text(&parser->scan, "unless") && scan_register(parser, &value) &&
      scan_text(&parser->scan, ".nil?") && scan_end(&parser->scan)) {
    struct op op = {.code = OP_skip_if_nil, .operands = {(uint8_t)value, (uint8_t)counted(parser)}};

    *good = add_body(parser, OPEN_SKIP, op);
    return true;
  }
  rewind_scan(parser);
  scan_blanks(&parser->scan);
  if (!scan_number(&parser->scan, operand_limit(OPERAND_COUNT), &value) ||
      !scan_text(&parser->scan, ".times do") || !scan_end(&parser->scan))
    return false;
  struct op op = {.code = OP_loop, .operands = {(uint8_t)value, (uint8_t)counted(parser)}};

  *good = inside(parser, OPEN_LOOP)
              ? fail(parser, "loops do not nest: a loop inside a loop would do nothing")
              : add_body(parser, OPEN_LOOP, op);
  return true;
}

/* A loop inside a loop, which does nothing, prints as a comment. */
static bool
parse_idle_loop(struct parser *parser)
{
  struct op op = {.code = OP_loop};
  unsigned rounds, length;

  if (!scan_number(&parser->scan, 64, &rounds) || !scan_text(&parser->scan, ",") ||
      !scan_number(&parser->scan, 64, &length))
    return fail_expected(parser);
  op.operands[0] = (uint8_t)rounds;
  op.operands[1] = (uint8_t)length;
  return add_op(parser, op);
}

/* One step of `G.flow(`: a lambda for an op, G.loop or G.skip. */
static bool
parse_step(struct parser *parser)
{
  struct op op = {.code = OP_skip_if_nil};
  unsigned a, b;
  char *end = parser->line + strcspn(parser->line, "#");
  char raw[40];

  snprintf(raw, sizeof raw, "%s", end);
  while (end > parser->line && strchr(" \t,", end[-1]) != NULL)
    end--;
  *end = '\0';
  rewind_scan(parser);
  if (scan_text(&parser->scan, "G.skip(") && scan_number(&parser->scan, 64, &b) &&
      scan_text(&parser->scan, ") {") && scan_register(parser, &a) &&
      scan_text(&parser->scan, ".nil? }") && scan_end(&parser->scan)) {
    op.operands[0] = (uint8_t)a;
    op.operands[1] = (uint8_t)b;
    return add_op(parser, op);
  }
  rewind_scan(parser);
  if (scan_text(&parser->scan, "G.loop(") && scan_number(&parser->scan, 64, &a) &&
      scan_text(&parser->scan, ",") && scan_number(&parser->scan, 64, &b) &&
      scan_text(&parser->scan, ")") && scan_end(&parser->scan)) {
    op = (struct op){.code = OP_loop, .operands = {(uint8_t)a, (uint8_t)b}};
    return add_op(parser, op);
  }
  rewind_scan(parser);
  if (!scan_text(&parser->scan, "-> {") || end == parser->line || end[-1] != '}') {
    if (parser->scan.rank != SCAN_RANGE)
      scan_insist(
          &parser->scan, parser->line + strspn(parser->line, " \t"),
          "a step: `-> { OP }`, `G.loop(COUNT, COUNT)`, `G.skip(COUNT) { rN.nil? }` or `)`");
    return fail_expected(parser);
  }
  /* What stands inside the lambda is an ordinary line; the columns stay right. */
  memset(parser->line, ' ', (size_t)(parser->scan.at - parser->line));
  end[-1] = ' ';
  snprintf(end, sizeof parser->line - (size_t)(end - parser->line), "%s", raw);
  return parse_op(parser);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static bool
parse_def(struct parser *parser)
{
  struct program *program = parser->program;
  unsigned wanted = parser->started ? program->block_count : 0;
  unsigned number;
  bool good = true;
  char text[80];

  if (parser->open_count > 0)
    return fail(parser, "a block inside a block; an `end` is missing above");
  rewind_scan(parser);
  snprintf(text, sizeof text, "expected `def b%u(r1 = nil)`: blocks stand in order", wanted);
  if (!scan_prefix(&parser->scan, "def b") || !scan_number(&parser->scan, 1000, &number) ||
      number != wanted)
    return fail(parser, text);
  if (scan_text(&parser->scan, "("))
    good = scan_text(&parser->scan, "r1") &&
           (scan_text(&parser->scan, ")") || scan_text(&parser->scan, "= nil )"));
  if (!good || !scan_end(&parser->scan))
    return fail_expected(parser);
  if (parser->started && !program_add_block(program))
    return fail(parser, "too many blocks: at most 16, main's included");
  program->dialect = PROGRAM_RACTOR;
  parser->started = true;
  return open_push(parser, OPEN_BLOCK);
}

/* Lines that are there for Ruby alone. */
static bool
is_scenery(struct parser *parser)
{
  return line_begins(parser, "r0 = r2 = ") || line_begins(parser, "G.registers") ||
         line_begins(parser, "G.main") || line_is(parser, "r0");
}

static bool
parse_comment_line(struct parser *parser, const char *at)
{
  unsigned number;

  if (strncmp(at, magic, sizeof magic - 1) == 0) {
    parser->scan.at = at + sizeof magic - 1;
    if (line_is(parser, "# gcstorm: prelude"))
      return open_push(parser, OPEN_PRELUDE);
    parser->scan = (struct scan){.line = parser->line, .at = at + sizeof magic - 1};
    parser->scan.furthest = parser->scan.at;
    return parse_comment(&parser->scan, parser->program) || fail_expected(parser);
  }
  rewind_scan(parser);
  if (inside(parser, OPEN_LOOP) && scan_text(&parser->scan, "# loop"))
    return parse_idle_loop(parser);
  rewind_scan(parser);
  if (inside(parser, OPEN_EVENTS) && scan_text(&parser->scan, "# block") &&
      scan_number(&parser->scan, PROGRAM_BLOCK_MAX, &number) && !program_add_block(parser->program))
    return fail(parser, "too many blocks: at most 16");
  return true;
}

static bool
parse_body_line(struct parser *parser)
{
  const struct open *open = innermost(parser);
  bool good = true;

  if (open == NULL)
    return fail(parser, "expected `def b0(r1 = nil)` or `gc_events do`");
  if (open->kind == OPEN_FLOW) {
    if (!line_is(parser, ")"))
      return parse_step(parser);
    parser->open_count--;
    return true;
  }
  if (open->kind == OPEN_EVENTS)
    return parse_op(parser);
  if (line_is(parser, "catch(:finish) do"))
    return open_push(parser, OPEN_CATCH);
  if (line_is(parser, "G.flow("))
    return open_push(parser, OPEN_FLOW);
  if (parse_body_start(parser, &good))
    return good;
  return parse_op(parser);
}

static bool
parse_line(struct parser *parser)
{
  const char *at = parser->line + strspn(parser->line, " \t\r");

  scan_begin(&parser->scan, parser->line);
  if (inside(parser, OPEN_PRELUDE)) {
    parser->open_count -= line_is(parser, "# gcstorm: end of prelude");
    return true;
  }
  if (*at == '\0')
    return true;
  if (*at == '#')
    return parse_comment_line(parser, at);
  if (line_is(parser, "end"))
    return parse_end(parser);
  if (is_scenery(parser))
    return true;
  if (line_begins(parser, "def "))
    return parse_def(parser);
  if (line_is(parser, "gc_events do")) {
    if (parser->started)
      return fail(parser, "a program has methods b0, b1, … or one `gc_events do`, not both");
    parser->program->dialect = PROGRAM_EVENTS;
    parser->started = true;
    return open_push(parser, OPEN_EVENTS);
  }
  scan_begin(&parser->scan, parser->line);
  return parse_body_line(parser);
}

/* ---- Whole texts ----------------------------------------------------------------------------- */

static bool
take_line(struct parser *parser, const char **text, const char *end)
{
  const char *stop = memchr(*text, '\n', (size_t)(end - *text));
  size_t length = (size_t)((stop != NULL ? stop : end) - *text);

  parser->number++;
  parser->line[0] = '\0';
  if (length >= sizeof parser->line)
    return fail(parser, "the line is too long: at most 1023 bytes");
  if (memchr(*text, '\0', length) != NULL)
    return fail(parser, "a zero byte: this is no text");
  memcpy(parser->line, *text, length);
  parser->line[length] = '\0';
  while (length > 0 && strchr(" \t\r", parser->line[length - 1]) != NULL)
    parser->line[--length] = '\0';
  *text = stop != NULL ? stop + 1 : end;
  return true;
}

static bool
check_whole(struct parser *parser)
{
  const struct open *open = innermost(parser);
  char text[120];

  parser->line[0] = '\0';
  if (open != NULL) {
    snprintf(text, sizeof text, "the text ends inside what line %u opened; an `end` is missing",
             open->line);
    return fail(parser, text);
  }
  /* Where there is no block but main's, any number is kept: the op fails. */
  if (parser->program->block_count > 1 && parser->named_block >= parser->program->block_count) {
    parser->number = parser->named_line;
    snprintf(text, sizeof text, "no block b%u; write `def b%u(r1 = nil)` … `end`",
             parser->named_block, parser->named_block);
    fail(parser, text);
    parser->problem->column = parser->named_column;
    return false;
  }
  return parser->started || fail(parser, "no `def b0(r1 = nil)` and no `gc_events do`");
}

bool
program_parse(struct program *program, const char *text, size_t size, struct parse_problem *problem)
{
  struct parser parser = {.program = program, .problem = problem};
  const char *end = text + size;

  program_clear(program, PROGRAM_RACTOR);
  while (text < end)
    if (!take_line(&parser, &text, end) || !parse_line(&parser))
      return false;
  return check_whole(&parser);
}

bool
program_is_text(const char *path, const uint8_t *data, size_t size)
{
  size_t length = strlen(path);

  if (length > 3 && strcmp(path + length - 3, ".rb") == 0)
    return true;
  return size >= sizeof magic - 1 && memcmp(data, magic, sizeof magic - 1) == 0;
}

bool
program_read(struct program *program, enum program_dialect dialect, const char *path,
             const uint8_t *data, size_t size, char *problem, size_t problem_size)
{
  struct parse_problem where = {0};
  char detail[200];

  if (!program_is_text(path, data, size)) {
    if (program_decode(program, dialect, data, size, detail, sizeof detail))
      return true;
    snprintf(problem, problem_size, "%s: %s", path, detail);
    return false;
  }
  if (program_parse(program, (const char *)data, size, &where))
    return true;
  snprintf(problem, problem_size, "%s:%u:%u: %s", path, where.line, where.column, where.text);
  return false;
}
