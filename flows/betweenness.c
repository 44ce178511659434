// SPDX-License-Identifier: MIT
#include "flows/betweenness.h"

#include "common/base/memory.h"   // memory_alloc
#include "common/base/threads.h"  // threads_or_default
#include "common/graph/zones.h"   // struct zone_split
#include "elimination/order.h"    // order_is_available
#include "flows/by_classes.h"     // betweenness_by_classes
#include "solve/by_spacings.h"    // spacings_graph_make
#include "solve/dijkstra.h"       // dijkstra_order
#include "solve/distance_bound.h" // distance_bound_is_below
#include "solve/grid.h"           // grid_fits_int32

#include <float.h>
#include <math.h>
#include <omp.h>
#include <string.h>

static const char *const way_names[] = {[BETWEENNESS_BY_ANY] = "auto",
                                        [BETWEENNESS_BY_SEARCHES] = "searches",
                                        [BETWEENNESS_BY_CLASSES] = "classes"};

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

/* The data that all threads read. */
struct searching {
    const struct graph *graph;      /* of int32 or float64, without zones */
    const struct zone_split *split; /* how its vertices are those of a graph with zones, or NULL */
    double unit; /* length of one in the weights of `graph`, in the weights of the caller's */
    const struct row_sources *sources;
    const double *from_mass, *to_mass; /* n; NULL: all are 1 */
    const struct trips *trips;         /* instead of these; NULL */
    bool endpoints;
    bool is_real;
    bool is_breadth_first; /* all weights are the same, and are 1 in `graph` */
    int32_t *rank;         /* n: the order of the edges of weight 0; NULL if there is none */
};

/* The buffers of one thread; its values are those of one group of sources. */
struct searcher {
    struct dijkstra queue;
    void *dist; /* n, by type */
    double *paths, *share, *vertex, *edge;
    double *trips_to; /* n: those from the source; NULL unless trips are wanted */
    int32_t *exponent, *order;
    void *numbers, *integers;  /* the memory of these */
    struct trip_totals totals; /* of the group */
};

/* A source, and what its targets are to it. */
struct task {
    int32_t source;        /* the vertex that the search begins at, */
    int32_t self;          /* and the one that it is as a target, which is none to itself */
    double mass;           /* of the source */
    const double *to_mass; /* of each vertex; NULL: 1 */
};

/* Of a vertex that a path may end at, which no origin of a split zone is. */
static double mass_to(const struct task *t, int32_t v) {
    return v == t->self ? 0 : t->to_mass == NULL ? 1 : t->to_mass[v];
}

/* All edges have the weight 1: the queue is the order. */
static int32_t search_breadth_first(const struct searcher *w, const struct graph *g, int32_t source,
                                    int32_t *dist) {
    int32_t count = 0;
    for (int32_t v = 0; v < g->n; v++)
        dist[v] = INF;
    dist[source] = 0;
    w->order[count++] = source;
    for (int32_t k = 0; k < count; k++) {
        const int32_t u = w->order[k];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (dist[v] < INF)
                continue;
            dist[v] = dist[u] + 1;
            w->order[count++] = v;
        }
    }
    return count;
}

static int32_t order_int32(const struct searcher *w, const struct graph *g, int32_t source,
                           int32_t *dist) {
    return dijkstra_order(&w->queue, g, source, INF, dist, w->order);
}

static int32_t order_f64(const struct searcher *w, const struct graph *g, int32_t source,
                         double *dist) {
    return dijkstra_order_f64(&w->queue, g, source, dist, w->order);
}

#define DISTANCE    int32_t
#define NO_PATH     INF
#define WEIGHTS     weight
#define WIDTH(name) name##_int32
#define ORDER(w, g, source, dist)                                                                  \
    (s->is_breadth_first ? search_breadth_first(w, g, source, dist)                                \
                         : order_int32(w, g, source, dist))
#include "flows/brandes_width.h"
#undef DISTANCE
#undef NO_PATH
#undef WEIGHTS
#undef WIDTH
#undef ORDER

#define DISTANCE                  double
#define NO_PATH                   INFINITY
#define WEIGHTS                   real_weight
#define WIDTH(name)               name##_f64
#define ORDER(w, g, source, dist) order_f64(w, g, source, dist)
#include "flows/brandes_width.h"

// The graph ---------------------------------------------------------------------------------------

/* Finds an order of the vertices in which edges of weight 0 lead upwards (Kahn 1962). */
static enum status find_rank(const struct graph *g, int32_t **rank, struct error *err) {
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
                        "betweenness: expected no cycle of weight 0, on which there is no number "
                        "of shortest paths, found one at %s or before it%s",
                        graph_name(g, v).text, graph_numbering(g));
    }
    return STATUS_OK;
}

