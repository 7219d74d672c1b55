/* sanitizer.c - the hooks through which the sanitizers' reports become findings, and their options.
 *
 * A hook runs in the middle of a report: it fills the finding, publishes it and returns; the
 * runtime then ends the process with DEATH_EXIT_CODE.  Names come from symbols.c, since the
 * runtimes would start another program for them.
 */
#include <fcntl.h>
#include <stdlib.h>

#include "fuzz/exec/death.h"
#include "fuzz/exec/report.h"
#include "fuzz/exec/sanitize.h"
#include "fuzz/exec/symbols.h"
#include "rgc/verify.h"

#define COMMON_OPTIONS                                                                             \
  "exitcode=66:symbolize=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:"          \
  "handle_sigill=0"

const char *
exec_sanitizer(void)
{
#if defined(GCSTORM_SANITIZE_TSAN)
  return "tsan";
#elif defined(GCSTORM_SANITIZE_ASAN)
  return "asan";
#else
  return "none";
#endif
}

#if defined(GCSTORM_SANITIZE_TSAN) || defined(GCSTORM_SANITIZE_ASAN)

void __sanitizer_set_report_fd(void *fd);

void
sanitizer_setup(void)
{
  if (getenv("GCSTORM_VERBOSE") != NULL)
    return;
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0)
    sanitizer_show(null);
}

void
sanitizer_show(int file)
{
  __sanitizer_set_report_fd((void *)(intptr_t)file);
}

#else

void
sanitizer_setup(void)
{
}

void
sanitizer_show(int file)
{
  (void)file;
}

#endif

#ifdef GCSTORM_SANITIZE_TSAN

int __tsan_get_report_data(void *report, const char **description, int *count, int *stack_count,
                           int *mop_count, int *loc_count, int *mutex_count, int *thread_count,
                           int *unique_tid_count, void **sleep_trace, unsigned long trace_size);
int __tsan_get_report_mop(void *report, unsigned long index, int *tid, void **address, int *size,
                          int *write, int *atomic, void **trace, unsigned long trace_size);
int __tsan_get_report_thread(void *report, unsigned long index, int *tid, unsigned long *os_id,
                             int *running, const char **name, int *parent_tid, void **trace,
                             unsigned long trace_size);
int __tsan_get_report_stack(void *report, unsigned long index, void **trace,
                            unsigned long trace_size);
void __tsan_on_report(void *report);
const char *__tsan_default_options(void);

enum { TRACE_MAX = 64 };

struct access {
  const char *how;
  int size;
  void *address;
  int tid;
  unsigned count;
  char names[FINDING_STACK_MAX][80];
};

/* Static: the report may come on a small stack, and only one is ever looked at. */
static struct access accesses[2];

/* With a history of this length no run is so long that the stack of its older access is lost, which
 * would depend on how the process came by the memory of its traces. */
const char *
__tsan_default_options(void)
{
  return COMMON_OPTIONS ":halt_on_error=1:atexit_sleep_ms=0:suppress_equal_stacks=0:"
                        "suppress_equal_addresses=0:detect_deadlocks=0:report_signal_unsafe=0:"
                        "report_thread_leaks=0:report_destroy_locked=0:history_size=128";
}

static unsigned
names_of(char names[FINDING_STACK_MAX][80], void **trace)
{
  uintptr_t pcs[TRACE_MAX];
  size_t count = 0;

  for (; count < TRACE_MAX && trace[count] != NULL; count++)
    pcs[count] = (uintptr_t)trace[count] - 1;
  return report_stack(names, pcs, count);
}

static void
access_read(void *report, unsigned long index, struct access *access)
{
  void *trace[TRACE_MAX] = {NULL};
  int write = 0;
  int atomic = 0;

  __tsan_get_report_mop(report, index, &access->tid, &access->address, &access->size, &write,
                        &atomic, trace, TRACE_MAX);
  access->how = atomic ? (write ? "atomic write" : "atomic read") : write ? "write" : "read";
  access->count = names_of(access->names, trace);
}

static void
access_key(char *key, size_t key_size, const struct access *access)
{
  key[0] = '\0';
  report_text_add(key, key_size, access->how);
  report_text_add(key, key_size, " ");
  report_text_add(key, key_size, access->count == 0 ? "?" : access->names[0]);
}

static bool
text_less(const char *a, const char *b)
{
  while (*a != '\0' && *a == *b) {
    a++;
    b++;
  }
  return (unsigned char)*a < (unsigned char)*b;
}

/* The order of the two accesses follows the schedule; the bucket must not. */
static void
race_bucket(struct finding *finding, const char *kind)
{
  char keys[2][100];

  access_key(keys[0], sizeof keys[0], &accesses[0]);
  access_key(keys[1], sizeof keys[1], &accesses[1]);
  unsigned first = text_less(keys[1], keys[0]) ? 1 : 0;
  report_bucket(finding, kind, keys[first]);
  report_text_add(finding->bucket, sizeof finding->bucket, "|");
  report_text_add(finding->bucket, sizeof finding->bucket, keys[1 - first]);
  report_text_add(finding->text, sizeof finding->text, keys[0]);
  report_text_add(finding->text, sizeof finding->text, " after ");
  report_text_add(finding->text, sizeof finding->text, keys[1]);
  report_text_add(finding->text, sizeof finding->text, " of another thread, unordered");
}

static void
take_stack(char to[FINDING_STACK_MAX][80], unsigned *to_count, const struct access *access)
{
  *to_count = access->count;
  for (unsigned i = 0; i < access->count; i++)
    exec_copy_text(to[i], sizeof to[i], access->names[i]);
}

/* Fibers are named "thread N" in order of creation, whatever numbers the runtime gave them; to the
 * program thread 0 is main and each other one a Ractor. */
