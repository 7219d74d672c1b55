/* test_sim.c - the simulator alone: locks, conditions, progress, schedules, and what becomes of a
 * run that dies.  Whatever ends a process runs in a child, which writes its bucket to a pipe. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fuzz/exec/death.h"
#include "fuzz/exec/exec.h"
#include "fuzz/exec/progress.h"
#include "fuzz/exec/shadow.h"
#include "fuzz/exec/sim.h"
#include "fuzz/exec/watch.h"
#include "tests/fuzz/exec/subject.h"

/* TSan reports nothing in the children of a process that has forked some 250 times. */
enum { SCHEDULES = 100, WATCHED_RACES = 30 };

static struct program program;
static struct exec_options options;
static struct exec_result result;
static struct subject subject;

static void
plan(enum schedule_policy policy, unsigned seed)
{
  program_clear(&program, PROGRAM_RACTOR);
  program.policy = (uint8_t)policy;
  program.quantum = (uint8_t)(1 + seed % 5);
  program.depth = 3;
  program.schedule_seed = (uint16_t)seed;
}

static bool observed; /* runs have the oracles O3 and O8 */
static struct shadow shadow;
static struct rgc_observer observer;

static void
no_roots(void *self, unsigned objspace, rgc_root_sink *sink, void *arg)
{
  (void)self;
  (void)objspace;
  (void)sink;
  (void)arg;
}

static void
take_verdict(void *arg, const char *oracle, const char *rule, const char *where, const char *text)
{
  (void)arg;
  sim_verdict(oracle, rule, where, text);
}

static unsigned
current_thread(void)
{
  return sim_thread_self(NULL);
}

static void
watch(void)
{
  static const struct rgc_subject nobody = {.each_root = no_roots};

  if (shadow.objects == NULL)
    assert_true(shadow_setup(&shadow, (uintptr_t)sim.arena, SIM_ARENA_SIZE));
  shadow_reset(&shadow);
  shadow.report = take_verdict;
  shadow.thread = current_thread;
  shadow.model = true;
  shadow.stores = true;
  observer = shadow_observer(&shadow);
  observer.began(&shadow, &nobody);
}

static unsigned trail; /* how much the threads of subject_trail do */

static bool watched; /* runs have the oracles O4 and O6 */
static struct watch log_of_run;

static struct op_subject subjects[FIBER_THREAD_MAX]; /* of each thread's op */

static bool
op_begin(void *self, unsigned op_index, unsigned code, unsigned objspace,
         const struct op_subject *about)
{
  (void)op_index;
  (void)objspace;
  subjects[sim_thread_self(NULL)] = *about;
  watch_op_begin(self, code, about);
  return true;
}

static void
op_end(void *self, unsigned op_index, unsigned code, bool effective, unsigned outcome,
       const struct op_value *value)
{
  (void)effective;
  sim_trace_op(op_index, "op", outcome, value->digest);
  watch_op_end(self, op_index, code, &subjects[sim_thread_self(NULL)], outcome, value);
  progress_check_waiters();
}

static void
block_begin(void *self, unsigned ractor, const struct op_value *argument)
{
  watch_block_begin(self, ractor, argument);
}

static void
block_end(void *self, unsigned outcome)
{
  watch_block_end(self, outcome);
}

/* False: the run was given up. */
static bool
run(void (*body)(void *arg))
{
  memset(&result, 0, sizeof result);
  subject_init(&subject, sim_platform());
  subject.trail = trail;
  if (observed) {
    watch();
    subject.platform.observer = &observer;
    subject.arena = (uintptr_t)sim.arena;
  }
  static const struct observer ops = {&log_of_run, op_begin, op_end, block_begin, block_end};
  if (watched) {
    watch_reset(&log_of_run);
    sim.watch = &log_of_run;
    subject.watch = &ops;
  }
  bool finished = sim_run(&program, &options, &result, body, &subject);
  return finished;
}

static void
tidy(bool finished)
{
  sim_memory_reset(!finished);
  sim_release();
}

static void
run_to_end(void (*body)(void *arg))
{
  bool finished = run(body);

  if (!finished)
    print_error("%s: %s\n", result.finding.bucket, result.finding.text);
  assert_true(finished);
  tidy(true);
}

static void
run_to_finding(void (*body)(void *arg), const char *bucket)
{
  assert_false(run(body));
  assert_int_equal(result.verdict, EXEC_FINDING);
  assert_string_equal(result.finding.bucket, bucket);
  tidy(false);
}

static void
locked_counter_is_exact(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < SCHEDULES; seed++) {
    plan((enum schedule_policy)(seed % SCHEDULE_POLICY_COUNT), seed);
    run_to_end(subject_locked);
    assert_int_equal(subject.shared, 8);
  }
}

static void
condition_hands_over(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < SCHEDULES; seed++) {
    plan((enum schedule_policy)(seed % SCHEDULE_POLICY_COUNT), seed);
    run_to_end(subject_handoff);
    assert_int_equal(subject.shared, 43);
  }
}

