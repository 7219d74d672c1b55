/* test_events.c - O3 and O8 judge the bare collector: silent on the sound core; each thing spoiled
 * behind the model's back is seen by the next cycle of any kind, each lost call at its place.
 * [INV-REACH] [INV-GONE] [INV-INTACT] [INV-BARRIER] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/exec/bare_host.h"
#include "fuzz/exec/events.h"
#include "fuzz/exec/exec.h"
#include "fuzz/exec/shadow.h"
#include "fuzz/exec/sim.h"
#include "fuzz/mutate/generate.h"
#include "rgc/faults.h"

enum { PROGRAMS = 300 };

#define EVENT(name, ...)                                                                           \
  {                                                                                                \
    .code = EV_##name, .operands = { __VA_ARGS__ }                                                 \
  }
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct exec_options options;
static struct exec_result result;
static struct program program;

static void
clear(void)
{
  program_clear(&program, PROGRAM_EVENTS);
  program.settings[SETTING_PAGE_SIZE] = 5;
  program.settings[SETTING_HEAP_LIMIT] = 5;
}

static void
add(const struct op *ops, size_t count)
{
  for (size_t i = 0; i < count; i++)
    assert_true(program_insert_op(&program, 0, program.op_count, ops[i]));
}

/* ---- The sound core -------------------------------------------------------------------------- */

static void
generated_programs_are_silent(void **state)
{
  static const struct generate_options mixed = {.profile = GENERATE_MIXED};
  uint64_t globals = 0, majors = 0;

  (void)state;
  for (unsigned seed = 0; seed < PROGRAMS; seed++) {
    generate_program(&program, PROGRAM_EVENTS, &mixed, 7000 + seed);
    options.oracles = 0;
    exec_run_program(&program, &options, &result);
    uint64_t trace = result.trace_hash;
    options.oracles = EXEC_ORACLE_ALL;
    exec_run_program(&program, &options, &result);
    if (result.verdict != EXEC_CLEAN)
      print_error("%u: %s %s\n", seed, result.finding.bucket, result.finding.text);
    assert_int_equal(result.verdict, EXEC_CLEAN);
    assert_int_equal(result.trace_hash, trace);
    globals += result.stats.global;
    majors += result.stats.local_major;
  }
  assert_true(globals > PROGRAMS && majors > PROGRAMS);
}

/* ---- Spoiled runs ---------------------------------------------------------------------------- */

static struct shadow shadow;
static struct rgc_observer calls;
static unsigned spoil_at;       /* op after which `spoil` runs */
static void (*spoil)(void);     /* what the collector or embedder did wrong */
static enum exec_verify verify; /* off where O1 would see it first */

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

static bool
op_begin(void *self, unsigned op_index, unsigned code, unsigned objspace,
         const struct op_subject *subject)
{
  (void)self;
  (void)op_index;
  (void)code;
  (void)objspace;
  (void)subject;
  return true;
}

static void
op_end(void *self, unsigned op_index, unsigned code, bool effective, unsigned outcome,
       const struct op_value *value)
{
  (void)self;
  (void)code;
  (void)outcome;
  (void)value;
  if (!effective && program.ops[op_index].code != EV_loop)
    print_error("op %u does nothing\n", op_index);
  if (op_index == spoil_at && spoil != NULL)
    spoil();
}

static void
body(void *arg)
{
  struct rgc_platform platform = sim_platform();
  const struct observer observer = {.op_begin = op_begin, .op_end = op_end};
  struct rgc_world_stats stats;

  (void)arg;
  platform.observer = &calls;
  events_run(&program, &platform, verify, &observer, &stats);
}

static void
reset(void)
{
  if (shadow.objects == NULL)
    assert_true(shadow_setup(&shadow, (uintptr_t)sim.arena, SIM_ARENA_SIZE));
  shadow_reset(&shadow);
  shadow.report = take_verdict;
  shadow.thread = current_thread;
  shadow.model = shadow.stores = true;
  calls = shadow_observer(&shadow);
  verify = EXEC_VERIFY_PHASES;
}

/* Runs the program with `calls`; NULL: clean, else the bucket. */
static const char *
judge(void)
{
  memset(&result, 0, sizeof result);
  sim.world = NULL;
  bool finished = sim_run(&program, &options, &result, body, NULL);
  sim.world = NULL;
  sim_memory_reset(!finished);
  sim_release();
  return finished ? NULL : result.finding.bucket;
}

/* The nth record that the program made, in the order of creation. */
static struct bare_object *
record(unsigned nth)
{
  return bare_object((rgc_ref){shadow.objects[nth].address});
}

/* o[0] of heap 1 holds o[1]; both of them are rooted. */
static const struct op parent_and_child[] = {
    EVENT(create, 1),         EVENT(start, 1),       EVENT(allocate, 0, 1, 3),
    EVENT(allocate, 1, 1, 0), EVENT(store, 0, 1, 1),
};

