/* shadow.c - the model's objects, and what each call of the seam changes in them. */
#include "fuzz/exec/shadow.h"

#include <stdio.h>
#include <sys/mman.h>

enum { SLOT_SIZE = 32, WORD_MEMORY = 256 << 20, WORD_CLASS_FIRST = 4 };

static void *
reserve(size_t size)
{
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  return memory == MAP_FAILED ? NULL : memory;
}

bool
shadow_setup(struct shadow *shadow, uintptr_t arena, size_t arena_size)
{
  size_t count = arena_size / SLOT_SIZE + 1;

  shadow->arena = arena;
  shadow->arena_size = arena_size;
  shadow->objects = reserve(count * sizeof *shadow->objects);
  shadow->index = reserve(count * sizeof *shadow->index);
  shadow->stack = reserve(count * sizeof *shadow->stack);
  shadow->words = reserve(WORD_MEMORY);
  shadow->object_end = 1;
  return shadow->objects != NULL && shadow->index != NULL && shadow->stack != NULL &&
         shadow->words != NULL;
}

void
shadow_reset(struct shadow *shadow)
{
  for (uint32_t i = 1; i < shadow->object_end; i++) {
    if (shadow->objects[i].address != 0)
      shadow->index[(shadow->objects[i].address - shadow->arena) / SLOT_SIZE] = 0;
    shadow->objects[i].address = 0;
  }
  for (unsigned i = 0; i < shadow->space_end; i++) {
    shadow->heaps[i] = 0;
    shadow->owners[i] = 0;
    shadow->major[i] = false;
  }
  for (unsigned i = 0; i < SHADOW_CLASS_COUNT; i++)
    shadow->free_words[i] = NULL;
  for (unsigned i = 0; i < SHADOW_THREAD_MAX; i++)
    shadow->pending[i].due = false;
  shadow->object_end = 1;
  shadow->free_record = 0;
  shadow->live_count = 0;
  shadow->words_used = 0;
  shadow->space_end = 0;
  shadow->active = false;
}

uint32_t
shadow_find(const struct shadow *shadow, uintptr_t word)
{
  if (word < shadow->arena || word - shadow->arena >= shadow->arena_size)
    return 0;
  uint32_t number = shadow->index[(word - shadow->arena) / SLOT_SIZE];

  return number != 0 && shadow->objects[number].address == word ? number : 0;
}

/* The model's own address map: no page of the collector is asked. */
uint32_t
shadow_find_around(const struct shadow *shadow, uintptr_t word)
{
  if (word < shadow->arena || word - shadow->arena >= shadow->arena_size)
    return 0;
  size_t at = (word - shadow->arena) / SLOT_SIZE;

  for (size_t back = 0; back <= at && back < RGC_SLOT_SIZE_MAX / SLOT_SIZE; back++) {
    uint32_t number = shadow->index[at - back];

    if (number != 0)
      return word - shadow->objects[number].address < shadow->objects[number].slot_size ? number
                                                                                        : 0;
  }
  return 0;
}

uint32_t
shadow_target(shadow_child child)
{
  return (child & 1) != 0 ? 0 : (uint32_t)(child >> 1);
}

/* What is no immediate and no object that the model knows becomes a number that no object has. */
shadow_child
shadow_encode(const struct shadow *shadow, uintptr_t bits)
{
  if (bits == 0 || (bits & 1) != 0)
    return bits;
  return (uint64_t)shadow_find(shadow, bits) << 1;
}

unsigned
shadow_owner(const struct shadow *shadow, unsigned space)
{
  while (shadow->owners[space] != 0)
    space = shadow->owners[space] - 1u;
  return space;
}

const uint8_t *
shadow_bytes(const struct shadow_object *object)
{
  return (const uint8_t *)object->words;
}

static void
name_of(const struct shadow *shadow, uint32_t number, char *text, size_t text_size)
{
  const struct shadow_object *object = &shadow->objects[number];

  if (number == 0)
    snprintf(text, text_size, "a root");
  else
    shadow->subject.describe(shadow->subject.self, object->kind, object->name, text, text_size);
}

void
shadow_verdict(struct shadow *shadow, const char *rule, uint32_t number, const char *text)
{
  const struct shadow_object *object = &shadow->objects[number];
  char name[64], via[64], line[320];
  size_t kind = 0;

  name_of(shadow, number, name, sizeof name);
  name_of(shadow, object->via, via, sizeof via);
  for (size_t i = 0; name[i] != '\0'; i++) {
    if (name[i] == ' ')
      kind = i + 1;
  }
  if (object->reached)
    snprintf(line, sizeof line, "%s %s; it was reached from %s", name, text, via);
  else
    snprintf(line, sizeof line, "%s %s", name, text);
  shadow->report(shadow->arg, "O3", rule, name + kind, line);
}

