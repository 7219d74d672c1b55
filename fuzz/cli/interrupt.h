/* interrupt.h - Ctrl-C and SIGTERM as a flag, for commands that then end with what they have. */
#ifndef GCSTORM_CLI_INTERRUPT_H
#define GCSTORM_CLI_INTERRUPT_H

#include <signal.h>

/* The only way a signal handler can tell the rest. */
extern volatile sig_atomic_t interrupt_seen;

void interrupts_catch(void);

#endif
