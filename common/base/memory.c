// SPDX-License-Identifier: MIT
#include "common/base/memory.h"

#include "common/base/memory_limit.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ALIGNMENT = 64,  /* bytes */
    LARGE = 2 << 20, /* bytes of the smallest block for which huge pages are requested */
    MANY_CORES = 8,  /* smallest number of processors on which huge pages are requested */
};

uint64_t memory_add(uint64_t a, uint64_t b) {
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t memory_times(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

char *memory_amount(uint64_t bytes, char *text, size_t size) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    enum { LAST = sizeof units / sizeof *units - 1 };
    int unit = 0;
    double amount = (double)bytes;
    for (; amount >= 1024 && unit < LAST; unit++)
        amount /= 1024;
    snprintf(text, size, unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
    return text;
}

/* The names of each limit in messages and for programs. */
static const struct {
    const char *sentence, *word;
} limiters[MEMORY_LIMITERS] = {
    [MEMORY_BY_MACHINE] = {"this machine has", "machine"},
    [MEMORY_BY_CGROUP] = {"this container (control group) may use", "cgroup"},
    [MEMORY_BY_ADDRESS_SPACE] = {"the limit of the address space (ulimit -v) leaves", "RLIMIT_AS"},
    [MEMORY_BY_DATA] = {"the limit of data (ulimit -d) leaves", "RLIMIT_DATA"},
    [MEMORY_BY_VARIABLE] = {"APSP_MEMORY_LIMIT allows", "APSP_MEMORY_LIMIT"},
};

const char *memory_limiter_name(enum memory_limiter by) {
    return limiters[by].word;
}

/* The account: bytes in use now, and their largest number so far. */
static _Atomic uint64_t held, peak;

uint64_t memory_held(void) {
    return atomic_load_explicit(&held, memory_order_relaxed);
}

uint64_t memory_peak(void) {
    return atomic_load_explicit(&peak, memory_order_relaxed);
}

uint64_t memory_room(void) {
    struct memory_limit limit;
    struct error ignored;
    const uint64_t now = memory_held();
    if (memory_limit_find(&limit, &ignored) != STATUS_OK || limit.bytes < now)
        return 0;
    return limit.bytes - now;
}

static void note_peak(uint64_t now) {
    uint64_t before = memory_peak();
    while (now > before && !atomic_compare_exchange_weak_explicit(
                               &peak, &before, now, memory_order_relaxed, memory_order_relaxed))
        ;
}

static void take(uint64_t bytes) {
    note_peak(atomic_fetch_add_explicit(&held, bytes, memory_order_relaxed) + bytes);
}

static void give(uint64_t bytes) {
    atomic_fetch_sub_explicit(&held, bytes, memory_order_relaxed);
}

uint64_t memory_needed(const struct memory_part *parts, int count) {
    uint64_t all = memory_held();
    for (int p = 0; p < count; p++) {
        if (!parts[p].held)
            all = memory_add(all, parts[p].bytes);
    }
    return all;
}

/* Appends a text to a line, cut to fit. */
static void append(char *line, size_t size, const char *text) {
    const size_t used = strlen(line);
    snprintf(line + used, size - used, "%s", text);
}

enum status memory_check(const char *name, int64_t n, const struct memory_part *parts, int count,
                         struct error *err) {
    enum { MAX_PARTS = 8 };
    struct memory_limit limit;
    const uint64_t needed = memory_needed(parts, count);
    /* Reading the system's files takes longer than a small solve, so it is left out for little
     * memory. */
    enum status status = needed - memory_held() < MEMORY_COUNTED ? memory_limit_quick(&limit, err)
                                                                 : memory_limit_find(&limit, err);
    if (status != STATUS_OK || needed <= limit.bytes)
        return status;

    struct memory_part shown_parts[MAX_PARTS];
    uint64_t other = memory_held();
    int shown = 0;
    for (int p = 0; p < count; p++) {
        if (parts[p].held)
            other -= parts[p].bytes < other ? parts[p].bytes : other;
        if (parts[p].bytes > 0 && shown < MAX_PARTS - 1)
            shown_parts[shown++] = parts[p];
    }
    if (needed - other <= limit.bytes) /* the parts alone would fit */
        shown_parts[shown++] = (struct memory_part){"for what else is held", other, 1};
    char line[sizeof err->text - 512] = "", amount[32];
    for (int p = 0; p < shown; p++) {
        append(line, sizeof line, p == 0 ? "" : p == shown - 1 ? " and " : ", ");
        append(line, sizeof line, memory_amount(shown_parts[p].bytes, amount, sizeof amount));
        append(line, sizeof line, " ");
        append(line, sizeof line, shown_parts[p].what);
    }
    return fail(err, STATUS_NO_RESOURCE, "%.300s: %lld vert%s %s; %s %s", name, (long long)n,
                n == 1 ? "ex needs" : "ices need", line, limiters[limit.by].sentence,
                memory_amount(limit.bytes, amount, sizeof amount));
}

enum status memory_reserve(size_t bytes, const char *what, struct error *err) {
    struct memory_limit limit;
    uint64_t before = memory_held();
    if (bytes < MEMORY_COUNTED)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_limit_quick(&limit, err));
    do {
        if (bytes <= limit.bytes && before <= limit.bytes - bytes)
            continue;
        char wanted[32], has[32], most[32];
        return fail(err, STATUS_NO_RESOURCE,
                    "out of memory: %s needs %s more than the %s that are held; %s %s", what,
                    memory_amount(bytes, wanted, sizeof wanted),
                    memory_amount(before, has, sizeof has), limiters[limit.by].sentence,
                    memory_amount(limit.bytes, most, sizeof most));
    } while (!atomic_compare_exchange_weak_explicit(&held, &before, before + bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    note_peak(before + bytes);
    return STATUS_OK;
}

void memory_release(size_t bytes) {
    if (bytes >= MEMORY_COUNTED)
        give(bytes);
}

/* Returns the bytes that the account counts for a block. The allocator knows the block's size,
 * which may be slightly larger than requested, so a block needs no header. */
static uint64_t counted(void *block) {
    const size_t size = block != NULL ? malloc_usable_size(block) : 0;
    return size >= MEMORY_COUNTED ? size : 0;
}

/* Replaces an amount in the account by another. */
static void settle(uint64_t is, uint64_t should_be) {
    if (should_be > is)
        take(should_be - is);
    else
        give(is - should_be);
}

static enum status bytes_of(size_t count, size_t size, size_t *bytes, const char *what,
                            struct error *err) {
    if (__builtin_mul_overflow(count, size, bytes) || *bytes > PTRDIFF_MAX - ALIGNMENT)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: %s is too large", what);
    *bytes = (*bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *bytes = *bytes > 0 ? *bytes : ALIGNMENT;
    return STATUS_OK;
}

static enum status refused(size_t bytes, const char *what, struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "out of memory: cannot allocate %zu bytes for %s", bytes,
                what);
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

/* Returns whether threads that touch fresh memory wait for one another in the system longer than it
 * takes to clear whole huge pages. On 16 cores huge pages make ordering and elimination of 11.5
 * million vertices a fifth faster; on 2 cores those of a million vertices take a tenth longer. */
static bool has_many_cores(void) {
    static _Atomic long cores;
    long known = atomic_load_explicit(&cores, memory_order_relaxed);
    if (known == 0) {
        known = sysconf(_SC_NPROCESSORS_ONLN);
        atomic_store_explicit(&cores, known, memory_order_relaxed);
    }
    return known >= MANY_CORES;
}

enum status memory_alloc(void **out, size_t count, size_t size, const char *what,
                         struct error *err) {
    size_t bytes;
    *out = NULL;
    RETURN_ON_FAILURE(bytes_of(count, size, &bytes, what, err));
    RETURN_ON_FAILURE(memory_reserve(bytes, what, err));
    *out = aligned_alloc(ALIGNMENT, bytes);
    settle(bytes >= MEMORY_COUNTED ? bytes : 0, counted(*out));
    if (*out != NULL && bytes >= LARGE && has_many_cores())
        memory_prefer_huge_pages(*out, bytes);
    return *out != NULL ? STATUS_OK : refused(bytes, what, err);
}

enum status memory_resize(void **block, size_t count, size_t size, const char *what,
                          struct error *err) {
    size_t bytes;
    const uint64_t before = counted(*block);
    enum status status = bytes_of(count, size, &bytes, what, err);
    const bool larger = status == STATUS_OK && bytes > before;
    if (larger)
        status = memory_reserve(bytes, what, err);
    if (status != STATUS_OK)
        return status;
    void *resized = realloc(*block, bytes);
    if (resized != NULL)
        *block = resized;
    settle(before + (larger && bytes >= MEMORY_COUNTED ? bytes : 0), counted(*block));
    return resized != NULL ? STATUS_OK : refused(bytes, what, err);
}

void memory_free(void *block) {
    give(counted(block));
    free(block);
}

void memory_trim(void) {
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}
