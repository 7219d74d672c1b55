/* facts.c - see facts.h. */
#include "fuzz/mutate/facts.h"

#include <assert.h>
#include <string.h>

void
facts_init(struct facts *facts, const struct fact *argument)
{
  memset(facts, 0, sizeof *facts);
  facts->group_next = 1;
  if (argument == NULL)
    return;
  facts->registers[1] = *argument;
  facts->registers[1].group = facts->group_next++;
  facts->registers[2] = fact_shareable(facts, FACT_RACTOR, 0);
}

struct fact
fact_new(struct facts *facts, enum fact_kind kind, unsigned length)
{
  assert(kind < FACT_KIND_COUNT);
  return (struct fact){.kind = kind, .length = length, .group = facts->group_next++};
}

struct fact
fact_shareable(struct facts *facts, enum fact_kind kind, unsigned length)
{
  struct fact fact = fact_new(facts, kind, length);

  fact.shareable = true;
  fact.frozen = kind == FACT_STRING || kind == FACT_ARRAY || kind == FACT_OBJECT;
  return fact;
}

void
facts_join(struct facts *facts, unsigned parent, unsigned child)
{
  unsigned to = facts->registers[parent].group;
  unsigned from = facts->registers[child].group;

  assert(parent < VM_REGISTER_COUNT && child < VM_REGISTER_COUNT);
  if (from == 0 || from == to || facts->registers[child].shareable)
    return;
  for (unsigned i = 0; i < VM_REGISTER_COUNT; i++)
    if (facts->registers[i].group == from)
      facts->registers[i].group = to;
  for (unsigned i = 0; i < facts->word_count; i++)
    if (facts->words[i].group == from)
      facts->words[i].group = to;
}

static void
share_one(struct fact *fact, unsigned group)
{
  if (fact->group != group || !fact_is_heap(fact))
    return;
  fact->shareable = true;
  fact->frozen = true;
}

void
facts_share(struct facts *facts, unsigned root)
{
  unsigned group = facts->registers[root].group;

  assert(root < VM_REGISTER_COUNT);
  if (group == 0)
    return;
  for (unsigned i = 0; i < VM_REGISTER_COUNT; i++)
    share_one(&facts->registers[i], group);
  for (unsigned i = 0; i < facts->word_count; i++)
    share_one(&facts->words[i], group);
}

void
facts_freeze(struct facts *facts, unsigned object)
{
  assert(object < VM_REGISTER_COUNT);
  /* Copies of the reference are in the same group; so may others be, which costs little. */
  for (unsigned i = 0; i < VM_REGISTER_COUNT; i++)
    if (facts->registers[i].group == facts->registers[object].group)
      facts->registers[i].frozen = true;
}

bool
fact_is_heap(const struct fact *fact)
{
  return fact->kind != FACT_NIL && fact->kind != FACT_FIXNUM;
}

bool
fact_is_plain(const struct fact *fact)
{
  return fact->kind != FACT_UNKNOWN && (fact->kind != FACT_PROC || fact->shareable);
}
