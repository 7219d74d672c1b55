/* parse_form.h - one line of text against the Ruby forms of the op tables. */
#ifndef GCSTORM_PARSE_FORM_H
#define GCSTORM_PARSE_FORM_H

#include "fuzz/program/program.h"

/* How much a complaint tells at one place; the most telling one stays, equal ones are joined. */
enum scan_rank {
  SCAN_LITERAL, /* a piece of some form */
  SCAN_THING,   /* a kind of operand, or another thing with a name */
  SCAN_RANGE    /* what stands there is of the right kind, but out of range */
};

/* A line being read: `at` moves on; the furthest place that any attempt reached is kept, with what
 * was expected there, since that is the most useful complaint. */
struct scan {
  const char *line; /* ends with '\0' */
  const char *at;
  const char *furthest;
  enum scan_rank rank;
  char expected[320];
};

void scan_begin(struct scan *scan, const char *line);
void scan_expected(struct scan *scan, const char *at, const char *what); /* a SCAN_THING */
/* Forgets other complaints: this is the one. */
void scan_insist(struct scan *scan, const char *at, const char *what);
void scan_blanks(struct scan *scan);
/* Takes literal text; a blank in it stands for any number of blanks.  A prefix may run on, as the
 * b of a block does into its number; other text ends at the end of a word. */
bool scan_prefix(struct scan *scan, const char *text);
bool scan_text(struct scan *scan, const char *text);
bool scan_number(struct scan *scan, unsigned limit, unsigned *value);
/* Takes a word of letters, digits and '_'; false if it is longer than the buffer or empty. */
bool scan_word(struct scan *scan, char *word, size_t size);
bool scan_end(struct scan *scan); /* only blanks and a comment are left */

/* Takes an op in any of its forms, with or without its guard.  The operands of block kind are
 * numbers of blocks less one. */
bool scan_op(struct scan *scan, enum program_dialect dialect, struct op *op);
/* The same for one row of the table alone. */
bool scan_op_as(struct scan *scan, enum program_dialect dialect, unsigned code, struct op *op);

#endif
