#include <microhttpd.h>
#include <sys/socket.h>

// Things that Swift cannot import: functions with variable arguments, and macros with casts.

// The bounds that a server keeps to; see MHD_OPTION in microhttpd.h for each.
struct cmicrohttpd_limits {
  unsigned connections;
  unsigned timeout_seconds;
  size_t connection_memory;
};

// Decodes the percent-escapes of a text in place, and returns its new length.
typedef size_t (*cmicrohttpd_decode)(void *owner, struct MHD_Connection *connection, char *text);

// Starts a server that runs where its epoll descriptor is waited for, on a socket that listens already, which it then
// owns.
static inline struct MHD_Daemon *cmicrohttpd_start(
    int listener, struct cmicrohttpd_limits limits, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected, cmicrohttpd_decode decode,
    void *owner) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL, handle, owner,
      MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_NOTIFY_COMPLETED, completed, owner,
      MHD_OPTION_NOTIFY_CONNECTION, connected, owner, MHD_OPTION_UNESCAPE_CALLBACK, decode, owner,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.timeout_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.connection_memory, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}

static inline int cmicrohttpd_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline unsigned cmicrohttpd_connections(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info ? info->num_connections : 0;
}

static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// True if a notice is of a connection's beginning.
static inline int cmicrohttpd_begins(enum MHD_ConnectionNotificationCode notice) {
  return notice == MHD_CONNECTION_NOTIFY_STARTED;
}

// Returns the context that the connection callback stored.
static inline void *cmicrohttpd_kept(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static inline ssize_t cmicrohttpd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t cmicrohttpd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
static inline uint64_t cmicrohttpd_unknown_size(void) { return MHD_SIZE_UNKNOWN; }
