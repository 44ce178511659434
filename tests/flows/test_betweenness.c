// SPDX-License-Identifier: MIT
/* Betweenness against sums over all pairs of the numbers of shortest paths, which are counted on
 * paths by the textbook's distances. */
#include "flows/betweenness.h"

#include "common/base/memory.h"           // memory_peak
#include "elimination/order.h"            // order_is_available
#include "flows/gpu/gpu_flows.h"          // gpu_flows
#include "flows/gpu/gpu_search_kernels.h" // FLOW_HUB
#include "flows/source_rows.h"            // source_rows_levels
#include "solve/grid.h"                   // grid_find
#include "tests/unit/real_graphs.h"

#include "cuda_runtime_api.h" // the shim's controls

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The oracle --------------------------------------------------------------------------------------

struct oracle {
    const struct graph *graph;
    double *dist, *paths; /* n * n */
    double *vertex, *edge, *ends, *begins;
    double pairs, within,
        distances; /* pairs of different ends, of one vertex; the lengths of those */
};

/* The weights of all edges times what flows over them: the sum of all distances. */
static double lengths_of(const struct graph *g, const double *flow) {
    double sum = 0;
    for (int64_t e = 0; e < g->m; e++)
        sum += flow[e] * graph_weight(g, e);
    return sum;
}

/* Counts the shortest paths from s to v over the last edge of each; -1: not yet known. */
static double count(struct oracle *o, const struct graph *in, int32_t s, int32_t v) {
    const int64_t n = in->n;
    double *const cell = &o->paths[s * n + v];
    if (*cell >= 0)
        return *cell;
    double sum = 0;
    for (int64_t e = in->first[v]; e < in->first[v + 1]; e++) {
        const int32_t u = in->head[e];
        const double before = o->dist[s * n + u];
        if (!isinf(before) && before + graph_weight(in, e) == o->dist[s * n + v])
            sum += count(o, in, s, u);
    }
    return *cell = sum;
}

/* Floyd-Warshall; then each pair is divided among edges and vertices by the numbers of paths. */
static struct oracle oracle_of(const struct betweenness_request *r) {
    const struct graph *const g = r->graph;
    const int64_t n = g->n;
    struct oracle o = {.graph = g,
                       .dist = malloc((size_t)(n * n) * sizeof(double)),
                       .paths = malloc((size_t)(n * n) * sizeof(double)),
                       .vertex = calloc((size_t)n, sizeof(double)),
                       .edge = calloc((size_t)g->m + 1, sizeof(double)),
                       .ends = calloc((size_t)n, sizeof(double)),
                       .begins = calloc((size_t)n, sizeof(double))};
    struct graph in;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(graph_reverse(g, &in, &err), STATUS_OK);
    for (int64_t k = 0; k < n * n; k++) {
        o.dist[k] = k % (n + 1) == 0 ? 0 : INFINITY;
        o.paths[k] = k % (n + 1) == 0 ? 1 : -1;
    }
    for (int32_t u = 0; u < n; u++)
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            o.dist[u * n + g->head[e]] = graph_weight(g, e);
    for (int32_t k = 0; k < n; k++)
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < n; j++)
                o.dist[i * n + j] = fmin(o.dist[i * n + j], o.dist[i * n + k] + o.dist[k * n + j]);
    for (int32_t s = 0; s < n; s++)
        for (int32_t v = 0; v < n; v++)
            if (!isinf(o.dist[s * n + v]))
                count(&o, &in, s, v);
    for (int32_t p = 0; p < r->sources.count; p++) {
        const int32_t s = row_source(&r->sources, p);
        for (int32_t t = 0; t < n; t++) {
            const double d = o.dist[s * n + t];
            const double mass = (r->from_mass == NULL ? 1 : r->from_mass[s]) *
                                (r->to_mass == NULL ? 1 : r->to_mass[t]) *
                                (r->decay > 0 ? exp(-d / r->decay) : 1);
            o.within += s == t ? mass : 0;
            if (s == t || isinf(d))
                continue;
            o.pairs += mass;
            o.begins[s] += mass;
            o.ends[t] += mass;
            o.distances += mass * d;
            const double share = mass / o.paths[s * n + t];
            for (int32_t v = 0; v < n; v++)
                if ((r->endpoints || (v != s && v != t)) &&
                    o.dist[s * n + v] + o.dist[v * n + t] == d)
                    o.vertex[v] += share * o.paths[s * n + v] * o.paths[v * n + t];
            for (int32_t u = 0; u < n; u++)
                for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
                    if (o.dist[s * n + u] + graph_weight(g, e) + o.dist[g->head[e] * n + t] == d)
                        o.edge[e] += share * o.paths[s * n + u] * o.paths[g->head[e] * n + t];
        }
    }
    graph_free(&in);
    return o;
}

static void oracle_free(struct oracle *o) {
    free(o->dist);
    free(o->paths);
    free(o->vertex);
    free(o->edge);
    free(o->ends);
    free(o->begins);
}

static bool are_near(const double *a, const double *b, int64_t count) {
    bool near = true;
    for (int64_t k = 0; k < count; k++)
        near = near && fabs(a[k] - b[k]) <= 1e-12 * (1 + fabs(b[k]));
    return near;
}

// Random graphs -----------------------------------------------------------------------------------

/* Totals are those of the oracle, and 0 unless they are wanted. */
static bool totals_are_right(const struct betweenness_request *asked, const struct oracle *o,
                             const struct trip_totals *found) {
    const double wanted = asked->totals ? 1 : 0;
    const double right[] = {wanted * o->pairs, wanted * o->within, 0, wanted * o->distances};
    return are_near((double[]){found->arrive, found->stay, found->lost, found->length}, right, 4);
}

/* Found by any number of threads with the same bits, with and without values of edges. */
static void check(const struct betweenness_request *asked) {
    const struct graph *const g = asked->graph;
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    struct betweenness_request request = *asked;
    struct betweenness found[3];
    struct oracle o = oracle_of(asked);
    struct error err = {0};
    for (int k = 0; k < 3; k++) {
        request.threads = k + 1;
        request.edges = k < 2;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found[k], &err), STATUS_OK);
        CU_ASSERT(memcmp(found[k].vertex, found[0].vertex, n * sizeof(double)) == 0);
    }
    CU_ASSERT(are_near(found[0].vertex, o.vertex, g->n));
    CU_ASSERT(are_near(found[0].edge, o.edge, g->m));
    CU_ASSERT(!asked->ends ||
              (are_near(found[0].ends, o.ends, g->n) && are_near(found[0].begins, o.begins, g->n)));
    CU_ASSERT(totals_are_right(asked, &o, &found[0].totals));
    const double lengths = lengths_of(g, found[0].edge);
    CU_ASSERT(are_near(&lengths, &o.distances, 1));
    CU_ASSERT(memcmp(found[1].edge, found[0].edge, m * sizeof(double)) == 0);
    CU_ASSERT(found[2].edge == NULL && found[0].way == BETWEENNESS_BY_SEARCHES);
    for (int k = 0; k < 3; k++)
        betweenness_free(&found[k]);
    oracle_free(&o);
}

/* Edges of the kinds of weights that take ways of their own. Weights of 0 lead downwards. */
enum kind {
    UNIT,
    THREES,
    SMALL,
    ZEROS,
    WIDE,
    BEYOND_INT32,
    EIGHTHS,
    TINY,
    ON_GRID,
    FAR_ZEROS,
    KINDS
};

static struct graph graph_of_kind(struct random *random, int32_t n, int percent, enum kind kind) {
    static const double unit[] = {
        [EIGHTHS] = 0.125, [TINY] = 0x1p-1040, [ON_GRID] = 0x1p-40, [FAR_ZEROS] = 1};
    struct graph g = random_graph(random, n, percent, WEIGHTS_POSITIVE);
    if (kind >= EIGHTHS) {
        struct graph integers = g;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(graph_widen(&integers, &g, &err), STATUS_OK);
        graph_free(&integers);
    }
    g.min_weight = INFINITY;
    g.max_weight = 0;
    for (int32_t u = 0; u < n; u++) {
        for (int64_t e = g.first[u]; e < g.first[u + 1]; e++) {
            const int32_t some = random_in(random, 1, 4);
            const double weight = kind == UNIT           ? 1
                                  : kind == THREES       ? 3
                                  : kind == ZEROS        ? some / 2 * (some > 2 || g.head[e] > u)
                                  : kind == WIDE         ? some + random_in(random, 1, 1000) * 1000
                                  : kind == BEYOND_INT32 ? some * (1 << 28)
                                  : kind == FAR_ZEROS
                                      ? some / 3 * (some > 3 ? 0x1p42 : 1) + (g.head[e] > u)
                                  : kind == ON_GRID ? (some + some / 4 * 0x1p42) * unit[kind]
                                  : kind >= EIGHTHS ? some * unit[kind]
                                                    : some;
            if (g.type == NUMBER_INT32)
                g.weight[e] = (int32_t)weight + (kind == ZEROS && weight == 0 && g.head[e] > u);
            else
                g.real_weight[e] = weight;
            g.min_weight = fmin(g.min_weight, graph_weight(&g, e));
            g.max_weight = fmax(g.max_weight, graph_weight(&g, e));
        }
    }
    g.min_weight = g.m == 0 ? 0 : g.min_weight;
    struct error err;
    if (g.type != NUMBER_INT32)
        CU_ASSERT_EQUAL_FATAL(grid_find(&g, NULL, &err), STATUS_OK);
    return g;
}

