/* start.h - what a program of ours sees to before anything else: the command and the worker. */
#ifndef GCSTORM_EXEC_START_H
#define GCSTORM_EXEC_START_H

#include <stdbool.h>

/* Opens /dev/null on whichever of stdin, stdout and stderr is closed; else the next file that is
 * opened would have that number, and what is printed would go into it.  Nothing can be written to
 * a stdout that was closed, so that its loss is seen.  False: errno. */
bool start_standard_files(void);

/* "all", "none", "shadow", "stores" or "shadow,stores", as EXEC_ORACLE_….  False: none of these. */
bool start_oracles(const char *text, unsigned *out);

#endif
