// SPDX-License-Identifier: MIT
#include "flows/pendant_trees.h"

#include "common/base/exp_kernels.h" // exp_kernels, decay_rate
#include "common/base/memory.h"      // memory_alloc

#include <string.h>

static const char what[] = "pendant trees";

struct pendant_vertex {
    int32_t vertex, parent;    /* parent: the only neighbour when the vertex is cut off */
    int64_t up, down;          /* number of the edge to the parent, and of the one back; -1:
                                  there is none */
    double up_part, down_part; /* part of a flow that decay leaves over `up` and `down`; 0: there
                                  is no such edge */
    double from_before, to_before; /* masses of the parent and of what hangs on it before this
                                      vertex in the list */
};

// Cutting -----------------------------------------------------------------------------------------

/* Finds for each vertex the number of its neighbours and the exclusive or of their numbers, which
 * is the only neighbour if there is one. An edge in either direction makes two vertices
 * neighbours. */
static void find_neighbours(const struct graph *g, int threads, int32_t *neighbours,
                            int32_t *combined) {
    memset(neighbours, 0, (size_t)g->n * sizeof *neighbours);
    memset(combined, 0, (size_t)g->n * sizeof *combined);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (int32_t u = 0; u < g->n; u++) {
        int32_t own = 0, own_combined = 0;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            own++;
            own_combined ^= v;
            if (graph_find_edge(g, v, u) >= 0)
                continue;
#pragma omp atomic
            neighbours[v]++;
#pragma omp atomic
            combined[v] ^= u;
        }
#pragma omp atomic
        neighbours[u] += own;
#pragma omp atomic
        combined[u] ^= own_combined;
    }
}

/* Cuts off vertices with one neighbour as long as there are any: stores them in `vertex`, and the
 * neighbours in `parent`. Sets the number of neighbours of vertices that are cut off to -1. Returns
 * how many they are. */
static int32_t cut_leaves(int32_t n, int32_t *neighbours, int32_t *combined, int32_t *vertex,
                          int32_t *parent) {
    int32_t count = 0;
    for (int32_t first = 0; first < n; first++) {
        for (int32_t v = first; neighbours[v] == 1;) {
            const int32_t p = combined[v];
            vertex[count] = v;
            parent[count++] = p;
            neighbours[v] = -1;
            neighbours[p]--;
            combined[p] ^= v;
            v = p;
        }
    }
    return count;
}

/* Makes the rest: the vertices whose number of neighbours is not -1. number: memory for n
 * numbers. */
static enum status make_rest(struct pendant_trees *t, const int32_t *neighbours, int32_t *number,
                             struct error *err) {
    const struct graph *const g = t->graph;
    void *memory;
    int64_t leaves;
    int32_t kept = 0;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)(g->n - t->count), sizeof *t->vertex, what, err));
    t->vertex = memory;
    for (int32_t v = 0; v < g->n; v++) {
        if (neighbours[v] >= 0)
            t->vertex[kept++] = v;
    }
    memset(number, 0, (size_t)g->n * sizeof *number);
    RETURN_ON_FAILURE(graph_part(g, t->vertex, kept, number, &t->rest, &leaves, err));
    t->rest.integral = g->integral;
    return STATUS_OK;
}

static enum status list_pendant(struct pendant_trees *t, int threads, const int32_t *vertex,
                                const int32_t *parent, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)t->count, sizeof *t->pendant, what, err));
    t->pendant = memory;
#pragma omp parallel for num_threads(threads)
    for (int32_t k = 0; k < t->count; k++)
        t->pendant[k] =
            (struct pendant_vertex){.vertex = vertex[k],
                                    .parent = parent[k],
                                    .up = graph_find_edge(t->graph, vertex[k], parent[k]),
                                    .down = graph_find_edge(t->graph, parent[k], vertex[k])};
    return STATUS_OK;
}

