/* test_shadow.c - the model against heaps made by hand, right ones and wrong ones. [INV-REACH]
 * [INV-GONE] [INV-INTACT] [INV-BARRIER] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/exec/shadow.h"

enum { SLOTS = 16, SLOT = 32, ROOTS = 4 };
enum { ARENA = 1 << 20 };

/* The heap that the model judges: what it really holds, as a view, and the roots of objspace 0. */
static struct {
  struct rgc_view views[SLOTS];
  uintptr_t roots[ROOTS];
  enum rgc_root root_kinds[ROOTS];
} heap;

static struct shadow shadow;
static struct rgc_observer observer;
static char verdict[256];
static unsigned thread;

static rgc_ref
at(unsigned slot)
{
  return (rgc_ref){ARENA + slot * SLOT};
}

static void
take_verdict(void *arg, const char *oracle, const char *rule, const char *where, const char *text)
{
  (void)arg;
  (void)text;
  if (verdict[0] == '\0')
    snprintf(verdict, sizeof verdict, "%s %s:%s", oracle, rule, where);
}

static void
each_root(void *self, unsigned objspace, rgc_root_sink *sink, void *arg)
{
  (void)self;
  for (unsigned i = 0; i < ROOTS && (objspace == 0 || objspace == RGC_OBJSPACE_ALL); i++)
    sink(arg, heap.root_kinds[i], heap.roots[i]);
}

static void
view(void *self, rgc_ref obj, struct rgc_view *out)
{
  (void)self;
  *out = heap.views[(obj.bits - ARENA) / SLOT];
}

static void
describe(void *self, unsigned kind, uint64_t name, char *text, size_t text_size)
{
  (void)self;
  snprintf(text, text_size, "#%u kind%u", (unsigned)name, kind);
}

static unsigned
current_thread(void)
{
  return thread;
}

static int
begin(void **state)
{
  static const struct rgc_subject subject = {
      .each_root = each_root, .view = view, .describe = describe};

  (void)state;
  if (shadow.objects == NULL && !shadow_setup(&shadow, ARENA, SLOTS * SLOT))
    return -1;
  memset(&heap, 0, sizeof heap);
  verdict[0] = '\0';
  thread = 0;
  shadow_reset(&shadow);
  shadow.report = take_verdict;
  shadow.thread = current_thread;
  shadow.model = true;
  shadow.stores = true;
  observer = shadow_observer(&shadow);
  observer.began(&shadow, &subject);
  return 0;
}

/* A new object of `kind` with so many children, in the model and in the heap. */
static void
make(unsigned slot, unsigned objspace, unsigned children)
{
  observer.allocated(&shadow, objspace, at(slot), 64);
  observer.made(&shadow, at(slot), 3, slot, children, 0);
  heap.views[slot] =
      (struct rgc_view){.kind = 3, .name = slot, .owner = objspace, .child_count = children};
}

static void
assign(unsigned slot, unsigned child, uintptr_t bits)
{
  observer.assigned(&shadow, at(slot), child, bits);
  heap.views[slot].children[child] = bits;
}

static void
root(unsigned number, uintptr_t word, enum rgc_root kind)
{
  heap.roots[number] = word;
  heap.root_kinds[number] = kind;
}

static void
local(bool major)
{
  observer.event(&shadow, RGC_EVENT_LOCAL_BEGIN, 0, major);
}

static void
local_end(void)
{
  observer.event(&shadow, RGC_EVENT_LOCAL_SWEPT, 0, 0);
}

static void
global_mark(void)
{
  observer.event(&shadow, RGC_EVENT_GLOBAL_STEP, RGC_PHASE_MARKED, 0);
}

static void
global_end(void)
{
  observer.event(&shadow, RGC_EVENT_GLOBAL_STEP, RGC_PHASE_SWEPT, 0);
}

