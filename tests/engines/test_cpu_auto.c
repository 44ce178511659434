// SPDX-License-Identifier: MIT
/* The features that cpu's auto looks at, and the variants that it takes. */
#include "engines/cpu_auto.h"

#include "common/graph/limit.h"       // NO_LIMIT
#include "common/graph/matrix_sink.h" // struct matrix_sink
#include "elimination/order.h"        // order_is_available
#include "engines/cpu_variants.h"     // cpu_solver
#include "engines/find_features.h"    // features_look_at_structure
#include "solve/refine.h"             // refine_coarsen
#include "solve/solve.h"              // solve
#include "tests/unit/real_graphs.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EDGES = 20000 };

static struct edge edges[MAX_EDGES];

/* Every vertex has edges to the next `degree` vertices of its component of `size`. */
static struct graph components(int32_t n, int32_t size, int32_t degree) {
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++) {
        const int32_t first = v / size * size, of = n - first < size ? n - first : size;
        for (int32_t next = 1; next <= degree && next < of; next++)
            edges[count++] = (struct edge){v, first + (v - first + next) % of, 1};
    }
    return graph_of(n, edges, count);
}

/* Every vertex has edges to `degree` vertices anywhere. */
static struct graph scattered(int32_t n, int32_t degree) {
    struct random random = {11};
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++) {
        for (int32_t k = 0; k < degree; k++)
            edges[count++] = (struct edge){v, random_in(&random, 0, n - 1), 1 + k};
    }
    return graph_of(n, edges, count);
}

static struct features look(int32_t n, int32_t size, int32_t degree) {
    struct graph g = components(n, size, degree);
    struct features features;
    struct error err;
    CU_ASSERT_EQUAL(features_look_at_structure(&g, 2, &features, &err), STATUS_OK);
    CU_ASSERT_EQUAL(features.n, n);
    CU_ASSERT_EQUAL(features.degree, (double)g.m / n);
    graph_free(&g);
    return features;
}

static void test_reach(void) {
    CU_ASSERT_DOUBLE_EQUAL(look(1, 1, 0).reach, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 1000, 1).reach, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 1, 0).reach, 1e-3, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 4, 1).reach, 4e-3, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 49, 2).reach, 49e-3, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 50, 2).reach, 1, 1e-9); /* a twentieth */
    CU_ASSERT_DOUBLE_EQUAL(look(10, 1, 0).reach, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(64, 2, 1).reach, 2.0 / 64, 1e-9);
}

