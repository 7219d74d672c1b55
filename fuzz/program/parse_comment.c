/* parse_comment.c - see parse_comment.h.  Each comment is a word and then `key=value` in any order;
 * what is not named keeps its first choice.
 */
#include "fuzz/program/parse_comment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/program/names.h"
#include "rgc/platform.h"

enum { WORD_MAX = 32, WHAT_MAX = 320, VISIT_LIMIT = 1024, THREAD_LIMIT = 16 };

/* A value of a comment: a number below a limit, or one of the names. */
struct field {
  const char *key;
  unsigned limit;
  const char *(*name_of)(unsigned); /* NULL: a number */
  unsigned least;                   /* of numbers */
  unsigned *value;
};

static bool
scan_field_value(struct scan *scan, const struct field *field)
{
  const char *start = scan->at;
  char word[WORD_MAX];
  char what[WHAT_MAX];

  if (field->name_of == NULL) {
    if (scan_number(scan, field->limit, field->value) && *field->value >= field->least)
      return true;
    snprintf(what, sizeof what, "a number from %u to %u", field->least, field->limit - 1);
  } else {
    int length = snprintf(what, sizeof what, "one of");

    if (scan_word(scan, word, sizeof word))
      for (*field->value = 0; *field->value < field->limit; ++*field->value)
        if (strcmp(field->name_of(*field->value), word) == 0)
          return true;
    for (unsigned i = 0; i < field->limit && length < (int)sizeof what; i++)
      length += snprintf(what + length, sizeof what - (size_t)length, " %s", field->name_of(i));
  }
  scan->at = start;
  scan_insist(scan, start, what);
  return false;
}

static void
expected_key(struct scan *scan, const char *at, const struct field *fields, size_t count)
{
  char what[WHAT_MAX];
  int length = snprintf(what, sizeof what, "a key that this comment has:");

  for (size_t i = 0; i < count && length < (int)sizeof what; i++)
    length += snprintf(what + length, sizeof what - (size_t)length, " %s", fields[i].key);
  scan_expected(scan, at, what);
}

static bool
scan_fields(struct scan *scan, const struct field *fields, size_t count)
{
  while (scan_blanks(scan), *scan->at != '\0') {
    const char *start = scan->at;
    char word[WORD_MAX];
    size_t i = 0;

    if (!scan_word(scan, word, sizeof word))
      return false;
    while (i < count && strcmp(fields[i].key, word) != 0)
      i++;
    if (i == count) {
      expected_key(scan, start, fields, count);
      return false;
    }
    if (!scan_text(scan, "=") || !scan_field_value(scan, &fields[i]))
      return false;
  }
  return true;
}

/* ---- Settings -------------------------------------------------------------------------------- */

static bool
scan_setting_value(struct scan *scan, struct program *program, enum program_setting setting)
{
  char what[WHAT_MAX];
  int length = snprintf(what, sizeof what, "one of");
  char *end;
  unsigned long long value = strtoull(scan->at, &end, 10);

  for (unsigned i = 0; i < setting_limit(setting); i++) {
    if (end != scan->at && value == setting_value(setting, i)) {
      program->settings[setting] = (uint8_t)i;
      scan->at = end;
      return true;
    }
    length +=
        snprintf(what + length, sizeof what - (size_t)length, " %zu", setting_value(setting, i));
  }
  scan_expected(scan, scan->at, what);
  return false;
}

static void
expected_setting(struct scan *scan, const char *at)
{
  char what[WHAT_MAX];
  int length = snprintf(what, sizeof what, "the name of a setting:");

  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT && length < (int)sizeof what; i++)
    length += snprintf(what + length, sizeof what - (size_t)length, " %s",
                       setting_name((enum program_setting)i));
  scan_expected(scan, at, what);
}

