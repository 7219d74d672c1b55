/* faults.c - the table of seeded faults and their switches (see rgc/faults.h). */
#include "rgc/faults.h"

#include <string.h>

static const struct rgc_fault_info fault_table[] = {
#define RGC_FAULT_ROW(id, component, series, section, oracle, text)                                \
  {#id, component, series, section, oracle, text},
#include "gc-core/faults.def"
#undef RGC_FAULT_ROW
};

#ifdef RGC_WITH_FAULTS
bool rgc_fault_switches[RGC_FAULT_COUNT];
#endif

const struct rgc_fault_info *
rgc_fault_list(size_t *count)
{
  *count = RGC_FAULT_COUNT;
  return fault_table;
}

bool
rgc_faults_compiled(void)
{
#ifdef RGC_WITH_FAULTS
  return true;
#else
  return false;
#endif
}

bool
rgc_fault_set(const char *id, bool on)
{
  for (size_t i = 0; i < RGC_FAULT_COUNT; i++) {
    if (strcmp(fault_table[i].id, id) != 0)
      continue;
#ifdef RGC_WITH_FAULTS
    rgc_fault_switches[i] = on;
    return true;
#else
    (void)on;
    return false;
#endif
  }
  return false;
}
