/* test_parser.c - text and bytes are two forms of one program; complaints name the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/program/parser.h"
#include "fuzz/program/printer.h"
#include "tests/fuzz/program/bytes.h"

enum { PROGRAMS = 2000, SIZE = 800 };

/* Prints, parses, and compares both the programs and the texts. */
static void
check_round_trip(const struct program *program, struct program *back)
{
  struct parse_problem problem = {0};
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);

  assert_non_null(file);
  program_print_ruby(program, file);
  assert_int_equal(fclose(file), 0);
  if (!program_parse(back, text, size, &problem))
    fail_msg("%u:%u: %s\n%s", problem.line, problem.column, problem.text, text);
  if (!program_equal(program, back))
    fail_msg("another program came back of\n%s", text);
  free(text);
}

static void
random_programs_come_back(void **state)
{
  struct program program, back;
  struct rng rng = rng_seeded(11);
  uint8_t data[SIZE];
  char problem[80];

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  assert_true(program_init(&back, PROGRAM_RACTOR));
  for (unsigned i = 0; i < PROGRAMS; i++) {
    size_t size = rng_below(&rng, SIZE);

    random_bytes(&rng, data, size);
    for (size_t at = PROGRAM_PRELUDE_SIZE; i % 3 == 0 && at < size; at += PROGRAM_RECORD_SIZE)
      if (rng_percent(&rng, 40)) {
        data[at] = rng_percent(&rng, 50)   ? OP_skip_if_nil
                   : rng_percent(&rng, 50) ? OP_loop
                                           : OP_finish;
        if (at + 2 < size && rng_percent(&rng, 70))
          data[at + 2] %= 5; /* short bodies, which nest more often */
      }
    assert_true(program_decode(&program, i % 4 == 3 ? PROGRAM_EVENTS : PROGRAM_RACTOR, data, size,
                               problem, sizeof problem));
    check_round_trip(&program, &back);
  }
  program_free(&program);
  program_free(&back);
}

/* Every op with the least and the greatest operands, so that no form is left to chance. */
static void
every_op_comes_back(void **state)
{
  struct program program, back;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  assert_true(program_init(&back, PROGRAM_RACTOR));
  for (int d = 0; d < PROGRAM_DIALECT_COUNT; d++) {
    enum program_dialect dialect = (enum program_dialect)d;
    unsigned count;
    const struct op_info *table = op_table(dialect, &count);

    for (unsigned code = 0; code < count; code++)
      for (unsigned most = 0; most < 2; most++) {
        struct op op = {.code = (uint8_t)code};

        for (unsigned i = 0; i < PROGRAM_OPERAND_MAX && most != 0; i++)
          op.operands[i] = (uint8_t)(operand_limit(table[code].operands[i]) - 1);
        program_clear(&program, dialect);
        assert_true(program_insert_op(&program, 0, 0, op));
        check_round_trip(&program, &back);
      }
  }
  program_free(&program);
  program_free(&back);
}

static void
check_problem(const char *text, unsigned line, unsigned column, const char *part)
{
  struct program program;
  struct parse_problem problem = {0};

  assert_true(program_init(&program, PROGRAM_RACTOR));
  assert_false(program_parse(&program, text, strlen(text), &problem));
  if (problem.line != line || problem.column != column || strstr(problem.text, part) == NULL)
    fail_msg("got %u:%u: %s", problem.line, problem.column, problem.text);
  program_free(&program);
}

static void
complaints_name_the_place(void **state)
{
  (void)state;
  check_problem("", 0, 1, "no `def b0");
  check_problem("r1 = nil\n", 1, 1, "expected `def b0");
  check_problem("def b0\n  r1 = Array.new(64, r0)\nend\n", 2, 18, "a number from 0 to 63");
  check_problem("def b0\n  r1 = Array.new(3, q)\nend\n", 2, 21, "a register");
  check_problem("def b0\n  r1 = Arry.new(3, r0)\nend\n", 2, 8, "`rN = Array.new(COUNT, rN)`");
  check_problem("def b0\n  G.gc(:big)\nend\n", 2, 8, ":minor, :major or :global");
  check_problem("def b0\n  r16 = nil\nend\n", 2, 3, "a register r0 to r15, not 'r16'");
  check_problem("def b0\n  3.times do\n  t { Thread.pass }\nend\n", 4, 1, "line 1 opened");
  check_problem("def b0(r1 = 3)\nend\n", 1, 13, "'nil'");
  check_problem("def b0 extra\nend\n", 1, 8, "the end of the line, not 'extra'");
  check_problem("def b0\nend\nend\n", 3, 1, "ends nothing");
  check_problem("def b1\nend\n", 1, 1, "def b0");
  check_problem("def b0\n2.times do\n2.times do\nend\nend\nend\n", 3, 1, "do not nest");
  check_problem("# gcstorm: settings page_size=1000\n", 1, 31, "one of 1024 2048");
  check_problem("# gcstorm: settings pages=1\n", 1, 21, "the name of a setting");
  check_problem("# gcstorm: preempt site=nowhere\n", 1, 25, "one of");
  check_problem("# gcstorm: confluent variants=8\n", 1, 31, "a number from 0 to 7");
  check_problem("# gcstorm: confluent variants=-1\n", 1, 31, "a number from 0 to 7");
  check_problem("# gcstorm: confluent runs=2\n", 1, 22, "a key that this comment has");
  check_problem("# gcstorm: confluent variants=2 extra\n", 1, 33, "a key that this comment has");
  check_problem("# gcstorm: colour red\n", 1, 12, "program, settings");
  check_problem("gc_events do\n  fly :s1\nend\n", 2, 3, "no op 'fly'");
  check_problem("gc_events do\n  o[1] = alocate :s0, 3\nend\n", 2, 10,
                "no op 'alocate'; the nearest");
  check_problem("gc_events do\n  o[32] = allocate :s0, 3\nend\n", 2, 5, "from 0 to 31, not 32");
  check_problem("def b0\n  r2 = 99999999999\nend\n", 2, 8,
                "expected a number from 0 to 255, not 9");
  check_problem("def b0\n  r1 = Ractor.new(r0) { |x| b7(x) }\nend\ndef b1\nend\n", 2, 29,
                "no block b7");
  check_problem("def b0\n  64.times do\nend\n", 2, 3, "a number from 0 to 63, not 64");
  check_problem("def b0\n  system('id')\nend\n", 2, 3, "no op 'system'; docs/PROGRAMS.md");
  check_problem("def b0\n  r\xc3\xbc\nend\n", 2, 3, "no op 'r\\xc3\\xbc'");
  check_problem("def b0\n  \x1b[1m\nend\n", 2, 3, "not '\\x1b'");
  check_problem("def b0\n  x = nil\nend\n", 2, 3, "no other variables");
  check_problem("def b0\n  r1 = t { Ractor.new(r0) { b1(x) } }\nend\n", 2, 29,
                "as in `rN = Ractor.new(rN) { |x| bN(x) }`");
  check_problem("def b0\n  r1 = Ractor.new(r0) {|x| b0(x)}\nend\n", 2, 29, "b0 is main's");
}