static const struct op by_collect[] = {EVENT(collect, 1, RGC_KIND_MAJOR)};
static const struct op by_steps[] = {EVENT(local_start, 1, RGC_KIND_MAJOR), EVENT(local_mark, 1, 1),
                                     EVENT(local_finish, 1), EVENT(sweep_page, 1),
                                     EVENT(sweep_rest, 1)};
static const struct op by_global[] = {EVENT(collect, 0, RGC_KIND_GLOBAL)};
static const struct op by_global_steps[] = {EVENT(stop, 0),   EVENT(settle, 0),  EVENT(clear, 0),
                                            EVENT(mark, 0),   EVENT(weak, 0),    EVENT(sweep, 0),
                                            EVENT(budget, 0), EVENT(recount, 0), EVENT(resume, 0)};
static const struct op by_retire[] = {EVENT(retire, 1)};
static const struct op by_heir[] = {EVENT(retire, 1), EVENT(absorb, 0, 1),
                                    EVENT(collect, 0, RGC_KIND_MAJOR)};

static const struct {
  const struct op *ops;
  size_t count;
} cycles[] = {
    {by_collect, COUNT(by_collect)},
    {by_steps, COUNT(by_steps)},
    {by_global, COUNT(by_global)},
    {by_retire, COUNT(by_retire)},
    {by_global_steps, COUNT(by_global_steps)},
    {by_heir, COUNT(by_heir)},
};

/* Whatever cycle comes first sees it, and nobody speaks when nothing is spoiled. */
static void
expect_after_any_cycle(void (*what)(void), const char *bucket)
{
  for (unsigned i = 0; i < COUNT(cycles); i++) {
    for (unsigned spoiled = 0; spoiled < 2; spoiled++) {
      clear();
      add(parent_and_child, COUNT(parent_and_child));
      spoil_at = program.op_count - 1;
      spoil = spoiled != 0 ? what : NULL;
      add(cycles[i].ops, cycles[i].count);
      reset();
      const char *got = judge();

      if (spoiled == 0)
        assert_null(got);
      else
        assert_string_equal(got == NULL ? "clean" : got, bucket);
    }
  }
}

static void
lose_reference(void)
{
  record(1)->slots[1].bits = 0;
}

static void
change_reference(void)
{
  record(1)->slots[0].bits = shadow.objects[1].address;
}

static void
lose_slot(void)
{
  record(1)->slot_count = 2;
}

static void
lose_identity(void)
{
  record(2)->identity = 1;
}

static void
contents_are_compared_after_any_cycle(void **state)
{
  (void)state;
  expect_after_any_cycle(change_reference, "INV-INTACT:record");
  expect_after_any_cycle(lose_slot, "INV-INTACT:record");
  expect_after_any_cycle(lose_identity, "INV-INTACT:record");
}

static void
what_the_program_reaches_is_not_freed(void **state)
{
  static const struct op forget[] = {EVENT(forget, 1)};

  (void)state;
  for (unsigned i = 0; i < COUNT(cycles); i++) {
    clear();
    add(parent_and_child, COUNT(parent_and_child));
    spoil_at = program.op_count - 1;
    spoil = lose_reference;
    add(forget, COUNT(forget));
    add(cycles[i].ops, cycles[i].count);
    reset();
    assert_string_equal(judge(), "INV-REACH:record");
  }
}

static void
ignore_assigned(void *self, rgc_ref obj, size_t at, uintptr_t child)
{
  (void)self;
  (void)obj;
  (void)at;
  (void)child;
}

/* The model knows of no edge, so the child that the collector keeps has to be gone. */
static void
what_nothing_reaches_is_gone(void **state)
{
  static const struct op forget[] = {EVENT(forget, 1)};

  (void)state;
  for (unsigned i = 0; i < COUNT(cycles); i++) {
    clear();
    add(parent_and_child, COUNT(parent_and_child));
    add(forget, COUNT(forget));
    add(cycles[i].ops, cycles[i].count);
    reset();
    spoil = NULL;
    calls.assigned = ignore_assigned;
    const char *got = judge();

    assert_non_null(got);
    /* The parent is compared as well, and may come first. */
    assert_true(strcmp(got, "INV-GONE:record") == 0 || strcmp(got, "INV-INTACT:record") == 0);
    shadow_reset(&shadow);
  }
}

static void
ignore_pinned(void *self, rgc_ref obj)
{
  (void)self;
  (void)obj;
}

