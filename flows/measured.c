// SPDX-License-Identifier: MIT
#include "flows/measured.h"

#include "common/base/clock.h"         // clock_seconds
#include "common/base/memory.h"        // memory_alloc
#include "flows/betweenness_scaling.h" // betweenness_factor

#include <string.h>

static enum status alloc(struct measured_flows *flows, int32_t n, int64_t edges,
                         struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)n, 2 * sizeof(double), "betweenness", err));
    flows->betweenness = memory;
    flows->centrality = flows->betweenness + n;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)edges, 2 * sizeof(double), "betweenness", err));
    flows->edge_betweenness = memory;
    flows->edge_centrality = flows->edge_betweenness + edges;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)edges, 2 * sizeof(int32_t), "betweenness", err));
    flows->tail = memory;
    flows->head = flows->tail + edges;
    flows->edges = edges;
    return STATUS_OK;
}

/* Returns whether an edge is reported: of an undirected graph only the direction from the lower
 * vertex. */
static bool has_row(bool directed, int32_t u, int32_t v) {
    return directed || u < v;
}

static int64_t count_rows(const struct graph *g, bool directed) {
    int64_t count = 0;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            count += has_row(directed, u, g->head[e]);
    }
    return count;
}

static void scale_vertices(const struct measured_request *request, bool directed,
                           const double *vertex, struct measured_flows *flows) {
    const struct graph *const g = request->graph;
    const struct betweenness_scaling scaling = {.n = g->n,
                                                .sources = request->sources.count,
                                                .all = request->sources.source == NULL,
                                                .directed = directed,
                                                .with_endpoints = request->endpoints};
    const double factor = betweenness_factor(&scaling, false);
    const double normal = betweenness_centrality_factor(&scaling, false);
    for (int32_t v = 0; v < g->n; v++) {
        flows->betweenness[v] = vertex[v] * factor;
        flows->centrality[v] = vertex[v] * normal;
    }
    for (int32_t p = 0; p < request->sources.count && !scaling.all; p++) {
        const int32_t v = request->sources.source[p];
        flows->betweenness[v] = vertex[v] * betweenness_factor(&scaling, true);
        flows->centrality[v] = vertex[v] * betweenness_centrality_factor(&scaling, true);
    }
}

static void scale_edges(const struct measured_request *request, bool directed, const double *edge,
                        struct measured_flows *flows) {
    const struct graph *const g = request->graph;
    const struct betweenness_scaling scaling = {.n = g->n,
                                                .sources = request->sources.count,
                                                .all = request->sources.source == NULL,
                                                .directed = directed,
                                                .with_endpoints = true};
    const double factor = betweenness_factor(&scaling, false);
    const double normal = betweenness_centrality_factor(&scaling, false);
    int64_t row = 0;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (!has_row(directed, u, v))
                continue;
            const double pairs = edge[e] + (directed ? 0 : edge[graph_find_edge(g, v, u)]);
            flows->tail[row] = u;
            flows->head[row] = v;
            flows->edge_betweenness[row] = pairs * factor;
            flows->edge_centrality[row++] = pairs * normal;
        }
    }
}

/* Adds to the value of each vertex the pairs that begin or end there. The flow into and out of a
 * vertex counts these once, and pairs that lead through it twice. */
static void add_endpoints(const struct graph *g, const double *edge, double *vertex) {
    for (int32_t v = 0; v < g->n; v++)
        vertex[v] = -vertex[v];
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            vertex[u] += edge[e];
            vertex[g->head[e]] += edge[e];
        }
    }
}

static struct betweenness_request asked_by(const struct measured_request *request) {
    return (struct betweenness_request){.graph = request->flow->graph,
                                        .split = flow_graph_split(request->flow),
                                        .zoned = request->graph,
                                        .sources = request->sources,
                                        .edges = true,
                                        .way = request->way,
                                        .threads = request->threads,
                                        .engine = request->engine,
                                        .device = request->device,
                                        .progress = request->progress};
}

enum status measured_flows_find(const struct measured_request *request,
                                struct measured_flows *flows, struct measured_how *how,
                                struct error *err) {
    struct betweenness found = {.vertex = NULL};
    const struct betweenness_request asked = asked_by(request);
    const double start = clock_seconds();
    bool directed;
    enum status status;
    *flows = (struct measured_flows){.endpoints = request->endpoints};
    *how = (struct measured_how){.seconds = 0};
    directed = graph_is_directed(request->graph, request->threads);
    TRY(betweenness_find(&asked, &found, err));
    how->seconds = clock_seconds() - start;
    if (request->way != BETWEENNESS_BY_ANY && found.way != request->way)
        how->not_as_asked = found.not_classes;
    if (request->variant != NULL)
        TRY(betweenness_prove(&asked, &found, request->variant, BETWEENNESS_WHOLE, &how->proof,
                              err));
    how->proof_seconds = clock_seconds() - start - how->seconds;
    TRY(alloc(flows, request->graph->n, count_rows(request->graph, directed), err));
    flows->way = betweenness_engine_name(found.way, found.on_gpu);
    flows->times = request->flow->times;
    flows->spacing = request->flow->rounding.spacing;
    if (request->endpoints)
        add_endpoints(request->graph, found.edge, found.vertex);
    scale_vertices(request, directed, found.vertex, flows);
    scale_edges(request, directed, found.edge, flows);
cleanup:
    betweenness_free(&found);
    return status;
}

/* Returns the bytes of the values that are kept, scaled. */
static uint64_t kept_memory(int32_t n, int64_t m) {
    return memory_add(memory_times((uint64_t)n, 2 * sizeof(double)),
                      memory_times((uint64_t)m, 2 * sizeof(double) + 8));
}

enum status measured_flows_plan(const struct measured_request *request,
                                struct betweenness_plan *plan, struct error *err) {
    const struct betweenness_request asked = asked_by(request);
    const struct graph *const g = request->graph;
    RETURN_ON_FAILURE(betweenness_plan_make(&asked, plan, err));
    plan->memory = memory_add(plan->memory, kept_memory(g->n, g->m));
    return STATUS_OK;
}

uint64_t measured_flows_memory(int32_t n, int64_t m, int threads) {
    return memory_add(betweenness_memory(n, m, threads), kept_memory(n, m));
}

void measured_flows_free(struct measured_flows *flows) {
    memory_free(flows->betweenness);
    memory_free(flows->edge_betweenness);
    memory_free(flows->tail);
    *flows = (struct measured_flows){0};
}
