/* test_collect.c - local and global collections, absorb, and a random soak with an exact model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gc-core/bare.h"

static void
open_default(struct bare *bare)
{
  struct rgc_settings settings;

  bare_settings(&settings);
  bare_open(bare, &settings, RGC_VERIFY_PHASES);
}

static void
test_local_frees_garbage(void **state)
{
  struct bare bare;
  struct rgc_objspace *space;

  (void)state;
  open_default(&bare);
  space = bare_space(&bare, 0);
  rgc_ref kept = bare_new(&bare, space, 0, 2);
  rgc_ref child = bare_new(&bare, space, 1, 2);
  bare_store(space, kept, 0, child);
  bare.roots[1].obj.bits = 0;
  bare_new(&bare, space, 2, 2);
  bare.roots[2].obj.bits = 0;
  rgc_collect(space, RGC_KIND_MAJOR, RGC_REASON_EXPLICIT);
  rgc_step_sweep_rest(space);
  assert_int_equal(bare.released, 1);
  assert_int_equal(bare_object(child)->identity, 2);
  bare_close(&bare);
}

/* A young object reachable only from an old one survives a minor cycle. [INV-REMEMBER] */
static void
test_remembered(void **state)
{
  struct bare bare;
  struct rgc_objspace *space;

  (void)state;
  open_default(&bare);
  space = bare_space(&bare, 0);
  rgc_ref old = bare_new(&bare, space, 0, 2);
  for (int i = 0; i < 4; i++)
    rgc_collect(space, RGC_KIND_MINOR, RGC_REASON_EXPLICIT);
  rgc_ref young = bare_new(&bare, space, 1, 0);
  bare_store(space, old, 1, young);
  bare.roots[1].obj.bits = 0;
  for (int i = 0; i < 5; i++)
    rgc_collect(space, RGC_KIND_MINOR, RGC_REASON_EXPLICIT);
  rgc_step_sweep_rest(space);
  assert_int_equal(bare.released, 0);
  bare_object(old)->slots[1].bits = 0;
  rgc_collect(space, RGC_KIND_MAJOR, RGC_REASON_EXPLICIT);
  rgc_step_sweep_rest(space);
  assert_int_equal(bare.released, 1);
  bare_close(&bare);
}

/* A shareable and its private child live through local cycles without a root, and die together in a
 * global one.  [INV-LIVE] [INV-SHREF] */
static void
test_shareable_and_shref(void **state)
{
  struct bare bare;
  struct rgc_objspace *space;

  (void)state;
  open_default(&bare);
  space = bare_space(&bare, 0);
  rgc_ref shared = bare_new(&bare, space, 0, 2);
  rgc_ref before = bare_new(&bare, space, 1, 0);
  bare_store(space, shared, 0, before);
  bare_share(&bare, space, shared);
  rgc_ref after = bare_new(&bare, space, 2, 0);
  bare_store(space, shared, 1, after);
  memset(bare.roots, 0, sizeof bare.roots);
  for (int i = 0; i < 3; i++)
    rgc_collect(space, RGC_KIND_MAJOR, RGC_REASON_EXPLICIT);
  rgc_step_sweep_rest(space);
  assert_int_equal(bare.released, 0);
  rgc_collect(space, RGC_KIND_GLOBAL, RGC_REASON_EXPLICIT);
  assert_int_equal(bare.released, 3);
  bare_close(&bare);
}

static void
test_absorb_moves_pages(void **state)
{
  struct bare bare;

  (void)state;
  open_default(&bare);
  struct rgc_objspace *taker = bare_space(&bare, 0);
  struct rgc_objspace *dead = bare_space(&bare, 1);
  bare_new(&bare, taker, 0, 1);
  rgc_ref value = bare_new(&bare, dead, 1, 1);
  rgc_pin_in_flight(dead, value);
  bare.in_flight[0] = value;
  rgc_objspace_retire(dead);
  assert_int_equal(rgc_objspace_absorb(taker, dead), RGC_OK);
  bare.in_flight[0].bits = 0;
  bare.roots[1].owner = taker;
  assert_false(rgc_is_foreign(taker, value));
  rgc_collect(taker, RGC_KIND_MINOR, RGC_REASON_EXPLICIT);
  struct rgc_objspace_stats stats;
  rgc_objspace_get_stats(taker, &stats);
  assert_int_equal(stats.major_count, 2); /* its own forced full one and the retire of the dead */
  bare_close(&bare);
}