static void test_random(void) {
    struct random random = {.state = 42};
    for (int round = 0; round < 180; round++) {
        const int32_t n = random_in(&random, 1, 40);
        const enum kind kind = (enum kind)(round % KINDS);
        struct graph g = graph_of_kind(&random, n, (int[]){3, 10, 40}[round % 4 % 3], kind);
        double from[40], to[40];
        int32_t some[40], count = 0;
        for (int32_t v = 0; v < n; v++) {
            from[v] = random_in(&random, 0, 3) / 2.0;
            to[v] = random_in(&random, 0, 5) / 4.0;
            if (random_in(&random, 0, 2) == 0 || v == n - 1)
                some[count++] = n - 1 - v;
        }
        const bool all = round % 3 > 0, decays = round % 7 < 3 && g.m > 0 && kind != TINY;
        const struct betweenness_request request = {.graph = &g,
                                                    .sources = {all ? NULL : some, all ? n : count},
                                                    .from_mass = round % 5 == 0 ? from : NULL,
                                                    .to_mass = round % 4 == 0 ? to : NULL,
                                                    .decay = decays ? g.max_weight * 1.5 : 0,
                                                    .totals = round % 8 < 5,
                                                    .keeps_trees = round % 9 < 4,
                                                    .endpoints = round % 2 == 0};
        check(&request);
        graph_free(&g);
    }
}

/* A graph of trees and few other edges. Edges lead both ways, with equal or unlike weights, or one
 * way only. */
static struct graph random_trees(struct random *random, int32_t n, int32_t others, bool real) {
    enum { MOST = 400 };
    struct edge edges[MOST];
    struct error err;
    int64_t m = 0;
    for (int32_t v = 1; v < n + others; v++) {
        const int32_t reach = random_in(random, 1, 9);
        const int32_t tail = v < n ? v : random_in(random, 0, n - 1);
        const int32_t head = v < n ? random_in(random, v > reach ? v - reach : 0, v - 1)
                                   : random_in(random, 0, n - 1);
        const int32_t weight = random_in(random, 1, 4), ways = random_in(random, 0, 7);
        if (ways > 0 && reach < 9) /* otherwise the vertex is the root of another tree */
            edges[m++] = (struct edge){tail, head, weight};
        if (ways != 1 && reach < 9)
            edges[m++] = (struct edge){head, tail, ways > 3 ? weight : random_in(random, 1, 4)};
    }
    struct graph g = graph_of(n, edges, m), wide = g;
    if (!real || m == 0)
        return g;
    CU_ASSERT_EQUAL_FATAL(graph_widen(&g, &wide, &err), STATUS_OK);
    graph_free(&g);
    for (int64_t e = 0; e < wide.m; e++)
        wide.real_weight[e] *= 1 + 0x1p-40;
    wide.min_weight *= 1 + 0x1p-40;
    wide.max_weight *= 1 + 0x1p-40;
    CU_ASSERT_EQUAL_FATAL(grid_find(&wide, NULL, &err), STATUS_OK);
    return wide;
}

/* Trees that hang on the rest of the graph, of which there may be none; some vertices send nothing
 * or take nothing. */
static void test_trees(void) {
    enum { MOST = 60 };
    struct random random = {.state = 55};
    for (int round = 0; round < 240; round++) {
        const int32_t n = random_in(&random, 1, round % 3 == 0 ? 8 : MOST);
        struct graph g =
            random_trees(&random, n, random_in(&random, 0, round % 4 * 5), round % 5 == 4);
        double from[MOST], to[MOST];
        int32_t some[MOST], count = 0;
        for (int32_t v = 0; v < n; v++) {
            from[v] = random_in(&random, 0, 3) / 2.0;
            to[v] = random_in(&random, 0, 5) / 4.0;
            if (random_in(&random, 0, 3) == 0 || v == n - 1)
                some[count++] = n - 1 - v;
        }
        const bool all = round % 4 < 3;
        check(&(struct betweenness_request){.graph = &g,
                                            .sources = {all ? NULL : some, all ? n : count},
                                            .from_mass = round % 5 < 2 ? from : NULL,
                                            .to_mass = round % 7 < 3 ? to : NULL,
                                            .decay = round % 6 < 2 ? 3 : 0,
                                            .ends = round % 5 < 3,
                                            .totals = round % 8 < 5,
                                            .endpoints = round / 2 % 2 == 0});
        graph_free(&g);
    }
}

/* Masses whose products are large, but finite. */
static void test_trees_with_large_masses(void) {
    const double large = 0x1p600, mass[4] = {large, large, large, 0};
    struct edge edges[8] = {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {0, 3, 1}};
    struct graph g = graph_of(4, edges, graph_append_reverses(edges, 4));
    double to[4] = {1, 1, 1, 0x1p400};
    for (int32_t last = 0; last < 2; last++) {
        const struct betweenness_request request = {.graph = &g,
                                                    .sources = {NULL, 4},
                                                    .from_mass = mass,
                                                    .to_mass = to,
                                                    .edges = true,
                                                    .threads = 1};
        struct betweenness found;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
        CU_ASSERT_EQUAL(found.vertex[0], 2 * large * to[3]);
        CU_ASSERT_EQUAL(found.edge[graph_find_edge(&g, 0, 3)], 3 * large * to[3]);
        CU_ASSERT_EQUAL(found.edge[graph_find_edge(&g, 3, 0)], 0);
        betweenness_free(&found);
        to[3] = 0;
    }
    graph_free(&g);
}

/* Values are sums of products, not differences of large numbers: the mass at one end of a path is
 * seen beside one that is 2^200 times as large. */
static void test_trees_with_small_masses(void) {
    struct edge edges[6] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}};
    struct graph g = graph_of(4, edges, graph_append_reverses(edges, 3));
    const double mass[4] = {1, 0, 0, 0x1p200};
    for (int kept = 0; kept < 2; kept++) {
        const struct betweenness_request request = {.graph = &g,
                                                    .sources = {NULL, 4},
                                                    .from_mass = mass,
                                                    .to_mass = mass,
                                                    .keeps_trees = kept,
                                                    .edges = true,
                                                    .threads = 1};
        struct betweenness found;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
        for (int64_t e = 0; e < g.m; e++)
            CU_ASSERT_EQUAL(found.edge[e], 0x1p200);
        CU_ASSERT(found.vertex[0] == 0 && found.vertex[1] == 0x1p201);
        CU_ASSERT(found.vertex[2] == 0x1p201 && found.vertex[3] == 0);
        betweenness_free(&found);
    }
    graph_free(&g);
}

/* More sources than one group of sums. */
static void test_groups(void) {
    struct random random = {.state = 43};
    struct graph g = graph_of_kind(&random, 90, 5, SMALL);
    check(&(struct betweenness_request){.graph = &g, .sources = {NULL, 90}});
    graph_free(&g);
}

// Many paths --------------------------------------------------------------------------------------

/* Each diamond leads from vertex 3 k over 3 k + 1 and 3 k + 2 to 3 k + 3, either way as long. */
static struct graph chain_of_diamonds(int32_t diamonds) {
    struct edge *const edges = malloc(4 * (size_t)diamonds * sizeof *edges);
    int64_t count = 0;
    for (int32_t k = 0; k < diamonds; k++)
        for (int32_t side = 1; side <= 2; side++) {
            edges[count++] = (struct edge){3 * k, 3 * k + side, 2 + k % 3};
            edges[count++] = (struct edge){3 * k + side, 3 * k + 3, 2};
        }
    struct graph g = graph_of(3 * diamonds + 1, edges, count);
    free(edges);
    return g;
}

