/* test_minimize.c - properties whose smallest programs are known come out as these; whatever the
 * property, the result has it, is canonical and is a fixpoint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/mutate/generate.h"
#include "fuzz/program/shape.h"
#include "fuzz/triage/minimize.h"

enum { SEEDS = 40, ROOM = PROGRAM_INPUT_MAX };

typedef bool still_function(void *arg, const struct program *program);

/* ---- Asking ---------------------------------------------------------------------------------- */

static void
assert_canonical(const struct program *program)
{
  static uint8_t bytes[ROOM], again[ROOM];
  struct program decoded;
  char problem[80];
  size_t size = program_encode(program, bytes, sizeof bytes);

  assert_true(size <= sizeof bytes);
  assert_true(program_init(&decoded, program->dialect));
  assert_true(program_decode(&decoded, program->dialect, bytes, size, problem, sizeof problem));
  assert_true(program_equal(&decoded, program));
  assert_int_equal(program_encode(&decoded, again, sizeof again), size);
  assert_memory_equal(bytes, again, size);
  program_free(&decoded);
}

/* Every body ends in its block. */
static void
assert_bodies_fit(const struct program *program)
{
  for (unsigned b = 0; b < program->block_count; b++) {
    unsigned end = program->blocks[b].op_first + program->blocks[b].op_count;

    for (unsigned i = program->blocks[b].op_first; i < end; i++)
      if (op_is_loop(program, i) || op_is_skip(program, i))
        assert_true(i + 1 + program->ops[i].operands[1] <= end);
  }
}

static void
minimize_and_check(struct program *program, still_function *still, void *arg)
{
  struct minimize_request request = {.still = still, .arg = arg};
  struct minimize_report report;
  struct program first;

  assert_true(still(arg, program));
  assert_true(minimize_program(program, &request, &report));
  assert_true(still(arg, program));
  assert_true(report.runs > 0);
  assert_false(report.ended_early);
  assert_canonical(program);
  assert_bodies_fit(program);
  assert_true(program_init(&first, program->dialect));
  assert_true(program_copy(&first, program));
  assert_true(minimize_program(program, &request, &report));
  assert_true(program_equal(program, &first));
  assert_int_equal(report.rounds, 1);
  program_free(&first);
}

static void
generate(struct program *program, enum program_dialect dialect, uint64_t seed)
{
  struct generate_options options = {.profile = GENERATE_MIXED};

  program_clear(program, dialect);
  generate_program(program, dialect, &options, seed);
}

static void
append(struct program *program, unsigned block, struct op op)
{
  assert_true(program_insert_op(
      program, block, program->blocks[block].op_first + program->blocks[block].op_count, op));
}

static void
assert_op(const struct program *program, unsigned index, unsigned code, unsigned a, unsigned b)
{
  assert_int_equal(program->ops[index].code, code);
  assert_int_equal(program->ops[index].operands[0], a);
  assert_int_equal(program->ops[index].operands[1], b);
  assert_int_equal(program->ops[index].operands[2], 0);
}

/* Nothing but ops is left. */
static void
assert_plain(const struct program *program)
{
  struct program plain;

  assert_true(program_init(&plain, program->dialect));
  assert_memory_equal(program->settings, plain.settings, sizeof plain.settings);
  assert_int_equal(program->policy, SCHEDULE_RUN);
  assert_int_equal(program->quantum, plain.quantum);
  assert_int_equal(program->depth + program->schedule_seed, 0);
  assert_int_equal(program->stress_point + program->stress_action + program->stress_every, 0);
  assert_int_equal(program->preemption_count + program->failure_count, 0);
  assert_int_equal(program->stress_place_count, 0);
  program_free(&plain);
}

/* ---- Known smallest programs ----------------------------------------------------------------- */

/* Somewhere `raise` comes before `gc_verify`, in one block. */
static bool
raises_then_verifies(void *arg, const struct program *program)
{
  (void)arg;
  for (unsigned b = 0; b < program->block_count; b++) {
    const struct block *block = &program->blocks[b];
    bool raised = false;

    for (unsigned i = block->op_first; i < block->op_first + block->op_count; i++) {
      if (raised && program->ops[i].code == OP_gc_verify)
        return true;
      raised = raised || program->ops[i].code == OP_raise;
    }
  }
  return false;
}

