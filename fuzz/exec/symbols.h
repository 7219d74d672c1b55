/* symbols.h - function names for code addresses of this program, from its own symbol table.
 *
 * The table is read once, at setup; a look-up allocates nothing, starts no other program and is
 * safe in a signal handler.  Static functions have names too; inlined ones carry their caller's.
 */
#ifndef GCSTORM_EXEC_SYMBOLS_H
#define GCSTORM_EXEC_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once a process.  False: no table; every look-up then answers NULL. */
bool symbols_setup(void);

/* The function that holds `pc`, or NULL. */
const char *symbol_name(uintptr_t pc);

/* Whether a function belongs to the machinery around the program under test: a sanitizer's runtime,
 * libc's memory functions, or the simulator. */
bool symbol_is_machinery(const char *name);

/* Return addresses, innermost first, by frame pointers from `frame` up, as long as these stay
 * within one stack.  Returns their number. */
size_t frames_walk(uintptr_t frame, uintptr_t *pcs, size_t capacity);

#endif
