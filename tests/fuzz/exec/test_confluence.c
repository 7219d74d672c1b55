/* test_confluence.c - O6 and the rules of O4 that follow a program: silent on the sound core, with
 * several fibers in both; each seeded fault is seen by its oracle and by no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/exec/confluence.h"
#include "fuzz/exec/exec.h"
#include "fuzz/exec/sim.h"
#include "fuzz/mutate/generate.h"
#include "rgc/faults.h"

enum { PROGRAMS = 150, HUNTED = 20000 };

static struct exec_options options;
static struct exec_result result;
static struct program program;

static void
generate(enum generate_profile profile, unsigned seed)
{
  struct generate_options wanted = {.profile = profile};

  generate_program(&program, PROGRAM_RACTOR, &wanted, 1000 + seed);
}

static void
programs_observe_the_same_in_all_variants(void **state)
{
  unsigned compared = 0, with_ractors = 0;

  (void)state;
  options.variants = 5;
  for (unsigned seed = 0; seed < PROGRAMS; seed++) {
    generate(GENERATE_CONFLUENT, seed);
    exec_run_program(&program, &options, &result);
    if (result.verdict != EXEC_CLEAN)
      print_error("%u: %s %s\n", seed, result.finding.bucket, result.finding.text);
    assert_int_equal(result.verdict, EXEC_CLEAN);
    compared += result.stats.runs_compared != 0;
    with_ractors += result.stats.switches > 0;
  }
  assert_true(compared > PROGRAMS * 9 / 10);
  assert_true(with_ractors > PROGRAMS / 2);
  options.variants = EXEC_VARIANTS_OF_PROGRAM;
}

static void
variants_leave_trace_and_log_alone(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < 20; seed++) {
    generate(GENERATE_CONFLUENT, seed);
    options.variants = 0;
    exec_run_program(&program, &options, &result);
    uint64_t trace = result.trace_hash, log = result.observation_hash;
    options.variants = 3;
    exec_run_program(&program, &options, &result);
    assert_int_equal(result.trace_hash, trace);
    assert_int_equal(result.observation_hash, log);
  }
  options.variants = EXEC_VARIANTS_OF_PROGRAM;
}

/* ---- Comparing logs -------------------------------------------------------------------------- */

static struct watch first, second;

static void
make_logs(void)
{
  watch_reset(&first);
  first.thread_count = 2;
  first.threads[0].name = 1;
  first.threads[1].name = 7;
  first.row_count = 3;
  first.rows[0] = (struct watch_row){.kind = WATCH_OP, .code = OP_nil};
  first.rows[1] = (struct watch_row){.kind = WATCH_OP, .thread = 1, .code = OP_receive};
  first.rows[2] = (struct watch_row){.kind = WATCH_OP, .code = OP_value};
  second = first;
}

static void
threads_are_compared_each_for_itself(void **state)
{
  struct confluence_difference difference;

  (void)state;
  make_logs();
  second.rows[0] = first.rows[1];
  second.rows[1] = first.rows[0];
  assert_int_equal(confluence_compare(&first, &second, &difference), CONFLUENCE_SAME);
  second.row_count = 2; /* cut earlier */
  assert_int_equal(confluence_compare(&first, &second, &difference), CONFLUENCE_SAME);
  second.rows[0].value.digest = 5;
  assert_int_equal(confluence_compare(&first, &second, &difference), CONFLUENCE_DIFFERENT);
  assert_int_equal(difference.thread, 1);
  assert_ptr_equal(difference.first, &first.rows[1]);
}

static void
two_senders_of_a_port_decide_nothing(void **state)
{
  struct confluence_difference difference;

  (void)state;
  make_logs();
  second.rows[1].value.digest = 5;
  first.ports[9] = (struct watch_port){.used = 1, .owner = 1, .senders = 1};
  second.ports[9] = first.ports[9];
  assert_int_equal(confluence_compare(&first, &second, &difference), CONFLUENCE_DIFFERENT);
  second.ports[9].senders = 2;
  assert_int_equal(confluence_compare(&first, &second, &difference), CONFLUENCE_UNDECIDED);
  second.ports[9].senders = 0;
  first.ports[9].senders = 3;
  assert_int_equal(confluence_compare(&first, &second, &difference), CONFLUENCE_UNDECIDED);
}