/* Makes all weights 2^30 times as long, so that distances take 64 bits. */
static void lengthen(struct graph *g) {
    struct graph wide;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(graph_widen(g, &wide, &err), STATUS_OK);
    for (int64_t e = 0; e < wide.m; e++)
        wide.real_weight[e] *= 0x1p30;
    wide.min_weight *= 0x1p30;
    wide.max_weight *= 0x1p30;
    wide.spacing = 1;
    wide.farthest = 0x1p51;
    graph_free(g);
    *g = wide;
}

/* A chain of diamonds has 2^1200 shortest paths from end to end, which float64 has no number for.
 * Each pair of the diamonds' joints is divided into halves at every diamond between. */
static void test_many_paths(void) {
    enum { DIAMONDS = 1200, N = 3 * DIAMONDS + 1 };
    for (int real = 0; real < 2; real++) {
        struct graph g = chain_of_diamonds(DIAMONDS);
        const int32_t first = 0;
        struct error err;
        if (real)
            lengthen(&g);
        struct betweenness found;
        const struct betweenness_request request = {
            .graph = &g, .sources = {&first, 1}, .edges = true, .threads = 1};
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
        bool right = true;
        for (int32_t v = 1; v < N; v++) {
            const int32_t after = N - 1 - (v + 2) / 3 * 3; /* vertices behind the next joint */
            right = right && found.vertex[v] == (v % 3 == 0 ? after : (after + 1) / 2.0);
        }
        for (int32_t k = 0; k < DIAMONDS && right; k++) /* a side, and half of all behind */
            right = found.edge[4 * k] == 1 + (N - 3 - 3 * k) / 2.0;
        CU_ASSERT(right);
        betweenness_free(&found);
        graph_free(&g);
    }
}

// Classes of rows ---------------------------------------------------------------------------------

/* The same by classes and by sweeps as by searches, and the same bits for any number of threads. */
static void check_classes(const struct betweenness_request *asked) {
    const struct graph *const g = asked->graph;
    struct betweenness_request request = *asked;
    static const enum betweenness_way ways[] = {BETWEENNESS_BY_SEARCHES, BETWEENNESS_BY_CLASSES,
                                                BETWEENNESS_BY_CLASSES, BETWEENNESS_BY_SWEEPS,
                                                BETWEENNESS_BY_SWEEPS};
    enum { WAYS = sizeof ways / sizeof *ways };
    struct betweenness found[WAYS];
    struct error err = {0};
    double most = asked->decay > 0 ? 0 : 1;
    request.edges = true;
    for (int k = 0; k < WAYS; k++) {
        request.way = ways[k];
        request.threads = 1 + k % 3;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found[k], &err), STATUS_OK);
        CU_ASSERT_EQUAL(found[k].way, request.way);
    }
    for (int32_t v = 0; v < g->n; v++)
        most = fmax(most, found[0].vertex[v]);
    const struct oracle o = {.pairs = found[0].totals.arrive,
                             .within = found[0].totals.stay,
                             .distances = found[0].totals.length};
    CU_ASSERT((o.pairs > 0) == asked->totals);
    for (int k = 1; k < WAYS; k += 2) {
        bool near = true;
        for (int32_t v = 0; v < g->n; v++)
            near = near && fabs(found[k].vertex[v] - found[0].vertex[v]) <= 1e-13 * most;
        for (int64_t e = 0; e < g->m; e++)
            near = near && fabs(found[k].edge[e] - found[0].edge[e]) <= 1e-13 * most;
        CU_ASSERT(near);
        CU_ASSERT(totals_are_right(asked, &o, &found[k].totals));
        CU_ASSERT(memcmp(found[k].vertex, found[k + 1].vertex, (size_t)g->n * sizeof(double)) == 0);
        CU_ASSERT(memcmp(found[k].edge, found[k + 1].edge, (size_t)g->m * sizeof(double)) == 0);
    }
    for (int k = 0; k < WAYS; k++)
        betweenness_free(&found[k]);
}

/* Few ties and many; both directions alike and not; masses, some of 0; ends; some sources. */
static void test_classes(void) {
    struct random random = {.state = 45};
    for (int round = 0; round < 12 && order_is_available(); round++) {
        const int32_t side = (int[]){34, 40, 52}[round % 3], n = side * side;
        struct graph g =
            random_streets(&random, side, 1, (int[]){2, 10000, 5}[round / 2 % 3], round % 2);
        double *const from = malloc(2 * (size_t)n * sizeof *from), *const to = from + n;
        int32_t *const some = malloc((size_t)n * sizeof *some), count = 0;
        for (int32_t v = 0; v < n; v++) {
            from[v] = random_in(&random, 0, 3) / 2.0;
            to[v] = random_in(&random, 0, 4);
            if (random_in(&random, 0, 3) > 0)
                some[count++] = n - 1 - v;
        }
        const bool has_masses = round % 4 >= 2, all = round % 3 > 0;
        check_classes(
            &(struct betweenness_request){.graph = &g,
                                          .sources = {all ? NULL : some, all ? n : count},
                                          .from_mass = has_masses ? from : NULL,
                                          .to_mass = has_masses ? to : NULL,
                                          .decay = round % 4 % 3 == 1 ? 0 : g.max_weight * 4,
                                          .totals = round % 3 < 2,
                                          .endpoints = round % 5 > 1});
        graph_free(&g);
        free(from);
        free(some);
    }
}

/* Trips are the same by sweeps as by searches, in blocks and above them, from some origins, within
 * a vertex and without a path. */
static void test_swept_trips(void) {
    enum { SIDE = 30, N = SIDE * SIDE, ALONE = 5, ROWS = 4000 };
    struct random random = {.state = 52};
    for (int round = 0; round < 3 && order_is_available(); round++) {
        struct graph streets = random_streets(&random, SIDE, 1, (int[]){2, 10000, 5}[round], round);
        int32_t origin[ROWS], destination[ROWS];
        double count[ROWS];
        struct graph g;
        struct trips trips;
        struct error err;
        struct betweenness found[3];
        struct edge *const edges = malloc((size_t)streets.m * sizeof *edges);
        for (int32_t v = 0; v < N; v++) {
            for (int64_t e = streets.first[v]; e < streets.first[v + 1]; e++)
                edges[e] = (struct edge){v, streets.head[e], streets.weight[e]};
        }
        g = graph_of(N + ALONE, edges, streets.m);
        for (int k = 0; k < ROWS; k++) {
            origin[k] = 7 * random_in(&random, 0, (N - 1) / 7);
            destination[k] = k % 20 == 0 ? origin[k] : random_in(&random, 0, N + ALONE - 1);
            count[k] = random_in(&random, 1, 9) / 4.0;
        }
        CU_ASSERT_EQUAL_FATAL(trips_make(origin, destination, count, ROWS, &trips, &err),
                              STATUS_OK);
        for (int k = 0; k < 3; k++) {
            const struct betweenness_request request = {.graph = &g,
                                                        .trips = &trips,
                                                        .edges = true,
                                                        .endpoints = round == 1,
                                                        .threads = 1 + k,
                                                        .way = k == 0 ? BETWEENNESS_BY_SEARCHES
                                                                      : BETWEENNESS_BY_SWEEPS};
            CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found[k], &err), STATUS_OK);
            CU_ASSERT_EQUAL(found[k].way, request.way);
        }
        const struct trip_totals *const own = &found[0].totals;
        for (int k = 1; k < 3; k++) {
            const struct trip_totals *const totals = &found[k].totals;
            CU_ASSERT(are_near(found[k].vertex, found[0].vertex, g.n));
            CU_ASSERT(are_near(found[k].edge, found[0].edge, g.m));
            CU_ASSERT(totals->arrive == own->arrive && totals->stay == own->stay &&
                      totals->lost == own->lost && totals->lost_pairs == own->lost_pairs &&
                      totals->lost_from == own->lost_from && totals->lost_to == own->lost_to);
            CU_ASSERT_DOUBLE_EQUAL(totals->length, own->length, 1e-12 * own->length);
        }
        CU_ASSERT(own->stay > 0 && own->lost_pairs > 0);
        CU_ASSERT(memcmp(found[1].edge, found[2].edge, (size_t)g.m * sizeof(double)) == 0);
        for (int k = 0; k < 3; k++)
            betweenness_free(&found[k]);
        trips_free(&trips);
        graph_free(&streets);
        graph_free(&g);
        free(edges);
    }
}

/* A GPU finds what the CPU does, with memory for all sources at once or for some at a time; with
 * less, the CPU does the work. */
