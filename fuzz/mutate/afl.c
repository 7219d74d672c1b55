/* afl.c - the custom mutator of AFL++: the functions that afl-fuzz looks up by name in the library
 * of AFL_CUSTOM_MUTATOR_LIBRARY.
 *
 * One library a harness, which brings harness_dialect().  Everything that afl-fuzz gets from here
 * is canonical bytes that decode.  Each entry point that answers bytes owns a buffer of its own,
 * since afl-fuzz passes the bytes of one into another: they stay valid until the same function is
 * called again, and afl-fuzz never frees them.  Mutants are a function of afl-fuzz's seed alone.
 *
 * Without afl_custom_fuzz_count the power schedule of afl-fuzz says how often an entry is mutated.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate/harness.h"
#include "fuzz/mutate/mutate.h"
#include "fuzz/program/edit.h"

enum {
  INPUT_ROOM = PROGRAM_HEADER_SIZE + PROGRAM_INPUT_MAX,
  CROSSOVER_PERCENT = 50, /* as with libFuzzer, which picks one of its two mutators */
  MUTATION_DEPTH = 5,     /* as well */
  TRIM_STEPS_MAX = 32     /* runs of the target; about a third of what mutation gets */
};

/* What is tried of an input: runs of ops and plan entries are left out, long runs first. */
struct trim {
  struct program kept;  /* the shortest that afl-fuzz accepted */
  struct program tried; /* without the run that starts at `at` */
  unsigned at;
  unsigned run;
  unsigned step;
};

struct afl_mutator {
  struct rng rng;
  struct trim trim;
  struct program decoded;                 /* scratch */
  uint8_t trim_head[PROGRAM_HEADER_SIZE]; /* of the input that is trimmed */
  size_t trim_head_size;
  uint8_t parent[INPUT_ROOM]; /* of a crossover */
  uint8_t mutant[INPUT_ROOM];
  uint8_t trimmed[INPUT_ROOM];
  uint8_t processed[INPUT_ROOM];
};

struct afl_mutator *afl_custom_init(void *afl, unsigned int seed);
void afl_custom_deinit(struct afl_mutator *mutator);
size_t afl_custom_fuzz(struct afl_mutator *mutator, uint8_t *data, size_t size, uint8_t **out,
                       uint8_t *other, size_t other_size, size_t max_size);
size_t afl_custom_post_process(struct afl_mutator *mutator, uint8_t *data, size_t size,
                               uint8_t **out);
int32_t afl_custom_init_trim(struct afl_mutator *mutator, uint8_t *data, size_t size);
size_t afl_custom_trim(struct afl_mutator *mutator, uint8_t **out);
int32_t afl_custom_post_trim(struct afl_mutator *mutator, uint8_t success);

/* ---- Life ------------------------------------------------------------------------------------ */

/* NULL: out of memory; the entry points then stop afl-fuzz. */
struct afl_mutator *
afl_custom_init(void *afl, unsigned int seed)
{
  struct afl_mutator *mutator = calloc(1, sizeof *mutator);

  (void)afl;
  if (mutator == NULL)
    return NULL;
  mutator->rng = rng_seeded(seed);
  if (!program_init(&mutator->decoded, harness_dialect()))
    goto fail_decoded;
  if (!program_init(&mutator->trim.kept, harness_dialect()))
    goto fail_kept;
  if (!program_init(&mutator->trim.tried, harness_dialect()))
    goto fail_tried;
  return mutator;

fail_tried:
  program_free(&mutator->trim.kept);
fail_kept:
  program_free(&mutator->decoded);
fail_decoded:
  free(mutator);
  return NULL;
}

void
afl_custom_deinit(struct afl_mutator *mutator)
{
  if (mutator == NULL)
    return;
  program_free(&mutator->trim.tried);
  program_free(&mutator->trim.kept);
  program_free(&mutator->decoded);
  free(mutator);
}

/* ---- Mutants --------------------------------------------------------------------------------- */

/* Mutates a few times, each time what the last one made, as libFuzzer does. */
size_t
afl_custom_fuzz(struct afl_mutator *mutator, uint8_t *data, size_t size, uint8_t **out,
                uint8_t *other, size_t other_size, size_t max_size)
{
  assert(mutator != NULL);
  size_t room = max_size < INPUT_ROOM ? max_size : INPUT_ROOM;
  uint8_t *to = mutator->mutant;

  size = size < room ? size : room;
  memcpy(to, data, size);
  for (unsigned i = rng_between(&mutator->rng, 1, MUTATION_DEPTH); i > 0; i--) {
    uint64_t seed = rng_next(&mutator->rng);

    if (other != NULL && rng_percent(&mutator->rng, CROSSOVER_PERCENT)) {
      memcpy(mutator->parent, to, size);
      size = crossover_input(mutator->parent, size, other, other_size, to, room, harness_dialect(),
                             seed);
    } else {
      size = mutate_input(to, size, room, harness_dialect(), seed);
    }
  }
  *out = to;
  return size;
}

