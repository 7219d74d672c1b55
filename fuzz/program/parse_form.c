/* parse_form.c - see parse_form.h.  A form of the table is matched as it stands, so that a new op
 * is one row for the parser too.
 */
#include "fuzz/program/parse_form.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/program/names.h"

enum { FORM_MAX = 160 };

void
scan_begin(struct scan *scan, const char *line)
{
  *scan = (struct scan){.line = line, .at = line, .furthest = line};
}

/* One more thing that could stand at the place of the others. */
static void
join_expected(struct scan *scan, const char *what)
{
  size_t length = strlen(scan->expected);

  if (strstr(scan->expected, what) == NULL &&
      length + sizeof " or " + strlen(what) <= sizeof scan->expected)
    snprintf(scan->expected + length, sizeof scan->expected - length, " or %s", what);
}

static void
scan_expected_as(struct scan *scan, enum scan_rank rank, const char *at, const char *what)
{
  bool other = at == scan->furthest && scan->expected[0] != '\0';

  if (at < scan->furthest || (other && rank < scan->rank))
    return;
  if (other && rank == scan->rank) {
    join_expected(scan, what);
    return;
  }
  scan->furthest = at;
  scan->rank = rank;
  snprintf(scan->expected, sizeof scan->expected, "%s", what);
}

void
scan_expected(struct scan *scan, const char *at, const char *what)
{
  scan_expected_as(scan, SCAN_THING, at, what);
}

void
scan_insist(struct scan *scan, const char *at, const char *what)
{
  scan->furthest = at;
  scan->expected[0] = '\0';
  scan_expected(scan, at, what);
}

void
scan_blanks(struct scan *scan)
{
  while (*scan->at == ' ' || *scan->at == '\t')
    scan->at++;
}

static bool
is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* Complains of a literal at `c` in it, by the whole word that `c` is of. */
static void
expected_literal(struct scan *scan, const char *at, const char *c)
{
  char what[40];
  size_t length = 1;

  while (is_word(c[0]) && is_word(c[length]))
    length++;
  snprintf(what, sizeof what, "'%.*s'", (int)length, c);
  scan_expected_as(scan, SCAN_LITERAL, at, what);
}

/* Blanks may stand anywhere but inside a word. */
bool
scan_prefix(struct scan *scan, const char *text)
{
  const char *word = text;        /* in the literal: the word that is being taken, */
  const char *word_at = scan->at; /* and where it began in the line */

  for (const char *c = text; *c != '\0'; c++) {
    if (*c == ' ')
      continue;
    if (c == text || !is_word(c[-1]) || !is_word(*c)) {
      scan_blanks(scan);
      word = c;
      word_at = scan->at;
    }
    if (*scan->at != *c) {
      expected_literal(scan, word_at, word);
      return false;
    }
    scan->at++;
  }
  return true;
}

bool
scan_text(struct scan *scan, const char *text)
{
  if (!scan_prefix(scan, text))
    return false;
  if (text[0] != '\0' && is_word(text[strlen(text) - 1]) && is_word(*scan->at)) {
    scan_expected(scan, scan->at, "the end of the word");
    return false;
  }
  return true;
}

bool
scan_number(struct scan *scan, unsigned limit, unsigned *value)
{
  char what[60];
  const char *start;

  scan_blanks(scan);
  start = scan->at;
  snprintf(what, sizeof what, "a number from 0 to %u", limit - 1);
  *value = 0;
  while (isdigit((unsigned char)*scan->at) && *value < limit)
    *value = *value * 10 + (unsigned)(*scan->at++ - '0');
  if (scan->at == start || *value >= limit || is_word(*scan->at)) {
    scan_expected_as(scan, isdigit((unsigned char)*start) ? SCAN_RANGE : SCAN_THING, start, what);
    return false;
  }
  return true;
}

bool
scan_word(struct scan *scan, char *word, size_t size)
{
  size_t length = 0;

  scan_blanks(scan);
  while (is_word(scan->at[length]))
    length++;
  if (length == 0 || length >= size) {
    scan_expected(scan, scan->at, "a word");
    return false;
  }
  memcpy(word, scan->at, length);
  word[length] = '\0';
  scan->at += length;
  return true;
}

bool
scan_end(struct scan *scan)
{
  scan_blanks(scan);
  if (*scan->at == '\0' || *scan->at == '#')
    return true;
  scan_expected(scan, scan->at, "the end of the line");
  return false;
}

/* ---- Operands -------------------------------------------------------------------------------- */

static bool
scan_name(struct scan *scan, const char *(*name_of)(unsigned), unsigned limit, const char *what,
          unsigned *value)
{
  const char *start = scan->at;
  char word[32];

  if (scan_text(scan, ":") && scan_word(scan, word, sizeof word))
    for (*value = 0; *value < limit; ++*value)
      if (strcmp(name_of(*value), word) == 0)
        return true;
  scan->at = start;
  scan_blanks(scan);
  scan_expected(scan, scan->at, what);
  return false;
}