static enum status check(const struct graph *g, struct error *err) {
    if (g->m > 0 && g->min_weight < 0)
        return fail(err, STATUS_BAD_INPUT,
                    "betweenness: expected weights of 0 or more, found %.17g", g->min_weight);
    if (g->type != NUMBER_INT32 && g->m > 0 && g->spacing == 0)
        return fail(err, STATUS_BAD_INPUT,
                    "betweenness: expected weights on a grid, on which ties are exact, found %s "
                    "ones as they are",
                    number_name(g->type));
    return g->zones > 0 ? fail(err, STATUS_BAD_INPUT,
                               "betweenness: expected a graph without zones, found one with %d, "
                               "which are to be split",
                               g->zones)
                        : STATUS_OK;
}

/* Returns whether breadth-first search finds shortest paths: all weights are the same. */
static bool are_equal(const struct graph *g) {
    return g->m > 0 && g->min_weight == g->max_weight && g->min_weight > 0 && g->n <= INF;
}

/* Has the searches use a graph of int32 whose weights are numbers of `unit`. */
static enum status use_spacings(const struct graph *g, double unit, struct graph *own,
                                struct searching *s, struct error *err) {
    struct graph spaced = *g;
    spaced.spacing = unit;
    s->graph = own;
    s->unit = unit;
    return spacings_graph_make(&spaced, own, err);
}

/* Has the searches use a graph all of whose weights are 1. */
static enum status use_ones(const struct graph *g, struct graph *own, struct searching *s,
                            struct error *err) {
    if (g->type != NUMBER_INT32)
        return use_spacings(g, g->max_weight, own, s, err);
    RETURN_ON_FAILURE(graph_copy(g, own, err));
    for (int64_t e = 0; e < own->m; e++)
        own->weight[e] = 1;
    s->graph = own;
    s->unit = g->max_weight;
    return STATUS_OK;
}

/* Has the searches use the graph itself, or one of float64 with the same weights if a distance may
 * not fit into int32. */
static enum status use_integers(const struct graph *g, struct graph *own, struct searching *s,
                                struct error *err) {
    s->graph = g;
    if (distance_bound_is_below(g, INF))
        return STATUS_OK;
    RETURN_ON_FAILURE(graph_widen(g, own, err));
    RETURN_ON_FAILURE(grid_find(own, NULL, err));
    if (own->spacing == 0)
        return fail(err, STATUS_BAD_INPUT,
                    "betweenness: expected distances below 2^52, up to which float64 has all "
                    "integers and ties are exact, found weights that may lead beyond");
    if (own->farthest >= INF)
        s->graph = own;
    return STATUS_OK;
}

/* Chooses the graph in the type that is the fastest: *own is to be freed. */
static enum status prepare(const struct graph *g, struct graph *own, struct searching *s,
                           struct error *err) {
    s->graph = g;
    s->is_breadth_first = are_equal(g);
    if (s->is_breadth_first)
        RETURN_ON_FAILURE(use_ones(g, own, s, err));
    else if (g->type == NUMBER_INT32)
        RETURN_ON_FAILURE(use_integers(g, own, s, err));
    else if (g->m == 0 || grid_fits_int32(g))
        RETURN_ON_FAILURE(use_spacings(g, g->m == 0 ? 1 : g->spacing, own, s, err));
    s->is_real = s->graph->type != NUMBER_INT32;
    return find_rank(s->graph, &s->rank, err);
}

// Threads -----------------------------------------------------------------------------------------

/* Returns the number of sources of a group. The values of a group are summed first, and groups are
 * added in their order, so that sums do not depend on threads. */
static int32_t group_size(int32_t sources) {
    enum { GROUPS = 256, LEAST = 16 };
    const int32_t each = (sources - 1) / GROUPS + 1;
    return each > LEAST ? each : LEAST;
}

static void searcher_free(struct searcher *w) {
    dijkstra_free(&w->queue);
    memory_free(w->numbers);
    memory_free(w->integers);
    memory_free(w->trips_to);
}

static enum status searcher_alloc(struct searcher *w, const struct searching *s, bool edges,
                                  struct error *err) {
    const size_t n = (size_t)s->graph->n, m = edges ? (size_t)s->graph->m : 0;
    *w = (struct searcher){.dist = NULL};
    RETURN_ON_FAILURE(dijkstra_alloc(&w->queue, s->graph->n, s->is_real, err));
    RETURN_ON_FAILURE(memory_alloc(&w->numbers, 4 * n + m, sizeof(double), "betweenness", err));
    RETURN_ON_FAILURE(memory_alloc(&w->integers, n, 2 * sizeof(int32_t), "betweenness", err));
    w->dist = w->numbers;
    w->paths = (double *)w->dist + n;
    w->share = w->paths + n;
    w->vertex = w->share + n;
    w->edge = edges ? w->vertex + n : NULL;
    w->order = w->integers;
    w->exponent = w->order + n;
    if (s->trips == NULL)
        return STATUS_OK;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof *w->trips_to, "trips", err));
    w->trips_to = memset(memory, 0, n * sizeof *w->trips_to);
    return STATUS_OK;
}

