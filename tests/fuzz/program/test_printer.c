/* test_printer.c - every program prints; bodies of loops and skips print by the rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/program/printer.h"
#include "tests/fuzz/program/bytes.h"

enum { PROGRAMS = 1000, SIZE = 800 };

/* What a printer makes of it, to be freed. */
static char *
text_by(void (*print)(const struct program *, FILE *), const struct program *program)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);

  assert_non_null(file);
  print(program, file);
  assert_int_equal(fclose(file), 0);
  return text;
}

static char *
ruby_text(const struct program *program)
{
  return text_by(program_print_ruby, program);
}

static void
random_programs_print(void **state)
{
  struct program program;
  struct rng rng = rng_seeded(5);
  uint8_t data[SIZE];
  char problem[80];
  FILE *file = fopen("/dev/null", "w");

  (void)state;
  assert_non_null(file);
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < PROGRAMS; i++) {
    size_t size = rng_below(&rng, SIZE);

    random_bytes(&rng, data, size);
    /* Many skips and loops, so that bodies overlap in every way. */
    for (size_t at = PROGRAM_PRELUDE_SIZE; i % 3 == 0 && at < size; at += PROGRAM_RECORD_SIZE)
      data[at] = rng_percent(&rng, 50) ? OP_skip_if_nil : OP_loop;
    assert_true(program_decode(&program, i % 4 == 3 ? PROGRAM_EVENTS : PROGRAM_RACTOR, data, size,
                               problem, sizeof problem));
    program_print_ruby(&program, file);
    program_print_ops(&program, file);
    program_print_schedule(&program, file);
    program_print_json(&program, file);
  }
  program_free(&program);
  fclose(file);
}

static void
append(struct program *program, unsigned code, unsigned a, unsigned b)
{
  struct op op = {.code = (uint8_t)code, .operands = {(uint8_t)a, (uint8_t)b}};

  assert_true(program_insert_op(program, 0, program->op_count, op));
}

static void
bodies_nest(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  append(&program, OP_loop, 3, 3);
  append(&program, OP_skip_if_nil, 4, 9);
  append(&program, OP_loop, 2, 1);
  append(&program, OP_finish, 5, 0);
  append(&program, OP_pass, 0, 0);
  char *text = ruby_text(&program);

  assert_non_null(strstr(text, "  3.times do\n"
                               "    unless r4.nil? # the next 9 ops\n"
                               "      # loop 2, 1 does nothing inside a loop\n"
                               "      return r5\n"
                               "    end\n"
                               "  end\n"
                               "  t { Thread.pass }\n"
                               "  r0\n"));
  free(text);
  program_free(&program);
}

static void
overlaps_flow(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  append(&program, OP_skip_if_nil, 4, 2);
  append(&program, OP_loop, 2, 3);
  append(&program, OP_pass, 0, 0);
  append(&program, OP_pass, 0, 0);
  char *text = ruby_text(&program);

  assert_non_null(strstr(text, "    G.flow(\n"
                               "      G.skip(2) { r4.nil? },\n"
                               "      G.loop(2, 3),\n"
                               "      -> { t { Thread.pass } },\n"
                               "      -> { t { Thread.pass } }\n"
                               "    )\n"));
  free(text);
  program_free(&program);
}

static void
comments_carry_the_plans(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  program.preemption_count = 1;
  program.preemptions[0] = (struct preemption){.thread = 1, .site = 7, .visit = 3, .to = 2};
  program.failure_count = 1;
  program.failures[0] = (struct failure){.kind = FAILURE_PAGE, .count = 1, .nth = 3};
  char *text = ruby_text(&program);

  assert_non_null(strstr(text, "# gcstorm: settings page_size=1024 "));
  assert_non_null(strstr(text, "# gcstorm: preempt thread=1 site=allocate visit=3 to=2\n"));
  assert_non_null(strstr(text, "# gcstorm: fail page nth=3 count=1\n"));
  free(text);
  program_free(&program);
}

static void
variants_are_said(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned n = 0; n <= PROGRAM_VARIANT_MAX; n++) {
    char comment[60], member[40];

    program.variants = (uint8_t)n;
    char *text = ruby_text(&program);
    char *json = text_by(program_print_json, &program);

    snprintf(comment, sizeof comment, "# gcstorm: confluent variants=%u\n", n);
    snprintf(member, sizeof member, "\n  \"variants\": %u,\n", n);
    assert_true((strstr(text, comment) != NULL) == (n > 0));
    assert_true((strstr(text, "confluent") != NULL) == (n > 0));
    assert_non_null(strstr(json, member));
    free(text);
    free(json);
  }
  program_free(&program);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs_print),
                                     cmocka_unit_test(bodies_nest), cmocka_unit_test(overlaps_flow),
                                     cmocka_unit_test(comments_carry_the_plans),
                                     cmocka_unit_test(variants_are_said)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
