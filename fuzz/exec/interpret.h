/* interpret.h - runs a Ractor program on the VM. */
#ifndef GCSTORM_EXEC_INTERPRET_H
#define GCSTORM_EXEC_INTERPRET_H

#include "fuzz/exec/exec.h"
#include "fuzz/exec/observe.h"
#include "rgc/rgc.h"

/* Makes a VM with the program's settings, runs block 0 as main, winds down, checks that pages,
 * slots and off-heap bytes are conserved (O5), frees everything.  `stats` receives the world's last
 * counters.  False: no memory even for the VM (an injected failure), which is a quiet end. */
bool interpret_run(const struct program *program, const struct rgc_platform *platform,
                   enum exec_verify verify, const struct observer *observer,
                   struct rgc_world_stats *stats);

#endif