static const char by_hand[] = "# gcstorm: settings page_size=2048\n"
                              "# a comment\n"
                              "def b0(r1 = nil)\n"
                              "  r3 = {}   # guards may be left out\n"
                              "  4.times do\n"
                              "    r4 = Array.new( 2 , r3 )\n"
                              "    r3[r4]=r4\n"
                              "  end\n"
                              "  r5 = t { Ractor.new(r3) { |x| b1(x) } }\n"
                              "  unless r5.nil?\n"
                              "    return r5\n"
                              "  end\n"
                              "end\n"
                              "def b1(r1)\n"
                              "  raise G::Raised.new(r1)\n"
                              "end\n"
                              "G.main { b0 }\n";

static void
hand_written_parses(void **state)
{
  static const uint8_t codes[] = {OP_hash,       OP_loop,        OP_array,  OP_hash_set,
                                  OP_ractor_new, OP_skip_if_nil, OP_finish, OP_raise};
  struct program program;
  struct parse_problem problem = {0};

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  if (!program_parse(&program, by_hand, sizeof by_hand - 1, &problem))
    fail_msg("%u:%u: %s", problem.line, problem.column, problem.text);
  assert_int_equal(program.op_count, sizeof codes);
  for (unsigned i = 0; i < sizeof codes; i++)
    assert_int_equal(program.ops[i].code, codes[i]);
  assert_int_equal(program.block_count, 2);
  assert_int_equal(program.ops[1].operands[0], 4);
  assert_int_equal(program.ops[1].operands[1], 2);
  assert_int_equal(program.ops[5].operands[1], 1);
  assert_int_equal(setting_value(SETTING_PAGE_SIZE, program.settings[SETTING_PAGE_SIZE]), 2048);
  program_free(&program);
}

/* How many variants is said by a comment, and not said when there are none. */
static void
variants_come_back(void **state)
{
  struct program program, back;
  struct parse_problem problem = {0};
  char text[80];

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  assert_true(program_init(&back, PROGRAM_RACTOR));
  for (unsigned n = 0; n <= PROGRAM_VARIANT_MAX; n++) {
    int length = snprintf(text, sizeof text, "# gcstorm: confluent variants=%u\ndef b0\nend\n", n);

    assert_true(program_parse(&program, text, (size_t)length, &problem));
    assert_int_equal(program.variants, n);
    check_round_trip(&program, &back);
    assert_int_equal(back.variants, n);
  }
  /* Also over what the program held before. */
  assert_true(program_parse(&program, "def b0\nend\n", 11, &problem));
  assert_int_equal(program.variants, 0);
  program_free(&program);
  program_free(&back);
}

/* Any bytes as text: an answer, never a crash. */
static void
noise_is_refused(void **state)
{
  struct program program;
  struct rng rng = rng_seeded(12);
  char text[sizeof by_hand];

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < 20000; i++) {
    struct parse_problem problem = {0};
    unsigned cut = rng_below(&rng, sizeof by_hand);

    memcpy(text, by_hand, sizeof by_hand);
    for (unsigned k = rng_below(&rng, 6); k > 0; k--)
      text[rng_below(&rng, sizeof by_hand)] = rng_percent(&rng, 50)
                                                  ? (char)rng_below(&rng, 256)
                                                  : by_hand[rng_below(&rng, sizeof by_hand)];
    if (!program_parse(&program, text, cut, &problem))
      assert_true(problem.text[0] != '\0');
    else
      assert_true(program.block_count >= 1);
  }
  program_free(&program);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs_come_back), cmocka_unit_test(every_op_comes_back),
      cmocka_unit_test(complaints_name_the_place), cmocka_unit_test(hand_written_parses),
      cmocka_unit_test(variants_come_back),        cmocka_unit_test(noise_is_refused)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