/* What a collection or a wait under a lock would end in. [INV-LOCK-LEAF] */
static void
deadlock_is_found_where_there_is_one(void **state)
{
  (void)state;
  plan(SCHEDULE_RUN, 0);
  run_to_end(subject_deadlock);
  plan(SCHEDULE_ROUND_ROBIN, 0);
  program.quantum = 1;
  run_to_finding(subject_deadlock, "INV-DEADLOCK:first+join+second");
  assert_non_null(strstr(result.finding.text, "waits for lock \"second\" held by thread 2"));
  assert_string_equal(result.finding.oracle, "O4");
}

static void
lost_wakeup_is_a_deadlock(void **state)
{
  (void)state;
  plan(SCHEDULE_RUN, 0);
  run_to_finding(subject_lost_wakeup, "INV-DEADLOCK:join+signal");
  assert_non_null(strstr(result.finding.text, "waits for condition \"signal\""));
}

static void
idle_program_waits_end(void **state)
{
  (void)state;
  plan(SCHEDULE_RUN, 0);
  run_to_end(subject_idle);
  assert_int_equal(subject.shared, 2);
  assert_int_equal(subject.wait_result, RGC_WAIT_IDLE);
}

static void
livelock_is_found(void **state)
{
  (void)state;
  plan(SCHEDULE_RUN, 0);
  run_to_finding(subject_spin, "INV-LIVELOCK:-");
}

static void
policy_run_switches_only_when_blocked(void **state)
{
  (void)state;
  plan(SCHEDULE_RUN, 0);
  run_to_end(subject_steps);
  assert_int_equal(subject.log_count, 12);
  for (unsigned i = 0; i < 12; i++)
    assert_int_equal(subject.log[i], i < 6 ? 1 : 2);
}

static void
preemption_is_exact(void **state)
{
  (void)state;
  plan(SCHEDULE_RUN, 0);
  program.preemption_count = 2;
  program.preemptions[0] = (struct preemption){1, RGC_SITE_OP, 3, 2};
  program.preemptions[1] = (struct preemption){2, RGC_SITE_OP, 1, 1};
  run_to_end(subject_steps);
  static const unsigned wanted[12] = {1, 1, 1, 2, 1, 1, 1, 2, 2, 2, 2, 2};
  for (unsigned i = 0; i < 12; i++)
    assert_int_equal(subject.log[i], wanted[i]);
}

static void
failed_thread_start_is_planned(void **state)
{
  (void)state;
  plan(SCHEDULE_RUN, 0);
  program.failure_count = 1;
  program.failures[0] = (struct failure){FAILURE_PAGE, 2, 1};
  struct rgc_platform platform = sim_platform();
  sim.program = &program;
  memset(sim.requests, 0, sizeof sim.requests);
  static const bool wanted[5] = {true, false, false, true, true};
  for (unsigned i = 0; i < 5; i++)
    assert_int_equal(platform.ops->page_allowed(platform.self), wanted[i]);
  sim_release();
}

static void
leaks_and_sizes_are_counted(void **state)
{
  (void)state;
  plan(SCHEDULE_RUN, 0);
  assert_true(run(subject_leak));
  assert_int_equal(sim.block_bytes, 100);
  tidy(true);
  assert_int_equal(sim.block_bytes, 0);
  run_to_finding(subject_wrong_size, "memory-size:memory_free");
}

static void
a_given_up_run_leaves_no_trace(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < SCHEDULES; seed++) {
    plan(SCHEDULE_ROUND_ROBIN, seed);
    run_to_finding(subject_fail, "INV-TEST:fail_holding");
    assert_string_equal(result.finding.oracle, "O1");
    run_to_end(subject_locked);
    assert_int_equal(subject.shared, 8);
  }
}

static int child_pipe;

static void
tell_parent(void *arg, const struct finding *finding)
{
  (void)arg;
  (void)!write(child_pipe, finding->bucket, strlen(finding->bucket));
}

/* Runs `body` in a child process.  Returns its exit code; `bucket` is empty when it had no finding.
 */
static int
run_in_child(void (*body)(void *arg), char *bucket, size_t bucket_size)
{
  int ends[2];
  int status = 0;

  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    child_pipe = ends[1];
    options.on_finding = tell_parent;
    /* cmocka has put its own handlers in place of ours. */
    signal(SIGSEGV, SIG_DFL);
    signals_setup();
    sanitizer_setup(); /* else each child leaves its report in a file */
    _exit(run(body) ? 0 : 1);
  }
  close(ends[1]);
  ssize_t got = read(ends[0], bucket, bucket_size - 1);
  bucket[got > 0 ? got : 0] = '\0';
  close(ends[0]);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
expect_race(void (*body)(void *arg))
{
  char bucket[160];

  assert_int_equal(run_in_child(body, bucket, sizeof bucket), 66);
  assert_string_equal(bucket, "data-race:write store_shared|write store_shared");
}

