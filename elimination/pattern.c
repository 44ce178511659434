// SPDX-License-Identifier: MIT
#include "elimination/pattern.h"

#include "common/base/memory.h" // memory_alloc

#include <string.h>

uint64_t pattern_memory(int32_t n, int64_t m) {
    const uint64_t firsts = 2 * ((uint64_t)n + 1) * sizeof(int64_t);
    return memory_add(firsts, memory_times((uint64_t)m, 3 * sizeof(int32_t)));
}

/* The tails of the edges into each vertex, ascending: those of v are tail[first[v]] ..
 * tail[first[v + 1] - 1]. */
static void find_tails(const struct graph *g, int64_t *first, int32_t *tail) {
    memset(first, 0, ((size_t)g->n + 1) * sizeof *first);
    for (int64_t e = 0; e < g->m; e++)
        first[g->head[e]]++;
    int64_t sum = 0;
    for (int32_t v = 0; v <= g->n; v++) {
        const int64_t count = first[v];
        first[v] = sum;
        sum += count;
    }
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            tail[first[g->head[e]]++] = u;
    }
    for (int32_t v = g->n; v > 0; v--)
        first[v] = first[v - 1];
    first[0] = 0;
}

/* Merges two ascending lists into `to`, without duplicates and without v. Returns the length. */
static int64_t merge(const int32_t *a, const int32_t *a_end, const int32_t *b, const int32_t *b_end,
                     int32_t v, int32_t *to) {
    const int32_t *const start = to;
    while (a < a_end || b < b_end) {
        const int32_t x = a < a_end ? *a : INT32_MAX, y = b < b_end ? *b : INT32_MAX;
        const int32_t lower = x < y ? x : y;
        a += x == lower;
        b += y == lower;
        *to = lower;
        to += lower != v;
    }
    return to - start;
}

enum status pattern_find(const struct graph *g, struct pattern *pattern, struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    void *first = NULL, *neighbour = NULL, *in_first = NULL, *tail = NULL;
    enum status status;
    *pattern = (struct pattern){.n = g->n};
    TRY(memory_alloc(&first, n + 1, sizeof(int64_t), "the pattern of the graph", err));
    TRY(memory_alloc(&neighbour, m, 2 * sizeof(int32_t), "the pattern of the graph", err));
    TRY(memory_alloc(&in_first, n + 1, sizeof(int64_t), "the edges by their heads", err));
    TRY(memory_alloc(&tail, m, sizeof(int32_t), "the edges by their heads", err));
    pattern->first = first;
    pattern->neighbour = neighbour;
    const int64_t *const into = in_first;
    find_tails(g, in_first, tail);
    int64_t length = 0;
    for (int32_t v = 0; v < g->n; v++) {
        pattern->first[v] = length;
        length += merge(g->head + g->first[v], g->head + g->first[v + 1], (int32_t *)tail + into[v],
                        (int32_t *)tail + into[v + 1], v, pattern->neighbour + length);
    }
    pattern->first[g->n] = length;
    first = neighbour = NULL;

cleanup:
    memory_free(first);
    memory_free(neighbour);
    memory_free(in_first);
    memory_free(tail);
    return status;
}

void pattern_free(struct pattern *pattern) {
    memory_free(pattern->first);
    memory_free(pattern->neighbour);
    *pattern = (struct pattern){0};
}
