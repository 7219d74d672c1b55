/* rules.c - the list of rules, the exemption table and failure messages of the verifier. */
#include <stdio.h>

#include "gc-core/verify/check.h"

static const struct rgc_rule rule_table[] = {
    {"INV-OWNER", "a page has one owner, named by its header and by the table it stands in"},
    {"INV-EDGE", "a reference names the start of an allocated slot"},
    {"INV-CONTAIN",
     "a private object is referenced only from its own objspace or from a shareable"},
    {"INV-SHREF", "the private target of a shareable object's edge has its shref bit set"},
    {"INV-SHBIT",
     "the shareable bit equals the host's flag; no shref on a shareable; free slots have neither"},
    {"INV-LEAF", "a local cycle writes no foreign page"},
    {"INV-LIVE", "after a local mark every shareable of the objspace is marked"},
    {"INV-MARK", "after the unified mark no marked object leads to an unmarked one"},
    {"INV-REMEMBER", "an old private object with a young private child is remembered"},
    {"INV-SETTLED", "after settle every page of every objspace is swept"},
    {"INV-CLEARED", "after clear no mark, age, remembered or shref bit is set"},
    {"INV-SWEPT", "after the sweep every allocated slot is marked"},
    {"INV-REGISTRY", "each objspace is in the registry once, in every life"},
    {"INV-INDEX", "the page index equals the union of the page tables, by body address"},
    {"INV-INDEX-STW", "the page index is read only with the world stopped"},
    {"INV-POOL", "each page body is in exactly one place"},
    {"INV-PIN", "a message in flight is recorded as shref in its objspace"},
    {"INV-COUNT", "counters equal recounts"},
    {"INV-BUDGET", "after a global cycle every size class can allocate"},
    {"INV-LIMIT", "after the recount each trigger limit follows from what survived"},
    {"INV-ABSORB-FULL", "the first cycle after an absorb is a full one"},
    {"INV-NOSTOP", "only the named reasons stop the world, and never from inside a cycle"},
    {"INV-WEAK", "after the weak pass a weak table names only marked objects"},
};

const struct rgc_rule *
rgc_rules(size_t *count)
{
  *count = sizeof rule_table / sizeof rule_table[0];
  return rule_table;
}

static const struct {
  const char *name;
  const char *reason;
} exemption_table[EXEMPT_COUNT] = {
    [EXEMPT_DEAD_UNSWEPT] = {"dead-unswept", "an unmarked object of an unswept page is dead; its "
                                             "children may be gone already"},
    [EXEMPT_CLEARED_SHREF] = {"cleared-shref", "between clear and mark shrefs and pins wait to be "
                                               "derived again"},
};

void
check_exempted(struct rgc_world *world, enum check_exemption row)
{
  atomic_fetch_add_explicit(&world->exemption_counts[row], 1, memory_order_relaxed);
}

size_t
rgc_verify_exemptions(const struct rgc_world *world, struct rgc_exemption_count *rows,
                      size_t capacity)
{
  for (size_t i = 0; i < EXEMPT_COUNT && i < capacity; i++)
    rows[i] = (struct rgc_exemption_count){exemption_table[i].name, exemption_table[i].reason,
                                           atomic_load(&world->exemption_counts[i])};
  return EXEMPT_COUNT;
}

static void
describe(struct rgc_world *world, rgc_ref obj, char *text, size_t size)
{
  text[0] = '\0';
  if (obj.bits == 0)
    snprintf(text, size, "root");
  else
    world->host->describe(world->vm, obj, text, size);
}

void
check_failed(struct rgc_world *world, const char *rule, const char *where, const char *what,
             rgc_ref parent, rgc_ref child)
{
  char parent_text[96];
  char child_text[96];

  describe(world, parent, parent_text, sizeof parent_text);
  describe(world, child, child_text, sizeof child_text);
  rgc_fail(&world->env, rule, where, "%s: %s -> %s", what, parent_text, child_text);
}
