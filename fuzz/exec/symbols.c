/* symbols.c - see symbols.h. */
#include "fuzz/exec/symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/exec/fiber.h"
#include "fuzz/exec/threads.h"

static struct {
  const Elf64_Sym *rows;
  size_t count;
  const char *names;
  size_t names_size;
  uintptr_t bias;
} table;

static int
note_bias(struct dl_phdr_info *info, size_t size, void *arg)
{
  (void)size;
  *(uintptr_t *)arg = info->dlpi_addr;
  return 1; /* the first is the program itself */
}

static bool
table_read(const char *file, size_t size)
{
  const Elf64_Ehdr *head = (const void *)file;

  if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
      head->e_shoff + (uint64_t)head->e_shnum * sizeof(Elf64_Shdr) > size)
    return false;
  const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
  for (unsigned i = 0; i < head->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum)
      continue;
    const Elf64_Shdr *names = &sections[sections[i].sh_link];
    if (sections[i].sh_offset + sections[i].sh_size > size ||
        names->sh_offset + names->sh_size > size)
      return false;
    table.rows = (const void *)(file + sections[i].sh_offset);
    table.count = sections[i].sh_size / sizeof(Elf64_Sym);
    table.names = file + names->sh_offset;
    table.names_size = names->sh_size;
    return true;
  }
  return false;
}

bool
symbols_setup(void)
{
  struct stat status;

  if (table.rows != NULL)
    return true;
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  if (fstat(file, &status) != 0) {
    close(file);
    return false;
  }
  size_t size = (size_t)status.st_size;
  const char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED)
    return false;
  dl_iterate_phdr(note_bias, &table.bias);
  return table_read(bytes, size);
}

const char *
symbol_name(uintptr_t pc)
{
  uintptr_t address = pc - table.bias;

  for (size_t i = 0; i < table.count; i++) {
    const Elf64_Sym *row = &table.rows[i];

    if (ELF64_ST_TYPE(row->st_info) == STT_FUNC && address >= row->st_value &&
        address < row->st_value + row->st_size && row->st_name < table.names_size)
      return table.names + row->st_name;
  }
  return NULL;
}

static bool
starts_with(const char *text, const char *prefix)
{
  size_t i = 0;

  while (prefix[i] != '\0' && text[i] == prefix[i])
    i++;
  return prefix[i] == '\0';
}

static bool
same_text(const char *a, const char *b)
{
  size_t i = 0;

  while (a[i] != '\0' && a[i] == b[i])
    i++;
  return a[i] == b[i];
}

bool
symbol_is_machinery(const char *name)
{
  static const char *const prefixes[] = {"__",         "_ZN",      "sim_",   "fiber_",   "symbol",
                                         "frames_",    "finding_", "exec_",  "threads_", "pthread_",
                                         "note_stack", "rgc_fail", "vm_fail"};
  static const char *const names[] = {"memcpy", "memmove", "memset",  "memcmp",    "free",
                                      "malloc", "calloc",  "realloc", "strlen",    "mmap",
                                      "munmap", "abort",   "raise",   "vsnprintf", "snprintf"};

  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
    if (starts_with(name, prefixes[i]))
      return true;
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (same_text(name, names[i]))
      return true;
  }
  return false;
}

size_t
frames_walk(uintptr_t frame, uintptr_t *pcs, size_t capacity)
{
  enum { ROOT_STACK_LIMIT = 8 << 20 };
  uintptr_t low;
  uintptr_t high;
  size_t count = 0;

  if (!threads_stack_bounds(&low, &high))
    fiber_stack_bounds(fiber_current(), &low, &high);
  if (high == 0) {
    low = frame;
    high = frame + ROOT_STACK_LIMIT;
  }
  while (count < capacity && frame >= low && frame + 2 * sizeof(uintptr_t) <= high &&
         frame % sizeof(uintptr_t) == 0) {
    const uintptr_t *words = (const uintptr_t *)frame;

    if (words[1] == 0)
      break;
    pcs[count++] = words[1] - 1;
    if (words[0] <= frame)
      break;
    frame = words[0];
  }
  return count;
}
