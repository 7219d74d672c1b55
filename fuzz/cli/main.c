/* main.c - finds the subcommand. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/cli/commands.h"
#include "fuzz/cli/options.h"
#include "fuzz/exec/start.h"

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *text;
} commands[] = {
    {"fuzz", command_fuzz, "fuzz for a time; keep and summarise what is found"},
    {"run", command_run, "replay inputs and judge them"},
    {"show", command_show, "print an input as a Ruby program, ops or schedule"},
    {"assemble", command_assemble, "turn the Ruby text of a program into its bytes"},
    {"minimize", command_minimize, "make a finding's program as small as it gets"},
    {"corpus", command_corpus, "keep programs and check that they do what they did"},
    {"generate", command_generate, "write fresh programs"},
    {"faults", command_faults, "list the seeded faults"},
    {"doctor", command_doctor, "say what is installed and what is missing"},
};

static void
print_usage(FILE *file)
{
  fprintf(file, "gcstorm - finds bugs in a per-Ractor garbage collector\n\n"
                "Usage: gcstorm COMMAND [OPTION…]\n\n");
  for (size_t i = 0; i < COUNT_OF(commands); i++)
    fprintf(file, "  %-10s %s\n", commands[i].name, commands[i].text);
  fprintf(file,
          "\ngcstorm COMMAND --help explains one; gcstorm --version prints the version.\n"
          "\nThe environment variable GCSTORM_BUILD names the build folder, which holds a folder "
          "a preset;\nwithout it, it is the nearest folder above the command that does.\n");
}

int
main(int argc, char **argv)
{
  static const struct command self = {.name = "help"};

  if (!start_standard_files()) {
    fprintf(stderr, "gcstorm: cannot open /dev/null in place of what is closed\n");
    return EXIT_ENVIRONMENT;
  }
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a write says it */
  if (argc < 2) {
    fprintf(stderr, "gcstorm: no command given; try gcstorm --help\n");
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      strcmp(argv[1], "help") == 0) {
    print_usage(stdout);
    return finish_output(&self, EXIT_CLEAN);
  }
  if (strcmp(argv[1], "--version") == 0) {
    if (argc > 2) {
      fprintf(stderr, "gcstorm: --version takes no more words; try gcstorm --help\n");
      return EXIT_USAGE;
    }
    printf("gcstorm %s\n", GCSTORM_VERSION);
    return finish_output(&self, EXIT_CLEAN);
  }
  for (size_t i = 0; i < COUNT_OF(commands); i++)
    if (strcmp(argv[1], commands[i].name) == 0)
      return commands[i].run(argc - 1, argv + 1);
  fprintf(stderr, "gcstorm: no command '%s'; try gcstorm --help\n", argv[1]);
  return EXIT_USAGE;
}
