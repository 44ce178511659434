// SPDX-License-Identifier: MIT
#include "flows/betweenness.h"

#include "common/base/exp_kernels.h" // decay_rate
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_or_default
#include "common/graph/zones.h"      // struct zone_split
#include "elimination/order.h"       // order_is_available
#include "flows/by_elimination.h"    // betweenness_by_elimination
#include "flows/cpu_search_flows.h"  // struct cpu_search_flows_request
#include "flows/flow_engine.h"       // struct flow_engine
#include "flows/pendant_trees.h"     // struct pendant_trees
#include "flows/source_rows.h"       // source_rows_levels
#include "solve/by_spacings.h"       // spacings_graph_make
#include "solve/narrowest.h"         // struct narrowest

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const way_names[] = {[BETWEENNESS_BY_ANY] = "auto",
                                        [BETWEENNESS_BY_SEARCHES] = "searches",
                                        [BETWEENNESS_BY_CLASSES] = "classes",
                                        [BETWEENNESS_BY_SWEEPS] = "sweeps"};

bool betweenness_way_find(const char *name, enum betweenness_way *way) {
    for (size_t k = 0; k < sizeof way_names / sizeof *way_names; k++) {
        *way = (enum betweenness_way)k;
        if (strcmp(name, way_names[k]) == 0)
            return true;
    }
    return false;
}

const char *betweenness_way_name(enum betweenness_way way) {
    return way_names[way];
}

const char *betweenness_engine_name(enum betweenness_way way, bool on_gpu) {
    return !on_gpu                         ? way_names[way]
           : way == BETWEENNESS_BY_CLASSES ? "classes on a GPU"
                                           : "searches on a GPU";
}

// The graph ---------------------------------------------------------------------------------------

/* Finds an order of the vertices in which edges of weight 0 lead upwards (Kahn 1962). */
static enum status find_rank(const struct graph *g, const char *what, int32_t **rank,
                             struct error *err) {
    const bool is_real = g->type != NUMBER_INT32;
    const size_t n = (size_t)g->n;
    void *memory;
    int32_t met = 0;
    if (g->m == 0 || g->min_weight > 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, 3 * sizeof(int32_t), "edges of weight 0", err));
    int32_t *const found = *rank = memory, *const before = found + n, *const queue = before + n;
    memset(before, 0, n * sizeof *before);
    for (int64_t e = 0; e < g->m; e++)
        before[g->head[e]] += is_real ? g->real_weight[e] == 0 : g->weight[e] == 0;
    for (int32_t v = 0; v < g->n; v++) {
        found[v] = -1;
        if (before[v] == 0)
            queue[met++] = v;
    }
    for (int32_t k = 0; k < met; k++) {
        found[queue[k]] = k;
        for (int64_t e = g->first[queue[k]]; e < g->first[queue[k] + 1]; e++) {
            if ((is_real ? g->real_weight[e] == 0 : g->weight[e] == 0) && --before[g->head[e]] == 0)
                queue[met++] = g->head[e];
        }
    }
    for (int32_t v = 0; v < g->n; v++) {
        if (found[v] < 0)
            return fail(err, STATUS_BAD_INPUT,
                        "%s: expected no cycle of weight 0, on which there is no number of "
                        "shortest paths, found one at %s or before it%s",
                        what, graph_name(g, v).text, graph_numbering(g));
    }
    return STATUS_OK;
}

/* Returns whether all weights are equal, so that breadth-first search finds shortest paths. */
static bool are_equal(const struct graph *g) {
    return g->m > 0 && g->min_weight == g->max_weight && g->min_weight > 0 && g->n <= INF;
}

/* Stores a graph with the same edges as g, all of whose weights are 1. */
static enum status make_ones(const struct graph *g, struct narrowest *own, struct error *err) {
    struct graph spaced = *g;
    own->graph = &own->own;
    own->unit = spaced.spacing = g->max_weight;
    if (g->type != NUMBER_INT32)
        return spacings_graph_make(&spaced, &own->own, err);
    RETURN_ON_FAILURE(graph_copy(g, &own->own, err));
    for (int64_t e = 0; e < g->m; e++)
        own->own.weight[e] = 1;
    return STATUS_OK;
}

/* Chooses the graph in the type that is the fastest, and makes the request for searches in it,
 * which refers to *request, *own and *rank. The caller frees the last two, also after a failure. */
