#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H
#include <stdint.h>

/// How many blocks of memory the process has asked for so far. For benchmarks: linking this target replaces malloc.
uint64_t signalbox_allocations(void);

/// Bytes of all blocks that are in use.
uint64_t signalbox_allocated_bytes(void);

#endif