/* Local cycles and the death of a Ractor stop nobody [INV-NOSTOP]; the registry follows each life
 * [INV-REGISTRY]. */
static void
test_who_stops_the_world(void **state)
{
  struct bare bare;
  struct rgc_world_stats stats;

  (void)state;
  open_default(&bare);
  struct rgc_objspace *taker = bare_space(&bare, 0);
  struct rgc_objspace *dead = bare_space(&bare, 1);
  for (unsigned i = 0; i < 20; i++)
    bare_new(&bare, i % 2 == 0 ? taker : dead, i, 3);
  rgc_collect(taker, RGC_KIND_MAJOR, RGC_REASON_EXPLICIT);
  memset(bare.roots, 0, sizeof bare.roots);
  rgc_objspace_retire(dead);
  rgc_world_get_stats(bare.world, &stats);
  assert_int_equal(stats.objspace_count, 2);
  assert_int_equal(stats.zombie_count, 1);
  assert_int_equal(rgc_objspace_absorb(taker, dead), RGC_OK);
  rgc_world_get_stats(bare.world, &stats);
  assert_int_equal(stats.objspace_count, 1);
  for (unsigned i = 0; i < RGC_REASON_COUNT; i++)
    assert_int_equal(stats.stop_count_by_reason[i], 0);
  rgc_collect(taker, RGC_KIND_GLOBAL, RGC_REASON_EXPLICIT);
  rgc_world_get_stats(bare.world, &stats);
  assert_int_equal(stats.stop_count_by_reason[RGC_REASON_EXPLICIT], 1);
  bare_close(&bare);
}

/* A shareable's bits agree with its header from the promotion on. [INV-HEADER] [INV-SHBIT] */
static void
test_promotion_sets_bits(void **state)
{
  struct bare bare;

  (void)state;
  open_default(&bare);
  struct rgc_objspace *space = bare_space(&bare, 0);
  rgc_ref obj = bare_new(&bare, space, 0, 1);
  assert_false(rgc_is_shareable(space, obj));
  bare_share(&bare, space, obj);
  assert_true(rgc_is_shareable(space, obj));
  rgc_verify_objspace(bare.world, space);
  bare_close(&bare);
}

static void
test_out_of_memory(void **state)
{
  struct bare bare;

  (void)state;
  open_default(&bare);
  struct rgc_objspace *space = bare_space(&bare, 0);
  bare.page_requests_left = 2;
  rgc_ref obj = {0};
  unsigned made = 0;
  do {
    obj = bare_new(&bare, space, made % BARE_ROOT_MAX, 2);
    made += obj.bits != 0;
  } while (obj.bits != 0 && made < 1000);
  assert_int_equal(obj.bits, 0);
  memset(bare.roots, 0, sizeof bare.roots);
  assert_int_not_equal(bare_new(&bare, space, 0, 2).bits, 0);
  bare_close(&bare);
}

static void
test_words_pin(void **state)
{
  struct bare bare;

  (void)state;
  open_default(&bare);
  struct rgc_objspace *space = bare_space(&bare, 0);
  rgc_ref kept = bare_new(&bare, space, 0, 0);
  rgc_ref lost = bare_new(&bare, space, 1, 0);
  bare.words_owner = space;
  bare.words[0] = kept.bits;
  bare.words[1] = lost.bits + 8; /* interior: only the start of a slot counts */
  memset(bare.roots, 0, sizeof bare.roots);
  rgc_collect(space, RGC_KIND_MAJOR, RGC_REASON_EXPLICIT);
  rgc_step_sweep_rest(space);
  assert_int_equal(bare.released, 1);
  assert_int_equal(bare_object(kept)->identity, 1);
  bare_close(&bare);
}

/* ---- Soak: random events on several objspaces, the verifier after each phase, and after each
 * global cycle exactly the reachable objects alive.  References stand in the root table alone.
 * [INV-ROOTED]
 * ---- */

static uint64_t
next_random(uint64_t *seed)
{
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *seed >> 33;
}

struct reach {
  rgc_ref seen[4096];
  size_t count;
};

static void
reach_add(struct reach *reach, rgc_ref obj)
{
  for (size_t i = 0; i < reach->count; i++) {
    if (reach->seen[i].bits == obj.bits)
      return;
  }
  assert_true(reach->count < 4096);
  reach->seen[reach->count++] = obj;
}