/* Weights of both edges of a graph, and the largest in units; real ones are on a grid. */
static void test_steps(void) {
    static const struct {
        double weight[2], spacing;
        int32_t steps;
    } cases[] = {
        {{7, 7}, 0, 1},   {{20, 30}, 0, 3}, {{32, 2}, 0, 16},       {{17, 1}, 0, 0},
        {{30, 31}, 0, 0}, {{0, 1}, 0, 0},   {{0.5, 0.75}, 0.25, 3}, {{5, 2.5}, 0.5, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double *const weight = cases[k].weight;
        struct edge whole[] = {{0, 1, (int32_t)weight[0]}, {1, 2, (int32_t)weight[1]}};
        struct real_edge real[] = {{0, 1, weight[0]}, {1, 2, weight[1]}};
        struct graph g = cases[k].spacing > 0 ? graph_of_real(3, NUMBER_FLOAT64, real, 2)
                                              : graph_of(3, whole, 2);
        struct features features;
        struct error err;
        g.spacing = cases[k].spacing;
        g.farthest = 10;
        CU_ASSERT_EQUAL(features_look_at_structure(&g, 2, &features, &err), STATUS_OK);
        CU_ASSERT_EQUAL(features.steps, cases[k].steps);
        graph_free(&g);
    }
}

/* Levels are taken to count if they are few, and not for rows. */
static void test_levels(void) {
    static const struct {
        double hops;
        int32_t steps;
        bool totals, pays;
    } cases[] = {
        {5, 1, true, true},   {5, 3, true, true},    {5, 0, true, false},
        {5, 3, false, false}, {300, 3, true, false}, {5, 16, true, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int32_t longest = cases[k].steps > 0 ? cases[k].steps : 100;
        const struct features features = {.n = 20000,
                                          .m = 400000,
                                          .degree = 20,
                                          .reach = 1,
                                          .deep = true,
                                          .narrow = true,
                                          .hops = cases[k].hops,
                                          .longest = cases[k].hops * (1 + longest) / 3,
                                          .max_weight = longest,
                                          .min_weight = 1,
                                          .steps = cases[k].steps};
        struct model_question q = model_reference(&features, false, NULL);
        q.totals = cases[k].totals;
        CU_ASSERT_EQUAL(strcmp(auto_choose(&q)->name, "bfs") == 0, cases[k].pays);
    }
}

static const char *cheapest(int32_t n, double degree, double reach) {
    const struct features features = {
        .n = n, .degree = degree, .reach = reach, .max_weight = 2, .min_weight = 1};
    const struct model_question q = model_reference(&features, true, NULL);
    const struct solver_variant *best = auto_choose(&q);
    for (size_t v = 0; v < cpu_solver.variant_count; v++) {
        const struct solver_variant *variant = &cpu_solver.variants[v];
        if (!variant->model.candidate || variant->steps_most > 0)
            continue;
        CU_ASSERT(auto_cost(variant, &q) > 0);
        CU_ASSERT(auto_cost(variant, &q) >= auto_cost(best, &q));
    }
    return best->name;
}

/* The measurements leave no doubt. */
static void test_costs(void) {
    CU_ASSERT_STRING_EQUAL(cheapest(1, 0, 1), "sequential");
    CU_ASSERT_STRING_EQUAL(cheapest(10, 2, 1), "sequential");
    CU_ASSERT_STRING_EQUAL(cheapest(100, 50, 1), "blocked");
    CU_ASSERT_STRING_EQUAL(cheapest(1000, 900, 1), "blocked");
    CU_ASSERT_STRING_EQUAL(cheapest(5000, 4999, 1), "blocked");
    CU_ASSERT_STRING_EQUAL(cheapest(1000, 3, 1), "multisource");
    CU_ASSERT_STRING_EQUAL(cheapest(5000, 100, 1), "multisource");
    CU_ASSERT_STRING_EQUAL(cheapest(20000, 1000, 1), "multisource");
    CU_ASSERT_STRING_EQUAL(cheapest(1000, 0.2, 0.001), "johnson");
    CU_ASSERT_STRING_EQUAL(cheapest(5000, 0.5, 0.0004), "johnson");
}

struct events {
    char variant[32], why[256];
};

static void keep_choice(void *to, const char *variant, const char *why) {
    struct events *events = to;
    snprintf(events->variant, sizeof events->variant, "%s", variant);
    snprintf(events->why, sizeof events->why, "%s", why);
}

/* The variant that costs least is taken, and auto says so; the answer is that variant's. */
static void check_taken(struct graph g, int threads, const char *expected) {
    const struct solver_variant *variant = solver_find(&cpu_solver, "auto");
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
    struct matrix own_dist = new_matrix(g.n), own_pred = new_matrix(g.n);
    struct timing timing;
    struct error err;
    struct events events = {"", ""};
    const struct solver_options options = {
        .threads = threads, .on_choice = keep_choice, .callback_context = &events};
    CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, &pred, NULL, 1, &timing, &err), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(events.variant, expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(events.why, expected));
    CU_ASSERT(timing.solve_s > 0);
    CU_ASSERT_EQUAL(solve(solver_find(&cpu_solver, expected), &g, &options, &own_dist, &own_pred,
                          NULL, 1, &timing, &err),
                    STATUS_OK);
    for (int32_t i = 0; i < g.n; i++) {
        const size_t bytes = (size_t)g.n * sizeof(int32_t);
        CU_ASSERT(memcmp(matrix_row(&dist, i), matrix_row(&own_dist, i), bytes) == 0);
        CU_ASSERT(memcmp(matrix_row(&pred, i), matrix_row(&own_pred, i), bytes) == 0);
    }
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&own_dist);
    matrix_free(&own_pred);
    graph_free(&g);
}

