/* escape.c - see escape.h. */
#include "fuzz/program/escape.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether a terminal would act on what stands here: also on the controls of two bytes in UTF-8. */
static bool
is_control(const unsigned char *at, bool second)
{
  return at[0] < ' ' || at[0] == 0x7f || (second && at[0] >= 0x80 && at[0] < 0xa0);
}

/* One byte, escaped, or as it is.  Returns how many were written to `to`, of at least 5. */
static size_t
put(char *to, unsigned char byte, bool escaped)
{
  if (!escaped) {
    to[0] = (char)byte;
    return 1;
  }
  if (byte == '\n' || byte == '\t') {
    memcpy(to, byte == '\n' ? "\\n" : "\\t", 2);
    return 2;
  }
  return (size_t)snprintf(to, 5, "\\x%02x", (unsigned)byte);
}

void
escape_controls(char *to, size_t size, const char *text)
{
  const unsigned char *at = (const unsigned char *)text;
  size_t length = 0;

  assert(size >= 8);
  for (bool second = false; *at != '\0' && length + 5 < size; at++) {
    length += put(to + length, *at, is_control(at, second));
    second = *at == 0xc2;
  }
  to[length] = '\0';
}

void
escape_ascii(char *to, size_t size, const char *text, size_t length)
{
  size_t written = 0;

  assert(size >= 8);
  for (size_t i = 0; i < length && written + 5 < size; i++) {
    unsigned char byte = (unsigned char)text[i];

    written += put(to + written, byte, byte < ' ' || byte >= 0x7f);
  }
  to[written] = '\0';
}
