/* What the suite of all libraries does not see: the functions that read and write JSON, and objects that go while they are
 * called back. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../signalbox.h"

static signalbox_text text(const char *t) { return (signalbox_text){t, strlen(t)}; }

static void members_are_found(void) {
  signalbox_text line = text("{\"a\":{\"b\":[1,\"}\\\"\"]}, \"c\" : 7 ,\"b\":true}");
  assert(signalbox_is(signalbox_member(line, "c"), "7"));
  assert(signalbox_is(signalbox_member(line, "b"), "true"));
  assert(signalbox_is(signalbox_member(signalbox_member(line, "a"), "b"), "[1,\"}\\\"\"]"));
  assert(signalbox_member(line, "d").start == NULL);
  assert(signalbox_member(text("{}"), "a").start == NULL);
  assert(signalbox_member((signalbox_text){NULL, 0}, "a").start == NULL);
}

static void elements_are_found(void) {
  signalbox_text rest = text("[[1,2],{\"a\":[]}, \"x\" ,[]]");
  const char *expected[] = {"[1,2]", "{\"a\":[]}", "\"x\"", "[]"};
  for (int i = 0; i < 4; i++) assert(signalbox_is(signalbox_element(&rest), expected[i]));
  assert(signalbox_element(&rest).start == NULL);
  rest = text("{\"a\" : [1], \"b\":{}}");
  const char *in_turn[] = {"\"a\"", "[1]", "\"b\"", "{}"};
  for (int i = 0; i < 4; i++) assert(signalbox_is(signalbox_element(&rest), in_turn[i]));
  assert(signalbox_element(&rest).start == NULL);
  rest = text("[]");
  assert(signalbox_element(&rest).start == NULL);
}

static void strings_are_read_and_quoted(void) {
  char read[64], quoted[64], small[4];
  assert(signalbox_string(text("\"a\\n\\\"\\u00fc\\ud83d\\ude00\""), read, sizeof read) == 9);
  assert(strcmp(read, "a\n\"\xc3\xbc\xf0\x9f\x98\x80") == 0);
  assert(signalbox_quote(read, quoted, sizeof quoted) == strlen(quoted));
  assert(strcmp(quoted, "\"a\\u000a\\\"\xc3\xbc\xf0\x9f\x98\x80\"") == 0);
  assert(signalbox_string(text("\"abcdef\""), small, sizeof small) == 6 && strcmp(small, "abc") == 0);
  assert(signalbox_string(text("1.5"), read, sizeof read) == 3 && strcmp(read, "1.5") == 0);
}

static void numbers_are_read(void) {
  assert(signalbox_number(text("18446744073709551615")) == UINT64_MAX);
  assert(signalbox_number(text("-1")) == 0 && signalbox_number(text("1.5")) == 0 && signalbox_number(text("null")) == 0);
}

/* --- A daemon on the other side */

static int listener, peer = -1;
static char path[64];

static void listen_at(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(path, sizeof path, "/tmp/signalbox-c-%ld", (long)getpid());
  strcpy(address.sun_path, path);
  unlink(path);
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 8) == 0);
}

static void say(const char *line) { assert(send(peer, line, strlen(line), MSG_NOSIGNAL) == (ssize_t)strlen(line)); }

static signalbox *client;
static signalbox_subscription *subscription;
static int begun_count, event_count, answer_count;
static enum signalbox_code last_code;

static void begun(void *context, const signalbox_answer *answer) {
  (void)context;
  begun_count++;
  last_code = answer->code;
}

static void leave_at_once(void *context, const signalbox_event *event) {
  (void)context, (void)event;
  event_count++;
  signalbox_unsubscribe(subscription);
}

static void answered(void *context, const signalbox_answer *answer) {
  answer_count++;
  last_code = answer->code;
  if (context != NULL) signalbox_send(client, "g.s", "1", NULL, answered, NULL);
}

static void subscription_may_go_when_it_is_called_back(void) {
  client = signalbox_new(path, 1, 5);
  subscription = signalbox_subscribe(client, "g.s", NULL, begun, leave_at_once, NULL);
  signalbox_process(client);
  peer = accept(listener, NULL, NULL);
  say("{\"reply\":\"hello\",\"id\":0,\"epoch\":\"e\"}\n"
      "{\"reply\":\"subscribe\",\"id\":1,\"signals\":[{\"signal\":\"g.s\",\"seq\":2}],\"epoch\":\"e\"}\n"
      "{\"event\":\"next\",\"signal\":\"g.s\",\"seq\":1,\"value\":1}\n{\"event\":\"next\",\"signal\":\"g.s\",\"seq\":2,\"value\":2}\n");
  while (event_count == 0) signalbox_run(client, -1);
  signalbox_process(client);
  assert(begun_count == 1 && last_code == SIGNALBOX_NONE && event_count == 1 && signalbox_timeout(client) == -1);
  close(peer);
  signalbox_free(client);
}

static void request_that_is_lost_may_be_followed_by_another(void) {
  client = signalbox_new(path, 1, 5);
  signalbox_send(client, "g.s", "1", NULL, answered, client);
  signalbox_process(client);
  peer = accept(listener, NULL, NULL);
  close(peer);
  while (answer_count == 0) signalbox_run(client, -1);
  assert(answer_count == 1 && last_code == SIGNALBOX_CONNECTION_LOST);
  while (signalbox_timeout(client) >= 0) signalbox_run(client, -1);
  peer = accept(listener, NULL, NULL);
  say("{\"reply\":\"send\",\"id\":2,\"signal\":\"g.s\",\"seq\":1}\n");
  while (answer_count == 1) signalbox_run(client, -1);
  assert(answer_count == 2 && last_code == SIGNALBOX_NONE);
  close(peer);
  signalbox_free(client);
}