static void test_taken(void) {
    for (int threads = 1; threads <= 3; threads++) {
        check_taken(components(8, 8, 2), threads, "sequential");
        check_taken(components(100, 100, 60), threads, "blocked");
        check_taken(scattered(600, 20), threads, "multisource");
        check_taken(components(2000, 2000, 2), threads,
                    order_is_available() ? "dissection" : "multisource");
        check_taken(components(300, 2, 1), threads, "johnson");
    }
}

/* The variant that is taken for a graph of real weights is told, too, and the answer is that
 * variant's; distances are those of a variant that adds up real weights. */
static void check_real(struct graph integers, enum number_type type, const char *expected) {
    static struct real_edge real[MAX_EDGES];
    const char *const names[] = {"auto", expected, "johnson"};
    struct matrix dist[3], pred[3];
    struct events events = {"", ""};
    struct timing timing;
    struct error err;
    const struct solver_options options = {
        .threads = 2, .on_choice = keep_choice, .callback_context = &events};
    for (int32_t v = 0; v < integers.n; v++) {
        for (int64_t e = integers.first[v]; e < integers.first[v + 1]; e++)
            real[e] = (struct real_edge){v, integers.head[e], 0.1 * integers.weight[e]};
    }
    struct graph g = graph_of_real(integers.n, type, real, integers.m);
    graph_free(&integers);
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_FATAL(matrix_alloc_typed(&dist[k], type, g.n, g.n, "D", &err) == STATUS_OK);
        pred[k] = new_matrix(g.n);
        CU_ASSERT_EQUAL(solve(solver_find(&cpu_solver, names[k]), &g, &options, &dist[k], &pred[k],
                              NULL, 1, &timing, &err),
                        STATUS_OK);
    }
    CU_ASSERT_STRING_EQUAL(events.variant, expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(events.why, expected));
    for (int32_t i = 0; i < g.n; i++) {
        const size_t bytes = (size_t)g.n * sizeof(int32_t);
        CU_ASSERT(memcmp(matrix_row(&pred[0], i), matrix_row(&pred[1], i), bytes) == 0);
        for (int32_t j = 0; j < g.n; j++) {
            CU_ASSERT(real_cell(&dist[0], i, j) == real_cell(&dist[1], i, j));
            CU_ASSERT(real_cell(&dist[0], i, j) == real_cell(&dist[2], i, j));
        }
    }
    for (int k = 0; k < 3; k++) {
        matrix_free(&dist[k]);
        matrix_free(&pred[k]);
    }
    graph_free(&g);
}

static void test_real(void) {
    check_real(scattered(600, 20), NUMBER_FLOAT64, "multisource");
    check_real(scattered(400, 6), NUMBER_FLOAT32, "multisource");
    check_real(components(1200, 1200, 2), NUMBER_FLOAT64,
               order_is_available() ? "dissection" : "multisource");
    check_real(components(300, 2, 1), NUMBER_FLOAT32, "johnson");
}