static size_t
count_reachable(const struct bare *bare)
{
  static struct reach reach;

  reach.count = 0;
  for (unsigned i = 0; i < BARE_ROOT_MAX; i++) {
    if (bare->roots[i].obj.bits != 0)
      reach_add(&reach, bare->roots[i].obj);
  }
  for (size_t i = 0; i < reach.count; i++) {
    struct bare_object *object = bare_object(reach.seen[i]);

    for (unsigned s = 0; s < object->slot_count; s++) {
      if (object->slots[s].bits != 0)
        reach_add(&reach, object->slots[s]);
    }
  }
  return reach.count;
}

static void
soak_store(struct bare *bare, uint64_t *seed)
{
  struct bare_root *parent = &bare->roots[next_random(seed) % BARE_ROOT_MAX];
  struct bare_root *child = &bare->roots[next_random(seed) % BARE_ROOT_MAX];

  if (parent->obj.bits == 0 || child->obj.bits == 0)
    return;
  struct bare_object *p = bare_object(parent->obj);
  struct bare_object *c = bare_object(child->obj);
  struct rgc_objspace *by = c->shareable ? parent->owner : child->owner;
  if (p->slot_count == 0 || (!p->shareable && !c->shareable && parent->owner != child->owner))
    return;
  if (!p->shareable)
    by = rgc_owner(bare->world, parent->obj);
  bare_store(by, parent->obj, (unsigned)(next_random(seed) % p->slot_count), child->obj);
}

static void
soak_die(struct bare *bare, uint64_t *seed)
{
  unsigned dead = 1 + (unsigned)(next_random(seed) % (BARE_SPACE_MAX - 1));
  unsigned taker = (unsigned)(next_random(seed) % dead);
  struct rgc_objspace *space = bare->spaces[dead];

  if (space == NULL || bare->spaces[taker] == NULL)
    return;
  for (unsigned i = 0; i < BARE_ROOT_MAX; i++) {
    if (bare->roots[i].owner == space)
      bare->roots[i].obj.bits = 0;
  }
  rgc_objspace_retire(space);
  if (next_random(seed) % 2 == 0)
    rgc_collect(bare->spaces[taker], RGC_KIND_GLOBAL, RGC_REASON_EXPLICIT);
  assert_int_equal(rgc_objspace_absorb(bare->spaces[taker], space), RGC_OK);
  bare->spaces[dead] = NULL;
}

static void
soak_step(struct bare *bare, uint64_t *seed)
{
  struct rgc_objspace *space = bare_space(bare, (unsigned)(next_random(seed) % BARE_SPACE_MAX));
  unsigned at = (unsigned)(next_random(seed) % BARE_ROOT_MAX);
  struct bare_root *root = &bare->roots[at];
  uint64_t what = next_random(seed) % 100;

  if (what < 40)
    bare_new(bare, space, at, (unsigned)(next_random(seed) % BARE_SLOT_MAX));
  else if (what < 75)
    soak_store(bare, seed);
  else if (what < 82)
    root->obj.bits = 0;
  else if (what < 88 && root->obj.bits != 0 && !bare_object(root->obj)->shareable)
    bare_share(bare, root->owner, root->obj);
  else if (what < 92)
    rgc_collect(space, RGC_KIND_MINOR, RGC_REASON_EXPLICIT);
  else if (what < 94)
    rgc_collect(space, RGC_KIND_MAJOR, RGC_REASON_EXPLICIT);
  else if (what < 95)
    soak_die(bare, seed);
  else if (what < 97) {
    rgc_collect(space, RGC_KIND_GLOBAL, RGC_REASON_EXPLICIT);
    assert_int_equal(bare_object_count(bare), count_reachable(bare));
  }
}

static void
test_soak(void **state)
{
  (void)state;
  for (uint64_t run = 1; run <= 60; run++) {
    struct bare bare;
    uint64_t seed = run;

    open_default(&bare);
    for (int i = 0; i < 1500; i++)
      soak_step(&bare, &seed);
    bare_close(&bare);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_local_frees_garbage),
                                     cmocka_unit_test(test_remembered),
                                     cmocka_unit_test(test_shareable_and_shref),
                                     cmocka_unit_test(test_absorb_moves_pages),
                                     cmocka_unit_test(test_out_of_memory),
                                     cmocka_unit_test(test_words_pin),
                                     cmocka_unit_test(test_who_stops_the_world),
                                     cmocka_unit_test(test_promotion_sets_bits),
                                     cmocka_unit_test(test_soak)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
