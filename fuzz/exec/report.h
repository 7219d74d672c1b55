/* report.h - filling in a finding: shared by the simulator, the sanitizer hooks and the signal
 * handlers.  All of it is async-signal-safe. */
#ifndef GCSTORM_EXEC_REPORT_H
#define GCSTORM_EXEC_REPORT_H

#include "fuzz/exec/sim.h"

/* Appends, cut to the size. */
void report_text_add(char *to, size_t to_size, const char *from);

/* bucket = rule ":" where */
void report_bucket(struct finding *finding, const char *rule, const char *where);

/* Names of the functions at `pcs`, without the machinery on top.  Returns their number. */
unsigned report_stack(char names[FINDING_STACK_MAX][80], const uintptr_t *pcs, size_t count);

/* Fills finding->stack from a frame pointer on. */
void report_stack_here(struct finding *finding, uintptr_t frame);

bool report_is_published(void);

#endif