static void
a_right_heap_is_silent(void **state)
{
  (void)state;
  make(1, 0, 1);
  make(2, 0, 0);
  make(3, 0, 0);
  assign(1, 0, at(2).bits);
  root(0, at(1).bits, RGC_ROOT_EXACT);
  local(true);
  observer.freed(&shadow, at(3));
  local_end();
  global_mark();
  global_end();
  assert_int_equal(shadow.live_count, 2);
  observer.ended(&shadow, 0);
  assert_string_equal(verdict, "");
}

static void
freeing_what_is_reached_is_seen_at_once(void **state)
{
  (void)state;
  make(1, 0, 1);
  make(2, 0, 0);
  assign(1, 0, at(2).bits);
  root(0, at(1).bits, RGC_ROOT_EXACT);
  local(false);
  observer.freed(&shadow, at(2));
  assert_string_equal(verdict, "O3 INV-REACH:kind3");
}

static void
freeing_what_no_cycle_condemned_is_seen(void **state)
{
  (void)state;
  local(true);
  make(1, 0, 0); /* after the mark: the sweep may not take it */
  observer.freed(&shadow, at(1));
  assert_string_equal(verdict, "O3 INV-REACH:kind3");
}

static void
garbage_must_go_in_full_cycles_only(void **state)
{
  (void)state;
  make(1, 0, 0);
  local(false);
  local_end();
  assert_string_equal(verdict, "");
  local(true);
  local_end();
  assert_string_equal(verdict, "O3 INV-GONE:kind3");
}

static void
a_local_cycle_keeps_shareables_and_shrefs(void **state)
{
  (void)state;
  make(1, 0, 1);
  make(2, 0, 0);
  observer.promoted(&shadow, at(1));
  heap.views[1].shareable = true;
  assign(1, 0, at(2).bits); /* private child of a shareable: its shref bit is set */
  assign(1, 0, 0);          /* …and stays until the next global cycle */
  local(true);
  local_end();
  assert_string_equal(verdict, "");
  global_mark();
  global_end();
  assert_string_equal(verdict, "O3 INV-GONE:kind3");
}

static void
an_edge_that_a_promotion_finds_is_a_shref(void **state)
{
  (void)state;
  make(1, 0, 1);
  make(2, 0, 0);
  assign(1, 0, at(2).bits);
  observer.promoted(&shadow, at(1));
  local(true);
  observer.freed(&shadow, at(2));
  assert_string_equal(verdict, "O3 INV-REACH:kind3");
}

static void
messages_are_roots_of_a_global_cycle_and_pins_after_it(void **state)
{
  (void)state;
  make(1, 1, 0);
  root(0, at(1).bits, RGC_ROOT_IN_FLIGHT);
  global_mark();
  global_end();
  assert_string_equal(verdict, "");
  observer.event(&shadow, RGC_EVENT_LOCAL_BEGIN, 1, 1);
  observer.freed(&shadow, at(1));
  assert_string_equal(verdict, "O3 INV-REACH:kind3");
}

static void
only_the_start_of_an_object_is_a_root_word(void **state)
{
  (void)state;
  make(1, 0, 0);
  root(0, at(1).bits + 8, RGC_ROOT_WORD);
  local(true);
  local_end();
  assert_string_equal(verdict, "O3 INV-GONE:kind3");
  begin(NULL);
  make(1, 0, 0);
  root(0, at(1).bits, RGC_ROOT_WORD);
  local(true);
  local_end();
  assert_string_equal(verdict, "");
}

static void
a_local_cycle_does_not_judge_others(void **state)
{
  (void)state;
  make(1, 1, 0);
  make(2, 0, 0);
  root(0, at(2).bits, RGC_ROOT_EXACT);
  local(true);
  local_end();
  assert_string_equal(verdict, "");
  observer.freed(&shadow, at(1)); /* no cycle of its heap condemned it */
  assert_string_equal(verdict, "O3 INV-REACH:kind3");
}

