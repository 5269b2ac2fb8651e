#define _GNU_SOURCE
#include "CDescriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int signalbox_seal(int file) {
  return fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
}

int signalbox_seals(int file) { return fcntl(file, F_GET_SEALS); }

long signalbox_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, size_t number) {
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

long signalbox_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, size_t *number, int looks) {
  char control[CMSG_SPACE(signalbox_most_descriptors * sizeof(int))];
  struct iovec part = {bytes, count};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  *number = 0;
  ssize_t result = recvmsg(socket, &message, (looks ? MSG_PEEK : 0) | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  struct cmsghdr *header = result < 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    *number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(descriptors, CMSG_DATA(header), *number * sizeof(int));
  }
  // Without room for all of them this process has too many open.
  if (result >= 0 && message.msg_flags & MSG_CTRUNC) {
    for (size_t i = 0; i < *number; i++) close(descriptors[i]);
    *number = 0;
    errno = EMFILE;
    return -1;
  }
  return result;
}

int signalbox_birth(const char *path, uint64_t *inode, int64_t *nanoseconds) {
  struct statx status;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &status) == -1) return -1;
  *inode = status.stx_ino;
  *nanoseconds = 0;
  if (status.stx_mask & STATX_BTIME)
    *nanoseconds = (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
  return 0;
}
