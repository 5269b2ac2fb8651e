#define _GNU_SOURCE
#include "signalbox.h"

#include <errno.h>
#include <inttypes.h>
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

#define COUNT(array) (sizeof array / sizeof *array)

/* ---- Memory ---- */

/* Bytes that grow. Behind a text that was appended there is a NUL. */
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

static signalbox_text text_of(const char *text) { return (signalbox_text){text, strlen(text)}; }

/* Puts a copy of a text in the place of another one. */
static void copy(char **to, signalbox_text text) {
  *to = resized(*to, text.length + 1);
  if (text.length > 0) memcpy(*to, text.start, text.length);
  (*to)[text.length] = 0;
}

static void reserve(buffer *b, size_t more) {
  if (b->length + more < b->capacity) return;
  b->capacity = (b->length + more + 1) * 2;
  b->bytes = resized(b->bytes, b->capacity);
}

__attribute__((format(printf, 2, 3))) static void append(buffer *b, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  size_t length = (size_t)vsnprintf(NULL, 0, format, arguments);
  reserve(b, length);
  vsnprintf(b->bytes + b->length, length + 1, format, again);
  b->length += length;
  va_end(again);
  va_end(arguments);
}

static void drop(buffer *b, size_t count) {
  b->length -= count;
  if (b->length > 0) memmove(b->bytes, b->bytes + count, b->length);
}

/* ---- JSON, of which the daemon's lines are known to be sound ---- */

/* The place behind the value that begins here. */
static const char *behind_value(const char *at, const char *end) {
  int depth = 0;
  while (at < end) {
    char byte = *at++;
    if (byte == '"') {
      while (at < end && *at != '"') at += *at == '\\' ? 2 : 1;
      at++;
    }
    depth += (byte == '{' || byte == '[') - (byte == '}' || byte == ']');
    if (depth == 0 && (at >= end || strchr(",:]} \t\r\n", *at) != NULL)) break;
  }
  return at < end ? at : end;
}

signalbox_text signalbox_element(signalbox_text *rest) {
  if (rest->length == 0) return (signalbox_text){NULL, 0};
  const char *start = rest->start, *end = start + rest->length;
  if (*start == '[' || *start == '{') start++;
  while (start < end && strchr(" \t\r\n,:", *start) != NULL) start++;
  bool is_last = start == end || *start == ']' || *start == '}';
  const char *behind = is_last ? start : behind_value(start, end);
  *rest = (signalbox_text){behind, (size_t)(end - behind)};
  return (signalbox_text){is_last ? NULL : start, (size_t)(behind - start)};
}

/* The text between the quotation marks of a string that has no escapes. */
static signalbox_text unquoted(signalbox_text text) {
  if (text.length >= 2 && *text.start == '"') return (signalbox_text){text.start + 1, text.length - 2};
  return text;
}

/* The next member of an object; `rest` begins as the object. */
static bool next_member(signalbox_text *rest, signalbox_text *key, signalbox_text *value) {
  *key = unquoted(signalbox_element(rest));
  *value = signalbox_element(rest);
  return value->start != NULL;
}

