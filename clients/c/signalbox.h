/* A client of the signalbox daemon: it follows and feeds signals, and loses nothing.
 *
 * Everything happens in one thread, in signalbox_process, which calls back and never waits. In a loop of your own, poll
 * signalbox_fd for reading, for signalbox_timeout at most, and then call signalbox_process; signalbox_run does that for
 * programs without one. Callbacks may call any function but signalbox_process, signalbox_run and signalbox_free. Texts that
 * they are given last until they return.
 *
 * Values are JSON, as they travel. If there is no memory left, the program is aborted.
 */
#ifndef SIGNALBOX_H
#define SIGNALBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIGNALBOX_DEFAULT_SOCKET "/run/signalbox/signalbox.sock"

/* Begin of what clients/generate makes. */
/* The codes of errors. */
enum signalbox_code {
  SIGNALBOX_NONE, /* No error. */
  SIGNALBOX_BAD_JSON,
  SIGNALBOX_BAD_REQUEST,
  SIGNALBOX_UNKNOWN_OP,
  SIGNALBOX_UNKNOWN_SIGNAL,
  SIGNALBOX_UNKNOWN_ACTION,
  SIGNALBOX_NOT_AN_INPUT,
  SIGNALBOX_BAD_VALUE,
  SIGNALBOX_ENDED,
  SIGNALBOX_ALREADY_SUBSCRIBED,
  SIGNALBOX_NOT_SUBSCRIBED,
  SIGNALBOX_NO_VALUE,
  SIGNALBOX_UNKNOWN_GRAPH,
  SIGNALBOX_BAD_CONFIG,
  SIGNALBOX_FAILED,
  SIGNALBOX_DENIED,
  SIGNALBOX_DISABLED,
  SIGNALBOX_BUSY,
  SIGNALBOX_TOO_LONG,
  SIGNALBOX_TOO_DEEP,
  SIGNALBOX_TOO_MANY,
  SIGNALBOX_EXPIRED,
  SIGNALBOX_TIMEOUT,
  SIGNALBOX_STORAGE,
  SIGNALBOX_UNAVAILABLE,
  SIGNALBOX_HTTP,
  SIGNALBOX_CONNECT,
  SIGNALBOX_TLS,
  SIGNALBOX_TOO_LARGE,
  SIGNALBOX_SHUTTING_DOWN,
  SIGNALBOX_RESTARTED,
  SIGNALBOX_INTERNAL,
  SIGNALBOX_CONNECTION_LOST, /* Of the library: the connection closed before the answer. */
  SIGNALBOX_OTHER /* One that this version does not know. */
};

/* The kinds of events. */
enum signalbox_event_kind {
  SIGNALBOX_EVENT_NEXT, /* A value. */
  SIGNALBOX_EVENT_COMPLETED, /* The signal has ended. */
  SIGNALBOX_EVENT_FAILED, /* The signal has ended with an error. */
  SIGNALBOX_EVENT_INTERRUPTED, /* The signal has already ended its time. */
  SIGNALBOX_EVENT_LAGGED, /* This many values are missing here, because the client read too slowly or they are not retained. */
  SIGNALBOX_EVENT_RENEWED, /* The numbers go on in another epoch. */
  SIGNALBOX_EVENT_SUBSCRIBED, /* The pattern now covers this signal. */
  SIGNALBOX_EVENT_ENDED, /* The subscription has had its take. */
  SIGNALBOX_EVENT_ALIVE, /* The signal was quiet for the subscription's heartbeat. */
  SIGNALBOX_EVENT_EXPIRED, /* Values are lost: they were no longer retained when the connection was back. */
  SIGNALBOX_EVENT_RESTARTED, /* The numbers begin anew: the daemon was restarted, and what it had not kept is lost. */
  SIGNALBOX_EVENT_OTHER /* One that this version does not know. */
};

