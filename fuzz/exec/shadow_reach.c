/* shadow_reach.c - what must live, what must be gone, and whether what lives is intact.
 *
 * Linear in the objects of the heaps concerned.  A local cycle sees its own private objects; its
 * shareables are kept by the collector's rule (INV-LIVE) and not looked through, since what they
 * hold of this heap has its shref bit.
 */
#include "fuzz/exec/shadow.h"

struct walk {
  struct shadow *shadow;
  unsigned space; /* RGC_OBJSPACE_ALL: all */
};

static struct shadow_object *
object_at(const struct shadow *shadow, uint32_t number)
{
  return &shadow->objects[number];
}

static bool
is_own(const struct walk *walk, const struct shadow_object *object)
{
  return walk->space == RGC_OBJSPACE_ALL ||
         shadow_owner(walk->shadow, object->space) == walk->space;
}

static void
reach(const struct walk *walk, uint32_t number, uint32_t via)
{
  struct shadow *shadow = walk->shadow;
  struct shadow_object *object = object_at(shadow, number);

  if (number == 0 || object->reached || object->address == 0 || !is_own(walk, object))
    return;
  object->reached = true;
  object->via = via;
  if (walk->space == RGC_OBJSPACE_ALL || !object->shareable)
    shadow->stack[shadow->stack_count++] = number;
}

static void
take_root(void *arg, enum rgc_root root, uintptr_t word)
{
  const struct walk *walk = arg;
  bool around = root == RGC_ROOT_WORD && walk->shadow->subject.interior_pins;
  uint32_t number =
      around ? shadow_find_around(walk->shadow, word) : shadow_find(walk->shadow, word);

  reach(walk, number, 0);
  /* A global cycle derives again what a message keeps in its sender's heap. [INV-PIN] */
  if (number != 0 && root == RGC_ROOT_IN_FLIGHT && walk->space == RGC_OBJSPACE_ALL &&
      !object_at(walk->shadow, number)->shareable)
    object_at(walk->shadow, number)->shref = true;
}

static void
drain(const struct walk *walk)
{
  struct shadow *shadow = walk->shadow;

  while (shadow->stack_count > 0) {
    uint32_t number = shadow->stack[--shadow->stack_count];
    const struct shadow_object *object = object_at(shadow, number);

    for (uint32_t i = 0; i < object->count; i++) {
      uint32_t child = shadow_target(object->words[i]);

      if (child == 0)
        continue;
      reach(walk, child, number);
      if (walk->space == RGC_OBJSPACE_ALL && object->shareable &&
          !object_at(shadow, child)->shareable)
        object_at(shadow, child)->shref = true; /* [INV-SHREF] */
    }
  }
}

typedef void each_object(struct walk *walk, uint32_t number);

static void
each_of_heap(struct walk *walk, unsigned space, each_object *visit)
{
  uint32_t first = walk->shadow->heaps[space];
  uint32_t at = first;

  if (first == 0)
    return;
  do {
    visit(walk, at);
    at = object_at(walk->shadow, at)->next;
  } while (at != first);
}

static void
each(struct walk *walk, each_object *visit)
{
  if (walk->space != RGC_OBJSPACE_ALL) {
    each_of_heap(walk, walk->space, visit);
    return;
  }
  for (unsigned space = 0; space < walk->shadow->space_end; space++)
    each_of_heap(walk, space, visit);
}

static void
forget(struct walk *walk, uint32_t number)
{
  struct shadow_object *object = object_at(walk->shadow, number);

  object->reached = false;
  if (walk->space == RGC_OBJSPACE_ALL)
    object->shref = false;
}

static void
reach_retained(struct walk *walk, uint32_t number)
{
  const struct shadow_object *object = object_at(walk->shadow, number);

  if (object->shref || object->shareable)
    reach(walk, number, 0);
}

static void
doom(struct walk *walk, uint32_t number)
{
  struct shadow_object *object = object_at(walk->shadow, number);

  object->doomed = !object->reached;
}

