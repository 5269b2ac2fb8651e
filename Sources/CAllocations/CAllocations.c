// Counts calls of malloc and its kin, which it hands on to glibc.
#include "CAllocations.h"
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Atomic _Bool is_counting;
static _Atomic uint64_t allocations;

static void count(void) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed))
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

void signalbox_count_allocations(void) {
  atomic_store(&allocations, 0);
  atomic_store(&is_counting, 1);
}

uint64_t signalbox_counted_allocations(void) {
  atomic_store(&is_counting, 0);
  return atomic_load(&allocations);
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block == NULL ? 12 : 0;
}

uint64_t signalbox_allocated_bytes(void) { return mallinfo2().uordblks; }
