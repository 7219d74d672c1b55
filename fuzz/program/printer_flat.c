/* printer_flat.c - the forms that are not Ruby: magic comments, op list, schedule, JSON. */
#include <assert.h>

#include "fuzz/program/names.h"
#include "fuzz/program/printer.h"

static const char *
dialect_name(const struct program *program)
{
  return program->dialect == PROGRAM_EVENTS ? "events" : "ractor";
}

/* ---- Magic comments and schedule ------------------------------------------------------------- */

static void
print_settings(const struct program *program, FILE *file)
{
  fputs("# gcstorm: settings", file);
  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT; i++) {
    enum program_setting setting = (enum program_setting)i;

    fprintf(file, " %s=%zu", setting_name(setting), setting_value(setting, program->settings[i]));
  }
  fputc('\n', file);
}

static void
print_schedule(const struct program *program, FILE *file)
{
  fprintf(file, "# gcstorm: schedule policy=%s quantum=%u depth=%u seed=%u\n",
          name_of_policy(program->policy), program->quantum, program->depth,
          program->schedule_seed);
  for (unsigned i = 0; i < program->preemption_count; i++) {
    const struct preemption *p = &program->preemptions[i];

    fprintf(file, "# gcstorm: preempt thread=%u site=%s visit=%u to=%u\n", p->thread,
            name_of_site(p->site), p->visit, p->to);
  }
}

static void
print_failures_and_stress(const struct program *program, FILE *file)
{
  for (unsigned i = 0; i < program->failure_count; i++) {
    const struct failure *f = &program->failures[i];

    fprintf(file, "# gcstorm: fail %s nth=%u count=%u\n", name_of_failure(f->kind), f->nth,
            f->count);
  }
  fprintf(file, "# gcstorm: stress point=%s action=%s every=%u\n",
          name_of_point(program->stress_point), name_of_action(program->stress_action),
          program->stress_every);
  for (unsigned i = 0; i < program->stress_place_count; i++) {
    const struct stress_place *s = &program->stress_places[i];

    fprintf(file, "# gcstorm: stress_at thread=%u point=%s visit=%u action=%s\n", s->thread,
            name_of_point(s->point), s->visit, name_of_action(s->action));
  }
}

void
program_print_schedule(const struct program *program, FILE *file)
{
  print_settings(program, file);
  print_schedule(program, file);
  if (program->variants > 0)
    fprintf(file, "# gcstorm: confluent variants=%u\n", program->variants);
  print_failures_and_stress(program, file);
}

void
program_print_comments(const struct program *program, FILE *file)
{
  fprintf(file, "# gcstorm: program version=%d dialect=%s\n", PROGRAM_FORMAT_VERSION,
          dialect_name(program));
  program_print_schedule(program, file);
}

/* ---- Op list --------------------------------------------------------------------------------- */

void
program_print_ops(const struct program *program, FILE *file)
{
  unsigned count;
  const struct op_info *table = op_table(program->dialect, &count);

  for (unsigned b = 0; b < program->block_count; b++) {
    const struct block *block = &program->blocks[b];

    fprintf(file, "block %u: %u ops\n", b, block->op_count);
    for (unsigned i = 0; i < block->op_count; i++) {
      const struct op *op = &program->ops[block->op_first + i];
      const struct op_info *info = &table[op->code];

      assert(op->code < count);
      fprintf(file, "%5u  %-14s", block->op_first + i, info->name);
      for (unsigned k = 0; k < PROGRAM_OPERAND_MAX; k++)
        if (info->operands[k] != OPERAND_NONE)
          fprintf(file, " %s%u",
                  info->operands[k] == OPERAND_DST || info->operands[k] == OPERAND_REG ? "r" : "",
                  op->operands[k]);
      fputc('\n', file);
    }
  }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void
json_settings(const struct program *program, FILE *file)
{
  fputs("  \"settings\": {", file);
  for (unsigned i = 0; i < PROGRAM_SETTING_COUNT; i++) {
    enum program_setting setting = (enum program_setting)i;

    fprintf(file, "%s\"%s\": %zu", i == 0 ? "" : ", ", setting_name(setting),
            setting_value(setting, program->settings[i]));
  }
  fputs("},\n", file);
}

static void
json_schedule(const struct program *program, FILE *file)
{
  fprintf(file,
          "  \"schedule\": {\"policy\": \"%s\", \"quantum\": %u, \"depth\": %u, \"seed\": %u, "
          "\"preemptions\": [",
          name_of_policy(program->policy), program->quantum, program->depth,
          program->schedule_seed);
  for (unsigned i = 0; i < program->preemption_count; i++) {
    const struct preemption *p = &program->preemptions[i];

    fprintf(file, "%s{\"thread\": %u, \"site\": \"%s\", \"visit\": %u, \"to\": %u}",
            i == 0 ? "" : ", ", p->thread, name_of_site(p->site), p->visit, p->to);
  }
  fputs("]},\n", file);
}

static void
json_failures(const struct program *program, FILE *file)
{
  fputs("  \"failures\": [", file);
  for (unsigned i = 0; i < program->failure_count; i++) {
    const struct failure *f = &program->failures[i];

    fprintf(file, "%s{\"kind\": \"%s\", \"nth\": %u, \"count\": %u}", i == 0 ? "" : ", ",
            name_of_failure(f->kind), f->nth, f->count);
  }
  fputs("],\n", file);
}

static void
json_stress(const struct program *program, FILE *file)
{
  fprintf(file,
          "  \"stress\": {\"point\": \"%s\", \"action\": \"%s\", \"every\": %u, \"places\": [",
          name_of_point(program->stress_point), name_of_action(program->stress_action),
          program->stress_every);
  for (unsigned i = 0; i < program->stress_place_count; i++) {
    const struct stress_place *s = &program->stress_places[i];

    fprintf(file, "%s{\"thread\": %u, \"point\": \"%s\", \"action\": \"%s\", \"visit\": %u}",
            i == 0 ? "" : ", ", s->thread, name_of_point(s->point), name_of_action(s->action),
            s->visit);
  }
  fputs("]},\n", file);
}

static void
json_block(const struct program *program, const struct block *block, FILE *file)
{
  unsigned count;
  const struct op_info *table = op_table(program->dialect, &count);

  fputs("    [", file);
  for (unsigned i = 0; i < block->op_count; i++) {
    const struct op *op = &program->ops[block->op_first + i];
    const struct op_info *info = &table[op->code];

    assert(op->code < count);
    fprintf(file, "%s[\"%s\"", i == 0 ? "" : ", ", info->name);
    for (unsigned k = 0; k < PROGRAM_OPERAND_MAX; k++)
      if (info->operands[k] != OPERAND_NONE)
        fprintf(file, ", %u", op->operands[k]);
    fputc(']', file);
  }
  fputc(']', file);
}

void
program_print_json(const struct program *program, FILE *file)
{
  fprintf(file, "{\n  \"version\": %d,\n  \"dialect\": \"%s\",\n  \"variants\": %u,\n",
          PROGRAM_FORMAT_VERSION, dialect_name(program), program->variants);
  json_settings(program, file);
  json_schedule(program, file);
  json_failures(program, file);
  json_stress(program, file);
  fputs("  \"blocks\": [\n", file);
  for (unsigned b = 0; b < program->block_count; b++) {
    json_block(program, &program->blocks[b], file);
    fputs(b + 1 < program->block_count ? ",\n" : "\n", file);
  }
  fputs("  ]\n}\n", file);
}
