/* program.h - the model of a program: settings, blocks of ops, a schedule, a failure plan and
 * explicit stress places; with its total, canonical byte codec.
 *
 * Two dialects share model and codec: *Ractor programs* (ops.def, run on the VM) and *GC events*
 * (events.def, run on the bare collector).  A dialect is a table of ops.
 *
 * Bytes.  A fixed prelude of PROGRAM_PRELUDE_SIZE bytes (settings, stress mode, default schedule),
 * then records of PROGRAM_RECORD_SIZE bytes; a short last record is filled up with zeros, and a
 * short prelude too.  Every byte string decodes; encode(decode(x)) decodes to the same program, and
 * is a fixed point.  A small edit of bytes is a small edit of the program.  Kept files start with a
 * header of PROGRAM_HEADER_SIZE bytes (magic "GCST", format version, dialect, two zeros) that is
 * stripped before decoding and never mutated.
 */
#ifndef GCSTORM_PROGRAM_H
#define GCSTORM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PROGRAM_HEADER_SIZE = 8,
  PROGRAM_FORMAT_VERSION = 1,
  PROGRAM_PRELUDE_SIZE = 24,
  PROGRAM_RECORD_SIZE = 4,
  PROGRAM_OPERAND_MAX = 3,
  PROGRAM_INPUT_MAX = 65536, /* bytes that are decoded; the rest is ignored */
  PROGRAM_BLOCK_MAX = 16,
  PROGRAM_PREEMPTION_MAX = 64,
  PROGRAM_FAILURE_MAX = 16,
  PROGRAM_STRESS_PLACE_MAX = 32,
  PROGRAM_VARIANT_MAX = 7
};

enum program_dialect { PROGRAM_RACTOR, PROGRAM_EVENTS, PROGRAM_DIALECT_COUNT };

enum op_operand {
  OPERAND_NONE,
  OPERAND_DST,       /* register written, 0…15 */
  OPERAND_REG,       /* register read, 0…15 */
  OPERAND_INDEX,     /* 0…31: element, field, slot, depth */
  OPERAND_COUNT,     /* 0…63: length, repetitions, body length */
  OPERAND_BYTE,      /* 0…255 */
  OPERAND_BLOCK,     /* 0…15; chooses among the blocks after main's, modulo their number */
  OPERAND_WORD_KIND, /* enum vm_word_kind */
  OPERAND_GC_KIND,   /* enum rgc_kind */
  OPERAND_OBJSPACE,  /* events dialect: 0…7 */
  OPERAND_OBJECT,    /* events dialect: 0…31, an entry of the object table */
  OPERAND_KIND_COUNT
};

struct op_info {
  const char *name;
  enum op_operand operands[PROGRAM_OPERAND_MAX];
  const char *ruby;    /* form with %1 %2 %3 for operands */
  const char *section; /* of the source document */
  const char *text;    /* one line of meaning */
  unsigned weight;     /* how often the generator picks it, relative */
};

/* Op numbers of the two dialects; append only. */
enum ractor_op {
#define OP(name, a, b, c, weight, section, ruby, text) OP_##name,
#include "ops.def"
#undef OP
  OP_COUNT
};

enum event_op {
#define OP(name, a, b, c, weight, section, ruby, text) EV_##name,
#include "events.def"
#undef OP
  EV_COUNT
};

const struct op_info *op_table(enum program_dialect dialect, unsigned *count);
/* Number of values an operand kind has; values are 0 … limit-1. */
unsigned operand_limit(enum op_operand kind);
/* What stands for an operand where a form is shown to people: rN, COUNT, … */
const char *operand_name(enum op_operand kind);

struct op {
  uint8_t code;
  uint8_t operands[PROGRAM_OPERAND_MAX];
};

struct block {
  unsigned op_first; /* in program.ops */
  unsigned op_count;
};

/* Settings as small indices into tables (page size 1 KiB … 64 KiB, …); see settings.c. */
enum program_setting {
  SETTING_PAGE_SIZE,
  SETTING_ARENA_PAGES,
  SETTING_HEAP_LIMIT,
  SETTING_INITIAL_BUDGET,
  SETTING_GROWTH,
  SETTING_FREE_WANTED,
  SETTING_EMPTY_KEPT,
  SETTING_MALLOC_LIMIT,
  SETTING_OLD_LIMIT,
  SETTING_SHAREABLE_LIMIT,
  SETTING_ZOMBIE_LIMIT,
  SETTING_OFFHEAP_LIMIT,
  SETTING_INTERIOR_PINS,
  PROGRAM_SETTING_COUNT,
  /* The others take a record each, where they are not the default.  Append only. */
  PROGRAM_PRELUDE_SETTING_COUNT = SETTING_OFFHEAP_LIMIT + 1
};

