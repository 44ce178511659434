// SPDX-License-Identifier: MIT
#include "flows/counted.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "flows/flow_kernels.h"      // flow_kernels

#include <math.h>
#include <string.h>

/* Returns the entry between two different positions. *is_up: it leads up from `from`. */
static int64_t entry_of(const struct counted *c, int32_t from, int32_t to, bool *is_up) {
    const struct structure *const s = &c->structure;
    const int32_t low = from < to ? from : to, high = from < to ? to : from;
    *is_up = from < to;
    return structure_seek(s->higher, s->first[low], s->first[low + 1], high);
}

/* Returns the weight of an edge in the unit of lengths. */
static double length_of(const struct graph *g, int64_t e) {
    return g->type == NUMBER_INT32 ? g->weight[e] : g->real_weight[e] / g->spacing;
}

// Subtrees ----------------------------------------------------------------------------------------

void counted_lowest(const struct tree *tree, int32_t *lowest) {
    for (int32_t at = 0; at < tree->n; at++)
        lowest[at] = at;
    for (int32_t at = 0; at < tree->n; at++) {
        const int32_t parent = tree->parent[at];
        if (parent >= 0 && lowest[at] < lowest[parent])
            lowest[parent] = lowest[at];
    }
}

/* Returns the child with the largest subtree; -1: there is none. */
static int32_t largest_child(const int32_t *lowest, int32_t at) {
    int32_t largest = -1, size = 0;
    for (int32_t child = at - 1; child >= lowest[at]; child = lowest[child] - 1) {
        if (child - lowest[child] + 1 > size) {
            largest = child;
            size = child - lowest[child] + 1;
        }
    }
    return largest;
}

// Numbers -----------------------------------------------------------------------------------------

struct numbering {
    const struct counted *c;
    const struct flow_kernels *kernels;
    int32_t *lowest; /* by position, n entries: lowest position of its subtree */
    int64_t *first;  /* index in `entry` at which the entries that lead up to each position begin, n
                        + 1 entries */
    int64_t *entry;  /* entries by the position that they lead up to, then by the position that they
                        lead up from */
    int32_t *from;   /* by index in `entry`: the position that the entry leads up from */
};

/* Counts the paths over entry x, which leads up from `at`, and each later entry of `at`, and adds
 * them to the entries of the position that x leads to. */
static void count_through(const struct numbering *n, int32_t at, int64_t x) {
    const struct counted *const c = n->c;
    const struct structure *const s = &c->structure;
    const int32_t *const higher = s->higher;
    const int64_t end = s->first[at + 1], to_end = s->first[higher[x] + 1];
    int64_t to = s->first[higher[x]];
    const struct flow_entries up = {c->up + x + 1, c->up_paths + x + 1};
    const struct flow_entries down = {c->down + x + 1, c->down_paths + x + 1};
    if (to_end - to == end - x - 1) { /* both lists have the same positions */
        const int32_t count = (int32_t)(to_end - to);
        n->kernels->count(c->up + to, c->up_paths + to, c->down[x], c->down_paths[x], up, count);
        n->kernels->count(c->down + to, c->down_paths + to, c->up[x], c->up_paths[x], down, count);
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

/* Finds the path counts of a position's entries; those of all lower positions must be final. */
static void number_position(const struct numbering *n, int32_t at) {
    for (int64_t k = n->first[at]; k < n->first[at + 1]; k++)
        count_through(n, n->from[k], n->entry[k]);
}

/* Finds the path counts of a subtree's entries. The loop follows the path to the largest child each
 * time, and calls take all other subtrees, so that calls nest no deeper than log2(n). Then the
 * positions of the path are done, upwards. */
static void number_subtree(const struct numbering *n, int32_t root) {
    int32_t at = root;
    while (at - n->lowest[at] >= block_sizes.task_positions) {
        const int32_t largest = largest_child(n->lowest, at);
        for (int32_t child = at - 1; child >= n->lowest[at]; child = n->lowest[child] - 1) {
#pragma omp task if (child - n->lowest[child] > block_sizes.task_positions)
            if (child != largest)
                number_subtree(n, child);
        }
        at = largest;
    }
    for (int32_t low = n->lowest[at]; low <= at; low++)
        number_position(n, low);
#pragma omp taskwait
    while (at != root) {
        at = n->c->tree.parent[at];
        number_position(n, at);
    }
}

/* Lists the entries by the position that they lead up to. */
static void list_by_higher(struct numbering *n) {
    const struct structure *const s = &n->c->structure;
    const int32_t count = n->c->tree.n;
    memset(n->first, 0, ((size_t)count + 1) * sizeof *n->first);
    for (int64_t e = 0; e < s->first[count]; e++)
        n->first[s->higher[e] + 1]++;
    for (int32_t at = 0; at < count; at++)
        n->first[at + 1] += n->first[at];
    for (int32_t at = 0; at < count; at++) {
        for (int64_t e = s->first[at]; e < s->first[at + 1]; e++) {
            const int64_t place = n->first[s->higher[e]]++;
            n->entry[place] = e;
            n->from[place] = at;
        }
    }
    memmove(n->first + 1, n->first, (size_t)count * sizeof *n->first);
    n->first[0] = 0;
}

/* Finds the entry that edge e from u became. Returns false for a loop, and for an edge that is
 * longer than another path. */
static bool entry_of_edge(const struct graph *g, const struct counted *c, int32_t u, int64_t e,
                          int64_t *entry, bool *is_up) {
    if (g->head[e] == u)
        return false;
    *entry = entry_of(c, c->tree.position[u], c->tree.position[g->head[e]], is_up);
    return (*is_up ? c->up : c->down)[*entry] == length_of(g, e);
}

/* Sets the path counts of entries to those of the graph's edges. */
static void number_edges(const struct graph *g, int threads, struct counted *c) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4096)
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int64_t entry;
            bool is_up;
            if (entry_of_edge(g, c, u, e, &entry, &is_up))
                (is_up ? c->up_paths : c->down_paths)[entry] = 1;
        }
    }
}

