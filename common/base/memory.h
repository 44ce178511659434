// SPDX-License-Identifier: MIT
/* Memory: how much there may be, one account of what is held, and plans that are
 * compared with it before anything is allocated.
 *
 * The account is the process's. It holds every block of MEMORY_COUNTED bytes or
 * more that the functions below hand out: graphs while they are read and built,
 * matrices, workspaces, buffers. Code, libraries, stacks and smaller objects,
 * together some MB, are not in it. Nothing is allocated that would take it over the
 * limit. */
#ifndef COMMON_BASE_MEMORY_H
#define COMMON_BASE_MEMORY_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>

enum { MEMORY_COUNTED = 1 << 16 };

/* What sets the limit. */
enum memory_limiter {
    MEMORY_BY_MACHINE,       /* its physical memory */
    MEMORY_BY_CGROUP,        /* memory.max or memory.high of the process's control group or of one
                                around it, in version 1 memory.limit_in_bytes: a container's */
    MEMORY_BY_ADDRESS_SPACE, /* RLIMIT_AS */
    MEMORY_BY_DATA,          /* RLIMIT_DATA */
    MEMORY_BY_VARIABLE,      /* the environment variable APSP_MEMORY_LIMIT */
    MEMORY_LIMITERS,
};

struct memory_limit {
    uint64_t bytes;
    enum memory_limiter by;
};

/* The smallest of all limits to the account. APSP_MEMORY_LIMIT is one as it stands:
 * a positive number of bytes, or of KiB, MiB, GiB or TiB with the suffix K, M, G or T,
 * which "iB" may follow; STATUS_BAD_INPUT for any other text but an empty one. The other
 * limits are to the whole process, so what it holds beside the account is taken off:
 * what is mapped, of RLIMIT_AS and RLIMIT_DATA, and the stacks that threads will have,
 * of RLIMIT_AS; what is resident and no file's, of the machine and of a control group;
 * and of a group a 256th, for the kernel's page tables, which count there. Control
 * groups are looked up once in a process. */
enum status memory_limit_find(struct memory_limit *limit, struct error *err);

/* In a word, for programs that read it: "machine", "cgroup", "RLIMIT_AS",
 * "RLIMIT_DATA", "APSP_MEMORY_LIMIT". */
const char *memory_limiter_name(enum memory_limiter by);

/* The lowest limit of the control groups, of either version, that the process is in;
 * UINT64_MAX where there is none. `root` stands before every path that is read: "",
 * or for tests a folder with proc/self/cgroup, proc/self/mountinfo and what is mounted.
 * What cannot be read or understood limits nothing. */
uint64_t memory_cgroup_limit(const char *root);

/* Bytes in the account; the most that were in it at a time; what the limit leaves
 * beside it, 0 where the limit is malformed. */
uint64_t memory_held(void);
uint64_t memory_peak(void);
uint64_t memory_room(void);

/* A part of a plan. */
struct memory_part {
    const char *what; /* "for 2 matrices", "to solve" */
    uint64_t bytes;
    int held; /* not 0: it is in the account already */
};

/* Refuses a plan that does not fit: STATUS_NO_RESOURCE with a line that begins with
 * `name` and the n vertices that need it, and names all parts, the limit, and where
 * the parts alone would fit, what else is held. Parts of no bytes are not named. STATUS_BAD_INPUT
 * for a malformed limit. */
enum status memory_check(const char *name, int64_t n, const struct memory_part *parts, int count,
                         struct error *err);

/* The bytes of all parts that are not yet held, and of the whole account. */
uint64_t memory_needed(const struct memory_part *parts, int count);

/* a + b and a * b; UINT64_MAX where that is beyond counting. */
uint64_t memory_add(uint64_t a, uint64_t b);
uint64_t memory_times(uint64_t a, uint64_t b);

/* "149.0 GiB", into text of `size` bytes, for messages; returns text. */
char *memory_amount(uint64_t bytes, char *text, size_t size);

/* count * size bytes, uninitialised, 64-byte aligned, to be released with
 * memory_free(). Fails with STATUS_NO_RESOURCE, naming `what`; never returns NULL in
 * *out on success, even for count 0. */
enum status memory_alloc(void **out, size_t count, size_t size, const char *what,
                         struct error *err);

/* Makes a block of memory_alloc's (*block is NULL: a new one) one of count * size bytes
 * that begins with the same content, aligned as malloc aligns. While that happens both
 * are in the account. On failure *block is as it was. */
enum status memory_resize(void **block, size_t count, size_t size, const char *what,
                          struct error *err);

/* NULL is allowed. */
void memory_free(void *block);

/* For memory that comes from elsewhere. */
enum status memory_reserve(size_t bytes, const char *what, struct error *err);
void memory_release(size_t bytes);

/* Asks for huge pages for memory that is not yet touched, where the system gives
 * them to who asks (Linux: transparent huge pages, "madvise"). For cells far apart
 * that are worked on together, whose addresses the CPU else looks up again and
 * again. First touches may take longer: the pages must be found, and cleared, whole. */
void memory_prefer_huge_pages(void *start, size_t bytes);

#endif