static void
two_takers_of_a_value_decide_nothing(void **state)
{
  struct confluence_difference difference;

  (void)state;
  make_logs();
  second.rows[2].value.digest = 5;
  first.threads[1].takers = 1;
  second.threads[1].takers = 2;
  assert_int_equal(confluence_compare(&first, &second, &difference), CONFLUENCE_UNDECIDED);
}

/* ---- Seeded faults --------------------------------------------------------------------------- */

struct hunt {
  const char *fault;
  const char *bucket;
  bool metamorphic;
  enum generate_profile profile;
};

/* With the oracle off nothing speaks over the programs among which it finds the fault. */
static void
hunt_one(const struct hunt *hunt)
{
  unsigned found = 0, runs = 0;

  assert_true(rgc_fault_set(hunt->fault, true));
  while (found == 0 && runs < HUNTED) {
    generate(hunt->profile, runs++);
    options.variants = hunt->metamorphic ? EXEC_VARIANTS_OF_PROGRAM : 0;
    exec_run_program(&program, &options, &result);
    found += result.verdict == EXEC_FINDING;
  }
  if (found == 0 || strncmp(result.finding.bucket, hunt->bucket, strlen(hunt->bucket)) != 0)
    print_error("%s: %s\n", hunt->fault, found != 0 ? result.finding.bucket : "not found");
  assert_int_equal(found, 1);
  assert_memory_equal(result.finding.bucket, hunt->bucket, strlen(hunt->bucket));
  options.variants = 0;
  options.progress_off = !hunt->metamorphic;
  for (unsigned seed = 0; seed < (runs < PROGRAMS ? PROGRAMS : runs); seed++) {
    generate(hunt->profile, seed);
    exec_run_program(&program, &options, &result);
    if (result.verdict != EXEC_CLEAN)
      print_error("%s: also %s\n", hunt->fault, result.finding.bucket);
    assert_int_equal(result.verdict, EXEC_CLEAN);
  }
  options.progress_off = false;
  options.variants = EXEC_VARIANTS_OF_PROGRAM;
  rgc_fault_set(hunt->fault, false);
}

static void
faults_are_seen_by_their_oracle_alone(void **state)
{
  static const struct hunt hunts[] = {
      {"send_wakes_first_only", "INV-WAKE:message", false, GENERATE_RACTORS},
      {"failed_end_not_told", "INV-WAKE:exit", false, GENERATE_RACTORS},
      {"zombie_base_not_raised", "INV-HEADWAY:zombies", false, GENERATE_CONFLUENT},
      {"dying_leaves_silently", "INV-DEADLOCK:", false, GENERATE_RACTORS},
      {"lookup_misses_after_minor", "INV-CONFLUENT:hash_get", true, GENERATE_CONFLUENT},
      {"byte_of_old_buffer", "INV-CONFLUENT:string_byte", true, GENERATE_CONFLUENT},
      {"element_of_buffer_misses", "INV-CONFLUENT:array_get", true, GENERATE_CONFLUENT},
  };

  (void)state;
  if (!rgc_faults_compiled())
    skip();
  for (unsigned i = 0; i < sizeof hunts / sizeof hunts[0]; i++)
    hunt_one(&hunts[i]);
}

static int
setup(void **state)
{
  char problem[256] = "";

  (void)state;
  exec_options_default(&options);
  if (exec_setup(problem, sizeof problem) && program_init(&program, PROGRAM_RACTOR))
    return 0;
  print_error("%s\n", problem);
  return -1;
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(programs_observe_the_same_in_all_variants),
      cmocka_unit_test(variants_leave_trace_and_log_alone),
      cmocka_unit_test(threads_are_compared_each_for_itself),
      cmocka_unit_test(two_senders_of_a_port_decide_nothing),
      cmocka_unit_test(two_takers_of_a_value_decide_nothing),
      cmocka_unit_test(faults_are_seen_by_their_oracle_alone),
  };

  return cmocka_run_group_tests(tests, setup, NULL);
}