static void
add_thread(char *title, size_t size, const char *name)
{
  static const char prefix[] = "thread ";
  unsigned at = 0;

  report_text_add(title, size, " by ");
  while (prefix[at] != '\0' && name[at] == prefix[at])
    at++;
  if (prefix[at] != '\0' || sim.program == NULL || sim.program->dialect != PROGRAM_RACTOR) {
    report_text_add(title, size, name);
  } else if (name[at] == '0' && name[at + 1] == '\0') {
    report_text_add(title, size, "main");
  } else {
    report_text_add(title, size, "Ractor ");
    report_text_add(title, size, name + at);
  }
}

/* "write of 8 bytes by Ractor 2". */
static void
access_title(char *title, size_t size, const struct access *access, void *report, int thread_count)
{
  char bytes[] = " of 0 bytes";

  bytes[4] = (char)('0' + access->size % 10);
  title[0] = '\0';
  report_text_add(title, size, access->how);
  if (access->size > 0 && access->size < 10)
    report_text_add(title, size, bytes);
  for (int i = 0; i < thread_count; i++) {
    const char *name = NULL;
    void *trace[1];
    unsigned long os_id;
    int tid;
    int running;
    int parent;

    __tsan_get_report_thread(report, (unsigned long)i, &tid, &os_id, &running, &name, &parent,
                             trace, 1);
    if (tid == access->tid && name != NULL) {
      add_thread(title, size, name);
      return;
    }
  }
}

/* The core's own code reads here what it would report, were it listened to. */
static void
name_object(struct finding *finding, const void *address)
{
  if (sim.world == NULL)
    return;
  __tsan_ignore_thread_begin();
  rgc_describe_address(sim.world, address, finding->object, sizeof finding->object);
  __tsan_ignore_thread_end();
}

static void
other_report(struct finding *finding, void *report, const char *kind, int stack_count)
{
  void *trace[TRACE_MAX] = {NULL};

  if (stack_count > 0)
    __tsan_get_report_stack(report, 0, trace, TRACE_MAX);
  finding->stack_count = names_of(finding->stack, trace);
  report_bucket(finding, kind, finding->stack_count == 0 ? "?" : finding->stack[0]);
  exec_copy_text(finding->text, sizeof finding->text, kind);
}

void
__tsan_on_report(void *report)
{
  const char *kind = "report";
  void *sleep_trace[1];
  int count;
  int stacks = 0;
  int mops = 0;
  int locations;
  int mutexes;
  int threads;
  int tids;

  if (report_is_published())
    return;
  __tsan_get_report_data(report, &kind, &count, &stacks, &mops, &locations, &mutexes, &threads,
                         &tids, sleep_trace, 1);
  struct finding *finding = sim_finding_begin("O2", kind);
  if (mops < 2) {
    other_report(finding, report, kind, stacks);
  } else {
    access_read(report, 0, &accesses[0]);
    access_read(report, 1, &accesses[1]);
    race_bucket(finding, kind);
    take_stack(finding->stack, &finding->stack_count, &accesses[0]);
    take_stack(finding->other_stack, &finding->other_stack_count, &accesses[1]);
    access_title(finding->stack_title, sizeof finding->stack_title, &accesses[0], report, threads);
    access_title(finding->other_stack_title, sizeof finding->other_stack_title, &accesses[1],
                 report, threads);
    name_object(finding, accesses[0].address);
  }
  sim_finding_publish();
}

#endif

#ifdef GCSTORM_SANITIZE_ASAN

enum { ERROR_FRAME_MAX = 64 };

void __asan_on_error(void);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
void __ubsan_on_report(void);
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file,
                                     unsigned *line, unsigned *column, char **address);

const char *
__asan_default_options(void)
{
  return COMMON_OPTIONS ":detect_stack_use_after_return=0:detect_leaks=0:abort_on_error=0:"
                        "allocator_may_return_null=1";
}

const char *
__ubsan_default_options(void)
{
  return "halt_on_error=1:print_stacktrace=0";
}

static void
error_bucket(struct finding *finding, const char *rule)
{
  report_bucket(finding, rule, finding->stack_count == 0 ? "?" : finding->stack[0]);
}

void
__asan_on_error(void)
{
  uintptr_t pcs[ERROR_FRAME_MAX] = {(uintptr_t)__asan_get_report_pc()};
  uintptr_t frame = (uintptr_t)__asan_get_report_bp();

  if (report_is_published())
    return;
  struct finding *finding = sim_finding_begin("O2", __asan_get_report_description());
  size_t count = 1 + frames_walk(frame, pcs + 1, ERROR_FRAME_MAX - 1);
  finding->stack_count = report_stack(finding->stack, pcs, count);
  exec_copy_text(finding->text, sizeof finding->text, finding->rule);
  report_text_add(finding->text, sizeof finding->text,
                  __asan_get_report_access_type() ? " at a write" : " at a read");
  report_bucket(finding, "asan", finding->rule);
  report_text_add(finding->bucket, sizeof finding->bucket, ":");
  report_text_add(finding->bucket, sizeof finding->bucket,
                  finding->stack_count == 0 ? "?" : finding->stack[0]);
  sim_finding_publish();
}

void
__ubsan_on_report(void)
{
  const char *kind = "undefined";
  const char *message = "";
  const char *file = NULL;
  char *address;
  unsigned line;
  unsigned column;

  if (report_is_published())
    return;
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  struct finding *finding = sim_finding_begin("O2", kind);
  report_stack_here(finding, (uintptr_t)__builtin_frame_address(0));
  exec_copy_text(finding->text, sizeof finding->text, message);
  error_bucket(finding, finding->rule);
  sim_finding_publish();
}

#endif
