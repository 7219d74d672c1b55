/* environment.c - see environment.h. */
#include "fuzz/exec/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rgc/faults.h"

const char *
environment_get(const char *name)
{
  const char *value = getenv(name);

  return value == NULL || value[0] == '\0' ? NULL : value;
}

bool
environment_verify(const char *text, enum exec_verify *out)
{
  static const char *const names[] = {"off", "cycles", "phases"};

  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(text, names[i]) == 0) {
      *out = (enum exec_verify)i;
      return true;
    }
  }
  return false;
}

bool
environment_host(const char *text, enum exec_host *out)
{
  for (unsigned i = 0; i < EXEC_HOST_COUNT; i++) {
    if (strcmp(text, exec_host_name((enum exec_host)i)) == 0) {
      *out = (enum exec_host)i;
      return true;
    }
  }
  return false;
}

bool
environment_number(const char *text, uint64_t *out)
{
  char *end;

  errno = 0;
  *out = strtoull(text, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

bool
environment_faults(const char *list, char *problem, size_t problem_size)
{
  char id[96];

  while (*list != '\0') {
    size_t length = strcspn(list, ",");

    if (length >= sizeof id)
      length = sizeof id - 1;
    memcpy(id, list, length);
    id[length] = '\0';
    if (length > 0 && !rgc_fault_set(id, true)) {
      snprintf(problem, problem_size, "%s: %s",
               rgc_faults_compiled() ? "no such fault" : "this build has no seeded faults", id);
      return false;
    }
    list += strcspn(list, ",");
    list += *list == ',';
  }
  return true;
}

struct exec_stats *
environment_stats(void)
{
  const char *path = environment_get("GCSTORM_STATS");
  struct stat status;
  void *map = MAP_FAILED;

  if (path == NULL)
    return NULL;
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0)
    return NULL;
  if (fstat(file, &status) == 0 && ((size_t)status.st_size >= sizeof(struct exec_stats) ||
                                    ftruncate(file, (off_t)sizeof(struct exec_stats)) == 0))
    map = mmap(NULL, sizeof(struct exec_stats), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return map == MAP_FAILED ? NULL : map;
}

void
environment_stats_add(struct exec_stats *shared, const struct exec_stats *one)
{
  uint64_t *to = (uint64_t *)(void *)shared;
  const uint64_t *from = (const uint64_t *)(const void *)one;

  for (size_t i = 0; i < sizeof *one / sizeof *from; i++) {
    if (from[i] != 0)
      __atomic_fetch_add(&to[i], from[i], __ATOMIC_RELAXED);
  }
}