static void
two_ops_of_many(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    generate(&program, PROGRAM_RACTOR, seed);
    unsigned block = (unsigned)seed % program.block_count;
    struct op raise = {.code = OP_raise, .operands = {3}};

    assert_true(program_insert_op(&program, block, program.blocks[block].op_first, raise));
    append(&program, block, (struct op){.code = OP_gc_verify});
    minimize_and_check(&program, raises_then_verifies, NULL);
    assert_int_equal(program.block_count, 1);
    assert_int_equal(program.op_count, 2);
    assert_op(&program, 0, OP_raise, 0, 0);
    assert_op(&program, 1, OP_gc_verify, 0, 0);
    assert_plain(&program);
  }
  program_free(&program);
}

/* How often main runs `klass`; skips are not taken. */
static unsigned
count_classes(const struct program *program)
{
  unsigned end = program->blocks[0].op_count, runs = 0;

  for (unsigned i = 0, body_end = 0, rounds = 1; i < end; i++) {
    if (i >= body_end)
      rounds = 1;
    if (program->ops[i].code == OP_loop && i >= body_end) {
      rounds = program->ops[i].operands[0];
      body_end = op_body_end(program, i, end);
    }
    runs += program->ops[i].code == OP_klass ? rounds : 0;
  }
  return runs;
}

static bool
one_op_makes_five(void *arg, const struct program *program)
{
  unsigned ops = 0;

  (void)arg;
  for (unsigned i = 0; i < program->op_count; i++)
    ops += program->ops[i].code == OP_klass;
  return ops == 1 && count_classes(program) >= 5;
}

static void
loops_keep_their_body(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  append(&program, 0, (struct op){.code = OP_hash});
  append(&program, 0, (struct op){.code = OP_loop, .operands = {37, 9}});
  for (unsigned i = 0; i < 12; i++)
    append(&program, 0, (struct op){.code = i == 6 ? OP_klass : OP_array, .operands = {4, 3, 2}});
  minimize_and_check(&program, one_op_makes_five, NULL);
  assert_int_equal(program.op_count, 2);
  assert_op(&program, 0, OP_loop, 5, 1);
  assert_op(&program, 1, OP_klass, 0, 0);
  program_free(&program);
}

/* A skip jumps over a `pass` and not over a `finish` behind it. */
static bool
skips_the_pass(void *arg, const struct program *program)
{
  (void)arg;
  for (unsigned i = 0; i < program->op_count; i++) {
    unsigned end = op_is_skip(program, i) ? op_body_end(program, i, program->op_count) : 0;

    for (unsigned k = i + 1; k < end; k++)
      if (program->ops[k].code == OP_pass && end < program->op_count &&
          program->ops[end].code == OP_finish)
        return true;
  }
  return false;
}

static void
skips_keep_their_end(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  append(&program, 0, (struct op){.code = OP_skip_if_nil, .operands = {9, 11}});
  for (unsigned i = 0; i < 12; i++)
    append(&program, 0, (struct op){.code = i == 4 ? OP_pass : i == 11 ? OP_finish : OP_hash});
  append(&program, 0, (struct op){.code = OP_loop, .operands = {3, 60}});
  append(&program, 0, (struct op){.code = OP_nil});
  minimize_and_check(&program, skips_the_pass, NULL);
  assert_int_equal(program.op_count, 3);
  assert_op(&program, 0, OP_skip_if_nil, 0, 1);
  assert_op(&program, 1, OP_pass, 0, 0);
  assert_op(&program, 2, OP_finish, 0, 0);
  program_free(&program);
}

static unsigned
count_code(const struct program *program, unsigned code)
{
  unsigned count = 0;

  for (unsigned i = 0; i < program->op_count; i++)
    count += program->ops[i].code == code;
  return count;
}

/* Neither a send nor a receive goes alone. */
static bool
sends_what_it_receives(void *arg, const struct program *program)
{
  (void)arg;
  return count_code(program, OP_send) == count_code(program, OP_receive) &&
         count_code(program, OP_raise) > 0;
}