static void test_classes_on_gpu(void) {
    static const size_t rooms[] = {(size_t)64 << 20, (size_t)9 << 19, (size_t)8 << 19,
                                   (size_t)1 << 19};
    struct random random = {.state = 47};
    for (int round = 0; round < 12 && order_is_available(); round++) {
        const int32_t side = (int[]){17, 24, 17, 9}[round % 4], n = side * side;
        struct graph g =
            random_streets(&random, side, 1, (int[]){2, 10000, 5}[round / 2 % 3], round % 2);
        if (round % 3 == 2)
            lengthen(&g);
        double from[24 * 24], to[24 * 24];
        for (int32_t v = 0; v < n; v++) {
            from[v] = random_in(&random, 0, 3) / 8.0;
            to[v] = random_in(&random, 0, 4);
        }
        struct betweenness_request request = {.graph = &g,
                                              .sources = {NULL, n},
                                              .from_mass = round % 4 >= 2 ? from : NULL,
                                              .to_mass = round % 4 >= 2 ? to : NULL,
                                              .edges = true,
                                              .endpoints = round % 5 > 1,
                                              .way = BETWEENNESS_BY_CLASSES};
        struct betweenness found[3];
        struct error err = {0};
        cuda_shim_set_memory(rooms[round % 4]);
        for (int k = 0; k < 3; k++) {
            request.threads = k + 1;
            request.engine = k == 0 ? NULL : &gpu_flows;
            CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found[k], &err), STATUS_OK);
            CU_ASSERT_EQUAL(found[k].on_gpu, k > 0 && round % 4 < 3);
        }
        CU_ASSERT(are_near(found[1].vertex, found[0].vertex, n));
        CU_ASSERT(are_near(found[1].edge, found[0].edge, g.m));
        CU_ASSERT(memcmp(found[1].vertex, found[2].vertex, (size_t)n * sizeof(double)) == 0);
        CU_ASSERT(memcmp(found[1].edge, found[2].edge, (size_t)g.m * sizeof(double)) == 0);
        for (int k = 0; k < 3; k++)
            betweenness_free(&found[k]);
        graph_free(&g);
    }
    cuda_shim_set_memory((size_t)1 << 30);
}

/* A GPU adds up masses of few and of many bits, large and small ones and decayed ones, as the CPU
 * does; also where all sources are far away, so that all that flows has decayed. */
static void test_masses_on_gpu(void) {
    enum { SIDE = 17, N = SIDE * SIDE };
    struct graph g = random_streets(&(struct random){.state = 49}, SIDE, 1, 5, false);
    double mass[N];
    for (int32_t v = 0; v < N; v++)
        mass[v] = (0x1p52 + v) * (v % 3 == 0 ? 0x1p-113 : 1.0 / 7);
    for (int kind = 0; kind < 4 && order_is_available(); kind++) {
        for (int32_t v = 3 * SIDE; v < N && kind == 3; v++)
            mass[v] = 0;
        struct betweenness_request request = {.graph = &g,
                                              .sources = {NULL, N},
                                              .from_mass = kind % 2 == 1 ? mass : NULL,
                                              .decay = kind < 2 ? 0 : 0.3,
                                              .edges = true,
                                              .threads = 1,
                                              .way = BETWEENNESS_BY_CLASSES};
        struct betweenness found[2];
        struct error err;
        for (int k = 0; k < 2; k++) {
            request.engine = k == 1 ? &gpu_flows : NULL;
            CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found[k], &err), STATUS_OK);
            CU_ASSERT_EQUAL(found[k].on_gpu, k == 1);
        }
        for (int64_t e = 0; e < g.m; e++)
            CU_ASSERT(fabs(found[1].edge[e] - found[0].edge[e]) <= 1e-12 * found[0].edge[e]);
        betweenness_free(&found[0]);
        betweenness_free(&found[1]);
    }
    graph_free(&g);
}

/* The caller's device stays selected, and a device that is not there is the CPU's matter. */
static void test_device(void) {
    enum { SIDE = 17, N = SIDE * SIDE };
    struct graph g = random_streets(&(struct random){.state = 50}, SIDE, 1, 5, false);
    cuda_shim_set_devices(3);
    for (int device = 1; device < 4 && order_is_available(); device++) {
        const struct betweenness_request request = {.graph = &g,
                                                    .sources = {NULL, N},
                                                    .threads = 1,
                                                    .engine = &gpu_flows,
                                                    .device = device,
                                                    .way = BETWEENNESS_BY_CLASSES};
        struct betweenness found;
        struct error err;
        int selected = -1;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
        CU_ASSERT_EQUAL(found.on_gpu, device < 3);
        CU_ASSERT(cudaGetDevice(&selected) == cudaSuccess && selected == 0);
        betweenness_free(&found);
    }
    cuda_shim_set_devices(1);
    graph_free(&g);
}

/* A call of CUDA fails, or it and all after it: the answer is right all the same, and
 * nothing stays on the device. */
static void check_failing_gpu(enum betweenness_way way) {
    enum { SIDE = 9, N = SIDE * SIDE };
    struct graph g = random_streets(&(struct random){.state = 51}, SIDE, 1,
                                    way == BETWEENNESS_BY_CLASSES ? 5 : 1, true);
    struct betweenness_request request = {
        .graph = &g, .sources = {NULL, N}, .edges = true, .threads = 1, .way = way};
    struct betweenness by_cpu, found;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &by_cpu, &err), STATUS_OK);
    request.engine = &gpu_flows;
    cuda_shim_set_memory((size_t)(way == BETWEENNESS_BY_CLASSES ? 8 : 64) << 20);
    for (int k = 0; k < 2; k++) {
        int (*const fail_after)(int) = k == 0 ? cuda_shim_fail_after : cuda_shim_lose_after;
        int left = 0;
        for (int call = 1; left == 0; call += 3) {
            fail_after(call);
            CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
            left = fail_after(0);
            CU_ASSERT(are_near(found.vertex, by_cpu.vertex, N));
            CU_ASSERT(are_near(found.edge, by_cpu.edge, g.m));
            CU_ASSERT(found.on_gpu || left == 0);
            CU_ASSERT_EQUAL(cuda_shim_held(), 0);
            betweenness_free(&found);
        }
    }
    cuda_shim_set_memory((size_t)1 << 30);
    betweenness_free(&by_cpu);
    graph_free(&g);
}

static void test_failing_gpu(void) {
    check_failing_gpu(BETWEENNESS_BY_SEARCHES);
    if (order_is_available())
        check_failing_gpu(BETWEENNESS_BY_CLASSES);
}

/* Stars, forests, graphs without circles and with some; few sources. */
static void test_thin_graphs_on_gpu(void) {
    enum { FEWEST = 60, MOST = 400 };
    struct random random = {.state = 52};
    cuda_shim_set_memory((size_t)16 << 20);
    for (int round = 0; round < 16 && order_is_available(); round++) {
        const int kind = round / 2 % 4;
        const int32_t n = (int32_t)random_in(&random, FEWEST, MOST);
        struct edge edges[4 * MOST];
        int32_t sources[MOST], count = 0;
        int64_t m = 0;
        for (int32_t v = 1; v < n; v++) {
            const int32_t near = (int32_t)random_in(&random, v > 9 ? v - 9 : 0, v - 1);
            if (kind != 1 || random_in(&random, 0, 2) > 0)
                edges[m++] = (struct edge){v, kind == 0 ? 0 : near, 1 + v % 3};
            if (kind == 2)
                edges[m++] = (struct edge){(int32_t)random_in(&random, 0, n - 1), v, 1 + v % 2};
        }
        if (round % 2 == 0)
            m = graph_append_reverses(edges, m);
        struct graph g = graph_of(n, edges, m);
        for (int32_t v = 1; v < n; v += 1 + round % 5)
            sources[count++] = v;
        struct betweenness_request request = {.graph = &g,
                                              .sources = {sources, count},
                                              .edges = true,
                                              .keeps_trees = true,
                                              .threads = 1,
                                              .way = BETWEENNESS_BY_CLASSES};
        struct betweenness by_cpu, found;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &by_cpu, &err), STATUS_OK);
        request.engine = &gpu_flows;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
        CU_ASSERT(found.on_gpu);
        CU_ASSERT(are_near(found.vertex, by_cpu.vertex, n));
        CU_ASSERT(are_near(found.edge, by_cpu.edge, g.m));
        betweenness_free(&by_cpu);
        betweenness_free(&found);
        graph_free(&g);
    }
    cuda_shim_set_memory((size_t)1 << 30);
}

