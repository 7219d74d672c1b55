/* test_server.c - a worker from its client's side: what happens to a run becomes its record.
 *
 * A trace that goes to a pipe without a reader holds a run where it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fuzz/exec/wire.h"

static const struct wire_wait patience = {.milliseconds = 60000};

struct server {
  pid_t pid;
  int to;
  int from;
  struct wire_frame frame;
  struct wire_answer answer;
};

static void
start(struct server *server)
{
  struct wire_hello hello;
  int requests[2], answers[2];

  assert_int_equal(pipe(requests), 0);
  assert_int_equal(pipe(answers), 0);
  server->pid = fork();
  if (server->pid == 0) {
    dup2(requests[0], 0);
    dup2(answers[1], 1);
    close(requests[1]);
    close(answers[0]);
    execl(WORKER, WORKER, "--serve", (char *)NULL);
    _exit(127);
  }
  close(requests[0]);
  close(answers[1]);
  server->to = requests[1];
  server->from = answers[0];
  server->frame = (struct wire_frame){0};
  assert_int_equal(wire_receive(server->from, &server->frame, &patience), WIRE_OK);
  assert_true(wire_hello_get(&server->frame, &hello));
  assert_string_equal(hello.problem, "");
}

/* Ends it; it must end well and have left no child. */
static void
stop(struct server *server)
{
  int status;

  close(server->to);
  assert_int_equal(waitpid(server->pid, &status, 0), server->pid);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(server->from);
  wire_frame_free(&server->frame);
}

static void
send_request(struct server *server, const struct wire_request *request)
{
  wire_request_put(&server->frame, request);
  assert_int_equal(wire_send(server->to, &server->frame, &patience), WIRE_OK);
}

static const char *
receive_answer(struct server *server, enum wire_verdict verdict)
{
  assert_int_equal(wire_receive(server->from, &server->frame, &patience), WIRE_OK);
  assert_true(wire_answer_get(&server->frame, &server->answer));
  assert_int_equal(server->answer.verdict, verdict);
  return server->answer.record;
}

static void
assert_says(const char *record, const char *text)
{
  if (strstr(record, text) == NULL)
    fail_msg("%s lacks %s", record, text);
}

/* The child of the server, while it has one. */
static pid_t
child_of(const struct server *server)
{
  char path[64];
  long pid = 0;

  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)server->pid, (long)server->pid);
  FILE *file = fopen(path, "r");

  assert_non_null(file);
  assert_int_equal(fscanf(file, "%ld", &pid), 1);
  fclose(file);
  return (pid_t)pid;
}

/* Ends the child that serves the request.  On a busy machine it may not have begun: then its server
 * gives the request to the next one, which is ended too. */
static void
kill_child(const struct server *server, int signal_number)
{
  struct pollfd answer = {.fd = server->from, .events = POLLIN};

  for (unsigned i = 0; i < 30; i++) {
    usleep(200000);
    kill(child_of(server), signal_number);
    if (poll(&answer, 1, 2000) > 0)
      return;
  }
  fail_msg("the server answers nothing");
}

/* A request that hangs until somebody ends it. */
static struct wire_request
held_request(const char *pipe_name)
{
  return (struct wire_request){.option_count = 1,
                               .options = {{"trace", pipe_name}},
                               .name = "held",
                               .data = (const uint8_t *)"",
                               .size = 0};
}

static void
make_pipe(char name[32])
{
  snprintf(name, 32, "/tmp/gcstorm-test-%ld", (long)getpid());
  unlink(name);
  assert_int_equal(mkfifo(name, 0600), 0);
}

