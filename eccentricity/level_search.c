// SPDX-License-Identifier: MIT
#include "eccentricity/level_search.h"

#include "common/base/memory.h"   // memory_alloc
#include "search/cpu/bfs_graph.h" // struct bfs_graph

#include <string.h>

/* The edges of one direction of a search. */
struct level_edges {
    const int64_t *first;
    const int32_t *end;
};

static size_t words(int32_t n) {
    return ((size_t)n + 63) / 64;
}

enum status level_search_alloc(struct level_search *search, int32_t n, struct error *err) {
    *search = (struct level_search){.queue = NULL};
    RETURN_ON_FAILURE(memory_alloc(&search->memory,
                                   2 * words(n) * sizeof(uint64_t) + (size_t)n * sizeof(int32_t), 1,
                                   "a search", err));
    search->reached = search->memory;
    search->frontier = search->reached + words(n);
    search->queue = (int32_t *)(search->frontier + words(n));
    return STATUS_OK;
}

static bool has(const uint64_t *bits, int32_t v) {
    return (bits[v >> 6] >> (v & 63) & 1) != 0;
}

static void add(uint64_t *bits, int32_t v) {
    bits[v >> 6] |= UINT64_C(1) << (v & 63);
}

/* Appends the vertices of the next level to the queue: those that queue[begin .. end - 1] lead to
 * and that are not reached. Returns the new end. */
static int32_t from_frontier(struct level_search *s, const struct level_edges *away, int32_t begin,
                             int32_t end) {
    int32_t count = end;
    for (int32_t k = begin; k < end; k++) {
        const int32_t u = s->queue[k];
        for (int64_t e = away->first[u]; e < away->first[u + 1]; e++) {
            const int32_t v = away->end[e];
            if (has(s->reached, v))
                continue;
            add(s->reached, v);
            s->queue[count++] = v;
        }
    }
    return count;
}

/* Does as from_frontier, by looking for the frontier among the neighbours of each vertex that is
 * not reached. */
static int32_t from_unreached(struct level_search *s, const struct bfs_graph *g,
                              const struct level_edges *back, int32_t begin, int32_t end) {
    int32_t count = end;
    memset(s->frontier, 0, words(g->n) * sizeof *s->frontier);
    for (int32_t k = begin; k < end; k++)
        add(s->frontier, s->queue[k]);
    for (size_t word = 0; word < words(g->n); word++) {
        const int32_t last =
            (int32_t)(word * 64 + 64 < (size_t)g->n ? word * 64 + 64 : (size_t)g->n);
        if (s->reached[word] == UINT64_MAX)
            continue;
        for (int32_t v = (int32_t)(word * 64); v < last; v++) {
            if (has(s->reached, v))
                continue;
            for (int64_t e = back->first[v]; e < back->first[v + 1]; e++) {
                if (!has(s->frontier, back->end[e]))
                    continue;
                s->queue[count++] = v;
                add(s->reached, v);
                break;
            }
        }
    }
    return count;
}

int32_t level_search_run(struct level_search *s, const struct bfs_graph *g, bool backward,
                         int32_t source, int32_t *begin) {
    /* Limits at which a level is found from the unreached vertices. Their search stops at the first
     * neighbour in the frontier, so it pays long before the frontier has most of the edges; going
     * over all vertices takes at most n steps. The constants are Beamer's. */
    enum { EDGES_LEFT = 14, VERTICES = 24 };
    const struct level_edges out = {g->first_out, g->head}, in = {g->first_in, g->tail};
    const struct level_edges *const away = backward ? &in : &out, *const back =
                                                                      backward ? &out : &in;
    int64_t left = g->m; /* number of edges of vertices that are not reached */
    int32_t levels = 0, count = 1;
    memset(s->reached, 0, words(g->n) * sizeof *s->reached);
    add(s->reached, source);
    s->queue[0] = source;
    begin[0] = 0;
    while (count > begin[levels]) {
        const int32_t first = begin[levels], end = count;
        int64_t edges = 0;
        for (int32_t k = first; k < end; k++)
            edges += away->first[s->queue[k] + 1] - away->first[s->queue[k]];
        left -= edges;
        count = edges > left / EDGES_LEFT && end - first > g->n / VERTICES
                    ? from_unreached(s, g, back, first, end)
                    : from_frontier(s, away, first, end);
        begin[++levels] = end;
    }
    return levels;
}

void level_search_free(struct level_search *search) {
    memory_free(search->memory);
    *search = (struct level_search){0};
}