/* ---- records and words ---- */

static void
words_free(struct shadow *shadow, struct shadow_object *object)
{
  if (object->words == NULL)
    return;
  *(void **)(void *)object->words = shadow->free_words[object->word_class];
  shadow->free_words[object->word_class] = object->words;
  object->words = NULL;
}

/* Room for `size` bytes, keeping what is there. */
static void
words_reserve(struct shadow *shadow, struct shadow_object *object, size_t size)
{
  struct shadow_object old = {.words = object->words, .word_class = object->word_class};
  unsigned class = WORD_CLASS_FIRST;

  while (((size_t)1 << class) < size)
    class ++;
  if (object->words != NULL && class <= object->word_class)
    return;
  void *memory = shadow->free_words[class];
  if (memory != NULL) {
    shadow->free_words[class] = *(void **)memory;
  } else {
    memory = shadow->words + shadow->words_used;
    shadow->words_used += (size_t)1 << class;
    if (shadow->words_used > WORD_MEMORY)
      __builtin_trap();
  }
  uint64_t *to = memory;
  for (size_t i = 0; i < ((size_t)1 << class) / sizeof *to; i++)
    to[i] = old.words != NULL && i < ((size_t)1 << old.word_class) / sizeof *to ? old.words[i] : 0;
  words_free(shadow, &old);
  object->words = memory;
  object->word_class = (uint8_t)class;
}

static uint32_t
record_take(struct shadow *shadow)
{
  uint32_t number = shadow->free_record;

  if (number != 0)
    shadow->free_record = shadow->objects[number].next;
  else
    number = shadow->object_end++;
  return number;
}

static void
ring_add(struct shadow *shadow, uint32_t number)
{
  struct shadow_object *object = &shadow->objects[number];
  uint32_t *head = &shadow->heaps[shadow_owner(shadow, object->space)];

  if (*head == 0) {
    object->next = object->previous = number;
    *head = number;
    return;
  }
  object->next = *head;
  object->previous = shadow->objects[*head].previous;
  shadow->objects[object->previous].next = number;
  shadow->objects[*head].previous = number;
}

static void
ring_remove(struct shadow *shadow, uint32_t number)
{
  struct shadow_object *object = &shadow->objects[number];
  uint32_t *head = &shadow->heaps[shadow_owner(shadow, object->space)];

  shadow->objects[object->next].previous = object->previous;
  shadow->objects[object->previous].next = object->next;
  if (*head == number)
    *head = object->next == number ? 0 : object->next;
}

static void
rings_join(struct shadow *shadow, unsigned taker, unsigned dead)
{
  uint32_t one = shadow->heaps[taker];
  uint32_t two = shadow->heaps[dead];

  shadow->owners[dead] = (uint16_t)(taker + 1);
  shadow->heaps[dead] = 0;
  if (one == 0)
    shadow->heaps[taker] = two;
  if (one == 0 || two == 0)
    return;
  uint32_t one_last = shadow->objects[one].previous;
  uint32_t two_last = shadow->objects[two].previous;
  shadow->objects[one_last].next = two;
  shadow->objects[two].previous = one_last;
  shadow->objects[two_last].next = one;
  shadow->objects[one].previous = two_last;
}

/* ---- the log of stores ---- */

/* From the heap, which has both: the model may be off. */
static const char *
name_from_heap(const struct shadow *shadow, uintptr_t address, char *text, size_t text_size)
{
  struct rgc_view view;
  const char *kind = text;

  shadow->subject.view(shadow->subject.self, (rgc_ref){address}, &view);
  shadow->subject.describe(shadow->subject.self, view.kind, view.name, text, text_size);
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == ' ')
      kind = at + 1;
  }
  return kind;
}

static void
check_pending(struct shadow *shadow, struct shadow_pending *pending)
{
  char parent[64], child[64], line[320];

  if (!shadow->stores || !pending->due)
    return;
  pending->due = false;
  const char *kind = name_from_heap(shadow, pending->parent.bits, parent, sizeof parent);
  (void)name_from_heap(shadow, pending->child, child, sizeof child);
  snprintf(line, sizeof line, "%s was stored into %s without a write barrier", child, parent);
  shadow->report(shadow->arg, "O8", "INV-BARRIER", kind, line);
}

/* ---- the collector's calls ---- */

