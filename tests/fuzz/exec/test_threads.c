/* test_threads.c - the threads host alone: the same subjects as test_sim.c, on real threads.  What
 * ends a process runs in a fresh one, "test-exec-threads BODY PERTURB", since TSan starts no
 * threads in a process that was forked. */
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
#include "fuzz/exec/threads.h"
#include "tests/fuzz/exec/subject.h"

enum { RUNS = 50, CHILD_RUNS = 5, DEADLOCK_TRIES = 50 };

static struct program program;
static struct exec_options options;
static struct exec_result result;
static struct subject subject;

static const struct {
  const char *name;
  void (*body)(void *arg);
} bodies[] = {{"race", subject_race},         {"locked", subject_locked},
              {"deadlock", subject_deadlock}, {"lost-wakeup", subject_lost_wakeup},
              {"spin", subject_spin},         {"stall", subject_stall},
              {"crash", subject_crash},       {"recursion", subject_recursion},
              {"fail", subject_fail},         {"wrong-size", subject_wrong_size}};

static void
run(void (*body)(void *arg), unsigned seed)
{
  program_clear(&program, PROGRAM_RACTOR);
  /* Each sleeps after its first mutex, so that the subject of deadlocks mostly gets into one. */
  program.preemption_count = 2;
  program.preemptions[0] = (struct preemption){1, RGC_SITE_OP, 0, 2};
  program.preemptions[1] = (struct preemption){2, RGC_SITE_OP, 0, 1};
  options.perturb = seed;
  memset(&result, 0, sizeof result);
  subject_init(&subject, threads_platform());
  threads_run(&program, &options, &result, body, &subject);
}

static void
run_to_end(void (*body)(void *arg), unsigned seed)
{
  run(body, seed);
  assert_int_equal(result.verdict, EXEC_CLEAN);
  sim_memory_reset(false);
  sim_release();
}

static void
locked_counter_is_exact(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < RUNS; seed++) {
    run_to_end(subject_locked, seed);
    assert_int_equal(subject.shared, 8);
  }
}

static void
condition_hands_over(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < RUNS; seed++) {
    run_to_end(subject_handoff, seed);
    assert_int_equal(subject.shared, 43);
    assert_int_equal(subject.wait_result, RGC_WAIT_WOKEN);
  }
}

static void
idle_program_waits_end(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < RUNS; seed++) {
    run_to_end(subject_idle, seed);
    assert_int_equal(subject.shared, 2);
    assert_int_equal(subject.wait_result, RGC_WAIT_IDLE);
  }
}

static void
threads_are_numbered_and_all_joined(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < RUNS; seed++) {
    unsigned count[3] = {0};

    run_to_end(subject_steps, seed);
    assert_int_equal(subject.log_count, 12);
    for (unsigned i = 0; i < 12; i++) {
      assert_in_range(subject.log[i], 1, 2);
      count[subject.log[i]]++;
    }
    assert_int_equal(count[1], 6);
    assert_int_equal(threads_current(), FIBER_ROOT);
  }
  assert_int_equal(result.stats.schedule_points, 3 * 12);
}

static void
a_thread_over_the_limit_is_refused(void **state)
{
  (void)state;
  options.limits.threads = 2;
  run_to_end(subject_steps_of_one, 0);
  options.limits.threads = FINDING_THREAD_MAX;
  assert_int_equal(subject.log_count, 6);
}

static void
leaks_are_counted(void **state)
{
  (void)state;
  run(subject_leak, 0);
  assert_int_equal(sim.block_bytes, 100);
  sim_memory_reset(false);
  sim_release();
}

/* ---- In a fresh process --------------------------------------------------------------------- */

static void
tell_parent(void *arg, const struct finding *finding)
{
  (void)arg;
  (void)!write(STDOUT_FILENO, finding->bucket, strlen(finding->bucket));
  (void)!write(STDOUT_FILENO, "\n", 1);
}

static int
run_named(const char *name, unsigned seed)
{
  options.on_finding = tell_parent;
  options.limits.seconds = strcmp(name, "stall") == 0 ? 1 : 20;
  /* The runtime of libFuzzer's builds has a handler that prints a lot. */
  signal(SIGSEGV, SIG_DFL);
  signal(SIGABRT, SIG_DFL);
  signals_setup();
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
    if (strcmp(name, bodies[i].name) == 0)
      run(bodies[i].body, seed);
  }
  return 0;
}

