/* exec.h - runs one input on a host, the simulator or threads, and says what happened.
 *
 * On the simulator a run is a function of the input bytes (and of the switched-on faults) alone, on
 * the calling OS thread; fibers, stacks and the arena are pooled between runs.  On threads it is
 * not, and has no trace (docs/HOSTS.md).  One run at a time per process.
 */
#ifndef GCSTORM_EXEC_H
#define GCSTORM_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fuzz/program/program.h"
#include "rgc/phases.h"
#include "rgc/platform.h"

enum exec_host { EXEC_HOST_SIM, EXEC_HOST_THREADS, EXEC_HOST_COUNT };

static inline const char *
exec_host_name(enum exec_host host)
{
  return host == EXEC_HOST_THREADS ? "threads" : "sim";
}

enum exec_verdict { EXEC_CLEAN, EXEC_FINDING };

enum { FINDING_THREAD_MAX = 16, FINDING_TEXT_MAX = 512, FINDING_STACK_MAX = 24 };

/* A verdict with everything a person needs; fixed size, so that it can be filled in while dying. */
struct finding {
  char host[8];     /* see exec_host_name */
  char oracle[16];  /* "O1" … "O8" as in docs/ORACLES.md, or "core" */
  char rule[48];    /* "INV-SHREF", "data-race", "use-after-poison", "ASSERT", … */
  char bucket[160]; /* stable across schedules and addresses */
  char text[FINDING_TEXT_MAX];
  char phase[24];
  unsigned thread; /* in order of creation */
  uint64_t step;   /* executed ops of the run so far */
  uint64_t schedule_point;
  unsigned op_index; /* of that thread's current op, in program.ops */
  char op_name[32];
  unsigned stack_count;
  char stack[FINDING_STACK_MAX][80]; /* function names, innermost first */
  char stack_title[48];              /* data races: "write of 8 bytes by main" */
  char object[128];                  /* …and what both touched, by its program name */
  char other_stack_title[48];        /* data races: the other access */
  unsigned other_stack_count;
  char other_stack[FINDING_STACK_MAX][80];
  char faults[128]; /* ids that were on */
};

enum {
  OP_PHASE_QUIET,
  OP_PHASE_SWEEPING,
  OP_PHASE_FOREIGN_GC,
  OP_PHASE_STOP_PENDING,
  OP_PHASE_COUNT
};
enum { EXEC_OP_MAX = 128 };

/* Counters of one run, or summed over many. */
struct exec_stats {
  uint64_t runs;
  uint64_t ops;           /* executed */
  uint64_t ops_effective; /* that did something: returned without an error */
  uint64_t schedule_points;
  uint64_t switches;
  uint64_t local_minor, local_major, global;
  uint64_t runs_two_live_at_global; /* two or more live Ractors at a global GC */
  uint64_t runs_page_emptied;
  uint64_t runs_page_moved;  /* a page changed owner */
  uint64_t runs_page_failed; /* a page allocation failed */
  uint64_t runs_budget_spent;
  uint64_t runs_compared;      /* with variants, and one of them decided */
  uint64_t variants;           /* runs of variants, not counted in `runs` */
  uint64_t variants_undecided; /* observed something else, for a reason that O6 allows */
  uint64_t op_phase[EXEC_OP_MAX][OP_PHASE_COUNT]; /* op × what the collector was doing */
};

enum exec_verify { EXEC_VERIFY_OFF, EXEC_VERIFY_CYCLES, EXEC_VERIFY_PHASES };

struct exec_limits {
  unsigned ops;             /* 4096; a local collection counts as 3, a global one as 12 */
  unsigned threads;         /* 16 */
  uint64_t schedule_points; /* livelock: as many without progress, 200,000 */
  unsigned seconds; /* threads: a run in which nobody passes a schedule point so long hangs, 20 */
};

/* Oracles that may be switched off; bits. */
enum { EXEC_ORACLE_SHADOW = 1, EXEC_ORACLE_STORES = 2, EXEC_ORACLE_ALL = 3 };
enum { EXEC_VARIANTS_OF_PROGRAM = -1 };

struct exec_options {
  enum exec_verify verify;
  unsigned oracles;
  struct exec_limits limits;
  int variants;      /* runs to compare with (O6); EXEC_VARIANTS_OF_PROGRAM: as many as it says */
  bool progress_off; /* O4 is silent: for measuring what only it sees */
  enum exec_host host;
  uint64_t perturb;   /* on threads: varies what happens at schedule points */
  FILE *trace;        /* on the simulator: one JSON line an event; NULL: none */
  FILE *observations; /* the observation log as text; NULL: none */
  /* Called once, from wherever the finding was made, possibly just before the process dies.
   * NULL: the finding is only returned. */
  void (*on_finding)(void *arg, const struct finding *finding);
  void *arg;
};

void exec_options_default(struct exec_options *options);

struct exec_result {
  enum exec_verdict verdict;
  uint64_t trace_hash;       /* 0 on threads */
  uint64_t observation_hash; /* of a Ractor program: the same in all its variants that end uncut */
  struct exec_stats stats;
  struct finding finding; /* when verdict is EXEC_FINDING */
};

/* Once a process: what a fork inherits: arena, symbols, room for a program.  False: the arena
 * cannot be placed; `problem` says why and what to do. */
bool exec_prepare(char *problem, size_t problem_size);
/* The rest, and that too if need be: signal handlers, sanitizer hooks, fiber pool. */
bool exec_setup(char *problem, size_t problem_size);

/* Decodes and runs.  After a finding that leaves the process usable (on the simulator an oracle's
 * verdict or a failed assertion of the core; on threads one that was made when all had ended) it
 * returns EXEC_FINDING; after any other the process ends with exit code 66 once on_finding has
 * returned. */
void exec_run(enum program_dialect dialect, const uint8_t *data, size_t size,
              const struct exec_options *options, struct exec_result *result);
void exec_run_program(const struct program *program, const struct exec_options *options,
                      struct exec_result *result);

void exec_stats_add(struct exec_stats *sum, const struct exec_stats *one);

/* Which sanitizer this binary carries: "none", "asan" or "tsan". */
const char *exec_sanitizer(void);

/* The finding as one JSON object (jansson is not needed: harness binaries link libc alone). */
void json_write_text(FILE *file, const char *text);
/* The trace hash as a JSON value: null on the host "threads". */
void json_write_hash(FILE *file, const char *host, uint64_t trace_hash);
void finding_write_json(FILE *file, const struct finding *finding, const char *input_path,
                        uint64_t trace_hash);

#endif