static void
began(void *self, const struct rgc_subject *subject)
{
  struct shadow *shadow = self;

  shadow->subject.self = subject->self;
  shadow->subject.interior_pins = subject->interior_pins;
  shadow->subject.each_root = subject->each_root;
  shadow->subject.view = subject->view;
  shadow->subject.describe = subject->describe;
  shadow->active = true;
}

static void
ended(void *self, size_t in_flight)
{
  struct shadow *shadow = self;
  char line[96];

  if (!shadow->active)
    return;
  for (unsigned i = 0; i < SHADOW_THREAD_MAX; i++)
    check_pending(shadow, &shadow->pending[i]);
  if (shadow->model) {
    snprintf(line, sizeof line, "%zu messages are still in flight at the end", in_flight);
    if (in_flight != 0)
      shadow->report(shadow->arg, "O3", "INV-GONE", "message", line);
    shadow_check_all(shadow);
  }
  shadow->active = false;
}

static void
allocated(void *self, unsigned objspace, rgc_ref obj, size_t slot_size)
{
  struct shadow *shadow = self;

  if (!shadow->active)
    return;
  check_pending(shadow, &shadow->pending[shadow->thread()]);
  if (!shadow->model || objspace >= SHADOW_SPACE_MAX)
    return;
  if (shadow_find(shadow, obj.bits) != 0)
    shadow_verdict(shadow, "INV-REACH", shadow_find(shadow, obj.bits), "is allocated once more");
  uint32_t number = record_take(shadow);
  struct shadow_object *object = &shadow->objects[number];
  *object = (struct shadow_object){
      .address = obj.bits, .space = (uint16_t)objspace, .slot_size = (uint16_t)slot_size};
  shadow->index[(obj.bits - shadow->arena) / SLOT_SIZE] = number;
  if (objspace >= shadow->space_end)
    shadow->space_end = objspace + 1;
  ring_add(shadow, number);
  shadow->live_count++;
}

static void
freed(void *self, rgc_ref obj)
{
  struct shadow *shadow = self;
  uint32_t number = shadow_find(shadow, obj.bits);
  struct shadow_object *object = &shadow->objects[number];

  if (!shadow->active || number == 0)
    return;
  if (!object->doomed)
    shadow_verdict(shadow, "INV-REACH", number, "is freed, but the program can reach it");
  ring_remove(shadow, number);
  words_free(shadow, object);
  shadow->index[(obj.bits - shadow->arena) / SLOT_SIZE] = 0;
  object->address = 0;
  object->next = shadow->free_record;
  shadow->free_record = number;
  shadow->live_count--;
}

static void
keep_for_parent(struct shadow *shadow, const struct shadow_object *parent, shadow_child child)
{
  uint32_t target = shadow_target(child);

  if (target != 0 && parent->shareable && !shadow->objects[target].shareable)
    shadow->objects[target].shref = true;
}

static void
promoted(void *self, rgc_ref obj)
{
  struct shadow *shadow = self;
  uint32_t number = shadow_find(shadow, obj.bits);
  struct shadow_object *object = &shadow->objects[number];

  if (number == 0)
    return;
  object->shareable = true;
  object->shref = false;
  for (uint32_t i = 0; i < object->count; i++)
    keep_for_parent(shadow, object, object->words[i]);
}

static void
pinned(void *self, rgc_ref obj)
{
  struct shadow *shadow = self;
  uint32_t number = shadow_find(shadow, obj.bits);

  if (number != 0)
    shadow->objects[number].shref = true;
}

/* ---- stores ---- */

static void
store(void *self, rgc_ref parent, const void *slot, uintptr_t child)
{
  struct shadow *shadow = self;
  struct shadow_pending *pending = &shadow->pending[shadow->thread()];

  (void)slot;
  check_pending(shadow, pending);
  pending->parent = parent;
  pending->child = child;
  pending->due = child != 0 && (child & 1) == 0;
}

static void
barrier(void *self, rgc_ref parent, rgc_ref child)
{
  struct shadow *shadow = self;
  struct shadow_pending *pending = &shadow->pending[shadow->thread()];

  if (pending->parent.bits == parent.bits && pending->child == child.bits)
    pending->due = false;
}

static void
stored(void *self)
{
  struct shadow *shadow = self;

  check_pending(shadow, &shadow->pending[shadow->thread()]);
}

/* A local cycle is a step of its own thread; a stopped world one of all. */
static void
check_step(struct shadow *shadow, unsigned event)
{
  if (event == RGC_EVENT_LOCAL_BEGIN || event == RGC_EVENT_OBJSPACE_RETIRED)
    check_pending(shadow, &shadow->pending[shadow->thread()]);
  for (unsigned i = 0; event == RGC_EVENT_WORLD_STOPPED && i < SHADOW_THREAD_MAX; i++)
    check_pending(shadow, &shadow->pending[i]);
}

