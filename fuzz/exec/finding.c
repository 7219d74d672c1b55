/* finding.c - a finding as JSON, without any library: a harness binary links libc alone. */
#include <inttypes.h>
#include <string.h>

#include "fuzz/exec/exec.h"

/* A byte beyond ASCII is escaped as it is, since a file name may be no UTF-8 and a line that is
 * none is lost whole; who reads the record knows the name. */
void
json_write_text(FILE *file, const char *text)
{
  fputc('"', file);
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;

    if (c == '"' || c == '\\')
      fprintf(file, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f)
      fprintf(file, "\\u%04x", (unsigned)c);
    else
      fputc(c, file);
  }
  fputc('"', file);
}

/* Runs on threads have none that could be compared. */
void
json_write_hash(FILE *file, const char *host, uint64_t trace_hash)
{
  if (strcmp(host, exec_host_name(EXEC_HOST_THREADS)) == 0)
    fputs("null", file);
  else
    fprintf(file, "\"%016" PRIx64 "\"", trace_hash);
}

static void
write_member(FILE *file, const char *name, const char *text)
{
  fprintf(file, "\"%s\":", name);
  json_write_text(file, text);
  fputc(',', file);
}

static void
write_stack(FILE *file, const char *name, unsigned count, const char stack[][80])
{
  fprintf(file, "\"%s\":[", name);
  for (unsigned i = 0; i < count && i < FINDING_STACK_MAX; i++) {
    if (i > 0)
      fputc(',', file);
    json_write_text(file, stack[i]);
  }
  fputs("],", file);
}

void
finding_write_json(FILE *file, const struct finding *finding, const char *input_path,
                   uint64_t trace_hash)
{
  fputc('{', file);
  write_member(file, "oracle", finding->oracle);
  write_member(file, "rule", finding->rule);
  write_member(file, "bucket", finding->bucket);
  write_member(file, "text", finding->text);
  write_member(file, "phase", finding->phase);
  fprintf(file, "\"thread\":%u,\"step\":%" PRIu64 ",\"schedule_point\":%" PRIu64 ",",
          finding->thread, finding->step, finding->schedule_point);
  fprintf(file, "\"op_index\":%u,", finding->op_index);
  write_member(file, "op", finding->op_name);
  write_member(file, "object", finding->object);
  write_member(file, "stack_title", finding->stack_title);
  write_stack(file, "stack", finding->stack_count, finding->stack);
  write_member(file, "other_stack_title", finding->other_stack_title);
  write_stack(file, "other_stack", finding->other_stack_count, finding->other_stack);
  write_member(file, "faults", finding->faults);
  write_member(file, "sanitizer", exec_sanitizer());
  write_member(file, "host", finding->host);
  write_member(file, "input", input_path == NULL ? "" : input_path);
  fputs("\"trace_hash\":", file);
  json_write_hash(file, finding->host, trace_hash);
  fputc('}', file);
}
