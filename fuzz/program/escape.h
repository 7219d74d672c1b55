/* escape.h - foreign text inside a message, which stays one line that a terminal only shows. */
#ifndef GCSTORM_ESCAPE_H
#define GCSTORM_ESCAPE_H

#include <stddef.h>

/* Copies `text` to `to` of `size` bytes, cut where it is full.  Control characters become \n, \t or
 * \xNN; the rest stays, names in other scripts too. */
void escape_controls(char *to, size_t size, const char *text);

/* The same for what stands in the text of a program: bytes that are no ASCII become \xNN as well,
 * so that what looks right and is not can be told.  Takes `length` bytes. */
void escape_ascii(char *to, size_t size, const char *text, size_t length);

#endif