static enum status prepare(const struct betweenness_request *request, const char *name,
                           struct narrowest *own, int32_t **rank,
                           struct cpu_search_flows_request *searches, struct error *err) {
    const struct graph *const g = request->graph;
    const bool is_breadth_first = are_equal(g);
    RETURN_ON_FAILURE(is_breadth_first ? make_ones(g, own, err)
                                       : narrowest_choose(name, g, own, err));
    RETURN_ON_FAILURE(find_rank(own->graph, name, rank, err));
    *searches = (struct cpu_search_flows_request){
        .by = {.graph = own->graph,
               .weighted = !is_breadth_first,
               .sources = &request->sources,
               .from_mass = request->from_mass,
               .to_mass = request->to_mass,
               .rate = request->decay > 0 ? decay_rate(own->unit, request->decay) : 0,
               .endpoints = request->endpoints,
               .threads = threads_or_default(request->threads),
               .device = request->device,
               .progress = request->progress},
        .name = name,
        .unit = own->unit,
        .rank = *rank,
        .split = request->split,
        .trips = request->trips};
    return STATUS_OK;
}

// Results -----------------------------------------------------------------------------------------

/* Allocates `count` zeros if they are wanted. */
static enum status alloc_zeros(double **zeros, int64_t count, bool wanted, struct error *err) {
    const size_t numbers = (size_t)count;
    void *memory;
    if (!wanted)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, numbers, sizeof **zeros, "betweenness", err));
    *zeros = memset(memory, 0, numbers * sizeof **zeros);
    return STATUS_OK;
}

static enum status alloc(struct betweenness *found, const struct graph *g, bool edges, bool ends,
                         struct error *err) {
    RETURN_ON_FAILURE(alloc_zeros(&found->vertex, g->n, true, err));
    RETURN_ON_FAILURE(alloc_zeros(&found->edge, g->m, edges, err));
    RETURN_ON_FAILURE(alloc_zeros(&found->ends, g->n, ends, err));
    return alloc_zeros(&found->begins, g->n, ends, err);
}

/* Returns the sum of the lengths of all trips, from the flow over each edge. */
static double length_of(const struct graph *g, const double *edge) {
    double sum = 0;
    for (int64_t e = 0; e < g->m; e++)
        sum += edge[e] * graph_weight(g, e);
    return sum;
}

/* Returns the totals of pairs from the flow over each edge and what ends at each vertex. */
static struct trip_totals totals_of(const struct betweenness_request *request,
                                    const struct betweenness *found) {
    const struct graph *const g = request->graph;
    const int32_t targets = request->split != NULL ? request->zoned->n : g->n;
    struct trip_totals sum = {.lost_from = -1, .lost_to = -1};
    for (int32_t v = 0; v < targets; v++)
        sum.arrive += found->ends[v];
    for (int32_t p = 0; p < request->sources.count; p++) {
        const int32_t v = row_source(&request->sources, p);
        sum.stay += (request->from_mass == NULL ? 1 : request->from_mass[v]) *
                    (request->to_mass == NULL ? 1 : request->to_mass[v]);
    }
    sum.length = length_of(g, found->edge);
    return sum;
}

/* Finds the betweenness of vertices: the flow over the edges into each, without the flow that ends
 * there. */
static void sum_up(const struct graph *g, const double *edge, const double *ends,
                   const double *begins, bool endpoints, double *vertex) {
    for (int64_t e = 0; e < g->m; e++)
        vertex[g->head[e]] += edge[e];
    for (int32_t v = 0; v < g->n; v++) {
        const double through = vertex[v] - ends[v];
        vertex[v] = through > 0 ? through : 0;
        if (endpoints)
            vertex[v] += ends[v] + begins[v];
    }
}

void betweenness_join_zones(const struct betweenness_request *request,
                            const struct betweenness *of_split, struct betweenness *of_zoned) {
    const struct graph *const g = request->zoned, *const split = request->graph;
    for (int32_t v = 0; v < g->n; v++) {
        const int32_t begins = zone_split_source(request->split, v);
        of_zoned->vertex[v] = of_split->vertex[v] + (begins != v ? of_split->vertex[begins] : 0);
        for (int64_t e = g->first[v]; e < g->first[v + 1] && of_zoned->edge != NULL; e++)
            of_zoned->edge[e] = of_split->edge[split->first[begins] + e - g->first[v]];
    }
}