/* The progress that a listener has heard last, and the positions after which it stops the work. */
struct heard {
    int64_t done, most;
    bool is_ascending;
};

static bool hear(void *context, int64_t done, int64_t total) {
    struct heard *const h = context;
    h->is_ascending = h->is_ascending && done >= h->done && done <= total;
    h->done = done;
    return done <= h->most;
}

/* Reports do not go back, nor beyond all, also if the work is predicted first; and it stops. */
static void test_progress_on_gpu(void) {
    enum { SIDE = 33, N = SIDE * SIDE };
    for (int k = 0; k < 3 && order_is_available(); k++) {
        struct graph g = random_streets(&(struct random){.state = 48}, SIDE, 1, 1000, k == 1);
        struct heard heard = {.most = k < 2 ? 2 * N : N / 2, .is_ascending = true};
        struct progress progress = {.on_report = hear, .callback_context = &heard};
        struct betweenness_request request = {.graph = &g,
                                              .sources = {NULL, N},
                                              .threads = 1,
                                              .engine = &gpu_flows,
                                              .progress = &progress};
        struct betweenness found;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err),
                              k < 2 ? STATUS_OK : STATUS_CANCELLED);
        CU_ASSERT_EQUAL(found.on_gpu, k < 2);
        CU_ASSERT(heard.is_ascending);
        CU_ASSERT_EQUAL(heard.done >= N, k < 2);
        betweenness_free(&found);
        graph_free(&g);
    }
}

/* Weights of random graphs: all are 3, there are many ties, some are 0, there are few ties, or
 * there are many on a grid beyond int32. */
enum { ALL_EQUAL, MANY_TIES, SOME_ZERO, FEW_TIES, REAL_TIES, WEIGHTS };

/* Edges of one direction, with a reverse edge of the same weight, or with one of another weight. */
enum { ONE_WAY, BOTH_WAYS, BOTH_UNLIKE, DIRECTIONS };

/* Edges of weight 0 lead upwards, so that there is no cycle of them. */
static int32_t weight_of(struct random *random, int weights, int32_t from, int32_t to) {
    const int32_t most = weights == FEW_TIES ? 1000 : 3;
    return weights == ALL_EQUAL                ? 3
           : weights == SOME_ZERO && from < to ? (int32_t)random_in(random, 0, most - 1)
                                               : (int32_t)random_in(random, 1, most);
}

/* A random graph; its first vertices have edges to or from all others. */
static struct graph random_hubs(struct random *random, int32_t n, int32_t hubs, int weights,
                                int directions) {
    const int64_t most = 8 * (int64_t)n;
    struct edge *const edges = malloc((size_t)most * sizeof *edges);
    int64_t m = 0;
    struct error err;
    for (int32_t v = 1; v < n; v++) {
        for (int32_t k = 0; k < hubs; k++)
            edges[m++] = v % 2 == 0 ? (struct edge){v, k, 0} : (struct edge){k, v, 0};
        if (v % 9 > 0) /* others have no edges but to hubs */
            edges[m++] = (struct edge){v, (int32_t)random_in(random, 0, n - 1), 0};
    }
    if (directions == BOTH_UNLIKE)
        m = graph_append_reverses(edges, m);
    for (int64_t e = 0; e < m; e++)
        edges[e].weight = directions == BOTH_WAYS && weights == SOME_ZERO
                              ? 2
                              : weight_of(random, weights, edges[e].from, edges[e].to);
    if (directions == BOTH_WAYS)
        m = graph_append_reverses(edges, m);
    struct graph g = graph_of(n, edges, m), real;
    free(edges);
    if (weights != REAL_TIES)
        return g;
    CU_ASSERT_EQUAL_FATAL(graph_widen(&g, &real, &err), STATUS_OK);
    graph_free(&g);
    for (int64_t e = 0; e < real.m; e++)
        real.real_weight[e] *= 1 + 0x1p-31;
    real.min_weight *= 1 + 0x1p-31;
    real.max_weight *= 1 + 0x1p-31;
    CU_ASSERT_EQUAL_FATAL(grid_find(&real, NULL, &err), STATUS_OK);
    CU_ASSERT_FALSE(grid_fits_int32(&real));
    return real;
}

/* A GPU finds by searches what the CPU does, with the same bits each time. */
static void check_searches(struct betweenness_request *request) {
    const struct graph *const g = request->graph;
    struct betweenness found[3];
    struct betweenness_plan plan;
    struct error err = {0};
    request->way = BETWEENNESS_BY_SEARCHES;
    request->keeps_trees = true;
    for (int it = 0; it < 3; it++) {
        request->engine = it == 0 ? NULL : &gpu_flows;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(request, &found[it], &err), STATUS_OK);
        CU_ASSERT_EQUAL(found[it].on_gpu, it > 0);
        CU_ASSERT_EQUAL_FATAL(betweenness_plan_make(request, &plan, &err), STATUS_OK);
        CU_ASSERT(plan.way == BETWEENNESS_BY_SEARCHES && plan.on_gpu == (it > 0));
    }
    CU_ASSERT(are_near(found[1].vertex, found[0].vertex, g->n));
    CU_ASSERT(memcmp(found[1].vertex, found[2].vertex, (size_t)g->n * sizeof(double)) == 0);
    if (request->edges) {
        CU_ASSERT(are_near(found[1].edge, found[0].edge, g->m));
        CU_ASSERT(memcmp(found[1].edge, found[2].edge, (size_t)g->m * sizeof(double)) == 0);
    }
    if (request->ends) {
        CU_ASSERT(are_near(found[1].ends, found[0].ends, g->n));
        CU_ASSERT(are_near(found[1].begins, found[0].begins, g->n));
    }
    const struct trip_totals *const by_gpu = &found[1].totals, *const by_cpu = &found[0].totals;
    CU_ASSERT(are_near((double[]){by_gpu->arrive, by_gpu->stay, by_gpu->length},
                       (double[]){by_cpu->arrive, by_cpu->stay, by_cpu->length}, 3));
    CU_ASSERT(by_gpu->lost_pairs == 0 && by_gpu->lost_from == -1 && by_gpu->lost_to == -1);
    for (int it = 0; it < 3; it++)
        betweenness_free(&found[it]);
}

/* Around the ends of batches, with vertices that a warp takes and those that a block does, also
 * with the fewest edges for which it does, and many levels. */
static void test_searches_on_gpu(void) {
    static const struct {
        int32_t n, hubs, sources; /* sources 0: all vertices */
    } cases[] = {{3, 1, 0},   {40, 0, 0},  {64, 0, 0},
                 {65, 1, 0},  {129, 0, 0}, {FLOW_HUB + 1, 2, 1},
                 {90, 0, 63}, {90, 1, 64}, {700, 2, 65}};
    enum { MOST = 700, CASES = sizeof cases / sizeof *cases };
    struct random random = {.state = 53};
    double from[MOST], to[MOST];
    int32_t some[MOST];
    for (int round = 0; round < CASES * WEIGHTS; round++) {
        const int k = round / WEIGHTS;
        const int32_t n = cases[k].n, count = cases[k].sources;
        struct graph g =
            random_hubs(&random, n, cases[k].hubs, round % WEIGHTS, round % DIRECTIONS);
        for (int32_t v = 0; v < n; v++) {
            from[v] = v % 7 == 3 ? 0 : random_in(&random, 1, 9) / 7.0;
            to[v] = v % 5 == 2 ? 0 : random_in(&random, 1, 9) / 3.0;
            some[v] = (int32_t)random_in(&random, 0, n - 1); /* one may come twice */
        }
        check_searches(&(struct betweenness_request){
            .graph = &g,
            .sources = {count > 0 ? some : NULL, count > 0 ? count : n},
            .from_mass = round / 2 % 2 == 1 ? from : NULL,
            .to_mass = round / 2 % 2 == 1 ? to : NULL,
            .decay = round % 4 == 1 ? 100 : 0,
            .endpoints = round / 2 % 3 == 0,
            .edges = round / 3 % 3 != 1,
            .ends = round % 7 < 3,
            .totals = round % 8 < 3,
            .threads = 1});
        graph_free(&g);
    }
    for (enum kind kind = 0; kind < KINDS; kind++) {
        struct graph g = graph_of_kind(&random, 70, 10, kind);
        check_searches(
            &(struct betweenness_request){.graph = &g, .sources = {NULL, g.n}, .threads = 1});
        graph_free(&g);
    }
    struct graph bare = graph_of(70, NULL, 0);
    check_searches(&(struct betweenness_request){
        .graph = &bare, .sources = {NULL, 70}, .endpoints = true, .threads = 1});
    graph_free(&bare);
    /* No shortest path has the last edge, with which sums overflow. */
    struct edge edges[8] = {{0, 1, 5}, {0, 2, 1}, {2, 3, 1}, {1, 3, INT32_MAX}};
    struct graph heavy = graph_of(4, edges, graph_append_reverses(edges, 4));
    check_searches(&(struct betweenness_request){.graph = &heavy, .sources = {NULL, 4}});
    graph_free(&heavy);
}

