/* faults.c - see faults.h.  The rows come from gc-core/faults.def itself. */
#include "fuzz/campaign/faults.h"

#include <stdio.h>
#include <string.h>

static const struct fault_row rows[] = {
#define RGC_FAULT_ROW(id, component, series, section, oracle, text)                                \
  {#id, component, series, section, oracle, text},
#include "gc-core/faults.def"
#undef RGC_FAULT_ROW
};

const struct fault_row *
fault_rows(size_t *count)
{
  *count = sizeof rows / sizeof rows[0];
  return rows;
}

static bool
fault_known(const char *id, size_t length)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strlen(rows[i].id) == length && strncmp(rows[i].id, id, length) == 0)
      return true;
  return false;
}

bool
faults_known(const char *list, char *unknown, size_t unknown_size)
{
  for (;;) {
    size_t length = strcspn(list, ",");

    if (!fault_known(list, length)) {
      snprintf(unknown, unknown_size, "%.*s", (int)length, list);
      return false;
    }
    list += length;
    if (*list == '\0')
      return true;
    list++;
  }
}
