/* interpret.c - the ops of a Ractor program, one function each, driven by ops.def: an op without
 * its function does not compile.
 *
 * An op that raises leaves nil in its destination and the block goes on, as if each op stood in a
 * rescue of its own; only `raise`, `finish` and a VM that stops end a block.
 */
#include "fuzz/exec/interpret.h"

#include "fuzz/exec/control.h"
#include "fuzz/exec/sim.h"
#include "fuzz/program/settings.h"
#include "rgc/verify.h"
#include "rgcvm/vm.h"

struct interpreter {
  const struct program *program;
  const struct rgc_platform *platform;
  const struct observer *observer;
  enum exec_verify verify;
};

/* The op being run, with its operands at hand. */
struct step {
  const struct interpreter *interpreter;
  struct vm_thread *thread;
  const struct op *op;
};

static vm_value *
reg(const struct step *step, unsigned operand)
{
  return vm_register(step->thread, step->op->operands[operand]);
}

static unsigned
num(const struct step *step, unsigned operand)
{
  return step->op->operands[operand];
}

#define RUN(name) static enum vm_error run_##name(const struct step *s)

RUN(nil)
{
  *reg(s, 0) = vm_nil();
  return VM_OK;
}

RUN(fixnum)
{
  *reg(s, 0) = vm_fixnum((intptr_t)num(s, 1));
  return VM_OK;
}

RUN(copy)
{
  *reg(s, 0) = *reg(s, 1);
  return VM_OK;
}

RUN(object)
{
  return vm_object_new(s->thread, reg(s, 1), num(s, 2) % (VM_OBJECT_FIELD_MAX + 1), reg(s, 0));
}

RUN(string)
{
  return vm_string_new(s->thread, num(s, 1) * 8 % (VM_STRING_LENGTH_MAX + 1), num(s, 2), reg(s, 0));
}

RUN(array)
{
  return vm_array_new(s->thread, num(s, 1), reg(s, 2), reg(s, 0));
}

RUN(hash)
{
  return vm_hash_new(s->thread, reg(s, 0));
}

RUN(klass)
{
  return vm_class_new(s->thread, reg(s, 0));
}

RUN(proc)
{
  return vm_proc_new(s->thread, num(s, 1) % (VM_PROC_SLOT_MAX + 1), reg(s, 2), reg(s, 0));
}

RUN(port)
{
  return vm_port_new(s->thread, reg(s, 0));
}

RUN(dup)
{
  return vm_dup(s->thread, reg(s, 1), reg(s, 0));
}

RUN(field_set)
{
  return vm_field_set(s->thread, reg(s, 0), num(s, 1), reg(s, 2));
}

RUN(field_get)
{
  return vm_field_get(s->thread, reg(s, 1), num(s, 2), reg(s, 0));
}

RUN(hidden_set)
{
  return vm_hidden_set(s->thread, reg(s, 0), reg(s, 1));
}

RUN(hidden_get)
{
  return vm_hidden_get(s->thread, reg(s, 1), reg(s, 0));
}

RUN(string_append)
{
  return vm_string_append(s->thread, reg(s, 0), num(s, 1), num(s, 2));
}

RUN(string_byte)
{
  return vm_string_byte(s->thread, reg(s, 1), num(s, 2), reg(s, 0));
}

RUN(string_intern)
{
  return vm_string_intern(s->thread, reg(s, 1), reg(s, 0));
}

RUN(array_push)
{
  return vm_array_push(s->thread, reg(s, 0), reg(s, 1));
}

RUN(array_pop)
{
  return vm_array_pop(s->thread, reg(s, 1), reg(s, 0));
}

RUN(array_set)
{
  return vm_array_set(s->thread, reg(s, 0), num(s, 1), reg(s, 2));
}

RUN(array_get)
{
  return vm_array_get(s->thread, reg(s, 1), num(s, 2), reg(s, 0));
}

RUN(array_clear)
{
  return vm_array_clear(s->thread, reg(s, 0));
}

RUN(hash_set)
{
  return vm_hash_set(s->thread, reg(s, 0), reg(s, 1), reg(s, 2));
}

RUN(hash_get)
{
  return vm_hash_get(s->thread, reg(s, 1), reg(s, 2), reg(s, 0));
}

RUN(hash_delete)
{
  return vm_hash_delete(s->thread, reg(s, 1), reg(s, 2), reg(s, 0));
}

RUN(constant_set)
{
  return vm_constant_set(s->thread, reg(s, 0), num(s, 1) % VM_CLASS_CONSTANT_COUNT, reg(s, 2));
}

RUN(constant_get)
{
  return vm_constant_get(s->thread, reg(s, 1), num(s, 2) % VM_CLASS_CONSTANT_COUNT, reg(s, 0));
}

