/* watch.c - see watch.h. */
#include "fuzz/exec/watch.h"

#include <assert.h>
#include <inttypes.h>

#include "fuzz/exec/sanitize.h"
#include "fuzz/exec/sim.h"
#include "fuzz/program/program.h"
#include "rgcvm/vm.h"

const char *
watch_cut_text(enum watch_cut cut)
{
  static const char *const texts[WATCH_CUT_COUNT] = {
      [WATCH_UNCUT] = "complete",
      [WATCH_MAIN_ENDED] = "main ended",
      [WATCH_IDLE] = "the program waits for ever",
      [WATCH_BUDGET] = "the op budget is spent",
      [WATCH_MEMORY] = "out of memory",
      [WATCH_THREADS] = "no further thread",
      [WATCH_STOPPED] = "the VM winds down",
      [WATCH_CLOSED] = "a send to a port that another Ractor closed",
      [WATCH_POLLED] = "try_receive with several threads",
      [WATCH_SHARED_SLOT] = "a slot of another Ractor's shareable object",
      [WATCH_NOT_BEGUN] = "the value of a Ractor that never began its block",
      [WATCH_FULL] = "the log is full",
  };

  return cut < WATCH_CUT_COUNT ? texts[cut] : "?";
}

void
watch_reset(struct watch *watch)
{
  exec_zero(watch, sizeof *watch);
  for (unsigned i = 0; i < FIBER_THREAD_MAX; i++)
    watch->threads[i].waits_for = WATCH_NONE;
  for (unsigned i = 0; i <= FIBER_THREAD_MAX; i++)
    watch->thread_of[i] = WATCH_NONE;
}

void
watch_cut(struct watch *watch, enum watch_cut cut)
{
  if (watch->cut == WATCH_UNCUT)
    watch->cut = cut;
}

static void
add_row(struct watch *watch, const struct watch_row *row)
{
  if (watch->cut != WATCH_UNCUT)
    return;
  if (watch->row_count == WATCH_ROW_MAX) {
    watch_cut(watch, WATCH_FULL);
    return;
  }
  watch->rows[watch->row_count] = *row;
  watch->rows[watch->row_count++].thread = (uint8_t)fiber_current();
}

/* The thread of a Ractor; WATCH_NONE when it is not known. */
static unsigned
thread_of(const struct watch *watch, unsigned ractor)
{
  return ractor <= FIBER_THREAD_MAX ? watch->thread_of[ractor] : WATCH_NONE;
}

