/* minimize.c - rounds of passes over the best program, until a round changes nothing.
 *
 * A pass is a function of the best program alone, and a round starts all of them afresh: that makes
 * the result a fixpoint.  No pass reads a clock; only `enough` of the request may.
 */
#include "fuzz/triage/minimize.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/program/edit.h"
#include "fuzz/program/shape.h"
#include "fuzz/triage/search.h"
#include "fuzz/triage/shrink.h"

/* Pairs are tried only where they are few. */
enum { PAIR_OPS_MAX = 32, MEMO_START = 1024 };

/* ---- Memo ------------------------------------------------------------------------------------ */

static uint64_t
hash_trial(struct search *search)
{
  size_t size = program_encode(&search->trial, search->bytes, PROGRAM_INPUT_MAX);
  uint64_t hash = 0xcbf29ce484222325ull;

  assert(size <= PROGRAM_INPUT_MAX);
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ search->bytes[i]) * 0x100000001b3ull;
  return hash != 0 ? hash : 1;
}

/* Where the hash is, or the free place where it belongs. */
static size_t
memo_place(const struct memo *memo, uint64_t hash)
{
  size_t at = (size_t)hash & (memo->capacity - 1);

  while (memo->hashes[at] != 0 && memo->hashes[at] != hash)
    at = (at + 1) & (memo->capacity - 1);
  return at;
}

static bool
memo_knows(const struct memo *memo, uint64_t hash)
{
  return memo->hashes[memo_place(memo, hash)] == hash;
}

/* Without memory nothing is noted, which costs time only. */
static void
memo_note(struct memo *memo, uint64_t hash)
{
  if (memo->count * 2 >= memo->capacity) {
    struct memo larger = {.capacity = memo->capacity * 2, .count = memo->count};

    larger.hashes = calloc(larger.capacity, sizeof *larger.hashes);
    if (larger.hashes == NULL)
      return;
    for (size_t i = 0; i < memo->capacity; i++)
      if (memo->hashes[i] != 0)
        larger.hashes[memo_place(&larger, memo->hashes[i])] = memo->hashes[i];
    free(memo->hashes);
    *memo = larger;
  }
  memo->hashes[memo_place(memo, hash)] = hash;
  memo->count++;
}

/* ---- Trials ---------------------------------------------------------------------------------- */

struct program *
search_trial(struct search *search)
{
  bool copied = program_copy(&search->trial, &search->best);

  assert(copied); /* both have room for any input */
  (void)copied;
  return &search->trial;
}

static bool
is_over(struct search *search)
{
  const struct minimize_request *request = search->request;

  if (!search->report->ended_early && request->enough != NULL && request->enough(request->arg))
    search->report->ended_early = true;
  return search->report->ended_early;
}

bool
search_take(struct search *search)
{
  const struct minimize_request *request = search->request;
  struct program held = search->best;

  if (program_equal(&search->trial, &search->best) || is_over(search))
    return false;
  uint64_t hash = hash_trial(search);
  if (memo_knows(&search->memo, hash))
    return false;
  bool still = request->still(request->arg, &search->trial);

  search->report->runs++;
  if (still) {
    search->best = search->trial;
    search->trial = held;
    search->changed = true;
  } else {
    memo_note(&search->memo, hash);
  }
  if (request->progress != NULL)
    request->progress(request->arg, &search->best, search->report->runs);
  return still;
}

void
minimize_rows(struct search *search, unsigned (*count)(const struct program *program),
              void (*remove)(struct program *program, unsigned first, unsigned count))
{
  for (unsigned size = count(&search->best); size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
    /* What lies before `end` is the same whether the rows behind it went or not. */
    for (unsigned end = count(&search->best); end > 0;) {
      unsigned first = end > size ? end - size : 0;

      remove(search_trial(search), first, end - first);
      search_take(search);
      end = first;
    }
  }
}

void
minimize_value(struct search *search, unsigned value, unsigned floor,
               void (*set)(struct program *program, unsigned at, unsigned value), unsigned at)
{
  for (unsigned step = value - floor; step > 0 && value > floor;) {
    set(search_trial(search), at, value - step);
    if (search_take(search)) {
      value -= step;
      step = step < value - floor ? step : value - floor;
    } else {
      step /= 2;
    }
  }
}

/* ---- Blocks and ops -------------------------------------------------------------------------- */

static void
settle(struct search *search)
{
  shrink_settle(search_trial(search));
  search_take(search);
}

/* With the ops that start its Ractors; else these start another block. */
static bool
remove_block(struct search *search, unsigned block)
{
  shrink_remove_block(search_trial(search), block, 0);
  if (search_take(search))
    return true;
  if (!shrink_block_is_started(&search->best, block))
    return false;
  for (unsigned heir = 1; heir < search->best.block_count; heir++) {
    if (heir == block)
      continue;
    shrink_remove_block(search_trial(search), block, heir);
    if (search_take(search))
      return true;
  }
  return false;
}

static void
remove_blocks(struct search *search)
{
  for (unsigned block = search->best.block_count; block-- > 1;)
    remove_block(search, block);
}

/* Where main does no more than start the Ractor that matters. */
static void
hoist_blocks(struct search *search)
{
  for (unsigned block = 1; block < search->best.block_count; block++) {
    if (search->best.blocks[0].op_count == 0)
      return; /* nothing would become less */
    shrink_hoist_block(search_trial(search), block);
    search_take(search);
  }
}

static unsigned
count_ops(const struct program *program)
{
  return program->op_count;
}

