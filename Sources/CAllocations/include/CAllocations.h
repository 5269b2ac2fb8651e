#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H
#include <stdint.h>

/// Begins to count the blocks of memory that the process asks for. For benchmarks: linking this target replaces malloc.
void signalbox_count_allocations(void);

/// The number of allocations since; none are counted while time is measured, since counting takes time too.
uint64_t signalbox_counted_allocations(void);

/// Bytes of all blocks that are in use.
uint64_t signalbox_allocated_bytes(void);

#endif