/* Their words in the protocol, in the same order. */
#define SIGNALBOX_CODE_WORDS \
  "none", "bad_json", "bad_request", "unknown_op", "unknown_signal", "unknown_action", "not_an_input", "bad_value", \
  "ended", "already_subscribed", "not_subscribed", "no_value", "unknown_graph", "bad_config", "failed", "denied", \
  "disabled", "busy", "too_long", "too_deep", "too_many", "expired", "timeout", "storage", "unavailable", "http", \
  "connect", "tls", "too_large", "shutting_down", "restarted", "internal", "connection_lost"
#define SIGNALBOX_EVENT_WORDS \
  "next", "completed", "failed", "interrupted", "lagged", "renewed", "subscribed", "ended", "alive", "expired", \
  "restarted"
/* End of what clients/generate makes. */

/* A client, for one thread. */
typedef struct signalbox signalbox;
typedef struct signalbox_subscription signalbox_subscription;
typedef struct signalbox_call signalbox_call;

/* A part of a line; not ended by a NUL. */
typedef struct {
  const char *start; /* NULL where there is none. */
  size_t length;
} signalbox_text;

/* An answer. */
typedef struct {
  enum signalbox_code code;  /* SIGNALBOX_NONE if it is no error. */
  signalbox_text code_word;  /* As the daemon wrote it. */
  signalbox_text message;    /* The JSON of a string, for people. */
  signalbox_text line;       /* The whole line; see signalbox_member. */
} signalbox_answer;

/* What a subscription tells. Members that its kind does not have are empty. */
typedef struct {
  enum signalbox_event_kind kind;
  signalbox_text kind_word;
  signalbox_text signal;
  uint64_t seq;         /* Keep it with the epoch beside what you do with the value, and a later run can go on there. */
  const char *epoch;
  signalbox_text value; /* JSON, as its sender wrote it. */
  signalbox_text at;    /* When the value came, if that was asked for. */
  signalbox_text error; /* Of one that failed: {"code":…,"message":…} */
  signalbox_text reason;
  uint64_t dropped;     /* Of lagged: how many values are missing here. */
  uint64_t last;        /* Of expired: the last number that came, */
  uint64_t oldest;      /* and the first that is left; 0 if that is not known. */
} signalbox_event;

typedef void signalbox_answer_function(void *context, const signalbox_answer *answer);
typedef void signalbox_event_function(void *context, const signalbox_event *event);
/* An output of a call: JSON. */
typedef void signalbox_output_function(void *context, signalbox_text value);

/* Makes a client. Nothing happens before the first request.
 *
 * path: the daemon's socket; if it is NULL, $SIGNALBOX_SOCKET or SIGNALBOX_DEFAULT_SOCKET.
 * backoff, longest_backoff: the pauses between attempts to connect, in milliseconds; 0 and 0 for 100 and 10,000. Each is
 * twice as long as the one before, less a random part of up to one half.
 * Returns NULL, with errno, if there is no descriptor left or the path is too long for a socket. */
signalbox *signalbox_new(const char *path, unsigned backoff, unsigned longest_backoff);
/* Closes all connections. Nobody is called back, and all subscriptions and calls are gone. Not from a callback. */
void signalbox_free(signalbox *client);

/* The descriptor to poll for reading. */
int signalbox_fd(const signalbox *client);
/* After how many milliseconds signalbox_process must be called at the latest; -1 for never. */
int signalbox_timeout(const signalbox *client);
/* Does what there is to do, without waiting. */
void signalbox_process(signalbox *client);
/* Waits for so many milliseconds at most, or for ever with -1, and processes what has come. */
void signalbox_run(signalbox *client, int milliseconds);

/* Sends a request as docs/protocol.md has it. `fields` are further members, `"signal":"a.b"`, or NULL. If it repeats, it is
 * sent again when a connection ended before its answer, else that is SIGNALBOX_CONNECTION_LOST. `answer` may be NULL. */
void signalbox_request(
    signalbox *client, const char *op, const char *fields, bool repeats, signalbox_answer_function *answer,
    void *context);
/* Sends a value. A message_id that is not NULL names the message, so that a durable graph takes it once: it is sent again
 * until the daemon has answered. Without it SIGNALBOX_CONNECTION_LOST says that nobody knows whether it arrived. */
void signalbox_send(
    signalbox *client, const char *signal, const char *value, const char *message_id, signalbox_answer_function *answer,
    void *context);