static void
check_gone(struct walk *walk, uint32_t number)
{
  struct shadow *shadow = walk->shadow;

  if (object_at(shadow, number)->doomed)
    shadow_verdict(shadow, "INV-GONE", number,
                   walk->space == RGC_OBJSPACE_ALL
                       ? "lives after a global cycle, but nothing leads to it"
                       : "lives after a full local cycle, but nothing leads to it");
  else
    shadow_check_object(shadow, number);
}

static void
find_living(struct walk *walk)
{
  struct shadow *shadow = walk->shadow;

  shadow->stack_count = 0;
  each(walk, forget);
  shadow->subject.each_root(shadow->subject.self, walk->space, take_root, walk);
  if (walk->space != RGC_OBJSPACE_ALL)
    each(walk, reach_retained);
  drain(walk);
  each(walk, doom);
}

/* The roots do not change until the cycle's mark ends: their owner is in it. */
void
shadow_local_begin(struct shadow *shadow, unsigned space, bool major)
{
  struct walk walk = {shadow, space};

  shadow->major[space] = major;
  find_living(&walk);
}

void
shadow_local_swept(struct shadow *shadow, unsigned space)
{
  struct walk walk = {shadow, space};

  if (shadow->major[space])
    each(&walk, check_gone);
  shadow->major[space] = false;
}

void
shadow_global_marked(struct shadow *shadow)
{
  struct walk walk = {shadow, RGC_OBJSPACE_ALL};

  for (unsigned space = 0; space < shadow->space_end; space++)
    shadow->major[space] = false; /* the sweep to come is the global cycle's */
  find_living(&walk);
}

void
shadow_global_swept(struct shadow *shadow)
{
  struct walk walk = {shadow, RGC_OBJSPACE_ALL};

  each(&walk, check_gone);
}

/* What a cycle has found dead may hold what is freed already. */
static void
check_one(struct walk *walk, uint32_t number)
{
  if (!object_at(walk->shadow, number)->doomed)
    shadow_check_object(walk->shadow, number);
}

void
shadow_check_all(struct shadow *shadow)
{
  struct walk walk = {shadow, RGC_OBJSPACE_ALL};

  each(&walk, check_one);
}

static bool
same_children(const struct shadow *shadow, const struct shadow_object *object,
              const struct rgc_view *view)
{
  if (view->child_count != object->count || view->child_count > RGC_VIEW_CHILD_MAX)
    return false;
  for (uint32_t i = 0; i < object->count; i++) {
    uint32_t target = shadow_target(object->words[i]);
    uint64_t wanted = target == 0 ? object->words[i] : object_at(shadow, target)->address;

    if (view->children[i] != wanted)
      return false;
  }
  return true;
}

static bool
same_bytes(const struct shadow_object *object, const struct rgc_view *view)
{
  const uint8_t *bytes = shadow_bytes(object);

  if (view->byte_count != object->byte_count)
    return false;
  for (uint32_t i = 0; i < object->byte_count; i++) {
    if (bytes[i] != view->bytes[i])
      return false;
  }
  return true;
}

void
shadow_check_object(struct shadow *shadow, uint32_t number)
{
  const struct shadow_object *object = object_at(shadow, number);
  struct rgc_view view;
  const char *wrong = NULL;

  shadow->subject.view(shadow->subject.self, (rgc_ref){object->address}, &view);
  if (view.kind != object->kind || view.name != object->name)
    wrong = "is another object now";
  else if (view.owner != shadow_owner(shadow, object->space))
    wrong = "has another owner than the one that allocated or absorbed it";
  else if (view.shareable != object->shareable)
    wrong = "has a wrong shareable flag";
  else if (view.frozen != object->frozen)
    wrong = "has a wrong frozen flag";
  else if (!same_children(shadow, object, &view))
    wrong = "has lost or changed a reference";
  else if (!same_bytes(object, &view))
    wrong = "has lost or changed bytes";
  if (wrong != NULL)
    shadow_verdict(shadow, "INV-INTACT", number, wrong);
}
