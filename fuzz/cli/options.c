/* options.c - parsing, checking and --help from the option tables. */
#include "fuzz/cli/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/faults.h"
#include "fuzz/exec/start.h"
#include "fuzz/program/escape.h"

/* One line, whatever a file is called. */
static void
print_line_of(const char *format, va_list arguments)
{
  char text[20000], line[24000];

  vsnprintf(text, sizeof text, format, arguments);
  escape_controls(line, sizeof line, text);
  fputs(line, stderr);
}

int
usage_error(const struct command *command, const char *format, ...)
{
  va_list arguments;

  fprintf(stderr, "gcstorm %s: ", command->name);
  va_start(arguments, format);
  print_line_of(format, arguments);
  va_end(arguments);
  fprintf(stderr, "; try gcstorm %s --help\n", command->name);
  return EXIT_USAGE;
}

void
complain(const struct command *command, const char *format, ...)
{
  va_list arguments;

  fprintf(stderr, "gcstorm %s: ", command->name);
  va_start(arguments, format);
  print_line_of(format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

int
finish_output(const struct command *command, int code)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return code;
  complain(command, "cannot write the output: %s", strerror(errno));
  return EXIT_ENVIRONMENT;
}

static void
print_help(const struct command *command, const struct option *options, size_t count)
{
  printf("gcstorm %s - %s\n\nUsage: gcstorm %s %s\n\n", command->name, command->summary,
         command->name, command->synopsis);
  for (size_t i = 0; i < count; i++) {
    const struct option *option = &options[i];
    char left[96];

    if (option->letter != 0)
      snprintf(left, sizeof left, "-%c, --%s %s", option->letter, option->name,
               option->argument != NULL ? option->argument : "");
    else
      snprintf(left, sizeof left, "    --%s %s", option->name,
               option->argument != NULL ? option->argument : "");
    printf("  %-38s %s\n", left, option->text);
  }
  printf("  %-38s %s\n", "    --help", "this text");
  if (command->details != NULL)
    printf("\n%s", command->details);
  printf("\nExit codes: 0 clean, 1 finding, 2 usage or bad input, 3 something is missing here "
         "(gcstorm doctor).\n");
}

/* Whether `choices` ("a|b|c") holds the word. */
static bool
choice_known(const char *choices, const char *word, size_t length)
{
  while (*choices != '\0') {
    size_t part = strcspn(choices, "|");

    if (part == length && strncmp(choices, word, length) == 0)
      return true;
    choices += part;
    if (*choices == '|')
      choices++;
  }
  return false;
}

/* Whether the words of a list before `word` hold it already. */
static bool
list_has(const char *list, const char *word, size_t length)
{
  while (list < word) {
    size_t size = strcspn(list, ",");

    if (size == length && strncmp(list, word, size) == 0)
      return true;
    list += size + 1;
  }
  return false;
}

static int
set_list(const struct command *command, const struct option *option, const char *text)
{
  const char *word = text;

  for (;;) {
    size_t length = strcspn(word, ",");

    if (!choice_known(option->argument, word, length))
      return usage_error(command, "--%s %s: '%.*s' is none of %s", option->name, text, (int)length,
                         word, option->argument);
    if (list_has(text, word, length))
      return usage_error(command, "--%s %s: '%.*s' is there twice", option->name, text, (int)length,
                         word);
    word += length;
    if (*word == '\0')
      break;
    word++;
  }
  *(const char **)option->value = text;
  return -1;
}

static int
set_faults(const struct command *command, const struct option *option, const char *text)
{
  char unknown[64];

  if (!faults_known(text, unknown, sizeof unknown)) {
    complain(command, "no fault '%s'; try gcstorm faults list", unknown);
    return EXIT_USAGE;
  }
  *(const char **)option->value = text;
  return -1;
}

static bool
parse_number(const char *text, uint64_t *number, const char **rest)
{
  char *end;

  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *number = strtoull(text, &end, 10);
  *rest = end;
  return errno == 0;
}

static int
set_number(const struct command *command, const struct option *option, const char *text)
{
  uint64_t number;
  const char *rest;

  if (!parse_number(text, &number, &rest) || *rest != '\0' || number < option->min ||
      number > option->max)
    return usage_error(command, "--%s '%s' is not a number from %llu to %llu", option->name, text,
                       (unsigned long long)option->min, (unsigned long long)option->max);
  *(uint64_t *)option->value = number;
  return -1;
}

static int
set_seconds(const struct command *command, const struct option *option, const char *text)
{
  static const uint64_t a_month = 31ull * 24 * 3600;
  uint64_t number = 0;
  uint64_t unit = 1;
  const char *rest = text;
  bool good = parse_number(text, &number, &rest);

  if (good && *rest != '\0') {
    unit = *rest == 's' ? 1 : *rest == 'm' ? 60 : *rest == 'h' ? 3600 : 0;
    good = unit != 0 && rest[1] == '\0';
  }
  if (!good || number == 0 || number > a_month / unit)
    return usage_error(command, "--%s '%s' is not a time like 30s, 10m or 1h", option->name, text);
  *(uint64_t *)option->value = number * unit;
  return -1;
}

static int
set_option(const struct command *command, const struct option *option, const char *text)
{
  switch (option->kind) {
  case OPTION_FLAG:
    *(bool *)option->value = true;
    return -1;
  case OPTION_TEXT:
    if (*text == '\0')
      return usage_error(command, "--%s needs a value", option->name);
    *(const char **)option->value = text;
    return -1;
  case OPTION_CHOICE:
    if (!choice_known(option->argument, text, strlen(text)))
      return usage_error(command, "--%s '%s' is none of %s", option->name, text, option->argument);
    *(const char **)option->value = text;
    return -1;
  case OPTION_LIST:
    return set_list(command, option, text);
  case OPTION_FAULTS:
    return set_faults(command, option, text);
  case OPTION_NUMBER:
    return set_number(command, option, text);
  case OPTION_SECONDS:
    return set_seconds(command, option, text);
  }
  return -1;
}

/* The option that `argument` ("--name", "--name=value", "-n") names, or NULL. */
static const struct option *
find_option(const struct option *options, size_t count, const char *argument)
{
  for (size_t i = 0; i < count; i++) {
    if (argument[1] != '-') {
      if (options[i].letter != 0 && argument[1] == options[i].letter && argument[2] == '\0')
        return &options[i];
    } else {
      size_t length = strcspn(argument + 2, "=");

      if (strlen(options[i].name) == length && strncmp(options[i].name, argument + 2, length) == 0)
        return &options[i];
    }
  }
  return NULL;
}

/* One option at argv[*at]; moves *at past a value that is its own word. */
static int
parse_option(const struct command *command, const struct option *options, size_t count, int argc,
             char **argv, int *at)
{
  const char *argument = argv[*at];
  const struct option *option = find_option(options, count, argument);
  const char *value = argument[1] == '-' ? strchr(argument, '=') : NULL;

  if (option == NULL)
    return usage_error(command, "unknown option %s", argument);
  if (option->kind == OPTION_FLAG) {
    if (value != NULL)
      return usage_error(command, "--%s takes no value", option->name);
    return set_option(command, option, NULL);
  }
  if (value != NULL)
    return set_option(command, option, value + 1);
  if (*at + 1 >= argc)
    return usage_error(command, "--%s needs a value", option->name);
  ++*at;
  return set_option(command, option, argv[*at]);
}

/* What workers are told by the environment.  -1: go on. */
static int
check_environment(const struct command *command)
{
  const char *oracles = getenv("GCSTORM_ORACLES");
  unsigned bits;

  if (!command->runs_programs || oracles == NULL || *oracles == '\0' ||
      start_oracles(oracles, &bits))
    return -1;
  complain(command, "GCSTORM_ORACLES is '%s'; it must be all, none, shadow or stores", oracles);
  return EXIT_USAGE;
}

int
options_parse(const struct command *command, const struct option *options, size_t option_count,
              int argc, char **argv, struct words *words)
{
  bool only_words = false;

  words->items = argv + 1;
  words->count = 0;
  for (int i = 1; i < argc; i++) {
    char *argument = argv[i];

    if (only_words || argument[0] != '-' || argument[1] == '\0') {
      words->items[words->count++] = argument;
    } else if (strcmp(argument, "--") == 0) {
      only_words = true;
    } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      print_help(command, options, option_count);
      return finish_output(command, EXIT_CLEAN);
    } else {
      int code = parse_option(command, options, option_count, argc, argv, &i);

      if (code >= 0)
        return code;
    }
  }
  return check_environment(command);
}