static void
pairs_go_together(void **state)
{
  static const uint8_t codes[] = {OP_send, OP_raise, OP_send, OP_hash, OP_receive, OP_receive};
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < sizeof codes; i++)
    append(&program, 0, (struct op){.code = codes[i]});
  minimize_and_check(&program, sends_what_it_receives, NULL);
  assert_int_equal(program.op_count, 1);
  program_free(&program);
}

/* Three raises; and a loop goes only with both its ops. */
static bool
loops_have_two_ops(void *arg, const struct program *program)
{
  (void)arg;
  return count_code(program, OP_loop) * 2 == count_code(program, OP_pass) &&
         count_code(program, OP_raise) == 3;
}

static void
loops_go_with_their_bodies(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned i = 0; i < 9; i++)
    append(&program, 0,
           i % 4 == 0   ? (struct op){.code = OP_raise}
           : i % 4 == 1 ? (struct op){.code = OP_loop, .operands = {3, 2}}
                        : (struct op){.code = OP_pass});
  minimize_and_check(&program, loops_have_two_ops, NULL);
  assert_int_equal(program.op_count, 3);
  program_free(&program);
}

/* A hash goes to a port, through two registers. */
static bool
sends_a_hash(void *arg, const struct program *program)
{
  const struct op *op = program->ops;

  (void)arg;
  return program->op_count >= 3 && op[0].code == OP_port && op[1].code == OP_hash &&
         op[2].code == OP_send && op[0].operands[0] != op[1].operands[0] &&
         op[2].operands[0] == op[0].operands[0] && op[2].operands[1] == op[1].operands[0];
}

static void
names_become_low(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  append(&program, 0, (struct op){.code = OP_port, .operands = {9}});
  append(&program, 0, (struct op){.code = OP_hash, .operands = {5}});
  append(&program, 0, (struct op){.code = OP_send, .operands = {9, 5}});
  minimize_and_check(&program, sends_a_hash, NULL);
  assert_op(&program, 0, OP_port, 0, 0);
  assert_op(&program, 1, OP_hash, 1, 0);
  assert_op(&program, 2, OP_send, 0, 1);
  program_free(&program);
}

/* Main starts a Ractor on a block with a `receive`. */
static bool
starts_a_receiver(void *arg, const struct program *program)
{
  (void)arg;
  for (unsigned i = 0; i < program->blocks[0].op_count && program->block_count > 1; i++) {
    unsigned choice = program->ops[i].operands[1] % (program->block_count - 1);
    const struct block *block = &program->blocks[1 + choice];

    for (unsigned k = 0; k < block->op_count && program->ops[i].code == OP_ractor_new; k++)
      if (program->ops[block->op_first + k].code == OP_receive)
        return true;
  }
  return false;
}

static void
blocks_that_matter_stay(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned wanted = 1; wanted < 6; wanted++) {
    program_clear(&program, PROGRAM_RACTOR);
    for (unsigned b = 1; b < 6; b++) {
      assert_true(program_add_block(&program));
      append(&program, b, (struct op){.code = OP_hash});
      append(&program, b, (struct op){.code = b == wanted ? OP_receive : OP_klass});
      append(&program, 0,
             (struct op){.code = OP_ractor_new, .operands = {7, (uint8_t)(b - 1 + 10), 8}});
    }
    minimize_and_check(&program, starts_a_receiver, NULL);
    assert_int_equal(program.block_count, 2);
    assert_int_equal(program.op_count, 2);
    assert_op(&program, 0, OP_ractor_new, 0, 0);
    assert_op(&program, 1, OP_receive, 0, 0);
  }
  program_free(&program);
}

static bool
plans_matter(void *arg, const struct program *program)
{
  bool preempted = false, failed = false, stressed = false;

  (void)arg;
  for (unsigned i = 0; i < program->preemption_count; i++)
    preempted =
        preempted || (program->preemptions[i].thread == 3 && program->preemptions[i].visit >= 100);
  for (unsigned i = 0; i < program->failure_count; i++)
    failed = failed || (program->failures[i].nth >= 7 && program->failures[i].count >= 3);
  for (unsigned i = 0; i < program->stress_place_count; i++)
    stressed =
        stressed || (program->stress_places[i].action >= 2 && program->stress_places[i].visit >= 9);
  return preempted && failed && stressed && program->settings[SETTING_GROWTH] == 3 &&
         program->stress_every != 0;
}

