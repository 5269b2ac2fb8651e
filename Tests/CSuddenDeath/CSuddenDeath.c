// Loaded into a daemon before all other libraries (LD_PRELOAD): it ends by SIGKILL at one of the steps by which it takes
// over the work of another process, the one whose number DEATH_AT says. Once it takes things out for good it lives.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static int steps, isOver;

static void step(void) {
  static int last = -1;
  if (last < 0) last = getenv("DEATH_AT") ? atoi(getenv("DEATH_AT")) : 0;
  if (!isOver && last > 0 && ++steps == last) kill(getpid(), SIGKILL);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
  if (flags & MSG_PEEK) {
    step();
  } else {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET) isOver = 1;
  }
  return NEXT(recvmsg)(socket, message, flags);
}

ssize_t pread(int file, void *buffer, size_t count, off_t place) {
  step();
  return NEXT(pread)(file, buffer, count, place);
}

int epoll_ctl(int poller, int operation, int file, struct epoll_event *event) {
  step();
  return NEXT(epoll_ctl)(poller, operation, file, event);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  step();
  return NEXT(open)(path, flags, mode);
}

int epoll_create1(int flags) {
  step();
  return NEXT(epoll_create1)(flags);
}

int setsockopt(int socket, int level, int option, const void *value, socklen_t size) {
  step();
  return NEXT(setsockopt)(socket, level, option, value, size);
}

int fsync(int file) {
  step();
  return NEXT(fsync)(file);
}

int fdatasync(int file) {
  step();
  return NEXT(fdatasync)(file);
}
