#define _GNU_SOURCE
#include "signalbox.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* ---- Memory ---- */

typedef struct {
  char *bytes;
  size_t length, capacity;
} buffer;

static void *resized(void *memory, size_t size) {
  memory = realloc(memory, size);
  if (memory == NULL) abort();
  return memory;
}

static void *made(size_t size) { return memset(resized(NULL, size), 0, size); }

static char *copied(const char *text, size_t length) {
  char *copy = made(length + 1);
  memcpy(copy, text, length);
  return copy;
}

static void reserve(buffer *b, size_t more) {
  if (b->length + more <= b->capacity) return;
  b->capacity = (b->length + more) * 2;
  b->bytes = resized(b->bytes, b->capacity);
}

static void append(buffer *b, const char *bytes, size_t length) {
  reserve(b, length);
  if (length > 0) memcpy(b->bytes + b->length, bytes, length);
  b->length += length;
}

__attribute__((format(printf, 2, 3))) static void appendf(buffer *b, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text;
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0) abort();
  append(b, text, (size_t)length);
  free(text);
}

static void append_quoted(buffer *b, const char *text) {
  size_t length = signalbox_quote(text, NULL, 0);
  reserve(b, length + 1);
  signalbox_quote(text, b->bytes + b->length, length + 1);
  b->length += length;
}

static void drop(buffer *b, size_t count) {
  b->length -= count;
  if (b->length > 0) memmove(b->bytes, b->bytes + count, b->length);
}

/* ---- JSON, of which the daemon's lines are known to be sound ---- */

static const char *behind_space(const char *at, const char *end) {
  while (at < end && strchr(" \t\r\n,:", *at) != NULL) at++;
  return at;
}

/* The place behind the value that begins here. */
static const char *behind_value(const char *at, const char *end) {
  int depth = 0;
  do {
    if (at >= end) return end;
    if (*at == '"') {
      for (at++; at < end && *at != '"'; at++) at += *at == '\\';
      at++;
    } else if (*at == '{' || *at == '[') {
      depth++, at++;
    } else if (*at == '}' || *at == ']') {
      depth--, at++;
    } else if (depth > 0) {
      at++;
    } else {
      while (at < end && strchr(",]} \t\r\n", *at) == NULL) at++;
    }
  } while (depth > 0);
  return at < end ? at : end;
}

static signalbox_text next_part(const char **at, const char *end) {
  *at = behind_space(*at, end);
  if (*at >= end || **at == '}' || **at == ']') return (signalbox_text){NULL, 0};
  const char *start = *at;
  *at = behind_value(start, end);
  return (signalbox_text){start, (size_t)(*at - start)};
}

/* The next member of an object; `rest` begins as the object. */
static bool next_member(signalbox_text *rest, signalbox_text *key, signalbox_text *value) {
  const char *at = rest->start, *end = at + rest->length;
  if (at != NULL && at < end && *at == '{') at++;
  if (at == NULL) return false;
  *key = next_part(&at, end);
  if (key->start == NULL) return false;
  *value = next_part(&at, end);
  *rest = (signalbox_text){at, (size_t)(end - at)};
  return true;
}

/* The text between the quotation marks of a string that has no escapes. */
static signalbox_text unquoted(signalbox_text text) {
  if (text.length >= 2 && *text.start == '"') return (signalbox_text){text.start + 1, text.length - 2};
  return text;
}

signalbox_text signalbox_member(signalbox_text object, const char *key) {
  signalbox_text name, value;
  while (next_member(&object, &name, &value)) {
    if (signalbox_is(unquoted(name), key)) return value;
  }
  return (signalbox_text){NULL, 0};
}

signalbox_text signalbox_element(signalbox_text *rest) {
  if (rest->start == NULL) return *rest;
  const char *at = rest->start, *end = at + rest->length;
  if (at < end && *at == '[') at++;
  signalbox_text element = next_part(&at, end);
  *rest = (signalbox_text){at, (size_t)(end - at)};
  return element;
}

uint64_t signalbox_number(signalbox_text text) {
  uint64_t number = 0;
  for (size_t i = 0; i < text.length; i++) {
    if (text.start[i] < '0' || text.start[i] > '9') return 0;
    number = number * 10 + (uint64_t)(text.start[i] - '0');
  }
  return number;
}

bool signalbox_is(signalbox_text text, const char *word) {
  return text.length == strlen(word) && (text.length == 0 || memcmp(text.start, word, text.length) == 0);
}

typedef struct {
  char *bytes;
  size_t size, length;
} bounded;

static void put(bounded *to, unsigned char byte) {
  if (to->length + 1 < to->size) to->bytes[to->length] = (char)byte;
  to->length++;
}

static size_t finished(bounded *to) {
  if (to->size > 0) to->bytes[to->length < to->size ? to->length : to->size - 1] = 0;
  return to->length;
}

