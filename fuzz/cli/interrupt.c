/* interrupt.c - see interrupt.h. */
#include "fuzz/cli/interrupt.h"

volatile sig_atomic_t interrupt_seen;

static void
on_interrupt(int number)
{
  (void)number;
  interrupt_seen = 1;
}

void
interrupts_catch(void)
{
  struct sigaction action = {.sa_handler = on_interrupt};

  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}
