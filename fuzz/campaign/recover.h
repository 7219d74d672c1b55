/* recover.h - findings that survive the death of the campaign that made them.
 *
 * A child's nest is findings/.new-PID-N; a note in it names the cell.  The next campaign on the
 * same findings folder judges the nests of campaigns that are gone.
 */
#ifndef GCSTORM_CAMPAIGN_RECOVER_H
#define GCSTORM_CAMPAIGN_RECOVER_H

#include <stdbool.h>

#include "fuzz/campaign/findings.h"

/* Writes the note.  False: errno. */
bool nest_note(const char *nest, const struct finding_source *source, const char *corpus);

/* Judges what is left of campaigns with the same faults; NULL: none.  What an engine had in a queue
 * of its own goes to that campaign's corpus, if it is still there.  Quiet. */
void nests_recover(struct findings *findings, const char *faults);

#endif
