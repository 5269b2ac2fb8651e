// The checks of types are macros that Swift does not see.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

// Wrappers of functions with variable arguments, which Swift cannot import. curl.h gives the argument type of each option.

static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

// The text is copied by the library.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

// The list stays the caller's; NULL sends none.
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

// The body is copied by the library.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t count) {
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

// Where the lines of the head and the bytes of the body go, with their owner; the message of an error goes to a buffer of
// CURL_ERROR_SIZE bytes.
static inline void ccurl_set_receiver(
    CURL *easy, curl_write_callback head, curl_write_callback body, void *owner, char *message) {
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, owner);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, owner);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, message);
}

static inline void ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
  curl_multi_setopt(multi, option, value);
}

// Sets the callbacks with which the library asks for descriptors to watch and for a time to be called at.
static inline void ccurl_multi_set_loop(
    CURLM *multi, curl_socket_callback watch, curl_multi_timer_callback set_timer, void *owner) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, owner);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, owner);
}

// The next transfer that has ended, and how; NULL where there is none.
static inline CURL *ccurl_next_ended(CURLM *multi, CURLcode *result) {
  int rest;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &rest))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

// Where an answer redirects to, as a whole address; NULL where it does not.
static inline const char *ccurl_redirection(CURL *easy) {
  char *address = NULL;
  curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &address);
  return address;
}

// The version of HTTP that was spoken: CURL_HTTP_VERSION_1_1, CURL_HTTP_VERSION_2_0.
static inline long ccurl_http_version(CURL *easy) {
  long version = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &version);
  return version;
}

// True if there was a connection, with TLS where the address asks for it.
static inline int ccurl_was_connected(CURL *easy) {
  curl_off_t time = 0;
  curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &time);
  return time > 0;
}

// The error of the system that kept a connection from being made; 0 if there was none.
static inline int ccurl_system_error(CURL *easy) {
  long number = 0;
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &number);
  return (int)number;
}

// The connections that were made for a transfer.
static inline long ccurl_new_connections(CURL *easy) {
  long count = 0;
  curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &count);
  return count;
}

static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
static inline int ccurl_poll_in(int what) { return what == CURL_POLL_IN || what == CURL_POLL_INOUT; }
static inline int ccurl_poll_out(int what) { return what == CURL_POLL_OUT || what == CURL_POLL_INOUT; }
static inline int ccurl_poll_removed(int what) { return what == CURL_POLL_REMOVE; }
static inline size_t ccurl_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline long ccurl_error_size(void) { return CURL_ERROR_SIZE; }
static inline curl_socket_t ccurl_no_socket(void) { return CURL_SOCKET_TIMEOUT; }
static inline void ccurl_resume(CURL *easy) { curl_easy_pause(easy, CURLPAUSE_CONT); }