/* Replaces the values found for the graph with split zones by those of the graph with zones. */
static enum status join_zones(const struct betweenness_request *request, struct betweenness *found,
                              struct error *err) {
    struct betweenness joined = *found;
    joined.vertex = joined.edge = joined.ends = joined.begins = NULL;
    const enum status status = alloc(&joined, request->zoned, request->edges, false, err);
    if (status != STATUS_OK) {
        betweenness_free(&joined);
        return status;
    }
    betweenness_join_zones(request, found, &joined);
    betweenness_free(found);
    *found = joined;
    return STATUS_OK;
}

// Ways --------------------------------------------------------------------------------------------

/* Asks the request's engine how long it takes for the searches, and sets their number of levels.
 * Infinite if it should not do them: the CPU would be done before the engine has started, or the
 * engine cannot do all that is requested. */
static enum status ask_engine(const struct betweenness_request *request,
                              struct cpu_search_flows_request *searches, double *engine_s,
                              struct error *err) {
    struct search_flows_request *const own = &searches->by;
    const struct graph *const g = own->graph;
    const double cells = (double)g->n + (double)g->m;
    *engine_s = (double)HUGE_VAL;
    if (request->engine == NULL || searches->split != NULL || searches->trips != NULL ||
        !flow_searches_outlast_start(own->sources->count, cells, own->threads))
        return STATUS_OK;
    /* Breadth-first levels are found sooner and are no more than weighted ones, so that they
     * already rule out roads. */
    RETURN_ON_FAILURE(
        source_rows_levels(g, request->engine->searches->levels_most, &own->levels, err));
    *engine_s = request->engine->searches->seconds(own);
    if (!own->weighted || !isfinite(*engine_s))
        return STATUS_OK;
    RETURN_ON_FAILURE(source_rows_weighted_levels(g, &own->levels, err));
    *engine_s = request->engine->searches->seconds(own);
    return STATUS_OK;
}

/* Returns the arrays of the results, to which searches add. */
static struct search_flows_sums sums_of(const struct betweenness *found) {
    return (struct search_flows_sums){found->vertex, found->edge, found->ends, found->begins};
}

/* Searches on the request's engine. If the engine has too little memory or does not take the graph,
 * finds nothing and sets found->on_gpu to false. */
static enum status search_on_engine(const struct betweenness_request *request,
                                    const struct search_flows_request *searches,
                                    struct betweenness *found, struct error *err) {
    const struct search_flows_sums sums = sums_of(found);
    struct error mine;
    const enum status status = request->engine->searches->find(searches, &sums, &mine);
    found->on_gpu = status == STATUS_OK;
    if (status == STATUS_OK || status == STATUS_NO_RESOURCE)
        return STATUS_OK;
    *err = mine;
    return status;
}

/* Returns the reason why classes cannot be used, as far as it is seen without work; NULL: perhaps
 * they can. */
static const char *why_no_classes(const struct cpu_search_flows_request *searches,
                                  const struct betweenness_request *request) {
    enum { FEW = 1000 }; /* fewest vertices */
    const bool is_free = request->way == BETWEENNESS_BY_ANY;
    return request->way == BETWEENNESS_BY_SEARCHES ? "searches are asked for"
           : searches->rank != NULL                ? "there are edges of weight 0"
           : searches->split != NULL               ? "there are zones"
           : !order_is_available()                 ? "this build has no orders of elimination"
           : is_free && searches->by.graph->n < FEW
               ? "there are fewer than 1000 vertices outside of pendant trees"
               : NULL;
}

/* Chooses the way, and uses it unless it is by searches. found NULL: only plans. engine_s: seconds
 * that ask_engine() returned. */
