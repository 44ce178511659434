// SPDX-License-Identifier: MIT
#include "elimination/order.h"

#include "common/base/memory.h" // memory_alloc

#include <string.h>

bool order_can_pay(int32_t n, int64_t entries) {
    /* Most entries for each vertex with which an order pays, as measured. In denser graphs, label
     * correcting, which relaxes heavy edges at most once, takes less time than a sweep over the
     * fewest edges that an elimination can leave. */
    enum { MAX_NEIGHBOURS = 64 };
    return entries / n <= MAX_NEIGHBOURS;
}

#ifdef APSP_AMD

#include <amd.h>

const char *order_missing(void) {
    return NULL;
}

/* Returns the number of entries that AMD works in: a copy of the pattern, with room to move
 * lists. */
static uint64_t room(int32_t n, uint64_t entries) {
    return memory_add(memory_add(entries, entries / 5), (uint64_t)n + 1);
}

enum { ARRAYS = 9 }; /* number of arrays of n numbers that AMD works in */

static bool is_narrow(int32_t n, uint64_t entries) {
    return room(n, entries) <= INT32_MAX;
}

static uint64_t bytes(int32_t n, uint64_t entries) {
    const uint64_t numbers = memory_add(room(n, entries), ARRAYS * (uint64_t)n);
    return memory_times(numbers, is_narrow(n, entries) ? sizeof(int) : sizeof(SuiteSparse_long));
}

uint64_t order_memory(int32_t n, int64_t m) {
    return bytes(n, 2 * (uint64_t)m);
}

/* Defines a function that calls AMD, for one type of AMD's numbers. */
#define DEFINE_FIND(name, integer, amd)                                                            \
    static void name(const struct pattern *p, void *memory, int32_t *vertex) {                     \
        const integer n = p->n, entries = (integer)p->first[p->n];                                 \
        const integer space = (integer)room(p->n, (uint64_t)entries);                              \
        integer *const lists = memory, *const start = lists + space, *const length = start + n;    \
        integer *const pivots = length + n, *const next = pivots + n, *const last = next + n;      \
        integer *const head = last + n, *const elements = head + n, *const degree = elements + n;  \
        integer *const work = degree + n;                                                          \
        for (integer v = 0; v < n; v++) {                                                          \
            start[v] = (integer)p->first[v];                                                       \
            length[v] = (integer)(p->first[v + 1] - p->first[v]);                                  \
        }                                                                                          \
        for (integer e = 0; e < entries; e++)                                                      \
            lists[e] = p->neighbour[e];                                                            \
        amd(n, start, lists, length, space, entries, pivots, next, last, head, elements, degree,   \
            work, NULL, NULL);                                                                     \
        for (integer at = 0; at < n; at++)                                                         \
            vertex[at] = (int32_t)last[at];                                                        \
    }
DEFINE_FIND(find_narrow, int, amd_2)
DEFINE_FIND(find_wide, SuiteSparse_long, amd_l2)

enum status order_find(const struct pattern *pattern, int32_t *vertex, struct error *err) {
    const uint64_t entries = (uint64_t)pattern->first[pattern->n];
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, bytes(pattern->n, entries), 1, "the order of elimination", err));
    (is_narrow(pattern->n, entries) ? find_narrow : find_wide)(pattern, memory, vertex);
    memory_free(memory);
    return STATUS_OK;
}

#else

const char *order_missing(void) {
    return "SuiteSparse's AMD";
}

uint64_t order_memory(int32_t n, int64_t m) {
    (void)n, (void)m;
    return 0;
}

enum status order_find(const struct pattern *pattern, int32_t *vertex, struct error *err) {
    (void)pattern, (void)vertex;
    return fail(err, STATUS_NO_RESOURCE,
                "expected a build with SuiteSparse's AMD, for the order of elimination; "
                "found one without it (AMD=0)");
}

#endif

bool order_is_available(void) {
    return order_missing() == NULL;
}

enum status order_left(const struct minimum_degree *md, int32_t *left, int64_t *entries,
                       struct error *err) {
    struct pattern rest = {0};
    void *memory = NULL;
    enum status status;
    TRY(minimum_degree_rest(md, &rest, err));
    *entries = rest.first[rest.n];
    TRY(memory_alloc(&memory, (size_t)rest.n, sizeof(int32_t), "the order", err));
    int32_t *const order = memory;
    TRY(order_find(&rest, order, err));
    for (int32_t k = 0; k < rest.n; k++)
        order[k] = left[order[k]];
    memcpy(left, order, (size_t)rest.n * sizeof *left);

cleanup:
    memory_free(memory);
    pattern_free(&rest);
    return status;
}