static void
a_killed_child_is_a_record(void **state)
{
  struct server server;
  char name[32];

  (void)state;
  make_pipe(name);
  struct wire_request request = held_request(name);

  start(&server);
  send_request(&server, &request);
  kill_child(&server, SIGKILL);
  assert_says(receive_answer(&server, WIRE_FINDING), "\"bucket\":\"killed\"");
  send_request(&server, &request);
  kill_child(&server, SIGXCPU);
  assert_says(receive_answer(&server, WIRE_FINDING), "\"bucket\":\"crash:SIGXCPU\"");
  send_request(&server, &request);
  kill_child(&server, SIGSEGV);
  assert_says(receive_answer(&server, WIRE_FINDING), "\"rule\":\"crash\"");
  stop(&server);
  unlink(name);
}

static void
limits_end_a_run(void **state)
{
  struct server server;
  char name[32];

  (void)state;
  make_pipe(name);
  struct wire_request request = held_request(name);

  start(&server);
  request.time_ms = 1000;
  send_request(&server, &request);
  assert_says(receive_answer(&server, WIRE_FINDING), "\"bucket\":\"timeout\"");
  send_request(&server, &request);
  usleep(200000); /* its next child has started by now */
  kill(child_of(&server), SIGSTOP);
  assert_says(receive_answer(&server, WIRE_FINDING), "\"bucket\":\"timeout\"");
  request.time_ms = 60000;
  request.memory_bytes = 4096;
  send_request(&server, &request);
  assert_says(receive_answer(&server, WIRE_FINDING), "\"bucket\":\"out-of-memory\"");
  stop(&server);
  unlink(name);
}

/* A client that goes in the middle of a run takes everything with it. */
static void
a_gone_client_leaves_nothing(void **state)
{
  struct server server;
  char name[32];

  (void)state;
  make_pipe(name);
  struct wire_request request = held_request(name);

  start(&server);
  send_request(&server, &request);
  usleep(200000);
  pid_t child = child_of(&server);

  stop(&server);
  assert_int_equal(kill(child, 0), -1);
  unlink(name);
}

static void
a_trace_does_not_depend_on_earlier_runs(void **state)
{
  struct server server;
  uint8_t data[400];
  char fresh[64], record[512];

  (void)state;
  start(&server);
  for (unsigned seed = 1; seed < 40; seed++) {
    uint32_t x = seed;

    for (size_t i = 0; i < sizeof data; i++) {
      x = x * 1664525 + 1013904223;
      data[i] = (uint8_t)(x >> 24);
    }
    struct wire_request request = {.name = "x", .data = data, .size = sizeof data};

    for (int round = 0; round < 3; round++) {
      request.fresh = round == 1;
      send_request(&server, &request);
      assert_int_equal(wire_receive(server.from, &server.frame, &patience), WIRE_OK);
      assert_true(wire_answer_get(&server.frame, &server.answer));
      assert_int_not_equal(server.answer.verdict, WIRE_REFUSED);
      snprintf(record, sizeof record, "%s", server.answer.record);
      const char *hash = strstr(record, "\"trace_hash\"");

      assert_non_null(hash);
      if (round == 0)
        snprintf(fresh, sizeof fresh, "%.31s", hash);
      assert_memory_equal(hash, fresh, strlen(fresh));
    }
  }
  stop(&server);
}

static void
bad_requests_are_refused(void **state)
{
  struct server server;
  struct wire_request request = {.option_count = 1,
                                 .options = {{"colour", "red"}},
                                 .name = "x.rb",
                                 .data = (const uint8_t *)"puts",
                                 .size = 4};

  (void)state;
  start(&server);
  send_request(&server, &request);
  assert_says(receive_answer(&server, WIRE_REFUSED), "unknown option --colour");
  request.options[0] = (struct wire_option){"ops", "0"};
  send_request(&server, &request);
  assert_says(receive_answer(&server, WIRE_REFUSED), "--ops");
  request.option_count = 0;
  send_request(&server, &request);
  assert_says(receive_answer(&server, WIRE_REFUSED), "x.rb");
  wire_begin(&server.frame, WIRE_REQUEST);
  assert_int_equal(wire_send(server.to, &server.frame, &patience), WIRE_OK);
  assert_says(receive_answer(&server, WIRE_REFUSED), "cannot be understood");
  stop(&server);
}