/* The look that `auto` hands to dissection, of which nothing but the graph is known. */
static void look_at_all(const struct graph *g, struct look *look) {
    const struct solver_size size = {
        .n = g->n, .m = g->m, .type = g->type, .threads = 2, .sources = g->n};
    struct features features;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(features_look_at_structure(g, 1, &features, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(auto_look(g, &size, UINT64_MAX, false, &features, look, &err), STATUS_OK);
    CU_ASSERT(features.hops >= features.elimination.levels - 1);
}

/* Zones of a transport network, each with connectors of weight 0 to a few places of a grid. */
static struct graph zones(int32_t zones, int32_t side) {
    enum { CONNECTORS = 3 };
    const int32_t places = side * side;
    struct random random = {5};
    struct real_edge *const edge =
        malloc((size_t)(4 * places + 2 * CONNECTORS * zones) * sizeof *edge);
    int64_t count = 0;
    for (int32_t v = 0; v < places; v++) {
        const int32_t near[] = {v % side > 0 ? v - 1 : v, v % side < side - 1 ? v + 1 : v,
                                v >= side ? v - side : v, v < places - side ? v + side : v};
        for (int k = 0; k < 4; k++)
            edge[count++] =
                (struct real_edge){zones + v, zones + near[k], 1 + 100 * random_unit(&random)};
    }
    for (int32_t z = 0; z < zones; z++) {
        const int32_t place = zones + (int32_t)(random_unit(&random) * (places - side - 1));
        const int32_t ends[CONNECTORS] = {place, place + 1, place + side};
        for (int k = 0; k < CONNECTORS; k++) {
            edge[count++] = (struct real_edge){z, ends[k], 0};
            edge[count++] = (struct real_edge){ends[k], z, 0};
        }
    }
    struct graph g = graph_of_real(zones + places, NUMBER_FLOAT64, edge, count);
    free(edge);
    return g;
}

/* The look at a graph of real weights is the one that dissection would take itself, at rounded
 * weights, if it was asked for by name. */
static void test_looks(void) {
    for (int32_t size = 20; size <= 80; size += 20) {
        struct graph real = zones(10 * size, size), coarse;
        struct look looks[2];
        struct error err;
        const int32_t most = refine_most(solver_find(&cpu_solver, "dissection"));
        CU_ASSERT_EQUAL_FATAL(refine_coarsen(&real, most, &coarse, NULL, &err), STATUS_OK);
        look_at_all(&real, &looks[0]);
        look_at_all(&coarse, &looks[1]);
        CU_ASSERT_EQUAL(looks[0].pays, looks[1].pays);
        CU_ASSERT_EQUAL(looks[0].found.core, looks[1].found.core);
        CU_ASSERT_EQUAL(looks[0].tree.entries, looks[1].tree.entries);
        for (int k = 0; k < 2; k++)
            look_free(&looks[k]);
        graph_free(&real);
        graph_free(&coarse);
    }
}

/* Has `auto` find so many rows of a graph up to a limit; returns whether it says that it searches.
 */
static bool searches(const struct graph *g, int32_t count, double limit) {
    static int32_t source[MAX_EDGES];
    struct matrix dist;
    struct matrix_sink sink;
    struct timing timing;
    struct error err;
    struct events events = {"", ""};
    const struct solver_options options = {.on_choice = keep_choice, .callback_context = &events};
    const struct solve_request request = {.graph = g,
                                          .sources = {source, count},
                                          .limit = limit,
                                          .options = &options,
                                          .repetitions = 1};
    for (int32_t k = 0; k < count; k++)
        source[k] = k;
    CU_ASSERT_EQUAL_FATAL(matrix_alloc_typed(&dist, g->type, count, g->n, "rows", &err), STATUS_OK);
    matrix_sink_begin(&sink, &dist, NULL);
    CU_ASSERT_EQUAL(
        solve_rows(solver_find(&cpu_solver, "auto"), &request, &sink.sink, &timing, &err),
        STATUS_OK);
    matrix_free(&dist);
    CU_ASSERT(strcmp(events.why, AUTO_SEARCHES_WHY) != 0 || strcmp(events.variant, "johnson") == 0);
    return strcmp(events.why, AUTO_SEARCHES_WHY) == 0;
}

/* Few rows are searched for without a prediction, more if they end at a limit; never all. */
static void test_few(void) {
    struct graph g = scattered(600, 20), small = scattered(10, 3);
    CU_ASSERT(searches(&g, 1, NO_LIMIT));
    CU_ASSERT(searches(&g, 16, NO_LIMIT));
    CU_ASSERT(!searches(&g, 17, NO_LIMIT));
    CU_ASSERT(searches(&g, 64, 5));
    CU_ASSERT(!searches(&g, 65, 5));
    CU_ASSERT(searches(&small, 9, NO_LIMIT));
    CU_ASSERT(!searches(&small, 10, NO_LIMIT));
    graph_free(&g);
    graph_free(&small);
}

CU_TestInfo auto_tests[] = {
    {"share of the vertices that is reached", test_reach},
    {"the largest weight in units", test_steps},
    {"where levels pay", test_levels},
    {"predicted costs", test_costs},
    {"what is taken", test_taken},
    {"what is taken of real weights", test_real},
    {"few rows", test_few},
    {"one look, by whatever name", test_looks},
    CU_TEST_INFO_NULL,
};
