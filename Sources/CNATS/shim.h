#include <nats/nats.h>
#include <sys/syscall.h>
#include <unistd.h>

// A file in memory that no program inherits: Swift does not see memfd_create(2).
static inline int cnats_memory_file(void) { return (int)syscall(SYS_memfd_create, "credentials", 1U); }
