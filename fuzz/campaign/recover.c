/* recover.c - what a killed campaign left in its nests is judged by the next one. */
#include "fuzz/campaign/recover.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/campaign/files.h"

enum { NOTE_MAX_BYTES = PATH_MAX + 4096 };

bool
nest_note(const char *nest, const struct finding_source *source, const char *corpus)
{
  char absolute[PATH_MAX];
  char path[PATH_MAX + 16];
  char note[NOTE_MAX_BYTES];
  int size =
      snprintf(note, sizeof note, "%s\n%s\n%s\n%s\n%s\n%s\n", source->harness, source->sanitizer,
               source->faults != NULL ? source->faults : "", engine_names[source->engine],
               exec_host_name(source->host), realpath(corpus, absolute) != NULL ? absolute : "");

  snprintf(path, sizeof path, "%s/.cell", nest);
  return size > 0 && (size_t)size < sizeof note && file_write(path, "", 0, note, (size_t)size);
}

/* Cuts the next line off `*text`. */
static char *
next_line(char **text)
{
  char *line = *text;
  char *end = strchr(line, '\n');

  if (end == NULL)
    return NULL;
  *end = '\0';
  *text = end + 1;
  return line;
}

static bool
known(const char *sanitizer)
{
  for (size_t i = 0; i < SANITIZER_COUNT; i++)
    if (strcmp(sanitizer, sanitizer_names[i]) == 0)
      return true;
  return false;
}

/* Judges one nest.  What cannot be judged here stays where it is, and so does what was found with
 * other faults than those wanted now. */
static void
recover_nest(struct findings *findings, const char *wanted, const char *nest)
{
  char path[PATH_MAX + 300];
  char problem[PATH_MAX + 400];
  char note[NOTE_MAX_BYTES + 1];
  uint8_t *data;
  size_t size;

  snprintf(path, sizeof path, "%s/.cell", nest);
  if (!file_read(path, NOTE_MAX_BYTES, &data, &size, problem, sizeof problem))
    return;
  memcpy(note, data, size);
  note[size] = '\0';
  free(data);
  char *rest = note;
  const char *harness = next_line(&rest);
  const char *sanitizer = harness != NULL ? next_line(&rest) : NULL;
  const char *faults = sanitizer != NULL ? next_line(&rest) : NULL;
  const char *engine = faults != NULL ? next_line(&rest) : NULL;
  const char *host = engine != NULL ? next_line(&rest) : NULL;
  const char *corpus = host != NULL ? next_line(&rest) : NULL;
  bool threads = host != NULL && strcmp(host, exec_host_name(EXEC_HOST_THREADS)) == 0;
  bool afl = engine != NULL && strcmp(engine, engine_names[ENGINE_AFL]) == 0;

  if (faults == NULL || strcmp(faults, wanted != NULL ? wanted : "") != 0 || !known(sanitizer))
    return;
  if (corpus != NULL && access(corpus, W_OK) == 0)
    engine_collect(afl ? ENGINE_AFL : ENGINE_LIBFUZZER, nest, corpus);
  for (size_t i = 0; i < HARNESS_COUNT; i++) {
    struct finding_source source = {.harness = harness_names[i],
                                    .dialect = i == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS,
                                    .sanitizer = sanitizer,
                                    .host = threads ? EXEC_HOST_THREADS : EXEC_HOST_SIM,
                                    .faults = *faults != '\0' ? faults : NULL,
                                    .engine = afl ? ENGINE_AFL : ENGINE_LIBFUZZER};

    if (strcmp(harness, harness_names[i]) == 0 &&
        findings_harvest(findings, nest, &source, problem, sizeof problem) >= 0)
      folder_remove(nest);
  }
}

void
nests_recover(struct findings *findings, const char *faults)
{
  DIR *folder = opendir(findings->folder);
  const struct dirent *entry;

  if (folder == NULL)
    return;
  while ((entry = readdir(folder)) != NULL) {
    char nest[PATH_MAX + 260];
    long owner;

    bool trial = sscanf(entry->d_name, ".trial-%ld.bin", &owner) == 1;

    if (!trial && sscanf(entry->d_name, ".new-%ld-", &owner) != 1)
      continue;
    if (owner <= 0 || kill((pid_t)owner, 0) == 0 || errno != ESRCH)
      continue;
    snprintf(nest, sizeof nest, "%s/%s", findings->folder, entry->d_name);
    if (trial)
      unlink(nest); /* a copy of what its nest still has */
    else
      recover_nest(findings, faults, nest);
  }
  closedir(folder);
}
