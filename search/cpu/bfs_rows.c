// SPDX-License-Identifier: MIT
#include "search/cpu/bfs_rows.h"

#include "common/base/memory.h" // memory_alloc

#include <string.h>

static size_t words_of(int32_t n) {
    return ((size_t)n + 63) / 64;
}

uint64_t bfs_rows_memory(int32_t n) {
    return (uint64_t)n * (3 * sizeof(uint64_t) + sizeof(int32_t)) + words_of(n) * sizeof(uint64_t);
}

enum status bfs_rows_alloc(struct bfs_rows *s, int32_t n, struct error *err) {
    *s = (struct bfs_rows){0};
    RETURN_ON_FAILURE(memory_alloc(&s->memory, bfs_rows_memory(n), 1, "the sets of sources", err));
    s->seen = s->memory;
    s->now = s->seen + n;
    s->next = s->now + n;
    s->touched = s->next + n;
    s->active = (int32_t *)(s->touched + words_of(n));
    memset(s->touched, 0, words_of(n) * sizeof *s->touched);
    return STATUS_OK;
}

void bfs_rows_free(struct bfs_rows *s) {
    memory_free(s->memory);
    *s = (struct bfs_rows){0};
}

/* Passes the sources that are new at u to its out-neighbours. Tails ascend, so the first one that
 * brings a source is the lowest predecessor. */
static void push(struct bfs_rows *s, const struct graph *g, int32_t u, int32_t *const *pred) {
    const uint64_t now = s->now[u];
    for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
        const int32_t v = g->head[e];
        uint64_t *const touched = &s->touched[v / 64];
        const uint64_t bit = (uint64_t)1 << v % 64, had = *touched & bit ? s->next[v] : 0;
        const uint64_t fresh = now & ~s->seen[v] & ~had;
        if (fresh == 0)
            continue;
        *touched |= bit;
        s->next[v] = had | fresh;
        for (uint64_t left = fresh; left != 0 && pred != NULL; left &= left - 1)
            pred[__builtin_ctzll(left)][v] = u;
    }
}

/* Stores the distance for the sources that have just reached vertices; returns the number of these
 * vertices. */
static int32_t settle(struct bfs_rows *s, int32_t n, int32_t distance, int32_t *const *dist) {
    int32_t count = 0;
    for (size_t w = 0; w < words_of(n); w++) {
        for (uint64_t vertices = s->touched[w]; vertices != 0; vertices &= vertices - 1) {
            const int32_t v = (int32_t)(w * 64) + __builtin_ctzll(vertices);
            s->seen[v] |= s->next[v];
            s->active[count++] = v;
            for (uint64_t left = s->next[v]; left != 0; left &= left - 1)
                dist[__builtin_ctzll(left)][v] = distance;
        }
        s->touched[w] = 0;
    }
    uint64_t *const sets = s->now;
    s->now = s->next;
    s->next = sets;
    return count;
}

void bfs_rows_find(struct bfs_rows *s, const struct graph *g, int32_t weight, int32_t no_path,
                   struct row_block *block) {
    const int32_t n = g->n;
    memset(s->seen, 0, (size_t)n * sizeof *s->seen);
    for (int32_t r = 0; r < block->count; r++) {
        const int32_t source = block->source[r];
        for (int32_t v = 0; v < n; v++)
            block->dist[r][v] = INF;
        if (block->pred != NULL)
            memset(block->pred[r], 0xff, (size_t)n * sizeof **block->pred); /* sets all to -1 */
        s->next[source] = (uint64_t)1 << r;
        s->touched[source / 64] |= (uint64_t)1 << source % 64;
    }
    int32_t active = settle(s, n, 0, block->dist);
    for (int64_t distance = weight; active > 0 && distance < no_path; distance += weight) {
        for (int32_t k = 0; k < active; k++)
            push(s, g, s->active[k], block->pred);
        active = settle(s, n, (int32_t)distance, block->dist);
    }
}
