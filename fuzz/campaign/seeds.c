/* seeds.c - see seeds.h. */
#include "fuzz/campaign/seeds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/build.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/files.h"
#include "fuzz/program/parser.h"

/* The fuzz targets take programs without the header of kept files. */
static bool
put_program(const char *folder, const struct program *program, char *problem, size_t problem_size)
{
  size_t size = program_encoded_size(program);
  uint8_t *bytes = malloc(size + 1);
  char path[PATH_MAX + 32], hash[CORPUS_HASH_SIZE];
  bool good = bytes != NULL;

  snprintf(problem, problem_size, "out of memory");
  if (good) {
    program_encode(program, bytes, size);
    corpus_hash(bytes, size, hash);
    snprintf(path, sizeof path, "%s/seed-%s", folder, hash);
    good = access(path, F_OK) == 0 || file_write(path, bytes, size, "", 0);
    if (!good)
      snprintf(problem, problem_size, "cannot write %s: %s", path, strerror(errno));
  }
  free(bytes);
  return good;
}

static bool
put_entries(const struct corpus *corpus, const char *folder, struct program *program,
            enum program_dialect dialect, char *problem, size_t problem_size)
{
  bool good = true;

  for (size_t i = 0; good && i < json_array_size(corpus->entries); i++) {
    char path[2 * CORPUS_PATH_MAX];
    uint8_t *data = NULL;
    size_t size;

    snprintf(path, sizeof path, "%.4000s/%.1000s", corpus->folder,
             corpus_text(json_array_get(corpus->entries, i), "file"));
    good = file_read(path, CORPUS_FILE_MAX, &data, &size, problem, problem_size) &&
           program_read(program, dialect, path, data, size, problem, problem_size) &&
           put_program(folder, program, problem, problem_size);
    free(data);
  }
  return good;
}

bool
seeds_add(const char *folder, const char *harness, enum program_dialect dialect, char *problem,
          size_t problem_size)
{
  char root[PATH_MAX], kept[PATH_MAX + 16];
  struct corpus corpus;
  struct program program;
  bool good;

  if (!build_root(root, sizeof root))
    return true;
  snprintf(kept, sizeof kept, "%s/../corpus", root);
  good = corpus_load(&corpus, kept, harness, problem, problem_size);
  if (good && !program_init(&program, dialect)) {
    snprintf(problem, problem_size, "out of memory");
    good = false;
  } else if (good) {
    good = put_entries(&corpus, folder, &program, dialect, problem, problem_size);
    program_free(&program);
  }
  corpus_free(&corpus);
  return good;
}