signalbox_text signalbox_member(signalbox_text object, const char *key) {
  signalbox_text name, value;
  while (next_member(&object, &name, &value) && !signalbox_is(name, key)) continue;
  return value;
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

static unsigned index_of(signalbox_text word, const char *const *words, size_t count) {
  size_t i = 0;
  while (i < count && !signalbox_is(word, words[i])) i++;
  return (unsigned)i;
}

/* The members that are looked at. */
enum member {
  EVENT, SIGNAL, SEQ, VALUE, EPOCH, AT, REASON, DROPPED, REPLY, ID, OP, SIGNALS, ERROR, CODE, MESSAGE, OLDEST, OTHER
};

static const char *const keys[] = {
  [EVENT] = "event", [SIGNAL] = "signal", [SEQ] = "seq", [VALUE] = "value", [EPOCH] = "epoch", [AT] = "at",
  [REASON] = "reason", [DROPPED] = "dropped", [REPLY] = "reply", [ID] = "id", [OP] = "op", [SIGNALS] = "signals",
  [ERROR] = "error", [CODE] = "code", [MESSAGE] = "message", [OLDEST] = "oldest"};

/* A line, or an object in it, that was read once. */
typedef struct {
  signalbox_text text, members[OTHER + 1];
} object;

static object object_of(signalbox_text text) {
  object read = {.text = text};
  signalbox_text key, value;
  while (next_member(&text, &key, &value)) read.members[index_of(key, keys, OTHER)] = value;
  return read;
}

static bool has(const object *in, enum member key) { return in->members[key].start != NULL; }

static signalbox_text word(const object *in, enum member key) { return unquoted(in->members[key]); }

static uint64_t number(const object *in, enum member key) { return signalbox_number(in->members[key]); }

/* Writes a byte if there is room for it, and counts it in any case. */
static void put(buffer *to, int byte) {
  if (to->length + 1 < to->capacity) to->bytes[to->length] = (char)byte;
  to->length++;
}

static size_t finished(buffer *to) {
  if (to->capacity > 0) to->bytes[to->length < to->capacity ? to->length : to->capacity - 1] = 0;
  return to->length;
}

/* In UTF-8. */
static void put_character(buffer *to, int character) {
  static const int leads[] = {0, 0xC0, 0xE0, 0xF0};
  int more = (character >= 0x80) + (character >= 0x800) + (character >= 0x10000);
  put(to, leads[more] | character >> 6 * more);
  while (more-- > 0) put(to, 0x80 | (character >> 6 * more & 0x3F));
}

static int hexadecimal(const char *digits) {
  return (int)strtol((char[]){digits[0], digits[1], digits[2], digits[3], 0}, NULL, 16);
}

size_t signalbox_string(signalbox_text text, char *bytes, size_t size) {
  static const char names[] = "bfnrt", meanings[] = "\b\f\n\r\t";
  buffer to = {bytes, 0, size};
  signalbox_text inner = unquoted(text);
  bool is_string = inner.length < text.length;
  for (size_t i = 0; i < inner.length; i++) {
    char byte = inner.start[i];
    if (!is_string || byte != '\\' || i + 1 >= inner.length) {
      put(&to, byte);
      continue;
    }
    const char *name = strchr(names, byte = inner.start[++i]);
    if (byte != 'u' || i + 4 >= inner.length) {
      put(&to, name != NULL ? meanings[name - names] : byte);
      continue;
    }
    int character = hexadecimal(inner.start + i + 1);
    i += 4;
    if (character >= 0xD800 && character < 0xDC00 && i + 6 < inner.length) {
      character = 0x10000 + ((character - 0xD800) << 10) + (hexadecimal(inner.start + i + 3) - 0xDC00);
      i += 6;
    }
    put_character(&to, character);
  }
  return finished(&to);
}

size_t signalbox_quote(const char *text, char *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  buffer to = {bytes, 0, size};
  put(&to, '"');
  for (; *text != 0; text++) {
    bool is_control = (unsigned char)*text < 0x20;
    if (is_control || *text == '"' || *text == '\\') put(&to, '\\');
    if (is_control) {
      for (const char *at = "u00"; *at != 0; at++) put(&to, *at);
      put(&to, digits[*text >> 4]);
    }
    put(&to, is_control ? digits[*text & 15] : *text);
  }
  put(&to, '"');
  return finished(&to);
}

/* A member of a request, a string or JSON; there is none if both are NULL. */
typedef struct {
  const char *key, *string, *json;
} field;

/* The members of an object, or NULL if there are none; to be freed. */
#define MEMBERS(...) members_of((const field[]){__VA_ARGS__, {0}})

static char *members_of(const field *fields) {
  buffer members = {0};
  for (; fields->key != NULL; fields++) {
    if (fields->string == NULL && fields->json == NULL) continue;
    append(&members, "%s\"%s\":%s", members.length > 0 ? "," : "", fields->key, fields->json ? fields->json : "");
    if (fields->string == NULL) continue;
    size_t length = signalbox_quote(fields->string, NULL, 0);
    reserve(&members, length);
    members.length += signalbox_quote(fields->string, members.bytes + members.length, length + 1);
  }
  return members.bytes;
}

/* ---- Connections ---- */

typedef struct connection connection;

/* What becomes of a line, and of the end of a connection. */
typedef struct {
  void (*greet)(connection *);
  bool (*take)(connection *, const object *line); /* Whether the connection is of use. */
  void (*lost)(connection *, bool was_open);      /* NULL if there is nothing to do. */
  void (*empty)(connection *);                    /* Frees what it holds. */
} role;

struct connection {
  const role *role;
  signalbox *client;
  int descriptor; /* -1 while there is none. */
  buffer input, output;
  uint32_t watched;
  uint64_t due; /* When it is tried again, in milliseconds; 0 for at once. */
  unsigned pause;
  bool is_over; /* Nothing is wanted from it; a request may change that. */
  bool is_paused, is_dead;
};

struct signalbox {
  struct sockaddr_un address;
  int descriptor;
  unsigned backoff, longest_backoff;
  signalbox_call *requests; /* The first of the connections. */
  connection **connections;
  size_t count;
};

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000 + 1;
}

