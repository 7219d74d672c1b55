/* parse_comment.h - the magic comments: settings, schedule, failures and stress. */
#ifndef GCSTORM_PARSE_COMMENT_H
#define GCSTORM_PARSE_COMMENT_H

#include "fuzz/program/parse_form.h"

/* Takes what follows "# gcstorm:".  False: scan->expected says what was wanted. */
bool parse_comment(struct scan *scan, struct program *program);

#endif