static char told[64];

static void tell(void *context, const signalbox_event *event) {
  (void)context;
  event_count++;
  snprintf(told, sizeof told, "%.*s %.*s%.*s", (int)event->kind_word.length, event->kind_word.start,
           (int)event->value.length, event->value.start, (int)event->reason.length, event->reason.start);
}

static void refusal_is_told_without_begun(void) {
  client = signalbox_new(path, 1, 5);
  event_count = 0;
  subscription = signalbox_subscribe(client, "g.s", NULL, NULL, tell, NULL);
  signalbox_process(client);
  peer = accept(listener, NULL, NULL);
  say("{\"reply\":\"error\",\"op\":\"subscribe\",\"id\":1,\"error\":{\"code\":\"denied\",\"message\":\"no\"}}\n");
  while (event_count == 0) signalbox_run(client, -1);
  assert(strcmp(told, "interrupted denied") == 0 && signalbox_is_over(subscription));
  assert(signalbox_timeout(client) == -1);
  close(peer);
  signalbox_free(client);
}

static void paused_subscription_sleeps_and_then_reads_what_was_said(void) {
  client = signalbox_new(path, 1, 5);
  subscription = signalbox_subscribe(client, "g.s", NULL, begun, tell, NULL);
  signalbox_process(client);
  peer = accept(listener, NULL, NULL);
  begun_count = event_count = 0;
  say("{\"reply\":\"hello\",\"id\":0,\"epoch\":\"e\"}\n"
      "{\"reply\":\"subscribe\",\"id\":1,\"signals\":[{\"signal\":\"g.s\",\"seq\":0}]}\n");
  while (begun_count == 0) signalbox_run(client, -1);
  signalbox_pause(subscription);
  say("{\"event\":\"next\",\"signal\":\"g.s\",\"seq\":1,\"value\":7}\n");
  close(peer);
  signalbox_process(client);
  assert(poll(&(struct pollfd){.fd = signalbox_fd(client), .events = POLLIN}, 1, 0) == 0);
  assert(signalbox_timeout(client) == -1 && event_count == 0);
  signalbox_resume(subscription);
  while (event_count == 0) signalbox_run(client, -1);
  assert(event_count == 1 && strcmp(told, "next 7") == 0);
  signalbox_free(client);
}

static void answer_is_read_when_nothing_can_be_written_any_more(void) {
  client = signalbox_new(path, 1, 5);
  answer_count = 0;
  signalbox_send(client, "g.s", "1", NULL, answered, NULL);
  signalbox_process(client);
  peer = accept(listener, NULL, NULL);
  char request[256];
  assert(recv(peer, request, sizeof request, 0) > 0);
  say("{\"reply\":\"send\",\"id\":1,\"signal\":\"g.s\",\"seq\":1}\n");
  shutdown(peer, SHUT_RD);
  signalbox_ping(client, NULL, NULL);
  while (answer_count == 0) signalbox_run(client, -1);
  assert(answer_count == 1 && last_code == SIGNALBOX_NONE);
  close(peer);
  signalbox_free(client);
}

static void ended(void *context, const signalbox_answer *answer) {
  (void)context;
  answer_count++;
  last_code = answer->code;
  signalbox_ping(client, NULL, NULL);
}

static void call_is_not_made_without_a_daemon(void) {
  client = signalbox_new("/nonexistent/s", 1, 5);
  answer_count = 0;
  signalbox_call_action(client, "g.a", NULL, NULL, ended, NULL);
  signalbox_cancel(signalbox_call_action(client, "g.a", "1", NULL, ended, NULL));
  signalbox_process(client);
  signalbox_process(client);
  assert(answer_count == 1 && last_code == SIGNALBOX_CONNECTION_LOST);
  signalbox_free(client);
}

static void path_must_fit_into_an_address(void) {
  char long_path[200] = "/";
  memset(long_path + 1, 'x', sizeof long_path - 2);
  errno = 0;
  assert(signalbox_new(long_path, 0, 0) == NULL && errno == ENAMETOOLONG);
}

static void client_waits_for_a_daemon(void) {
  client = signalbox_new("/nonexistent/s", 1, 5);
  signalbox_ping(client, answered, NULL);
  for (int i = 0; i < 5; i++) signalbox_run(client, -1);
  assert(signalbox_timeout(client) >= 0);
  signalbox_free(client);
}

int main(void) {
  members_are_found();
  elements_are_found();
  strings_are_read_and_quoted();
  numbers_are_read();
  listen_at();
  subscription_may_go_when_it_is_called_back();
  request_that_is_lost_may_be_followed_by_another();
  refusal_is_told_without_begun();
  paused_subscription_sleeps_and_then_reads_what_was_said();
  answer_is_read_when_nothing_can_be_written_any_more();
  call_is_not_made_without_a_daemon();
  path_must_fit_into_an_address();
  client_waits_for_a_daemon();
  close(listener);
  unlink(path);
  puts("the C library passes its tests");
  return 0;
}
