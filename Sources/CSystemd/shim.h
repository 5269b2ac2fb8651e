#ifndef SIGNALBOX_CSYSTEMD_H
#define SIGNALBOX_CSYSTEMD_H

#include <getopt.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
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

// A child that has ended and was not waited for, or 0.
static inline int signalbox_ended_child(void) {
  siginfo_t information = {0};
  return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0 ? information.si_pid : 0;
}

// Starts a program that the kernel sends `end` to when the calling thread ends in any way: its ID, or -1. It gets three
// descriptors as its standard streams, a process group of its own and default signals, and stays in the folder of its
// parent. Between fork and exec are only calls that are safe there (signal-safety(7)); a failed exec is the status 127.
static inline int signalbox_spawn_bound(int end, const char *path, char *const *words, char *const *variables,
                                        int input, int output, int errors) {
  int parent = getpid();
  int child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  dup2(input, 0);
  dup2(output, 1);
  dup2(errors, 2);
  syscall(SYS_close_range, 3U, ~0U, 0U);
  prctl(PR_SET_PDEATHSIG, end);
  // The parent may have ended before that.
  if (getppid() == parent) execve(path, words, variables);
  _exit(127);
}

// The structure that SO_PEERCRED fills in (`struct ucred`, likewise hidden).
struct signalbox_ucred {
  int pid;
  unsigned int uid;
  unsigned int gid;
};

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