static void forget(struct searcher *w, const struct graph *g) {
    const size_t n = (size_t)g->n;
    memset(w->vertex, 0, n * sizeof *w->vertex);
    w->totals = (struct trip_totals){.lost_from = -1, .lost_to = -1};
    if (w->edge != NULL)
        memset(w->edge, 0, (size_t)g->m * sizeof *w->edge);
}

static void add_group(const struct searching *s, const struct searcher *w, struct betweenness *to) {
    for (int32_t v = 0; v < s->graph->n; v++)
        to->vertex[v] += w->vertex[v];
    for (int64_t e = 0; e < s->graph->m && to->edge != NULL; e++)
        to->edge[e] += w->edge[e];
    to->totals.arrive += w->totals.arrive;
    to->totals.stay += w->totals.stay;
    to->totals.lost += w->totals.lost;
    to->totals.length += w->totals.length;
    if (to->totals.lost_pairs == 0) {
        to->totals.lost_from = w->totals.lost_from;
        to->totals.lost_to = w->totals.lost_to;
    }
    to->totals.lost_pairs += w->totals.lost_pairs;
}

/* Number of searches. */
static int32_t count_tasks(const struct searching *s) {
    return s->trips != NULL ? s->trips->origins : s->sources->count;
}

/* Searches from one source, or origin of trips. */
static void search_one(const struct searching *s, struct searcher *w, int32_t place) {
    const struct trips *const trips = s->trips;
    const int32_t self = trips != NULL ? trips->origin[place] : row_source(s->sources, place);
    const struct task task = {.source = s->split != NULL ? zone_split_source(s->split, self) : self,
                              .self = self,
                              .mass = s->from_mass == NULL ? 1 : s->from_mass[self],
                              .to_mass = trips != NULL ? w->trips_to : s->to_mass};
    if (task.mass == 0)
        return;
    for (int64_t k = trips != NULL ? trips->first[place] : 0;
         trips != NULL && k < trips->first[place + 1]; k++)
        w->trips_to[trips->to[k]] = trips->count[k];
    if (s->is_real)
        add_source_f64(s, w, &task);
    else
        add_source_int32(s, w, &task);
    if (trips == NULL)
        return;
    if (s->is_real)
        add_totals_f64(s, w, &task, place);
    else
        add_totals_int32(s, w, &task, place);
    for (int64_t k = trips->first[place]; k < trips->first[place + 1]; k++)
        w->trips_to[trips->to[k]] = 0;
}

/* Searches from all sources; groups are added in their order. */
static enum status search_all(const struct searching *s, const struct betweenness_request *request,
                              struct betweenness *found, struct error *err) {
    const int32_t count = count_tasks(s), each = group_size(count);
    const int32_t groups = (count - 1) / each + 1;
    const int most = threads_or_default(request->threads), threads = most < groups ? most : groups;
    enum status status = STATUS_OK;
#pragma omp parallel num_threads(threads)
    {
        struct searcher w;
        struct error mine;
        const enum status own = searcher_alloc(&w, s, found->edge != NULL, &mine);
        if (own != STATUS_OK) {
#pragma omp critical
            {
                status = own;
                *err = mine;
            }
        }
#pragma omp barrier
#pragma omp for ordered schedule(dynamic, 1)
        for (int32_t group = 0; group < groups; group++) {
            const int32_t first = group * each;
            const int32_t end = count - first < each ? count : first + each;
            const bool goes_on = status == STATUS_OK && progress_goes_on(request->progress);
            if (goes_on)
                forget(&w, s->graph);
            for (int32_t p = first; p < end && goes_on && progress_goes_on(request->progress);
                 p++) {
                search_one(s, &w, p);
                if (omp_get_thread_num() == 0)
                    progress_report(request->progress, first, count);
            }
#pragma omp ordered
            if (goes_on)
                add_group(s, &w, found);
        }
        searcher_free(&w);
    }
    if (status == STATUS_OK && !progress_goes_on(request->progress))
        return progress_cancelled(err);
    return status;
}

static enum status alloc(struct betweenness *found, const struct graph *g, bool edges,
                         struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof(double), "betweenness", err));
    found->vertex = memset(memory, 0, n * sizeof(double));
    if (!edges)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, m, sizeof(double), "betweenness", err));
    found->edge = memset(memory, 0, m * sizeof(double));
    return STATUS_OK;
}

