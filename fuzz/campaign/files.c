/* files.c - see files.h. */
#include "fuzz/campaign/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
make_folders(const char *path)
{
  char part[PATH_MAX];

  if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part) {
    errno = ENAMETOOLONG;
    return false;
  }
  for (char *at = part + 1; *at != '\0'; at++) {
    if (*at != '/')
      continue;
    *at = '\0';
    if (mkdir(part, 0755) != 0 && errno != EEXIST)
      return false;
    *at = '/';
  }
  return mkdir(part, 0755) == 0 || errno == EEXIST;
}

bool
folder_prepare(const char *path, char *problem, size_t problem_size)
{
  char probe[PATH_MAX + 32];
  struct stat info;
  int file;

  if (!make_folders(path)) {
    snprintf(problem, problem_size, "cannot make the folder %s: %s; name one that you may write",
             path, strerror(errno));
    return false;
  }
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
    snprintf(problem, problem_size, "%s is not a folder; name another", path);
    return false;
  }
  snprintf(probe, sizeof probe, "%s/.probe-%ld", path, (long)getpid());
  file = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) {
    snprintf(problem, problem_size, "cannot write in %s: %s; name a folder that you may write",
             path, strerror(errno));
    return false;
  }
  close(file);
  unlink(probe);
  return true;
}

static int
remove_entry(const char *path, const struct stat *info, int type, struct FTW *place)
{
  (void)info;
  (void)type;
  (void)place;
  remove(path);
  return 0;
}

void
folder_remove(const char *path)
{
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

size_t
folder_count(const char *path)
{
  DIR *folder = opendir(path);
  const struct dirent *entry;
  size_t count = 0;

  if (folder == NULL)
    return 0;
  while ((entry = readdir(folder)) != NULL)
    if (entry->d_name[0] != '.')
      count++;
  closedir(folder);
  return count;
}

/* Opens a plain file that is not too large, or else needs `remedy`.  -1: `problem`. */
static int
open_checked(const char *path, size_t max, const char *remedy, char *problem, size_t problem_size)
{
  struct stat info;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (file < 0) {
    snprintf(problem, problem_size, "%s: %s; name a file that you may read", path, strerror(errno));
    return -1;
  }
  if (fstat(file, &info) != 0 || S_ISDIR(info.st_mode)) {
    snprintf(problem, problem_size, "%s is a directory; name the files in it", path);
  } else if (!S_ISREG(info.st_mode)) {
    snprintf(problem, problem_size, "%s is no plain file; copy its contents to one", path);
  } else if ((unsigned long long)info.st_size > max) {
    snprintf(problem, problem_size, "%s has %llu bytes, more than %zu; %s", path,
             (unsigned long long)info.st_size, max, remedy);
  } else {
    return file;
  }
  close(file);
  return -1;
}

static bool
read_checked(const char *path, int file, uint8_t **data, size_t *size, char *problem,
             size_t problem_size)
{
  struct stat info;
  ssize_t got = -1;
  size_t room;

  *data = NULL;
  *size = 0;
  if (file < 0)
    return false;
  if (fstat(file, &info) == 0) {
    room = (size_t)info.st_size;
    *data = malloc(room + 1);
    while (*data != NULL && *size < room) {
      got = read(file, *data + *size, room - *size);
      if (got <= 0)
        break;
      *size += (size_t)got;
    }
    if (room == 0)
      got = 0;
  }
  if (*data == NULL || got < 0) {
    snprintf(problem, problem_size, "%s: cannot be read: %s", path, strerror(errno));
    free(*data);
    *data = NULL;
  }
  close(file);
  return *data != NULL;
}

bool
file_read(const char *path, size_t max, uint8_t **data, size_t *size, char *problem,
          size_t problem_size)
{
  return read_checked(path, open_checked(path, max, "name a smaller one", problem, problem_size),
                      data, size, problem, problem_size);
}

bool
file_read_input(const char *path, size_t max, uint8_t **data, size_t *size, char *problem,
                size_t problem_size)
{
  return read_checked(path, open_checked(path, max, "raise --max-bytes", problem, problem_size),
                      data, size, problem, problem_size);
}

static bool
write_all(int file, const void *data, size_t size)
{
  const uint8_t *at = data;

  while (size > 0) {
    ssize_t put = write(file, at, size);

    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return false;
    at += put;
    size -= (size_t)put;
  }
  return true;
}

bool
file_is_replaceable(const char *path)
{
  struct stat info;

  return lstat(path, &info) != 0 || S_ISREG(info.st_mode);
}

/* What is written before it takes the place of `path`. */
static void
name_temporary(char temporary[PATH_MAX + 16], const char *path)
{
  snprintf(temporary, PATH_MAX + 16, "%s.new", path);
}

bool
file_check_place(const char *path, char *problem, size_t problem_size)
{
  char temporary[PATH_MAX + 16];
  int file;

  if (!file_is_replaceable(path)) {
    snprintf(problem, problem_size, "%s is no plain file; name another one", path);
    return false;
  }
  name_temporary(temporary, path);
  file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file >= 0) {
    close(file);
    unlink(temporary);
    return true;
  }
  if (errno == EEXIST)
    snprintf(problem, problem_size, "%s is in the way of writing %s; move it away", temporary,
             path);
  else
    snprintf(problem, problem_size, "cannot write %s: %s; name a file that you may write", path,
             strerror(errno));
  return false;
}

bool
file_write(const char *path, const void *head, size_t head_size, const void *data, size_t size)
{
  char temporary[PATH_MAX + 16];
  int file;
  bool good;

  if (!file_is_replaceable(path)) {
    errno = EEXIST;
    return false;
  }
  name_temporary(temporary, path);
  file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0)
    return false;
  good = write_all(file, head, head_size) && write_all(file, data, size);
  if (close(file) != 0 || !good || rename(temporary, path) != 0) {
    int error = errno;

    unlink(temporary);
    errno = error;
    return false;
  }
  return true;
}
