/* wire.c - see wire.h. */
#include "fuzz/exec/wire.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A wait is cut into slices, since a signal may come just before it. */
enum { SLICE_MS = 100 };

static const uint8_t magic[4] = {'G', 'S', 'W', WIRE_VERSION};

/* ---- Numbers --------------------------------------------------------------------------------- */

static void
store_u32(uint8_t *to, uint32_t value)
{
  for (unsigned i = 0; i < 4; i++)
    to[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t
load_u32(const uint8_t *from)
{
  uint32_t value = 0;

  for (unsigned i = 0; i < 4; i++)
    value |= (uint32_t)from[i] << (8 * i);
  return value;
}

/* ---- Writing --------------------------------------------------------------------------------- */

void
wire_frame_free(struct wire_frame *frame)
{
  free(frame->data);
  *frame = (struct wire_frame){0};
}

/* Room for `more` bytes.  False: the frame has failed. */
static bool
reserve(struct wire_frame *frame, size_t more)
{
  size_t room = frame->room < 4096 ? 4096 : frame->room;

  if (frame->failed || more > WIRE_HEAD_SIZE + (size_t)WIRE_FRAME_MAX - frame->size) {
    frame->failed = true;
    return false;
  }
  while (room < frame->size + more)
    room *= 2;
  if (room != frame->room) {
    uint8_t *data = realloc(frame->data, room);

    if (data == NULL) {
      frame->failed = true;
      return false;
    }
    frame->data = data;
    frame->room = room;
  }
  return true;
}

static void
put(struct wire_frame *frame, const void *data, size_t size)
{
  if (size == 0 || !reserve(frame, size))
    return;
  memcpy(frame->data + frame->size, data, size);
  frame->size += size;
}

void
wire_begin(struct wire_frame *frame, enum wire_kind kind)
{
  frame->size = 0;
  frame->failed = false;
  if (!reserve(frame, WIRE_HEAD_SIZE))
    return;
  memcpy(frame->data, magic, sizeof magic);
  store_u32(frame->data + 4, (uint32_t)kind);
  store_u32(frame->data + 8, 0);
  frame->size = WIRE_HEAD_SIZE;
}

void
wire_put_number(struct wire_frame *frame, uint64_t value)
{
  uint8_t bytes[8];

  store_u32(bytes, (uint32_t)value);
  store_u32(bytes + 4, (uint32_t)(value >> 32));
  put(frame, bytes, sizeof bytes);
}

void
wire_put_bytes(struct wire_frame *frame, const uint8_t *data, size_t size)
{
  wire_put_number(frame, size);
  put(frame, data, size);
}

void
wire_put_text(struct wire_frame *frame, const char *text)
{
  size_t size = strlen(text);

  wire_put_number(frame, size);
  put(frame, text, size + 1);
}

/* ---- Reading --------------------------------------------------------------------------------- */

enum wire_kind
wire_kind_of(const struct wire_frame *frame)
{
  assert(frame->size >= WIRE_HEAD_SIZE);
  return (enum wire_kind)load_u32(frame->data + 4);
}

struct wire_reader
wire_read(const struct wire_frame *frame)
{
  assert(frame->size >= WIRE_HEAD_SIZE);
  return (struct wire_reader){frame->data + WIRE_HEAD_SIZE, frame->size - WIRE_HEAD_SIZE, false};
}

static const uint8_t *
take(struct wire_reader *reader, uint64_t size)
{
  const uint8_t *at = reader->at;

  if (reader->bad || size > reader->left) {
    reader->bad = true;
    return NULL;
  }
  reader->at += size;
  reader->left -= (size_t)size;
  return at;
}

uint64_t
wire_get_number(struct wire_reader *reader)
{
  const uint8_t *bytes = take(reader, 8);

  return bytes == NULL ? 0 : load_u32(bytes) | (uint64_t)load_u32(bytes + 4) << 32;
}

const uint8_t *
wire_get_bytes(struct wire_reader *reader, size_t *size)
{
  uint64_t length = wire_get_number(reader);
  const uint8_t *bytes = take(reader, length);

  *size = bytes == NULL ? 0 : (size_t)length;
  return bytes;
}

const char *
wire_get_text(struct wire_reader *reader)
{
  uint64_t length = wire_get_number(reader);
  const uint8_t *bytes = length < WIRE_FRAME_MAX ? take(reader, length + 1) : NULL;

  if (bytes == NULL || memchr(bytes, '\0', (size_t)length + 1) != bytes + length) {
    reader->bad = true;
    return "";
  }
  return (const char *)bytes;
}

bool
wire_complete(const struct wire_reader *reader)
{
  return !reader->bad && reader->left == 0;
}

/* ---- Pipes ----------------------------------------------------------------------------------- */

/* How often a side polls and reads depends on time.  TSan counts what it intercepts, and the count
 * decides which of several accesses it remembers: it must not see these calls. */
int
wire_poll(struct pollfd *files, unsigned count, int milliseconds)
{
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};

  return (int)syscall(SYS_ppoll, files, count, &time, NULL, 0);
}

static ssize_t
unseen_read(int from, void *data, size_t size)
{
  return syscall(SYS_read, from, data, size);
}

static ssize_t
unseen_write(int to, const void *data, size_t size)
{
  return syscall(SYS_write, to, data, size);
}

uint64_t
wire_clock_ms(void)
{
  struct timespec now;

  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now); /* see wire_poll */
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static enum wire_status
broken(struct wire_frame *frame, const char *text)
{
  snprintf(frame->problem, sizeof frame->problem, "%s", text);
  return WIRE_BROKEN;
}

/* Waits until something can be read or written, or the other side is gone. */
static enum wire_status
wait_for(int file, short events, uint64_t start_ms, const struct wire_wait *wait)
{
  for (;;) {
    struct pollfd poll_file = {.fd = file, .events = events};
    int slice = SLICE_MS;

    if (wait->stop != NULL && *wait->stop)
      return WIRE_STOPPED;
    if (wait->milliseconds >= 0) {
      uint64_t gone = wire_clock_ms() - start_ms;
      uint64_t left = gone < (uint64_t)wait->milliseconds ? (uint64_t)wait->milliseconds - gone : 0;

      slice = left < SLICE_MS ? (int)left : SLICE_MS;
    }
    int ready = wire_poll(&poll_file, 1, slice);

    if (ready > 0)
      return WIRE_OK;
    if (ready < 0 && errno != EINTR)
      return WIRE_BROKEN;
    if (ready == 0 && wait->milliseconds >= 0 && slice < SLICE_MS)
      return WIRE_LATE;
  }
}

/* A write of at most PIPE_BUF bytes to a pipe that is ready does not block. */
static enum wire_status
send_bytes(int to, struct wire_frame *frame, const struct wire_wait *wait)
{
  uint64_t start_ms = wire_clock_ms();
  size_t done = 0;

  while (done < frame->size) {
    size_t size = frame->size - done < PIPE_BUF ? frame->size - done : PIPE_BUF;
    enum wire_status status = wait_for(to, POLLOUT, start_ms, wait);
    ssize_t sent = status == WIRE_OK ? unseen_write(to, frame->data + done, size) : 0;

    if (status == WIRE_BROKEN || (sent < 0 && errno != EINTR && errno != EAGAIN))
      return broken(frame, errno == EPIPE ? "the other side is gone" : strerror(errno));
    if (status != WIRE_OK)
      return status;
    done += sent > 0 ? (size_t)sent : 0;
  }
  return WIRE_OK;
}

enum wire_status
wire_send(int to, struct wire_frame *frame, const struct wire_wait *wait)
{
  const struct timespec now = {0};
  sigset_t pipe_only, pending, before;

  if (frame->failed || frame->size < WIRE_HEAD_SIZE)
    return broken(frame, "no memory for a frame, or more than fits into one");
  store_u32(frame->data + 8, (uint32_t)(frame->size - WIRE_HEAD_SIZE));
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  sigpending(&pending);
  sigprocmask(SIG_BLOCK, &pipe_only, &before);
  enum wire_status status = send_bytes(to, frame, wait);

  /* Takes back the signal that a write of ours raised. */
  if (status == WIRE_BROKEN && !sigismember(&pending, SIGPIPE))
    while (sigtimedwait(&pipe_only, NULL, &now) < 0 && errno == EINTR)
      ;
  sigprocmask(SIG_SETMASK, &before, NULL);
  return status;
}

/* Reads on until the frame has `size` bytes. */
static enum wire_status
receive_bytes(int from, struct wire_frame *frame, size_t size, uint64_t start_ms,
              const struct wire_wait *wait)
{
  while (frame->size < size) {
    enum wire_status status = wait_for(from, POLLIN, start_ms, wait);
    ssize_t got =
        status == WIRE_OK ? unseen_read(from, frame->data + frame->size, size - frame->size) : 0;

    if (status == WIRE_BROKEN || (got < 0 && errno != EINTR && errno != EAGAIN))
      return broken(frame, strerror(errno));
    if (status != WIRE_OK)
      return status;
    if (got == 0)
      return frame->size == 0 ? WIRE_END : broken(frame, "a frame is cut off");
    frame->size += got > 0 ? (size_t)got : 0;
  }
  return WIRE_OK;
}

/* What is wrong with a head, or NULL. */
static const char *
head_problem(const uint8_t *head)
{
  uint32_t kind = load_u32(head + 4);

  if (memcmp(head, magic, 3) != 0)
    return "what came is no frame";
  if (head[3] != WIRE_VERSION)
    return "a frame of another version; build command and worker from the same sources";
  if (kind < WIRE_HELLO || kind > WIRE_READY)
    return "a frame of an unknown kind";
  if (load_u32(head + 8) > WIRE_FRAME_MAX)
    return "a frame says that it is longer than a frame may be";
  return NULL;
}

enum wire_status
wire_receive(int from, struct wire_frame *frame, const struct wire_wait *wait)
{
  uint64_t start_ms = wire_clock_ms();

  frame->size = 0;
  frame->failed = false;
  frame->problem[0] = '\0';
  if (!reserve(frame, WIRE_HEAD_SIZE))
    return broken(frame, "no memory for a frame");
  enum wire_status status = receive_bytes(from, frame, WIRE_HEAD_SIZE, start_ms, wait);

  if (status != WIRE_OK)
    return status;
  const char *problem = head_problem(frame->data);

  if (problem != NULL)
    return broken(frame, problem);
  size_t length = load_u32(frame->data + 8);

  if (!reserve(frame, length))
    return broken(frame, "no memory for a frame");
  return receive_bytes(from, frame, WIRE_HEAD_SIZE + length, start_ms, wait);
}

/* ---- What is said ---------------------------------------------------------------------------- */

void
wire_hello_put(struct wire_frame *frame, const struct wire_hello *hello)
{
  wire_begin(frame, WIRE_HELLO);
  wire_put_number(frame, hello->format);
  wire_put_text(frame, hello->preset);
  wire_put_text(frame, hello->sanitizer);
  wire_put_text(frame, hello->faults);
  wire_put_text(frame, hello->problem);
}

bool
wire_hello_get(const struct wire_frame *frame, struct wire_hello *hello)
{
  struct wire_reader reader = wire_read(frame);

  hello->format = wire_get_number(&reader);
  hello->preset = wire_get_text(&reader);
  hello->sanitizer = wire_get_text(&reader);
  hello->faults = wire_get_text(&reader);
  hello->problem = wire_get_text(&reader);
  return wire_kind_of(frame) == WIRE_HELLO && wire_complete(&reader);
}

void
wire_request_put(struct wire_frame *frame, const struct wire_request *request)
{
  assert(request->option_count <= WIRE_OPTION_MAX);
  wire_begin(frame, WIRE_REQUEST);
  wire_put_number(frame, request->fresh);
  wire_put_number(frame, request->time_ms);
  wire_put_number(frame, request->memory_bytes);
  wire_put_number(frame, request->option_count);
  for (unsigned i = 0; i < request->option_count; i++) {
    wire_put_text(frame, request->options[i].name);
    wire_put_text(frame, request->options[i].value);
  }
  wire_put_text(frame, request->name);
  wire_put_bytes(frame, request->data, request->size);
}

bool
wire_request_get(const struct wire_frame *frame, struct wire_request *request)
{
  struct wire_reader reader = wire_read(frame);

  *request = (struct wire_request){.fresh = wire_get_number(&reader) != 0};
  request->time_ms = wire_get_number(&reader);
  request->memory_bytes = wire_get_number(&reader);
  uint64_t count = wire_get_number(&reader);

  if (count > WIRE_OPTION_MAX)
    return false;
  request->option_count = (unsigned)count;
  for (unsigned i = 0; i < request->option_count; i++) {
    request->options[i].name = wire_get_text(&reader);
    request->options[i].value = wire_get_text(&reader);
  }
  request->name = wire_get_text(&reader);
  request->data = wire_get_bytes(&reader, &request->size);
  return wire_kind_of(frame) == WIRE_REQUEST && wire_complete(&reader) &&
         request->size <= WIRE_INPUT_MAX;
}

void
wire_answer_put(struct wire_frame *frame, const struct wire_answer *answer)
{
  wire_begin(frame, WIRE_ANSWER);
  wire_put_number(frame, (uint64_t)answer->verdict);
  wire_put_text(frame, answer->record);
  wire_put_text(frame, answer->log);
}

bool
wire_answer_get(const struct wire_frame *frame, struct wire_answer *answer)
{
  struct wire_reader reader = wire_read(frame);
  uint64_t verdict = wire_get_number(&reader);

  answer->verdict = verdict <= WIRE_REFUSED ? (enum wire_verdict)verdict : WIRE_REFUSED;
  answer->record = wire_get_text(&reader);
  answer->log = wire_get_text(&reader);
  return wire_kind_of(frame) == WIRE_ANSWER && wire_complete(&reader) && verdict <= WIRE_REFUSED;
}
