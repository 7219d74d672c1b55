/* edit.h - edits that keep a program sensible.
 *
 * Kept by each: blocks are contiguous and in order, and the bodies of loops and skips cover what
 * they covered before, less what went and more what came between.  A body that would get longer
 * than its operand can say ends where the operand ends.
 */
#ifndef GCSTORM_EDIT_H
#define GCSTORM_EDIT_H

#include "fuzz/program/program.h"

/* Inserts ops before `index` of program.ops into `block`.  What stands between the first and the
 * last op of a body belongs to it.  Returns how many found room. */
unsigned program_insert_ops(struct program *program, unsigned block, unsigned index,
                            const struct op *ops, unsigned count);

/* Remove entries first … first+count-1; ops may be of several blocks. */
void program_remove_ops(struct program *program, unsigned first, unsigned count);
void program_remove_preemptions(struct program *program, unsigned first, unsigned count);
void program_remove_failures(struct program *program, unsigned first, unsigned count);
void program_remove_stress_places(struct program *program, unsigned first, unsigned count);

/* Cuts each body at the end of its block. */
void program_cut_bodies(struct program *program);

#endif