/* Small programs that race with a fault on. */
static const uint8_t remember_not_atomic[] = {
    71, 67, 83, 84, 1, 0, 0,  0, 0, 0,   0,  0, 0, 0,  0,   0, 0, 0,  0,  0, 0, 0, 0,
    0,  0,  0,  0,  0, 0, 0,  0, 0, 244, 33, 2, 1, 32, 2,   0, 0, 32, 1,  0, 0, 6, 3,
    0,  0,  35, 2,  3, 0, 34, 4, 1, 0,   35, 4, 3, 0,  240, 0, 0, 0,  36, 0, 0, 0};
static const uint8_t local_marks_foreign[] = {
    71, 67, 83, 84, 1,   0,  0, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0,   0, 0, 0,
    0,  0,  0,  0,  244, 16, 1, 11, 4, 1, 0, 0, 32, 2, 0, 0, 5, 0, 1, 1, 35, 2, 0, 0, 240, 0, 0, 0};
static const uint8_t pool_take_unlocked[] = {
    71, 67, 83, 84, 1, 0, 0,   0,  0,  0, 0,  0, 0, 0, 0,  0, 0, 0, 0,   0, 0, 0, 0, 0, 0, 0,
    0,  0,  0,  0,  0, 0, 244, 33, 18, 0, 32, 0, 0, 0, 32, 0, 0, 0, 240, 0, 0, 0, 4, 0, 0, 0};

/* Both accesses with their Ractors, what they touched, and the sanitizer's own text. */
static void
a_race_is_told_in_the_words_of_the_program(void **state)
{
  static const struct {
    const char *fault;
    const uint8_t *data;
    size_t size;
    const char *says[3];
  } races[] = {{"remember_not_atomic",
                remember_not_atomic,
                sizeof remember_not_atomic,
                {"\"object\":\"remembered bits 0 to 63 of page 0\"",
                 "\"stack_title\":\"read of 8 bytes by Ractor 1\"",
                 "\"other_stack_title\":\"write of 8 bytes by Ractor 2\""}},
               {"local_marks_foreign",
                local_marks_foreign,
                sizeof local_marks_foreign,
                {"\"object\":\"allocated bits 0 to 63 of page 0\"",
                 "\"stack_title\":\"read of 8 bytes by Ractor 1\"",
                 "\"other_stack_title\":\"write of 8 bytes by main\""}},
               {"pool_take_unlocked",
                pool_take_unlocked,
                sizeof pool_take_unlocked,
                {"\"object\":\"page pool, byte ", "\"stack_title\":\"read of 8 bytes by Ractor 2\"",
                 "\"other_stack_title\":\"write of 8 bytes by Ractor 1\""}}};
  struct server server;
  struct wire_hello hello;

  (void)state;
  start(&server);
  assert_true(wire_hello_get(&server.frame, &hello));
  bool able = strcmp(hello.preset, "tsan-faults") == 0;

  for (size_t i = 0; able && i < sizeof races / sizeof races[0]; i++) {
    const struct wire_request request = {.option_count = 1,
                                         .options = {{"fault", races[i].fault}},
                                         .name = "race",
                                         .data = races[i].data,
                                         .size = races[i].size};

    send_request(&server, &request);
    const char *record = receive_answer(&server, WIRE_FINDING);

    assert_says(record, "\"rule\":\"data-race\"");
    for (size_t k = 0; k < 3; k++)
      assert_says(record, races[i].says[k]);
    assert_says(server.answer.log, "data race");
  }
  stop(&server);
  if (!able)
    skip();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_killed_child_is_a_record),
                                     cmocka_unit_test(limits_end_a_run),
                                     cmocka_unit_test(a_gone_client_leaves_nothing),
                                     cmocka_unit_test(a_trace_does_not_depend_on_earlier_runs),
                                     cmocka_unit_test(bad_requests_are_refused),
                                     cmocka_unit_test(a_race_is_told_in_the_words_of_the_program)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
