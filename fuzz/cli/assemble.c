/* assemble.c - gcstorm assemble: from the Ruby text of a program to its bytes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/campaign/files.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/options.h"
#include "fuzz/cli/output.h"
#include "fuzz/program/parser.h"

static const struct command command = {
    .name = "assemble",
    .summary = "turns the Ruby text of a program into its bytes",
    .synopsis = "FILE.rb -o OUT",
    .details = "The text is what gcstorm show prints, or a script of that form written by hand:\n"
               "docs/PROGRAMS.md.  OUT is a kept file, with the header that names its dialect;\n"
               "its name ends in neither .rb, which is text, nor .json, which is a record.\n",
};

static int
write_program(const struct program *program, const char *path)
{
  uint8_t header[PROGRAM_HEADER_SIZE];
  size_t size = program_encoded_size(program);
  uint8_t *bytes = malloc(size);
  int code = EXIT_CLEAN;

  if (bytes == NULL) {
    complain(&command, "out of memory");
    return EXIT_ENVIRONMENT;
  }
  program_encode(program, bytes, size);
  if (!file_write(path, header, program_header(program->dialect, header), bytes, size)) {
    complain(&command, "cannot write %s: %s; name a file that you may write", path,
             strerror(errno));
    code = EXIT_USAGE;
  }
  free(bytes);
  return code;
}

static int
assemble(const char *from, const char *to)
{
  struct program program;
  struct parse_problem where = {0};
  char problem[5000];
  uint8_t *data;
  size_t size;
  int code = EXIT_USAGE;

  if (!file_read(from, (size_t)1 << 24, &data, &size, problem, sizeof problem)) {
    complain(&command, "%s", problem);
    return EXIT_USAGE;
  }
  if (!program_init(&program, PROGRAM_RACTOR)) {
    complain(&command, "out of memory");
    free(data);
    return EXIT_ENVIRONMENT;
  }
  if (program_parse(&program, (const char *)data, size, &where))
    code = write_program(&program, to);
  else
    complain(&command, "%s:%u:%u: %s", from, where.line, where.column, where.text);
  program_free(&program);
  free(data);
  return code;
}

/* The tables of docs/PROGRAMS.md, which a test compares with them. */
static int
print_reference(enum program_dialect dialect)
{
  unsigned count;
  const struct op_info *table = op_table(dialect, &count);

  printf("| op | form | meaning | section |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < count; i++) {
    printf("| %s | `", table[i].name);
    for (const char *c = table[i].ruby; *c != '\0'; c++)
      if (*c == '%')
        fputs(operand_name(table[i].operands[*++c - '1']), stdout);
      else if (*c == '|')
        fputs("\\|", stdout);
      else
        putchar(*c);
    printf("` | %s | %s |\n", table[i].text, table[i].section);
  }
  return finish_output(&command, EXIT_CLEAN);
}

int
command_assemble(int argc, char **argv)
{
  const char *to = NULL;
  const char *reference = NULL;
  const struct option options[] = {
      {"output", 'o', OPTION_TEXT, &to, "OUT", "file to write", 0, 0},
      {"reference", 0, OPTION_CHOICE, &reference, "ractor|events",
       "print the ops of a dialect as a Markdown table instead", 0, 0},
  };
  struct words words;
  int code = options_parse(&command, options, COUNT_OF(options), argc, argv, &words);

  if (code >= 0)
    return code;
  if (reference != NULL)
    return words.count > 0 ? usage_error(&command, "--reference takes no file")
                           : print_reference(reference[0] == 'e' ? PROGRAM_EVENTS : PROGRAM_RACTOR);
  if (words.count != 1)
    return usage_error(&command, words.count == 0 ? "no file given" : "one file at a time");
  if (to == NULL)
    return usage_error(&command, "-o OUT is needed");
  if (output_is_same(words.items[0], to))
    return usage_error(&command, "-o %s is the text itself; name another file", to);
  code = output_check_bytes(&command, to);
  return code >= 0 ? code : assemble(words.items[0], to);
}
