/* server.h - the worker as a process that stays: it answers requests (wire.h) until its input ends.
 *
 * It sets up what does not change, then runs each input in a child forked from it, which takes one
 * request after the other until a finding ends it; then the next is forked.  Whatever happens to a
 * child (a sanitizer's report, a signal, an exit, too much time or memory) becomes the record of
 * its request; the server itself runs no program.
 *
 * Fibers are made in the child: TSan ignores everything in a child of a process with more than one
 * thread, and each fiber is a thread to it.
 */
#ifndef GCSTORM_EXEC_SERVER_H
#define GCSTORM_EXEC_SERVER_H

#include "fuzz/exec/job.h"

/* Serves standard input and output.  Returns the exit code: 0 at the end of the input, 2 after a
 * frame that is none, 3 when nothing can run here. */
int server_run(struct job *job);

#endif