/* Makes a connection, which is the first member of something larger. */
static void *add(signalbox *client, size_t size, const role *role) {
  connection *c = made(size);
  *c = (connection){.role = role, .client = client, .descriptor = -1, .pause = client->backoff};
  client->connections = resized(client->connections, (client->count + 1) * sizeof c);
  client->connections[client->count++] = c;
  return c;
}

static void disconnect(connection *c) {
  if (c->descriptor >= 0) close(c->descriptor);
  c->descriptor = -1;
  c->watched = 0;
  c->input.length = c->output.length = 0;
}

/* Makes no connection any more. */
static void finish(connection *c) {
  c->is_over = true;
  disconnect(c);
}

/* Has it freed when no line of it is looked at any more. */
static void end(connection *c) {
  c->is_dead = true;
  finish(c);
}

static void destroy(connection *c) {
  disconnect(c);
  c->role->empty(c);
  free(c->input.bytes);
  free(c->output.bytes);
  free(c);
}

/* Ends the connection, and says when it is tried again. */
static void fail(connection *c) {
  bool was_open = c->descriptor >= 0;
  disconnect(c);
  uint32_t random = 0;
  if (getrandom(&random, sizeof random, 0) < 0) random = (uint32_t)now();
  c->due = now() + c->pause - (c->pause > 1 ? random % (c->pause / 2 + 1) : 0);
  c->pause = c->pause * 2 > 0 ? c->pause * 2 : 1;
  if (c->pause > c->client->longest_backoff) c->pause = c->client->longest_backoff;
  if (c->role->lost != NULL) c->role->lost(c, was_open);
}

static void open_connection(connection *c) {
  const struct sockaddr_un *address = &c->client->address;
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor >= 0 && connect(descriptor, (const struct sockaddr *)address, sizeof *address) == 0) {
    c->descriptor = descriptor;
    return c->role->greet(c);
  }
  if (descriptor >= 0) close(descriptor);
  fail(c);
}

static void watch(connection *c) {
  /* At the edge, one that is not read tells its end once, and does not keep the program awake. */
  uint32_t events = (c->is_paused ? EPOLLET : EPOLLIN) | (c->output.length > 0 ? EPOLLOUT : 0);
  if (c->descriptor < 0 || events == c->watched) return;
  struct epoll_event event = {.events = events, .data.ptr = c};
  epoll_ctl(c->client->descriptor, c->watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, c->descriptor, &event);
  c->watched = events;
}