static void
an_absorbed_heap_is_its_takers(void **state)
{
  (void)state;
  make(1, 1, 0);
  make(2, 0, 0);
  root(0, at(2).bits, RGC_ROOT_EXACT);
  observer.event(&shadow, RGC_EVENT_ABSORBED, 0, 1);
  local(true);
  observer.freed(&shadow, at(1));
  local_end();
  assert_string_equal(verdict, "");
  make(3, 1, 0);
  root(1, at(3).bits, RGC_ROOT_EXACT);
  local(true);
  local_end(); /* the heap says 1 still */
  assert_string_equal(verdict, "O3 INV-INTACT:kind3");
}

/* Whatever `spoil` changes in the heap behind the model's back is seen by the next full cycle. */
static void
expect_spoiled(void (*spoil)(void))
{
  begin(NULL);
  make(1, 0, 2);
  make(2, 0, 0);
  assign(1, 0, at(2).bits);
  assign(1, 1, 7);
  observer.filled(&shadow, at(2), 0, 3, 'x');
  heap.views[2].bytes = (const uint8_t *)"xxx";
  heap.views[2].byte_count = 3;
  root(0, at(1).bits, RGC_ROOT_EXACT);
  local(true);
  local_end();
  assert_string_equal(verdict, "");
  spoil();
  local(true);
  local_end();
  assert_int_equal(strncmp(verdict, "O3 INV-INTACT:", 14), 0);
}

static void
spoil_child(void)
{
  heap.views[1].children[0] = at(1).bits;
}

static void
spoil_immediate(void)
{
  heap.views[1].children[1] = 9;
}

static void
spoil_length(void)
{
  heap.views[1].child_count--;
}

static void
spoil_byte(void)
{
  heap.views[2].bytes = (const uint8_t *)"xxy";
}

static void
spoil_frozen(void)
{
  heap.views[2].frozen = true;
}

static void
spoil_shareable(void)
{
  heap.views[2].shareable = true;
}

static void
spoil_kind(void)
{
  heap.views[2].kind = 4;
}

static void
spoil_name(void)
{
  heap.views[2].name = 9;
}

static void
contents_are_compared(void **state)
{
  (void)state;
  expect_spoiled(spoil_child);
  expect_spoiled(spoil_immediate);
  expect_spoiled(spoil_length);
  expect_spoiled(spoil_byte);
  expect_spoiled(spoil_frozen);
  expect_spoiled(spoil_shareable);
  expect_spoiled(spoil_kind);
  expect_spoiled(spoil_name);
}

static void
an_address_used_again_is_another_object(void **state)
{
  (void)state;
  make(1, 0, 1);
  make(2, 0, 0);
  assign(1, 0, at(2).bits);
  root(0, at(1).bits, RGC_ROOT_EXACT);
  local(true);
  observer.freed(&shadow, at(2));
  verdict[0] = '\0';
  make(3, 0, 0); /* takes the record, not the address */
  make(2, 0, 0);
  root(1, at(2).bits, RGC_ROOT_EXACT);
  root(2, at(3).bits, RGC_ROOT_EXACT);
  local(true);
  local_end();
  assert_string_equal(verdict, "O3 INV-INTACT:kind3");
}

static void
copies_hold_copies(void **state)
{
  uintptr_t from[2] = {at(1).bits, at(2).bits};
  uintptr_t to[2] = {at(3).bits, at(4).bits};

  (void)state;
  for (unsigned slot = 1; slot <= 4; slot++)
    make(slot, 0, 1);
  assign(1, 0, at(2).bits);
  assign(2, 0, at(1).bits);
  observer.copied(&shadow, from, to, 2, true);
  observer.loaded(&shadow, at(3), 0, at(4).bits);
  observer.loaded(&shadow, at(4), 0, at(3).bits);
  assert_string_equal(verdict, "");
  observer.loaded(&shadow, at(4), 0, at(1).bits);
  assert_string_equal(verdict, "O3 INV-INTACT:kind3");
}

