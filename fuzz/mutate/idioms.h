/* idioms.h - templates from which the generator composes blocks: each does one thing that a
 * collector can get wrong, with operands that fit.  An idiom leaves the facts right and no loop
 * open.
 */
#ifndef GCSTORM_IDIOMS_H
#define GCSTORM_IDIOMS_H

#include "fuzz/mutate/builder.h"

enum idiom_group { IDIOM_HEAP, IDIOM_SHARE, IDIOM_RACTOR, IDIOM_GROUP_COUNT };

struct idiom {
  const char *name;
  enum idiom_group group;
  unsigned weight;
  void (*write)(struct builder *builder);
};

/* The tables; idioms_ractor needs a block above the builder's and falls back to others. */
extern const struct idiom idioms_heap[];
extern const unsigned idioms_heap_count;
extern const struct idiom idioms_ractor[];
extern const unsigned idioms_ractor_count;

/* Writes a random idiom of the tables; `weights` scales each group. */
void idiom_random(struct builder *builder, const unsigned weights[IDIOM_GROUP_COUNT]);

/* Fills pages, drops everything and collects, so that pages become empty. */
void idiom_empty_page(struct builder *builder);

/* Starts a worker, lets two Ractors live through a global collection, takes the value. */
void idiom_value(struct builder *builder);

/* Whether a Ractor may still be started from this block. */
bool may_spawn(const struct builder *builder);

/* One to `count` single ops with fitting operands; one in ten has random operands. */
void typed_ops(struct builder *builder, unsigned count);

#endif