/* ---- Canonical bytes ------------------------------------------------------------------------- */

/* Decodes what afl-fuzz read or made.  Bytes that only look like a file of another version count
 * as an empty program, as for the mutator.  Returns the size of the header to keep. */
static size_t
decode_input(struct program *program, const uint8_t *data, size_t size)
{
  char problem[80];

  if (program_decode(program, harness_dialect(), data, size, problem, sizeof problem))
    return program_has_header(data, size) ? PROGRAM_HEADER_SIZE : 0;
  program_clear(program, harness_dialect());
  return 0;
}

/* Header, then canonical bytes, cut at the end of the room; cut bytes still decode. */
static size_t
encode_input(const struct program *program, const uint8_t *head, size_t head_size,
             uint8_t out[INPUT_ROOM])
{
  memcpy(out, head, head_size);
  size_t size = program_encode(program, out + head_size, INPUT_ROOM - head_size);

  return size < INPUT_ROOM - head_size ? head_size + size : INPUT_ROOM;
}

/* What runs is canonical whoever made it: seeds of others, and the byte mutations of an afl-fuzz
 * that was not told to leave them.  Never empty, since afl-fuzz takes that for an error. */
size_t
afl_custom_post_process(struct afl_mutator *mutator, uint8_t *data, size_t size, uint8_t **out)
{
  assert(mutator != NULL);
  size_t head_size = decode_input(&mutator->decoded, data, size);

  *out = mutator->processed;
  return encode_input(&mutator->decoded, data, head_size, mutator->processed);
}

/* ---- Trimming -------------------------------------------------------------------------------- */

/* Ops, preemptions, failures and stress places, in this order. */
static unsigned
unit_count(const struct program *program)
{
  return program->op_count + program->preemption_count + program->failure_count +
         program->stress_place_count;
}

static void
remove_unit(struct program *program, unsigned index)
{
  assert(index < unit_count(program));
  if (index < program->op_count) {
    program_remove_ops(program, index, 1);
    return;
  }
  index -= program->op_count;
  if (index < program->preemption_count) {
    program_remove_preemptions(program, index, 1);
    return;
  }
  index -= program->preemption_count;
  if (index < program->failure_count) {
    program_remove_failures(program, index, 1);
    return;
  }
  program_remove_stress_places(program, index - program->failure_count, 1);
}

/* Moves on to a run that is there.  False: all lengths were tried, or enough steps. */
static bool
trim_continues(struct trim *trim)
{
  if (trim->at >= unit_count(&trim->kept)) {
    trim->at = 0;
    trim->run /= 2;
  }
  return trim->run > 0 && unit_count(&trim->kept) > 0 && trim->step < TRIM_STEPS_MAX;
}

/* Returns the number of steps, at most; 0: nothing to trim. */
int32_t
afl_custom_init_trim(struct afl_mutator *mutator, uint8_t *data, size_t size)
{
  assert(mutator != NULL);
  struct trim *trim = &mutator->trim;

  mutator->trim_head_size = decode_input(&trim->kept, data, size);
  memcpy(mutator->trim_head, data, mutator->trim_head_size);
  trim->at = 0;
  trim->step = 0;
  trim->run = (unit_count(&trim->kept) + 1) / 2;
  /* An answer longer than the input ends afl-fuzz, and a file of others can be shorter than its
   * canonical form. */
  if (mutator->trim_head_size + program_encoded_size(&trim->kept) > size)
    return 0;
  return trim_continues(trim) ? TRIM_STEPS_MAX : 0;
}

size_t
afl_custom_trim(struct afl_mutator *mutator, uint8_t **out)
{
  assert(mutator != NULL);
  struct trim *trim = &mutator->trim;

  *out = mutator->trimmed;
  /* Without memory nothing is left out: afl-fuzz then keeps what it has. */
  if (program_copy(&trim->tried, &trim->kept)) {
    unsigned left = unit_count(&trim->kept) - trim->at;

    for (unsigned count = trim->run < left ? trim->run : left; count > 0; count--)
      remove_unit(&trim->tried, trim->at + count - 1);
    return encode_input(&trim->tried, mutator->trim_head, mutator->trim_head_size,
                        mutator->trimmed);
  }
  return encode_input(&trim->kept, mutator->trim_head, mutator->trim_head_size, mutator->trimmed);
}

/* Returns the number of the next step; TRIM_STEPS_MAX: the end. */
int32_t
afl_custom_post_trim(struct afl_mutator *mutator, uint8_t success)
{
  assert(mutator != NULL);
  struct trim *trim = &mutator->trim;

  trim->step++;
  if (success == 0 || !program_copy(&trim->kept, &trim->tried))
    trim->at += trim->run;
  return trim_continues(trim) ? (int32_t)trim->step : TRIM_STEPS_MAX;
}
