// SPDX-License-Identifier: MIT
#include "flows/counted.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "flows/flow_kernels.h"      // flow_kernels

#include <math.h>
#include <string.h>

/* Returns the entry between two different positions. Sets *is_up if it leads up from `from`. */
static int64_t entry_of(const struct counted *c, int32_t from, int32_t to, bool *is_up) {
    const struct structure *const s = &c->structure;
    const int32_t low = from < to ? from : to, high = from < to ? to : from;
    *is_up = from < to;
    return structure_seek(s->higher, s->first[low], s->first[low + 1], high);
}

/* Runs the statement behind it for each edge e, which leads from u, but for loops. */
#define FOR_EACH_EDGE(g, c)                                                                        \
    for (int32_t u = 0; u < (g)->n; u++)                                                           \
        for (int64_t e = (g)->first[u]; e < (g)->first[u + 1]; e++)                                \
            if ((g)->head[e] != u)

/* The weight of an edge in the unit of lengths. */
static double length_of(const struct graph *g, int64_t e) {
    return g->type == NUMBER_INT32 ? g->weight[e] : g->real_weight[e] / g->spacing;
}

// Numbers -----------------------------------------------------------------------------------------

/* Counts the paths over two entries of one position, entry x and each later one, in the entries of
 * the position above that x leads to. */
static void count_through(const struct counted *c, const struct flow_kernels *kernels, int64_t x,
                          int64_t end) {
    const struct structure *const s = &c->structure;
    const int32_t *const higher = s->higher;
    int64_t to = s->first[higher[x]];
    const int64_t to_end = s->first[higher[x] + 1];
    const struct flow_entries up = {c->up + x + 1, c->up_paths + x + 1};
    const struct flow_entries down = {c->down + x + 1, c->down_paths + x + 1};
    if (to_end - to == end - x - 1) { /* the same positions */
        const int32_t count = (int32_t)(to_end - to);
        kernels->count(c->up + to, c->up_paths + to, c->down[x], c->down_paths[x], up, count);
        kernels->count(c->down + to, c->down_paths + to, c->up[x], c->up_paths[x], down, count);
        return;
    }
    for (int64_t z = x + 1; z < end; z++) {
        to = structure_seek(higher, to, to_end, higher[z]);
        if (c->down[x] + c->up[z] == c->up[to])
            c->up_paths[to] += c->down_paths[x] * c->up_paths[z];
        if (c->down[z] + c->up[x] == c->down[to])
            c->down_paths[to] += c->down_paths[z] * c->up_paths[x];
    }
}

enum status counted_number(const struct graph *g, double most, enum isa isa, struct counted *c,
                           bool *fits, struct error *err) {
    const struct flow_kernels *const kernels = flow_kernels(isa);
    const int64_t *const first = c->structure.first;
    const int64_t entries = first[c->tree.n];
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)entries, 2 * sizeof(double), "numbers of paths", err));
    memset(memory, 0, (size_t)entries * 2 * sizeof(double));
    c->up_paths = memory;
    c->down_paths = c->up_paths + entries;
    FOR_EACH_EDGE(g, c) {
        bool is_up;
        const int64_t entry =
            entry_of(c, c->tree.position[u], c->tree.position[g->head[e]], &is_up);
        (is_up ? c->up_paths : c->down_paths)[entry] =
            (is_up ? c->up : c->down)[entry] == length_of(g, e);
    }
    for (int32_t at = 0; at < c->tree.n; at++) {
        for (int64_t x = first[at]; x + 1 < first[at + 1]; x++)
            count_through(c, kernels, x, first[at + 1]);
    }
    double largest = 0;
    for (int64_t e = 0; e < entries; e++)
        largest = fmax(largest, fmax(c->up_paths[e], c->down_paths[e]));
    *fits = largest <= most;
    return STATUS_OK;
}

// Flows -------------------------------------------------------------------------------------------

struct sharing {
    const struct counted *c;
    const struct flow_kernels *kernels;
    int32_t *lowest; /* n: the lowest position in the subtree of each position */
    double *up_flow, *down_flow;
};

/* Hands flow on the entries among the higher neighbours of a position on to the position's own
 * entries: the share of the paths that lead through it. */