static void put_character(bounded *to, uint32_t character) {
  if (character < 0x80) {
    put(to, (unsigned char)character);
  } else if (character < 0x800) {
    put(to, (unsigned char)(0xC0 | character >> 6));
    put(to, 0x80 | (character & 0x3F));
  } else {
    if (character < 0x10000) {
      put(to, (unsigned char)(0xE0 | character >> 12));
    } else {
      put(to, (unsigned char)(0xF0 | character >> 18));
      put(to, 0x80 | (character >> 12 & 0x3F));
    }
    put(to, 0x80 | (character >> 6 & 0x3F));
    put(to, 0x80 | (character & 0x3F));
  }
}

static uint32_t hexadecimal(const char *digits) {
  return (uint32_t)strtoul((char[]){digits[0], digits[1], digits[2], digits[3], 0}, NULL, 16);
}

size_t signalbox_string(signalbox_text text, char *bytes, size_t size) {
  bounded to = {bytes, size, 0};
  bool is_string = text.length >= 2 && *text.start == '"';
  signalbox_text inner = is_string ? unquoted(text) : text;
  for (size_t i = 0; i < inner.length; i++) {
    char byte = inner.start[i];
    if (!is_string || byte != '\\' || i + 1 >= inner.length) {
      put(&to, (unsigned char)byte);
      continue;
    }
    static const char names[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    const char *name = strchr(names, byte = inner.start[++i]);
    if (byte == 'u' && i + 4 < inner.length) {
      uint32_t character = hexadecimal(inner.start + i + 1);
      i += 4;
      if (character >= 0xD800 && character < 0xDC00 && i + 6 < inner.length) {
        character = 0x10000 + ((character - 0xD800) << 10) + (hexadecimal(inner.start + i + 3) - 0xDC00);
        i += 6;
      }
      put_character(&to, character);
    } else {
      put(&to, (unsigned char)(name != NULL ? meanings[name - names] : byte));
    }
  }
  return finished(&to);
}

size_t signalbox_quote(const char *text, char *bytes, size_t size) {
  bounded to = {bytes, size, 0};
  put(&to, '"');
  for (; *text != 0; text++) {
    unsigned char byte = (unsigned char)*text;
    if (byte < 0x20) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", byte);
      for (char *at = escape; *at != 0; at++) put(&to, (unsigned char)*at);
      continue;
    }
    if (byte == '"' || byte == '\\') put(&to, '\\');
    put(&to, byte);
  }
  put(&to, '"');
  return finished(&to);
}

/* ---- Connections ---- */

typedef struct connection connection;

/* What becomes of a line, and of the end of a connection. */
typedef struct {
  void (*greet)(connection *);
  bool (*take)(connection *, signalbox_text line); /* Whether the connection is of use. */
  void (*lost)(connection *);
  bool (*is_wanted)(connection *);
} role;

struct connection {
  const role *role;
  signalbox *client;
  connection *next;
  int descriptor; /* -1 while there is none. */
  buffer input, output;
  uint32_t watched;
  uint64_t due; /* When it is tried again, in milliseconds; 0 for at once. */
  unsigned pause;
  bool is_paused, is_dead;
};

typedef struct request {
  struct request *next;
  uint64_t id;
  char *text;
  bool repeats, is_written;
  signalbox_answer_function *answer;
  void *context;
} request;

typedef struct {
  connection connection;
  request *first, **last;
  uint64_t count;
} requests;

struct signalbox {
  char *path;
  int descriptor;
  unsigned backoff, longest_backoff;
  requests requests;
  connection *connections;
};

struct signalbox_call {
  connection connection;
  char *text;
  bool is_over;
  signalbox_output_function *output;
  signalbox_answer_function *done;
  void *context;
};

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000 + 1;
}

static void add(signalbox *client, connection *c, const role *role) {
  c->role = role;
  c->client = client;
  c->descriptor = -1;
  c->pause = client->backoff;
  c->next = client->connections;
  client->connections = c;
}

static void disconnect(connection *c) {
  if (c->descriptor >= 0) close(c->descriptor);
  c->descriptor = -1;
  c->input.length = c->output.length = 0;
}

static void watch(connection *c) {
  uint32_t events = (c->is_paused ? 0 : EPOLLIN) | (c->output.length > 0 ? EPOLLOUT : 0);
  if (c->descriptor < 0 || events == c->watched) return;
  struct epoll_event event = {.events = events, .data.ptr = c};
  epoll_ctl(c->client->descriptor, EPOLL_CTL_MOD, c->descriptor, &event);
  c->watched = events;
}

/* Ends the connection, and says when it is tried again. */
static void fail(connection *c) {
  disconnect(c);
  uint32_t random = 0;
  if (getrandom(&random, sizeof random, 0) < 0) random = (uint32_t)now();
  c->due = now() + c->pause - (c->pause > 1 ? random % (c->pause / 2 + 1) : 0);
  c->pause = c->pause * 2 > 0 ? c->pause * 2 : 1;
  if (c->pause > c->client->longest_backoff) c->pause = c->client->longest_backoff;
  c->role->lost(c);
}