static void
plans_are_cut_to_what_matters(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  generate(&program, PROGRAM_RACTOR, 5);
  program.preemption_count = program.failure_count = program.stress_place_count = 7;
  for (unsigned i = 0; i < 7; i++) {
    program.preemptions[i] = (struct preemption){(uint8_t)i, (uint8_t)i, (uint16_t)(777 + i), 1};
    program.failures[i] = (struct failure){FAILURE_PAGE, 9, (uint8_t)(30 * i)};
    program.stress_places[i] = (struct stress_place){1, 2, 4, (uint16_t)(3 * i)};
  }
  program.settings[SETTING_GROWTH] = 3;
  program.stress_point = 2;
  program.stress_action = 3;
  program.stress_every = 20;
  /* What this policy does not read. */
  program.policy = SCHEDULE_RUN;
  program.quantum = 7;
  program.depth = 6;
  program.schedule_seed = 5;
  minimize_and_check(&program, plans_matter, NULL);
  assert_int_equal(program.op_count, 0);
  assert_int_equal(program.preemption_count, 1);
  assert_int_equal(program.preemptions[0].visit, 100);
  assert_int_equal(program.failure_count, 1);
  assert_int_equal(program.failures[0].nth, 7);
  assert_int_equal(program.failures[0].count, 3);
  assert_int_equal(program.stress_place_count, 1);
  assert_int_equal(program.stress_places[0].action, 2);
  assert_int_equal(program.stress_places[0].visit, 9);
  assert_int_equal(program.stress_point, 0);
  assert_int_equal(program.stress_action, 1);
  assert_int_equal(program.stress_every, 1);
  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT; i++)
    assert_int_equal(program.settings[i], i == SETTING_GROWTH ? 3 : 0);
  assert_int_equal(program.policy, SCHEDULE_RUN);
  assert_int_equal(program.quantum, 1);
  assert_int_equal(program.depth + program.schedule_seed, 0);
  program_free(&program);
}

static bool
takes_turns(void *arg, const struct program *program)
{
  (void)arg;
  return program->policy == SCHEDULE_ROUND_ROBIN ? program->quantum <= 20
                                                 : program->policy == SCHEDULE_PCT;
}

static bool
changes_priorities(void *arg, const struct program *program)
{
  (void)arg;
  return program->policy == SCHEDULE_PCT && program->depth >= 2 && program->schedule_seed >= 300;
}

static void
policies_become_calm(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  program.policy = SCHEDULE_PCT;
  program.depth = 6;
  program.schedule_seed = 54321;
  minimize_and_check(&program, changes_priorities, NULL);
  assert_int_equal(program.depth, 2);
  assert_int_equal(program.schedule_seed, 300);
  minimize_and_check(&program, takes_turns, NULL);
  assert_int_equal(program.policy, SCHEDULE_ROUND_ROBIN);
  assert_int_equal(program.quantum, 16);
  assert_int_equal(program.depth + program.schedule_seed, 0);
  program_free(&program);
}

/* Turns, or the one switch that matters. */
static bool
switches_at_33(void *arg, const struct program *program)
{
  bool found = program->policy != SCHEDULE_RUN;

  (void)arg;
  for (unsigned i = 0; i < program->preemption_count; i++)
    found = found || (program->preemptions[i].thread == 1 && program->preemptions[i].visit == 33);
  return found;
}

static unsigned
list_five(void *arg, const struct program *program, struct preemption list[PROGRAM_PREEMPTION_MAX])
{
  (void)arg;
  assert_int_equal(program->op_count, 0); /* asked when nothing else goes */
  for (unsigned i = 0; i < 5; i++)
    list[i] = (struct preemption){.thread = 1, .site = 2, .visit = (uint16_t)(30 + i), .to = 3};
  return 5;
}

