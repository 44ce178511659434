/* Allocation that is bounded by what the machine has. */
#ifndef COMMON_MEMORY_H
#define COMMON_MEMORY_H

#include "common/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>

/* Bytes the programs may plan with: the machine's physical memory, or the
 * environment variable APSP_MEMORY_LIMIT (bytes) where it is set, for machines
 * whose memory grows on demand or is shared. */
uint64_t memory_limit(void);

/* Refuses a plan of `matrices` n x n int32 matrices that the machine cannot
 * hold, before anything is allocated. n may be any non-negative number. */
enum status memory_check(int64_t n, int matrices, const char *what, struct error *err);

/* count * size bytes, uninitialised, 64-byte aligned, to be released with
 * free(). Fails with STATUS_NO_RESOURCE, naming `what`; never returns NULL in
 * *out on success, even for count 0. */
enum status memory_alloc(void **out, size_t count, size_t size, const char *what,
                         struct error *err);

/* Asks for huge pages for memory that is not yet touched, where the system gives
 * them to who asks (Linux: transparent huge pages, "madvise"). For cells far apart
 * that are worked on together, whose addresses the CPU else looks up again and
 * again. First touches may take longer: the pages must be found, and cleared, whole. */
void memory_prefer_huge_pages(void *start, size_t bytes);

#endif