enum status pendant_trees_cut(struct pendant_trees *t, const struct graph *g, int threads,
                              struct error *err) {
    enum { PART = 16 }; /* at least 1 / PART of the vertices are to be cut off */
    const size_t n = (size_t)g->n;
    void *memory;
    enum status status = STATUS_OK;
    *t = (struct pendant_trees){.graph = g};
    RETURN_ON_FAILURE(memory_alloc(&memory, n, 4 * sizeof(int32_t), what, err));
    int32_t *const neighbours = memory, *const combined = neighbours + n;
    int32_t *const vertex = combined + n, *const parent = vertex + n;
    find_neighbours(g, threads, neighbours, combined);
    const int32_t count = cut_leaves(g->n, neighbours, combined, vertex, parent);
    if (count == 0 || count < g->n / PART)
        goto cleanup;
    t->count = count;
    TRY(list_pendant(t, threads, vertex, parent, err));
    TRY(make_rest(t, neighbours, combined, err));
cleanup:
    memory_free(memory);
    return status;
}

// Masses ------------------------------------------------------------------------------------------

static enum status alloc(struct pendant_trees *t, struct error *err) {
    const size_t n = (size_t)t->graph->n, kept = (size_t)t->rest.n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, 4 * n + 2 * kept, sizeof(double), what, err));
    t->masses = memset(memory, 0, (4 * n + 2 * kept) * sizeof(double));
    t->from = t->masses;
    t->to = t->from + n;
    t->in = t->to + n;
    t->out = t->in + n;
    t->rest_from = t->out + n;
    t->rest_to = t->rest_from + kept;
    RETURN_ON_FAILURE(memory_alloc(&memory, kept, sizeof(int32_t), what, err));
    t->source = memory;
    return STATUS_OK;
}

/* Returns the part of a flow that decay leaves over an edge; 0 if `edge` is -1: there is none. */
static double part_over(const struct graph *g, int64_t edge, const struct exp_kernels *kernels,
                        double rate) {
    _Alignas(64) double length[EXP_PAD] = {0}, part[EXP_PAD] = {1};
    if (edge < 0 || rate == 0)
        return edge < 0 ? 0 : 1;
    length[0] = graph_weight(g, edge);
    kernels->of_lengths(length, EXP_PAD, rate, part);
    return part[0];
}

static enum status find_parts(struct pendant_trees *t, double decay, struct error *err) {
    const double rate = decay > 0 ? decay_rate(1, decay) : 0;
    enum isa isa;
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    const struct exp_kernels *const kernels = exp_kernels(isa);
    for (int32_t k = 0; k < t->count; k++) {
        struct pendant_vertex *const p = &t->pendant[k];
        p->up_part = part_over(t->graph, p->up, kernels, rate);
        p->down_part = part_over(t->graph, p->down, kernels, rate);
    }
    return STATUS_OK;
}

/* Adds the masses of all vertices that are cut off to those of their parents. */
static void gather(struct pendant_trees *t) {
    for (int32_t k = 0; k < t->count; k++) {
        struct pendant_vertex *const p = &t->pendant[k];
        p->from_before = t->from[p->parent];
        p->to_before = t->to[p->parent];
        t->from[p->parent] += t->from[p->vertex] * p->up_part;
        t->to[p->parent] += t->to[p->vertex] * p->down_part;
    }
}

enum status pendant_trees_request(struct pendant_trees *t, const struct betweenness_request *whole,
                                  struct betweenness_request *of_rest, struct error *err) {
    const struct graph *const rest = &t->rest;
    int32_t sources = 0;
    RETURN_ON_FAILURE(alloc(t, err));
    RETURN_ON_FAILURE(find_parts(t, whole->decay, err));
    for (int32_t p = 0; p < whole->sources.count; p++) {
        const int32_t v = row_source(&whole->sources, p);
        t->from[v] = whole->from_mass == NULL ? 1 : whole->from_mass[v];
    }
    for (int32_t v = 0; v < t->graph->n; v++)
        t->to[v] = whole->to_mass == NULL ? 1 : whole->to_mass[v];
    gather(t);
    for (int32_t k = 0; k < rest->n; k++) {
        t->rest_from[k] = t->from[t->vertex[k]];
        t->rest_to[k] = t->to[t->vertex[k]];
        if (t->rest_from[k] > 0 && rest->first[k + 1] > rest->first[k])
            t->source[sources++] = k;
    }
    *of_rest = *whole;
    of_rest->graph = rest;
    of_rest->sources = (struct row_sources){sources < rest->n ? t->source : NULL, sources};
    of_rest->from_mass = t->rest_from;
    of_rest->to_mass = t->rest_to;
    of_rest->endpoints = of_rest->totals = false;
    of_rest->edges = of_rest->ends = true;
    return STATUS_OK;
}