static void
note_event(void *self, unsigned event, uint64_t a, uint64_t b)
{
  struct shadow *shadow = self;

  if (!shadow->active)
    return;
  check_step(shadow, event);
  if (!shadow->model)
    return;
  if (event == RGC_EVENT_ABSORBED && a < SHADOW_SPACE_MAX && b < SHADOW_SPACE_MAX) {
    rings_join(shadow, (unsigned)a, (unsigned)b);
    if (a >= shadow->space_end || b >= shadow->space_end)
      shadow->space_end = (unsigned)(a > b ? a : b) + 1;
  } else if (event == RGC_EVENT_LOCAL_BEGIN && a < shadow->space_end) {
    shadow_local_begin(shadow, (unsigned)a, b != 0);
  } else if (event == RGC_EVENT_LOCAL_SWEPT && a < shadow->space_end) {
    shadow_local_swept(shadow, (unsigned)a);
  } else if (event == RGC_EVENT_GLOBAL_STEP && a == RGC_PHASE_MARKED) {
    shadow_global_marked(shadow);
  } else if (event == RGC_EVENT_GLOBAL_STEP && a == RGC_PHASE_SWEPT) {
    shadow_global_swept(shadow);
  }
}

/* ---- the embedder's calls ---- */

static struct shadow_object *
known(struct shadow *shadow, uintptr_t bits)
{
  uint32_t number = shadow->active && shadow->model ? shadow_find(shadow, bits) : 0;

  return number == 0 ? NULL : &shadow->objects[number];
}

static uint32_t
number_of(const struct shadow *shadow, const struct shadow_object *object)
{
  return (uint32_t)(object - shadow->objects);
}

static void
resize(struct shadow *shadow, struct shadow_object *object, size_t count)
{
  words_reserve(shadow, object, count * sizeof *object->words);
  for (size_t i = object->count; i < count; i++)
    object->words[i] = 0;
  object->count = (uint32_t)count;
}

static void
made(void *self, rgc_ref obj, unsigned kind, uint64_t name, size_t child_count, size_t hidden_count)
{
  struct shadow *shadow = self;
  struct shadow_object *object = known(shadow, obj.bits);

  if (object == NULL)
    return;
  object->kind = (uint8_t)kind;
  object->name = name;
  object->hidden_count = (uint8_t)hidden_count;
  if (child_count > 0)
    resize(shadow, object, child_count);
}

static void
assigned(void *self, rgc_ref obj, size_t at, uintptr_t child)
{
  struct shadow *shadow = self;
  struct shadow_object *object = known(shadow, obj.bits);

  if (object == NULL || at >= object->count)
    return;
  object->words[at] = shadow_encode(shadow, child);
  keep_for_parent(shadow, object, object->words[at]);
}

static void
resized(void *self, rgc_ref obj, size_t child_count)
{
  struct shadow_object *object = known(self, obj.bits);

  if (object != NULL)
    resize(self, object, child_count);
}

static void
removed(void *self, rgc_ref obj, size_t at, size_t child_count)
{
  struct shadow_object *object = known(self, obj.bits);

  if (object == NULL || at + child_count > object->count)
    return;
  for (size_t i = at; i + child_count < object->count; i++)
    object->words[i] = object->words[i + child_count];
  object->count -= (uint32_t)child_count;
}

static void
filled(void *self, rgc_ref obj, size_t at, size_t byte_count, unsigned byte)
{
  struct shadow_object *object = known(self, obj.bits);

  if (object == NULL)
    return;
  words_reserve(self, object, at + byte_count);
  for (size_t i = at; i < at + byte_count; i++)
    ((uint8_t *)object->words)[i] = (uint8_t)byte;
  object->byte_count = (uint32_t)(at + byte_count);
}

static void
frozen(void *self, rgc_ref obj)
{
  struct shadow_object *object = known(self, obj.bits);

  if (object != NULL)
    object->frozen = true;
}

/* ---- graphs ---- */

static void
push_private(struct shadow *shadow, shadow_child child, bool sharing)
{
  uint32_t target = shadow_target(child);
  struct shadow_object *object = &shadow->objects[target];

  if (target == 0 || object->sharing == sharing || (sharing && object->shareable))
    return;
  object->sharing = sharing;
  shadow->stack[shadow->stack_count++] = target;
}

