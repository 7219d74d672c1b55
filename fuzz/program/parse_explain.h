/* parse_explain.h - why a line is no op, said to the person who wrote it. */
#ifndef GCSTORM_PARSE_EXPLAIN_H
#define GCSTORM_PARSE_EXPLAIN_H

#include "fuzz/program/parse_form.h"

/* What was expected at the furthest place of the scan, and what stands there instead. */
void explain_expected(const struct scan *scan, char *text, size_t size);

/* Why `line` is no op of the dialect, nor `N.times do` or `unless rN.nil?`.  Returns the place in
 * the line that the text is about. */
const char *explain_op(const char *line, enum program_dialect dialect, char *text, size_t size);

#endif
