/* corpus.h - a harness's kept programs, and the manifest that says what each must do.
 *
 * CORPUS/HARNESS/manifest.json lists every file of seeds/ (text) and regressions/ (NAME.bin; the
 * NAME.rb beside it is for readers).  The manifest is written whole under a temporary name and
 * after the files that it lists, so that whoever is killed leaves the old one or the new one.
 */
#ifndef GCSTORM_CAMPAIGN_CORPUS_H
#define GCSTORM_CAMPAIGN_CORPUS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CORPUS_PATH_MAX = 4096, CORPUS_HASH_SIZE = 17, CORPUS_FILE_MAX = 1 << 20 };

struct corpus {
  char folder[CORPUS_PATH_MAX]; /* CORPUS/HARNESS */
  json_t *entries;              /* objects; sorted by "file" when saved */
};

/* Reads the manifest; none is an empty one.  False: `problem`. */
bool corpus_load(struct corpus *corpus, const char *root, const char *harness, char *problem,
                 size_t problem_size);
void corpus_free(struct corpus *corpus);

/* Whether the listed files are all there, whatever is in them.  False: `problem`. */
bool corpus_files_read(const struct corpus *corpus, char *problem, size_t problem_size);

/* Whether the listed files are all there, as they were added, and no others.  False: `problem`. */
bool corpus_files_check(const struct corpus *corpus, char *problem, size_t problem_size);

/* False: errno. */
bool corpus_save(const struct corpus *corpus);

/* The entry whose field has this value, or NULL. */
json_t *corpus_find(const struct corpus *corpus, const char *field, const char *value);

/* A field of an entry; "" when absent. */
const char *corpus_text(const json_t *entry, const char *field);

/* FNV-1a in hexadecimal: names contents, guards against accidents only. */
void corpus_hash(const uint8_t *data, size_t size, char hash[CORPUS_HASH_SIZE]);

#endif
