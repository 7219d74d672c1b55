/* parser.h - the way back from text: the Ruby form of printer.h to a program.
 *
 * What the printer writes parses to the program that it was written from.  People may write less:
 * settings and plans that are not named keep their first choice, `t { … }`, the two lines of
 * registers and the last `r0` may be left out, and a body counts its own ops.
 */
#ifndef GCSTORM_PARSER_H
#define GCSTORM_PARSER_H

#include "fuzz/program/program.h"

struct parse_problem {
  unsigned line; /* from 1 */
  unsigned column;
  char text[480]; /* what is wrong and what was expected: one line of plain characters */
};

/* Replaces the contents of an initialised program.  False: `problem` says where and why, and the
 * program holds what was read so far.  `text` needs no end mark. */
bool program_parse(struct program *program, const char *text, size_t size,
                   struct parse_problem *problem);

/* Whether a file is text: its name ends in .rb, or it begins with "# gcstorm:". */
bool program_is_text(const char *path, const uint8_t *data, size_t size);

/* A file's contents, text or bytes, with or without header.  False with one line in `problem`,
 * which for text names line and column. */
bool program_read(struct program *program, enum program_dialect dialect, const char *path,
                  const uint8_t *data, size_t size, char *problem, size_t problem_size);

#endif
