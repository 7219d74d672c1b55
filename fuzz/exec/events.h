/* events.h - runs a program of GC events on the bare collector, without a VM. */
#ifndef GCSTORM_EXEC_EVENTS_H
#define GCSTORM_EXEC_EVENTS_H

#include "fuzz/exec/exec.h"
#include "fuzz/exec/observe.h"
#include "rgc/rgc.h"

/* Runs the ops of block 0 in order, each where rgc_phase_may allows it; then ends every cycle,
 * absorbs everything into objspace 0, checks the accounts (O5) and frees the world.  One thread
 * plays every owner in turn.  False: no memory even for the world. */
bool events_run(const struct program *program, const struct rgc_platform *platform,
                enum exec_verify verify, const struct observer *observer,
                struct rgc_world_stats *stats);

#endif