/* Predicts the seconds that searches from all sources take. */
static double searches_s(const struct searching *s, int threads) {
    /* Nanoseconds of one search on one thread, for each vertex and for each edge. */
    const double vertex_ns = s->is_breadth_first ? 12 : 100, edge_ns = s->is_breadth_first ? 5 : 15;
    const struct graph *const g = s->graph;
    return count_tasks(s) * (vertex_ns * g->n + edge_ns * (double)g->m) * 1e-9 /
           threads_or_default(threads);
}

/* Finds the betweenness of vertices: the flow over the edges into each, less what ends there. */
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

/* Finds the betweenness by elimination. Sets *done to false if the graph has edges of weight 0, if
 * another way was asked for, or if searches are predicted to be faster. */
static enum status eliminate(const struct searching *s, const struct betweenness_request *request,
                             struct betweenness *found, bool *done, struct error *err) {
    enum { FEW = 1000, PART = 8 }; /* vertices; sources of these */
    const struct graph *const g = s->graph;
    const double other_s =
        request->way == BETWEENNESS_BY_CLASSES ? (double)HUGE_VAL : searches_s(s, request->threads);
    struct betweenness_request own = *request;
    void *memory = NULL;
    enum isa isa;
    enum status status;
    *done = false;
    if (request->way == BETWEENNESS_BY_SEARCHES || s->rank != NULL || s->split != NULL ||
        s->trips != NULL || !order_is_available() ||
        (request->way == BETWEENNESS_BY_ANY &&
         (g->n < FEW || request->sources.count < g->n / PART)))
        return STATUS_OK;
    own.graph = g;
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    TRY(memory_alloc(&memory, (size_t)g->m + 2 * (size_t)g->n, sizeof(double), "flows", err));
    double *const edge = memset(memory, 0, ((size_t)g->m + 2 * (size_t)g->n) * sizeof(double));
    double *const ends = edge + g->m, *const begins = ends + g->n;
    TRY(betweenness_by_classes(&own, other_s, isa, edge, ends, begins, done, err));
    if (!*done)
        goto cleanup;
    sum_up(g, edge, ends, begins, request->endpoints, found->vertex);
    if (found->edge != NULL)
        memcpy(found->edge, edge, (size_t)g->m * sizeof *edge);
    found->way = BETWEENNESS_BY_CLASSES;

cleanup:
    memory_free(memory);
    /* With too little memory for it, searches may have enough. */
    return status == STATUS_NO_RESOURCE && request->way == BETWEENNESS_BY_ANY ? STATUS_OK : status;
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

/* Replaces what was found for the graph with split zones by that of the graph with zones. */
static enum status join_zones(const struct betweenness_request *request, struct betweenness *found,
                              struct error *err) {
    struct betweenness joined = {.way = found->way, .totals = found->totals};
    const enum status status = alloc(&joined, request->zoned, request->edges, err);
    if (status != STATUS_OK) {
        betweenness_free(&joined);
        return status;
    }
    betweenness_join_zones(request, found, &joined);
    betweenness_free(found);
    *found = joined;
    return STATUS_OK;
}

enum status betweenness_find(const struct betweenness_request *request, struct betweenness *found,
                             struct error *err) {
    const struct graph *const g = request->graph;
    struct searching s = {.split = request->split,
                          .unit = 1,
                          .sources = &request->sources,
                          .from_mass = request->from_mass,
                          .to_mass = request->to_mass,
                          .trips = request->trips,
                          .endpoints = request->endpoints};
    struct graph own = {0};
    bool done;
    enum status status;
    *found = (struct betweenness){.way = BETWEENNESS_BY_SEARCHES,
                                  .totals = {.lost_from = -1, .lost_to = -1}};
    TRY(check(g, err));
    TRY(prepare(g, &own, &s, err));
    TRY(alloc(found, g, request->edges, err));
    TRY(eliminate(&s, request, found, &done, err));
    if (!done)
        TRY(search_all(&s, request, found, err));
    if (request->split != NULL)
        TRY(join_zones(request, found, err));
cleanup:
    if (status != STATUS_OK)
        betweenness_free(found);
    graph_free(&own);
    memory_free(s.rank);
    return status;
}

uint64_t betweenness_memory(int32_t n, int64_t m, int threads) {
    const uint64_t each = memory_add(memory_times((uint64_t)n, 6 * sizeof(double) + 16),
                                     memory_times((uint64_t)m, sizeof(double)));
    return memory_add(memory_times(each, (uint64_t)threads_or_default(threads) + 1),
                      graph_memory(n, m));
}

void betweenness_free(struct betweenness *b) {
    memory_free(b->vertex);
    memory_free(b->edge);
    *b = (struct betweenness){0};
}
