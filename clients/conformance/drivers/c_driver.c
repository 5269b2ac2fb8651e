/* The driver of the C library; README.md describes its language. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../c/signalbox.h"

/* A subscription, a call or a request. */
typedef struct thing {
  struct thing *next;
  char *name, *command;
  signalbox_subscription *subscription;
  signalbox_call *call;
} thing;

static signalbox *client;
static thing *things;

static char *owned(signalbox_text text) { return text.start ? strndup(text.start, text.length) : NULL; }

static char *string(signalbox_text text) {
  if (text.start == NULL) return NULL;
  size_t length = signalbox_string(text, NULL, 0);
  char *copy = malloc(length + 1);
  signalbox_string(text, copy, length + 1);
  return copy;
}

static void print_text(const char *key, signalbox_text text, const char *quote) {
  if (text.start != NULL) printf(",\"%s\":%s%.*s%s", key, quote, (int)text.length, text.start, quote);
}

static void end_line(void) {
  printf("}\n");
  fflush(stdout);
}

static void answered(void *context, const signalbox_answer *answer) {
  thing *one = context;
  if (answer->code != SIGNALBOX_NONE) {
    printf("{\"failed\":\"%s\",\"as\":\"%s\"", one->command, one->name);
    print_text("code", answer->code_word, "\"");
    return end_line();
  }
  printf("{\"did\":\"%s\",\"as\":\"%s\"", one->command, one->name);
  bool is_send = strcmp(one->command, "send") == 0, is_get = strcmp(one->command, "get") == 0;
  if (is_send || is_get) print_text("seq", signalbox_member(answer->line, "seq"), "");
  if (is_get) print_text("value", signalbox_member(answer->line, "value"), "");
  if (strcmp(one->command, "describe") == 0) print_text("kind", signalbox_member(answer->line, "kind"), "");
  if (strcmp(one->command, "hello") == 0) {
    print_text("server", signalbox_member(answer->line, "server"), "");
    print_text("protocol", signalbox_member(answer->line, "protocol"), "");
  }
  if (strcmp(one->command, "list") == 0) {
    printf(",\"signals\":[");
    signalbox_text rest = signalbox_member(answer->line, "signals"), element;
    for (bool first = true; (element = signalbox_element(&rest)).start != NULL; first = false) {
      signalbox_text name = signalbox_member(element, "signal");
      printf("%s%.*s", first ? "" : ",", (int)name.length, name.start);
    }
    printf("]");
  }
  end_line();
}

static void came(void *context, const signalbox_event *event) {
  thing *one = context;
  printf("{\"as\":\"%s\"", one->name);
  print_text("event", event->kind_word, "\"");
  print_text("signal", event->signal, "\"");
  print_text("value", event->value, "");
  print_text("at", event->at, "\"");
  print_text("error", event->error, "");
  print_text("reason", event->reason, "\"");
  switch (event->kind) {
    case SIGNALBOX_EVENT_NEXT:
    case SIGNALBOX_EVENT_SUBSCRIBED:
    case SIGNALBOX_EVENT_ALIVE: printf(",\"seq\":%llu", (unsigned long long)event->seq); break;
    case SIGNALBOX_EVENT_LAGGED: printf(",\"dropped\":%llu", (unsigned long long)event->dropped); break;
    case SIGNALBOX_EVENT_EXPIRED:
      printf(",\"from\":%llu,\"oldest\":%llu", (unsigned long long)event->last, (unsigned long long)event->oldest);
      break;
    case SIGNALBOX_EVENT_RESTARTED:
    case SIGNALBOX_EVENT_RENEWED: printf(",\"epoch\":\"%s\"", event->epoch); break;
    default: break;
  }
  end_line();
}

static void put_out(void *context, signalbox_text value) {
  printf("{\"as\":\"%s\",\"event\":\"next\"", ((thing *)context)->name);
  print_text("value", value, "");
  end_line();
}

static void subscribe(thing *one, signalbox_text line, const char *signal) {
  signalbox_text replay = signalbox_member(line, "replay");
  char *texts[5];
  const char *keys[] = {"where", "every", "heartbeat", "overflow"};
  for (int i = 0; i < 4; i++) texts[i] = string(signalbox_member(line, keys[i]));
  texts[4] = owned(signalbox_member(line, "position"));
  one->subscription = signalbox_subscribe(
    client, signal,
    &(signalbox_subscribe_options){
      .has_replay = replay.start != NULL, .replay = signalbox_number(replay),
      .take = signalbox_number(signalbox_member(line, "take")), .where = texts[0], .every = texts[1],
      .heartbeat = texts[2], .overflow = texts[3], .timestamps = signalbox_is(signalbox_member(line, "timestamps"), "true"),
      .position = texts[4]},
    answered, came, one);
  for (int i = 0; i < 5; i++) free(texts[i]);
}

