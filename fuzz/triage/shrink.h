/* shrink.h - edits that make a program smaller and keep it sensible: what edit.h keeps, and
 * `ractor_new` names the block that it named before.
 */
#ifndef GCSTORM_TRIAGE_SHRINK_H
#define GCSTORM_TRIAGE_SHRINK_H

#include "fuzz/program/program.h"

/* Removes a block that is not main's.  Ractors that ran it run `heir`; with heir 0 the ops that
 * start them go too. */
void shrink_remove_block(struct program *program, unsigned block, unsigned heir);

/* Main runs the ops of a block instead of its own; the block stays, empty. */
void shrink_hoist_block(struct program *program, unsigned block);

/* Whether an op starts a Ractor on the block. */
bool shrink_block_is_started(const struct program *program, unsigned block);

/* Writes what is written in several ways in the simplest one: bodies end in their block, a block is
 * named by its number, what the policy or an empty stress mode does not read is its default. */
void shrink_settle(struct program *program);

/* Names are what operands of a kind stand for: registers of a block, objspaces, objects. */
bool shrink_name_is_used(const struct program *program, unsigned block, enum op_operand kind,
                         unsigned name);
void shrink_rename(struct program *program, unsigned block, enum op_operand kind, unsigned from,
                   unsigned to);

#endif