static void
remove_ops(struct search *search)
{
  minimize_rows(search, count_ops, program_remove_ops);
}

/* One past the last op of the block that holds the op. */
static unsigned
block_end_of(const struct program *program, unsigned index)
{
  unsigned block = 0;

  while (index >= program->blocks[block].op_first + program->blocks[block].op_count)
    block++;
  assert(block < program->block_count);
  return program->blocks[block].op_first + program->blocks[block].op_count;
}

/* Loops and skips with their bodies, which halves of the list rarely hit. */
static void
remove_bodies(struct search *search)
{
  for (unsigned i = search->best.op_count; i-- > 0;) {
    const struct program *best = &search->best;

    if (!op_is_loop(best, i) && !op_is_skip(best, i))
      continue;
    unsigned end = op_body_end(best, i, block_end_of(best, i));

    program_remove_ops(search_trial(search), i, end - i);
    search_take(search);
  }
}

/* A send and its receive, a Ractor and its value: neither goes alone. */
static void
remove_pairs(struct search *search)
{
  for (unsigned late = search->best.op_count; late-- > 1;) {
    if (search->best.op_count > PAIR_OPS_MAX)
      return;
    for (unsigned early = late; early-- > 0;) {
      struct program *trial = search_trial(search);

      program_remove_ops(trial, late, 1);
      program_remove_ops(trial, early, 1);
      if (search_take(search)) {
        late--;
        break;
      }
    }
  }
}

/* ---- Operands -------------------------------------------------------------------------------- */

/* `at`: op times PROGRAM_OPERAND_MAX, plus which of its operands. */
static void
set_operand(struct program *program, unsigned at, unsigned value)
{
  program->ops[at / PROGRAM_OPERAND_MAX].operands[at % PROGRAM_OPERAND_MAX] = (uint8_t)value;
}

static bool
operand_is_name(enum op_operand kind)
{
  return kind == OPERAND_DST || kind == OPERAND_REG || kind == OPERAND_BLOCK ||
         kind == OPERAND_OBJSPACE || kind == OPERAND_OBJECT;
}

/* Numbers go down as far as they can.  Of a name only 0 is simpler: that no name matters there. */
static void
lower_operand(struct search *search, unsigned at)
{
  unsigned count;
  const struct op_info *table = op_table(search->best.dialect, &count);
  const struct op *op = &search->best.ops[at / PROGRAM_OPERAND_MAX];
  unsigned which = at % PROGRAM_OPERAND_MAX;
  unsigned value = op->operands[which];

  if (value == 0)
    return;
  if (!operand_is_name(table[op->code].operands[which])) {
    minimize_value(search, value, 0, set_operand, at);
    return;
  }
  set_operand(search_trial(search), at, 0);
  search_take(search);
}

static void
lower_operands(struct search *search)
{
  for (unsigned at = search->best.op_count * PROGRAM_OPERAND_MAX; at-- > 0;)
    lower_operand(search, at);
}

/* Gives the highest names to the lowest numbers that are free. */
static void
lower_names_of(struct search *search, unsigned block, enum op_operand kind)
{
  for (unsigned from = operand_limit(kind); from-- > 1;) {
    if (!shrink_name_is_used(&search->best, block, kind, from))
      continue;
    for (unsigned to = 0; to < from; to++) {
      if (shrink_name_is_used(&search->best, block, kind, to))
        continue;
      shrink_rename(search_trial(search), block, kind, from, to);
      if (search_take(search))
        break;
    }
  }
}

static void
lower_names(struct search *search)
{
  for (unsigned block = 0; block < search->best.block_count; block++) {
    if (search->best.dialect == PROGRAM_RACTOR) {
      lower_names_of(search, block, OPERAND_REG);
    } else {
      lower_names_of(search, block, OPERAND_OBJSPACE);
      lower_names_of(search, block, OPERAND_OBJECT);
    }
  }
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* What removes much comes first, what only tidies last. */
static void
run_round(struct search *search)
{
  static void (*const passes[])(struct search *search) = {
      settle,          minimize_plan_rows, remove_blocks,   hoist_blocks,
      remove_ops,      remove_bodies,      minimize_policy, minimize_settings,
      minimize_stress, remove_pairs,       lower_operands,  lower_names,
  };

  search->changed = false;
  search->report->rounds++;
  for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++)
    passes[i](search);
}

static bool
search_open(struct search *search, const struct program *program)
{
  search->memo.capacity = MEMO_START;
  search->memo.hashes = calloc(MEMO_START, sizeof *search->memo.hashes);
  search->bytes = malloc(PROGRAM_INPUT_MAX);
  return search->memo.hashes != NULL && search->bytes != NULL &&
         program_init(&search->best, program->dialect) &&
         program_init(&search->trial, program->dialect) && program_copy(&search->best, program);
}

static void
search_close(struct search *search)
{
  program_free(&search->best);
  program_free(&search->trial);
  free(search->memo.hashes);
  free(search->bytes);
}

bool
minimize_program(struct program *program, const struct minimize_request *request,
                 struct minimize_report *report)
{
  struct search search = {.request = request, .report = report};
  bool good = search_open(&search, program);

  *report = (struct minimize_report){0};
  if (good) {
    do {
      run_round(&search);
      /* Last: a preemption counts visits, so ops before it go less easily than under a policy. */
      if (!search.changed)
        minimize_to_preemptions(&search);
    } while (search.changed && !report->ended_early);
    good = program_copy(program, &search.best);
  }
  search_close(&search);
  return good;
}
