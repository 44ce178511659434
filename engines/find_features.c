// SPDX-License-Identifier: MIT
#include "engines/find_features.h"

#include "common/base/block_sizes.h"    // block_sizes
#include "common/base/chunks.h"         // threads_paid
#include "common/base/lowest_failure.h" // lowest_failure_note
#include "common/base/memory.h"         // memory_alloc
#include "common/base/threads.h"        // omp_get_thread_num
#include "common/graph/weight_unit.h"   // weight_steps
#include "cpu/parts/min_plus.h"         // INF16
#include "solve/dijkstra.h"             // dijkstra_order
#include "solve/distance_bound.h"       // distance_bound_seems_below
#include "solve/grid.h"                 // grid_use
#include "solve/range.h"                // range_is_safe
#include "solve/refine.h"               // refine_coarsen
#include "solve/scaling.h"              // scaling_bits

#include <math.h>
#include <string.h>

/* Structure ----------------------------------------------------------------------------------- */

/* Memory of one thread for searches. */
struct reach_search {
    uint64_t *seen; /* a bit for each vertex: the search has met it; all are 0 between searches */
    int32_t *queue; /* vertices that the search has met, in their order; `most` entries */
};

static bool is_new(struct reach_search *r, int32_t v) {
    uint64_t *const word = &r->seen[v / 64];
    const uint64_t bit = UINT64_C(1) << v % 64;
    const bool is_new = (*word & bit) == 0;
    *word |= bit;
    return is_new;
}

/* Number of vertices that `source` reaches, itself included; the search ends at `most`. *hops is
 * raised to the number of edges to the last of them. */
static int32_t count_reached(const struct graph *g, int32_t source, int32_t most,
                             struct reach_search *r, int32_t *hops) {
    int32_t reached = 0, level = 0, end = 1; /* vertices of `level` are before `end` in the queue */
    is_new(r, source);
    r->queue[reached++] = source;
    for (int32_t next = 0; next < reached && reached < most; next++) {
        const int32_t u = r->queue[next];
        if (next == end) {
            level++;
            end = reached;
        }
        for (int64_t e = g->first[u]; e < g->first[u + 1] && reached < most; e++) {
            if (is_new(r, g->head[e]))
                r->queue[reached++] = g->head[e];
        }
    }
    level += reached > end;
    *hops = level > *hops ? level : *hops;
    for (int32_t k = 0; k < reached; k++)
        r->seen[r->queue[k] / 64] = 0;
    return reached;
}

enum {
    STARTS = 32, /* most searches */
    ENOUGH = 20, /* reciprocal of the share of all vertices at which a search ends */
};

/* Finds the average share of all vertices that a vertex reaches, by some searches, and the most
 * levels of a search. */
static enum status find_reach(const struct graph *g, int threads, double *reach, int32_t *hops,
                              struct error *err) {
    const int32_t most = g->n / ENOUGH > 1 ? g->n / ENOUGH : 1;
    const int32_t sources = g->n < STARTS ? g->n : STARTS;
    const size_t words = (size_t)g->n / 64 + 1;
    const size_t each = words * sizeof(uint64_t) + ((size_t)most / 2 + 1) * sizeof(uint64_t);
    int64_t sum = 0;
    int32_t deepest = 0;
    void *memory;
    threads = threads_paid(threads < FEATURES_THREADS ? threads : FEATURES_THREADS,
                           (int64_t)sources * most, block_sizes.thread_entries);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)threads, each, "a look at the graph", err));
    memset(memory, 0, (size_t)threads * each);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(+ : sum)              \
    reduction(max : deepest)
    for (int32_t s = 0; s < sources; s++) {
        const int32_t source = (int32_t)((int64_t)s * g->n / sources);
        struct reach_search r = {
            .seen = (uint64_t *)((char *)memory + (size_t)omp_get_thread_num() * each)};
        r.queue = (int32_t *)(r.seen + words);
        const int32_t reached = count_reached(g, source, most, &r, &deepest);
        sum += reached < most ? reached : g->n;
    }
    memory_free(memory);
    *reach = (double)sum / g->n / sources;
    *hops = deepest;
    return STATUS_OK;
}

