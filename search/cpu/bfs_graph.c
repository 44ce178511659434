// SPDX-License-Identifier: MIT
#include "search/cpu/bfs_graph.h"

#include "common/base/memory.h" // memory_alloc, memory_add, memory_times
#include "common/graph/graph.h" // struct graph

uint64_t bfs_graph_memory(int32_t n, int64_t m) {
    const uint64_t starts = 2 * ((uint64_t)n + 1) * sizeof(int64_t);
    return memory_add(starts + 2 * (uint64_t)n * sizeof(int32_t),
                      memory_times((uint64_t)m, 2 * sizeof(int32_t)));
}

/* Numbers the vertices by falling number of edges, those with as many by vertex. first_in has the
 * number of edges into each vertex v at v + 1; first_out, of m + 1 counters or more, is
 * overwritten.
 */
static void number_vertices(struct bfs_graph *made, const struct graph *g, int64_t *at) {
    enum { MOST = 1 << 16 }; /* edges; vertices with more come first, in the order of vertices */
    for (int k = 0; k <= MOST; k++)
        at[k] = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t v = 0; v < g->n; v++) {
            const int64_t edges = g->first[v + 1] - g->first[v] + made->first_in[v + 1];
            const int key = MOST - (int)(edges < MOST ? edges : MOST);
            if (pass == 0) {
                at[key]++;
                continue;
            }
            const int32_t number = (int32_t)at[key]++;
            made->number[v] = number;
            made->vertex[number] = v;
        }
        for (int64_t k = 0, sum = 0; pass == 0 && k <= MOST; k++) {
            const int64_t count = at[k];
            at[k] = sum;
            sum += count;
        }
    }
}

/* Sorts the edges of all vertices, in order of their numbers: an edge to each of `to` comes from
 * vertices in ascending order. */
static void fill(const struct bfs_graph *made, const struct graph *g) {
    int64_t edge = 0;
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t v = made->vertex[k];
        made->first_out[k] = edge;
        edge += g->first[v + 1] - g->first[v];
    }
    made->first_out[g->n] = edge;
    for (int32_t k = 0; k <= g->n; k++)
        made->first_in[k] = 0;
    for (int64_t e = 0; e < g->m; e++)
        made->first_in[made->number[g->head[e]] + 1]++;
    for (int32_t k = 0; k < g->n; k++)
        made->first_in[k + 1] += made->first_in[k];
    /* Tails ascend, since vertices come in the order of their numbers. */
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t v = made->vertex[k];
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++)
            made->tail[made->first_in[made->number[g->head[e]]]++] = k;
    }
    for (int32_t k = g->n; k > 0; k--)
        made->first_in[k] = made->first_in[k - 1];
    made->first_in[0] = 0;
    /* And heads, since in-edges are read in the order of their heads. */
    for (int32_t k = 0; k < g->n; k++) {
        for (int64_t e = made->first_in[k]; e < made->first_in[k + 1]; e++)
            made->head[made->first_out[made->tail[e]]++] = k;
    }
    for (int32_t k = g->n; k > 0; k--)
        made->first_out[k] = made->first_out[k - 1];
    made->first_out[0] = 0;
}

enum status bfs_graph_make(struct bfs_graph *made, const struct graph *g, struct error *err) {
    enum { COUNTERS = (1 << 16) + 1 };
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    void *counters = NULL;
    *made = (struct bfs_graph){.n = g->n, .m = g->m};
    RETURN_ON_FAILURE(memory_alloc(&made->memory, bfs_graph_memory(g->n, g->m), 1,
                                   "the graph without weights", err));
    RETURN_ON_FAILURE(memory_alloc(&counters, COUNTERS, sizeof(int64_t), "the order", err));
    made->first_in = made->memory;
    made->first_out = made->first_in + n + 1;
    made->vertex = (int32_t *)(made->first_out + n + 1);
    made->number = made->vertex + n;
    made->tail = made->number + n;
    made->head = made->tail + m;
    for (size_t k = 0; k <= n; k++)
        made->first_in[k] = 0;
    for (size_t e = 0; e < m; e++)
        made->first_in[g->head[e] + 1]++;
    number_vertices(made, g, counters);
    memory_free(counters);
    fill(made, g);
    return STATUS_OK;
}

void bfs_graph_free(struct bfs_graph *made) {
    memory_free(made->memory);
    *made = (struct bfs_graph){0};
}