/* With little memory a GPU searches from fewer sources at a time, with less the CPU does; and it
 * stops when it is told to. */
static void test_short_searches_on_gpu(void) {
    enum { N = 300 }; /* a group takes 240 KB, or 330 KB with weights */
    for (int weighted = 0; weighted < 2; weighted++) {
        const size_t arrays =
            weighted ? 50 << 20 : 46 << 20; /* 2 MB each, beside those of groups */
        struct random random = {.state = 54};
        struct graph g = random_hubs(&random, N, 1, weighted ? MANY_TIES : ALL_EQUAL, ONE_WAY);
        struct heard heard = {.most = -1};
        struct progress progress = {.on_report = hear, .callback_context = &heard};
        struct betweenness_request request = {.graph = &g,
                                              .sources = {NULL, N},
                                              .edges = true,
                                              .threads = 1,
                                              .engine = &gpu_flows,
                                              .way = BETWEENNESS_BY_SEARCHES};
        struct betweenness found[3];
        struct error err;
        for (int k = 0; k < 3; k++) {
            cuda_shim_set_memory(arrays + (size_t)(k == 0 ? 1 << 30 : 600000 - 400000 * (k - 1)));
            CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found[k], &err), STATUS_OK);
            CU_ASSERT_EQUAL(found[k].on_gpu, k < 2);
            CU_ASSERT(are_near(found[k].vertex, found[0].vertex, N));
            CU_ASSERT(are_near(found[k].edge, found[0].edge, g.m));
        }
        for (int k = 0; k < 3; k++)
            betweenness_free(&found[k]);
        cuda_shim_set_memory((size_t)1 << 30);
        request.progress = &progress;
        CU_ASSERT_EQUAL(betweenness_find(&request, &found[0], &err), STATUS_CANCELLED);
        betweenness_free(&found[0]);
        graph_free(&g);
    }
}

/* Deep graphs, those deeper than their first search, too many paths, too small masses, decayed or
 * not, and too large ones are the CPU's matter, also if it shows late. */
static void test_searches_not_on_gpu(void) {
    enum { DEEP = 700, MIDDLE = 90, WAYS = 8, FEW = 13, CASES = 8, MOST = DEEP };
    struct edge edges[MOST];
    double small[DEEP], large[DEEP];
    for (int32_t v = 0; v < DEEP; v++) {
        small[v] = 0x1p-301;
        large[v] = 0x1p1000;
    }
    for (int round = 0; round < 2 * CASES; round++) {
        const int k = round / 2;
        const int32_t last = round % 2 == 1 ? 2 : 1; /* weight of the last edge of a part */
        int32_t n = k == 0 ? DEEP : MIDDLE;
        int64_t m = 0;
        for (int32_t v = 1; v < n; v++) /* a path; in the first of these its end has most edges */
            edges[m++] = (struct edge){v - 1, v, v + 1 == n ? last : 1};
        if (k == 1) /* a star beside it */
            for (int32_t v = 0; v < 9; v++)
                edges[m++] = (struct edge){n, n + 1 + v, 1};
        n += k == 1 ? 10 : 0;
        if (k == 2 || k == 3 || k == 6) { /* 8 ways from place to place: 2^42 or 2^39 paths */
            const int32_t count = k == 2 ? FEW + 1 : FEW, apart = WAYS + 1;
            m = 0;
            for (int32_t d = 0; d < count; d++)
                for (int32_t way = 1; way <= WAYS; way++) {
                    edges[m++] = (struct edge){apart * d, apart * d + way, 1};
                    edges[m++] = (struct edge){apart * d + way, apart * (d + 1), last};
                }
            n = apart * count + 1;
        }
        struct graph g = graph_of(n, edges, m);
        struct betweenness_request request = {.graph = &g,
                                              .sources = {NULL, k == 4 ? n : 1},
                                              .from_mass = k == 6 ? large : NULL,
                                              .to_mass = k == 5 ? small : NULL,
                                              .decay = k == 7 ? 0.3 : 0,
                                              .edges = k == 6,
                                              .keeps_trees = true,
                                              .threads = 1,
                                              .way = BETWEENNESS_BY_SEARCHES};
        struct betweenness by_cpu, found;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &by_cpu, &err), STATUS_OK);
        request.engine = &gpu_flows;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
        CU_ASSERT_EQUAL(found.on_gpu, k == 3 || k == 4);
        CU_ASSERT(are_near(found.vertex, by_cpu.vertex, n));
        if (k == 6)
            CU_ASSERT(are_near(found.edge, by_cpu.edge, m));
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        betweenness_free(&by_cpu);
        betweenness_free(&found);
        graph_free(&g);
    }
}

/* A search of a path from its middle stops at the number of levels that it is told. */
static void test_levels(void) {
    enum { N = 21 };
    struct edge edges[2 * (N + 1)] = {{N / 2, N, 1}};
    int64_t m = 1;
    for (int32_t v = 1; v < N; v++)
        edges[m++] = (struct edge){v - 1, v, 1};
    m = graph_append_reverses(edges, m); /* the middle has the most edges */
    struct graph g = graph_of(N + 1, edges, m);
    for (int32_t most = 1; most < N; most++) {
        int32_t levels;
        struct error err;
        CU_ASSERT_EQUAL(source_rows_levels(&g, most, &levels, &err), STATUS_OK);
        CU_ASSERT_EQUAL(levels, most < N / 2 + 1 ? most : N / 2 + 1);
    }
    graph_free(&g);
}

/* With weights, levels are those of the shortest paths that have the most edges. A breadth-first
 * search from the hub of a wheel, whose rim is lighter than its spokes, finds two of them. */
static void test_levels_with_weights(void) {
    enum { MOST = 300 };
    for (int32_t n = 3; n <= MOST; n = n == 3 ? 255 : n == 255 ? 256 : MOST + 1) {
        struct edge edges[2 * MOST + 2];
        int64_t m = 0;
        for (int32_t v = 1; v < n; v++) {
            edges[m++] = (struct edge){0, v, v}; /* as long as the way over the rim */
            if (v > 1)
                edges[m++] = (struct edge){v - 1, v, 1};
        }
        edges[m++] = (struct edge){0, n, 1000};
        edges[m++] = (struct edge){n - 1, n, 1001}; /* on no shortest path */
        struct graph g = graph_of(n + 1, edges, m), real;
        struct betweenness_request request = {.graph = &g,
                                              .sources = {NULL, 1},
                                              .threads = 1,
                                              .engine = &gpu_flows,
                                              .way = BETWEENNESS_BY_SEARCHES};
        struct betweenness_plan plan;
        struct error err;
        int32_t levels;
        CU_ASSERT_EQUAL(source_rows_levels(&g, INF, &levels, &err), STATUS_OK);
        CU_ASSERT_EQUAL(levels, 2);
        CU_ASSERT_EQUAL(source_rows_weighted_levels(&g, &levels, &err), STATUS_OK);
        CU_ASSERT_EQUAL(levels, n);
        CU_ASSERT_EQUAL_FATAL(graph_widen(&g, &real, &err), STATUS_OK);
        CU_ASSERT_EQUAL(source_rows_weighted_levels(&real, &levels, &err), STATUS_OK);
        CU_ASSERT_EQUAL(levels, n);
        CU_ASSERT_EQUAL_FATAL(betweenness_plan_make(&request, &plan, &err), STATUS_OK);
        CU_ASSERT_EQUAL(plan.on_gpu, n < 256);
        request.device = 1; /* it is not there */
        CU_ASSERT_EQUAL_FATAL(betweenness_plan_make(&request, &plan, &err), STATUS_OK);
        CU_ASSERT_FALSE(plan.on_gpu || plan.searches_on_gpu);
        graph_free(&real);
        graph_free(&g);
    }
}

/* Nobody waits for what is sure to fail: on no device, with too little memory, of too many levels.
 */