const char *setting_name(enum program_setting setting);
unsigned setting_limit(enum program_setting setting); /* number of choices */
size_t setting_value(enum program_setting setting, unsigned choice);

enum schedule_policy { SCHEDULE_RUN, SCHEDULE_ROUND_ROBIN, SCHEDULE_PCT, SCHEDULE_POLICY_COUNT };

struct preemption {
  uint8_t thread; /* 0…15, in order of creation */
  uint8_t site;   /* enum rgc_site */
  uint16_t visit; /* 0…1023: the thread's how-manieth visit of that site */
  uint8_t to;     /* thread that runs next, if it can; 0…15 */
};

enum failure_kind { FAILURE_PAGE, FAILURE_THREAD, FAILURE_KIND_COUNT };

struct failure {
  uint8_t kind;  /* enum failure_kind */
  uint8_t count; /* how many in a row fail, 1…16 */
  uint8_t nth;   /* the nth request is the first to fail, 0…255 */
};

struct stress_place {
  uint8_t thread;
  uint8_t point;  /* enum rgc_stress_point */
  uint8_t action; /* enum rgc_stress_action */
  uint16_t visit; /* 0…1023 */
};

struct program {
  enum program_dialect dialect;
  uint8_t settings[PROGRAM_SETTING_COUNT];
  /* General stress: at each `stress_every`th visit of `stress_point` do `stress_action`; 0: off. */
  uint8_t stress_point;
  uint8_t stress_action;
  uint8_t stress_every; /* 0…31 */
  uint8_t policy;       /* enum schedule_policy */
  uint8_t quantum;      /* round robin: schedule points a turn, 1…64 */
  uint8_t depth;        /* PCT: change points, 0…7 */
  uint16_t schedule_seed;
  uint8_t variants; /* further runs, under other schedules and triggers, that must observe the same:
                       0…PROGRAM_VARIANT_MAX; see variant.h */

  unsigned preemption_count;
  struct preemption preemptions[PROGRAM_PREEMPTION_MAX];
  unsigned failure_count;
  struct failure failures[PROGRAM_FAILURE_MAX];
  unsigned stress_place_count;
  struct stress_place stress_places[PROGRAM_STRESS_PLACE_MAX];

  unsigned block_count; /* at least 1: block 0 is main's */
  struct block blocks[PROGRAM_BLOCK_MAX];
  unsigned op_count;
  unsigned op_capacity;
  struct op *ops; /* grouped by block, in block order */
};

/* Prepares an empty program with room for any input.  False: out of memory. */
bool program_init(struct program *program, enum program_dialect dialect);
void program_free(struct program *program);
void program_clear(struct program *program, enum program_dialect dialect);
bool program_copy(struct program *to, const struct program *from);
bool program_equal(const struct program *a, const struct program *b);

/* Total: every byte string is a program.  `data` may start with a file header, whose dialect then
 * counts; otherwise `dialect` does.  A header of an unknown version: false, with one line in
 * `problem` (never for headerless data). */
bool program_decode(struct program *program, enum program_dialect dialect, const uint8_t *data,
                    size_t size, char *problem, size_t problem_size);

/* Canonical bytes without header.  Returns the size; writes at most `capacity` bytes. */
size_t program_encode(const struct program *program, uint8_t *data, size_t capacity);
size_t program_encoded_size(const struct program *program);

/* The file header for kept files; returns PROGRAM_HEADER_SIZE. */
size_t program_header(enum program_dialect dialect, uint8_t data[PROGRAM_HEADER_SIZE]);
bool program_has_header(const uint8_t *data, size_t size);

/* Inserts one op at `index` (of program.ops) into `block`; blocks stay contiguous.  Bodies of loops
 * and skips keep their lengths, so that a program is written from its start to its end; to change
 * one there is edit.h.  False: no room. */
bool program_insert_op(struct program *program, unsigned block, unsigned index, struct op op);
bool program_add_block(struct program *program);

/* The block that an operand of kind BLOCK starts: it counts from the block after main's, modulo the
 * number of such blocks.  Where there are none, the number that the first ones would have. */
unsigned program_started_block(const struct program *program, unsigned operand);

#endif
