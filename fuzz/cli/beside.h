/* beside.h - what the record beside a finding says where the command line says nothing. */
#ifndef GCSTORM_CLI_BESIDE_H
#define GCSTORM_CLI_BESIDE_H

#include <jansson.h>
#include <stdbool.h>

#include "fuzz/cli/options.h"

/* Options of a command; each is NULL when it was not given, and stays so when the record does not
 * say it.  What is taken points into the record or is constant. */
struct beside {
  const char *sanitizer;
  const char *harness;
  const char *faults;
};

/* Reads the record beside `file`, to be freed by the caller; NULL when there is none.  False, and
 * complained: it is damaged. */
bool beside_read(const struct command *command, const char *file, json_t **record);

/* Takes over what was not given.  False, and complained: the record says what there is not. */
bool beside_take(const struct command *command, const char *file, const json_t *record,
                 struct beside *options);

/* Whether the record says that the finding was made on threads. */
bool beside_is_of_threads(const json_t *record);

#endif
