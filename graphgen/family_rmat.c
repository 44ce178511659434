// SPDX-License-Identifier: MIT
/* R-MAT graphs as the Graph500 benchmark makes them (Chakrabarti, Zhan and Faloutsos 2004;
 * Kronecker graphs of Leskovec et al. 2010). */
#include "common/base/memory.h" // memory_alloc
#include "graphgen/families.h"
#include "graphgen/random.h" // random_word, struct permutation

#include <string.h>

struct edge rmat_edge(uint64_t key, uint64_t index, int scale) {
    /* One random word serves two levels. */
    const uint64_t first = index * (uint64_t)((scale + 1) / 2);
    struct edge edge = {0, 0, 0};
    uint64_t word = 0;
    for (int level = 0; level < scale; level++) {
        word = level % 2 == 0 ? random_word(key, first + (uint64_t)level / 2) : word << 32;
        const uint64_t percent = (word >> 32) * 100 >> 32;
        const bool low_tail = percent < RMAT_A + RMAT_B;
        const bool low_head = percent < (low_tail ? RMAT_A : RMAT_A + RMAT_B + RMAT_C);
        edge.from = 2 * edge.from + !low_tail;
        edge.to = 2 * edge.to + !low_head;
    }
    return edge;
}

struct rmat {
    uint64_t key;
    int scale;       /* the graph has 2^scale vertices */
    int64_t drawn;   /* number of edges drawn, of which some are loops or repeated */
    int32_t *number; /* the graph's number of each vertex that R-MAT draws */
    int32_t *other;  /* higher end of each edge that is no loop, sorted by the lower end */
    int64_t *start;  /* where the edges of each lower end begin in `other`, n + 1 entries */
};

/* The index-th edge in the graph's numbers of vertices, from its lower to its higher end. */
static struct edge numbered_edge(const struct rmat *r, int64_t index) {
    const struct edge drawn = rmat_edge(r->key, (uint64_t)index, r->scale);
    const int32_t u = r->number[drawn.from], v = r->number[drawn.to];
    return u < v ? (struct edge){u, v, 0} : (struct edge){v, u, 0};
}

/* Fills `other` and `start`. All edges are drawn twice, so that they need no memory of their
 * own. */
static void sort_by_lower_end(struct rmat *r, int32_t n) {
    memset(r->start, 0, ((size_t)n + 1) * sizeof *r->start);
    for (int64_t k = 0; k < r->drawn; k++) {
        const struct edge edge = numbered_edge(r, k);
        r->start[edge.from + 1] += edge.from != edge.to;
    }
    for (int32_t v = 0; v < n; v++)
        r->start[v + 1] += r->start[v];
    for (int64_t k = 0; k < r->drawn; k++) {
        const struct edge edge = numbered_edge(r, k);
        if (edge.from != edge.to)
            r->other[r->start[edge.from]++] = edge.to;
    }
    memmove(r->start + 1, r->start, (size_t)n * sizeof *r->start);
    r->start[0] = 0;
}

/* Puts each edge once. last[v]: the last lower end that had an edge to v, at first -1. */
static enum status put_edges(const struct rmat *r, int32_t n, int32_t *last,
                             const struct edge_sink *sink, struct error *err) {
    for (int pass = 0; pass < 2; pass++) {
        int64_t edges = 0;
        for (int32_t v = 0; v < n; v++)
            last[v] = -1;
        for (int32_t u = 0; u < n; u++) {
            for (int64_t k = r->start[u]; k < r->start[u + 1]; k++) {
                const int32_t v = r->other[k];
                if (last[v] == u)
                    continue;
                last[v] = u;
                edges++;
                if (pass == 1)
                    RETURN_ON_FAILURE(sink->put(sink->to, u, v, 0, err));
            }
        }
        if (pass == 0)
            RETURN_ON_FAILURE(sink->begin(sink->to, edges, 0, err));
    }
    return STATUS_OK;
}

enum status generate_rmat(const struct family_request *request, const struct edge_sink *sink,
                          struct error *err) {
    const int32_t n = request->graph.n;
    struct rmat r = {.key = family_key(request, 0), .drawn = family_draws(request)};
    struct permutation order;
    void *number = NULL, *other = NULL, *start = NULL;
    enum status status;

    while (INT64_C(1) << r.scale < n)
        r.scale++;
    TRY(memory_alloc(&number, (size_t)n, sizeof(int32_t), "the numbers of vertices", err));
    TRY(memory_alloc(&start, (size_t)n + 1, sizeof(int64_t), "the edges of each vertex", err));
    TRY(memory_alloc(&other, (size_t)r.drawn, sizeof(int32_t), "the ends of edges", err));
    r.number = number;
    r.start = start;
    r.other = other;
    permutation_start(&order, family_key(request, 1), (uint64_t)n);
    for (int32_t v = 0; v < n; v++)
        r.number[v] = (int32_t)permute(&order, (uint64_t)v);
    sort_by_lower_end(&r, n);
    /* Edges have the graph's numbers by now, so the memory of r.number serves as last[]. */
    status = put_edges(&r, n, r.number, sink, err);
cleanup:
    memory_free(number);
    memory_free(start);
    memory_free(other);
    return status;
}
