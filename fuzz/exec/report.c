/* report.c - from broken state to a finding, and the end of the run that met it.
 *
 * The finding is filled in while the run may be dying: no allocation, no lock.
 */
#include "fuzz/exec/report.h"

#include <stdio.h>

#include "fuzz/exec/sanitize.h"
#include "fuzz/exec/symbols.h"
#include "fuzz/exec/threads.h"
#include "rgc/faults.h"

static struct exec_result orphan_result; /* for what dies outside of a run */

void
sim_oracle_begin(void *self)
{
  struct sim_thread *thread = sim_self();

  (void)self;
  if (thread != NULL)
    thread->oracle_depth++;
  TSAN(__tsan_ignore_thread_begin());
}

void
sim_oracle_end(void *self)
{
  struct sim_thread *thread = sim_self();

  (void)self;
  if (thread != NULL)
    thread->oracle_depth--;
  TSAN(__tsan_ignore_thread_end());
}

void
report_text_add(char *to, size_t to_size, const char *from)
{
  size_t at = 0;

  while (at < to_size && to[at] != '\0')
    at++;
  if (at < to_size)
    exec_copy_text(to + at, to_size - at, from);
}

static void
note_faults(struct finding *finding)
{
#ifdef RGC_WITH_FAULTS
  size_t count = 0;
  const struct rgc_fault_info *rows = rgc_fault_list(&count);

  for (size_t i = 0; i < count; i++) {
    if (!rgc_fault_switches[i])
      continue;
    if (finding->faults[0] != '\0')
      report_text_add(finding->faults, sizeof finding->faults, ",");
    report_text_add(finding->faults, sizeof finding->faults, rows[i].id);
  }
#else
  (void)finding;
#endif
}

struct finding *
sim_finding_begin(const char *oracle, const char *rule)
{
  const struct sim_thread *thread = sim_self();

  if (sim.on_threads)
    threads_claim_report();
  if (sim.result == NULL)
    sim.result = &orphan_result;
  struct finding *finding = &sim.result->finding;
  exec_zero(finding, sizeof *finding);
  sim.result->verdict = EXEC_FINDING;
  exec_copy_text(finding->oracle, sizeof finding->oracle, oracle);
  exec_copy_text(finding->rule, sizeof finding->rule, rule);
  finding->thread = sim_thread_self(NULL);
  finding->step = sim.result->stats.ops;
  exec_copy_text(finding->host, sizeof finding->host,
                 exec_host_name(sim.on_threads ? EXEC_HOST_THREADS : EXEC_HOST_SIM));
  finding->schedule_point = sim.points;
  sim.result->stats.schedule_points = sim.points;
  if (thread != NULL && thread->op_name != NULL) {
    finding->op_index = thread->op_index;
    exec_copy_text(finding->op_name, sizeof finding->op_name, thread->op_name);
  }
  note_faults(finding);
  return finding;
}

unsigned
report_stack(char names[FINDING_STACK_MAX][80], const uintptr_t *pcs, size_t count)
{
  unsigned filled = 0;
  const char *last = NULL;

  for (size_t i = 0; i < count && filled < FINDING_STACK_MAX; i++) {
    const char *name = symbol_name(pcs[i]);

    if (name == NULL || name == last || (filled == 0 && symbol_is_machinery(name)))
      continue;
    last = name;
    exec_copy_text(names[filled++], sizeof names[0], name);
  }
  return filled;
}

void
report_stack_here(struct finding *finding, uintptr_t frame)
{
  uintptr_t pcs[64];
  size_t count = frames_walk(frame, pcs, sizeof pcs / sizeof pcs[0]);

  finding->stack_count = report_stack(finding->stack, pcs, count);
}

void
sim_finding_publish(void)
{
  if (sim.reported)
    return;
  sim.reported = true;
  if (sim.options != NULL && sim.options->on_finding != NULL)
    sim.options->on_finding(sim.options->arg, &sim.result->finding);
}

bool
report_is_published(void)
{
  if (sim.on_threads)
    threads_claim_report();
  return sim.reported;
}

void
sim_abandon(void)
{
  struct sim_thread *thread = sim_self();

  sim_oracle_begin(NULL);
  sim_finding_publish();
  while (thread != NULL && thread->oracle_depth > 0)
    sim_oracle_end(NULL);
  if (sim.on_threads)
    threads_die();
  sim.abandoned = true;
  fiber_switch(FIBER_ROOT);
  __builtin_trap();
}

/* Which oracle speaks through a rule of the core or of the interpreters. */
static const char *
oracle_of(const char *rule)
{
  if (rule[0] == 'I' && rule[1] == 'N' && rule[2] == 'V' && rule[3] == '-')
    return "O1";
  return rule[0] == 'O' && rule[1] == '5' ? "O5" : "core";
}

void
report_bucket(struct finding *finding, const char *rule, const char *where)
{
  finding->bucket[0] = '\0';
  report_text_add(finding->bucket, sizeof finding->bucket, rule);
  report_text_add(finding->bucket, sizeof finding->bucket, ":");
  report_text_add(finding->bucket, sizeof finding->bucket, where);
}

void
sim_fail(void *self, const struct rgc_failure *failure)
{
  struct finding *finding = sim_finding_begin(oracle_of(failure->rule), failure->rule);

  (void)self;
  report_bucket(finding, failure->rule, failure->where);
  exec_copy_text(finding->text, sizeof finding->text, failure->text);
  exec_copy_text(finding->phase, sizeof finding->phase, failure->phase);
  report_stack_here(finding, (uintptr_t)__builtin_frame_address(0));
  if (sim_self() == NULL) {
    sim_finding_publish();
    __builtin_trap();
  }
  sim_abandon();
}

void
sim_verdict(const char *oracle, const char *rule, const char *where, const char *text)
{
  if (sim.options != NULL && sim.options->progress_off && oracle[1] == '4' && sim_self() != NULL) {
    sim.abandoned = true;
    fiber_switch(FIBER_ROOT);
  }
  struct finding *finding = sim_finding_begin(oracle, rule);

  report_bucket(finding, rule, where);
  exec_copy_text(finding->text, sizeof finding->text, text);
  report_stack_here(finding, (uintptr_t)__builtin_frame_address(0));
  if (sim_self() == NULL) {
    sim_finding_publish();
    return;
  }
  sim_abandon();
}
