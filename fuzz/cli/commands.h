/* commands.h - the subcommands.  Each gets its own argv (argv[0] is its name) and returns the exit
 * code. */
#ifndef GCSTORM_CLI_COMMANDS_H
#define GCSTORM_CLI_COMMANDS_H

int command_run(int argc, char **argv);
int command_show(int argc, char **argv);
int command_assemble(int argc, char **argv);
int command_minimize(int argc, char **argv);
int command_corpus(int argc, char **argv);
int command_generate(int argc, char **argv);
int command_fuzz(int argc, char **argv);
int command_faults(int argc, char **argv);
int command_doctor(int argc, char **argv);

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The harness names, as choices of an option. */
#define HARNESS_CHOICES "ractor_program|gc_events"
#define SANITIZER_CHOICES "none|asan|tsan"
#define ENGINE_CHOICES "libfuzzer|afl"
#define HOST_CHOICES "sim|threads"

#endif
