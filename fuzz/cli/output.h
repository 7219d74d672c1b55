/* output.h - where a command writes a program: checked before the work, so that neither the work
 * nor what is there is lost.
 */
#ifndef GCSTORM_CLI_OUTPUT_H
#define GCSTORM_CLI_OUTPUT_H

#include <stdbool.h>

#include "fuzz/cli/options.h"

/* Whether both names are there and are one file. */
bool output_is_same(const char *a, const char *b);

/* Whether a file can be written there.  -1: go on; else complained, the exit code. */
int output_check(const struct command *command, const char *path);

/* The same for a program's bytes, which a name of text or of a record would have misread. */
int output_check_bytes(const struct command *command, const char *path);

#endif
