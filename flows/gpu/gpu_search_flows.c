// SPDX-License-Identifier: MIT
#include "flows/gpu/gpu_search_flows.h"

#ifndef APSP_NO_CUDA

#include "common/base/block_sizes.h"      // block_sizes
#include "common/base/memory.h"           // memory_alloc
#include "common/base/threads.h"          // threads_or_default
#include "flows/gpu/gpu_search_kernels.h" // struct search_flows
#include "flows/source_rows.h"            // struct search_order
#include "gpu/device_memory.h"            // device_memory_alloc
#include "gpu/gpu_solver.h"               // gpu_turn_begin
#include "gpu/launch/gpu_error.h"         // gpu_check
#include "search/cpu/bfs_graph.h"         // bfs_graph_make

#include <math.h>
#include <string.h>

static const char what[] = "betweenness";

/* Number of levels that the device has room for: LEVELS_TIMES the levels of the request's search,
 * between LEVELS_LEAST and LEVELS_MOST. Level 0 counts, and the last level must stay empty. */
enum { LEVELS_LEAST = 32, LEVELS_TIMES = 3, LEVELS_MOST = 256 };

/* Least mass of a target: divided by a number of paths, it is no denormal number. Largest mass of a
 * source: its product with such a quotient is finite. */
static const double mass_least = 0x1p-300, mass_most = 0x1p300;

struct gpu_search_run {
    const struct search_flows_request *request;
    struct gpu_turn turn;
    bool has_turn; /* the turn on the GPU has to be ended */
    struct bfs_graph graph;
    struct device_memory memory;
    struct search_flows flows;
    int32_t deepest; /* deepest level at which a batch so far found new vertices */
    int32_t rounds;  /* last round in which labels of a batch so far sank */
    int32_t *any;    /* copy of flows.any or flows.lengths.any of each group, groups x (levels + 1)
                      */
};

static int32_t levels_for(int32_t levels) {
    const int64_t room = (int64_t)LEVELS_TIMES * levels;
    return room < LEVELS_LEAST ? LEVELS_LEAST : room < LEVELS_MOST ? (int32_t)room : LEVELS_MOST;
}

/* Returns the number of groups that keep all warps busy, at most the number that there is. */
static int32_t groups_for(const struct search_flows_request *r) {
    enum { VERTICES = 1 << 22, MOST = 8 };
    const int32_t enough = VERTICES / r->graph->n, all = (r->sources->count - 1) / FLOW_SOURCES + 1;
    const int32_t groups = enough < 1 ? 1 : enough < MOST ? enough : MOST;
    return groups < all ? groups : all;
}

static size_t length_size(const struct graph *g) {
    return g->type == NUMBER_INT32 ? sizeof(int32_t) : sizeof(double);
}

/* Returns the bytes of device memory for one group of sources, without the sums of edges and
 * ends. */
static size_t group_bytes(const struct search_flows_request *r) {
    const size_t levels = (size_t)levels_for(r->levels), set = sizeof(struct source_set);
    const size_t vertex = (levels + 1) * set + FLOW_SOURCES * sizeof(double) + sizeof(double);
    const size_t lengths = r->weighted ? 2 * set + (FLOW_SOURCES + 3) * length_size(r->graph) : 0;
    const size_t edge = r->weighted ? 2 * set : 0;
    return (size_t)r->graph->n * (vertex + lengths) + (size_t)r->graph->m * edge;
}

/* Returns whether there is a device whose memory holds one group of sources. */
static bool has_gpu(const struct search_flows_request *r) {
    struct gpu_traits traits;
    struct error err;
    const enum status status = gpu_query(r->device, &traits, &err);
    (void)cudaGetLastError();
    return status == STATUS_OK && group_bytes(r) <= traits.memory;
}

/* Constants of the prediction: picoseconds for each source and each vertex or edge, at all and for
 * each level, and seconds of a batch for each level. */
struct search_pace {
    double vertex_ps, vertex_level_ps, edge_ps, level_s;
};

