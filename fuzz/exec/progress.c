/* progress.c - see progress.h. */
#include "fuzz/exec/progress.h"

#include "fuzz/exec/sim.h"
#include "fuzz/exec/watch.h"
#include "rgc/rgc.h"

/* No op needs as many: one or two an allocation, and a message has at most some thousand nodes. */
enum { COLLECTIONS_OF_OP_MAX = 20000 };

/* A broadcast makes its waiters runnable at once.  So whoever is still out of the schedule although
 * the op that sent to it has ended, or the thread that it waits for is gone, was not told. */
static const char *
lost_wakeup(unsigned id)
{
  const struct sim_thread *thread = &sim.threads[id];
  const struct watch_thread *known = &sim.watch->threads[id];

  if (thread->state != SIM_ON_COND || thread->wait_kind != RGC_WAIT_PROGRAM)
    return NULL;
  if (known->waits_on != NULL && known->waits_on->pending > 0)
    return "message";
  if (known->waits_for != WATCH_NONE && sim.threads[known->waits_for].state == SIM_DONE)
    return "exit";
  return NULL;
}

void
progress_check_waiters(void)
{
  char text[FINDING_TEXT_MAX];

  if (sim.watch == NULL || sim.options->progress_off)
    return;
  for (unsigned i = 0; i < sim.thread_count; i++) {
    const char *what = lost_wakeup(i);

    if (what == NULL)
      continue;
    sim_wait_graph(text, sizeof text);
    sim_verdict("O4", "INV-WAKE", what, text);
  }
}

static void
headway_failed(const char *where, const char *text)
{
  if (!sim.options->progress_off)
    sim_verdict("O4", "INV-HEADWAY", where, text);
}

/* After a global collection no limit is exceeded, so the next one that a limit triggers follows on
 * what raised the count: a promotion or an absorb that of shareables, a death that of zombie pages.
 * Each thread may have decided on one while another's ran. */
static void
count_global(enum rgc_reason reason)
{
  if (reason == RGC_REASON_SHAREABLES && ++sim.shareable_globals > sim.thread_count)
    headway_failed("shareables", "the shareable limit triggers global collections in a row, though "
                                 "nothing was promoted or absorbed between them");
  if (reason == RGC_REASON_ZOMBIES && ++sim.zombie_globals > sim.thread_count)
    headway_failed("zombies", "zombie pages trigger global collections in a row, though no Ractor "
                              "died between them");
}

void
progress_event(enum rgc_event event, uint64_t a)
{
  if (sim.on_threads)
    return; /* these counts are of one thread at a time */
  switch (event) {
  case RGC_EVENT_WORLD_STOPPED:
    count_global((enum rgc_reason)a);
    break;
  case RGC_EVENT_OBJSPACE_CREATED: /* it may be disowned, which makes a zombie too */
  case RGC_EVENT_OBJSPACE_RETIRED:
    sim.zombie_globals = 0;
    break;
  case RGC_EVENT_ABSORBED:
  case RGC_EVENT_PROMOTED:
    sim.shareable_globals = 0;
    break;
  default:
    break;
  }
  if (event != RGC_EVENT_LOCAL_BEGIN && event != RGC_EVENT_WORLD_STOPPED)
    return;
  if (++sim.collections_of_op > COLLECTIONS_OF_OP_MAX)
    headway_failed("op", "no op ends, though collections go on");
}

void
progress_op(void)
{
  if (!sim.on_threads)
    sim.collections_of_op = 0;
}
