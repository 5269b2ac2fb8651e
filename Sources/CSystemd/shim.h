#ifndef SIGNALBOX_CSYSTEMD_H
#define SIGNALBOX_CSYSTEMD_H

#include <errno.h>
#include <getopt.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

// Functions of the C library that its headers show only to GNU programs, which Swift's module of it is not.
extern int fcntl(int, int, ...);
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int mkostemp(char *, int);
extern int __xpg_strerror_r(int, char *, size_t);
extern int pipe2(int *, int);
extern int memfd_create(const char *, unsigned int);
extern int pthread_setname_np(pthread_t, const char *);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

// A descriptor that is readable once a child has ended; the C library has it since 2.36.
static inline int signalbox_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// A child that has ended and that nobody has waited for, or 0.
static inline int signalbox_ended_child(void) {
  siginfo_t information = {0};
  return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0 ? information.si_pid : 0;
}

// The structure that SO_PEERCRED fills in (`struct ucred`, likewise hidden).
struct signalbox_ucred {
  int pid;
  unsigned int uid;
  unsigned int gid;
};

// The seals of a memory file (`fcntl(2)`), which the C library's headers show only to GNU programs.
static inline int signalbox_seal(int file) {
  return fcntl(file, 1033 /* F_ADD_SEALS */, 0xf /* SEAL, SHRINK, GROW, WRITE */);
}

static inline int signalbox_seals(int file) { return fcntl(file, 1034 /* F_GET_SEALS */); }

// The most descriptors that one message takes (SCM_MAX_FD).
enum { signalbox_most_descriptors = 253 };

// Sends a message with descriptors (`SCM_RIGHTS`), whose macros Swift does not see.
static inline ssize_t signalbox_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors,
                                                 size_t number) {
  char control[CMSG_SPACE(signalbox_most_descriptors * sizeof(int))];
  memset(control, 0, sizeof control);
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (number > 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(number * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(number * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, number * sizeof(int));
  }
  return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

// Receives one, or looks at it (`flags`); descriptors are closed in programs that this process starts.
static inline ssize_t signalbox_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors,
                                                    size_t *number, int flags) {
  char control[CMSG_SPACE(signalbox_most_descriptors * sizeof(int))];
  struct iovec part = {bytes, count};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  *number = 0;
  ssize_t result = recvmsg(socket, &message, flags | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  struct cmsghdr *header = result < 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    *number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(descriptors, CMSG_DATA(header), *number * sizeof(int));
  }
  if (result >= 0 && message.msg_flags & MSG_CTRUNC) {
    for (size_t i = 0; i < *number; i++) close(descriptors[i]);
    *number = 0;
    errno = EMFILE;
    return -1;
  }
  return result;
}

// The C library's option parser, without its variables: where `*next` is 0 it starts anew, and afterwards it is the
// index of the next argument; `*argument` is the option's, or NULL.
static inline int signalbox_getopt_long(int count, char *const *arguments, const char *letters,
                                        const struct option *options, int *next, const char **argument) {
  opterr = 0;
  optind = *next;
  int option = getopt_long(count, arguments, letters, options, NULL);
  *next = optind;
  *argument = optarg;
  return option;
}

#endif