static void
policies_become_preemptions(void **state)
{
  struct minimize_request request = {.still = switches_at_33, .switches = list_five};
  struct minimize_report report;
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  generate(&program, PROGRAM_RACTOR, 4);
  program.policy = SCHEDULE_PCT;
  assert_true(minimize_program(&program, &request, &report));
  assert_int_equal(program.policy, SCHEDULE_RUN);
  assert_int_equal(program.preemption_count, 1);
  assert_int_equal(program.preemptions[0].visit, 33);
  assert_int_equal(program.preemptions[0].to, 3);
  assert_canonical(&program);
  program_free(&program);
}

/* ---- Any property ---------------------------------------------------------------------------- */

/* Holds for half of all programs, without rhyme or reason, and for the one it was made for. */
static bool
by_chance(void *arg, const struct program *program)
{
  static uint8_t bytes[ROOM];
  const uint64_t *wanted = arg;
  size_t size = program_encode(program, bytes, sizeof bytes);
  uint64_t hash = 0xcbf29ce484222325ull;

  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3ull;
  hash ^= hash >> 29;
  return hash % 2 == *wanted % 2;
}

static void
any_property_gives_a_fixpoint(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    uint64_t wanted = 0;

    generate(&program, seed % 2 == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS, seed);
    wanted = by_chance(&wanted, &program) ? 0 : 1;
    minimize_and_check(&program, by_chance, &wanted);
  }
  program_free(&program);
}

static bool
is_the_same(void *arg, const struct program *program)
{
  return program_equal(arg, program);
}

static void
what_cannot_shrink_stays(void **state)
{
  struct minimize_request request = {.still = is_the_same};
  struct minimize_report report;
  struct program program, original;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  assert_true(program_init(&original, PROGRAM_RACTOR));
  generate(&program, PROGRAM_RACTOR, 3);
  assert_true(program_copy(&original, &program));
  request.arg = &original;
  assert_true(minimize_program(&program, &request, &report));
  assert_true(program_equal(&program, &original));
  assert_int_equal(report.rounds, 1);
  program_free(&program);
  program_free(&original);
}

/* ---- Early ends ------------------------------------------------------------------------------ */

struct patience {
  unsigned left;
  unsigned long told;
};

static bool
still_and_less_patient(void *arg, const struct program *program)
{
  struct patience *patience = arg;

  assert_true(patience->left > 0);
  patience->left--;
  return raises_then_verifies(NULL, program);
}

static bool
patience_is_out(void *arg)
{
  const struct patience *patience = arg;

  return patience->left == 0;
}

static void
tell(void *arg, const struct program *best, unsigned long runs)
{
  struct patience *patience = arg;

  assert_true(raises_then_verifies(NULL, best));
  assert_int_equal(runs, patience->told + 1);
  patience->told = runs;
}

static void
an_early_end_keeps_the_property(void **state)
{
  struct program program;

  (void)state;
  assert_true(program_init(&program, PROGRAM_RACTOR));
  for (unsigned runs = 0; runs < 12; runs++) {
    struct patience patience = {.left = runs};
    struct minimize_request request = {.still = still_and_less_patient,
                                       .enough = patience_is_out,
                                       .progress = tell,
                                       .arg = &patience};
    struct minimize_report report;

    generate(&program, PROGRAM_RACTOR, 11);
    append(&program, 0, (struct op){.code = OP_raise});
    append(&program, 0, (struct op){.code = OP_gc_verify});
    assert_true(minimize_program(&program, &request, &report));
    assert_true(report.ended_early);
    assert_int_equal(report.runs, runs);
    assert_int_equal(patience.told, runs);
    assert_true(raises_then_verifies(NULL, &program));
  }
  program_free(&program);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_ops_of_many),
                                     cmocka_unit_test(loops_keep_their_body),
                                     cmocka_unit_test(skips_keep_their_end),
                                     cmocka_unit_test(pairs_go_together),
                                     cmocka_unit_test(loops_go_with_their_bodies),
                                     cmocka_unit_test(names_become_low),
                                     cmocka_unit_test(blocks_that_matter_stay),
                                     cmocka_unit_test(plans_are_cut_to_what_matters),
                                     cmocka_unit_test(policies_become_calm),
                                     cmocka_unit_test(policies_become_preemptions),
                                     cmocka_unit_test(any_property_gives_a_fixpoint),
                                     cmocka_unit_test(what_cannot_shrink_stays),
                                     cmocka_unit_test(an_early_end_keeps_the_property)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
