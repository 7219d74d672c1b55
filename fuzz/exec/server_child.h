/* server_child.h - the process in which a server (server.h) has inputs run. */
#ifndef GCSTORM_EXEC_SERVER_CHILD_H
#define GCSTORM_EXEC_SERVER_CHILD_H

#include <sys/types.h>

#include "fuzz/exec/job.h"

/* In the child, after fork: sets up the rest, then answers requests until they end.  `parent` is
 * the server, with which it dies. */
_Noreturn void server_child_run(struct job *job, pid_t parent, int requests, int answers);

#endif
