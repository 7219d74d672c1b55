/* check.h - the parts of the verifier; see rgc/verify.h for its contract. */
#ifndef RGC_VERIFY_CHECK_H
#define RGC_VERIFY_CHECK_H

#include "gc-core/mark/walk.h"
#include "rgc/verify.h"

/* The tables, bits and counters of one objspace, without following an edge. */
void check_tables(struct rgc_objspace *objspace);

/* Each edge of the objspace's objects.  With the world running only those of private objects,
 * since a shareable's slots may be written by others. */
void check_edges(struct rgc_objspace *objspace);

/* Its roots, as its owner would report them. */
void check_roots(struct rgc_objspace *objspace);

/* False for a slot that is free, or dead and waiting for its sweep. */
bool check_slot_is_live(const struct rgc_page *page, size_t slot);

/* Reports a broken rule about one or two objects (bits == 0: none). */
_Noreturn void check_failed(struct rgc_world *world, const char *rule, const char *where,
                            const char *what, rgc_ref parent, rgc_ref child);

/* Rows of the exemption table. */
enum check_exemption {
  EXEMPT_DEAD_UNSWEPT,  /* an unmarked object of an unswept page */
  EXEMPT_CLEARED_SHREF, /* between clear and mark no shref bit is set */
  EXEMPT_COUNT
};
void check_exempted(struct rgc_world *world, enum check_exemption row);

#endif
