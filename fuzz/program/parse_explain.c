/* parse_explain.c - see parse_explain.h.
 *
 * A line is read once more, now that it is known to be wrong: what it calls names the op that is
 * meant, and then only that op's form counts.  Without this the complaint would be what the form
 * that happened to match furthest wanted, which is seldom the one that was meant.
 */
#include "fuzz/program/parse_explain.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/program/escape.h"

enum { CALL_MAX = 40, TOKEN_MAX = 24, FORM_TEXT_MAX = 100 };

/* What a line or a form calls, with any register as rN: "Array.new", "rN.send", "return".  "rN"
 * alone is an operator on a register; empty: a number or a sign. */
struct call {
  const char *at;
  size_t length; /* in the line */
  char name[CALL_MAX];
};

/* Bytes of other scripts count as letters, as they do in Ruby. */
static bool
is_letter(char c)
{
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static const char *
past_blanks(const char *at)
{
  return at + strspn(at, " \t");
}

/* The length of a register's name, or 0.  In forms it is the sign of an operand. */
static size_t
register_length(const char *at)
{
  size_t length = 1;

  if (at[0] == '%' && isdigit((unsigned char)at[1]))
    return 2;
  if (at[0] != 'r')
    return 0;
  while (isdigit((unsigned char)at[length]))
    length++;
  return length > 1 && !is_letter(at[length]) ? length : 0;
}

/* Steps over `o[N] =`, but not where an object is what is assigned: that is a store. */
static const char *
past_entry(const char *at)
{
  const char *end = at[0] == 'o' && at[1] == '[' ? strchr(at, ']') : NULL;
  const char *next = end != NULL ? past_blanks(end + 1) : at;

  if (end == NULL || next[0] != '=' || next[1] == '=')
    return at;
  next = past_blanks(next + 1);
  return is_letter(next[0]) && is_letter(next[1]) ? next : at;
}

/* Steps over `rN =`, `o[N] =` and `t {`. */
static const char *
past_frame(const char *at)
{
  const char *next;

  at = past_blanks(at);
  if (register_length(at) > 0) {
    next = past_blanks(at + register_length(at));
    if (next[0] == '=' && next[1] != '=')
      at = past_blanks(next + 1);
  }
  at = past_entry(at);
  next = past_blanks(at + (at[0] == 't'));
  if (at[0] == 't' && next[0] == '{')
    at = past_blanks(next + 1);
  return at;
}

static struct call
call_of(const char *at)
{
  struct call call = {.at = at};
  size_t head = register_length(at);
  size_t length = head;

  if (isdigit((unsigned char)at[0]))
    return call;
  while (is_letter(at[length]) || (length > 0 && at[length] == '.' && is_letter(at[length + 1])) ||
         (length > 0 && at[length] == ':' && at[length + 1] == ':' && is_letter(at[length + 2])) ||
         (length > 0 && at[length] == ':' && at[length - 1] == ':' && is_letter(at[length + 1])))
    length++;
  call.length = length;
  snprintf(call.name, sizeof call.name, "%s%.*s", head > 0 ? "rN" : "", (int)(length - head),
           at + head);
  return call;
}

/* ---- Forms ----------------------------------------------------------------------------------- */

static bool
is_body(enum program_dialect dialect, unsigned code)
{
  return dialect == PROGRAM_RACTOR && (code == OP_loop || code == OP_skip_if_nil);
}

/* The form with its operands named, as the tables of docs/PROGRAMS.md have it. */
static void
form_text(enum program_dialect dialect, unsigned code, char text[FORM_TEXT_MAX])
{
  unsigned count;
  const struct op_info *info = &op_table(dialect, &count)[code];
  size_t length = 0;

  text[0] = '\0';
  if (is_body(dialect, code)) {
    snprintf(text, FORM_TEXT_MAX, "%s", code == OP_loop ? "N.times do" : "unless rN.nil?");
    return;
  }
  for (const char *c = info->ruby; *c != '\0' && length < FORM_TEXT_MAX - 1; c++)
    if (*c == '%')
      length += (size_t)snprintf(text + length, FORM_TEXT_MAX - length, "%s",
                                 operand_name(info->operands[*++c - '1']));
    else
      length += (size_t)snprintf(text + length, FORM_TEXT_MAX - length, "%c", *c);
}

/* Whether ops of this row are written with such a call. */
static bool
calls(enum program_dialect dialect, unsigned code, const char *name)
{
  unsigned count;
  const struct op_info *info = &op_table(dialect, &count)[code];

  struct call call = call_of(past_frame(info->ruby));

  /* A number is an operand, and those of forms all read as registers here. */
  return strcmp(call.name, name) == 0 || (name[0] == '\0' && strcmp(call.name, "rN") == 0);
}

/* ---- Names that are near --------------------------------------------------------------------- */

static unsigned
least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* How many letters differ, are missing or too many; case does not count. */
static unsigned
distance(const char *a, const char *b)
{
  unsigned row[CALL_MAX + 1];
  size_t length = strlen(b);

  assert(length < CALL_MAX);
  for (unsigned j = 0; j <= length; j++)
    row[j] = j;
  for (unsigned i = 0; a[i] != '\0'; i++) {
    unsigned diagonal = row[0];

    row[0] = i + 1;
    for (size_t j = 0; j < length; j++) {
      unsigned change = tolower((unsigned char)a[i]) != tolower((unsigned char)b[j]);
      unsigned here = least(diagonal + change, least(row[j], row[j + 1]) + 1);

      diagonal = row[j + 1];
      row[j + 1] = here;
    }
  }
  return row[length];
}

/* The row whose call is nearest; false when none is near. */
static bool
nearest(enum program_dialect dialect, const char *name, unsigned *best)
{
  unsigned count, nearest_so_far = 3;
  const struct op_info *table = op_table(dialect, &count);

  for (unsigned code = 0; code < count; code++) {
    struct call call = call_of(past_frame(table[code].ruby));
    unsigned far = distance(name, call.name);

    if (call.name[0] == '\0' || strcmp(call.name, "rN") == 0 || far >= nearest_so_far ||
        2 * far >= strlen(call.name))
      continue;
    nearest_so_far = far;
    *best = code;
  }
  return nearest_so_far < 3;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

void
explain_expected(const struct scan *scan, char *text, size_t size)
{
  const char *at = past_blanks(scan->furthest);
  const char *quote = isdigit((unsigned char)*at) ? "" : "'";
  char token[4 * TOKEN_MAX + 8];
  size_t length = 0;

  while (length < TOKEN_MAX && is_letter(at[length]))
    length++;
  if (length == 0 && *at != '\0' && *at != '#')
    length = 1;
  escape_ascii(token, sizeof token, at, length);
  if (length == 0)
    snprintf(text, size, "expected %s, not the end of the line", scan->expected);
  else
    snprintf(text, size, "expected %s, not %s%s%s", scan->expected, quote, token, quote);
}

static void
append_form(char *text, size_t size, enum program_dialect dialect, unsigned code)
{
  size_t length = strlen(text);
  char form[FORM_TEXT_MAX];

  form_text(dialect, code, form);
  snprintf(text + length, size - length, ", as in `%s`", form);
}

/* The line calls `name`, which is that of one or more rows: what do these want? */
static const char *
explain_known(const char *line, const char *name, enum program_dialect dialect, char *text,
              size_t size)
{
  unsigned count, code, meant = 0, rows = 0;
  struct scan scan;
  struct op op;

  op_table(dialect, &count);
  scan_begin(&scan, line);
  for (code = 0; code < count; code++) {
    const char *before = scan.furthest;

    if (!calls(dialect, code, name))
      continue;
    scan.at = past_blanks(line);
    scan_op_as(&scan, dialect, code, &op);
    rows = scan.furthest > before || rows == 0 ? 1 : rows + 1;
    if (rows == 1)
      meant = code;
  }
  if (scan.furthest == past_blanks(past_frame(line)) && scan.furthest > past_blanks(line) &&
      scan.rank != SCAN_RANGE && name[0] == '\0')
    scan_insist(&scan, scan.furthest,
                "nil, a number from 0 to 255, a register r0 to r15 or an op such as {}");
  explain_expected(&scan, text, size);
  if (name[0] != '\0' && strcmp(name, "rN") != 0 && strcmp(name, "nil") != 0)
    append_form(text, size, dialect, meant);
  return scan.furthest;
}

static const char *
explain_unknown(const struct call *call, enum program_dialect dialect, char *text, size_t size)
{
  char name[4 * CALL_MAX], form[FORM_TEXT_MAX];
  const char *next = past_blanks(call->at + call->length);
  unsigned code;

  escape_ascii(name, sizeof name, call->at, call->length < CALL_MAX ? call->length : CALL_MAX);
  if (dialect == PROGRAM_RACTOR && next[0] == '=' && next[1] != '=' && strchr(name, '.') == NULL)
    snprintf(text, size,
             "expected a register r0 to r15, not '%s': a program has no other variables", name);
  else if (!nearest(dialect, call->name, &code))
    snprintf(text, size, "no op '%s'; docs/PROGRAMS.md lists them", name);
  else {
    form_text(dialect, code, form);
    snprintf(text, size, "no op '%s'; the nearest is `%s`, and docs/PROGRAMS.md lists all", name,
             form);
  }
  return call->at;
}

static const char *
explain_loop(const char *line, char *text, size_t size)
{
  struct scan scan;
  unsigned value;

  scan_begin(&scan, line);
  if (scan_number(&scan, operand_limit(OPERAND_COUNT), &value) && scan_text(&scan, ".times do"))
    scan_end(&scan);
  explain_expected(&scan, text, size);
  append_form(text, size, PROGRAM_RACTOR, OP_loop);
  return scan.furthest;
}

const char *
explain_op(const char *line, enum program_dialect dialect, char *text, size_t size)
{
  const char *start = past_blanks(line);
  struct call call = call_of(past_frame(line));
  unsigned count;
  struct scan scan;

  if (dialect == PROGRAM_RACTOR && isdigit((unsigned char)*start))
    return explain_loop(line, text, size);
  op_table(dialect, &count);
  for (unsigned code = 0; code < count; code++)
    if ((call.name[0] != '\0' || call.at != start) && calls(dialect, code, call.name))
      return explain_known(line, call.name, dialect, text, size);
  if (call.name[0] != '\0')
    return explain_unknown(&call, dialect, text, size);
  scan_begin(&scan, start);
  scan_expected(&scan, start,
                dialect == PROGRAM_RACTOR
                    ? "an op such as r1.send(r0), N.times do, unless rN.nil?, a register r0 to "
                      "r15, return rN or end"
                    : "an op such as collect :s0, :minor, an object o[0] to o[31] or end");
  explain_expected(&scan, text, size);
  return start;
}
