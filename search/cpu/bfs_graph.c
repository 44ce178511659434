// SPDX-License-Identifier: MIT
#include "search/cpu/bfs_graph.h"

#include "common/base/memory.h"       // memory_alloc, memory_add, memory_times
#include "common/base/sort_numbers.h" // sort_numbers
#include "common/base/threads.h"      // threads_worth
#include "common/graph/graph.h"       // struct graph
#include "common/graph/row_block.h"   // row_source

#include <string.h>

uint64_t bfs_graph_memory(int32_t n, int64_t m) {
    const uint64_t starts = 2 * ((uint64_t)n + 1) * sizeof(int64_t);
    return memory_add(starts + 3 * (uint64_t)n * sizeof(int32_t),
                      memory_times((uint64_t)m, 2 * sizeof(int32_t)));
}

/* Numbers the vertices by falling number of out-edges, those with as many by vertex. */
static enum status number_vertices(struct bfs_graph *made, const struct graph *g,
                                   struct error *err) {
    enum { MOST = 1 << 16 }; /* edges; vertices with more come first, in the order of vertices */
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, MOST + 1, sizeof(int64_t), "the order", err));
    int64_t *const at = memory;
    memset(at, 0, (MOST + 1) * sizeof *at);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t v = 0; v < g->n; v++) {
            const int64_t edges = g->first[v + 1] - g->first[v];
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
    memory_free(memory);
    return STATUS_OK;
}

static void fill_out_edges(struct bfs_graph *made, const struct graph *g, int threads) {
    int64_t edge = 0;
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t v = made->vertex[k];
        made->first_out[k] = edge;
        edge += g->first[v + 1] - g->first[v];
    }
    made->first_out[g->n] = edge;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t v = made->vertex[k];
        const int64_t count = g->first[v + 1] - g->first[v];
        int32_t *const head = made->head + made->first_out[k];
        for (int64_t e = 0; e < count; e++)
            head[e] = made->number[g->head[g->first[v] + e]];
        sort_numbers(head, count);
    }
}

/* Returns whether each edge has a reverse one. Edges come by ascending tails, and so the reverse of
 * an edge is the first one of its head that has not been met yet. met: n. */
static bool is_undirected(const struct bfs_graph *made, int32_t *met) {
    memset(met, 0, (size_t)made->n * sizeof *met);
    for (int32_t k = 0; k < made->n; k++) {
        for (int64_t e = made->first_out[k]; e < made->first_out[k + 1]; e++) {
            const int32_t head = made->head[e];
            const int64_t reverse = made->first_out[head] + met[head]++;
            if (reverse >= made->first_out[head + 1] || made->head[reverse] != k)
                return false;
        }
    }
    return true;
}

static void fill_in_edges(struct bfs_graph *made) {
    memset(made->first_in, 0, ((size_t)made->n + 1) * sizeof *made->first_in);
    for (int64_t e = 0; e < made->m; e++)
        made->first_in[made->head[e] + 1]++;
    for (int32_t k = 0; k < made->n; k++)
        made->first_in[k + 1] += made->first_in[k];
    for (int32_t k = 0; k < made->n; k++) { /* so tails ascend */
        for (int64_t e = made->first_out[k]; e < made->first_out[k + 1]; e++)
            made->tail[made->first_in[made->head[e]]++] = k;
    }
    for (int32_t k = made->n; k > 0; k--)
        made->first_in[k] = made->first_in[k - 1];
    made->first_in[0] = 0;
}

enum status bfs_graph_make(struct bfs_graph *made, const struct graph *g, int threads,
                           struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    *made = (struct bfs_graph){.n = g->n, .m = g->m};
    RETURN_ON_FAILURE(memory_alloc(&made->memory, bfs_graph_memory(g->n, g->m), 1,
                                   "the graph without weights", err));
    made->first_out = made->memory;
    made->first_in = made->first_out + n + 1;
    made->vertex = (int32_t *)(made->first_in + n + 1);
    made->number = made->vertex + n;
    int32_t *const met = made->number + n;
    made->head = met + n;
    made->tail = made->head + m;
    RETURN_ON_FAILURE(number_vertices(made, g, err));
    fill_out_edges(made, g, threads_worth(threads, 10.0 * (double)g->m));
    made->undirected = is_undirected(made, met);
    if (made->undirected) {
        made->first_in = made->first_out;
        made->tail = made->head;
    } else {
        fill_in_edges(made);
    }
    return STATUS_OK;
}

void bfs_graph_free(struct bfs_graph *made) {
    memory_free(made->memory);
    *made = (struct bfs_graph){0};
}

enum status bfs_graph_arrange(const struct bfs_graph *g, const struct row_sources *sources,
                              int32_t *number, int32_t *position, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)g->n, sizeof(int32_t), "the order of sources", err));
    int32_t *const position_of = memory;
    for (int32_t k = 0; k < g->n; k++)
        position_of[k] = -1;
    for (int32_t p = 0; p < sources->count; p++)
        position_of[g->number[row_source(sources, p)]] = p;
    for (int32_t k = 0, arranged = 0; k < g->n; k++) {
        if (position_of[k] < 0)
            continue;
        number[arranged] = k;
        position[arranged++] = position_of[k];
    }
    memory_free(memory);
    return STATUS_OK;
}
