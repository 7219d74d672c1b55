/* sanitize.h - the runtime hooks of the sanitizer that this binary carries, or nothing.
 *
 * fuzz/exec/ itself is never instrumented; it only tells the runtimes about fibers and locks.
 */
#ifndef GCSTORM_EXEC_SANITIZE_H
#define GCSTORM_EXEC_SANITIZE_H

#include <stddef.h>

#ifdef GCSTORM_SANITIZE_TSAN
#include <sanitizer/tsan_interface.h>
/* Exported by the runtime, declared in no header of clang-19. */
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
#define TSAN(call) call
#else
#define TSAN(call) ((void)0)
#endif

#ifdef GCSTORM_SANITIZE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#define ASAN(call) call
#else
#define ASAN(call) ((void)0)
#endif

/* Own loops: memset and memcpy are intercepted by TSan wherever they are called from. */
static inline void
exec_zero(void *memory, size_t size)
{
  unsigned char *bytes = memory;

  for (size_t i = 0; i < size; i++)
    bytes[i] = 0;
}

static inline void
exec_copy_text(char *to, size_t to_size, const char *from)
{
  size_t at = 0;

  for (; from != NULL && from[at] != '\0' && at + 1 < to_size; at++)
    to[at] = from[at];
  to[at] = '\0';
}

#endif