static void
race_is_reported_under_every_schedule(void **state)
{
  (void)state;
  if (strcmp(exec_sanitizer(), "tsan") != 0)
    skip();
  for (unsigned seed = 0; seed < SCHEDULES; seed++) {
    plan((enum schedule_policy)(seed % SCHEDULE_POLICY_COUNT), seed);
    expect_race(subject_race);
  }
}

/* Whatever the process ran before, the same races of the same run are found. */
static void
race_is_a_function_of_the_run(void **state)
{
  char first[160], bucket[160];

  (void)state;
  if (strcmp(exec_sanitizer(), "tsan") != 0)
    skip();
  plan(SCHEDULE_RUN, 0);
  assert_int_equal(run_in_child(subject_crowd, first, sizeof first), 66);
  for (trail = 1; trail <= 16; trail++) {
    run_to_end(subject_trail);
    assert_int_equal(run_in_child(subject_crowd, bucket, sizeof bucket), 66);
    assert_string_equal(bucket, first);
  }
}

/* Two fibers through O3 and O8: nothing to report, and no edge that would hide a race. */
static void
oracles_make_no_edge(void **state)
{
  (void)state;
  observed = true;
  for (unsigned seed = 0; seed < SCHEDULES; seed++) {
    plan((enum schedule_policy)(seed % SCHEDULE_POLICY_COUNT), seed);
    run_to_end(subject_observed);
    if (strcmp(exec_sanitizer(), "tsan") != 0)
      continue;
    expect_race(subject_race_observed);
  }
  observed = false;
}

/* Both threads are in every part of the log, and it is whole. */
static void
check_log(void)
{
  unsigned rows[FIBER_THREAD_MAX] = {0};
  unsigned senders = 0;

  assert_int_equal(log_of_run.cut, WATCH_UNCUT);
  for (unsigned i = 0; i < log_of_run.row_count; i++)
    rows[log_of_run.rows[i].thread]++;
  assert_int_equal(rows[0], 1);
  assert_int_equal(rows[1], 14);
  assert_int_equal(rows[2], 14);
  for (unsigned i = 0; i < WATCH_PORT_MAX; i++)
    senders |= log_of_run.ports[i].used && log_of_run.ports[i].owner == 0
                   ? log_of_run.ports[i].senders
                   : 0u;
  assert_int_equal(senders, 6);
  assert_int_equal(log_of_run.threads[0].takers, 6);
  assert_true(sim.collections_of_op > 0);
}

/* The same through O4 and the log of O6. */
static void
progress_and_log_make_no_edge(void **state)
{
  (void)state;
  watched = true;
  for (unsigned seed = 0; seed < SCHEDULES; seed++) {
    plan((enum schedule_policy)(seed % SCHEDULE_POLICY_COUNT), seed);
    assert_true(run(subject_watched));
    check_log();
    tidy(true);
    if (strcmp(exec_sanitizer(), "tsan") == 0 && seed < WATCHED_RACES)
      expect_race(subject_race_watched);
  }
  watched = false;
}

static void
crash_becomes_a_finding(void **state)
{
  char bucket[160];

  (void)state;
  plan(SCHEDULE_RUN, 0);
  assert_int_equal(run_in_child(subject_crash, bucket, sizeof bucket), 66);
  assert_string_equal(bucket, "SIGSEGV:read_wild");
  assert_int_equal(run_in_child(subject_recursion, bucket, sizeof bucket), 66);
  assert_string_equal(bucket, "stack-overflow:dig");
}

static int
setup(void **state)
{
  char problem[256] = "";

  (void)state;
  exec_options_default(&options);
  if (!exec_setup(problem, sizeof problem) || !program_init(&program, PROGRAM_RACTOR)) {
    print_error("%s\n", problem);
    return -1;
  }
  return 0;
}

static int
teardown(void **state)
{
  (void)state;
  program_free(&program);
  return 0;
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(locked_counter_is_exact),
      cmocka_unit_test(condition_hands_over),
      cmocka_unit_test(deadlock_is_found_where_there_is_one),
      cmocka_unit_test(lost_wakeup_is_a_deadlock),
      cmocka_unit_test(idle_program_waits_end),
      cmocka_unit_test(livelock_is_found),
      cmocka_unit_test(policy_run_switches_only_when_blocked),
      cmocka_unit_test(preemption_is_exact),
      cmocka_unit_test(failed_thread_start_is_planned),
      cmocka_unit_test(leaks_and_sizes_are_counted),
      cmocka_unit_test(a_given_up_run_leaves_no_trace),
      cmocka_unit_test(race_is_reported_under_every_schedule),
      cmocka_unit_test(race_is_a_function_of_the_run),
      cmocka_unit_test(oracles_make_no_edge),
      cmocka_unit_test(progress_and_log_make_no_edge),
      cmocka_unit_test(crash_becomes_a_finding),
  };

  return cmocka_run_group_tests(tests, setup, teardown);
}
