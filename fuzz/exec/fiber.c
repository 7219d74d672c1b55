/* fiber.c - see fiber.h. */
#include "fuzz/exec/fiber.h"

#include <assert.h>
#include <sys/mman.h>

#include "fuzz/exec/sanitize.h"

#ifdef GCSTORM_SANITIZE_ASAN
#define STACK_SIZE ((size_t)512 * 1024)
#else
#define STACK_SIZE ((size_t)256 * 1024)
#endif
#define GUARD_SIZE ((size_t)4096)

struct fiber {
  void *stack_pointer;
  char *stack; /* lowest usable byte; NULL for the root */
  void (*entry)(void *arg);
  void *arg;
  void *tsan;
  void *fake_stack;   /* ASan's */
  const void *bottom; /* bounds as ASan wants them */
  size_t size;
  char fork_edge; /* two addresses: one for both would order siblings */
  char join_edge;
};

static struct {
  struct fiber all[FIBER_COUNT];
  unsigned current;
  unsigned previous;
} fibers = {.current = FIBER_ROOT, .previous = FIBER_ROOT};

/* Saves the callee-saved registers on the old stack, its pointer in *save, and goes on with the
 * registers found on the new one. */
void fiber_swap_stacks(void **save, void *stack_pointer);

#if defined(__x86_64__)
__asm__(".text\n.p2align 4\n.globl fiber_swap_stacks\n.type fiber_swap_stacks,@function\n"
        "fiber_swap_stacks:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n.size fiber_swap_stacks,.-fiber_swap_stacks\n");
/* Six registers, the return address, and a zero that ends every backtrace. */
enum { FRAME_WORDS = 8, FRAME_RETURN = 6 };
#elif defined(__aarch64__)
__asm__(".text\n.p2align 4\n.globl fiber_swap_stacks\n.type fiber_swap_stacks,%function\n"
        "fiber_swap_stacks:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp, #0]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
        "  ldp x19, x20, [sp, #0]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n  ret\n.size fiber_swap_stacks,.-fiber_swap_stacks\n");
enum { FRAME_WORDS = 20, FRAME_RETURN = 11 };
#else
#error "no stack switch for this machine"
#endif

static void
after_switch(void)
{
#ifdef GCSTORM_SANITIZE_ASAN
  struct fiber *root = &fibers.all[FIBER_ROOT];
  const void *bottom = NULL;
  size_t size = 0;

  __sanitizer_finish_switch_fiber(fibers.all[fibers.current].fake_stack, &bottom, &size);
  if (fibers.previous == FIBER_ROOT) {
    root->bottom = bottom;
    root->size = size;
  }
#endif
}

/* The first frame of a fiber.  The fork edge comes before whatever TSan could see. */
static void
trampoline(void)
{
  struct fiber *fiber = &fibers.all[fibers.current];

  after_switch();
  TSAN(__tsan_acquire(&fiber->fork_edge));
  fiber->entry(fiber->arg);
  __builtin_trap();
}

#ifdef GCSTORM_SANITIZE_TSAN
static void *
tsan_context(unsigned index)
{
  char name[] = "thread 00";
  void *context = __tsan_create_fiber(0);

  name[7] = (char)('0' + (index < 10 ? index : index / 10));
  name[8] = (char)(index < 10 ? '\0' : '0' + index % 10);
  __tsan_set_fiber_name(context, name);
  return context;
}
#endif

