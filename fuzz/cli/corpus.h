/* corpus.h - what the parts of gcstorm corpus share. */
#ifndef GCSTORM_CLI_CORPUS_H
#define GCSTORM_CLI_CORPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "fuzz/cli/options.h"

enum { EXIT_INTERRUPTED = 130 };

struct corpus_request {
  const char *root, *harness, *sanitizer, *faults, *seed, *source, *junit;
  const char *cause; /* add: the rule that a finding showed before it was fixed, or NULL */
  uint64_t jobs;     /* 0: not given */
  uint64_t max_bytes;
  bool no_minimize, no_faults, json;
};

extern const struct command corpus_command;

/* Each returns the exit code. */
int corpus_add(const struct corpus_request *request, const char *path);
int corpus_check(const struct corpus_request *request);
int corpus_record(const struct corpus_request *request);
int corpus_stats(const struct corpus_request *request);

#endif
