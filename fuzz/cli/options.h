/* options.h - command-line options of the subcommands, described by tables.
 *
 * Each subcommand has one table; parsing, checking and --help are driven by it.  A bad option or
 * value is one line on stderr and exit code 2.
 */
#ifndef GCSTORM_CLI_OPTIONS_H
#define GCSTORM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of the command. */
enum { EXIT_CLEAN = 0, EXIT_FINDING = 1, EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3 };

enum option_kind {
  OPTION_FLAG,   /* bool */
  OPTION_TEXT,   /* const char * */
  OPTION_CHOICE, /* const char *; `argument` lists what is allowed: "a|b|c" */
  OPTION_LIST,   /* const char *; comma-separated, each of `argument` ("a|b|c") */
  OPTION_FAULTS, /* const char *; comma-separated fault ids */
  OPTION_NUMBER, /* uint64_t, min to max */
  OPTION_SECONDS /* uint64_t; written 30s, 10m, 1h or plain seconds */
};

struct option {
  const char *name; /* without the dashes */
  char letter;      /* short form, or 0 */
  enum option_kind kind;
  void *value;
  const char *argument;
  const char *text;
  uint64_t min;
  uint64_t max;
};

struct command {
  const char *name;
  const char *summary;
  const char *synopsis;
  const char *details; /* further paragraphs of --help; may be NULL */
  bool runs_programs;  /* and so reads GCSTORM_ORACLES */
};

struct words {
  char **items; /* into argv */
  size_t count;
};

/* Parses argv[1…]; the rest words go to `words` (items point into argv, which is reordered).
 * Returns -1 to go on, else the exit code. */
int options_parse(const struct command *command, const struct option *options, size_t option_count,
                  int argc, char **argv, struct words *words);

/* Prints "gcstorm NAME: MESSAGE; try gcstorm NAME --help" and returns EXIT_USAGE. */
int usage_error(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints "gcstorm NAME: MESSAGE" on stderr. */
void complain(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Flushes stdout.  When that failed (disk full), complains and returns EXIT_ENVIRONMENT instead of
 * `code`. */
int finish_output(const struct command *command, int code);

#endif
