// Counts references without atomic instructions while the program has one thread.
//
// A value on its way through a signal is retained and released about 20 times, and an atomic instruction takes as long as 20
// others. The C library knows of all threads, whoever starts them, and clears `__libc_single_threaded` before the first one runs:
// libstdc++ counts the references of its shared pointers in the same way.
//
// The linker sends the calls of `swift_retain` and its like here (`--wrap`, in Package.swift). Both forms are functions of the
// Swift runtime, and either may follow the other on the same object.
#include "CReferences.h"

#if defined(SIGNALBOX_WRAPS_REFERENCES) && defined(__x86_64__)
#include <stdint.h>
#include <sys/single_threaded.h>

// Not zero while there is one thread.
static const char *has_one_thread = &__libc_single_threaded;

void signalbox_count_references_atomically(void) {
  static const char never = 0;
  has_one_thread = &never;
}

#define WRAP(result, name, parameters, arguments)                                                     \
  result swift_nonatomic_##name parameters;                                                           \
  result __real_swift_##name parameters;                                                              \
  result __wrap_swift_##name parameters;                                                              \
  result __wrap_swift_##name parameters {                                                             \
    return *has_one_thread ? swift_nonatomic_##name arguments : __real_swift_##name arguments;        \
  }

WRAP(void *, retain, (void *object), (object))
WRAP(void, release, (void *object), (object))
WRAP(void *, retain_n, (void *object, uint32_t count), (object, count))
WRAP(void, release_n, (void *object, uint32_t count), (object, count))

#else
void signalbox_count_references_atomically(void) {}
#endif

#if defined(SIGNALBOX_WRAPS_REFERENCES) && defined(__aarch64__)
// The compiler may rely on these functions to preserve more registers than a C function does.
#define KEEP(name) __asm__(".globl __wrap_swift_" #name "\n__wrap_swift_" #name ": b __real_swift_" #name)

KEEP(retain);
KEEP(release);
KEEP(retain_n);
KEEP(release_n);
#endif