enum status counted_number(const struct graph *g, double most, int threads, enum isa isa,
                           struct counted *c, bool *fits, struct error *err) {
    const size_t n = (size_t)c->tree.n, entries = (size_t)c->structure.first[n];
    struct numbering numbering = {.c = c, .kernels = flow_kernels(isa)};
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, entries, 2 * sizeof(double), "numbers of paths", err));
    memset(memory, 0, entries * 2 * sizeof(double));
    c->up_paths = memory;
    c->down_paths = c->up_paths + entries;
    number_edges(g, threads, c);
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (n + 1 + entries) * sizeof(int64_t) + (entries + n) * sizeof(int32_t),
                     1, "numbers of paths", err));
    numbering.first = memory;
    numbering.entry = numbering.first + n + 1;
    numbering.from = (int32_t *)(numbering.entry + entries);
    numbering.lowest = numbering.from + entries;
    list_by_higher(&numbering);
    counted_lowest(&c->tree, numbering.lowest);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int32_t at = 0; at < c->tree.n; at++) {
        if (c->tree.parent[at] < 0) {
#pragma omp task
            number_subtree(&numbering, at);
        }
    }
    memory_free(memory);
    double largest = 0;
#pragma omp parallel for num_threads(threads) reduction(max : largest)
    for (size_t e = 0; e < entries; e++)
        largest = fmax(largest, fmax(c->up_paths[e], c->down_paths[e]));
    *fits = largest <= most;
    return STATUS_OK;
}

// Flows -------------------------------------------------------------------------------------------

struct sharing {
    const struct counted *c;
    const struct flow_kernels *kernels;
    int32_t *lowest; /* by position, n entries: lowest position of its subtree */
    double *up_flow, *down_flow;
};

/* Takes the flow on the entries among the higher neighbours of a position, and adds to the
 * position's own entries the share of the paths that lead through it. */
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
 * calls take the others, so that calls nest no deeper than log2(n). */
static void share_subtree(const struct sharing *s, int32_t root) {
    while (root >= 0) {
        const int32_t largest = largest_child(s->lowest, root);
        share_through(s, root);
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
    counted_lowest(&c->tree, s.lowest);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int32_t at = 0; at < n; at++) {
        if (c->tree.parent[at] < 0) {
#pragma omp task
            share_subtree(&s, at);
        }
    }
    memory_free(memory);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4096)
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int64_t entry;
            bool is_up;
            if (entry_of_edge(g, c, u, e, &entry, &is_up))
                edge[e] += is_up ? up_flow[entry] / c->up_paths[entry]
                                 : down_flow[entry] / c->down_paths[entry];
        }
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
