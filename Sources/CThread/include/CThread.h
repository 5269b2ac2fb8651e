#ifndef C_THREAD_H
#define C_THREAD_H
#include <stdint.h>
/// The thread pointer of the calling thread (what pthread_self() returns): unique among live threads, never zero, one instruction to read.
static inline uintptr_t signalbox_thread_pointer(void) { return (uintptr_t)__builtin_thread_pointer(); }
#endif