/* A number behind a prefix, such as a register. */
static bool
scan_named_number(struct scan *scan, const char *prefix, unsigned limit, const char *what,
                  unsigned *value)
{
  size_t length = strlen(prefix);
  enum scan_rank rank = SCAN_THING;
  struct scan number;

  scan_blanks(scan);
  if (strncmp(scan->at, prefix, length) == 0 && isdigit((unsigned char)scan->at[length])) {
    scan_begin(&number, scan->at + length);
    if (scan_number(&number, limit, value)) {
      scan->at = number.at;
      return true;
    }
    rank = SCAN_RANGE;
  }
  scan_expected_as(scan, rank, scan->at, what);
  return false;
}

/* What a block is called by stands behind a 'b' of the form, and main's block has no such name. */
static bool
scan_block(struct scan *scan, unsigned limit, unsigned *value)
{
  struct scan number;

  scan_begin(&number, scan->at);
  if (!scan_number(&number, limit + 1, value) || *value == 0) {
    scan_expected_as(scan, SCAN_RANGE, scan->at,
                     "the number of a block from 1 to 15 (b0 is main's, which is not started)");
    return false;
  }
  scan->at = number.at;
  --*value;
  return true;
}

static bool
scan_object(struct scan *scan, unsigned limit, unsigned *value)
{
  const char *start;

  scan_blanks(scan);
  start = scan->at;
  if (scan_text(scan, "o["))
    return scan_number(scan, limit, value) && scan_text(scan, "]");
  scan_expected(scan, start, "an object o[0] to o[31]");
  return false;
}

static bool
scan_operand(struct scan *scan, enum program_dialect dialect, enum op_operand kind, uint8_t *out)
{
  unsigned limit = operand_limit(kind);
  unsigned value = 0;
  bool good;

  switch (kind) {
  case OPERAND_DST:
  case OPERAND_REG:
    good = scan_named_number(scan, "r", limit, "a register r0 to r15", &value);
    break;
  case OPERAND_GC_KIND:
    good = scan_name(scan, name_of_gc_kind, limit, ":minor, :major or :global", &value);
    break;
  case OPERAND_WORD_KIND:
    good = scan_name(scan, name_of_word_kind, limit,
                     ":reference, :interior, :past_end, :stale or :lookalike", &value);
    break;
  case OPERAND_BLOCK:
    good = scan_block(scan, limit, &value);
    break;
  case OPERAND_OBJSPACE:
    good = scan_named_number(scan, dialect == PROGRAM_EVENTS ? ":s" : "", limit,
                             "an objspace :s0 to :s7", &value);
    break;
  case OPERAND_OBJECT:
    good = scan_object(scan, limit, &value);
    break;
  default:
    good = scan_number(scan, limit, &value);
    break;
  }
  *out = (uint8_t)value;
  return good;
}

/* ---- Ops ------------------------------------------------------------------------------------- */

/* The literal text of a form up to its next operand. */
static const char *
literal_of(const char *form, char literal[FORM_MAX])
{
  size_t length = strcspn(form, "%");

  assert(length < FORM_MAX);
  memcpy(literal, form, length);
  literal[length] = '\0';
  return form + length;
}

static bool
scan_form(struct scan *scan, enum program_dialect dialect, const struct op_info *info,
          const char *form, struct op *op)
{
  char literal[FORM_MAX];

  while (*form != '\0') {
    form = literal_of(form, literal);
    if (!(*form == '%' ? scan_prefix(scan, literal) : scan_text(scan, literal)))
      return false;
    if (*form == '%') {
      unsigned which = (unsigned)(form[1] - '1');

      if (!scan_operand(scan, dialect, info->operands[which], &op->operands[which]))
        return false;
      form += 2;
    }
  }
  return scan_end(scan);
}

/* The guarded form: `%1 = t { … }` or `t { … }`. */
static void
guarded(const struct op_info *info, char form[FORM_MAX])
{
  static const char assignment[] = "%1 = ";
  const char *ruby = info->ruby;
  const char *head = "";

  if (info->operands[0] == OPERAND_DST && strncmp(ruby, assignment, sizeof assignment - 1) == 0) {
    head = assignment;
    ruby += sizeof assignment - 1;
  }
  snprintf(form, FORM_MAX, "%st { %s }", head, ruby);
}

bool
scan_op_as(struct scan *scan, enum program_dialect dialect, unsigned code, struct op *op)
{
  const char *start = scan->at;
  unsigned count;
  const struct op_info *info = &op_table(dialect, &count)[code];
  char forms[2][FORM_MAX];

  assert(code < count);
  snprintf(forms[0], FORM_MAX, "%s", info->ruby);
  guarded(info, forms[1]);
  for (unsigned i = 0; i < 2; i++) {
    *op = (struct op){.code = (uint8_t)code};
    scan->at = start;
    if (scan_form(scan, dialect, info, forms[i], op))
      return true;
  }
  scan->at = start;
  return false;
}

bool
scan_op(struct scan *scan, enum program_dialect dialect, struct op *op)
{
  unsigned count;

  op_table(dialect, &count);
  for (unsigned code = 0; code < count; code++)
    if (scan_op_as(scan, dialect, code, op))
      return true;
  return false;
}