static enum status choose(const struct cpu_search_flows_request *searches,
                          const struct betweenness_request *request, double engine_s,
                          struct betweenness_plan *plan, struct betweenness *found,
                          struct error *err) {
    const struct graph *const g = searches->by.graph;
    const double searches_of_all_s =
        isfinite(engine_s) ? engine_s : cpu_search_flows_seconds(searches);
    struct betweenness_request own = *request;
    struct trip_totals totals = {0};
    double *edge = NULL, *ends = NULL, *begins = NULL;
    void *memory = NULL;
    enum isa isa;
    enum status status = STATUS_OK;
    *plan = (struct betweenness_plan){.way = BETWEENNESS_BY_SEARCHES,
                                      .not_classes = why_no_classes(searches, request),
                                      .searches_on_gpu = isfinite(engine_s),
                                      .searches_s = searches_of_all_s,
                                      .sweeps_s = HUGE_VAL,
                                      .classes_s = HUGE_VAL};
    if (plan->not_classes != NULL)
        goto cleanup;
    if (request->way != BETWEENNESS_BY_ANY)
        plan->searches_s = HUGE_VAL;
    own.graph = g;
    own.decay = request->decay > 0 ? fmax(request->decay / searches->unit, DBL_MIN) : 0;
    TRY(isa_choose(&isa, err));
    if (found != NULL) {
        const size_t numbers = (size_t)g->m + 2 * (size_t)g->n;
        TRY(memory_alloc(&memory, numbers, sizeof(double), "flows", err));
        edge = memset(memory, 0, numbers * sizeof(double));
        ends = edge + g->m;
        begins = ends + g->n;
    }
    TRY(betweenness_by_elimination(&own, isa, plan, edge, ends, begins, &totals, err));
    if (found == NULL || plan->way == BETWEENNESS_BY_SEARCHES)
        goto cleanup;
    sum_up(g, edge, ends, begins, request->endpoints, found->vertex);
    if (searches->trips != NULL) {
        totals.length = length_of(request->graph, edge);
        found->totals = totals;
    }
    if (found->edge != NULL)
        memcpy(found->edge, edge, (size_t)g->m * sizeof *edge);
    if (found->ends != NULL) {
        memcpy(found->ends, ends, (size_t)g->n * sizeof *ends);
        memcpy(found->begins, begins, (size_t)g->n * sizeof *begins);
    }

cleanup:
    memory_free(memory);
    if (status == STATUS_NO_RESOURCE && request->way == BETWEENNESS_BY_ANY) {
        status = STATUS_OK; /* searches may have enough memory */
        plan->not_classes = "there is not enough memory";
    }
    plan->searches_s = searches_of_all_s;
    if (plan->way == BETWEENNESS_BY_SEARCHES) {
        plan->on_gpu = plan->searches_on_gpu;
        plan->memory = betweenness_memory(g->n, g->m, request->threads);
    }
    return status;
}

// Requests ----------------------------------------------------------------------------------------

/* Chooses a way and, unless found is NULL, finds all but the totals of pairs by it. */
static enum status search_or_eliminate(const struct betweenness_request *request, const char *name,
                                       struct betweenness_plan *plan, struct betweenness *found,
                                       struct error *err) {
    struct cpu_search_flows_request searches;
    struct narrowest own = {.graph = NULL};
    int32_t *rank = NULL;
    double engine_s;
    enum status status;
    TRY(prepare(request, name, &own, &rank, &searches, err));
    if (found != NULL)
        TRY(alloc(found, request->graph, request->edges, request->ends, err));
    TRY(ask_engine(request, &searches, &engine_s, err));
    TRY(choose(&searches, request, engine_s, plan, found, err));
    if (plan->way == BETWEENNESS_BY_SEARCHES && plan->on_gpu) {
        bool done = request->engine->searches->has_gpu(&searches.by);
        if (done && found != NULL) {
            TRY(search_on_engine(request, &searches.by, found, err));
            done = found->on_gpu;
        }
        if (!done) /* on the CPU, classes may take less time than searches */
            TRY(choose(&searches, request, HUGE_VAL, plan, found, err));
    }
    if (found == NULL)
        goto cleanup;
    found->way = plan->way;
    found->on_gpu = plan->on_gpu;
    found->not_classes = plan->not_classes;
    if (plan->way == BETWEENNESS_BY_SEARCHES && !found->on_gpu) {
        const struct search_flows_sums sums = sums_of(found);
        TRY(cpu_search_flows_find(&searches, &sums, &found->totals, err));
    }
cleanup:
    narrowest_free(&own);
    memory_free(rank);
    return status;
}

/* Returns the word for what was requested, for messages. */
static const char *name_of(const struct betweenness_request *r) {
    return r->trips != NULL                                             ? "trips"
           : r->decay > 0 || r->from_mass != NULL || r->to_mass != NULL ? "flows"
                                                                        : "betweenness";
}

/* Does as search_or_eliminate for the rest of a graph, without its pendant trees, and finds the
 * flow in the trees. */
