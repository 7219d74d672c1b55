/* test_wire.c - frames between a worker and its client, good and bad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fuzz/exec/wire.h"

static const struct wire_wait soon = {.milliseconds = 200};

static enum wire_status
receive_raw(const void *data, size_t size, struct wire_frame *frame)
{
  int ends[2];

  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], data, size), (ssize_t)size);
  close(ends[1]);
  enum wire_status status = wire_receive(ends[0], frame, &soon);

  close(ends[0]);
  return status;
}

static void
put_sample(struct wire_frame *frame)
{
  static const uint8_t data[] = {0, 1, 2, 255};
  const struct wire_request request = {.fresh = true,
                                       .time_ms = 5000,
                                       .memory_bytes = UINT64_C(1) << 40,
                                       .option_count = 2,
                                       .options = {{"fault", "a,b"}, {"trace", ""}},
                                       .name = "x.bin",
                                       .data = data,
                                       .size = sizeof data};

  wire_request_put(frame, &request);
}

static void
request_survives_the_pipe(void **state)
{
  struct wire_frame sent = {0}, got = {0};
  struct wire_request request;
  int ends[2];

  (void)state;
  put_sample(&sent);
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(wire_send(ends[1], &sent, &soon), WIRE_OK);
  assert_int_equal(wire_send(ends[1], &sent, &soon), WIRE_OK);
  assert_int_equal(wire_receive(ends[0], &got, &soon), WIRE_OK);
  assert_int_equal(wire_receive(ends[0], &got, &soon), WIRE_OK);
  assert_true(wire_request_get(&got, &request));
  assert_true(request.fresh);
  assert_int_equal(request.time_ms, 5000);
  assert_int_equal(request.memory_bytes, UINT64_C(1) << 40);
  assert_int_equal(request.option_count, 2);
  assert_string_equal(request.options[0].value, "a,b");
  assert_string_equal(request.options[1].value, "");
  assert_string_equal(request.name, "x.bin");
  assert_int_equal(request.size, 4);
  assert_int_equal(request.data[3], 255);
  assert_int_equal(wire_receive(ends[0], &got, &soon), WIRE_LATE);
  close(ends[1]);
  assert_int_equal(wire_receive(ends[0], &got, &soon), WIRE_END);
  close(ends[0]);
  wire_frame_free(&sent);
  wire_frame_free(&got);
}

static void
cut_frames_are_broken(void **state)
{
  struct wire_frame sent = {0}, got = {0};
  struct wire_request request;

  (void)state;
  put_sample(&sent);
  sent.data[8] = (uint8_t)(sent.size - WIRE_HEAD_SIZE);
  for (size_t size = 1; size < sent.size; size++) {
    assert_int_equal(receive_raw(sent.data, size, &got), WIRE_BROKEN);
    assert_string_equal(got.problem, "a frame is cut off");
  }
  assert_int_equal(receive_raw(sent.data, sent.size, &got), WIRE_OK);
  assert_true(wire_request_get(&got, &request));
  /* A whole frame whose contents end too early. */
  for (size_t length = 0; length < sent.size - WIRE_HEAD_SIZE; length++) {
    sent.data[8] = (uint8_t)length;
    assert_int_equal(receive_raw(sent.data, WIRE_HEAD_SIZE + length, &got), WIRE_OK);
    assert_false(wire_request_get(&got, &request));
  }
  wire_frame_free(&sent);
  wire_frame_free(&got);
}

static void
bad_heads_are_broken(void **state)
{
  struct wire_frame got = {0};

  (void)state;
  assert_int_equal(receive_raw("garbage garbage", 15, &got), WIRE_BROKEN);
  assert_string_equal(got.problem, "what came is no frame");
  assert_int_equal(receive_raw("GSW\x7f\2\0\0\0\0\0\0\0", 12, &got), WIRE_BROKEN);
  assert_non_null(strstr(got.problem, "another version"));
  assert_int_equal(receive_raw("GSW\1\x63\0\0\0\0\0\0\0", 12, &got), WIRE_BROKEN);
  assert_non_null(strstr(got.problem, "unknown kind"));
  assert_int_equal(receive_raw("GSW\1\2\0\0\0\xff\xff\xff\xff", 12, &got), WIRE_BROKEN);
  assert_non_null(strstr(got.problem, "longer"));
  wire_frame_free(&got);
}

/* Every byte of a message changed in every bit: refused or understood, never read out of bounds. */
static void
changed_bytes_are_harmless(void **state)
{
  struct wire_frame frame = {0};
  struct wire_request request;
  struct wire_answer answer;
  struct wire_hello hello;
  unsigned refused = 0;

  (void)state;
  put_sample(&frame);
  for (size_t at = WIRE_HEAD_SIZE; at < frame.size; at++) {
    for (unsigned bit = 0; bit < 8; bit++) {
      frame.data[at] ^= (uint8_t)(1u << bit);
      refused += !wire_request_get(&frame, &request);
      assert_false(wire_answer_get(&frame, &answer));
      assert_false(wire_hello_get(&frame, &hello));
      frame.data[at] ^= (uint8_t)(1u << bit);
    }
  }
  assert_true(refused > 0);
  assert_true(wire_request_get(&frame, &request));
  wire_frame_free(&frame);
}

static void
too_much_is_not_sent(void **state)
{
  static uint8_t large[WIRE_INPUT_MAX];
  struct wire_frame frame = {0};
  int ends[2];

  (void)state;
  assert_int_equal(pipe(ends), 0);
  wire_begin(&frame, WIRE_REQUEST);
  wire_put_bytes(&frame, large, sizeof large);
  assert_false(frame.failed);
  wire_put_bytes(&frame, large, sizeof large);
  assert_int_equal(wire_send(ends[1], &frame, &soon), WIRE_BROKEN);
  /* A reader that does not read, and one that is gone. */
  wire_begin(&frame, WIRE_REQUEST);
  wire_put_bytes(&frame, large, sizeof large);
  assert_int_equal(wire_send(ends[1], &frame, &soon), WIRE_LATE);
  close(ends[0]);
  assert_int_equal(wire_send(ends[1], &frame, &soon), WIRE_BROKEN);
  assert_string_equal(frame.problem, "the other side is gone");
  close(ends[1]);
  wire_frame_free(&frame);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(request_survives_the_pipe), cmocka_unit_test(cut_frames_are_broken),
      cmocka_unit_test(bad_heads_are_broken), cmocka_unit_test(changed_bytes_are_harmless),
      cmocka_unit_test(too_much_is_not_sent)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
