/* bare_subject.c - the bare host as an oracle sees it: its roots by its own books, and what a
 * record is and holds.
 *
 * Written apart from the visit functions of bare_host.c on purpose: a root that those forget is
 * still found here.  Whose heap an entry is in is told by the host's books and not by the page that
 * it lies in.  Neither instrumented nor covered; reads only.
 */
#include "fuzz/exec/bare_host.h"

#include <stdio.h>

enum { BARE_KIND = 1 };

/* An entry is a root of its record's owner, which is the model's to say.  What a dead Ractor left
 * is held as its pending value would be. */
static void
take_entries(const struct bare_host *host, rgc_root_sink *take, void *arg)
{
  for (unsigned i = 0; i < BARE_OBJECT_COUNT; i++) {
    if (host->objects[i].bits != 0)
      take(arg, host->ended[host->entry_spaces[i]] ? RGC_ROOT_IN_FLIGHT : RGC_ROOT_EXACT,
           host->objects[i].bits);
  }
}

static void
each_root(void *self, unsigned objspace, rgc_root_sink *take, void *arg)
{
  const struct bare_host *host = self;

  take_entries(host, take, arg);
  for (unsigned i = 0; i < BARE_OBJECT_COUNT && objspace == RGC_OBJSPACE_ALL; i++) {
    if (host->pins[i].bits != 0)
      take(arg, RGC_ROOT_IN_FLIGHT, host->pins[i].bits);
  }
  for (unsigned i = 0; i < BARE_WORD_COUNT; i++) {
    if (host->words[i] != 0 &&
        (objspace == RGC_OBJSPACE_ALL || rgc_objspace_id(host->word_owners[i]) == objspace))
      take(arg, RGC_ROOT_WORD, host->words[i]);
  }
}

/* A spoiled count is a wrong count: no more is read than the greatest record holds. */
static void
view(void *self, rgc_ref obj, struct rgc_view *out)
{
  const struct bare_host *host = self;
  const struct bare_object *object = bare_object(obj);

  out->kind = BARE_KIND;
  out->frozen = false;
  out->shareable = object->shareable != 0;
  out->owner = rgc_objspace_id(rgc_owner(host->world, obj));
  out->name = object->identity;
  out->child_count = object->slot_count;
  out->byte_count = 0;
  out->bytes = NULL;
  for (unsigned i = 0; i < object->slot_count && i < BARE_SLOT_MAX; i++)
    out->children[i] = object->slots[i].bits;
}

static void
describe(void *self, unsigned kind, uint64_t name, char *text, size_t text_size)
{
  (void)self;
  (void)kind;
  (void)snprintf(text, text_size, "#%llu record", (unsigned long long)name);
}

void
bare_made(const struct bare_host *host, rgc_ref obj)
{
  RGC_OBSERVE(host->platform, made, obj, BARE_KIND, bare_object(obj)->identity,
              bare_object(obj)->slot_count, 0);
}

struct rgc_subject
bare_subject(struct bare_host *host)
{
  return (struct rgc_subject){
      .self = host, .each_root = each_root, .view = view, .describe = describe};
}
