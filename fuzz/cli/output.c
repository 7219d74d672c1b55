/* output.c - see output.h. */
#include "fuzz/cli/output.h"

#include <string.h>
#include <sys/stat.h>

#include "fuzz/campaign/files.h"

bool
output_is_same(const char *a, const char *b)
{
  struct stat one, other;

  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

int
output_check(const struct command *command, const char *path)
{
  char problem[10000];

  if (file_check_place(path, problem, sizeof problem))
    return -1;
  complain(command, "%s", problem);
  return EXIT_USAGE;
}

static bool
name_ends(const char *name, const char *end)
{
  size_t length = strlen(name);

  return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

int
output_check_bytes(const struct command *command, const char *path)
{
  const char *what = name_ends(path, ".rb")     ? "text"
                     : name_ends(path, ".json") ? "the record of a finding"
                                                : NULL;

  if (what == NULL)
    return output_check(command, path);
  complain(command,
           "%s would hold a program's bytes, but so named is %s; name a .bin, which gcstorm show "
           "prints as text",
           path, what);
  return EXIT_USAGE;
}
