/* weigh.h - what a program costs to run, by estimate, and how the mutator keeps that bounded. */
#ifndef GCSTORM_WEIGH_H
#define GCSTORM_WEIGH_H

#include "fuzz/program/program.h"

/* Executed ops with loops counted, each block once; an explicit collection counts as several. */
unsigned program_weight(const struct program *program);

/* Halves the rounds of the heaviest loops until the weight is within `limit` or none repeats. */
void program_tame(struct program *program, unsigned limit);

#endif