// Flow --------------------------------------------------------------------------------------------

/* Takes over what was found for the rest. */
static void take_rest(struct pendant_trees *t, const struct betweenness *of_rest,
                      struct betweenness *whole) {
    const struct graph *const g = t->graph, *const rest = &t->rest;
    for (int32_t k = 0; k < rest->n; k++) {
        const int32_t v = t->vertex[k];
        int64_t own = g->first[v];
        whole->vertex[v] = of_rest->vertex[k];
        t->in[v] = t->rest_to[k] > 0 ? of_rest->ends[k] / t->rest_to[k] : 0;
        t->out[v] = t->rest_from[k] > 0 ? of_rest->begins[k] / t->rest_from[k] : 0;
        for (int64_t e = rest->first[k]; e < rest->first[k + 1] && whole->edge != NULL; e++) {
            while (g->head[own] != t->vertex[rest->head[e]])
                own++;
            whole->edge[own] = of_rest->edge[e];
        }
    }
}

/* Finds the flow over the edges between a pendant vertex and its parent. `in` and `out` of the
 * parent count the rest of the graph and the pendant vertices that come later in the list: the flow
 * between these and this vertex leads through the parent. Then the parent's `in` and `out` count
 * this vertex, too, and its masses no longer do. All numbers that are added or multiplied are 0 or
 * more, so that no digits cancel. */
static void flow_of_pendant(struct pendant_trees *t, const struct pendant_vertex *p,
                            struct betweenness *whole) {
    const int32_t v = p->vertex, u = p->parent;
    const double from = t->from[v] * p->up_part, to = t->to[v] * p->down_part;
    whole->vertex[u] += from * t->out[u] + to * t->in[u];
    t->in[v] = p->down_part * (p->from_before + t->in[u]);
    t->out[v] = p->up_part * (p->to_before + t->out[u]);
    if (whole->edge != NULL && p->up >= 0)
        whole->edge[p->up] = t->from[v] * t->out[v];
    if (whole->edge != NULL && p->down >= 0)
        whole->edge[p->down] = t->to[v] * t->in[v];
    t->in[u] += from;
    t->out[u] += to;
    t->from[u] = p->from_before;
    t->to[u] = p->to_before;
}

void pendant_trees_join(struct pendant_trees *t, const struct betweenness *of_rest, bool endpoints,
                        struct betweenness *whole) {
    take_rest(t, of_rest, whole);
    for (int32_t k = t->count - 1; k >= 0; k--) /* parents come before what hangs on them */
        flow_of_pendant(t, &t->pendant[k], whole);
    for (int32_t v = 0; v < t->graph->n; v++) {
        const double ends = t->to[v] * t->in[v], begins = t->from[v] * t->out[v];
        if (endpoints)
            whole->vertex[v] += ends + begins;
        if (whole->ends != NULL) {
            whole->ends[v] = ends;
            whole->begins[v] = begins;
        }
    }
}

uint64_t pendant_trees_memory(int32_t n, int64_t m) {
    /* Masses, what comes in and goes out, and values of the rest; numbers. */
    const uint64_t vertex =
        sizeof(struct pendant_vertex) + 9 * sizeof(double) + 6 * sizeof(int32_t);
    return memory_add(graph_memory(n, m), memory_add(memory_times((uint64_t)n, vertex),
                                                     memory_times((uint64_t)m, sizeof(double))));
}

void pendant_trees_free(struct pendant_trees *t) {
    graph_free(&t->rest);
    memory_free(t->vertex);
    memory_free(t->pendant);
    memory_free(t->masses);
    memory_free(t->source);
    *t = (struct pendant_trees){.graph = NULL};
}