/* Returns the exit code; `text` is all that the child's findings said. */
static int
run_in_child(const char *name, unsigned seed, char *text, size_t text_size)
{
  int ends[2];
  int status = 0;
  size_t filled = 0;
  ssize_t got;
  char number[16];

  snprintf(number, sizeof number, "%u", seed);
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl("/proc/self/exe", "test-exec-threads", name, number, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  while ((got = read(ends[0], text + filled, text_size - 1 - filled)) > 0)
    filled += (size_t)got;
  text[filled] = '\0';
  close(ends[0]);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Exactly one record, whatever the other threads did meanwhile. */
static void
child_finds(const char *name, const char *bucket)
{
  char text[400];
  char wanted[200];

  snprintf(wanted, sizeof wanted, "%s\n", bucket);
  for (unsigned seed = 0; seed < CHILD_RUNS; seed++) {
    assert_int_equal(run_in_child(name, seed, text, sizeof text), DEATH_EXIT_CODE);
    assert_string_equal(text, wanted);
  }
}

static void
deadlock_is_found_at_once(void **state)
{
  char text[400];
  unsigned found = 0;

  (void)state;
  for (unsigned seed = 0; seed < DEADLOCK_TRIES && found < 3; seed++) {
    int code = run_in_child("deadlock", seed, text, sizeof text);

    if (code == 0)
      continue;
    assert_int_equal(code, DEATH_EXIT_CODE);
    assert_string_equal(text, "INV-DEADLOCK:first+join+second\n");
    found++;
  }
  assert_int_equal(found, 3);
}

static void
lost_wakeup_is_a_deadlock(void **state)
{
  (void)state;
  child_finds("lost-wakeup", "INV-DEADLOCK:join+signal");
}

static void
standing_still_is_a_hang(void **state)
{
  char text[400];

  (void)state;
  assert_int_equal(run_in_child("stall", 0, text, sizeof text), DEATH_EXIT_CODE);
  assert_string_equal(text, "hang:-\n");
}

static void
livelock_is_found(void **state)
{
  char text[400];

  (void)state;
  assert_int_equal(run_in_child("spin", 0, text, sizeof text), DEATH_EXIT_CODE);
  assert_string_equal(text, "INV-LIVELOCK:-\n");
}

static void
broken_rules_end_the_process(void **state)
{
  (void)state;
  child_finds("fail", "INV-TEST:fail_holding");
  child_finds("wrong-size", "memory-size:memory_free");
}

static void
crash_becomes_a_finding(void **state)
{
  (void)state;
  child_finds("crash", "SIGSEGV:read_wild");
  child_finds("recursion", "stack-overflow:dig");
}

/* TSan sees the mutexes of the subject and nothing of the host's own. */
static void
race_is_reported_and_its_locked_twin_is_not(void **state)
{
  char text[400];

  (void)state;
  if (strcmp(exec_sanitizer(), "tsan") != 0)
    skip();
  child_finds("race", "data-race:write store_shared|write store_shared");
  for (unsigned seed = 0; seed < CHILD_RUNS; seed++)
    assert_int_equal(run_in_child("locked", seed, text, sizeof text), 0);
}

static int
setup(void)
{
  char problem[256] = "";

  exec_options_default(&options);
  options.host = EXEC_HOST_THREADS;
  if (exec_setup(problem, sizeof problem) && program_init(&program, PROGRAM_RACTOR))
    return 0;
  print_error("%s\n", problem);
  return -1;
}

int
main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(locked_counter_is_exact),
      cmocka_unit_test(condition_hands_over),
      cmocka_unit_test(idle_program_waits_end),
      cmocka_unit_test(threads_are_numbered_and_all_joined),
      cmocka_unit_test(a_thread_over_the_limit_is_refused),
      cmocka_unit_test(leaks_are_counted),
      cmocka_unit_test(deadlock_is_found_at_once),
      cmocka_unit_test(lost_wakeup_is_a_deadlock),
      cmocka_unit_test(standing_still_is_a_hang),
      cmocka_unit_test(livelock_is_found),
      cmocka_unit_test(broken_rules_end_the_process),
      cmocka_unit_test(crash_becomes_a_finding),
      cmocka_unit_test(race_is_reported_and_its_locked_twin_is_not),
  };

  if (setup() != 0)
    return 1;
  int code = argc == 3 ? run_named(argv[1], (unsigned)strtoul(argv[2], NULL, 10))
                       : cmocka_run_group_tests(tests, NULL, NULL);
  program_free(&program);
  return code;
}
