/* printer.h - programs as text.
 *
 * The Ruby form.  Magic comments (`# gcstorm: …`) carry settings, schedule, failures and stress.
 * Each block is a method b0 (main's), b1, … over registers r0 … r15, of which r1 is its argument.
 * An op stands in `t { … }`, which swallows the program's exceptions and then answers nil: an op
 * that raises leaves nil in its destination.  `finish` and `raise` stand bare: they end the block.
 * Where Ruby would see ops behind a `return`, all of the block's `finish` are throws.
 *
 * Bodies.  `loop n, m` runs the next m ops (cut at the end of the block) n times; inside a loop
 * body it does nothing and prints as a comment.  `skip_if_nil r, m` skips the next m ops (cut at
 * the end of the block or of the enclosing loop body).  Where these nest they print as Ruby blocks,
 * with m in a comment if the body is cut.  Where a body ends inside another they cannot; then the
 * whole block prints as `G.flow`, a list of steps that follows the rule literally: a lambda for an
 * op, G.loop(n, m), G.skip(m) { condition }.  The way back is parser.h.
 */
#ifndef GCSTORM_PRINTER_H
#define GCSTORM_PRINTER_H

#include <stdio.h>

#include "fuzz/program/program.h"

/* Ruby text; for the events dialect a script `gc_events do … end`. */
void program_print_ruby(const struct program *program, FILE *file);

/* What the Ruby form needs to run on a stock ruby; stands before it, and parses back to nothing. */
void program_print_prelude(FILE *file);

/* A flat numbered list of ops (printer_flat.c). */
void program_print_ops(const struct program *program, FILE *file);
/* What else the program carries: settings, schedule, variants, failures and stress, as comments. */
void program_print_schedule(const struct program *program, FILE *file);
void program_print_json(const struct program *program, FILE *file);

/* The magic comments alone: that of version and dialect, and those of the schedule. */
void program_print_comments(const struct program *program, FILE *file);

#endif