/* As measured on an H100. */
static const struct search_pace pace_unweighted = {
    .vertex_ps = 15, .vertex_level_ps = 15 / 8.0, .edge_ps = 12, .level_s = 2e-5};

/* As measured on an H200: power laws, random graphs and neighbour graphs of 50 000 and 100 000
 * vertices take 0.85 to 1.25 times as long as predicted, others with few levels half as long. */
static const struct search_pace pace_weighted = {
    .vertex_ps = 0, .vertex_level_ps = 25, .edge_ps = 17, .level_s = 2e-5};

static double seconds(const struct search_flows_request *r) {
    const struct search_pace *const pace = r->weighted ? &pace_weighted : &pace_unweighted;
    const struct graph *const g = r->graph;
    const double batches = ceil((double)r->sources->count / FLOW_SOURCES);
    const double source_ps =
        (pace->vertex_ps + pace->vertex_level_ps * r->levels) * g->n + pace->edge_ps * (double)g->m;
    return r->levels >= LEVELS_MOST
               ? (double)HUGE_VAL
               : batches * (r->levels * pace->level_s + 1e-12 * FLOW_SOURCES * source_ps);
}

// The device's arrays -----------------------------------------------------------------------------

/* Allocates device memory for `count` items of `size` bytes. */
static enum status take(struct gpu_search_run *run, size_t count, size_t size, void *memory,
                        struct error *err) {
    void *taken;
    RETURN_ON_FAILURE(device_memory_alloc(&run->memory, &taken, count * size, what, err));
    memcpy(memory, &taken, sizeof taken);
    return STATUS_OK;
}

/* Allocates device memory and copies `count` items there. */
static enum status send(struct gpu_search_run *run, const void *from, size_t count, size_t size,
                        void *memory, struct error *err) {
    const void *sent;
    RETURN_ON_FAILURE(device_memory_upload(&run->memory, from, count, size, &sent, err));
    memcpy(memory, &sent, sizeof sent);
    return STATUS_OK;
}

static enum status send_edges(struct gpu_search_run *run, const int64_t *first, const int32_t *end,
                              struct edge_lists *to, struct error *err) {
    const int32_t n = run->graph.n;
    void *memory = NULL;
    enum status status;
    TRY(memory_alloc(&memory, (size_t)n, sizeof(int32_t), what, err));
    int32_t *const hub = memory;
    to->hubs = 0;
    for (int32_t v = 0; v < n; v++) {
        if (first[v + 1] - first[v] >= FLOW_HUB)
            hub[to->hubs++] = v;
    }
    TRY(send(run, hub, (size_t)to->hubs, sizeof *hub, &to->hub, err));
    TRY(send(run, first, (size_t)n + 1, sizeof *first, &to->first, err));
    TRY(send(run, end, (size_t)run->graph.m, sizeof *end, &to->end, err));
cleanup:
    memory_free(memory);
    return status;
}

