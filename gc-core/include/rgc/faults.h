/* faults.h - switchable faults, compiled to nothing unless the build asks for them.
 *
 * `if (FAULT(shref_clear_skipped)) …` marks one line of deliberately wrong behaviour at the place
 * it concerns.  gc-core/faults.def lists every fault.  The switches are one of the two exceptions
 * to "no mutable file-level state".
 */
#ifndef RGC_FAULTS_H
#define RGC_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

enum rgc_fault {
#define RGC_FAULT_ROW(id, component, series, section, oracle, text) RGC_FAULT_##id,
#include "../../faults.def"
#undef RGC_FAULT_ROW
  RGC_FAULT_COUNT
};

struct rgc_fault_info {
  const char *id;
  const char *component;
  const char *series;  /* entry of the fault catalogue it is drawn from, or "own" */
  const char *section; /* of the source document */
  const char *oracle;  /* expected to see it: O1, O2, … */
  const char *text;    /* what is broken */
};

const struct rgc_fault_info *rgc_fault_list(size_t *count);

/* True when this build has the faults compiled in. */
bool rgc_faults_compiled(void);

/* Switches one fault; false when there is no such id or the build has none. */
bool rgc_fault_set(const char *id, bool on);

#ifdef RGC_WITH_FAULTS
extern bool rgc_fault_switches[RGC_FAULT_COUNT];
#define FAULT(id) (rgc_fault_switches[RGC_FAULT_##id])
#else
#define FAULT(id) false
#endif

#endif