static bool
fiber_make(struct fiber *fiber)
{
  char *memory = mmap(NULL, STACK_SIZE + GUARD_SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (memory == MAP_FAILED)
    return false;
  if (mprotect(memory, GUARD_SIZE, PROT_NONE) != 0) {
    munmap(memory, STACK_SIZE + GUARD_SIZE);
    return false;
  }
  fiber->stack = memory + GUARD_SIZE;
  fiber->bottom = fiber->stack;
  fiber->size = STACK_SIZE;
  /* A block whose only pointer is on a suspended stack is no leak. */
  ASAN(__lsan_register_root_region(fiber->stack, STACK_SIZE));
  TSAN(fiber->tsan = tsan_context((unsigned)(fiber - fibers.all)));
  return true;
}

bool
fibers_setup(void)
{
  for (unsigned i = 0; i < FIBER_THREAD_MAX; i++) {
    if (fibers.all[i].stack == NULL && !fiber_make(&fibers.all[i]))
      return false;
  }
  TSAN(fibers.all[FIBER_ROOT].tsan = __tsan_get_current_fiber());
  return true;
}

void
fibers_forget(void)
{
  assert(fibers.current == FIBER_ROOT);
  TSAN(__tsan_flush_memory());
}

void
fiber_prime(unsigned index, void (*entry)(void *arg), void *arg)
{
  struct fiber *fiber = &fibers.all[index];
  void **words = (void **)(void *)(fiber->stack + STACK_SIZE);

  assert(index < FIBER_THREAD_MAX && index != fibers.current);
  words -= FRAME_WORDS;
  for (unsigned i = 0; i < FRAME_WORDS; i++)
    words[i] = NULL;
  words[FRAME_RETURN] = (void *)(uintptr_t)trampoline;
  fiber->stack_pointer = words;
  fiber->entry = entry;
  fiber->arg = arg;
  fiber->fake_stack = NULL;
}

void
fiber_switch(unsigned index)
{
  struct fiber *from = &fibers.all[fibers.current];
  struct fiber *to = &fibers.all[index];

  assert(index < FIBER_COUNT);
  if (from == to)
    return;
  fibers.previous = fibers.current;
  fibers.current = index;
  ASAN(__sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->size));
  TSAN(__tsan_switch_to_fiber(to->tsan, __tsan_switch_to_fiber_no_sync));
  fiber_swap_stacks(&from->stack_pointer, to->stack_pointer);
  after_switch();
}

unsigned
fiber_current(void)
{
  return fibers.current;
}

void
fiber_fork_release(unsigned index)
{
  (void)index;
  TSAN(__tsan_release(&fibers.all[index].fork_edge));
}

void
fiber_join_release(unsigned index)
{
  (void)index;
  TSAN(__tsan_release(&fibers.all[index].join_edge));
}

void
fiber_join_acquire(unsigned index)
{
  (void)index;
  TSAN(__tsan_acquire(&fibers.all[index].join_edge));
}

void
fibers_renew(void)
{
  assert(fibers.current == FIBER_ROOT);
  for (unsigned i = 0; i < FIBER_THREAD_MAX; i++) {
    ASAN(__asan_unpoison_memory_region(fibers.all[i].stack, STACK_SIZE));
#ifdef GCSTORM_SANITIZE_TSAN
    struct fiber *fiber = &fibers.all[i];
    struct fiber *root = &fibers.all[FIBER_ROOT];

    /* Only the context is switched, so that the release is the given-up fiber's own. */
    __tsan_switch_to_fiber(fiber->tsan, __tsan_switch_to_fiber_no_sync);
    __tsan_release(&fiber->join_edge);
    __tsan_switch_to_fiber(root->tsan, __tsan_switch_to_fiber_no_sync);
    __tsan_acquire(&fiber->join_edge);
    __tsan_destroy_fiber(fiber->tsan);
    fiber->tsan = tsan_context(i);
#endif
  }
}

unsigned
fiber_of_guard(uintptr_t address)
{
  for (unsigned i = 0; i < FIBER_THREAD_MAX; i++) {
    uintptr_t stack = (uintptr_t)fibers.all[i].stack;

    if (stack != 0 && address < stack && address >= stack - GUARD_SIZE)
      return i;
  }
  return FIBER_COUNT;
}

void
fiber_stack_bounds(unsigned index, uintptr_t *low, uintptr_t *high)
{
  const struct fiber *fiber = &fibers.all[index];

  *low = (uintptr_t)fiber->stack;
  *high = fiber->stack == NULL ? 0 : *low + STACK_SIZE;
}