enum status features_look_at_structure(const struct graph *g, int threads,
                                       struct features *features, struct error *err) {
    int32_t hops;
    double reach;
    RETURN_ON_FAILURE(find_reach(g, threads, &reach, &hops, err));
    /* If so, the graph is solved with integer weights (by_spacings.h). */
    const bool by_spacings = grid_fits_int32(g);
    const bool is_real = g->type != NUMBER_INT32 && !by_spacings;
    const double unit = by_spacings ? g->spacing : 1;
    *features = (struct features){
        .n = g->n,
        .m = g->m,
        .type = is_real ? g->type : NUMBER_INT32,
        .grid = is_real ? grid_use(g) : GRID_NONE,
        .max_weight = is_real ? 0 : (int32_t)fmin(g->max_weight / unit, INT32_MAX),
        .min_weight = is_real ? -(g->min_weight < 0) : (int32_t)(g->min_weight / unit),
        .steps = is_real ? 0 : weight_steps(g),
        .degree = (double)g->m / g->n,
        .reach = reach,
        .hops = hops,
    };
    return STATUS_OK;
}

/* Depth --------------------------------------------------------------------------------------- */

enum { SOURCES = 4 };

/* Most edges and greatest length of the shortest paths of one search. */
struct depth {
    int32_t hops, longest;
};

/* Returns the depth of one search. order has the `count` vertices that it reached, by distance;
 * hops has room for n numbers. */
static struct depth depth_of(const struct graph *g, const int32_t *dist, const int32_t *order,
                             int32_t count, int32_t *hops) {
    struct depth depth = {0, dist[order[count - 1]]};
    for (int32_t v = 0; v < g->n; v++)
        hops[v] = INT32_MAX;
    hops[order[0]] = 0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t u = order[k];
        /* Through edges of weight 0, u may come before the vertex that leads to it. */
        if (hops[u] == INT32_MAX)
            continue;
        depth.hops = hops[u] > depth.hops ? hops[u] : depth.hops;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if ((int64_t)dist[u] + g->weight[e] == dist[v] && hops[u] + 1 < hops[v])
                hops[v] = hops[u] + 1;
        }
    }
    return depth;
}

static enum status search_from(const struct graph *g, int32_t source, struct depth *depth,
                               struct error *err) {
    struct dijkstra queue = {0};
    void *scratch = NULL;
    enum status status;
    TRY(memory_alloc(&scratch, 3 * (size_t)g->n, sizeof(int32_t), "a look at the graph", err));
    TRY(dijkstra_alloc(&queue, g->n, false, err));
    int32_t *dist = scratch, *order = dist + g->n, *hops = order + g->n;
    const int32_t count = dijkstra_order(&queue, g, source, INF, dist, order);
    *depth = depth_of(g, dist, order, count, hops);
cleanup:
    dijkstra_free(&queue);
    memory_free(scratch);
    return status;
}

static enum status look_deep(const struct graph *g, int threads, struct features *f,
                             struct error *err) {
    const int32_t sources = g->n < SOURCES ? g->n : SOURCES;
    struct depth depth[SOURCES] = {{0, 0}};
    struct lowest_failure failed;
    lowest_failure_begin(&failed);
    if (g->n + g->m < block_sizes.thread_cells)
        threads = 1;
#pragma omp parallel for num_threads(threads < sources ? threads : sources) schedule(dynamic)
    for (int32_t s = 0; s < sources; s++) {
        struct error mine;
        const int32_t source = (int32_t)((int64_t)s * g->n / sources);
        const enum status one = search_from(g, source, &depth[s], &mine);
        if (one != STATUS_OK)
            lowest_failure_note(&failed, s, one, &mine);
    }
    for (int32_t s = 0; s < sources; s++) {
        f->hops = depth[s].hops > f->hops ? depth[s].hops : f->hops;
        f->longest = depth[s].longest > f->longest ? depth[s].longest : f->longest;
    }
    f->deep = failed.status == STATUS_OK;
    return lowest_failure_end(&failed, err);
}

/* Looks deep at a graph of real weights, which are rounded to integers for that. */
static enum status look_deep_real(const struct graph *g, int threads, struct features *f,
                                  struct error *err) {
    enum { MOST_QUANTA = INF / 2 };
    struct graph coarse = {0};
    enum status status;
    TRY(refine_coarsen(g, MOST_QUANTA, &coarse, NULL, err));
    TRY(look_deep(&coarse, threads, f, err));
cleanup:
    graph_free(&coarse);
    return status;
}

enum status features_look_deep(const struct graph *g, int threads, struct features *f,
                               struct error *err) {
    if (f->deep || f->wide || f->min_weight < 0)
        return STATUS_OK;
    return g->type == NUMBER_INT32 ? look_deep(g, threads, f, err)
                                   : look_deep_real(g, threads, f, err);
}

