/* wire.h - the frames that a worker (server.h) and its client exchange over a pair of pipes.
 *
 * A frame is "GSW", a version byte, its kind and the length of what follows; numbers are little
 * endian.  The worker says hello once; then each request has one answer, in order.  Texts carry
 * their length and a closing zero.
 *
 * Nothing that comes in is trusted: a frame that is cut, too long, of another version or no frame
 * at all is WIRE_BROKEN with one line that says so.
 */
#ifndef GCSTORM_EXEC_WIRE_H
#define GCSTORM_EXEC_WIRE_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  WIRE_VERSION = 1,
  WIRE_HEAD_SIZE = 12,
  WIRE_INPUT_MAX = 16 << 20,
  WIRE_FRAME_MAX = WIRE_INPUT_MAX + (1 << 16), /* what follows the head */
  WIRE_OPTION_MAX = 16,
  WIRE_PROBLEM_MAX = 160
};

enum wire_kind {
  WIRE_HELLO = 1, /* worker to client, first */
  WIRE_REQUEST,
  WIRE_ANSWER,
  WIRE_READY /* inside the worker: its child lives and takes the next request */
};

enum wire_status {
  WIRE_OK,
  WIRE_END,     /* the other side closed, between two frames */
  WIRE_LATE,    /* not within the time */
  WIRE_STOPPED, /* the caller's flag was raised */
  WIRE_BROKEN   /* `problem` */
};

struct wire_frame {
  uint8_t *data; /* head and contents */
  size_t size;
  size_t room;
  bool failed; /* no memory, or longer than a frame may be */
  char problem[WIRE_PROBLEM_MAX];
};

/* How long a side waits for the other. */
struct wire_wait {
  int milliseconds;                  /* negative: for ever */
  const volatile sig_atomic_t *stop; /* raised by a signal handler, or NULL */
};

/* ---- Frames ---------------------------------------------------------------------------------- */

void wire_frame_free(struct wire_frame *frame);
void wire_begin(struct wire_frame *frame, enum wire_kind kind);
void wire_put_number(struct wire_frame *frame, uint64_t value);
void wire_put_text(struct wire_frame *frame, const char *text);
void wire_put_bytes(struct wire_frame *frame, const uint8_t *data, size_t size);

/* Neither raises SIGPIPE nor blocks past the wait.  A receiver reads no byte beyond its frame. */
enum wire_status wire_send(int to, struct wire_frame *frame, const struct wire_wait *wait);
enum wire_status wire_receive(int from, struct wire_frame *frame, const struct wire_wait *wait);

enum wire_kind wire_kind_of(const struct wire_frame *frame);

struct wire_reader {
  const uint8_t *at;
  size_t left;
  bool bad; /* something was not there; all that is read from then on is zero or empty */
};

struct wire_reader wire_read(const struct wire_frame *frame);
uint64_t wire_get_number(struct wire_reader *reader);
const char *wire_get_text(struct wire_reader *reader);
const uint8_t *wire_get_bytes(struct wire_reader *reader, size_t *size);
/* Everything was there and nothing is left. */
bool wire_complete(const struct wire_reader *reader);

/* ---- What is said ---------------------------------------------------------------------------- */

struct wire_hello {
  uint64_t format;       /* of programs: PROGRAM_FORMAT_VERSION */
  const char *preset;    /* "tsan-faults" */
  const char *sanitizer; /* "none", "asan", "tsan" */
  const char *faults;    /* ids that the build knows, separated by commas */
  const char *problem;   /* why it cannot run here, or "" */
};

/* An option as on the worker's command line, without its dashes. */
struct wire_option {
  const char *name;
  const char *value;
};

struct wire_request {
  bool fresh;            /* by a process that has run nothing */
  uint64_t time_ms;      /* for the run; 0: no limit */
  uint64_t memory_bytes; /* resident; 0: no limit */
  unsigned option_count;
  struct wire_option options[WIRE_OPTION_MAX];
  const char *name; /* of the file: says whether it is text */
  const uint8_t *data;
  size_t size;
};

enum wire_verdict { WIRE_CLEAN, WIRE_FINDING, WIRE_REFUSED };

struct wire_answer {
  enum wire_verdict verdict;
  const char *record; /* JSON; of a refusal: one line that says what is wrong */
  const char *log;    /* what the run wrote to stderr: a sanitizer's text */
};

/* What is parsed points into the frame. */
void wire_hello_put(struct wire_frame *frame, const struct wire_hello *hello);
bool wire_hello_get(const struct wire_frame *frame, struct wire_hello *hello);
void wire_request_put(struct wire_frame *frame, const struct wire_request *request);
bool wire_request_get(const struct wire_frame *frame, struct wire_request *request);
void wire_answer_put(struct wire_frame *frame, const struct wire_answer *answer);
bool wire_answer_get(const struct wire_frame *frame, struct wire_answer *answer);

/* A monotonic clock, and poll: how often they are called depends on time, and no sanitizer sees it.
 */
uint64_t wire_clock_ms(void);
int wire_poll(struct pollfd *files, unsigned count, int milliseconds);

#endif
