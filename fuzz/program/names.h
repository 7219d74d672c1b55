/* names.h - the words that stand for the small numbers of a program in its text. */
#ifndef GCSTORM_NAMES_H
#define GCSTORM_NAMES_H

#include <stdbool.h>

/* A number beyond its table is "?". */
const char *name_of_site(unsigned site);      /* enum rgc_site */
const char *name_of_point(unsigned point);    /* enum rgc_stress_point */
const char *name_of_action(unsigned action);  /* enum rgc_stress_action */
const char *name_of_policy(unsigned policy);  /* enum schedule_policy */
const char *name_of_failure(unsigned kind);   /* enum failure_kind */
const char *name_of_gc_kind(unsigned kind);   /* enum rgc_kind */
const char *name_of_word_kind(unsigned kind); /* enum vm_word_kind */

#endif