/* Writes as far as that goes. It is reading that finds the end of a connection. */
static void write_out(connection *c) {
  while (c->output.length > 0) {
    ssize_t count = send(c->descriptor, c->output.bytes, c->output.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    /* What the daemon has said before is still read, and then the end. */
    if (count < 0) shutdown(c->descriptor, SHUT_RDWR);
    drop(&c->output, count < 0 ? c->output.length : (size_t)count);
  }
}

/* The line that begins behind so many bytes of the input, if it is there and wanted. */
static bool next_line(const connection *c, size_t taken, signalbox_text *line) {
  if (c->descriptor < 0 || c->is_paused || c->input.length == taken) return false;
  const char *start = c->input.bytes + taken, *end = memchr(start, '\n', c->input.length - taken);
  if (end != NULL) *line = (signalbox_text){start, (size_t)(end - start)};
  return end != NULL;
}

static void take_lines(connection *c) {
  size_t taken = 0;
  for (signalbox_text line; next_line(c, taken, &line); taken += line.length + 1) {
    object read = object_of(line);
    if (!c->role->take(c, &read)) return fail(c);
    c->pause = c->client->backoff;
  }
  if (c->descriptor >= 0) drop(&c->input, taken);
}

static void read_in(connection *c) {
  reserve(&c->input, 65536);
  ssize_t count = recv(c->descriptor, c->input.bytes + c->input.length, 65536, MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return fail(c);
  c->input.length += (size_t)count;
  take_lines(c);
}

static bool needs_opening(const connection *c) { return c->descriptor < 0 && !c->is_over && !c->is_paused; }

int signalbox_fd(const signalbox *client) { return client->descriptor; }

int signalbox_timeout(const signalbox *client) {
  uint64_t earliest = UINT64_MAX, moment = now();
  signalbox_text line;
  for (size_t i = 0; i < client->count; i++) {
    const connection *c = client->connections[i];
    if (c->is_dead || next_line(c, 0, &line)) return 0;
    if (needs_opening(c) && c->due < earliest) earliest = c->due;
  }
  if (earliest == UINT64_MAX) return -1;
  return earliest <= moment ? 0 : (int)(earliest - moment);
}

void signalbox_run(signalbox *client, int milliseconds) {
  struct epoll_event events[64];
  int timeout = signalbox_timeout(client);
  if (timeout < 0 || (milliseconds >= 0 && milliseconds < timeout)) timeout = milliseconds;
  int count = epoll_wait(client->descriptor, events, COUNT(events), timeout);
  for (int i = 0; i < count; i++) {
    connection *c = events[i].data.ptr;
    if (c->descriptor >= 0 && !c->is_paused && events[i].events != EPOLLOUT) read_in(c);
  }
  for (size_t i = 0; i < client->count;) {
    connection *c = client->connections[i];
    if (c->is_dead) {
      client->connections[i] = client->connections[--client->count];
      destroy(c);
      continue;
    }
    if (needs_opening(c) && c->due <= now()) open_connection(c);
    take_lines(c);
    write_out(c);
    watch(c);
    i++;
  }
}

void signalbox_process(signalbox *client) { signalbox_run(client, 0); }

/* ---- Requests ---- */

static const char *const code_words[] = {SIGNALBOX_CODE_WORDS};
static const char *const event_words[] = {SIGNALBOX_EVENT_WORDS};

static signalbox_answer answer_of(const object *line) {
  object error = object_of(line->members[ERROR]);
  signalbox_text code = word(&error, CODE);
  return (signalbox_answer){
    .code = has(line, ERROR) ? (enum signalbox_code)index_of(code, code_words, COUNT(code_words)) : SIGNALBOX_NONE,
    .code_word = code, .message = error.members[MESSAGE], .line = line->text};
}

typedef struct request {
  struct request *next;
  uint64_t id;
  buffer text;
  bool repeats;
  signalbox_answer_function *answer;
  void *context;
} request;

/* The requests of a client, on a connection that stays, or the one of a call, with which its connection ends. All are
 * written while there is a connection. */
struct signalbox_call {
  connection connection;
  request *first, **last;
  uint64_t count;
  signalbox_output_function *output;
};

static bool is_call(const signalbox_call *all) { return all != all->connection.client->requests; }

static void greet_with_requests(connection *c) {
  signalbox_call *all = (signalbox_call *)c;
  for (request *r = all->first; r != NULL; r = r->next) append(&c->output, "%s", r->text.bytes);
}

/* Takes a request from the list; without an answer nobody is called back. */
static void end_request(signalbox_call *all, request **at, const signalbox_answer *answer) {
  request *r = *at;
  *at = r->next;
  if (all->last == &r->next) all->last = at;
  all->connection.is_over = all->first == NULL;
  if (is_call(all)) end(&all->connection);
  if (answer != NULL && r->answer != NULL) r->answer(r->context, answer);
  free(r->text.bytes);
  free(r);
}

static bool take_answer(connection *c, const object *line) {
  signalbox_call *all = (signalbox_call *)c;
  if (has(line, EVENT)) {
    if (all->output != NULL) all->output(all->first->context, line->members[VALUE]);
    return true;
  }
  signalbox_answer answer = answer_of(line);
  bool is_ending = answer.code == SIGNALBOX_SHUTTING_DOWN;
  if (!has(line, ID) && (is_ending || answer.code == SIGNALBOX_TOO_MANY) && !is_call(all)) return false;
  request **at = &all->first;
  /* Answers come in order, so one without an id is that of the oldest request. */
  while (*at != NULL && has(line, ID) && (*at)->id != number(line, ID)) at = &(*at)->next;
  if (*at != NULL && !((*at)->repeats && is_ending)) end_request(all, at, &answer);
  return true;
}

static void lose_requests(connection *c, bool was_open) {
  static const char code[] = "connection_lost", message[] = "\"the connection closed before the answer\"";
  const signalbox_answer answer = {
    .code = SIGNALBOX_CONNECTION_LOST, .code_word = {code, sizeof code - 1}, .message = {message, sizeof message - 1}};
  signalbox_call *all = (signalbox_call *)c;
  /* Callbacks may ask again: those are not of this connection. */
  uint64_t last = all->count;
  for (request **at = &all->first; *at != NULL && (*at)->id <= last;) {
    if ((*at)->repeats || !(was_open || is_call(all))) {
      at = &(*at)->next;
    } else {
      end_request(all, at, &answer);
    }
  }
}

static void free_requests(connection *c) {
  signalbox_call *all = (signalbox_call *)c;
  while (all->first != NULL) end_request(all, &all->first, NULL);
}

static const role request_role = {greet_with_requests, take_answer, lose_requests, free_requests};

static signalbox_call *add_requests(signalbox *client, signalbox_output_function *output) {
  signalbox_call *all = add(client, sizeof *all, &request_role);
  all->last = &all->first;
  all->output = output;
  return all;
}

/* Sends a request, and frees its members. */
static void ask(
    signalbox_call *all, const char *op, char *members, bool repeats, signalbox_answer_function *answer,
    void *context) {
  request *r = made(sizeof *r);
  *r = (request){.id = ++all->count, .repeats = repeats, .answer = answer, .context = context};
  append(&r->text, "{\"op\":\"%s\",\"id\":%" PRIu64 "%s%s}\n", op, r->id, members ? "," : "", members ? members : "");
  free(members);
  *all->last = r;
  all->last = &r->next;
  all->connection.is_over = false;
  if (all->connection.descriptor >= 0) append(&all->connection.output, "%s", r->text.bytes);
  watch(&all->connection);
}

void signalbox_request(
    signalbox *client, const char *op, const char *fields, bool repeats, signalbox_answer_function *answer,
    void *context) {
  char *members = NULL;
  if (fields != NULL) copy(&members, text_of(fields));
  ask(client->requests, op, members, repeats, answer, context);
}

void signalbox_send(
    signalbox *client, const char *signal, const char *value, const char *message_id, signalbox_answer_function *answer,
    void *context) {
  char *members = MEMBERS({"signal", .string = signal}, {"value", .json = value}, {"message_id", .string = message_id});
  ask(client->requests, "send", members, message_id != NULL, answer, context);
}

void signalbox_send_values(
    signalbox *client, const char *signal, const char *values, const char *message_id,
    signalbox_answer_function *answer, void *context) {
  char *members =
    MEMBERS({"signal", .string = signal}, {"values", .json = values}, {"message_id", .string = message_id});
  ask(client->requests, "send", members, message_id != NULL, answer, context);
}

void signalbox_end(
    signalbox *client, const char *signal, const char *event, const char *error, const char *message_id,
    signalbox_answer_function *answer, void *context) {
  char *members = MEMBERS(
    {"signal", .string = signal}, {"event", .string = event}, {"error", .json = error},
    {"message_id", .string = message_id});
  ask(client->requests, "send", members, message_id != NULL, answer, context);
}

void signalbox_get(signalbox *client, const char *signal, signalbox_answer_function *answer, void *context) {
  ask(client->requests, "get", MEMBERS({"signal", .string = signal}), true, answer, context);
}

void signalbox_list(signalbox *client, const char *pattern, signalbox_answer_function *answer, void *context) {
  ask(client->requests, "list", MEMBERS({"pattern", .string = pattern}), true, answer, context);
}

void signalbox_describe(signalbox *client, const char *signal, signalbox_answer_function *answer, void *context) {
  ask(client->requests, "describe", MEMBERS({"signal", .string = signal}), true, answer, context);
}

void signalbox_ping(signalbox *client, signalbox_answer_function *answer, void *context) {
  signalbox_request(client, "ping", NULL, true, answer, context);
}

void signalbox_hello(signalbox *client, signalbox_answer_function *answer, void *context) {
  signalbox_request(client, "hello", "\"protocol\":1", true, answer, context);
}

signalbox_call *signalbox_call_action(
    signalbox *client, const char *action, const char *value, signalbox_output_function *output,
    signalbox_answer_function *done, void *context) {
  signalbox_call *call = add_requests(client, output);
  ask(call, "call", MEMBERS({"action", .string = action}, {"value", .json = value}), false, done, context);
  return call;
}

void signalbox_cancel(signalbox_call *call) { end(&call->connection); }

/* ---- Subscriptions: clients/README.md explains the state machine, which all libraries have. ---- */

/* How far the values of a signal have come. */
typedef struct place {
  struct place *next;
  char *signal, *epoch;
  uint64_t seq;     /* The last number that came, if has_seq; else all that is retained may still come. */
  uint64_t floor;   /* Without a value so far: the number above which none may be missing. */
  uint64_t reached; /* The number in the answer: all up to it have come when the subscription settles. */
  bool has_seq, ended;
} place;

struct signalbox_subscription {
  connection connection;
  char *signal, *members, *epoch;
  uint64_t replay, left, oldest;
  bool has_replay, is_name, is_thinned;
  bool has_begun, has_from, is_resumed, is_settled;
  place *places;
  signalbox_answer_function *begun; /* NULL once it was called. */
  signalbox_event_function *event;
  void *context;
};

static uint64_t base(const place *p) { return p->has_seq && p->seq > p->floor ? p->seq : p->floor; }

static void reach(place *p, uint64_t seq) {
  if (!p->has_seq || seq > p->seq) p->seq = seq;
  p->has_seq = true;
}

static void restart(place *p, signalbox_text epoch, uint64_t floor) {
  copy(&p->epoch, epoch);
  p->seq = 0, p->floor = floor;
  p->has_seq = p->ended = false;
}

/* Where the place of a signal is, or NULL is. */
static place **find(place **at, signalbox_text signal) {
  while (*at != NULL && !signalbox_is(signal, (*at)->signal)) at = &(*at)->next;
  return at;
}

static place *add_place(place **at, signalbox_text signal, signalbox_text epoch) {
  place *p = made(sizeof *p);
  copy(&p->signal, signal);
  restart(p, epoch, 0);
  p->next = *at;
  *at = p;
  return p;
}

static void remove_place(place **at) {
  place *p = *at;
  *at = p->next;
  free(p->signal);
  free(p->epoch);
  free(p);
}

static void tell(signalbox_subscription *s, signalbox_event event) {
  if (event.kind != SIGNALBOX_EVENT_OTHER) event.kind_word = text_of(event_words[event.kind]);
  if (!s->connection.is_dead) s->event(s->context, &event);
}

#define TELL(s, what, ...) tell(s, (signalbox_event){.kind = SIGNALBOX_EVENT_##what, __VA_ARGS__})

/* Tells that the values between the last one that came and this number are lost. */
static void tell_expired(signalbox_subscription *s, const place *p, uint64_t oldest) {
  TELL(s, EXPIRED, .signal = text_of(p->signal), .last = base(p), .oldest = oldest);
}

/* Tells it if values before this number cannot come any more. */
static void tell_missing(signalbox_subscription *s, const place *p, uint64_t seq) {
  if (!s->is_thinned && (p->has_seq || p->floor > 0) && seq > base(p) + 1) tell_expired(s, p, seq);
}

/* Hands over the first answer, if there is somebody who waits for it. */
static bool tell_begun(signalbox_subscription *s, const signalbox_answer *answer) {
  signalbox_answer_function *begun = s->begun;
  s->begun = NULL;
  if (begun != NULL) begun(s->context, answer);
  return begun != NULL;
}

static void subscribe(signalbox_subscription *s, bool with_places) {
  buffer *out = &s->connection.output;
  append(out, "{\"op\":\"subscribe\",\"id\":1,%s", s->members);
  if (s->left > 0) append(out, ",\"take\":%" PRIu64, s->left);
  if (s->has_replay && !s->has_begun) append(out, ",\"replay\":%" PRIu64, s->replay);
  s->has_from = false;
  for (place *p = s->places; p != NULL && with_places; p = p->next) {
    if (!p->has_seq) continue;
    if (s->is_name) {
      append(out, ",\"from\":%" PRIu64 ",\"epoch\":\"%s\"", p->seq, p->epoch);
    } else {
      append(out, s->has_from ? "," : ",\"from\":{");
      append(out, "\"%s\":{\"seq\":%" PRIu64 ",\"epoch\":\"%s\"}", p->signal, p->seq, p->epoch);
    }
    s->has_from = true;
  }
  append(out, s->has_from && !s->is_name ? "}}\n" : "}\n");
}

static void greet_with_subscription(connection *c) {
  append(&c->output, "{\"op\":\"hello\",\"id\":0,\"protocol\":1}\n");
  subscribe((signalbox_subscription *)c, true);
}

/* Where a signal begins that the answer names first. */
static void set_first_place(const signalbox_subscription *s, place *p, uint64_t seq) {
  if (seq == 0 || (s->has_replay && s->replay == 0)) return reach(p, seq);
  p->floor = seq;
  if (s->has_replay && !s->is_thinned && !s->is_resumed) reach(p, seq > s->replay ? seq - s->replay : 0);
}

/* Where one goes on that it names again. */
static void go_on(signalbox_subscription *s, place *p, uint64_t seq, signalbox_text epoch) {
  if (s->has_from) return;
  if (!signalbox_is(epoch, p->epoch) || seq < base(p)) {
    restart(p, epoch, seq);
    TELL(s, RESTARTED, .signal = text_of(p->signal), .epoch = p->epoch);
  } else if (s->is_resumed && s->is_thinned && seq > base(p)) {
    tell_expired(s, p, s->oldest);
    /* Another break must not tell it again. */
    reach(p, s->oldest > base(p) ? s->oldest - 1 : base(p));
  }
}

static void begin(signalbox_subscription *s, const object *line) {
  append(&s->connection.output, "{\"op\":\"ping\",\"id\":2}\n");
  s->is_resumed = s->has_begun;
  s->has_begun = true;
  s->is_settled = false;
  tell_begun(s, &(signalbox_answer){.line = line->text});
  place *old = s->places;
  s->places = NULL;
  signalbox_text rest = line->members[SIGNALS], element;
  while ((element = signalbox_element(&rest)).start != NULL) {
    object told = object_of(element);
    signalbox_text signal = word(&told, SIGNAL), epoch = word(has(&told, EPOCH) ? &told : line, EPOCH);
    uint64_t seq = number(&told, SEQ);
    if (epoch.start == NULL) epoch = text_of(s->epoch);
    place **at = find(&old, signal), *p = *at;
    if (p == NULL) {
      p = add_place(&s->places, signal, epoch);
      set_first_place(s, p, seq);
      if (s->is_resumed && !s->is_name) TELL(s, SUBSCRIBED, .signal = signal, .seq = seq, .epoch = p->epoch);
    } else {
      *at = p->next;
      p->next = s->places;
      s->places = p;
      go_on(s, p, seq, epoch);
    }
    p->reached = seq;
  }
  for (; old != NULL; remove_place(&old)) {
    if (!old->ended) TELL(s, INTERRUPTED, .signal = text_of(old->signal), .reason = text_of("removed"));
  }
}

/* Takes note that all that was retained has come. */
static void settle(signalbox_subscription *s) {
  s->is_settled = true;
  for (place *p = s->places; p != NULL; p = p->next) {
    tell_missing(s, p, p->reached + 1);
    reach(p, p->reached);
    p->floor = 0;
  }
}

/* Whether the connection is still of use. */
static bool refuse(signalbox_subscription *s, const object *line) {
  signalbox_answer answer = answer_of(line);
  enum signalbox_code code = answer.code;
  bool is_of_from = code == SIGNALBOX_EXPIRED || code == SIGNALBOX_BAD_REQUEST || code == SIGNALBOX_TOO_LONG;
  if (s->has_from && is_of_from && !signalbox_is(word(line, OP), "hello")) {
    /* Ask for all that is retained: what had come is passed over, and numbers tell what is missing. */
    object error = object_of(line->members[ERROR]);
    s->oldest = has(&error, EPOCH) ? 0 : number(&error, OLDEST);
    subscribe(s, false);
    return true;
  }
  bool is_passing = code == SIGNALBOX_UNAVAILABLE || code == SIGNALBOX_STORAGE;
  if (code == SIGNALBOX_TOO_MANY || code == SIGNALBOX_SHUTTING_DOWN || is_passing) return false;
  finish(&s->connection);
  if (!tell_begun(s, &answer)) {
    signalbox_text reason = code == SIGNALBOX_UNKNOWN_SIGNAL ? text_of("removed") : answer.code_word;
    TELL(s, INTERRUPTED, .signal = text_of(s->signal), .reason = reason);
  }
  return true;
}

/* Takes note of an event, and says whether it is told. */
static bool takes(signalbox_subscription *s, place *p, signalbox_event *event, signalbox_text epoch) {
  bool is_catching_up = s->is_resumed && !s->is_settled;
  switch (event->kind) {
    case SIGNALBOX_EVENT_NEXT:
      if (p->has_seq && event->seq <= p->seq) return false;
      tell_missing(s, p, event->seq);
      reach(p, event->seq);
      p->floor = 0;
      p->ended = false;
      return true;
    case SIGNALBOX_EVENT_COMPLETED:
    case SIGNALBOX_EVENT_FAILED:
    case SIGNALBOX_EVENT_INTERRUPTED:
      /* A signal has not ended with the daemon: the next one goes on with it. */
      if (signalbox_is(event->reason, "shutting_down") || p->ended) return false;
      p->ended = true;
      if (s->is_name) finish(&s->connection);
      return true;
    case SIGNALBOX_EVENT_LAGGED:
      if (!p->has_seq) {
        p->floor = 0;
        return true;
      }
      p->seq += event->dropped;
      return !is_catching_up || p->seq > p->floor;
    case SIGNALBOX_EVENT_RENEWED:
      if (is_catching_up) {
        restart(p, epoch, p->reached);
        event->kind = SIGNALBOX_EVENT_RESTARTED;
      } else {
        copy(&p->epoch, epoch);
      }
      return true;
    case SIGNALBOX_EVENT_SUBSCRIBED:
      restart(p, epoch, 0);
      reach(p, event->seq);
      return true;
    case SIGNALBOX_EVENT_ALIVE:
      if (s->is_settled) reach(p, event->seq);
      return true;
    default: return true;
  }
}

static void take_event(signalbox_subscription *s, const object *line) {
  signalbox_event event = {
    .kind = (enum signalbox_event_kind)index_of(word(line, EVENT), event_words, COUNT(event_words)),
    .kind_word = word(line, EVENT), .signal = word(line, SIGNAL), .seq = number(line, SEQ),
    .value = line->members[VALUE], .at = word(line, AT), .error = line->members[ERROR], .reason = word(line, REASON),
    .dropped = number(line, DROPPED)};
  signalbox_text epoch = has(line, EPOCH) ? word(line, EPOCH) : text_of(s->epoch);
  if (event.signal.start == NULL) return;
  if (event.kind == SIGNALBOX_EVENT_ENDED) {
    finish(&s->connection);
    return tell(s, event);
  }
  place **at = find(&s->places, event.signal), *p = *at;
  if (p == NULL) p = add_place(at, event.signal, epoch);
  if (!takes(s, p, &event, epoch)) return;
  event.epoch = p->epoch;
  tell(s, event);
  if (event.kind == SIGNALBOX_EVENT_NEXT && s->left > 0 && --s->left == 0) {
    finish(&s->connection);
    TELL(s, ENDED, .signal = text_of(s->signal), .reason = text_of("take"));
  }
  if (event.kind == SIGNALBOX_EVENT_INTERRUPTED && event.reason.start != NULL) remove_place(at);
}

static bool take_line(connection *c, const object *line) {
  signalbox_subscription *s = (signalbox_subscription *)c;
  signalbox_text reply = word(line, REPLY);
  if (has(line, EVENT)) {
    /* The signal has not ended; but this connection may stay open, and would tell no more of it. */
    if (signalbox_is(word(line, REASON), "restarted")) return false;
    take_event(s, line);
  } else if (has(line, ERROR)) {
    return refuse(s, line);
  } else if (signalbox_is(reply, "hello")) {
    copy(&s->epoch, word(line, EPOCH));
  } else if (signalbox_is(reply, "subscribe")) {
    begin(s, line);
  } else if (signalbox_is(reply, "ping")) {
    settle(s);
  }
  return true;
}

static void free_subscription(connection *c) {
  signalbox_subscription *s = (signalbox_subscription *)c;
  while (s->places != NULL) remove_place(&s->places);
  free(s->signal);
  free(s->members);
  free(s->epoch);
}

static const role subscription_role = {greet_with_subscription, take_line, NULL, free_subscription};

static void set_position(signalbox_subscription *s, signalbox_text position) {
  signalbox_text signal, value;
  while (next_member(&position, &signal, &value)) {
    object last = object_of(value);
    reach(add_place(&s->places, signal, word(&last, EPOCH)), number(&last, SEQ));
    s->has_begun = true;
  }
}

signalbox_subscription *signalbox_subscribe(
    signalbox *client, const char *signal, const signalbox_subscribe_options *options,
    signalbox_answer_function *begun, signalbox_event_function *event, void *context) {
  signalbox_subscription *s = add(client, sizeof *s, &subscription_role);
  const signalbox_subscribe_options none = {0};
  if (options == NULL) options = &none;
  copy(&s->signal, text_of(signal));
  copy(&s->epoch, text_of(""));
  s->members = MEMBERS(
    {"signal", .string = signal}, {"where", .string = options->where}, {"every", .string = options->every},
    {"heartbeat", .string = options->heartbeat}, {"overflow", .string = options->overflow},
    {"timestamps", .json = options->timestamps ? "true" : NULL});
  s->is_name = strchr(signal, '*') == NULL;
  s->is_thinned = options->where != NULL || options->every != NULL;
  s->has_replay = options->has_replay, s->replay = options->replay;
  s->left = options->take;
  s->begun = begun, s->event = event, s->context = context;
  if (options->position != NULL) set_position(s, text_of(options->position));
  return s;
}

void signalbox_unsubscribe(signalbox_subscription *s) { end(&s->connection); }

static void set_paused(connection *c, bool is_paused) {
  c->is_paused = is_paused;
  watch(c);
}

void signalbox_pause(signalbox_subscription *s) { set_paused(&s->connection, true); }

void signalbox_resume(signalbox_subscription *s) { set_paused(&s->connection, false); }

bool signalbox_is_over(const signalbox_subscription *s) { return s->connection.is_over; }

/* ---- Clients ---- */

signalbox *signalbox_new(const char *path, unsigned backoff, unsigned longest_backoff) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path == NULL) path = getenv("SIGNALBOX_SOCKET");
  if (path == NULL || *path == 0) path = SIGNALBOX_DEFAULT_SOCKET;
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  strcpy(address.sun_path, path);
  int descriptor = epoll_create1(EPOLL_CLOEXEC);
  if (descriptor < 0) return NULL;
  bool is_default = backoff == 0 && longest_backoff == 0;
  signalbox *client = made(sizeof *client);
  *client = (signalbox){
    .address = address, .descriptor = descriptor, .backoff = is_default ? 100 : backoff,
    .longest_backoff = is_default ? 10000 : longest_backoff};
  client->requests = add_requests(client, NULL);
  client->requests->connection.is_over = true;
  return client;
}

void signalbox_free(signalbox *client) {
  for (size_t i = 0; i < client->count; i++) destroy(client->connections[i]);
  close(client->descriptor);
  free(client->connections);
  free(client);
}
