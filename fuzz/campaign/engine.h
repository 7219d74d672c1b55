/* engine.h - the fuzz engines that a campaign runs as children, and the corpus that they share.
 *
 * libFuzzer is linked into its targets and works on the corpus folder itself.  afl-fuzz starts its
 * target, reads the corpus folder once, keeps its queue below the nest, and what it added there is
 * moved into the corpus folder when it ends.
 */
#ifndef GCSTORM_CAMPAIGN_ENGINE_H
#define GCSTORM_CAMPAIGN_ENGINE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum engine { ENGINE_LIBFUZZER, ENGINE_AFL, ENGINE_COUNT };

/* "libfuzzer", "afl". */
extern const char *const engine_names[ENGINE_COUNT];

/* What the two need on this machine; paths of programs and libraries. */
struct engine_binaries {
  char target[PATH_MAX];
  char fuzzer[PATH_MAX];  /* afl-fuzz */
  char mutator[PATH_MAX]; /* its library for the harness */
};

/* One child. */
struct engine_child {
  const struct engine_binaries *binaries;
  const char *corpus;
  const char *nest; /* what it leaves: findings, artifacts, counters */
  const char *faults;
  const char *host;
  uint64_t slice_ms;
  uint64_t seed;
};

/* Finds what the engine needs.  False, with one line in `problem`, when something is missing. */
bool engine_find(enum engine engine, struct engine_binaries *binaries, const char *sanitizer,
                 bool faults, const char *harness, char *problem, size_t problem_size);

/* A slice's length at most.  afl-fuzz runs its whole corpus at each start. */
uint64_t engine_slice_max_ms(enum engine engine);

/* -1: errno. */
pid_t engine_start(enum engine engine, const struct engine_child *child, int log);

/* Inputs in the engine's own queue that the corpus folder does not have yet. */
size_t engine_queue_count(enum engine engine, const char *nest);

/* After the child's end, before its nest is judged: brings what it left to where the campaign
 * looks for it. */
void engine_collect(enum engine engine, const char *nest, const char *corpus);

/* afl.c */
bool afl_find(struct engine_binaries *binaries, bool faults, const char *harness, char *problem,
              size_t problem_size);
pid_t afl_start(const struct engine_child *child, int log);
size_t afl_queue_count(const char *nest);
void afl_collect(const char *nest, const char *corpus);

#endif