static void
walk_graph(struct shadow *shadow, uintptr_t value, bool sharing)
{
  shadow->stack_count = 0;
  push_private(shadow, shadow_encode(shadow, value), sharing);
  while (shadow->stack_count > 0) {
    uint32_t number = shadow->stack[--shadow->stack_count];
    const struct shadow_object *object = &shadow->objects[number];

    if (!sharing && !(object->shareable && object->frozen))
      shadow_verdict(shadow, "INV-INTACT", number, "was left out of make_shareable");
    for (uint32_t i = object->hidden_count; i < object->count; i++)
      push_private(shadow, object->words[i], sharing);
  }
}

static void
begin_sharing(void *self, uintptr_t value)
{
  if (known(self, value) != NULL)
    walk_graph(self, value, true);
}

static void
end_sharing(void *self, uintptr_t value)
{
  if (known(self, value) != NULL)
    walk_graph(self, value, false);
}

static shadow_child
copy_child(const struct shadow *shadow, shadow_child child, bool deep)
{
  uint32_t target = shadow_target(child);

  if (target == 0 || !deep || shadow->objects[target].shareable)
    return child;
  return (uint64_t)shadow->objects[target].twin << 1;
}

static void
copy_one(struct shadow *shadow, const struct shadow_object *from, struct shadow_object *to,
         bool deep)
{
  resize(shadow, to, from->count);
  for (uint32_t i = from->hidden_count; i < from->count; i++)
    to->words[i] = copy_child(shadow, from->words[i], deep);
  words_reserve(shadow, to, from->byte_count);
  for (uint32_t i = 0; i < from->byte_count; i++)
    ((uint8_t *)to->words)[i] = ((const uint8_t *)from->words)[i];
  to->byte_count = from->byte_count;
  to->frozen = deep && from->frozen;
  if (to->kind != from->kind)
    shadow_verdict(shadow, "INV-INTACT", number_of(shadow, to), "is a copy of another kind");
}

static void
copied(void *self, const uintptr_t *from, const uintptr_t *to, size_t count, bool deep)
{
  struct shadow *shadow = self;

  for (size_t i = 0; i < count; i++) {
    struct shadow_object *source = known(shadow, from[i]);

    if (source != NULL)
      source->twin = shadow_find(shadow, to[i]);
  }
  for (size_t i = 0; i < count; i++) {
    struct shadow_object *source = known(shadow, from[i]);
    struct shadow_object *copy = known(shadow, to[i]);

    if (source != NULL && copy != NULL)
      copy_one(shadow, source, copy, deep);
  }
}

/* ---- reads ---- */

static void
loaded(void *self, rgc_ref obj, size_t at, uintptr_t child)
{
  struct shadow *shadow = self;
  struct shadow_object *object = known(shadow, obj.bits);

  if (object == NULL)
    return;
  if (shadow_encode(shadow, child) != (at < object->count ? object->words[at] : 0))
    shadow_verdict(shadow, "INV-INTACT", number_of(shadow, object),
                   "gives a wrong value to a read");
}

static void
loaded_byte(void *self, rgc_ref obj, size_t at, int byte)
{
  struct shadow *shadow = self;
  struct shadow_object *object = known(shadow, obj.bits);

  if (object == NULL)
    return;
  if (byte != (at < object->byte_count ? shadow_bytes(object)[at] : -1))
    shadow_verdict(shadow, "INV-INTACT", number_of(shadow, object), "gives a wrong byte to a read");
}

static void
interned(void *self, uintptr_t from, uintptr_t to)
{
  struct shadow *shadow = self;
  struct shadow_object *wanted = known(shadow, from);
  struct shadow_object *got = known(shadow, to);
  bool same = wanted != NULL && got != NULL && got->shareable && got->frozen &&
              wanted->byte_count == got->byte_count;

  if (wanted == NULL)
    return;
  for (uint32_t i = 0; same && i < wanted->byte_count; i++)
    same = shadow_bytes(wanted)[i] == shadow_bytes(got)[i];
  if (!same)
    shadow_verdict(shadow, "INV-INTACT", number_of(shadow, wanted), "was interned as another");
}

struct rgc_observer
shadow_observer(struct shadow *shadow)
{
  return (struct rgc_observer){.self = shadow,
                               .began = began,
                               .ended = ended,
                               .allocated = allocated,
                               .freed = freed,
                               .promoted = promoted,
                               .pinned = pinned,
                               .barrier = barrier,
                               .event = note_event,
                               .store = store,
                               .stored = stored,
                               .made = made,
                               .assigned = assigned,
                               .resized = resized,
                               .removed = removed,
                               .filled = filled,
                               .frozen = frozen,
                               .sharing = begin_sharing,
                               .shared = end_sharing,
                               .copied = copied,
                               .loaded = loaded,
                               .loaded_byte = loaded_byte,
                               .interned = interned};
}
