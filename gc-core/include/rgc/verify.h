/* verify.h - the containment verifier (oracle O1) as others see it.
 *
 * The verifier reads everything and writes nothing; it forces no collection, never runs while a
 * phase owns half-built state, and reports the first broken rule through the platform's `fail`.
 * Each exemption is a row of one table with a reason and a counter.
 */
#ifndef RGC_VERIFY_H
#define RGC_VERIFY_H

#include <stddef.h>
#include <stdint.h>

struct rgc_world;
struct rgc_objspace;

enum rgc_verify_level {
  RGC_VERIFY_OFF,    /* assertions of level 0 and 1 only */
  RGC_VERIFY_CYCLES, /* around each local and each global cycle */
  RGC_VERIFY_PHASES  /* and after every phase of a global cycle */
};

/* Installs the verifier as the world's hook.  Before the first objspace is made. */
void rgc_verify_install(struct rgc_world *world, enum rgc_verify_level level);

/* Checks one objspace: every bit, table and counter, and each edge of its private objects.
 * Owner, objspace idle or sweeping; or world stopped. */
void rgc_verify_objspace(struct rgc_world *world, struct rgc_objspace *objspace);

/* Checks the world: every objspace, every edge, index, pool and registry.  World stopped. */
void rgc_verify_world_stw(struct rgc_world *world);

/* One line: what stands at an address of the heap or of its tables: "main#3 Array, byte 8 of slot 2
 * of page 0".  For reports: takes no lock and trusts the page index alone. */
void rgc_describe_address(const struct rgc_world *world, const void *pointer, char *text,
                          size_t size);

/* One row of the exemption table, as read by reports. */
struct rgc_exemption_count {
  const char *name;
  const char *reason;
  uint64_t count;
};
size_t rgc_verify_exemptions(const struct rgc_world *world, struct rgc_exemption_count *rows,
                             size_t capacity);

/* The rules: name ("INV-…") and one line of text each; for listings. */
struct rgc_rule {
  const char *name;
  const char *text;
};
const struct rgc_rule *rgc_rules(size_t *count);

#endif