static bool
parse_settings(struct scan *scan, struct program *program)
{
  while (scan_blanks(scan), *scan->at != '\0') {
    const char *start = scan->at;
    char word[WORD_MAX];
    unsigned i = 0;

    if (!scan_word(scan, word, sizeof word))
      return false;
    while (i < PROGRAM_SETTING_COUNT && strcmp(setting_name((enum program_setting)i), word) != 0)
      i++;
    if (i == PROGRAM_SETTING_COUNT) {
      expected_setting(scan, start);
      return false;
    }
    if (!scan_text(scan, "=") || !scan_setting_value(scan, program, (enum program_setting)i))
      return false;
  }
  return true;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static bool
parse_schedule(struct scan *scan, struct program *program)
{
  unsigned policy = program->policy, quantum = program->quantum, depth = program->depth;
  unsigned seed = program->schedule_seed;
  const struct field fields[] = {
      {"policy", SCHEDULE_POLICY_COUNT, name_of_policy, 0, &policy},
      {"quantum", 65, NULL, 1, &quantum},
      {"depth", 8, NULL, 0, &depth},
      {"seed", 65536, NULL, 0, &seed},
  };

  if (!scan_fields(scan, fields, sizeof fields / sizeof fields[0]))
    return false;
  program->policy = (uint8_t)policy;
  program->quantum = (uint8_t)quantum;
  program->depth = (uint8_t)depth;
  program->schedule_seed = (uint16_t)seed;
  return true;
}

static bool
room(struct scan *scan, unsigned count, unsigned limit)
{
  if (count < limit)
    return true;
  scan_expected(scan, scan->at, "no more of these");
  return false;
}

static bool
parse_preempt(struct scan *scan, struct program *program)
{
  unsigned thread = 0, site = 0, visit = 0, to = 0;
  const struct field fields[] = {
      {"thread", THREAD_LIMIT, NULL, 0, &thread},
      {"site", RGC_SITE_COUNT, name_of_site, 0, &site},
      {"visit", VISIT_LIMIT, NULL, 0, &visit},
      {"to", THREAD_LIMIT, NULL, 0, &to},
  };

  if (!room(scan, program->preemption_count, PROGRAM_PREEMPTION_MAX) ||
      !scan_fields(scan, fields, sizeof fields / sizeof fields[0]))
    return false;
  program->preemptions[program->preemption_count++] = (struct preemption){.thread = (uint8_t)thread,
                                                                          .site = (uint8_t)site,
                                                                          .visit = (uint16_t)visit,
                                                                          .to = (uint8_t)to};
  return true;
}

static bool
parse_fail(struct scan *scan, struct program *program)
{
  unsigned kind = 0, nth = 0, count = 1;
  const struct field what = {"", FAILURE_KIND_COUNT, name_of_failure, 0, &kind};
  const struct field fields[] = {{"nth", 256, NULL, 0, &nth}, {"count", 17, NULL, 1, &count}};

  scan_blanks(scan);
  if (!room(scan, program->failure_count, PROGRAM_FAILURE_MAX) || !scan_field_value(scan, &what) ||
      !scan_fields(scan, fields, sizeof fields / sizeof fields[0]))
    return false;
  program->failures[program->failure_count++] =
      (struct failure){.kind = (uint8_t)kind, .nth = (uint8_t)nth, .count = (uint8_t)count};
  return true;
}

static bool
parse_stress(struct scan *scan, struct program *program)
{
  unsigned point = 0, action = 0, every = 0;
  const struct field fields[] = {
      {"point", RGC_STRESS_COUNT, name_of_point, 0, &point},
      {"action", RGC_STRESS_ACTION_COUNT, name_of_action, 0, &action},
      {"every", 32, NULL, 0, &every},
  };

  if (!scan_fields(scan, fields, sizeof fields / sizeof fields[0]))
    return false;
  program->stress_point = (uint8_t)point;
  program->stress_action = (uint8_t)action;
  program->stress_every = (uint8_t)every;
  return true;
}

static bool
parse_stress_at(struct scan *scan, struct program *program)
{
  unsigned thread = 0, point = 0, action = 0, visit = 0;
  const struct field fields[] = {
      {"thread", THREAD_LIMIT, NULL, 0, &thread},
      {"point", RGC_STRESS_COUNT, name_of_point, 0, &point},
      {"visit", VISIT_LIMIT, NULL, 0, &visit},
      {"action", RGC_STRESS_ACTION_COUNT, name_of_action, 0, &action},
  };

  if (!room(scan, program->stress_place_count, PROGRAM_STRESS_PLACE_MAX) ||
      !scan_fields(scan, fields, sizeof fields / sizeof fields[0]))
    return false;
  program->stress_places[program->stress_place_count++] =
      (struct stress_place){.thread = (uint8_t)thread,
                            .point = (uint8_t)point,
                            .action = (uint8_t)action,
                            .visit = (uint16_t)visit};
  return true;
}

static bool
parse_confluent(struct scan *scan, struct program *program)
{
  unsigned variants = 0;
  const struct field field = {"variants", PROGRAM_VARIANT_MAX + 1, NULL, 0, &variants};

  if (!scan_fields(scan, &field, 1))
    return false;
  program->variants = (uint8_t)variants;
  return true;
}

/* The dialect is that of `gc_events do` or of the methods; here it is only checked. */
static bool
parse_program(struct scan *scan, struct program *program)
{
  char word[WORD_MAX];
  const char *start;
  unsigned version;

  if (!scan_text(scan, "version=") || !scan_number(scan, 256, &version) ||
      !scan_text(scan, "dialect="))
    return false;
  start = scan->at;
  if (version != PROGRAM_FORMAT_VERSION || !scan_word(scan, word, sizeof word) ||
      (strcmp(word, "ractor") != 0 && strcmp(word, "events") != 0)) {
    scan_expected(scan, start, "version=1 and dialect=ractor or dialect=events");
    return false;
  }
  program->dialect = strcmp(word, "events") == 0 ? PROGRAM_EVENTS : PROGRAM_RACTOR;
  return scan_end(scan);
}

bool
parse_comment(struct scan *scan, struct program *program)
{
  static const struct {
    const char *word;
    bool (*parse)(struct scan *scan, struct program *program);
  } comments[] = {
      {"program", parse_program},     {"settings", parse_settings},   {"schedule", parse_schedule},
      {"preempt", parse_preempt},     {"fail", parse_fail},           {"stress", parse_stress},
      {"stress_at", parse_stress_at}, {"confluent", parse_confluent},
  };
  const char *start;
  char word[WORD_MAX];

  scan_blanks(scan);
  start = scan->at;
  if (scan_word(scan, word, sizeof word))
    for (size_t i = 0; i < sizeof comments / sizeof comments[0]; i++)
      if (strcmp(comments[i].word, word) == 0)
        return comments[i].parse(scan, program);
  scan_insist(
      scan, start,
      "program, settings, schedule, confluent, preempt, fail, stress, stress_at or prelude");
  return false;
}
