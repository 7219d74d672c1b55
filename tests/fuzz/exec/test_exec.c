/* test_exec.c - whole runs: clean on the sound core, the same every time, whatever ran before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/exec/exec.h"
#include "fuzz/exec/sim.h"

enum { INPUTS = 150, INPUT_SIZE = 600 };

static struct exec_options options;
static uint8_t input[PROGRAM_HEADER_SIZE + INPUT_SIZE];

/* Bytes that are a hash of (seed, position): random programs, the same in every process. */
static void
fill(unsigned seed)
{
  for (unsigned i = 0; i < INPUT_SIZE; i++)
    input[PROGRAM_HEADER_SIZE + i] = (uint8_t)(sim_mix(seed, i) >> 20);
}

static uint64_t
hash_of(enum program_dialect dialect, const uint8_t *data, size_t size)
{
  struct exec_result result;

  exec_run(dialect, data, size, &options, &result);
  if (result.verdict != EXEC_CLEAN)
    print_error("%s %s\n", result.finding.bucket, result.finding.text);
  assert_int_equal(result.verdict, EXEC_CLEAN);
  return result.trace_hash;
}

static void
random_inputs_are_clean_and_the_same_twice(enum program_dialect dialect)
{
  uint64_t hashes[INPUTS];

  for (unsigned seed = 0; seed < INPUTS; seed++) {
    fill(seed);
    hashes[seed] = hash_of(dialect, input + PROGRAM_HEADER_SIZE, INPUT_SIZE);
  }
  for (unsigned seed = INPUTS; seed-- > 0;) {
    fill(seed);
    assert_int_equal(hash_of(dialect, input + PROGRAM_HEADER_SIZE, INPUT_SIZE), hashes[seed]);
  }
}

static void
ractor_programs(void **state)
{
  (void)state;
  random_inputs_are_clean_and_the_same_twice(PROGRAM_RACTOR);
}

static void
gc_events(void **state)
{
  (void)state;
  random_inputs_are_clean_and_the_same_twice(PROGRAM_EVENTS);
}

static void
the_header_says_the_dialect(void **state)
{
  (void)state;
  fill(7);
  program_header(PROGRAM_EVENTS, input);
  assert_int_equal(hash_of(PROGRAM_RACTOR, input, sizeof input),
                   hash_of(PROGRAM_EVENTS, input + PROGRAM_HEADER_SIZE, INPUT_SIZE));
}

static void
verify_level_does_not_change_the_trace(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < 20; seed++) {
    fill(seed);
    options.verify = EXEC_VERIFY_PHASES;
    uint64_t checked = hash_of(PROGRAM_RACTOR, input + PROGRAM_HEADER_SIZE, INPUT_SIZE);
    options.verify = EXEC_VERIFY_OFF;
    assert_int_equal(hash_of(PROGRAM_RACTOR, input + PROGRAM_HEADER_SIZE, INPUT_SIZE), checked);
  }
  options.verify = EXEC_VERIFY_PHASES;
}

static void
a_spent_budget_is_a_quiet_end(void **state)
{
  struct exec_result result;

  (void)state;
  fill(3);
  options.limits.ops = 10;
  exec_run(PROGRAM_EVENTS, input + PROGRAM_HEADER_SIZE, INPUT_SIZE, &options, &result);
  options.limits.ops = 4096;
  assert_int_equal(result.verdict, EXEC_CLEAN);
  assert_int_equal(result.stats.runs_budget_spent, 1);
  assert_true(result.stats.ops <= 10);
}

static void
a_finding_is_one_line_of_json(void **state)
{
  struct finding finding;
  char text[2048];

  (void)state;
  memset(&finding, 0, sizeof finding);
  strcpy(finding.bucket, "a\"b\\c\n");
  finding.stack_count = 1;
  strcpy(finding.stack[0], "f");
  FILE *file = fmemopen(text, sizeof text, "w");
  finding_write_json(file, &finding, "x", 1);
  fclose(file);
  assert_non_null(strstr(text, "\"bucket\":\"a\\\"b\\\\c\\u000a\""));
  assert_non_null(strstr(text, "\"stack\":[\"f\"]"));
  assert_null(strchr(text, '\n'));
}

/* Main and three Ractors that collect. */
static void
make_four_threads(struct program *program)
{
  static const uint8_t codes[] = {OP_string, OP_object, OP_make_shareable, OP_gc, OP_array};
  struct op start = {.code = OP_ractor_new};

  assert_true(program_add_block(program));
  for (unsigned i = 0; i < sizeof codes; i++)
    assert_true(program_insert_op(program, 1, program->op_count, (struct op){.code = codes[i]}));
  for (unsigned i = 0; i < 3; i++)
    assert_true(program_insert_op(program, 0, i, start));
}

/* Takes the switches of a trace for preemptions of the program. */
static void
read_switches(struct program *program, char *trace)
{
  char *rest = trace;

  for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
    unsigned long long point;
    unsigned thread, to, site, visit;

    if (sscanf(line, "{\"point\":%llu,\"thread\":%u,\"switch\":%u,\"site\":%u,\"visit\":%u}",
               &point, &thread, &to, &site, &visit) != 5)
      continue;
    assert_true(program->preemption_count < PROGRAM_PREEMPTION_MAX && visit < 1024);
    program->preemptions[program->preemption_count++] =
        (struct preemption){(uint8_t)thread, (uint8_t)site, (uint16_t)visit, (uint8_t)to};
  }
}

static uint64_t
hash_of_program(const struct program *program)
{
  struct exec_result result;

  exec_run_program(program, &options, &result);
  assert_int_equal(result.verdict, EXEC_CLEAN);
  return result.trace_hash;
}

/* The minimiser turns policies into preemptions by this. */
static void
the_switches_of_a_trace_repeat_the_run(void **state)
{
  struct program program;
  char *trace = NULL;
  size_t size;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  make_four_threads(&program);
  uint64_t alone = hash_of_program(&program);

  for (unsigned quantum = 24; quantum <= 64; quantum += 5) {
    program.policy = SCHEDULE_ROUND_ROBIN;
    program.quantum = (uint8_t)quantum;
    program.preemption_count = 0;
    options.trace = open_memstream(&trace, &size);
    uint64_t hash = hash_of_program(&program);
    fclose(options.trace);
    options.trace = NULL;
    read_switches(&program, trace);
    free(trace);
    assert_true(program.preemption_count > 0);
    assert_int_not_equal(hash, alone);
    program.policy = SCHEDULE_RUN;
    assert_int_equal(hash_of_program(&program), hash);
  }
  program_free(&program);
}

static int
setup(void **state)
{
  char problem[256] = "";

  (void)state;
  exec_options_default(&options);
  if (exec_setup(problem, sizeof problem))
    return 0;
  print_error("%s\n", problem);
  return -1;
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ractor_programs),
      cmocka_unit_test(gc_events),
      cmocka_unit_test(the_header_says_the_dialect),
      cmocka_unit_test(verify_level_does_not_change_the_trace),
      cmocka_unit_test(a_spent_budget_is_a_quiet_end),
      cmocka_unit_test(a_finding_is_one_line_of_json),
      cmocka_unit_test(the_switches_of_a_trace_repeat_the_run),
  };

  return cmocka_run_group_tests(tests, setup, NULL);
}
