/* start.c - see start.h. */
#include "fuzz/exec/start.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/exec/exec.h"

bool
start_standard_files(void)
{
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
    if (fcntl(file, F_GETFD) >= 0 || errno != EBADF)
      continue;
    /* The lowest number that is free, which is this one. */
    if (open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY) != file)
      return false;
  }
  return true;
}

bool
start_oracles(const char *text, unsigned *out)
{
  static const char *const names[] = {"all", "none", "shadow", "stores", "shadow,stores"};
  static const unsigned bits[] = {EXEC_ORACLE_ALL, 0, EXEC_ORACLE_SHADOW, EXEC_ORACLE_STORES,
                                  EXEC_ORACLE_ALL};

  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(text, names[i]) == 0) {
      *out = bits[i];
      return true;
    }
  }
  return false;
}