static bool write_out(connection *c) {
  while (c->output.length > 0) {
    ssize_t count = send(c->descriptor, c->output.bytes, c->output.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    drop(&c->output, (size_t)count);
  }
  return true;
}

static void open_connection(connection *c) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(c->client->path);
  c->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (length < sizeof address.sun_path) memcpy(address.sun_path, c->client->path, length);
  if (c->descriptor < 0 || length >= sizeof address.sun_path
      || connect(c->descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
    return fail(c);
  }
  c->watched = EPOLLIN;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  epoll_ctl(c->client->descriptor, EPOLL_CTL_ADD, c->descriptor, &event);
  c->role->greet(c);
  if (!write_out(c)) fail(c);
}

/* Hands over the lines that are there. */
static void take_lines(connection *c) {
  size_t taken = 0;
  while (c->descriptor >= 0 && !c->is_paused && !c->is_dead) {
    char *start = c->input.bytes + taken;
    char *end = c->input.length > taken ? memchr(start, '\n', c->input.length - taken) : NULL;
    if (end == NULL) break;
    taken += (size_t)(end - start) + 1;
    if (!c->role->take(c, (signalbox_text){start, (size_t)(end - start)})) return fail(c);
  }
  if (c->descriptor >= 0) drop(&c->input, taken);
}

static bool has_lines(const connection *c) {
  return c->descriptor >= 0 && !c->is_paused && c->input.length > 0
    && memchr(c->input.bytes, '\n', c->input.length) != NULL;
}

static void read_in(connection *c) {
  reserve(&c->input, 65536);
  ssize_t count = recv(c->descriptor, c->input.bytes + c->input.length, 65536, MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return fail(c);
  c->input.length += (size_t)count;
  take_lines(c);
}

int signalbox_fd(const signalbox *client) { return client->descriptor; }

int signalbox_timeout(const signalbox *client) {
  uint64_t earliest = UINT64_MAX, moment = now();
  for (connection *c = client->connections; c != NULL; c = c->next) {
    if (c->is_dead || has_lines(c)) return 0;
    if (c->descriptor < 0 && c->role->is_wanted(c) && c->due < earliest) earliest = c->due;
  }
  if (earliest == UINT64_MAX) return -1;
  return earliest <= moment ? 0 : (int)(earliest - moment);
}

static void destroy(connection *c);

void signalbox_process(signalbox *client) {
  struct epoll_event events[64];
  int count = epoll_wait(client->descriptor, events, 64, 0);
  for (int i = 0; i < count; i++) {
    connection *c = events[i].data.ptr;
    if (c->is_dead || c->descriptor < 0) continue;
    if ((events[i].events & EPOLLOUT) && !write_out(c)) {
      fail(c);
    } else if (!c->is_paused) {
      read_in(c);
    } else if (events[i].events & (EPOLLHUP | EPOLLERR)) {
      /* What it has said before is still wanted. */
      epoll_ctl(client->descriptor, EPOLL_CTL_DEL, c->descriptor, NULL);
      c->watched = UINT32_MAX;
    }
  }
  uint64_t moment = now();
  for (connection *c = client->connections; c != NULL; c = c->next) {
    if (!c->is_dead && c->descriptor < 0 && c->role->is_wanted(c) && c->due <= moment) open_connection(c);
    if (!c->is_dead && has_lines(c)) take_lines(c);
    if (!c->is_dead && c->descriptor >= 0 && !write_out(c)) fail(c);
    if (c->watched != UINT32_MAX) watch(c);
  }
  for (connection **at = &client->connections; *at != NULL;) {
    connection *c = *at;
    if (c->is_dead) {
      *at = c->next;
      destroy(c);
    } else {
      at = &c->next;
    }
  }
}

void signalbox_run(signalbox *client, int milliseconds) {
  struct epoll_event event;
  int timeout = signalbox_timeout(client);
  if (timeout < 0 || (milliseconds >= 0 && milliseconds < timeout)) timeout = milliseconds;
  epoll_wait(client->descriptor, &event, 1, timeout);
  signalbox_process(client);
}

/* ---- Answers ---- */

static const char *const code_words[] = {SIGNALBOX_CODE_WORDS};
static const char *const event_words[] = {SIGNALBOX_EVENT_WORDS};
#define COUNT(words) (sizeof words / sizeof *words)

static unsigned index_of(signalbox_text word, const char *const *words, size_t count) {
  size_t i = 0;
  while (i < count && !signalbox_is(word, words[i])) i++;
  return (unsigned)i;
}

static signalbox_answer answer_of(signalbox_text line) {
  signalbox_answer answer = {.code = SIGNALBOX_NONE, .line = line};
  signalbox_text error = signalbox_member(line, "error");
  if (error.start == NULL) return answer;
  answer.code_word = unquoted(signalbox_member(error, "code"));
  answer.message = signalbox_member(error, "message");
  answer.code = (enum signalbox_code)index_of(answer.code_word, code_words, COUNT(code_words));
  return answer;
}

static const signalbox_answer lost_answer = {
  .code = SIGNALBOX_CONNECTION_LOST, .code_word = {"connection_lost", 15},
  .message = {"\"the connection ended before the answer\"", 40}};

/* ---- Requests ---- */

static void greet_requests(connection *c) {
  for (request *r = ((requests *)c)->first; r != NULL; r = r->next) {
    append(&c->output, r->text, strlen(r->text));
    r->is_written = true;
  }
}

static void end_request(requests *all, request **at, const signalbox_answer *answer) {
  request *r = *at;
  *at = r->next;
  if (all->last == &r->next) all->last = at;
  if (answer != NULL && r->answer != NULL) r->answer(r->context, answer);
  free(r->text);
  free(r);
}

static bool take_answer(connection *c, signalbox_text line) {
  requests *all = (requests *)c;
  signalbox_answer answer = answer_of(line);
  signalbox_text id = signalbox_member(line, "id");
  if (id.start == NULL && (answer.code == SIGNALBOX_TOO_MANY || answer.code == SIGNALBOX_SHUTTING_DOWN)) return false;
  c->pause = c->client->backoff;
  for (request **at = &all->first; *at != NULL; at = &(*at)->next) {
    /* Answers come in order, so one without an id is that of the oldest request. */
    if (id.start != NULL && (*at)->id != signalbox_number(id)) continue;
    if (!((*at)->repeats && answer.code == SIGNALBOX_SHUTTING_DOWN)) end_request(all, at, &answer);
    break;
  }
  return true;
}

static void lose_requests(connection *c) {
  requests *all = (requests *)c;
  /* Callbacks may ask again: those are not of this connection. */
  uint64_t last = all->count;
  for (request **at = &all->first; *at != NULL && (*at)->id <= last;) {
    if ((*at)->is_written && !(*at)->repeats) {
      end_request(all, at, &lost_answer);
    } else {
      (*at)->is_written = false;
      at = &(*at)->next;
    }
  }
}

static bool has_requests(connection *c) { return ((requests *)c)->first != NULL; }

static const role request_role = {greet_requests, take_answer, lose_requests, has_requests};

void signalbox_request(
    signalbox *client, const char *op, const char *fields, bool repeats, signalbox_answer_function *answer,
    void *context) {
  requests *all = &client->requests;
  request *r = made(sizeof *r);
  buffer text = {0};
  *r = (request){.id = ++all->count, .repeats = repeats, .answer = answer, .context = context};
  appendf(&text, "{\"op\":\"%s\",\"id\":%llu%s%s}\n", op, (unsigned long long)r->id, fields ? "," : "", fields ? fields : "");
  append(&text, "", 1);
  r->text = text.bytes;
  *all->last = r;
  all->last = &r->next;
  if (all->connection.descriptor < 0) return;
  append(&all->connection.output, r->text, strlen(r->text));
  r->is_written = true;
  watch(&all->connection);
}

static void request_signal(
    signalbox *client, const char *op, const char *signal, const char *key, const char *value, const char *more,
    const char *message_id, bool repeats, signalbox_answer_function *answer, void *context) {
  buffer fields = {0};
  append_quoted(&fields, key);
  appendf(&fields, ":");
  append_quoted(&fields, signal);
  appendf(&fields, "%s", value);
  if (more != NULL) appendf(&fields, ",\"error\":%s", more);
  if (message_id != NULL) {
    appendf(&fields, ",\"message_id\":");
    append_quoted(&fields, message_id);
  }
  append(&fields, "", 1);
  signalbox_request(client, op, fields.bytes, repeats, answer, context);
  free(fields.bytes);
}

static void send_content(
    signalbox *client, const char *signal, const char *key, const char *content, const char *error,
    const char *message_id, signalbox_answer_function *answer, void *context) {
  buffer value = {0};
  appendf(&value, ",\"%s\":%s", key, content);
  append(&value, "", 1);
  request_signal(client, "send", signal, "signal", value.bytes, error, message_id, message_id != NULL, answer, context);
  free(value.bytes);
}

void signalbox_send(
    signalbox *client, const char *signal, const char *value, const char *message_id, signalbox_answer_function *answer,
    void *context) {
  send_content(client, signal, "value", value, NULL, message_id, answer, context);
}

void signalbox_send_values(
    signalbox *client, const char *signal, const char *values, const char *message_id,
    signalbox_answer_function *answer, void *context) {
  send_content(client, signal, "values", values, NULL, message_id, answer, context);
}

void signalbox_end(
    signalbox *client, const char *signal, const char *event, const char *error, const char *message_id,
    signalbox_answer_function *answer, void *context) {
  char word[32];
  signalbox_quote(event, word, sizeof word);
  send_content(client, signal, "event", word, error, message_id, answer, context);
}

void signalbox_get(signalbox *client, const char *signal, signalbox_answer_function *answer, void *context) {
  request_signal(client, "get", signal, "signal", "", NULL, NULL, true, answer, context);
}

void signalbox_describe(signalbox *client, const char *signal, signalbox_answer_function *answer, void *context) {
  request_signal(client, "describe", signal, "signal", "", NULL, NULL, true, answer, context);
}

void signalbox_list(signalbox *client, const char *pattern, signalbox_answer_function *answer, void *context) {
  if (pattern == NULL) return signalbox_request(client, "list", NULL, true, answer, context);
  request_signal(client, "list", pattern, "pattern", "", NULL, NULL, true, answer, context);
}

void signalbox_ping(signalbox *client, signalbox_answer_function *answer, void *context) {
  signalbox_request(client, "ping", NULL, true, answer, context);
}

void signalbox_hello(signalbox *client, signalbox_answer_function *answer, void *context) {
  signalbox_request(client, "hello", "\"protocol\":1", true, answer, context);
}

/* ---- Calls ---- */

static void greet_call(connection *c) {
  signalbox_call *call = (signalbox_call *)c;
  append(&c->output, call->text, strlen(call->text));
}

static void end_call(signalbox_call *call, const signalbox_answer *answer) {
  if (call->is_over) return;
  call->is_over = call->connection.is_dead = true;
  disconnect(&call->connection);
  if (call->done != NULL) call->done(call->context, answer);
}

static bool take_output(connection *c, signalbox_text line) {
  signalbox_call *call = (signalbox_call *)c;
  signalbox_text value = signalbox_member(line, "value");
  if (signalbox_member(line, "event").start != NULL) {
    if (call->output != NULL) call->output(call->context, value);
  } else {
    signalbox_answer answer = answer_of(line);
    end_call(call, &answer);
  }
  return true;
}

static void lose_call(connection *c) { end_call((signalbox_call *)c, &lost_answer); }

static bool is_called(connection *c) { return !((signalbox_call *)c)->is_over; }

static const role call_role = {greet_call, take_output, lose_call, is_called};

signalbox_call *signalbox_call_action(
    signalbox *client, const char *action, const char *value, signalbox_output_function *output,
    signalbox_answer_function *done, void *context) {
  signalbox_call *call = made(sizeof *call);
  buffer text = {0};
  add(client, &call->connection, &call_role);
  call->output = output, call->done = done, call->context = context;
  appendf(&text, "{\"op\":\"call\",\"id\":1,\"action\":");
  append_quoted(&text, action);
  if (value != NULL) appendf(&text, ",\"value\":%s", value);
  append(&text, "}\n", 3);
  call->text = text.bytes;
  return call;
}

void signalbox_cancel(signalbox_call *call) {
  call->is_over = call->connection.is_dead = true;
  disconnect(&call->connection);
}

/* ---- Subscriptions: clients/README.md explains the state machine, which all libraries have. ---- */

/* How far the values of a signal have come. */
typedef struct place {
  struct place *next;
  char *signal, *epoch;
  uint64_t seq;   /* The last number that came, if has_seq; else all that is retained may still come. */
  uint64_t floor; /* Without a value so far: the number above which none may be missing. */
  uint64_t reached;
  bool has_seq, ended, is_told;
} place;

struct signalbox_subscription {
  connection connection;
  char *signal, *options, *epoch;
  uint64_t replay, left, oldest;
  bool has_replay, has_take, is_name, is_thinned;
  bool has_begun, has_from, is_resumed, is_settled, is_over, is_answered, timestamps;
  place *places;
  signalbox_answer_function *begun;
  signalbox_event_function *event;
  void *context;
};

static uint64_t base(const place *p) { return p->has_seq && p->seq > p->floor ? p->seq : p->floor; }

static bool is_known(const place *p) { return p->has_seq || p->floor > 0; }

static void reach(place *p, uint64_t seq) {
  if (!p->has_seq || seq > p->seq) p->seq = seq;
  p->has_seq = true;
}

static void tell(signalbox_subscription *s, signalbox_event event) {
  if (event.kind_word.start == NULL && event.kind < SIGNALBOX_EVENT_OTHER) {
    event.kind_word = (signalbox_text){event_words[event.kind], strlen(event_words[event.kind])};
  }
  if (!s->connection.is_dead) s->event(s->context, &event);
}

static signalbox_text text_of(const char *text) { return (signalbox_text){text, strlen(text)}; }

static place *find(signalbox_subscription *s, signalbox_text signal) {
  place *p = s->places;
  while (p != NULL && !signalbox_is(signal, p->signal)) p = p->next;
  return p;
}

static void set_epoch(char **epoch, signalbox_text text) {
  free(*epoch);
  *epoch = copied(text.start ? text.start : "", text.length);
}

/* The place of a signal, begun anew. */
static place *begin_place(signalbox_subscription *s, signalbox_text signal, signalbox_text epoch) {
  place *p = find(s, signal);
  if (p == NULL) {
    p = made(sizeof *p);
    p->signal = copied(signal.start, signal.length);
    p->next = s->places;
    s->places = p;
  }
  set_epoch(&p->epoch, epoch);
  p->seq = p->floor = 0;
  p->has_seq = p->ended = false;
  return p;
}

static void remove_place(signalbox_subscription *s, place *gone) {
  place **at = &s->places;
  while (*at != gone) at = &(*at)->next;
  *at = gone->next;
  free(gone->signal);
  free(gone->epoch);
  free(gone);
}

static void ask(signalbox_subscription *s, bool with_places) {
  buffer *out = &s->connection.output;
  appendf(out, "{\"op\":\"subscribe\",\"id\":1,\"signal\":");
  append_quoted(out, s->signal);
  appendf(out, "%s", s->options);
  if (s->has_take) appendf(out, ",\"take\":%llu", (unsigned long long)s->left);
  if (s->has_replay && !s->has_begun) appendf(out, ",\"replay\":%llu", (unsigned long long)s->replay);
  s->has_from = false;
  for (place *p = s->places; p != NULL && with_places && s->has_begun; p = p->next) {
    if (!p->has_seq) continue;
    unsigned long long seq = p->seq;
    if (s->is_name) {
      appendf(out, ",\"from\":%llu,\"epoch\":\"%s\"", seq, p->epoch);
    } else {
      appendf(out, "%s\"%s\":{\"seq\":%llu,\"epoch\":\"%s\"}", s->has_from ? "," : ",\"from\":{", p->signal, seq, p->epoch);
    }
    s->has_from = true;
  }
  appendf(out, s->has_from && !s->is_name ? "}}\n" : "}\n");
}

static void greet_subscription(connection *c) {
  appendf(&c->output, "{\"op\":\"hello\",\"id\":0,\"protocol\":1}\n");
  ask((signalbox_subscription *)c, true);
}

static void set_first_place(signalbox_subscription *s, place *p, uint64_t seq) {
  p->floor = seq;
  if (seq == 0 || (s->has_replay && s->replay == 0)) {
    reach(p, seq);
    p->floor = 0;
  } else if (s->has_replay && !s->is_thinned && !s->is_resumed) {
    reach(p, seq > s->replay ? seq - s->replay : 0);
  }
}

static void begin(signalbox_subscription *s, signalbox_text line) {
  signalbox_text all = unquoted(signalbox_member(line, "epoch")), rest = signalbox_member(line, "signals"), told;
  s->is_resumed = s->has_begun;
  s->has_begun = true;
  s->is_settled = false;
  if (!s->is_answered) {
    s->is_answered = true;
    signalbox_answer answer = answer_of(line);
    if (s->begun != NULL) s->begun(s->context, &answer);
  }
  for (place *p = s->places; p != NULL; p = p->next) p->is_told = false;
  while ((told = signalbox_element(&rest)).start != NULL && !s->connection.is_dead) {
    signalbox_text signal = unquoted(signalbox_member(told, "signal")), epoch = unquoted(signalbox_member(told, "epoch"));
    uint64_t seq = signalbox_number(signalbox_member(told, "seq"));
    if (epoch.start == NULL) epoch = all.start ? all : text_of(s->epoch);
    place *p = find(s, signal);
    signalbox_event event = {.signal = signal, .seq = seq};
    if (p == NULL) {
      set_first_place(s, p = begin_place(s, signal, epoch), seq);
      event.kind = SIGNALBOX_EVENT_SUBSCRIBED;
      event.epoch = p->epoch;
      p->is_told = true, p->reached = seq;
      if (s->is_resumed && !s->is_name) tell(s, event);
      continue;
    }
    p->is_told = true, p->reached = seq;
    if (!s->has_from && (!signalbox_is(epoch, p->epoch) || seq < base(p))) {
      begin_place(s, signal, epoch)->floor = seq;
      tell(s, (signalbox_event){.kind = SIGNALBOX_EVENT_RESTARTED, .signal = signal, .epoch = p->epoch});
    } else if (s->is_resumed && !s->has_from && s->is_thinned && seq > base(p)) {
      event = (signalbox_event){.kind = SIGNALBOX_EVENT_EXPIRED, .signal = signal, .last = base(p), .oldest = s->oldest};
      /* Another break must not tell it again. */
      reach(p, s->oldest > base(p) ? s->oldest - 1 : base(p));
      tell(s, event);
    }
  }
  for (place *p = s->places, *next; p != NULL && !s->connection.is_dead; p = next) {
    next = p->next;
    if (p->is_told) continue;
    if (!p->ended) {
      tell(s, (signalbox_event){
        .kind = SIGNALBOX_EVENT_INTERRUPTED, .signal = text_of(p->signal), .reason = text_of("removed")});
    }
    remove_place(s, p);
  }
}

/* Takes note that all that was retained has come. */
static void settle(signalbox_subscription *s) {
  s->is_settled = true;
  for (place *p = s->places; p != NULL && !s->connection.is_dead; p = p->next) {
    if (!p->is_told) continue;
    uint64_t last = base(p);
    bool is_lost = is_known(p) && p->reached > last && !s->is_thinned;
    reach(p, p->reached);
    p->floor = 0;
    if (is_lost) {
      tell(s, (signalbox_event){
        .kind = SIGNALBOX_EVENT_EXPIRED, .signal = text_of(p->signal), .last = last, .oldest = p->reached + 1});
    }
  }
}

static bool refuse(signalbox_subscription *s, signalbox_text line) {
  signalbox_answer answer = answer_of(line);
  enum signalbox_code code = answer.code;
  if (s->has_from && (code == SIGNALBOX_EXPIRED || code == SIGNALBOX_BAD_REQUEST || code == SIGNALBOX_TOO_LONG)) {
    /* Ask for all that is retained: what had come is passed over, and numbers tell what is missing. */
    signalbox_text error = signalbox_member(line, "error");
    bool is_other_epoch = signalbox_member(error, "epoch").start != NULL;
    s->oldest = is_other_epoch ? 0 : signalbox_number(signalbox_member(error, "oldest"));
    ask(s, false);
    return true;
  }
  if (code == SIGNALBOX_TOO_MANY || code == SIGNALBOX_SHUTTING_DOWN) return false;
  s->is_over = true;
  if (!s->is_answered) {
    s->is_answered = true;
    if (s->begun != NULL) s->begun(s->context, &answer);
    return true;
  }
  tell(s, (signalbox_event){
    .kind = SIGNALBOX_EVENT_INTERRUPTED, .signal = text_of(s->signal),
    .reason = code == SIGNALBOX_UNKNOWN_SIGNAL ? text_of("removed") : answer.code_word});
  return true;
}

static void take_value(signalbox_subscription *s, signalbox_event event, place *p) {
  if (p->has_seq && event.seq <= p->seq) return;
  uint64_t last = base(p);
  bool is_gap = !s->is_thinned && is_known(p) && event.seq > last + 1;
  p->seq = event.seq;
  p->has_seq = true, p->ended = false;
  p->floor = 0;
  event.epoch = p->epoch;
  if (s->has_take && --s->left == 0) s->is_over = true;
  if (is_gap) {
    tell(s, (signalbox_event){
      .kind = SIGNALBOX_EVENT_EXPIRED, .signal = event.signal, .last = last, .oldest = event.seq});
  }
  tell(s, event);
  if (s->has_take && s->left == 0) {
    tell(s, (signalbox_event){
      .kind = SIGNALBOX_EVENT_ENDED, .signal = text_of(s->signal), .reason = text_of("take")});
  }
}

static void take_event(signalbox_subscription *s, signalbox_text line) {
  signalbox_event event = {
    .kind_word = unquoted(signalbox_member(line, "event")), .signal = unquoted(signalbox_member(line, "signal")),
    .seq = signalbox_number(signalbox_member(line, "seq")), .value = signalbox_member(line, "value"),
    .error = signalbox_member(line, "error"), .reason = unquoted(signalbox_member(line, "reason")),
    .dropped = signalbox_number(signalbox_member(line, "dropped")), .at = unquoted(signalbox_member(line, "at"))};
  signalbox_text epoch = unquoted(signalbox_member(line, "epoch"));
  event.kind = (enum signalbox_event_kind)index_of(event.kind_word, event_words, COUNT(event_words));
  if (event.signal.start == NULL) return;
  place *p = find(s, event.signal);
  if (event.kind == SIGNALBOX_EVENT_ENDED) {
    s->is_over = true;
    return tell(s, event);
  }
  if (p == NULL) p = begin_place(s, event.signal, text_of(s->epoch));
  switch (event.kind) {
    case SIGNALBOX_EVENT_NEXT: return take_value(s, event, p);
    case SIGNALBOX_EVENT_COMPLETED:
    case SIGNALBOX_EVENT_FAILED:
    case SIGNALBOX_EVENT_INTERRUPTED:
      /* A signal has not ended with the daemon: the next one goes on with it. */
      if (signalbox_is(event.reason, "shutting_down") || p->ended) return;
      p->ended = true;
      s->is_over = s->is_name;
      if (event.reason.start != NULL) remove_place(s, p);
      break;
    case SIGNALBOX_EVENT_LAGGED:
      if (!p->has_seq) {
        p->floor = 0;
      } else {
        p->seq += event.dropped;
        if (s->is_resumed && !s->is_settled && p->seq <= p->floor) return;
      }
      break;
    case SIGNALBOX_EVENT_RENEWED:
      if (s->is_resumed && !s->is_settled) {
        begin_place(s, event.signal, epoch)->floor = p->reached;
        event.kind = SIGNALBOX_EVENT_RESTARTED;
        event.kind_word.start = NULL;
      } else {
        set_epoch(&p->epoch, epoch);
      }
      event.epoch = p->epoch;
      break;
    case SIGNALBOX_EVENT_SUBSCRIBED:
      reach(begin_place(s, event.signal, epoch.start ? epoch : text_of(s->epoch)), event.seq);
      event.epoch = p->epoch;
      break;
    case SIGNALBOX_EVENT_ALIVE:
      if (s->is_settled) reach(p, event.seq);
      break;
    default: break;
  }
  tell(s, event);
}

static bool take_line(connection *c, signalbox_text line) {
  signalbox_subscription *s = (signalbox_subscription *)c;
  signalbox_text reply = unquoted(signalbox_member(line, "reply"));
  bool is_use = true;
  if (reply.start == NULL) {
    take_event(s, line);
  } else if (signalbox_is(reply, "hello")) {
    set_epoch(&s->epoch, unquoted(signalbox_member(line, "epoch")));
    c->pause = c->client->backoff;
  } else if (signalbox_is(reply, "subscribe")) {
    appendf(&c->output, "{\"op\":\"ping\",\"id\":2}\n");
    begin(s, line);
  } else if (signalbox_is(reply, "ping")) {
    settle(s);
  } else if (signalbox_is(reply, "error")) {
    s->has_from = s->has_from && !signalbox_is(unquoted(signalbox_member(line, "op")), "hello");
    is_use = refuse(s, line);
  }
  if (s->is_over) disconnect(c);
  return is_use;
}

static void lose_subscription(connection *c) { (void)c; }

static bool is_subscribed(connection *c) {
  return !((signalbox_subscription *)c)->is_over && !c->is_paused;
}

static const role subscription_role = {greet_subscription, take_line, lose_subscription, is_subscribed};

static void set_position(signalbox_subscription *s, signalbox_text position) {
  signalbox_text key, value;
  while (next_member(&position, &key, &value)) {
    place *p = begin_place(s, unquoted(key), unquoted(signalbox_member(value, "epoch")));
    reach(p, signalbox_number(signalbox_member(value, "seq")));
    s->has_begun = true;
  }
}

signalbox_subscription *signalbox_subscribe(
    signalbox *client, const char *signal, const signalbox_subscribe_options *options,
    signalbox_answer_function *begun, signalbox_event_function *event, void *context) {
  signalbox_subscription *s = made(sizeof *s);
  const signalbox_subscribe_options none = {0};
  if (options == NULL) options = &none;
  add(client, &s->connection, &subscription_role);
  s->signal = copied(signal, strlen(signal));
  s->epoch = copied("", 0);
  s->is_name = strchr(signal, '*') == NULL;
  s->is_thinned = options->where != NULL || options->every != NULL;
  s->has_replay = options->has_replay, s->replay = options->replay;
  s->has_take = options->take > 0, s->left = options->take;
  s->begun = begun, s->event = event, s->context = context;
  if (options->position != NULL) set_position(s, text_of(options->position));
  buffer text = {0};
  const char *members[] = {
    "where", options->where, "every", options->every, "heartbeat", options->heartbeat, "overflow", options->overflow};
  for (size_t i = 0; i < COUNT(members); i += 2) {
    if (members[i + 1] == NULL) continue;
    appendf(&text, ",\"%s\":", members[i]);
    append_quoted(&text, members[i + 1]);
  }
  if (options->timestamps) appendf(&text, ",\"timestamps\":true");
  append(&text, "", 1);
  s->options = text.bytes;
  return s;
}

void signalbox_unsubscribe(signalbox_subscription *s) {
  s->is_over = s->connection.is_dead = true;
  disconnect(&s->connection);
}

void signalbox_pause(signalbox_subscription *s) {
  s->connection.is_paused = true;
  if (s->connection.watched != UINT32_MAX) watch(&s->connection);
}

void signalbox_resume(signalbox_subscription *s) {
  connection *c = &s->connection;
  c->is_paused = false;
  if (c->watched == UINT32_MAX && c->descriptor >= 0) {
    c->watched = EPOLLIN;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(c->client->descriptor, EPOLL_CTL_ADD, c->descriptor, &event);
  }
  watch(c);
}

bool signalbox_is_over(const signalbox_subscription *s) { return s->is_over; }

/* ---- Clients ---- */

signalbox *signalbox_new(const char *path, unsigned backoff, unsigned longest_backoff) {
  int descriptor = epoll_create1(EPOLL_CLOEXEC);
  if (descriptor < 0) return NULL;
  signalbox *client = made(sizeof *client);
  if (path == NULL) path = getenv("SIGNALBOX_SOCKET");
  if (path == NULL || *path == 0) path = SIGNALBOX_DEFAULT_SOCKET;
  client->path = copied(path, strlen(path));
  client->descriptor = descriptor;
  client->backoff = backoff || longest_backoff ? backoff : 100;
  client->longest_backoff = backoff || longest_backoff ? longest_backoff : 10000;
  add(client, &client->requests.connection, &request_role);
  client->requests.last = &client->requests.first;
  return client;
}

static void destroy(connection *c) {
  disconnect(c);
  free(c->input.bytes);
  free(c->output.bytes);
  if (c->role == &call_role) {
    free(((signalbox_call *)c)->text);
  } else if (c->role == &subscription_role) {
    signalbox_subscription *s = (signalbox_subscription *)c;
    while (s->places != NULL) remove_place(s, s->places);
    free(s->signal);
    free(s->options);
    free(s->epoch);
  } else {
    requests *all = (requests *)c;
    while (all->first != NULL) end_request(all, &all->first, NULL);
    return;
  }
  free(c);
}

void signalbox_free(signalbox *client) {
  while (client->connections != NULL) {
    connection *c = client->connections;
    client->connections = c->next;
    destroy(c);
  }
  close(client->descriptor);
  free(client->path);
  free(client);
}