RUN(env_set)
{
  return vm_env_set(s->thread, reg(s, 0), num(s, 1), reg(s, 2));
}

RUN(env_get)
{
  return vm_env_get(s->thread, reg(s, 1), num(s, 2), reg(s, 0));
}

RUN(freeze)
{
  return vm_freeze(s->thread, reg(s, 0));
}

RUN(make_shareable)
{
  return vm_make_shareable(s->thread, reg(s, 0));
}

/* Block 0 is main's and never runs as a Ractor. */
RUN(ractor_new)
{
  if (s->interpreter->program->block_count < 2)
    return VM_TYPE_ERROR;
  return vm_ractor_new(s->thread, program_started_block(s->interpreter->program, num(s, 1)),
                       reg(s, 2), reg(s, 0));
}

RUN(ractor_current)
{
  return vm_ractor_current(s->thread, reg(s, 0));
}

RUN(ractor_port)
{
  return vm_ractor_port(s->thread, reg(s, 1), reg(s, 0));
}

RUN(send)
{
  return vm_send(s->thread, reg(s, 0), reg(s, 1));
}

RUN(receive)
{
  vm_value none = vm_nil();

  return vm_receive(s->thread, &none, reg(s, 0));
}

RUN(port_receive)
{
  return vm_is_nil(*reg(s, 1)) ? VM_TYPE_ERROR : vm_receive(s->thread, reg(s, 1), reg(s, 0));
}

RUN(try_receive)
{
  vm_value none = vm_nil();

  return vm_try_receive(s->thread, &none, reg(s, 0));
}

RUN(port_close)
{
  return vm_port_close(s->thread, reg(s, 0));
}

RUN(join)
{
  return vm_ractor_join(s->thread, reg(s, 0));
}

RUN(value)
{
  return vm_ractor_value(s->thread, reg(s, 1), reg(s, 0));
}

RUN(raise)
{
  *vm_error_slot(s->thread) = *reg(s, 0);
  return VM_RAISED;
}

RUN(finish)
{
  *vm_register(s->thread, 0) = *reg(s, 0);
  return VM_OK;
}

/* Loops and skips are carried out by the block's own control. */
RUN(loop)
{
  (void)s;
  return VM_OK;
}

RUN(skip_if_nil)
{
  (void)s;
  return VM_OK;
}

RUN(stack_push)
{
  return vm_stack_push(s->thread, reg(s, 0), (enum vm_word_kind)(num(s, 1) % VM_WORD_KIND_COUNT));
}

RUN(stack_load)
{
  return vm_stack_load(s->thread, num(s, 1), reg(s, 0));
}

RUN(stack_pop)
{
  return vm_stack_pop(s->thread, num(s, 0));
}

RUN(gc)
{
  return vm_gc_start(s->thread, (enum rgc_kind)num(s, 0));
}

RUN(gc_verify)
{
  return vm_gc_verify(s->thread);
}

RUN(pass)
{
  s->interpreter->platform->ops->schedule_point(s->interpreter->platform->self, RGC_SITE_OP);
  return VM_OK;
}

static enum vm_error (*const run_table[])(const struct step *step) = {
#define OP(name, a, b, c, weight, section, ruby, text) run_##name,
#include "fuzz/program/ops.def"
#undef OP
};

static bool
op_writes(const struct op *op)
{
  unsigned count = 0;

  return op_table(PROGRAM_RACTOR, &count)[op->code].operands[0] == OPERAND_DST;
}

/* Whom the op deals with: the operand that is a handle, or an object with slots. */
static struct op_subject
subject_of(const struct step *step)
{
  struct op_subject subject = {0};

  switch (step->op->code) {
  case OP_receive:
  case OP_try_receive:
    subject.is_handle = true;
    subject.ractor = vm_thread_ractor_id(step->thread);
    break;
  case OP_send:
  case OP_port_close:
  case OP_join:
    subject.is_handle = vm_handle_names(*reg(step, 0), &subject.ractor, &subject.port);
    break;
  case OP_port_receive:
  case OP_value:
    subject.is_handle = vm_handle_names(*reg(step, 1), &subject.ractor, &subject.port);
    break;
  case OP_env_set:
  case OP_hidden_set:
  case OP_constant_set:
    subject.slots_are_shared = vm_slots_are_foreign(step->thread, *reg(step, 0));
    break;
  case OP_env_get:
  case OP_hidden_get:
  case OP_constant_get:
    subject.slots_are_shared = vm_slots_are_foreign(step->thread, *reg(step, 1));
    break;
  default:
    break;
  }
  return subject;
}