/* Returns the place of the edge to `end` among those of vertex v, whose ends ascend. */
static int64_t find_edge(const int64_t *first, const int32_t *ends, int32_t v, int32_t end) {
    int64_t low = first[v], high = first[v + 1] - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ends[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Copies the weight of each edge into a vertex, and the edge's index among the edges out of
 * vertices, to the device. A weight of INF or more becomes INF. */
static enum status send_weights(struct gpu_search_run *run, struct error *err) {
    const struct bfs_graph *const b = &run->graph;
    const struct graph *const g = run->request->graph;
    struct search_lengths *const to = &run->flows.lengths;
    const bool is_real = g->type != NUMBER_INT32;
    const int threads = threads_or_default(run->request->threads);
    const size_t m = (size_t)b->m, size = length_size(g);
    void *weights = NULL, *places = NULL;
    enum status status;
    TRY(memory_alloc(&weights, m, size, what, err));
    TRY(memory_alloc(&places, m, sizeof(int64_t), what, err));
    int64_t *const place = places;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (int32_t v = 0; v < g->n; v++) {
        const int32_t tail = b->number[v];
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            const int32_t head = b->number[g->head[e]];
            const int64_t in = find_edge(b->first_in, b->tail, head, tail);
            place[in] = find_edge(b->first_out, b->head, tail, head);
            if (is_real)
                ((double *)weights)[in] = g->real_weight[e];
            else
                ((int32_t *)weights)[in] = g->weight[e] < INF ? g->weight[e] : INF;
        }
    }
    TRY(send(run, weights, m, size, is_real ? (void *)&to->real_weight : (void *)&to->weight, err));
    TRY(send(run, place, m, sizeof *place, &to->place, err));
cleanup:
    memory_free(weights);
    memory_free(places);
    return status;
}

/* Sorts the request's sources by their distances to the vertex with the most edges out, so that the
 * sources of a group have similar labels: most paths lead over hubs. place[k]: index in the request
 * of the source that comes k-th, r->sources->count entries. */
static enum status order_sources(const struct gpu_search_run *run, int32_t *place,
                                 struct error *err) {
    const struct graph *const g = run->request->graph;
    const struct row_sources *const sources = run->request->sources;
    struct search_order order = {.reached = 0};
    struct graph reverse = {.n = 0};
    void *memory = NULL;
    enum status status;
    TRY(graph_reverse(g, &reverse, err));
    TRY(search_order_find(&order, &reverse, run->graph.vertex[0], err));
    TRY(memory_alloc(&memory, 2 * (size_t)g->n + 2, sizeof(int32_t), what, err));
    int32_t *const next = memset(memory, 0, (2 * (size_t)g->n + 2) * sizeof *next);
    int32_t *const rank = next + g->n + 2; /* by vertex; those without a path come last */
    for (int32_t v = 0; v < g->n; v++)
        rank[v] = g->n;
    for (int32_t k = 0; k < order.reached; k++)
        rank[order.vertex[k]] = k;
    for (int32_t k = 0; k < sources->count; k++)
        next[rank[row_source(sources, k)] + 1]++;
    for (int32_t k = 0; k <= g->n; k++)
        next[k + 1] += next[k];
    for (int32_t k = 0; k < sources->count; k++)
        place[next[rank[row_source(sources, k)]]++] = k;
cleanup:
    memory_free(memory);
    search_order_free(&order);
    graph_free(&reverse);
    return status;
}

static enum status send_target_masses(struct gpu_search_run *run, struct error *err) {
    const struct search_flows_request *const r = run->request;
    const size_t n = (size_t)run->graph.n;
    void *memory = NULL;
    enum status status;
    TRY(memory_alloc(&memory, n, sizeof(double), what, err));
    double *const to = memory;
    for (size_t k = 0; k < n; k++) {
        to[k] = r->to_mass == NULL ? 1 : r->to_mass[run->graph.vertex[k]];
        if (to[k] > 0 && to[k] < mass_least) {
            status = fail(err, STATUS_NO_RESOURCE,
                          "a GPU finds betweenness for masses of targets of 2^-300 or more");
            goto cleanup;
        }
    }
    TRY(send(run, to, n, sizeof *to, &run->flows.to, err));
cleanup:
    memory_free(memory);
    return status;
}

/* Copies the sources that have a mass to the device. */
static enum status send_sources(struct gpu_search_run *run, struct error *err) {
    const struct search_flows_request *const r = run->request;
    struct search_flows *const s = &run->flows;
    const size_t count = (size_t)r->sources->count;
    void *masses = NULL, *numbers = NULL;
    enum status status;
    TRY(memory_alloc(&masses, count, sizeof(double), what, err));
    TRY(memory_alloc(&numbers, 2 * count, sizeof(int32_t), what, err));
    double *const from = masses;
    int32_t *const source = numbers, *const place = source + count;
    for (int32_t k = 0; k < r->sources->count; k++)
        place[k] = k;
    if (r->weighted && count > FLOW_SOURCES)
        TRY(order_sources(run, place, err));
    for (size_t k = 0; k < count; k++) {
        const int32_t v = row_source(r->sources, place[k]);
        source[s->sources] = run->graph.number[v];
        from[s->sources] = r->from_mass == NULL ? 1 : r->from_mass[v];
        if (from[s->sources] > mass_most) {
            status = fail(err, STATUS_NO_RESOURCE,
                          "a GPU finds betweenness for masses of sources up to 2^300");
            goto cleanup;
        }
        s->sources += from[s->sources] > 0;
    }
    TRY(send(run, source, (size_t)s->sources, sizeof *source, &s->source, err));
    TRY(send(run, from, (size_t)s->sources, sizeof *from, &s->from, err));
cleanup:
    memory_free(masses);
    memory_free(numbers);
    return status;
}

/* Allocates device memory for sums, and sets them to 0. */
static enum status take_sums(struct gpu_search_run *run, size_t count, double **sums,
                             struct error *err) {
    RETURN_ON_FAILURE(take(run, count, sizeof **sums, sums, err));
    return gpu_check(cudaMemset(*sums, 0, count * sizeof **sums), what, err);
}

/* Chooses the number of groups of a batch: as many as the device has memory for and are of use. */
static enum status choose_groups(struct gpu_search_run *run, bool edges, bool ends,
                                 struct error *err) {
    enum { ROUNDED = 28 << 20 }; /* most bytes by which allocations are rounded up */
    struct search_flows *const s = &run->flows;
    const size_t each = group_bytes(run->request) + (edges ? (size_t)s->m * sizeof *s->edge : 0) +
                        (ends ? 2 * (size_t)s->n * sizeof *s->ends : 0);
    const int32_t useful = groups_for(run->request);
    size_t left;
    RETURN_ON_FAILURE(device_memory_left(&run->memory, &left, err));
    const size_t fit = left > ROUNDED ? (left - ROUNDED) / each : 0;
    s->groups = fit < (size_t)useful ? (int32_t)fit : useful;
    return s->groups > 0 ? STATUS_OK
                         : fail(err, STATUS_NO_RESOURCE, "out of memory on the GPU: %s", what);
}

/* Allocates the arrays of groups for a graph with weights. */
static enum status take_lengths(struct gpu_search_run *run, struct error *err) {
    const struct search_flows *const s = &run->flows;
    struct search_lengths *const l = &run->flows.lengths;
    const size_t groups = (size_t)s->groups, n = (size_t)s->n, m = (size_t)s->m;
    const size_t size = length_size(run->request->graph);
    RETURN_ON_FAILURE(take(run, groups * n * FLOW_SOURCES, size, &l->dist, err));
    RETURN_ON_FAILURE(take(run, groups * 2 * n, size, &l->least, err));
    RETURN_ON_FAILURE(take(run, groups * n, size, &l->most, err));
    RETURN_ON_FAILURE(take(run, groups * 2 * n, sizeof *l->sunk, &l->sunk, err));
    RETURN_ON_FAILURE(take(run, groups * m, sizeof *l->tight_in, &l->tight_in, err));
    RETURN_ON_FAILURE(take(run, groups * m, sizeof *l->tight_out, &l->tight_out, err));
    return take(run, groups * ((size_t)s->levels + 1), sizeof *l->any, &l->any, err);
}

static enum status open_run(struct gpu_search_run *run, bool edges, bool ends, struct error *err) {
    const struct search_flows_request *const r = run->request;
    const struct solver_options options = {.device = r->device, .keeps_device = true};
    const size_t n = (size_t)r->graph->n, m = (size_t)r->graph->m;
    struct search_flows *const s = &run->flows;
    void *memory;
    s->n = r->graph->n;
    s->m = r->graph->m;
    s->levels = levels_for(r->levels);
    s->endpoints = r->endpoints;
    s->paths_most = ldexp(1, block_sizes.gpu_path_bits);
    s->to_least = mass_least;
    s->rate = r->rate;
    RETURN_ON_FAILURE(bfs_graph_make(&run->graph, r->graph, r->threads, err));
    RETURN_ON_FAILURE(gpu_turn_begin(&run->turn, &options, err));
    run->has_turn = true;
    RETURN_ON_FAILURE(send_edges(run, run->graph.first_in, run->graph.tail, &s->in, err));
    if (run->graph.undirected)
        s->out = s->in;
    else
        RETURN_ON_FAILURE(send_edges(run, run->graph.first_out, run->graph.head, &s->out, err));
    if (r->weighted)
        RETURN_ON_FAILURE(send_weights(run, err));
    RETURN_ON_FAILURE(send_target_masses(run, err));
    RETURN_ON_FAILURE(send_sources(run, err));
    RETURN_ON_FAILURE(choose_groups(run, edges, ends, err));
    const size_t groups = (size_t)s->groups, levels = (size_t)s->levels, flags = levels + 1;
    RETURN_ON_FAILURE(memory_alloc(&memory, groups * flags, sizeof *run->any, what, err));
    run->any = memory;
    RETURN_ON_FAILURE(take(run, groups * n, sizeof *s->come, &s->come, err));
    RETURN_ON_FAILURE(take(run, groups * levels * n, sizeof *s->at_level, &s->at_level, err));
    RETURN_ON_FAILURE(take(run, groups * flags, sizeof *s->any, &s->any, err));
    RETURN_ON_FAILURE(take(run, groups * n * FLOW_SOURCES, sizeof *s->paths, &s->paths, err));
    RETURN_ON_FAILURE(take_sums(run, groups * n, &s->vertex, err));
    if (r->weighted)
        RETURN_ON_FAILURE(take_lengths(run, err));
    if (ends)
        RETURN_ON_FAILURE(take_sums(run, groups * 2 * n, &s->ends, err));
    return edges ? take_sums(run, groups * m, &s->edge, err) : STATUS_OK;
}

static void close_run(struct gpu_search_run *run) {
    device_memory_free_since(&run->memory, 0);
    (void)cudaGetLastError();
    if (run->has_turn)
        gpu_turn_end(&run->turn);
    bfs_graph_free(&run->graph);
    memory_free(run->any);
}

// Batches -----------------------------------------------------------------------------------------

/* Returns whether flag number `flag` of any group is set in run->any, the host's copy of flags. */
static bool is_any(const struct gpu_search_run *run, int32_t flag) {
    const struct search_flows *const s = &run->flows;
    bool any = false;
    for (int32_t group = 0; group < s->groups; group++)
        any = any || run->any[(ptrdiff_t)group * (s->levels + 1) + flag] != 0;
    return any;
}

/* Does steps, which are levels or rounds, until one changes nothing. flags: for each step, not 0 if
 * it has changed something, in device memory. *last: last step that has. *most: largest *last of
 * all batches. Launches one step more than *most before it reads the flags for the first time,
 * because each reading waits for the device. */
static enum status take_steps(struct gpu_search_run *run,
                              enum status (*step)(const struct search_flows *s, int32_t number,
                                                  int32_t first, struct error *err),
                              const int32_t *flags, int32_t first, int32_t *most, int32_t *last,
                              struct error *err) {
    const struct search_flows *const s = &run->flows;
    const size_t count = (size_t)s->groups * ((size_t)s->levels + 1);
    int32_t launched = 0;
    do {
        int32_t to = launched == 0 ? *most + 1 : launched + 1;
        to = to < s->levels ? to : s->levels - 1;
        while (launched < to)
            RETURN_ON_FAILURE(step(s, ++launched, first, err));
        RETURN_ON_FAILURE(
            gpu_check(cudaMemcpy(run->any, flags, count * sizeof *flags, cudaMemcpyDeviceToHost),
                      "searching", err));
    } while (is_any(run, launched) && launched + 1 < s->levels);
    if (is_any(run, launched))
        return fail(err, STATUS_NO_RESOURCE, "a GPU finds betweenness for up to %d levels here",
                    (int)s->levels - 1);
    *last = launched - 1;
    while (!is_any(run, *last))
        (*last)--;
    *most = *last > *most ? *last : *most;
    return STATUS_OK;
}

/* Finds the distances of a batch and the edges that are tight. */
static enum status find_distances(struct gpu_search_run *run, int32_t first, struct error *err) {
    int32_t last;
    RETURN_ON_FAILURE(take_steps(run, search_flows_round, run->flows.lengths.any, first,
                                 &run->rounds, &last, err));
    return search_flows_tight(&run->flows, first, err);
}

/* Adds the flow from the sources of a batch. */
static enum status add_batch(struct gpu_search_run *run, int32_t first, struct error *err) {
    const struct search_flows *const s = &run->flows;
    const int32_t least = s->edge != NULL || s->ends != NULL || s->endpoints ? 0 : 1;
    int32_t deepest;
    RETURN_ON_FAILURE(search_flows_begin(s, first, err));
    if (run->request->weighted)
        RETURN_ON_FAILURE(find_distances(run, first, err));
    RETURN_ON_FAILURE(
        take_steps(run, search_flows_forwards, s->any, first, &run->deepest, &deepest, err));
    if (is_any(run, s->levels))
        return fail(err, STATUS_NO_RESOURCE,
                    "a GPU finds betweenness for numbers of paths below 2^%d, and for decayed "
                    "masses of targets of 2^-300 or more",
                    (int)block_sizes.gpu_path_bits);
    for (int32_t level = deepest; level >= least; level--)
        RETURN_ON_FAILURE(search_flows_backwards(s, level, first, level == deepest, err));
    return STATUS_OK;
}

// Results -----------------------------------------------------------------------------------------

static enum status copy_back(const double *from, size_t count, void **copy, struct error *err) {
    RETURN_ON_FAILURE(memory_alloc(copy, count, sizeof *from, what, err));
    return gpu_check(cudaMemcpy(*copy, from, count * sizeof *from, cudaMemcpyDeviceToHost),
                     "copying betweenness", err);
}

/* Adds what the device has found to the caller's values. */
static enum status add_found(const struct gpu_search_run *run, const struct search_flows_sums *to,
                             struct error *err) {
    const struct bfs_graph *const b = &run->graph;
    const struct graph *const g = run->request->graph;
    const int threads = threads_or_default(run->request->threads);
    void *vertices = NULL, *edges = NULL, *ended = NULL;
    enum status status;
    TRY(search_flows_join(&run->flows, err));
    TRY(copy_back(run->flows.vertex, (size_t)b->n, &vertices, err));
    if (to->edge != NULL)
        TRY(copy_back(run->flows.edge, (size_t)b->m, &edges, err));
    if (to->ends != NULL)
        TRY(copy_back(run->flows.ends, 2 * (size_t)b->n, &ended, err));
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (int32_t v = 0; v < g->n; v++) {
        if (to->ends != NULL) {
            to->ends[v] += ((const double *)ended)[b->number[v]];
            to->begins[v] += ((const double *)ended)[b->n + b->number[v]];
        }
        to->vertex[v] += ((const double *)vertices)[b->number[v]];
        for (int64_t e = g->first[v]; e < g->first[v + 1] && to->edge != NULL; e++)
            to->edge[e] +=
                ((const double *)
                     edges)[find_edge(b->first_out, b->head, b->number[v], b->number[g->head[e]])];
    }
cleanup:
    memory_free(vertices);
    memory_free(edges);
    memory_free(ended);
    return status;
}

static enum status find(const struct search_flows_request *r, const struct search_flows_sums *sums,
                        struct error *err) {
    struct gpu_search_run run = {.request = r};
    struct search_flows *const s = &run.flows;
    enum status status;
    TRY(open_run(&run, sums->edge != NULL, sums->ends != NULL, err));
    for (int32_t first = 0; first < s->sources && progress_goes_on(r->progress);
         first += s->groups * FLOW_SOURCES) {
        TRY(add_batch(&run, first, err));
        progress_report(r->progress, first, s->sources);
    }
    if (!progress_goes_on(r->progress))
        TRY(progress_cancelled(err));
    TRY(add_found(&run, sums, err));
cleanup:
    close_run(&run);
    return status;
}

const struct search_flows_engine gpu_search_flows = {
    .levels_most = LEVELS_MOST, .seconds = seconds, .has_gpu = has_gpu, .find = find};

#endif
