/* variants.c - see variants.h. */
#include "fuzz/exec/variants.h"

#include <stdio.h>

#include "fuzz/exec/confluence.h"
#include "fuzz/exec/report.h"
#include "fuzz/exec/sanitize.h"
#include "fuzz/exec/sim.h"
#include "fuzz/program/variant.h"

static struct program variant;   /* room for any, made once */
static struct watch variant_log; /* of its run */

static void
describe_difference(const struct judgement *judgement,
                    const struct confluence_difference *difference, unsigned number, char *text,
                    size_t size)
{
  char first[96], second[96], settings[200];

  watch_row_text(difference->first, first, sizeof first);
  watch_row_text(difference->second, second, sizeof second);
  program_variant_describe(&variant, settings, sizeof settings);
  snprintf(text, size, "%s op %u observes \"%s\", but in variant %u \"%s\"; variant: %s",
           judgement->log->threads[difference->thread].label, difference->first->op_index, first,
           number, second, settings);
}

/* Both runs are over and clean: the verdict is the root's.  [INV-CONFLUENT] */
static void
report_difference(const struct judgement *judgement, const struct confluence_difference *difference,
                  unsigned number)
{
  const struct program *program = judgement->program;
  struct exec_result *result = judgement->result;
  const struct watch_row *row = difference->first;
  uint64_t points = result->stats.schedule_points;
  unsigned count = 0;
  const char *name = row->kind == WATCH_BEGIN ? "argument"
                     : row->kind == WATCH_END ? "end"
                                              : op_table(program->dialect, &count)[row->code].name;

  sim.program = program;
  sim.options = judgement->options;
  sim.result = result;
  struct finding *finding = sim_finding_begin("O6", "INV-CONFLUENT");
  result->stats.schedule_points = points;
  report_bucket(finding, "INV-CONFLUENT", name);
  describe_difference(judgement, difference, number, finding->text, sizeof finding->text);
  finding->thread = difference->thread;
  finding->op_index = row->op_index;
  exec_copy_text(finding->op_name, sizeof finding->op_name, name);
  sim_finding_publish();
  sim_release();
}

/* Runs one variant.  False: it ended the judgement with a finding, which is now the result's. */
static bool
judge_variant(const struct judgement *judgement, unsigned number)
{
  static struct exec_result other;
  const struct exec_options *options = judgement->options;
  struct exec_result *result = judgement->result;
  struct confluence_difference difference;

  if (!program_variant(&variant, judgement->program, number))
    return true;
  if (options->trace != NULL)
    fprintf(options->trace, "{\"variant\":%u}\n", number);
  judgement->run(&variant, options, &other, &variant_log);
  result->stats.variants++;
  if (other.verdict == EXEC_FINDING) {
    result->verdict = EXEC_FINDING;
    result->finding = other.finding;
    return false;
  }
  switch (confluence_compare(judgement->log, &variant_log, &difference)) {
  case CONFLUENCE_DIFFERENT:
    report_difference(judgement, &difference, number);
    return false;
  case CONFLUENCE_SAME:
    result->stats.runs_compared = 1;
    return true;
  default:
    result->stats.variants_undecided++;
    return true;
  }
}

bool
variants_prepare(void)
{
  return program_init(&variant, PROGRAM_RACTOR);
}

void
variants_judge(const struct judgement *judgement)
{
  int wanted = judgement->options->variants;
  unsigned count =
      wanted == EXEC_VARIANTS_OF_PROGRAM ? judgement->program->variants : (unsigned)wanted;

  for (unsigned number = 1; number <= count; number++) {
    if (!judge_variant(judgement, number))
      return;
  }
}