static struct op_value
value_of(struct vm_thread *thread, vm_value value)
{
  unsigned ractor = 0;
  size_t port = 0;

  (void)vm_handle_names(value, &ractor, &port);
  return (struct op_value){.digest = vm_digest(thread, value),
                           .kind = (uint8_t)vm_kind_of(value),
                           .ractor = (uint8_t)ractor,
                           .flags = vm_is_nil(value)
                                        ? 0
                                        : (uint8_t)((vm_is_frozen(value) ? 1u : 0u) |
                                                    (vm_is_shareable(value) ? 2u : 0u)),
                           .number = vm_is_fixnum(value) ? (int32_t)((intptr_t)value.bits >> 1)
                                                         : (int32_t)vm_length(value)};
}

static enum vm_error
run_op(struct step *step, unsigned op_index)
{
  const struct observer *observer = step->interpreter->observer;
  struct op_value value = {0};
  enum vm_error error = vm_safepoint(step->thread);

  if (error == VM_OK)
    error = run_table[step->op->code](step);
  if (op_writes(step->op)) {
    if (error != VM_OK && error != VM_REMOTE_ERROR)
      *reg(step, 0) = vm_nil();
    value = value_of(step->thread, *reg(step, 0));
  }
  observer->op_end(observer->self, op_index, step->op->code, error == VM_OK, error, &value);
  return error;
}

static enum vm_error
run_ops(void *arg, struct vm_thread *thread, unsigned block)
{
  const struct interpreter *interpreter = arg;
  const struct observer *observer = interpreter->observer;
  const struct block *body = &interpreter->program->blocks[block];
  unsigned objspace = rgc_objspace_id(vm_thread_objspace(thread));
  struct cursor cursor;
  unsigned op_index = 0;

  cursor_begin(&cursor, body);
  while (cursor_next(&cursor, &op_index)) {
    struct step step = {interpreter, thread, &interpreter->program->ops[op_index]};

    interpreter->platform->ops->schedule_point(interpreter->platform->self, RGC_SITE_OP);
    struct op_subject subject = subject_of(&step);
    if (!observer->op_begin(observer->self, op_index, step.op->code, objspace, &subject))
      return VM_OK;
    enum vm_error error = run_op(&step, op_index);
    if (error == VM_STOPPED || step.op->code == OP_raise)
      return error;
    if (step.op->code == OP_finish)
      return VM_OK;
    if (step.op->code == OP_loop)
      cursor_loop(&cursor, num(&step, 0), num(&step, 1));
    if (step.op->code == OP_skip_if_nil && vm_is_nil(*reg(&step, 0)))
      cursor_skip(&cursor, num(&step, 1));
  }
  return VM_OK;
}

static enum vm_error
run_block(void *arg, struct vm_thread *thread, unsigned block)
{
  const struct interpreter *interpreter = arg;
  const struct observer *observer = interpreter->observer;
  struct op_value argument = value_of(thread, *vm_register(thread, 1));

  observer->block_begin(observer->self, vm_thread_ractor_id(thread), &argument);
  enum vm_error error = run_ops(arg, thread, block);
  observer->block_end(observer->self, error);
  return error;
}

static void
install(void *arg, struct rgc_world *world)
{
  const struct interpreter *interpreter = arg;

  rgc_verify_install(world, (enum rgc_verify_level)interpreter->verify);
  sim.world = world;
}

/* O5 while the VM still stands: what Ractors took is main's or back in the pool. */
static void
check_accounts(const struct rgc_platform *platform, const struct rgc_world_stats *stats)
{
  if (stats->used_page_count + stats->pool_page_count != stats->arena_page_count)
    observe_account_failed(platform, "O5-pages", "used and free pages are not all pages");
  if (stats->zombie_count != 0 || stats->zombie_page_count != 0)
    observe_account_failed(platform, "O5-zombies", "a zombie is left after the shutdown merge");
  if (stats->objspace_count != 1)
    observe_account_failed(platform, "O5-objspaces", "more than main's objspace is left");
}

bool
interpret_run(const struct program *program, const struct rgc_platform *platform,
              enum exec_verify verify, const struct observer *observer,
              struct rgc_world_stats *stats)
{
  struct interpreter interpreter = {program, platform, observer, verify};
  struct vm_config config = {
      .platform = *platform, .install = install, .run_block = run_block, .arg = &interpreter};
  struct vm *vm = NULL;

  program_rgc_settings(program, &config.settings);
  if (vm_create(&config, &vm) != VM_OK)
    return false;
  vm_run_main(vm, 0);
  rgc_world_get_stats(vm_world(vm), stats);
  check_accounts(platform, stats);
  sim.world = NULL;
  vm_destroy(vm);
  return true;
}
