// SPDX-License-Identifier: MIT
#include "index/index_parts.h"

#include "common/base/memory.h" // memory_alloc
#include "solve/by_spacings.h"  // spacings_graph_make

enum status index_cells_graph(const struct graph *g, uint32_t cell, struct graph *made,
                              const struct graph **cells, struct error *err) {
    *cells = g;
    if (g->type == NUMBER_INT32 || cell == sizeof(double))
        return STATUS_OK;
    RETURN_ON_FAILURE(spacings_graph_make(g, made, err));
    *cells = made;
    return STATUS_OK;
}

bool index_is_symmetric(const struct graph *g, int threads) {
    const void *const weight = graph_weights(g);
    bool same = true;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4096) reduction(&& : same)
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1] && same; e++) {
            const int64_t back = graph_find_edge(g, g->head[e], u);
            same = back >= 0 && number_at(g->type, weight, back) == number_at(g->type, weight, e);
        }
    }
    return same;
}

enum status index_beyond_range(const struct graph *g, struct error *err) {
    fail(err, STATUS_BAD_INPUT,
         "distances may not fit: expected them to be below %d, found weights up to %.0f and no "
         "bound that is low enough (--type int64 holds longer ones)",
         INF, g->max_weight);
    err->is_out_of_range = true;
    return STATUS_BAD_INPUT;
}

enum status index_damaged(struct error *err) {
    return fail(err, STATUS_BAD_INPUT,
                "the index is damaged: expected labels that edges of it make, found others");
}

/* Returns the number among low .. high, low >= 1, that ends in the most zero bits. */
static uint32_t roundest(uint32_t low, uint32_t high) {
    if (low == high)
        return low;
    const int bit = index_highest_bit((low - 1) ^ high);
    return high >> bit << bit;
}

enum status index_find_branches(const int32_t *order, int32_t n, struct index_vertex *vertex,
                                uint32_t *head, struct error *err) {
    const size_t count = (size_t)n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, count, 3 * sizeof(int32_t), "the branches", err));
    int32_t *const path = memory, *const parent = path + n; /* path: vertex by depth; parent: by
                                                               place in the order */
    uint32_t *const size = (uint32_t *)(parent + n);
    for (int32_t k = 0; k < n; k++) {
        const uint32_t depth = vertex[order[k]].labels - 1;
        path[depth] = k;
        parent[k] = depth == 0 ? -1 : path[depth - 1];
        size[k] = 1;
        head[k] = 0;
    }
    head[n] = 0;
    for (int32_t k = n - 1; k >= 0; k--) {
        if (parent[k] >= 0)
            size[parent[k]] += size[k];
    }
    for (int32_t k = 0; k < n; k++) {
        struct index_vertex *const v = &vertex[order[k]];
        const struct index_vertex *const above = parent[k] < 0 ? NULL : &vertex[order[parent[k]]];
        v->branch = roundest((uint32_t)k + 1, (uint32_t)k + size[k]);
        v->ascending = (above == NULL ? 0 : above->ascending) | (v->branch & -v->branch);
        if (above == NULL || above->branch != v->branch)
            head[v->branch] = v->labels - 1;
    }
    memory_free(memory);
    return STATUS_OK;
}