/* NULL: no room. */
static struct watch_port *
port_of(struct watch *watch, unsigned owner, size_t number)
{
  size_t place = (owner * 131u + number) % WATCH_PORT_MAX;

  if (owner == WATCH_NONE)
    return NULL;
  while (watch->ports[place].used &&
         (watch->ports[place].owner != owner || watch->ports[place].number != number))
    place = (place + 1) % WATCH_PORT_MAX;
  struct watch_port *port = &watch->ports[place];
  if (!port->used) {
    if (watch->port_count + 1 == WATCH_PORT_MAX)
      return NULL;
    watch->port_count++;
    *port = (struct watch_port){.used = 1, .owner = (uint8_t)owner, .number = (uint32_t)number};
  }
  return port;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void
label_thread(struct watch_thread *thread, const char *parent, unsigned number)
{
  sim_oracle_begin(NULL);
  snprintf(thread->label, sizeof thread->label, "%.20s.%u", parent, number);
  sim_oracle_end(NULL);
}

/* Threads start in order, so a thread's parent has its name already. */
static void
name_threads(struct watch *watch)
{
  for (; watch->thread_count < sim.thread_count; watch->thread_count++) {
    struct watch_thread *thread = &watch->threads[watch->thread_count];
    const struct sim_thread *self = &sim.threads[watch->thread_count];

    if (watch->thread_count == 0) {
      thread->name = 1;
      exec_copy_text(thread->label, sizeof thread->label, "main");
      continue;
    }
    const struct watch_thread *parent = &watch->threads[self->parent];

    thread->name = sim_mix(parent->name, self->child_number + 1);
    label_thread(thread, parent->label, self->child_number + 1);
  }
}

static void
know_ractor(struct watch *watch, unsigned ractor, unsigned thread)
{
  name_threads(watch);
  if (ractor <= FIBER_THREAD_MAX)
    watch->thread_of[ractor] = (uint8_t)thread;
}

/* ---- Events ---------------------------------------------------------------------------------- */

void
watch_block_begin(struct watch *watch, unsigned ractor, const struct op_value *argument)
{
  know_ractor(watch, ractor, fiber_current());
  watch->threads[fiber_current()].begun = true;
  add_row(watch, &(struct watch_row){.kind = WATCH_BEGIN, .value = *argument});
}

void
watch_block_end(struct watch *watch, unsigned outcome)
{
  add_row(watch, &(struct watch_row){.kind = WATCH_END, .outcome = (uint8_t)outcome});
  if (fiber_current() == 0)
    watch_cut(watch, WATCH_MAIN_ENDED);
}

static void
begin_send(struct watch *watch, unsigned owner, size_t number)
{
  struct watch_port *port = port_of(watch, owner, number);

  if (port != NULL)
    port->senders |= (uint16_t)(1u << fiber_current());
  else
    watch_cut(watch, WATCH_FULL);
}

void
watch_op_begin(struct watch *watch, unsigned code, const struct op_subject *subject)
{
  struct watch_thread *self = &watch->threads[fiber_current()];
  unsigned target = subject->is_handle ? thread_of(watch, subject->ractor) : WATCH_NONE;

  if (subject->slots_are_shared)
    watch_cut(watch, WATCH_SHARED_SLOT);
  if (code == OP_try_receive && sim.thread_count > 1)
    watch_cut(watch, WATCH_POLLED);
  if (!subject->is_handle)
    return;
  if (code == OP_send)
    begin_send(watch, target, subject->port);
  if ((code == OP_receive || code == OP_port_receive) && target == fiber_current())
    self->waits_on = port_of(watch, target, subject->port);
  if ((code == OP_join || code == OP_value) && target != WATCH_NONE)
    self->waits_for = (uint8_t)target;
  if (code == OP_value && target != WATCH_NONE)
    watch->threads[target].takers |= (uint16_t)(1u << fiber_current());
}

/* What makes the outcome of an op a matter of schedule, triggers or settings. */
static enum watch_cut
cut_of(const struct watch *watch, unsigned code, unsigned target, unsigned outcome)
{
  switch (outcome) {
  case VM_NO_MEMORY:
    return WATCH_MEMORY;
  case VM_THREAD_ERROR:
    return WATCH_THREADS;
  case VM_STOPPED:
    return WATCH_STOPPED;
  case VM_CLOSED_ERROR:
    return target == fiber_current() ? WATCH_UNCUT : WATCH_CLOSED;
  case VM_REMOTE_ERROR:
    return code == OP_value && target != WATCH_NONE && watch->threads[target].begun
               ? WATCH_UNCUT
               : WATCH_NOT_BEGUN;
  default:
    return WATCH_UNCUT;
  }
}

/* Keeps count of the messages of each port. */
static void
count_message(struct watch *watch, unsigned code, unsigned target, size_t number, unsigned outcome)
{
  struct watch_port *port = port_of(watch, target, number);

  if (port == NULL)
    return;
  if (code == OP_send)
    port->pending += outcome == VM_OK;
  else if (code == OP_receive || code == OP_port_receive || code == OP_try_receive)
    port->pending -= target == fiber_current() && (outcome == VM_OK || outcome == VM_NO_MEMORY);
  else if (code == OP_port_close && outcome == VM_OK)
    port->pending = 0;
}

void
watch_op_end(struct watch *watch, unsigned op_index, unsigned code,
             const struct op_subject *subject, unsigned outcome, const struct op_value *value)
{
  struct watch_thread *self = &watch->threads[fiber_current()];
  unsigned target = subject->is_handle ? thread_of(watch, subject->ractor) : WATCH_NONE;

  self->waits_on = NULL;
  self->waits_for = WATCH_NONE;
  if (code == OP_ractor_new && outcome == VM_OK)
    know_ractor(watch, value->ractor, sim_self()->last_child);
  else if (target != WATCH_NONE)
    count_message(watch, code, target, subject->port, outcome);
  enum watch_cut cut = cut_of(watch, code, target, outcome);
  if (cut != WATCH_UNCUT)
    watch_cut(watch, cut);
  add_row(watch, &(struct watch_row){.kind = WATCH_OP,
                                     .code = (uint8_t)code,
                                     .outcome = (uint8_t)outcome,
                                     .op_index = op_index,
                                     .value = *value});
}

/* ---- Reading --------------------------------------------------------------------------------- */

static uint64_t
row_hash(uint64_t hash, const struct watch_row *row)
{
  hash = sim_mix(hash, (uint64_t)row->kind << 56 | (uint64_t)row->code << 48 |
                           (uint64_t)row->outcome << 40 | row->op_index);
  return sim_mix(hash, row->value.digest);
}

/* A sum over the threads, so that their order does not matter. */
uint64_t
watch_hash(const struct watch *watch)
{
  uint64_t hashes[FIBER_THREAD_MAX];
  uint64_t sum = 0;

  for (unsigned i = 0; i < FIBER_THREAD_MAX; i++)
    hashes[i] = watch->threads[i].name;
  for (unsigned i = 0; i < watch->row_count; i++)
    hashes[watch->rows[i].thread] = row_hash(hashes[watch->rows[i].thread], &watch->rows[i]);
  for (unsigned i = 0; i < watch->thread_count; i++)
    sum += sim_mix(watch->threads[i].name, hashes[i]);
  return sum;
}

int
watch_row_text(const struct watch_row *row, char *text, size_t size)
{
  unsigned count = 0;
  const char *name = row->kind == WATCH_BEGIN ? "argument"
                     : row->kind == WATCH_END ? "end of block"
                                              : op_table(PROGRAM_RACTOR, &count)[row->code].name;
  const struct op_value *value = &row->value;

  if (row->outcome != VM_OK && row->outcome != VM_REMOTE_ERROR)
    return snprintf(text, size, "%s: %s", name, vm_error_name((enum vm_error)row->outcome));
  if (value->digest == 0)
    return snprintf(text, size, "%s: done", name);
  if (value->kind == VM_KIND_NONE && value->flags == 0)
    return snprintf(text, size, "%s: nil", name);
  if (value->kind == VM_KIND_NONE)
    return snprintf(text, size, "%s: %d", name, (int)value->number);
  return snprintf(text, size, "%s: %s%s(%d)%s%s #%08x", name,
                  row->outcome == VM_OK ? "" : "RemoteError with ",
                  vm_kind_name((enum vm_kind)value->kind), (int)value->number,
                  value->flags & 1 ? " frozen" : "", value->flags & 2 ? " shareable" : "",
                  (unsigned)value->digest);
}

void
watch_print(const struct watch *watch, FILE *file)
{
  char text[96];

  for (unsigned thread = 0; thread < watch->thread_count; thread++) {
    for (unsigned i = 0; i < watch->row_count; i++) {
      if (watch->rows[i].thread != thread)
        continue;
      watch_row_text(&watch->rows[i], text, sizeof text);
      fprintf(file, "%s %u %s\n", watch->threads[thread].label, watch->rows[i].op_index, text);
    }
  }
  fprintf(file, "%u observations, until: %s; hash %016" PRIx64 "\n", watch->row_count,
          watch_cut_text(watch->cut), watch_hash(watch));
}
