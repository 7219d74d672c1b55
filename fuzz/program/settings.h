/* settings.h - what the small setting indices of a program mean to the collector. */
#ifndef GCSTORM_SETTINGS_H
#define GCSTORM_SETTINGS_H

#include "fuzz/program/program.h"
#include "rgc/rgc.h"

/* The settings of the world in which the program runs.  Always usable: every combination of choices
 * passes rgc_settings_problem, and the heap limit holds at least 16 pages. */
void program_rgc_settings(const struct program *program, struct rgc_settings *out);

#endif
