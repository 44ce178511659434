#include "common/memory.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

uint64_t memory_limit(void) {
    const char *text = getenv("APSP_MEMORY_LIMIT");
    if (text != NULL && *text != '\0') {
        char *end;
        unsigned long long bytes = strtoull(text, &end, 10);
        if (*end == '\0' && bytes > 0)
            return bytes;
    }
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_size <= 0)
        return UINT64_MAX;
    return (uint64_t)pages * (uint64_t)page_size;
}

enum status memory_check(int64_t n, int matrices, const char *what, struct error *err) {
    const double gib = 1024.0 * 1024.0 * 1024.0;
    uint64_t limit = memory_limit();
    uint64_t bytes;
    if (__builtin_mul_overflow((uint64_t)n, (uint64_t)n, &bytes) ||
        __builtin_mul_overflow(bytes, (uint64_t)matrices * sizeof(int32_t), &bytes) ||
        bytes > limit) {
        return fail(err, STATUS_NO_RESOURCE,
                    "%s: %lld vertices need %.1f GiB for %d matri%s, this machine has %.1f GiB",
                    what, (long long)n,
                    (double)n * (double)n * matrices * (double)sizeof(int32_t) / gib, matrices,
                    matrices == 1 ? "x" : "ces", (double)limit / gib);
    }
    return STATUS_OK;
}

enum status memory_alloc(void **out, size_t count, size_t size, const char *what,
                         struct error *err) {
    size_t bytes;
    *out = NULL;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - ALIGNMENT)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: %s is too large", what);
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *out = aligned_alloc(ALIGNMENT, bytes > 0 ? bytes : ALIGNMENT);
    if (*out == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: cannot allocate %zu bytes for %s",
                    bytes, what);
    return STATUS_OK;
}

void memory_prefer_huge_pages(void *start, size_t bytes) {
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)start;
    const uintptr_t from = (first + page - 1) / page * page, to = (first + bytes) / page * page;
    if (from < to)
        (void)madvise((char *)start + (from - first), to - from, MADV_HUGEPAGE);
#else
    (void)start, (void)bytes;
#endif
}
