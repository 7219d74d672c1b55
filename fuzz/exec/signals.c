/* signals.c - deadly signals become findings. */
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "fuzz/exec/death.h"
#include "fuzz/exec/report.h"
#include "fuzz/exec/sanitize.h"
#include "fuzz/exec/symbols.h"
#include "fuzz/exec/threads.h"

enum { HANDLER_STACK_SIZE = 128 * 1024, SIGNAL_FRAME_MAX = 64 };

static const struct {
  int number;
  const char *name;
} signals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
               {SIGILL, "SIGILL"},   {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}};

enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

static struct sigaction previous[SIGNAL_COUNT];
static char handler_stack[HANDLER_STACK_SIZE];

static void
interrupted_at(const void *context, uintptr_t *pc, uintptr_t *frame)
{
  const ucontext_t *user = context;

#if defined(__x86_64__)
  *pc = (uintptr_t)user->uc_mcontext.gregs[REG_RIP];
  *frame = (uintptr_t)user->uc_mcontext.gregs[REG_RBP];
#else
  *pc = (uintptr_t)user->uc_mcontext.pc;
  *frame = (uintptr_t)user->uc_mcontext.regs[29];
#endif
}

static void
note_death(unsigned index, const siginfo_t *info, const void *context)
{
  uintptr_t pcs[SIGNAL_FRAME_MAX];
  uintptr_t frame;
  const char *rule = signals[index].name;

  interrupted_at(context, &pcs[0], &frame);
  if (signals[index].number == SIGSEGV && (fiber_of_guard((uintptr_t)info->si_addr) < FIBER_COUNT ||
                                           threads_is_guard((uintptr_t)info->si_addr)))
    rule = "stack-overflow";
  struct finding *finding = sim_finding_begin("core", rule);
  size_t count = 1 + frames_walk(frame, pcs + 1, SIGNAL_FRAME_MAX - 1);
  finding->stack_count = report_stack(finding->stack, pcs, count);
  report_bucket(finding, rule, finding->stack_count == 0 ? "?" : finding->stack[0]);
  exec_copy_text(finding->text, sizeof finding->text, "the process got a deadly signal");
  sim_finding_publish();
}

static void
handle(int number, siginfo_t *info, void *context)
{
  unsigned index = 0;

  while (index + 1 < SIGNAL_COUNT && signals[index].number != number)
    index++;
  if (!report_is_published())
    note_death(index, info, context);
  if ((previous[index].sa_flags & SA_SIGINFO) != 0 && previous[index].sa_sigaction != NULL)
    previous[index].sa_sigaction(number, info, context);
  else if (previous[index].sa_handler != SIG_DFL && previous[index].sa_handler != SIG_IGN)
    previous[index].sa_handler(number);
  _exit(DEATH_EXIT_CODE);
}

void
signals_setup(void)
{
  stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};

  sigaltstack(&stack, NULL);
  for (unsigned i = 0; i < SIGNAL_COUNT; i++) {
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(signals[i].number, &action, &previous[i]);
  }
}
