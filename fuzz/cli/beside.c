/* beside.c - see beside.h. */
#include "fuzz/cli/beside.h"

#include <stdio.h>
#include <string.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/faults.h"
#include "fuzz/campaign/findings.h"
#include "fuzz/campaign/worker.h"

bool
beside_read(const struct command *command, const char *file, json_t **record)
{
  char problem[12000];

  if (finding_record_beside(file, record, problem, sizeof problem))
    return true;
  complain(command, "%s", problem);
  return false;
}

/* Takes the record's word if it is one of `known`.  False: it is none of them. */
static bool
take_word(const json_t *record, const char *name, const char *const *known, size_t count,
          const char **option)
{
  const char *word = record_text(record, name);

  if (*option != NULL || *word == '\0')
    return true;
  for (size_t i = 0; i < count; i++)
    if (strcmp(word, known[i]) == 0)
      *option = known[i];
  return *option != NULL;
}

static bool
complain_of(const struct command *command, const char *file, const char *what, const char *word)
{
  complain(command, "the record beside %s names the %s '%s', which there is not; say --%s", file,
           what, word, what);
  return false;
}

bool
beside_take(const struct command *command, const char *file, const json_t *record,
            struct beside *options)
{
  const char *faults = record_text(record, "faults");
  char unknown[64];

  if (!take_word(record, "sanitizer", sanitizer_names, SANITIZER_COUNT, &options->sanitizer))
    return complain_of(command, file, "sanitizer", record_text(record, "sanitizer"));
  if (!take_word(record, "harness", harness_names, HARNESS_COUNT, &options->harness))
    return complain_of(command, file, "harness", record_text(record, "harness"));
  if (options->faults != NULL || *faults == '\0')
    return true;
  if (!faults_known(faults, unknown, sizeof unknown))
    return complain_of(command, file, "fault", unknown);
  options->faults = faults;
  return true;
}

bool
beside_is_of_threads(const json_t *record)
{
  return strcmp(record_text(record, "host"), exec_host_name(EXEC_HOST_THREADS)) == 0;
}
