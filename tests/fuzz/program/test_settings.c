/* test_settings.c - every combination that matters makes a usable world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/program/settings.h"
#include "tests/fuzz/program/bytes.h"

static void
assert_usable(const struct program *program)
{
  struct rgc_settings s;

  program_rgc_settings(program, &s);
  assert_in_range(s.page_size, 1024, 65536);
  assert_int_equal(s.page_size & (s.page_size - 1), 0);
  assert_in_range(s.arena_pages, 1, 1024);
  assert_true(s.heap_limit_bytes >= 4 * s.page_size);
  assert_true(s.initial_page_budget >= 1);
  assert_true(s.free_percent_wanted <= 100);
  assert_true(s.old_limit_percent >= 100);
  assert_true(s.malloc_limit_bytes > 0 && s.offheap_limit_bytes > 0);
  assert_true(s.shareable_limit > 0);
}

static void
all_choices(void **state)
{
  struct program program = {.block_count = 1, .quantum = 1};

  (void)state;
  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT; i++) {
    for (unsigned choice = 0; choice < 256; choice++) {
      program.settings[i] = (uint8_t)choice;
      assert_usable(&program);
    }
    program.settings[i] = 0;
  }
}

static void
random_choices(void **state)
{
  struct program program = {.block_count = 1, .quantum = 1};
  struct rng rng = rng_seeded(3);

  (void)state;
  for (unsigned i = 0; i < 20000; i++) {
    random_bytes(&rng, program.settings, sizeof program.settings);
    assert_usable(&program);
  }
}

static void
tables_have_values(void **state)
{
  (void)state;
  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT; i++) {
    enum program_setting setting = (enum program_setting)i;

    assert_non_null(setting_name(setting));
    assert_in_range(setting_limit(setting), 2, 256);
    for (unsigned a = 0; a < setting_limit(setting); a++)
      for (unsigned b = 0; b < a; b++)
        assert_int_not_equal(setting_value(setting, a), setting_value(setting, b));
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_choices),
                                     cmocka_unit_test(random_choices),
                                     cmocka_unit_test(tables_have_values)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