/* Sends several values, a JSON array, with no other client's value between. */
void signalbox_send_values(
    signalbox *client, const char *signal, const char *values, const char *message_id,
    signalbox_answer_function *answer, void *context);
/* Ends a signal: "completed", "interrupted", or "failed" with an error {"code":…,"message":…}, else NULL. */
void signalbox_end(
    signalbox *client, const char *signal, const char *event, const char *error, const char *message_id,
    signalbox_answer_function *answer, void *context);
/* The value that a signal holds, as "value" of the line; SIGNALBOX_NO_VALUE if there is none. */
void signalbox_get(signalbox *client, const char *signal, signalbox_answer_function *answer, void *context);
/* The signals that the client may see, as "signals" of the line; all, if the pattern is NULL. */
void signalbox_list(signalbox *client, const char *pattern, signalbox_answer_function *answer, void *context);
void signalbox_describe(signalbox *client, const char *signal, signalbox_answer_function *answer, void *context);
/* Answered when everything that was sent before has been carried out. */
void signalbox_ping(signalbox *client, signalbox_answer_function *answer, void *context);
void signalbox_hello(signalbox *client, signalbox_answer_function *answer, void *context);

/* Calls an action; `value` is JSON or NULL. `done` is called once, after the outputs, and the call is then gone. */
signalbox_call *signalbox_call_action(
    signalbox *client, const char *action, const char *value, signalbox_output_function *output,
    signalbox_answer_function *done, void *context);
/* Ends the program that runs; nobody is called back any more. Not after `done`. */
void signalbox_cancel(signalbox_call *call);

/* Which values are wanted. */
typedef struct {
  bool has_replay;
  uint64_t replay;       /* How many retained values come first, if has_replay; else all. */
  uint64_t take;         /* End after so many values, if it is not 0. */
  const char *where;     /* An expression: only values for which it is true. */
  const char *every;     /* A duration such as "500ms": at most one value in that time, the newest. */
  const char *heartbeat; /* A duration, after which a quiet signal says alive. */
  const char *overflow;  /* "drop_oldest", "drop_newest", "latest", "block" or "disconnect" */
  bool timestamps;
  const char *position;  /* Where to go on: {"SIGNAL":{"seq":N,"epoch":"E"},…} of events of an earlier run. */
} signalbox_subscribe_options;

/* Subscribes to a signal or a pattern. `begun` is called when the daemon has answered, and `event` then. `options` and
 * `begun` may be NULL; without `begun` a refusal is told as interrupted. The subscription is there until
 * signalbox_unsubscribe, also when `event` or `begun` has told its end. It has a connection of its own. */
signalbox_subscription *signalbox_subscribe(
    signalbox *client, const char *signal, const signalbox_subscribe_options *options,
    signalbox_answer_function *begun, signalbox_event_function *event, void *context);
/* Ends a subscription: nobody is called back any more. */
void signalbox_unsubscribe(signalbox_subscription *subscription);
/* Takes no more events: the connection is not read, so that the daemon notices. */
void signalbox_pause(signalbox_subscription *subscription);
void signalbox_resume(signalbox_subscription *subscription);
/* Whether no more events can come. */
bool signalbox_is_over(const signalbox_subscription *subscription);

/* A member of a JSON object: empty if there is none. */
signalbox_text signalbox_member(signalbox_text object, const char *key);
/* The next element of a JSON array; `rest` begins as the array. Empty after the last one. Of an object, keys and values
 * come in turn. */
signalbox_text signalbox_element(signalbox_text *rest);
/* A whole number; 0 for anything else. */
uint64_t signalbox_number(signalbox_text text);
/* Writes the text of a JSON string, ended by a NUL, and returns its length, which may be more than there is room for.
 * Other JSON is written as it is. */
size_t signalbox_string(signalbox_text text, char *buffer, size_t size);
/* Writes a text as a JSON string, in the same way. */
size_t signalbox_quote(const char *text, char *buffer, size_t size);
/* Whether the text is this word. */
bool signalbox_is(signalbox_text text, const char *word);

#ifdef __cplusplus
}
#endif

#endif