static void test_prediction_of_searches(void) {
    const struct graph g = {.n = 1 << 10, .m = 1 << 12};
    const struct {
        size_t memory;
        int device;
        int32_t levels;
        bool can, weighted;
    } cases[] = {{(size_t)1 << 30, 0, 255, true, false}, {(size_t)1 << 30, 0, 256, false, false},
                 {(size_t)1 << 30, 1, 9, false, false},  {(size_t)1 << 20, 0, 9, true, false},
                 {(size_t)1 << 19, 0, 9, false, false},  {(size_t)1 << 30, 0, 256, false, true},
                 {(size_t)1 << 21, 0, 9, true, true},    {(size_t)1 << 20, 0, 9, false, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct search_flows_request request = {.graph = &g,
                                                     .sources = &(struct row_sources){NULL, g.n},
                                                     .weighted = cases[k].weighted,
                                                     .levels = cases[k].levels,
                                                     .device = cases[k].device};
        cuda_shim_set_memory(cases[k].memory);
        CU_ASSERT_EQUAL(isfinite(gpu_flows.searches->seconds(&request)) &&
                            gpu_flows.searches->has_gpu(&request),
                        cases[k].can);
        CU_ASSERT_EQUAL(cudaGetLastError(), cudaSuccess);
    }
    cuda_shim_set_memory((size_t)1 << 30);
}

/* Distances of float64 on a grid, beyond int32. */
static void test_classes_on_grid(void) {
    struct random random = {.state = 46};
    struct graph integers = random_streets(&random, 40, 1, 1000, true);
    for (int fits = 0; fits < 2; fits++) {
        const double more = fits ? 0 : 0x1p-34;
        struct graph g;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(graph_widen(&integers, &g, &err), STATUS_OK);
        for (int64_t e = 0; e < g.m; e++)
            g.real_weight[e] = (g.real_weight[e] + more) / 4;
        g.min_weight = (g.min_weight + more) / 4;
        g.max_weight = (g.max_weight + more) / 4;
        CU_ASSERT_EQUAL_FATAL(grid_find(&g, NULL, &err), STATUS_OK);
        CU_ASSERT_FATAL(g.spacing > 0 && grid_fits_int32(&g) == fits);
        if (order_is_available())
            check_classes(&(struct betweenness_request){
                .graph = &g, .sources = {NULL, g.n}, .decay = 700, .totals = true});
        graph_free(&g);
    }
    graph_free(&integers);
}

/* A graph with too many paths for float64 is searched. */
static void test_classes_of_many_paths(void) {
    enum { DIAMONDS = 2200, N = 3 * DIAMONDS + 1 };
    const int32_t first = 0;
    struct graph g = chain_of_diamonds(DIAMONDS);
    struct betweenness found;
    struct error err;
    for (int k = 0; k < 2; k++) {
        const struct betweenness_request request = {.graph = &g,
                                                    .sources = {&first, 1},
                                                    .way = k == 0 ? BETWEENNESS_BY_CLASSES
                                                                  : BETWEENNESS_BY_SWEEPS};
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
        CU_ASSERT_EQUAL(found.way, BETWEENNESS_BY_SEARCHES);
        CU_ASSERT_EQUAL(found.vertex[3], N - 4);
        betweenness_free(&found);
    }
    graph_free(&g);
}

/* Which way is taken: by classes where they pay, by sweeps for some sources. */
static void test_ways(void) {
    struct random random = {.state = 47};
    struct graph roads = random_streets(&random, 60, 1, 1000, false);
    struct graph dense = random_graph(&random, 1100, 20, WEIGHTS_POSITIVE);
    const struct {
        const struct graph *graph;
        int32_t sources;
        enum betweenness_way way;
    } cases[] = {{&roads, 3600, BETWEENNESS_BY_CLASSES},
                 {&roads, 400, BETWEENNESS_BY_SWEEPS},
                 {&roads, 2, BETWEENNESS_BY_SEARCHES},
                 {&dense, 2, BETWEENNESS_BY_SEARCHES},
                 {&dense, 1100, BETWEENNESS_BY_SEARCHES}};
    int32_t some[400];
    for (int32_t k = 0; k < 400; k++)
        some[k] = 3 + 7 * k;
    for (size_t k = 0; k < sizeof cases / sizeof *cases && order_is_available(); k++) {
        struct betweenness found;
        struct error err = {0};
        const struct betweenness_request request = {
            .graph = cases[k].graph,
            .sources = {cases[k].sources <= 400 ? some : NULL, cases[k].sources}};
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
        CU_ASSERT_EQUAL(found.way, cases[k].way);
        betweenness_free(&found);
    }
    if (order_is_available()) /* asked for, they are taken for few sources, too */
        check_classes(&(struct betweenness_request){.graph = &roads, .sources = {some, 2}});
    graph_free(&roads);
    graph_free(&dense);
}

// Many sources at a time --------------------------------------------------------------------------

/* A row of vertices, each with edges to the next three and back: paths have too many edges for many
 * sources at a time to pay. */
static struct graph long_row(int32_t n, int32_t heaviest) {
    enum { NEXT = 3 };
    struct edge *const edges = malloc(2 * NEXT * (size_t)n * sizeof *edges);
    int64_t m = 0;
    for (int32_t v = 0; v < n; v++) {
        for (int32_t step = 1; step <= NEXT && v + step < n; step++)
            edges[m++] =
                (struct edge){(int32_t)((int64_t)v * 7 % n), (int32_t)((int64_t)(v + step) * 7 % n),
                              1 + (v + step) % heaviest};
    }
    m = graph_append_reverses(edges, m);
    struct graph g = graph_of(n, edges, m);
    free(edges);
    return g;
}

/* Sums over sources that are searched from at a time are those over one after another. */
static void check_one_by_one(const struct graph *g, const int32_t *sources, int32_t count) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    double *const mass = malloc(n * sizeof *mass);
    double *const vertex = calloc(n, sizeof *vertex), *const edge = calloc(m, sizeof *edge);
    struct betweenness_request request = {.graph = g,
                                          .sources = {sources, count},
                                          .from_mass = mass,
                                          .edges = true,
                                          .way = BETWEENNESS_BY_SEARCHES};
    struct betweenness found[2], own;
    struct error err;
    for (size_t v = 0; v < n; v++)
        mass[v] = (double)(v % 5); /* some are passed over */
    for (int k = 0; k < 2; k++) {
        request.threads = k + 1;
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found[k], &err), STATUS_OK);
    }
    CU_ASSERT(memcmp(found[0].vertex, found[1].vertex, n * sizeof *vertex) == 0);
    CU_ASSERT(memcmp(found[0].edge, found[1].edge, m * sizeof *edge) == 0);
    for (int32_t p = 0; p < count; p++) {
        const int32_t one = sources == NULL ? p : sources[p];
        request.sources = (struct row_sources){&one, 1};
        CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &own, &err), STATUS_OK);
        for (size_t v = 0; v < n; v++)
            vertex[v] += own.vertex[v];
        for (size_t e = 0; e < m; e++)
            edge[e] += own.edge[e];
        betweenness_free(&own);
    }
    CU_ASSERT(are_near(found[0].vertex, vertex, g->n));
    CU_ASSERT(are_near(found[0].edge, edge, g->m));
    betweenness_free(&found[0]);
    betweenness_free(&found[1]);
    free(mass);
    free(vertex);
    free(edge);
}

/* By labels of 16 and of 32 bits, by bits, and where that does not pay. */
static void test_many_at_a_time(void) {
    enum { N = 1111 }; /* groups are whole batches, but for the last */
    static const int32_t twice[] = {3, 9, 3, 4, 5, 6, 7, 8, 9, 10};
    struct random random = {.state = 45};
    struct graph graphs[] = {graph_of_kind(&random, N, 1, SMALL),
                             graph_of_kind(&random, N, 1, UNIT), graph_of_kind(&random, N, 1, WIDE),
                             long_row(N, 3), long_row(N, 1)};
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        check_one_by_one(&graphs[k], NULL, N);
        check_one_by_one(&graphs[k], twice, sizeof twice / sizeof *twice);
        graph_free(&graphs[k]);
    }
}

// Refusals ----------------------------------------------------------------------------------------

static void check_refused(const struct graph *g, const char *why) {
    struct betweenness found;
    struct error err = {0};
    const struct betweenness_request request = {.graph = g, .sources = {NULL, g->n}};
    CU_ASSERT_EQUAL(betweenness_find(&request, &found, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, why));
    CU_ASSERT_PTR_NULL(found.vertex);
}

