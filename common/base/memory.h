// SPDX-License-Identifier: MIT
/* Memory: the limit, an account of the memory in use, and the memory that a run needs, which is
 * compared with both before anything is allocated.
 *
 * There is one account for the process. It counts every block of MEMORY_COUNTED bytes or more that
 * the functions below hand out: graphs while they are read and built, matrices, workspaces,
 * buffers. It does not count code, libraries, stacks and smaller objects, some MB together. An
 * allocation that would take the account over the limit fails. */
#ifndef COMMON_BASE_MEMORY_H
#define COMMON_BASE_MEMORY_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>

enum { MEMORY_COUNTED = 1 << 16 };

/* Sources of the limit. */
enum memory_limiter {
    MEMORY_BY_MACHINE,       /* physical memory of the machine */
    MEMORY_BY_CGROUP,        /* the container: memory.max or memory.high of the process's control
                                group or of one around it, in version 1 memory.limit_in_bytes */
    MEMORY_BY_ADDRESS_SPACE, /* RLIMIT_AS */
    MEMORY_BY_DATA,          /* RLIMIT_DATA */
    MEMORY_BY_VARIABLE,      /* the environment variable APSP_MEMORY_LIMIT */
    MEMORY_LIMITERS,
};

struct memory_limit {
    uint64_t bytes;
    enum memory_limiter by;
};

/* Finds the smallest of all limits to the account. The environment variable APSP_MEMORY_LIMIT
 * limits the account itself. It is a positive number of bytes, or of KiB, MiB, GiB or TiB with the
 * suffix K, M, G or T, which "iB" may follow; any other text that is not empty is STATUS_BAD_INPUT.
 * The other limits hold for the whole process, so the function subtracts the memory that the
 * process holds outside the account: mapped memory from RLIMIT_AS and RLIMIT_DATA, the stacks of
 * future threads from RLIMIT_AS, resident memory that belongs to no file from the machine's memory
 * and a control group's limit, and a 256th of the latter for the kernel's page tables. A process
 * reads its control groups once. */
enum status memory_limit_find(struct memory_limit *limit, struct error *err);

/* Returns the name of a limit in one word, for programs: "machine", "cgroup", "RLIMIT_AS",
 * "RLIMIT_DATA", "APSP_MEMORY_LIMIT". */
const char *memory_limiter_name(enum memory_limiter by);

/* Returns the lowest limit of the process's control groups, of either version; UINT64_MAX if there
 * is none. `root` is put before every path: "", or for tests a folder with proc/self/cgroup,
 * proc/self/mountinfo and the mounted files. A file that cannot be read or understood sets no
 * limit. */
uint64_t memory_cgroup_limit(const char *root);

/* memory_held returns the bytes in the account, memory_peak their largest number so far, and
 * memory_room the bytes that the limit leaves, 0 if the limit is malformed. */
uint64_t memory_held(void);
uint64_t memory_peak(void);
uint64_t memory_room(void);

/* A part of the memory that a run needs. */
struct memory_part {
    const char *what; /* purpose, for messages: "for 2 matrices", "to solve" */
    uint64_t bytes;
    int held; /* not 0: the account counts the part already */
};

/* STATUS_NO_RESOURCE if the parts together do not fit. The message begins with `name` and the n
 * vertices, and names the limit, all parts that are not empty and, if the parts alone would fit,
 * the other memory in use. STATUS_BAD_INPUT if the limit is malformed. */
enum status memory_check(const char *name, int64_t n, const struct memory_part *parts, int count,
                         struct error *err);

/* Returns the bytes of the account plus those of all parts that are not yet held. */
uint64_t memory_needed(const struct memory_part *parts, int count);

/* Return a + b and a * b; UINT64_MAX if the result overflows. */
uint64_t memory_add(uint64_t a, uint64_t b);
uint64_t memory_times(uint64_t a, uint64_t b);

/* Writes an amount for messages, such as "149.0 GiB", into `text` of `size` bytes; returns text. */
char *memory_amount(uint64_t bytes, char *text, size_t size);

static inline double memory_gib(uint64_t bytes) {
    return (double)bytes / (1 << 30);
}

/* Allocates count * size bytes, uninitialised and 64-byte aligned. The caller releases them with
 * memory_free(). On success *out is never NULL, even if count is 0. STATUS_NO_RESOURCE, with a
 * message that names `what`, if memory is short. */
enum status memory_alloc(void **out, size_t count, size_t size, const char *what,
                         struct error *err);

/* Resizes a block of memory_alloc, or a new one if *block is NULL, to count * size bytes and keeps
 * its content. The result is aligned as malloc aligns. During the call the account counts both the
 * old and the new size. A failure leaves *block unchanged. */
enum status memory_resize(void **block, size_t count, size_t size, const char *what,
                          struct error *err);

/* Frees a block of memory_alloc or memory_resize; NULL is allowed. */
void memory_free(void *block);

/* Returns freed memory to the system, where the C library can (glibc). Otherwise malloc keeps up to
 * 64 MiB of it for each thread that has allocated, beside the account. */
void memory_trim(void);

/* Add memory that was allocated by other means to the account, and remove it. */
enum status memory_reserve(size_t bytes, const char *what, struct error *err);
void memory_release(size_t bytes);

/* Asks for huge pages for memory that has not been touched yet (Linux: transparent huge pages,
 * "madvise"), as memory_alloc does itself for large blocks on machines with many cores, where
 * threads that touch fresh memory wait for one another in the system. Huge pages help if distant
 * cells are used together, because the CPU then misses its TLB less often. First touches may take
 * longer, because the system clears whole pages. */
void memory_prefer_huge_pages(void *start, size_t bytes);

#endif