static void
garbage_in_a_shref_is_seen(void **state)
{
  static const struct op ops[] = {
      EVENT(allocate, 0, 0, 0),          EVENT(pin, 0),       EVENT(unpin, 0), EVENT(forget, 0),
      EVENT(collect, 0, RGC_KIND_MAJOR), EVENT(sweep_rest, 0)};

  (void)state;
  spoil = NULL;
  clear();
  add(ops, COUNT(ops));
  reset();
  assert_null(judge());
  reset(); /* the model knows of no pin */
  calls.pinned = ignore_pinned;
  assert_string_equal(judge(), "INV-GONE:record");
}

static void
ignore_barrier(void *self, rgc_ref parent, rgc_ref child)
{
  (void)self;
  (void)parent;
  (void)child;
}

/* At the store: no cycle runs. */
static void
a_lost_barrier_is_seen_at_the_store(void **state)
{
  (void)state;
  spoil = NULL;
  clear();
  add(parent_and_child, COUNT(parent_and_child));
  reset();
  calls.barrier = ignore_barrier;
  assert_string_equal(judge(), "INV-BARRIER:record");
  assert_string_equal(result.finding.oracle, "O8");
}

/* ---- Seeded faults --------------------------------------------------------------------------- */

/* A list that turns old, and then is garbage. */
static void
make_old_garbage(void)
{
  static const struct op two[] = {EVENT(loop, 62, 4), EVENT(allocate, 1, 0, 1),
                                  EVENT(store, 1, 0, 0), EVENT(allocate, 0, 0, 1),
                                  EVENT(store, 0, 0, 1)};
  static const struct op first = EVENT(allocate, 0, 0, 1);
  static const struct op minors[] = {EVENT(loop, 4, 1), EVENT(collect, 0, RGC_KIND_MINOR)};
  static const struct op end[] = {EVENT(forget, 0), EVENT(forget, 1),
                                  EVENT(collect, 0, RGC_KIND_MAJOR), EVENT(sweep_rest, 0)};

  add(&first, 1);
  for (unsigned i = 0; i < 4; i++)
    add(two, COUNT(two));
  add(minors, COUNT(minors));
  add(end, COUNT(end));
}

/* A foreign shareable far into its page is stored while the storing heap is being swept. */
static void
make_store_in_sweep(void)
{
  static const struct op ops[] = {
      EVENT(create, 1),         EVENT(start, 1),          EVENT(loop, 63, 1),
      EVENT(allocate, 5, 1, 0), EVENT(loop, 63, 1),       EVENT(allocate, 5, 1, 0),
      EVENT(promote, 5),        EVENT(allocate, 0, 0, 2), EVENT(local_start, 0, 1),
      EVENT(local_finish, 0),   EVENT(store, 0, 0, 5),
  };

  add(ops, COUNT(ops));
}

static void
faults_are_seen_by_their_oracle_alone(void **state)
{
  static const struct {
    const char *fault;
    void (*make)(void);
    unsigned oracle;
    const char *bucket;
  } rows[] = {
      {"major_keeps_old", make_old_garbage, EXEC_ORACLE_SHADOW, "INV-GONE:record"},
      {"foreign_child_without_barrier", make_store_in_sweep, EXEC_ORACLE_STORES,
       "INV-BARRIER:record"},
  };

  (void)state;
  if (!rgc_faults_compiled())
    skip();
  for (unsigned i = 0; i < COUNT(rows); i++) {
    clear();
    rows[i].make();
    for (unsigned on = 0; on < 2; on++) {
      assert_true(rgc_fault_set(rows[i].fault, on != 0));
      for (unsigned oracles = 0; oracles <= EXEC_ORACLE_ALL; oracles++) {
        options.oracles = oracles;
        exec_run_program(&program, &options, &result);
        bool seen = on != 0 && (oracles & rows[i].oracle) != 0;

        assert_string_equal(result.verdict == EXEC_CLEAN ? "clean" : result.finding.bucket,
                            seen ? rows[i].bucket : "clean");
      }
    }
    rgc_fault_set(rows[i].fault, false);
  }
  options.oracles = EXEC_ORACLE_ALL;
}

static int
setup(void **state)
{
  char problem[256] = "";

  (void)state;
  exec_options_default(&options);
  if (exec_setup(problem, sizeof problem) && program_init(&program, PROGRAM_EVENTS))
    return 0;
  print_error("%s\n", problem);
  return -1;
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generated_programs_are_silent),
      cmocka_unit_test(contents_are_compared_after_any_cycle),
      cmocka_unit_test(what_the_program_reaches_is_not_freed),
      cmocka_unit_test(what_nothing_reaches_is_gone),
      cmocka_unit_test(garbage_in_a_shref_is_seen),
      cmocka_unit_test(a_lost_barrier_is_seen_at_the_store),
      cmocka_unit_test(faults_are_seen_by_their_oracle_alone),
  };

  return cmocka_run_group_tests(tests, setup, NULL);
}
