/* process.c - see process.h. */
#include "fuzz/campaign/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Where Debian keeps the unversioned llvm-symbolizer that the sanitizers look for on PATH. */
static const char symbolizer_folder[] = "/usr/lib/llvm-19/bin";

static void
set_environment(const char *const *environment)
{
  const char *path = getenv("PATH");
  char longer[8192];

  snprintf(longer, sizeof longer, "%s%s%s", path != NULL ? path : "", path != NULL ? ":" : "",
           symbolizer_folder);
  setenv("PATH", longer, 1);
  for (; environment != NULL && *environment != NULL; environment++) {
    const char *equals = strchr(*environment, '=');
    char name[64];

    if (equals == NULL)
      continue;
    snprintf(name, sizeof name, "%.*s", (int)(equals - *environment), *environment);
    if (equals[1] == '\0')
      unsetenv(name);
    else
      setenv(name, equals + 1, 1);
  }
}

static void
redirect(int from, int to)
{
  if (from < 0)
    from = open("/dev/null", to == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  if (from >= 0 && from != to)
    dup2(from, to);
}

/* In the child, after fork.  `report` tells the parent why exec failed. */
static _Noreturn void
become(const struct process_request *request, pid_t parent, int report)
{
  sigset_t none;
  int error;

  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  redirect(request->input > 0 ? request->input : -1, STDIN_FILENO);
  redirect(request->output, STDOUT_FILENO);
  redirect(request->errors, STDERR_FILENO);
  set_environment(request->environment);
  /* TSan cannot place its shadow on kernels with many random bits.  Where this is forbidden the
   * child starts anyhow and says itself what is wrong. */
  personality(ADDR_NO_RANDOMIZE);
  execv(request->arguments[0], request->arguments);
  error = errno;
  if (write(report, &error, sizeof error) < 0)
    _exit(126);
  _exit(127);
}

pid_t
process_start(const struct process_request *request)
{
  int report[2];
  int error = 0;
  pid_t parent = getpid();
  pid_t child;

  if (pipe2(report, O_CLOEXEC) != 0)
    return -1;
  fflush(NULL);
  child = fork();
  if (child == 0)
    become(request, parent, report[1]);
  close(report[1]);
  if (child > 0) {
    ssize_t size;

    do
      size = read(report[0], &error, sizeof error);
    while (size < 0 && errno == EINTR);
    if (size == (ssize_t)sizeof error) {
      waitpid(child, NULL, 0);
      child = -1;
      errno = error;
    }
  }
  close(report[0]);
  return child;
}

void
process_describe(char *text, size_t size, int status)
{
  if (WIFSIGNALED(status))
    snprintf(text, size, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else
    snprintf(text, size, "exit code %d", WEXITSTATUS(status));
}

unsigned long long
clock_ms(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long long)now.tv_sec * 1000 + (unsigned long long)now.tv_nsec / 1000000;
}