static void send_content(thing *one, signalbox_text line, const char *signal) {
  char *id = string(signalbox_member(line, "message_id")), *event = string(signalbox_member(line, "event"));
  char *value = owned(signalbox_member(line, "value")), *values = owned(signalbox_member(line, "values"));
  char *error = owned(signalbox_member(line, "error"));
  if (values != NULL) {
    signalbox_send_values(client, signal, values, id, answered, one);
  } else if (event != NULL) {
    signalbox_end(client, signal, event, error, id, answered, one);
  } else {
    signalbox_send(client, signal, value, id, answered, one);
  }
  free(id), free(event), free(value), free(values), free(error);
}

static void carry_out(signalbox_text line) {
  char *command = string(signalbox_member(line, "do")), *name = string(signalbox_member(line, "as"));
  char *signal = string(signalbox_member(line, "signal"));
  bool is_connect = strcmp(command, "connect") == 0;
  if (is_connect || strcmp(command, "close") == 0) {
    if (client != NULL) signalbox_free(client);
    client = NULL;
    while (things != NULL) {
      thing *one = things;
      things = one->next;
      free(one->name), free(one->command), free(one);
    }
    if (is_connect) {
      signalbox_text bounds = signalbox_member(line, "backoff");
      unsigned first = (unsigned)signalbox_number(signalbox_element(&bounds));
      char *path = string(signalbox_member(line, "socket"));
      client = signalbox_new(path, first, (unsigned)signalbox_number(signalbox_element(&bounds)));
      free(path);
    }
    printf("{\"did\":\"%s\"", command);
    end_line();
  } else if (strcmp(command, "cancel") == 0 || strcmp(command, "pause") == 0 || strcmp(command, "resume") == 0) {
    thing *one = things;
    while (strcmp(one->name, name) != 0) one = one->next;
    if (*command == 'p') {
      signalbox_pause(one->subscription);
    } else if (*command == 'r') {
      signalbox_resume(one->subscription);
    } else if (one->subscription != NULL) {
      signalbox_unsubscribe(one->subscription);
    } else {
      signalbox_cancel(one->call);
    }
    printf("{\"did\":\"%s\",\"as\":\"%s\"", command, name);
    end_line();
  } else {
    thing *one = calloc(1, sizeof *one);
    one->next = things, one->name = strdup(name), one->command = strdup(command);
    things = one;
    if (strcmp(command, "subscribe") == 0) {
      subscribe(one, line, signal);
    } else if (strcmp(command, "send") == 0) {
      send_content(one, line, signal);
    } else if (strcmp(command, "get") == 0) {
      signalbox_get(client, signal, answered, one);
    } else if (strcmp(command, "list") == 0) {
      char *pattern = string(signalbox_member(line, "pattern"));
      signalbox_list(client, pattern, answered, one);
      free(pattern);
    } else if (strcmp(command, "describe") == 0) {
      signalbox_describe(client, signal, answered, one);
    } else if (strcmp(command, "ping") == 0) {
      signalbox_ping(client, answered, one);
    } else if (strcmp(command, "hello") == 0) {
      signalbox_hello(client, answered, one);
    } else if (strcmp(command, "call") == 0) {
      char *action = string(signalbox_member(line, "action")), *value = owned(signalbox_member(line, "value"));
      one->call = signalbox_call_action(client, action, value, put_out, answered, one);
      free(action), free(value);
    } else {
      abort();
    }
  }
  free(command), free(name), free(signal);
}

int main(void) {
  static char input[1 << 20];
  size_t length = 0;
  for (;;) {
    struct pollfd polled[] = {{.fd = 0, .events = POLLIN}, {.fd = client ? signalbox_fd(client) : -1, .events = POLLIN}};
    poll(polled, 2, client ? signalbox_timeout(client) : -1);
    if (polled[0].revents != 0) {
      ssize_t count = read(0, input + length, sizeof input - length);
      if (count <= 0) break;
      length += (size_t)count;
      char *end;
      while ((end = memchr(input, '\n', length)) != NULL) {
        carry_out((signalbox_text){input, (size_t)(end - input)});
        length -= (size_t)(end + 1 - input);
        memmove(input, end + 1, length);
      }
    }
    if (client != NULL) signalbox_process(client);
  }
  if (client != NULL) signalbox_free(client);
  return 0;
}