static void share_through(const struct sharing *s, int32_t at) {
    const struct counted *const c = s->c;
    const int32_t *const higher = c->structure.higher;
    const int64_t *const first = c->structure.first;
    const int64_t end = first[at + 1];
    for (int64_t x = first[at]; x + 1 < end; x++) {
        int64_t to = first[higher[x]];
        const int64_t to_end = first[higher[x] + 1];
        if (to_end - to == end - x - 1) {
            const int32_t count = (int32_t)(to_end - to);
            const struct flow_entries up_to = {c->up + to, c->up_paths + to};
            const struct flow_entries down_to = {c->down + to, c->down_paths + to};
            const struct flow_entries up = {c->up + x + 1, c->up_paths + x + 1};
            const struct flow_entries down = {c->down + x + 1, c->down_paths + x + 1};
            s->down_flow[x] += s->kernels->share(up_to, s->up_flow + to, c->down[x],
                                                 c->down_paths[x], up, s->up_flow + x + 1, count);
            s->up_flow[x] += s->kernels->share(down_to, s->down_flow + to, c->up[x], c->up_paths[x],
                                               down, s->down_flow + x + 1, count);
            continue;
        }
        for (int64_t z = x + 1; z < end; z++) {
            to = structure_seek(higher, to, to_end, higher[z]);
            if (s->up_flow[to] != 0 && c->down[x] + c->up[z] == c->up[to]) {
                const double own =
                    s->up_flow[to] * (c->down_paths[x] * c->up_paths[z] / c->up_paths[to]);
                s->down_flow[x] += own;
                s->up_flow[z] += own;
            }
            if (s->down_flow[to] != 0 && c->down[z] + c->up[x] == c->down[to]) {
                const double own =
                    s->down_flow[to] * (c->up_paths[x] * c->down_paths[z] / c->down_paths[to]);
                s->up_flow[x] += own;
                s->down_flow[z] += own;
            }
        }
    }
}

/* Hands flow down a subtree, from its root on. The loop goes on with the largest subtree below, and
 * calls take the others, so that these nest no deeper than log2(n). */
static void share_subtree(const struct sharing *s, int32_t root) {
    while (root >= 0) {
        int32_t largest = -1, size = 0;
        share_through(s, root);
        for (int32_t child = root - 1; child >= s->lowest[root]; child = s->lowest[child] - 1) {
            if (child - s->lowest[child] + 1 > size) {
                largest = child;
                size = child - s->lowest[child] + 1;
            }
        }
        for (int32_t child = root - 1; child >= s->lowest[root]; child = s->lowest[child] - 1) {
#pragma omp task if (child - s->lowest[child] > block_sizes.task_positions)
            if (child != largest)
                share_subtree(s, child);
        }
        root = largest;
    }
}

enum status counted_share(const struct graph *g, const struct counted *c, int threads, enum isa isa,
                          double *up_flow, double *down_flow, double *edge, struct error *err) {
    struct sharing s = {
        .c = c, .kernels = flow_kernels(isa), .up_flow = up_flow, .down_flow = down_flow};
    const int32_t n = c->tree.n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)n, sizeof(int32_t), "flows", err));
    s.lowest = memory;
    for (int32_t at = 0; at < n; at++)
        s.lowest[at] = at;
    for (int32_t at = 0; at < n; at++) {
        const int32_t parent = c->tree.parent[at];
        if (parent >= 0 && s.lowest[at] < s.lowest[parent])
            s.lowest[parent] = s.lowest[at];
    }
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int32_t at = 0; at < n; at++) {
        if (c->tree.parent[at] < 0) {
#pragma omp task
            share_subtree(&s, at);
        }
    }
    memory_free(memory);
    FOR_EACH_EDGE(g, c) {
        bool is_up;
        const int64_t entry =
            entry_of(c, c->tree.position[u], c->tree.position[g->head[e]], &is_up);
        if ((is_up ? c->up : c->down)[entry] == length_of(g, e))
            edge[e] += is_up ? up_flow[entry] / c->up_paths[entry]
                             : down_flow[entry] / c->down_paths[entry];
    }
    return STATUS_OK;
}

void counted_free(struct counted *c) {
    tree_free(&c->tree);
    structure_free(&c->structure);
    memory_free(c->up);
    memory_free(c->down);
    memory_free(c->up_paths);
    *c = (struct counted){.up = NULL};
}