static enum status find_beside_trees(const struct betweenness_request *request,
                                     struct pendant_trees *trees, struct betweenness_plan *plan,
                                     struct betweenness *found, struct error *err) {
    const struct graph *const g = request->graph;
    struct betweenness_request own;
    struct betweenness of_rest = {.vertex = NULL};
    enum status status;
    *plan = (struct betweenness_plan){.way = BETWEENNESS_BY_SEARCHES,
                                      .not_classes = "nothing flows outside of pendant trees",
                                      .sweeps_s = HUGE_VAL,
                                      .classes_s = HUGE_VAL};
    TRY(pendant_trees_request(trees, request, &own, err));
    if (own.sources.count > 0)
        TRY(search_or_eliminate(&own, name_of(request), plan, found != NULL ? &of_rest : NULL,
                                err));
    else if (found != NULL)
        TRY(alloc(&of_rest, own.graph, true, true, err));
    plan->memory = memory_add(plan->memory, pendant_trees_memory(g->n, g->m));
    if (found == NULL)
        goto cleanup;
    TRY(alloc(found, g, request->edges, request->ends, err));
    found->way = plan->way;
    found->on_gpu = of_rest.on_gpu;
    found->not_classes = plan->not_classes;
    pendant_trees_join(trees, &of_rest, request->endpoints, found);
cleanup:
    betweenness_free(&of_rest);
    return status;
}

/* Returns whether the graph may be without its pendant trees: all weights are above 0, so that
 * there is no cycle of weight 0 to refuse, and products of the sums of masses are finite. */
static bool may_cut_trees(const struct betweenness_request *request) {
    const double most = 0x1p500;
    const int32_t n = request->graph->n;
    double from = 0, to = 0;
    for (int32_t v = 0; v < n && request->from_mass != NULL; v++)
        from += request->from_mass[v];
    for (int32_t v = 0; v < n && request->to_mass != NULL; v++)
        to += request->to_mass[v];
    return !request->keeps_trees && request->split == NULL && request->trips == NULL &&
           request->graph->min_weight > 0 && from <= most && to <= most;
}

static enum status check(const struct graph *g, const char *what, struct error *err) {
    RETURN_ON_FAILURE(
        narrowest_check(what, g, "distances, and measures without betweenness,", "ties", err));
    return g->zones > 0 ? fail(err, STATUS_BAD_INPUT,
                               "%s: expected a graph without zones, found one with %d, which are "
                               "to be split",
                               what, g->zones)
                        : STATUS_OK;
}

/* Chooses a way and, unless found is NULL, finds the betweenness by it. */
static enum status plan_and_find(const struct betweenness_request *asked,
                                 struct betweenness_plan *plan, struct betweenness *found,
                                 struct error *err) {
    const bool totals = asked->totals && asked->trips == NULL;
    struct betweenness_request request = *asked;
    struct pendant_trees trees = {.count = 0};
    enum status status;
    request.ends = asked->ends || totals; /* totals are found from what ends and what flows */
    request.edges = asked->edges || totals;
    TRY(check(asked->graph, name_of(asked), err));
    if (may_cut_trees(asked))
        TRY(pendant_trees_cut(&trees, asked->graph, threads_or_default(asked->threads), err));
    TRY(trees.count > 0 ? find_beside_trees(&request, &trees, plan, found, err)
                        : search_or_eliminate(&request, name_of(asked), plan, found, err));
    if (found == NULL)
        goto cleanup;
    if (totals)
        found->totals = totals_of(asked, found);
    if (asked->split != NULL)
        TRY(join_zones(asked, found, err));
    if (!asked->edges) {
        memory_free(found->edge);
        found->edge = NULL;
    }
cleanup:
    pendant_trees_free(&trees);
    return status;
}

enum status betweenness_find(const struct betweenness_request *request, struct betweenness *found,
                             struct error *err) {
    struct betweenness_plan plan;
    *found = (struct betweenness){.totals = {.lost_from = -1, .lost_to = -1}};
    const enum status status = plan_and_find(request, &plan, found, err);
    if (status != STATUS_OK)
        betweenness_free(found);
    return status;
}

enum status betweenness_plan_make(const struct betweenness_request *request,
                                  struct betweenness_plan *plan, struct error *err) {
    return plan_and_find(request, plan, NULL, err);
}

uint64_t betweenness_memory(int32_t n, int64_t m, int threads) {
    const uint64_t found = memory_add(memory_times((uint64_t)m, sizeof(double)),
                                      memory_times((uint64_t)n, 3 * sizeof(double)));
    return memory_add(memory_add(found, graph_memory(n, m)),
                      cpu_search_flows_memory(n, m, threads));
}

void betweenness_free(struct betweenness *b) {
    memory_free(b->vertex);
    memory_free(b->edge);
    memory_free(b->ends);
    memory_free(b->begins);
    *b = (struct betweenness){0};
}
