/* names.c - see names.h. */
#include "fuzz/program/names.h"

#include "fuzz/program/program.h"
#include "rgc/platform.h"
#include "rgcvm/vm.h"

const char *
name_of_site(unsigned site)
{
  static const char *const names[RGC_SITE_COUNT] = {
      [RGC_SITE_OP] = "op",
      [RGC_SITE_LOCK] = "lock",
      [RGC_SITE_UNLOCK] = "unlock",
      [RGC_SITE_WAIT] = "wait",
      [RGC_SITE_NOTIFY] = "notify",
      [RGC_SITE_ATOMIC] = "atomic",
      [RGC_SITE_RMW] = "rmw",
      [RGC_SITE_ALLOCATE] = "allocate",
      [RGC_SITE_BARRIER_SHREF] = "barrier_shref",
      [RGC_SITE_BARRIER_DONE] = "barrier_done",
      [RGC_SITE_MARK_CHUNK] = "mark_chunk",
      [RGC_SITE_SWEEP_PAGE] = "sweep_page",
      [RGC_SITE_POOL_TAKE] = "pool_take",
      [RGC_SITE_POOL_GIVE] = "pool_give",
      [RGC_SITE_PROMOTE] = "promote",
      [RGC_SITE_SEND] = "send",
      [RGC_SITE_RECEIVE] = "receive",
      [RGC_SITE_CREATE] = "create",
      [RGC_SITE_RETIRE] = "retire",
      [RGC_SITE_ABSORB] = "absorb",
      [RGC_SITE_ORPHAN] = "orphan",
      [RGC_SITE_STOP] = "stop",
      [RGC_SITE_PHASE] = "phase",
      [RGC_SITE_STORE] = "store",
  };

  return site < RGC_SITE_COUNT && names[site] != NULL ? names[site] : "?";
}

const char *
name_of_point(unsigned point)
{
  static const char *const names[RGC_STRESS_COUNT] = {"allocate", "barrier", "send", "receive",
                                                      "promote"};

  return point < RGC_STRESS_COUNT ? names[point] : "?";
}

const char *
name_of_action(unsigned action)
{
  static const char *const names[RGC_STRESS_ACTION_COUNT] = {"none", "minor", "major", "global",
                                                             "verify"};

  return action < RGC_STRESS_ACTION_COUNT ? names[action] : "?";
}

const char *
name_of_policy(unsigned policy)
{
  static const char *const names[SCHEDULE_POLICY_COUNT] = {"run", "round_robin", "pct"};

  return policy < SCHEDULE_POLICY_COUNT ? names[policy] : "?";
}

const char *
name_of_failure(unsigned kind)
{
  static const char *const names[FAILURE_KIND_COUNT] = {"page", "thread"};

  return kind < FAILURE_KIND_COUNT ? names[kind] : "?";
}

const char *
name_of_gc_kind(unsigned kind)
{
  static const char *const names[] = {"minor", "major", "global"};

  return kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

const char *
name_of_word_kind(unsigned kind)
{
  static const char *const names[VM_WORD_KIND_COUNT] = {"reference", "interior", "past_end",
                                                        "stale", "lookalike"};

  return kind < VM_WORD_KIND_COUNT ? names[kind] : "?";
}
