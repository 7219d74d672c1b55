/* process.h - child processes: started without address randomisation and in their own group. */
#ifndef GCSTORM_CAMPAIGN_PROCESS_H
#define GCSTORM_CAMPAIGN_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process_request {
  char *const *arguments; /* arguments[0] is the path */
  const char *const
      *environment; /* "NAME=value" added to ours, or "NAME=" to remove; ends in NULL */
  int output;       /* becomes stdout; -1: /dev/null */
  int errors;       /* becomes stderr; -1: /dev/null */
  int input;        /* becomes stdin; 0: /dev/null */
};

/* Starts the child.  -1: no process could be made, or the program cannot be executed (errno). */
pid_t process_start(const struct process_request *request);

/* "exit code 3", "signal 11 (Segmentation fault)" of a wait status. */
void process_describe(char *text, size_t size, int status);

/* A monotonic clock in milliseconds; for progress and time limits only. */
unsigned long long clock_ms(void);

#endif
