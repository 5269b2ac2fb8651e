#define _GNU_SOURCE
#include "CThread.h"
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__thread uintptr_t signalbox_held __attribute__((tls_model("initial-exec"))) = 0;
__thread void *signalbox_farewell __attribute__((tls_model("initial-exec"))) = NULL;
__thread void *signalbox_keeper __attribute__((tls_model("initial-exec"))) = NULL;

// One cache line a word, so that two busy keys do not slow each other down.
enum { PARKING_PLACES = 64 };
static struct { _Alignas(64) _Atomic uint32_t ticket; } parking[PARKING_PLACES];

static _Atomic uint32_t *place(const void *key) {
  uintptr_t bits = (uintptr_t)key >> 4;
  bits ^= bits >> 7;
  return &parking[bits % PARKING_PLACES].ticket;
}

uint32_t signalbox_parking_ticket(const void *key) { return atomic_load(place(key)); }

void signalbox_park(const void *key, uint32_t ticket) {
  syscall(SYS_futex, place(key), FUTEX_WAIT_PRIVATE, ticket, NULL, NULL, 0);
}

void signalbox_unpark(const void *key) {
  atomic_fetch_add(place(key), 1);
  syscall(SYS_futex, place(key), FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static int64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t signalbox_wall_clock(void) { return nanoseconds(CLOCK_REALTIME); }

int64_t signalbox_monotonic_clock(void) { return nanoseconds(CLOCK_MONOTONIC); }

bool signalbox_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }
