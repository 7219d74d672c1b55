/* death.h - what ends the process (a sanitizer's report, a deadly signal) becomes a finding first.
 */
#ifndef GCSTORM_EXEC_DEATH_H
#define GCSTORM_EXEC_DEATH_H

enum { DEATH_EXIT_CODE = 66 };

/* Sends the sanitizers' own texts away unless GCSTORM_VERBOSE is set.  Once a process. */
void sanitizer_setup(void);

/* The sanitizers' own texts go to this file from now on. */
void sanitizer_show(int file);

/* Handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on their own stack.  After the finding
 * was published they go on to the handler that was there before (a fuzz engine's, which keeps the
 * input), or end the process with DEATH_EXIT_CODE. */
void signals_setup(void);

#endif