static void test_refused(void) {
    struct graph negative = graph_of(3, (struct edge[]){{0, 1, 5}, {1, 2, -1}}, 2);
    struct graph cycle =
        graph_of(4, (struct edge[]){{3, 0, 1}, {0, 1, 0}, {1, 2, 0}, {2, 0, 0}}, 4);
    struct graph zones = graph_of(3, (struct edge[]){{0, 1, 5}, {1, 2, 1}}, 2);
    struct graph far = graph_of(3, (struct edge[]){{0, 1, 5}, {1, 2, 1}}, 2), wide, odd;
    struct error err;
    zones.zones = 2;
    CU_ASSERT_EQUAL_FATAL(graph_widen(&far, &odd, &err), STATUS_OK);
    odd.real_weight[0] = odd.max_weight = 0.1;
    odd.integral = false;
    CU_ASSERT_EQUAL_FATAL(graph_widen(&cycle, &wide, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(grid_find(&wide, NULL, &err), STATUS_OK);
    check_refused(&negative, "weights of 0 or more, found -1");
    check_refused(&cycle, "found one at 0");
    check_refused(&wide, "found one at 0");
    check_refused(&zones, "without zones");
    check_refused(&odd, "weights on a grid");
    graph_free(&negative);
    graph_free(&cycle);
    graph_free(&zones);
    graph_free(&far);
    graph_free(&wide);
    graph_free(&odd);
}

static void test_cancelled(void) {
    struct random random = {.state = 44};
    struct graph g = random_graph(&random, 60, 20, WEIGHTS_POSITIVE);
    for (int threads = 1; threads <= 2; threads++) {
        int left = 3;
        struct progress progress = {.on_report = stop_after, .callback_context = &left};
        struct betweenness found;
        struct error err = {0};
        const struct betweenness_request request = {
            .graph = &g, .sources = {NULL, 60}, .threads = threads, .progress = &progress};
        const enum status status = betweenness_find(&request, &found, &err);
        CU_ASSERT(status == STATUS_CANCELLED || (threads == 2 && left >= 0));
        betweenness_free(&found);
    }
    graph_free(&g);
}

// Plans -------------------------------------------------------------------------------------------

/* The plan is what is then done, in no more memory, as far as no earlier work took more. */
static void check_plan(const struct betweenness_request *request, const char *not_classes) {
    struct betweenness_plan plan;
    struct betweenness found;
    struct error err = {0};
    CU_ASSERT_EQUAL_FATAL(betweenness_plan_make(request, &plan, &err), STATUS_OK);
    const uint64_t held = memory_held(), peak = memory_peak();
    CU_ASSERT_EQUAL_FATAL(betweenness_find(request, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(plan.way, found.way);
    CU_ASSERT_EQUAL(plan.on_gpu, found.on_gpu);
    CU_ASSERT(plan.searches_s > 0 || strcmp(not_classes, "nothing flows") == 0);
    CU_ASSERT((not_classes == NULL) == (plan.not_classes == NULL));
    CU_ASSERT(not_classes == NULL || strstr(plan.not_classes, not_classes) != NULL);
    CU_ASSERT((plan.not_classes == NULL) == isfinite(plan.classes_s));
    CU_ASSERT(plan.eliminate_s > 0 || (!isfinite(plan.classes_s) && !isfinite(plan.sweeps_s)));
    const double seconds[] = {[BETWEENNESS_BY_SEARCHES] = plan.searches_s,
                              [BETWEENNESS_BY_CLASSES] = plan.classes_s,
                              [BETWEENNESS_BY_SWEEPS] = plan.sweeps_s};
    for (int way = BETWEENNESS_BY_SEARCHES; way <= BETWEENNESS_BY_SWEEPS; way++)
        CU_ASSERT(request->way != BETWEENNESS_BY_ANY || seconds[plan.way] <= seconds[way]);
    betweenness_free(&found);
    CU_ASSERT_EQUAL(memory_held(), held);
    CU_ASSERT(memory_peak() == peak || memory_peak() - held <= plan.memory);
}

/* Plans for all vertices of a graph as sources. */
static void check_plan_of_all(const struct graph *g, enum betweenness_way way, int threads,
                              const char *not_classes) {
    const struct betweenness_request request = {
        .graph = g, .sources = {NULL, g->n}, .edges = true, .way = way, .threads = threads};
    check_plan(&request, not_classes);
}

static void test_plans(void) {
    int32_t some[150];
    const bool orders = order_is_available();
    struct random random = {.state = 48};
    for (int round = 0; round < 3; round++) { /* a larger graph sets a new peak of memory */
        struct graph g = random_streets(&random, 40 + 20 * round, 1, 10000, round % 2);
        for (int32_t k = 0; k < 150; k++)
            some[k] = g.n - 1 - 9 * k;
        struct betweenness_request request = {.graph = &g, .sources = {some, 150}, .threads = 2};
        check_plan_of_all(&g, BETWEENNESS_BY_SEARCHES, 1 + round, "asked for");
        check_plan_of_all(&g, BETWEENNESS_BY_ANY, 1 + round, orders ? NULL : "orders");
        check_plan_of_all(&g, BETWEENNESS_BY_CLASSES, 2, orders ? NULL : "orders");
        check_plan(&request, orders ? "an eighth" : "orders");
        request.way = BETWEENNESS_BY_CLASSES; /* of directed graphs also the rows of all targets */
        check_plan(&request, orders ? NULL : "orders");
        request.way = BETWEENNESS_BY_ANY;
        request.sources.count = 3;
        check_plan(&request, orders ? "not predicted to pay" : "orders");
        request.way = BETWEENNESS_BY_SWEEPS;
        check_plan(&request, orders ? "asked for" : "orders");
        graph_free(&g);
    }
    struct graph equal = random_streets(&random, 100, 1, 1, false); /* many classes */
    check_plan_of_all(&equal, BETWEENNESS_BY_CLASSES, 2, orders ? NULL : "orders");
    graph_free(&equal);
    struct graph dense = graph_of_kind(&random, 1100, 3, WIDE);
    check_plan_of_all(&dense, BETWEENNESS_BY_ANY, 2, orders ? "not predicted to pay" : "orders");
    graph_free(&dense);
    struct graph small = graph_of(3, (struct edge[]){{0, 1, 4}, {1, 2, 3}, {2, 0, 1}}, 3);
    check_plan_of_all(&small, BETWEENNESS_BY_ANY, 1, orders ? "fewer than 1000" : "orders");
    graph_free(&small);
    struct graph forest = graph_of(4, (struct edge[]){{0, 1, 4}, {1, 2, 3}}, 2);
    check_plan_of_all(&forest, BETWEENNESS_BY_ANY, 1, "nothing flows");
    check_plan_of_all(&forest, BETWEENNESS_BY_SWEEPS, 1, "nothing flows");
    graph_free(&forest);
    struct graph no_way = graph_of(3, (struct edge[]){{0, 1, 0}, {1, 2, 3}}, 2);
    check_plan_of_all(&no_way, BETWEENNESS_BY_CLASSES, 1, "weight 0");
    graph_free(&no_way);
}

CU_TestInfo betweenness_tests[] = {
    {"plans", test_plans}, /* first, while little memory has been held */
    {"random graphs", test_random},
    {"pendant trees", test_trees},
    {"pendant trees with large masses", test_trees_with_large_masses},
    {"pendant trees with small masses", test_trees_with_small_masses},
    {"many sources", test_groups},
    {"many paths", test_many_paths},
    {"classes of rows", test_classes},
    {"trips by sweeps", test_swept_trips},
    {"classes of rows on a GPU", test_classes_on_gpu},
    {"masses on a GPU", test_masses_on_gpu},
    {"the caller's device", test_device},
    {"calls that fail", test_failing_gpu},
    {"thin graphs on a GPU", test_thin_graphs_on_gpu},
    {"progress on a GPU", test_progress_on_gpu},
    {"searches on a GPU", test_searches_on_gpu},
    {"searches on a GPU with little memory", test_short_searches_on_gpu},
    {"searches that are none for a GPU", test_searches_not_on_gpu},
    {"levels of searches", test_levels},
    {"levels of searches with weights", test_levels_with_weights},
    {"prediction of searches on a GPU", test_prediction_of_searches},
    {"classes of rows on a grid", test_classes_on_grid},
    {"classes of rows and many paths", test_classes_of_many_paths},
    {"many sources at a time", test_many_at_a_time},
    {"ways", test_ways},
    {"what is refused", test_refused},
    {"work is stopped", test_cancelled},
    CU_TEST_INFO_NULL,
};