static void
reads_are_compared(void **state)
{
  (void)state;
  make(1, 0, 2);
  assign(1, 1, 5);
  observer.filled(&shadow, at(1), 0, 2, 'a');
  observer.loaded(&shadow, at(1), 1, 5);
  observer.loaded(&shadow, at(1), 2, 0);
  observer.loaded_byte(&shadow, at(1), 1, 'a');
  observer.loaded_byte(&shadow, at(1), 2, -1);
  assert_string_equal(verdict, "");
  observer.loaded_byte(&shadow, at(1), 1, 'b');
  assert_string_equal(verdict, "O3 INV-INTACT:kind3");
}

static void
sharing_must_leave_nothing_out(void **state)
{
  (void)state;
  make(1, 0, 1);
  make(2, 0, 0);
  assign(1, 0, at(2).bits);
  observer.sharing(&shadow, at(1).bits);
  observer.frozen(&shadow, at(1));
  observer.promoted(&shadow, at(1));
  observer.frozen(&shadow, at(2));
  observer.shared(&shadow, at(1).bits);
  assert_string_equal(verdict, "O3 INV-INTACT:kind3");
}

static void
a_message_left_at_the_end_is_seen(void **state)
{
  (void)state;
  observer.ended(&shadow, 1);
  assert_string_equal(verdict, "O3 INV-GONE:message");
}

static void
a_store_has_its_barrier(void **state)
{
  (void)state;
  make(1, 0, 1);
  make(2, 0, 0);
  observer.store(&shadow, at(1), NULL, at(2).bits);
  observer.barrier(&shadow, at(1), at(2));
  observer.stored(&shadow);
  observer.store(&shadow, at(1), NULL, 5); /* an immediate needs none */
  observer.stored(&shadow);
  assert_string_equal(verdict, "");
  observer.store(&shadow, at(1), NULL, at(2).bits);
  observer.barrier(&shadow, at(2), at(2)); /* of another parent */
  observer.stored(&shadow);
  assert_string_equal(verdict, "O8 INV-BARRIER:kind3");
}

static void
a_lost_barrier_is_seen_before_the_next_step(void **state)
{
  (void)state;
  make(1, 0, 1);
  make(2, 0, 0);
  observer.store(&shadow, at(1), NULL, at(2).bits);
  thread = 1; /* another thread collects its own heap in between: legal */
  observer.event(&shadow, RGC_EVENT_LOCAL_BEGIN, 1, 1);
  assert_string_equal(verdict, "");
  observer.event(&shadow, RGC_EVENT_WORLD_STOPPED, 0, 0);
  assert_string_equal(verdict, "O8 INV-BARRIER:kind3");
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_right_heap_is_silent, begin),
      cmocka_unit_test_setup(freeing_what_is_reached_is_seen_at_once, begin),
      cmocka_unit_test_setup(freeing_what_no_cycle_condemned_is_seen, begin),
      cmocka_unit_test_setup(garbage_must_go_in_full_cycles_only, begin),
      cmocka_unit_test_setup(a_local_cycle_keeps_shareables_and_shrefs, begin),
      cmocka_unit_test_setup(an_edge_that_a_promotion_finds_is_a_shref, begin),
      cmocka_unit_test_setup(messages_are_roots_of_a_global_cycle_and_pins_after_it, begin),
      cmocka_unit_test_setup(only_the_start_of_an_object_is_a_root_word, begin),
      cmocka_unit_test_setup(a_local_cycle_does_not_judge_others, begin),
      cmocka_unit_test_setup(an_absorbed_heap_is_its_takers, begin),
      cmocka_unit_test_setup(contents_are_compared, begin),
      cmocka_unit_test_setup(an_address_used_again_is_another_object, begin),
      cmocka_unit_test_setup(copies_hold_copies, begin),
      cmocka_unit_test_setup(reads_are_compared, begin),
      cmocka_unit_test_setup(sharing_must_leave_nothing_out, begin),
      cmocka_unit_test_setup(a_message_left_at_the_end_is_seen, begin),
      cmocka_unit_test_setup(a_store_has_its_barrier, begin),
      cmocka_unit_test_setup(a_lost_barrier_is_seen_before_the_next_step, begin),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
