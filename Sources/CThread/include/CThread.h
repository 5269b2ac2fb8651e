#ifndef C_THREAD_H
#define C_THREAD_H
#include <stdbool.h>
#include <stdint.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

/// The thread pointer of the calling thread (what pthread_self() returns): unique among live threads, never zero, a
/// multiple of 16, one instruction to read.
static inline uintptr_t signalbox_thread_pointer(void) { return (uintptr_t)__builtin_thread_pointer(); }

/// The number of serialisation domains that the calling thread holds. Initial-exec, so that reading it is one instruction too.
extern __thread uintptr_t signalbox_held __attribute__((tls_model("initial-exec")));
static inline void signalbox_hold(void) { signalbox_held += 1; }
static inline void signalbox_release(void) { signalbox_held -= 1; }
static inline uintptr_t signalbox_held_count(void) { return signalbox_held; }

/// An object of the calling thread's, for as long as it is in it: the farewell that it is carrying out, or none.
extern __thread void *signalbox_farewell __attribute__((tls_model("initial-exec")));
static inline void *signalbox_present_farewell(void) { return signalbox_farewell; }
static inline void signalbox_set_farewell(void *farewell) { signalbox_farewell = farewell; }

/// Who keeps the memories of the operators that the calling thread builds, or none.
extern __thread void *signalbox_keeper __attribute__((tls_model("initial-exec")));
static inline void *signalbox_present_keeper(void) { return signalbox_keeper; }
static inline void signalbox_set_keeper(void *keeper) { signalbox_keeper = keeper; }

/// True on the thread that the program began with.
bool signalbox_is_main_thread(void);

/// True while the program has one thread, so that locks need no atomic instructions; the C library changes its answer before
/// another thread runs. Elsewhere than in glibc, as if there always were others.
static inline bool signalbox_has_one_thread(void) {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  return false;
#endif
}

/// A short rest inside a spin loop.
static inline void signalbox_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/// Sleeping and waking by key (any address), over a fixed table of futex words.
///
/// A waiter reads the ticket first, then makes sure that the one who lets go will see that there is a waiter, then parks:
/// a wake-up between the two changes the ticket and the sleep returns at once. Wake-ups without a reason happen.
uint32_t signalbox_parking_ticket(const void *key);
void signalbox_park(const void *key, uint32_t ticket);
void signalbox_unpark(const void *key);

/// The system's clock in nanoseconds since the epoch.
int64_t signalbox_wall_clock(void);

/// The clock that is never set, in nanoseconds since the system was started, suspensions left out.
int64_t signalbox_monotonic_clock(void);
#endif
