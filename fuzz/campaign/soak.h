/* soak.h - how far a soak has come, kept beside its findings so that a killed one goes on.
 *
 * A soak is a campaign that ends after so much CPU time of its children, rather than after some
 * time on the clock.  FINDINGS/soak.json has the counters of each cell; it is written whenever a
 * child ends, and goes when the soak is over.
 */
#ifndef GCSTORM_CAMPAIGN_SOAK_H
#define GCSTORM_CAMPAIGN_SOAK_H

#include "fuzz/campaign/campaign.h"

/* The cells of a soak, in the form of campaign_options.sanitizers. */
#define SOAK_CELLS "asan,tsan,tsan@threads"

/* Takes over what was kept, if anything.  Returns 0, or 2 with `problem`: it is of another soak, or
 * damaged. */
int soak_resume(struct campaign *campaign, const struct campaign_options *options, char *problem,
                size_t problem_size);

/* False: errno. */
bool soak_keep(const struct campaign *campaign, const struct campaign_options *options);
void soak_forget(const struct campaign_options *options);

/* CPU time of all cells so far. */
uint64_t soak_spent_ms(const struct campaign *campaign);

#endif
