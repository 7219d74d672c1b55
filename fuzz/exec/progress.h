/* progress.h - O4 beyond deadlock and livelock: no wake-up is lost [INV-WAKE], collections make
 * headway [INV-HEADWAY]. */
#ifndef GCSTORM_EXEC_PROGRESS_H
#define GCSTORM_EXEC_PROGRESS_H

#include <stdint.h>

#include "rgc/platform.h"

/* Called when a message or an exit has become visible, and when nothing can run. [INV-WAKE] */
void progress_check_waiters(void);

/* Called with each event of the core. [INV-HEADWAY] */
void progress_event(enum rgc_event event, uint64_t a);

/* An op has ended. */
void progress_op(void);

#endif
