/* confluence.c - see confluence.h. */
#include "fuzz/exec/confluence.h"

#include "fuzz/exec/sim.h"

static unsigned
find_thread(const struct watch *watch, uint64_t name)
{
  unsigned i = 0;

  while (i < watch->thread_count && watch->threads[i].name != name)
    i++;
  return i;
}

/* The thread's next row from `at` on; NULL at the end of the log. */
static const struct watch_row *
next_row(const struct watch *watch, unsigned thread, unsigned *at)
{
  while (*at < watch->row_count && watch->rows[*at].thread != thread)
    ++*at;
  return *at < watch->row_count ? &watch->rows[(*at)++] : NULL;
}

static bool
rows_agree(const struct watch_row *a, const struct watch_row *b)
{
  return a->kind == b->kind && a->code == b->code && a->outcome == b->outcome &&
         a->op_index == b->op_index && a->value.digest == b->value.digest;
}

static bool
threads_differ(const struct watch *first, unsigned a, const struct watch *second, unsigned b,
               struct confluence_difference *difference)
{
  unsigned at = 0, other = 0;

  for (;;) {
    const struct watch_row *row = next_row(first, a, &at);
    const struct watch_row *against = next_row(second, b, &other);

    if (row == NULL || against == NULL)
      return false;
    if (!rows_agree(row, against)) {
      *difference = (struct confluence_difference){a, row, against};
      return true;
    }
  }
}

/* The names of a set of threads, as one number; `several` when there are more than one. */
static uint64_t
names_of(const struct watch *watch, unsigned set, bool *several)
{
  uint64_t name = 0;

  for (unsigned i = 0; i < watch->thread_count; i++) {
    if ((set >> i & 1u) == 0)
      continue;
    *several = *several || name != 0;
    name = watch->threads[i].name;
  }
  return name;
}

/* Whether more than one thread is in the two sets together. */
static bool
sets_race(const struct watch *first, unsigned a, const struct watch *second, unsigned b)
{
  bool several = false;
  uint64_t x = names_of(first, a, &several);
  uint64_t y = names_of(second, b, &several);

  return several || (x != 0 && y != 0 && x != y);
}

static unsigned
senders_at(const struct watch *watch, uint64_t owner, uint32_t number)
{
  for (unsigned i = 0; i < WATCH_PORT_MAX; i++) {
    const struct watch_port *port = &watch->ports[i];

    if (port->used && port->number == number && watch->threads[port->owner].name == owner)
      return port->senders;
  }
  return 0;
}

static bool
senders_race(const struct watch *first, const struct watch *second)
{
  for (unsigned i = 0; i < WATCH_PORT_MAX; i++) {
    const struct watch_port *port = &first->ports[i];

    if (port->used && sets_race(first, port->senders, second,
                                senders_at(second, first->threads[port->owner].name, port->number)))
      return true;
  }
  return false;
}

static bool
takers_race(const struct watch *first, const struct watch *second)
{
  for (unsigned i = 0; i < first->thread_count; i++) {
    unsigned other = find_thread(second, first->threads[i].name);
    unsigned takers = other < second->thread_count ? second->threads[other].takers : 0;

    if (sets_race(first, first->threads[i].takers, second, takers))
      return true;
  }
  return false;
}

enum confluence
confluence_compare(const struct watch *first, const struct watch *second,
                   struct confluence_difference *difference)
{
  for (unsigned a = 0; a < first->thread_count; a++) {
    unsigned b = find_thread(second, first->threads[a].name);

    if (b == second->thread_count || !threads_differ(first, a, second, b, difference))
      continue;
    /* Either log may know a sender that the other was cut before. */
    if (senders_race(first, second) || senders_race(second, first) || takers_race(first, second) ||
        takers_race(second, first))
      return CONFLUENCE_UNDECIDED;
    return CONFLUENCE_DIFFERENT;
  }
  return CONFLUENCE_SAME;
}