enum status features_look(const struct graph *g, int threads, struct features *features,
                          struct error *err) {
    RETURN_ON_FAILURE(features_look_at_structure(g, threads, features, err));
    features->bounded = g->type != NUMBER_INT32;
    features->narrow = !features->bounded;
    return STATUS_OK;
}

void features_look_at_lengths(const struct graph *g, struct features *features) {
    if (features->bounded)
        return;
    features->narrow = distance_bound_seems_below(g, INF16);
    features->bounded = true;
}

enum status features_look_wide(const struct graph *g, int threads, struct features *features,
                               struct error *err) {
    RETURN_ON_FAILURE(features_look_at_structure(g, threads, features, err));
    features->wide = features->bounded = true;
    return STATUS_OK;
}

static enum status look_at_non_negative(const struct graph *g, bool deep, int threads,
                                        struct features *features, struct error *err) {
    enum { SMALL = 1 << 18 };
    RETURN_ON_FAILURE(features_look(g, threads, features, err));
    features_look_at_lengths(g, features);
    return deep || features->steps > 0 || g->n + g->m < SMALL
               ? features_look_deep(g, threads, features, err)
               : STATUS_OK;
}

/* Looks at a graph with weights below 0, which count as 0. */
static enum status look_at_negative(const struct graph *g, int threads, struct features *features,
                                    struct error *err) {
    struct graph supposed = {0};
    enum status status;
    TRY(graph_copy(g, &supposed, err));
    for (int64_t e = 0; e < g->m; e++)
        supposed.weight[e] = g->weight[e] > 0 ? g->weight[e] : 0;
    supposed.min_weight = 0;
    supposed.max_weight = g->max_weight > 0 ? g->max_weight : 0;
    if (range_is_safe(&supposed, threads)) {
        TRY(look_at_non_negative(&supposed, true, threads, features, err));
    } else {
        TRY(features_look_wide(g, threads, features, err));
    }
    features->min_weight = (int32_t)g->min_weight;
    features->negative_edges = g->m + g->n;
    features->negative_bits = scaling_bits(g);
cleanup:
    graph_free(&supposed);
    return status;
}

enum status features_look_at_any(const struct graph *g, int threads, struct features *features,
                                 struct error *err) {
    return g->min_weight < 0 && g->type == NUMBER_INT32
               ? look_at_negative(g, threads, features, err)
               : look_at_non_negative(g, false, threads, features, err);
}

struct features features_at_worst(const struct features *features) {
    struct features worst = *features;
    worst.narrow = features->narrow && features->bounded;
    if (!features->deep) {
        worst.hops = features->n;
        worst.longest = INF;
    }
    return worst;
}

/* Limits -------------------------------------------------------------------------------------- */

/* Number of vertices within the limit from `source`. scratch has 8 bytes for each vertex. */
static int32_t within(const struct dijkstra *queue, const struct graph *g, int32_t source,
                      double limit, void *scratch) {
    int32_t *const integers = scratch, count = 0;
    const double *const reals = scratch;
    if (g->type == NUMBER_INT32)
        return dijkstra_order(queue, g, source, limit_no_path(limit), integers, integers + g->n);
    dijkstra_run_f64(queue, g, source, limit_beyond(NUMBER_FLOAT64, limit), scratch, NULL);
    for (int32_t v = 0; v < g->n; v++)
        count += reals[v] <= limit;
    return count;
}

enum status features_limit(const struct graph *g, double limit, int32_t sources,
                           struct features *features, struct error *err) {
    enum { SEARCHES = 4 };
    struct dijkstra queue = {0};
    void *scratch = NULL;
    enum status status = STATUS_OK;
    if (limit == NO_LIMIT)
        return STATUS_OK;
    TRY(memory_alloc(&scratch, (size_t)g->n, 2 * sizeof(int32_t), "a look at the graph", err));
    TRY(dijkstra_alloc(&queue, g->n, g->type != NUMBER_INT32, err));
    const int32_t searches = sources < SEARCHES ? sources : SEARCHES;
    double reached = 0;
    for (int32_t s = 0; s < searches; s++) {
        const int32_t source = (int32_t)((int64_t)s * g->n / searches);
        reached += within(&queue, g, source, limit, scratch);
    }
    const double reach = reached / searches / g->n;
    features->reach = reach < features->reach ? reach : features->reach;
    if (g->type == NUMBER_INT32 && limit < INF16)
        features->narrow = features->bounded = true;
cleanup:
    dijkstra_free(&queue);
    memory_free(scratch);
    return status;
}
