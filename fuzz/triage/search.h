/* search.h - what the passes of the minimiser share: the best program so far, a trial, and the
 * question whether the trial may replace it.  For fuzz/triage/minimize*.c only. */
#ifndef GCSTORM_TRIAGE_SEARCH_H
#define GCSTORM_TRIAGE_SEARCH_H

#include "fuzz/triage/minimize.h"

/* Programs known not to have the property, by hash: later rounds ask much again. */
struct memo {
  uint64_t *hashes; /* open addressing; 0: free */
  size_t capacity;  /* a power of two */
  size_t count;
};

struct search {
  const struct minimize_request *request;
  struct minimize_report *report;
  struct program best;
  struct program trial;
  struct memo memo;
  uint8_t *bytes; /* of a trial */
  bool changed;   /* in this round */
};

/* Starts a trial as a copy of the best program. */
struct program *search_trial(struct search *search);
/* Asks for the trial.  True: it has the property and is the best program now. */
bool search_take(struct search *search);

/* Settings, stress, schedule and failure plan (minimize_plan.c). */
void minimize_settings(struct search *search);
void minimize_stress(struct search *search);
void minimize_policy(struct search *search);
void minimize_plan_rows(struct search *search);
/* Explicit preemptions instead of a policy. */
void minimize_to_preemptions(struct search *search);

/* Removes rows of a list in halves, quarters … single ones, from its end. */
void minimize_rows(struct search *search, unsigned (*count)(const struct program *program),
                   void (*remove)(struct program *program, unsigned first, unsigned count));

/* Lowers a value to `floor` or as far as it goes.  `set` writes it into a trial. */
void minimize_value(struct search *search, unsigned value, unsigned floor,
                    void (*set)(struct program *program, unsigned at, unsigned value), unsigned at);

#endif
