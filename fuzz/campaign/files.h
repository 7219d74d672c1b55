/* files.h - folders and whole files, with bounded memory. */
#ifndef GCSTORM_CAMPAIGN_FILES_H
#define GCSTORM_CAMPAIGN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes a folder and those above it, and proves that files can be made in it.  False: `problem`. */
bool folder_prepare(const char *path, char *problem, size_t problem_size);

/* Removes a folder and everything in it; quiet. */
void folder_remove(const char *path);

/* Number of plain files in the folder; 0 when it is not there. */
size_t folder_count(const char *path);

/* Reads a file of at most `max` bytes.  False with one line in `problem` that names the remedy:
 * missing, a directory, not readable, too large.  `size` may be 0 with `data` not NULL. */
bool file_read(const char *path, size_t max, uint8_t **data, size_t *size, char *problem,
               size_t problem_size);

/* The same for a command whose option --max-bytes is `max`: the remedy is to raise it. */
bool file_read_input(const char *path, size_t max, uint8_t **data, size_t *size, char *problem,
                     size_t problem_size);

/* Whether there is nothing, or a plain file, whose place another may take.  A device, a FIFO or a
 * symbolic link would be lost. */
bool file_is_replaceable(const char *path);

/* Whether file_write can write there, said before the work whose result it is.  False: `problem`.
 */
bool file_check_place(const char *path, char *problem, size_t problem_size);

/* Writes head and data to path, through a temporary name beside it.  False: errno, EEXIST for what
 * is not replaceable. */
bool file_write(const char *path, const void *head, size_t head_size, const void *data,
                size_t size);

#endif
