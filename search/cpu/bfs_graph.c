// SPDX-License-Identifier: MIT
#include "search/cpu/bfs_graph.h"

#include "common/base/memory.h"       // memory_alloc, memory_add, memory_times
#include "common/base/sort_numbers.h" // sort_numbers
#include "common/base/threads.h"      // threads_worth
#include "common/graph/graph.h"       // struct graph
#include "common/graph/row_block.h"   // row_source
#include "common/graph/weight_unit.h" // WEIGHT_STEPS_MOST

#include <string.h>

uint64_t bfs_graph_memory_by_steps(int32_t n, int64_t m, int32_t steps) {
    const uint64_t groups = (uint64_t)n * (uint64_t)steps;
    const uint64_t starts = 2 * (groups + 1) * sizeof(int64_t);
    const uint64_t edge = 2 * sizeof(int32_t) + (steps > 1 ? sizeof(uint8_t) : 0);
    return memory_add(starts + (2 * (uint64_t)n + groups) * sizeof(int32_t),
                      memory_times((uint64_t)m, edge));
}

/* Numbers the vertices by falling number of out-edges; ties by vertex. */
static enum status number_vertices(struct bfs_graph *made, const struct graph *g,
                                   struct error *err) {
    /* Vertices with more out-edges are not sorted by their number; they come first, in the order of
     * vertices. */
    enum { MOST = 1 << 16 };
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

/* Fills in the edges of the vertex with number k; its first edge is known. */
static void fill_out_edges_of(struct bfs_graph *made, const struct graph *g, int32_t unit,
                              int32_t k) {
    const int32_t v = made->vertex[k];
    int64_t *const first = made->first_out + (int64_t)k * made->steps;
    int64_t at[WEIGHT_STEPS_MOST] = {0}, edge = first[0];
    for (int64_t e = g->first[v]; e < g->first[v + 1] && made->steps > 1; e++)
        at[g->weight[e] / unit - 1]++;
    for (int32_t s = 0; s < made->steps; s++) {
        first[s] = edge;
        edge += at[s];
        at[s] = first[s];
    }
    for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
        const int32_t s = made->steps > 1 ? g->weight[e] / unit - 1 : 0;
        made->head[at[s]++] = made->number[g->head[e]];
    }
    for (int32_t s = 0; s < made->steps; s++)
        sort_numbers(made->head + first[s], at[s] - first[s]);
}

static void fill_out_edges(struct bfs_graph *made, const struct graph *g, int32_t unit,
                           int threads) {
    int64_t edge = 0;
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t v = made->vertex[k];
        made->first_out[(int64_t)k * made->steps] = edge;
        edge += g->first[v + 1] - g->first[v];
    }
    made->first_out[(int64_t)g->n * made->steps] = edge;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
    for (int32_t k = 0; k < g->n; k++)
        fill_out_edges_of(made, g, unit, k);
}

/* Returns whether each edge has a reverse edge of the same weight. Edges of one weight are visited
 * by ascending tails, so the reverse of an edge is the first edge of its head that no edge has met
 * yet. met: by number and weight, n * steps entries, number of edges met so far. */
static bool is_undirected(const struct bfs_graph *made, int32_t *met) {
    const int64_t groups = (int64_t)made->n * made->steps;
    memset(met, 0, (size_t)groups * sizeof *met);
    for (int64_t k = 0; k < groups; k++) {
        const int32_t tail = (int32_t)(k / made->steps), s = (int32_t)(k % made->steps);
        for (int64_t e = made->first_out[k]; e < made->first_out[k + 1]; e++) {
            const int64_t head = (int64_t)made->head[e] * made->steps + s;
            const int64_t reverse = made->first_out[head] + met[head]++;
            if (reverse >= made->first_out[head + 1] || made->head[reverse] != tail)
                return false;
        }
    }
    return true;
}

static void fill_in_edges(struct bfs_graph *made) {
    const int64_t groups = (int64_t)made->n * made->steps;
    memset(made->first_in, 0, ((size_t)groups + 1) * sizeof *made->first_in);
    for (int64_t k = 0; k < groups; k++) {
        for (int64_t e = made->first_out[k]; e < made->first_out[k + 1]; e++)
            made->first_in[(int64_t)made->head[e] * made->steps + k % made->steps + 1]++;
    }
    for (int64_t k = 0; k < groups; k++)
        made->first_in[k + 1] += made->first_in[k];
    for (int64_t k = 0; k < groups; k++) { /* so that the tails of edges of one weight ascend */
        for (int64_t e = made->first_out[k]; e < made->first_out[k + 1]; e++) {
            const int64_t head = (int64_t)made->head[e] * made->steps + k % made->steps;
            made->tail[made->first_in[head]++] = (int32_t)(k / made->steps);
        }
    }
    for (int64_t k = groups; k > 0; k--)
        made->first_in[k] = made->first_in[k - 1];
    made->first_in[0] = 0;
}

static void note_weights(struct bfs_graph *made) {
    const int64_t groups = (int64_t)made->n * made->steps;
    for (int64_t k = 0; k < groups; k++)
        memset(made->weight_in + made->first_in[k], (int)(k % made->steps) + 1,
               (size_t)(made->first_in[k + 1] - made->first_in[k]));
}

enum status bfs_graph_make_by_steps(struct bfs_graph *made, const struct graph *g, int32_t unit,
                                    int32_t steps, int threads, struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m, groups = n * (size_t)steps;
    *made = (struct bfs_graph){.n = g->n, .m = g->m, .steps = steps};
    RETURN_ON_FAILURE(memory_alloc(&made->memory, bfs_graph_memory_by_steps(g->n, g->m, steps), 1,
                                   "the graph by levels", err));
    made->first_out = made->memory;
    made->first_in = made->first_out + groups + 1;
    made->vertex = (int32_t *)(made->first_in + groups + 1);
    made->number = made->vertex + n;
    int32_t *const met = made->number + n;
    made->head = met + groups;
    made->tail = made->head + m;
    RETURN_ON_FAILURE(number_vertices(made, g, err));
    fill_out_edges(made, g, unit, threads_worth(threads, 10.0 * (double)g->m));
    made->undirected = is_undirected(made, met);
    if (steps > 1)
        made->weight_in = (uint8_t *)(made->tail + m);
    if (made->undirected) {
        made->first_in = made->first_out;
        made->tail = made->head;
    } else {
        fill_in_edges(made);
    }
    if (steps > 1)
        note_weights(made);
    return STATUS_OK;
}

enum status bfs_graph_make(struct bfs_graph *made, const struct graph *g, int threads,
                           struct error *err) {
    return bfs_graph_make_by_steps(made, g, 1, 1, threads, err);
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
