#ifndef SIGNALBOX_CDESCRIPTORS_H
#define SIGNALBOX_CDESCRIPTORS_H

// Calls of the system that Swift cannot make: their parts are macros, or hidden from all but GNU programs.

#include <stddef.h>
#include <stdint.h>

// Sets all seals of a memory file (`fcntl(2)`), and gets them; -1 where it is none.
int signalbox_seal(int file);
int signalbox_seals(int file);

// The most descriptors that one message takes (SCM_MAX_FD).
enum { signalbox_most_descriptors = 253 };

// Sends a message with descriptors (`SCM_RIGHTS`) without waiting; -1 and `errno` where that fails.
long signalbox_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, size_t number);

// Receives one without waiting, or looks at it; descriptors are closed in programs that this process starts. There has
// to be room for the most descriptors.
long signalbox_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, size_t *number, int looks);

// The inode of a file and the nanosecond since 1970 at which it was made, or 0 where the file system does not say
// (`statx(2)`); links are not followed.
int signalbox_birth(const char *path, uint64_t *inode, int64_t *nanoseconds);

#endif
