// SPDX-License-Identifier: MIT
/* Every variant on graphs of real weights: the same bits as the textbook's search, which adds up
 * every path from its source on. */
#include "certificate/certificate.h" // certify_rows
#include "common/graph/matrix_sink.h"
#include "engines/cpu_variants.h" // cpu_solver
#include "solve/real_cycles.h"
#include "solve/real_rows.h"
#include "solve/solve.h"
#include "tests/unit/real_graphs.h"
#include "tests/variants/variants.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether row i holds the distances, and following pred from every vertex leads to i over
 * tight edges. */
static bool is_right(const struct graph *g, int32_t i, const double *expected,
                     const struct matrix *dist, const struct matrix *pred) {
    for (int32_t j = 0; j < g->n; j++) {
        if (real_cell(dist, i, j) != expected[j] || signbit(real_cell(dist, i, j)))
            return false;
        if (pred == NULL)
            continue;
        int32_t at = j, steps = 0;
        while (at != i && !isinf(expected[j])) {
            const int32_t before = matrix_row(pred, i)[at];
            const int64_t e = before < 0 ? -1 : graph_find_edge(g, before, at);
            if (e < 0 || rounded(g->type, expected[before] + g->real_weight[e]) != expected[at] ||
                ++steps > g->n)
                return false;
            at = before;
        }
        if ((i == j || isinf(expected[j])) && matrix_row(pred, i)[j] != -1)
            return false;
    }
    return true;
}

enum { MAX_N = 90 };

static void solve_with(const struct solver_variant *variant, const struct graph *g, bool with_pred,
                       int threads, const char *what) {
    /* A GPU solves blocks of rows, too. */
    const struct solver_options options = {.threads = threads, .rows = threads > 1 ? g->n / 2 : 0};
    struct matrix dist = {0}, pred = {0};
    struct timing timing;
    struct error err = {0};
    double expected[MAX_N];
    bool right = true;
    CU_ASSERT_FATAL(matrix_alloc_typed(&dist, g->type, g->n, g->n, "D", &err) == STATUS_OK);
    CU_ASSERT_FATAL(matrix_alloc(&pred, g->n, "P", &err) == STATUS_OK);
    const enum status status =
        solve(variant, g, &options, &dist, with_pred ? &pred : NULL, NULL, 1, &timing, &err);
    if (status != STATUS_OK && refuses(status, &err)) {
        matrix_free(&dist);
        matrix_free(&pred);
        return;
    }
    CU_ASSERT_EQUAL(status, STATUS_OK);
    for (int32_t i = 0; i < g->n && status == STATUS_OK; i++) {
        search_real(g, i, expected, NULL);
        right = right && is_right(g, i, expected, &dist, with_pred ? &pred : NULL);
    }
    CU_ASSERT(right);
    if (!right || status != STATUS_OK)
        fprintf(stderr, "%s: %s, n = %d, %s\n", variant->name, what, g->n,
                status == STATUS_OK ? "wrong" : err.text);
    matrix_free(&dist);
    matrix_free(&pred);
}

static void solve_all_kinds(const struct solver_variant *variant) {
    static const char *const names[REAL_KINDS] = {"uniform", "log-uniform", "dyadic",
                                                  "equal",   "tiny",        "zeros"};
    struct random random = {.state = 1914};
    const bool quick = stride(variant, 4) == 1;
    const int rounds = quick                             ? 12
                       : variant->solves_real            ? 4
                       : variant->launch_refined != NULL ? 2
                                                         : 1;
    for (int round = 0; round < rounds; round++) {
        for (int kind = 0; kind < REAL_KINDS; kind++) {
            const enum number_type type = (round + kind) % 2 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
            const int32_t n = quick ? random_in(&random, 1, MAX_N) : 20 + 5 * round;
            const int percent = (int[]){3, 10, 50}[round % 3];
            struct graph g = random_real_graph(&random, n, percent, type, (enum real_kind)kind);
            solve_with(variant, &g, round % 4 != 3, 1 + round % 2, names[kind]);
            graph_free(&g);
        }
    }
}

/* Complete graphs, of which few edges matter, and graphs whose edges lead both ways. */
static void solve_dense_and_undirected(const struct solver_variant *variant) {
    struct random random = {.state = 1916};
    const int rounds = stride(variant, 4) == 1 ? 8 : variant->solves_real ? 4 : 2;
    for (int round = 0; round < rounds; round++) {
        const enum number_type type = round % 2 ? NUMBER_FLOAT64 : NUMBER_FLOAT32;
        const enum real_kind kind = (enum real_kind)(round / 2 % REAL_KINDS);
        struct graph g = random_real_graph(&random, MAX_N - 5 * round, 100, type, kind);
        solve_with(variant, &g, round % 4 != 3, 1 + round % 2, "complete");
        graph_free(&g);
        const int32_t n = random_in(&random, 2, 40);
        struct real_edge edges[8 * 40];
        for (int32_t e = 0; e < 4 * n; e++)
            edges[e] =
                (struct real_edge){random_in(&random, 0, n - 1), random_in(&random, 0, n - 1),
                                   random_weight(&random, kind)};
        g = graph_of_real(n, type, edges, graph_append_reverses_real(edges, 4 * n));
        solve_with(variant, &g, round % 4 != 3, 1 + round % 2, "undirected");
        graph_free(&g);
    }
}

static void test_variants(void) {
    for_each_variant(solve_all_kinds);
    for_each_variant(solve_dense_and_undirected);
}

static enum status solve_graph(const struct solver_variant *variant, const struct graph *g,
                               struct matrix *dist, struct matrix *pred, struct error *err) {
    const struct solver_options options = {.threads = 1};
    struct timing timing;
    if (matrix_alloc_typed(dist, g->type, g->n, g->n, "D", err) != STATUS_OK ||
        matrix_alloc(pred, g->n, "P", err) != STATUS_OK)
        abort();
    return solve(variant, g, &options, dist, pred, NULL, 1, &timing, err);
}

/* Weights below 0, on a path beside a positive one and in a cycle of weight 0: label correcting
 * takes them, others say so. */
static void solve_signed(const struct solver_variant *variant) {
    struct real_edge edges[] = {{0, 1, 1.5},  {1, 2, -0.5}, {2, 1, 0.5},
                                {2, 3, 0.25}, {0, 3, 1.5},  {3, 4, -2.125}};
    struct real_edge cycle[] = {{0, 1, 0.1}, {1, 2, 0.2}, {2, 0, -0.30000000000000004}};
    struct matrix dist = {0}, pred = {0};
    struct error err;
    struct graph g = graph_of_real(5, NUMBER_FLOAT64, edges, 6);
    const enum status status = solve_graph(variant, &g, &dist, &pred, &err);
    if (status == STATUS_OK) {
        static const double expected[] = {0, 1.5, 1, 1.25, -0.875};
        static const int32_t before[] = {-1, 0, 1, 2, 3};
        CU_ASSERT(variant->solves_real);
        for (int32_t j = 0; j < 5; j++) {
            CU_ASSERT_EQUAL(real_cell(&dist, 0, j), expected[j]);
            CU_ASSERT_EQUAL(matrix_row(&pred, 0)[j], before[j]);
        }
    } else {
        CU_ASSERT_EQUAL(status, STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected float64 weights of 0 or more"));
    }
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);

    /* 0.1 + 0.2 is less than 0.30000000000000004, exactly, although their rounded sum is not. */
    g = graph_of_real(3, NUMBER_FLOAT64, cycle, 3);
    const enum status found = solve_graph(variant, &g, &dist, &pred, &err);
    CU_ASSERT(found == STATUS_OK || found == STATUS_BAD_INPUT || found == STATUS_NEGATIVE_CYCLE);
    if (found == STATUS_NEGATIVE_CYCLE)
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, " and 3 edges: "));
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

static void test_signed(void) {
    for_each_variant(solve_signed);
}

/* A distance that does not fit in the type is refused, and never "no path". */
static void refuse_overflow(const struct solver_variant *variant) {
    struct real_edge edges[] = {{0, 1, 3e38}, {1, 2, 3e38}, {2, 0, 1}};
    struct matrix dist = {0}, pred = {0};
    struct error err;
    struct graph g = graph_of_real(3, NUMBER_FLOAT32, edges, 3);
    const enum status status = solve_graph(variant, &g, &dist, &pred, &err);
    CU_ASSERT_EQUAL(status, STATUS_BAD_INPUT);
    CU_ASSERT(refuses(status, &err) ||
              strcmp(err.text, "the distance from 0 to 2 does not fit in a float32") == 0);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

static void test_overflow(void) {
    for_each_variant(refuse_overflow);
}

/* Solves up to a limit. Distances beyond it are to be infinite and without predecessors, others as
 * they are without it, and the certificate is to prove all. */
static void solve_within(const struct solver_variant *variant, const struct graph *g, double limit,
                         bool with_pred) {
    const struct solver_options options = {.threads = 1};
    const struct solve_request request = {.graph = g,
                                          .sources = {NULL, g->n},
                                          .limit = limit_for(g->type, limit),
                                          .predecessors = with_pred,
                                          .options = &options,
                                          .repetitions = 1};
    struct matrix dist = {0}, pred = {0};
    struct matrix *const wanted = with_pred ? &pred : NULL;
    struct matrix_sink sink;
    struct refutation refutation;
    struct timing timing;
    struct error err = {0};
    double expected[MAX_N];
    CU_ASSERT_FATAL(matrix_alloc_typed(&dist, g->type, g->n, g->n, "D", &err) == STATUS_OK);
    CU_ASSERT_FATAL(matrix_alloc(&pred, g->n, "P", &err) == STATUS_OK);
    matrix_sink_begin(&sink, &dist, wanted);
    const enum status status = solve_rows(variant, &request, &sink.sink, &timing, &err);
    bool right = status == STATUS_OK;
    for (int32_t i = 0; i < g->n && right; i++) {
        search_real(g, i, expected, NULL);
        for (int32_t j = 0; j < g->n; j++)
            expected[j] = expected[j] <= limit ? expected[j] : (double)INFINITY;
        right = is_right(g, i, expected, &dist, wanted);
    }
    right = right && certify_rows(g, &request.sources, limit, &dist, wanted, 1, NULL, &refutation,
                                  &err) == STATUS_OK;
    CU_ASSERT(right || refuses(status, &err));
    if (!right && !refuses(status, &err))
        fprintf(stderr, "%s, n = %d, limit %.17g: %s\n", variant->name, g->n, limit,
                status == STATUS_OK ? "wrong" : err.text);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* Limits that are a distance, or one of its neighbours among the numbers of float64, and others. */
static void solve_to_limits(const struct solver_variant *variant) {
    struct random random = {.state = 30};
    const int rounds = stride(variant, 4) == 1 ? 8 : variant->solves_real ? 2 : 1;
    for (int round = 0; round < rounds; round++) {
        const enum number_type type = round % 2 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
        const enum real_kind kind = (enum real_kind)(round % REAL_KINDS);
        const int32_t n = random_in(&random, 2, 40);
        struct graph g = random_real_graph(&random, n, round % 3 ? 10 : 40, type, kind);
        double dist[MAX_N], some = 0;
        search_real(&g, random_in(&random, 0, n - 1), dist, NULL);
        for (int32_t j = 0; j < n; j++)
            some = dist[j] > some && !isinf(dist[j]) && (some == 0 || j % 3 == 0) ? dist[j] : some;
        const double limits[] = {some, nextafter(some, 0), nextafter(some, INFINITY), some / 3, 0};
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
            solve_within(variant, &g, limits[k], (round + (int)k) % 4 != 3);
        graph_free(&g);
    }
}

/* Sums that overflow are beyond any limit. */
static void solve_what_overflows(const struct solver_variant *variant) {
    struct real_edge edges[] = {{0, 1, 3e38}, {1, 2, 3e38}, {2, 0, 1}};
    struct real_edge larger[] = {{0, 1, 1e308}, {1, 2, 1e308}, {2, 3, 1e308}, {3, 4, 1.5e308}};
    struct graph g = graph_of_real(3, NUMBER_FLOAT32, edges, 3);
    solve_within(variant, &g, 1, true);
    solve_within(variant, &g, (double)FLT_MAX, true);
    graph_free(&g);
    g = graph_of_real(5, NUMBER_FLOAT64, larger, 4);
    solve_within(variant, &g, 1.2e308, true);
    graph_free(&g);
}

static void test_limit(void) {
    for_each_variant(solve_to_limits);
    for_each_variant(solve_what_overflows);
}

static void test_exact_sums(void) {
    double cancelling[] = {1e300, 1, -1e300, 1e-300};
    double tiny[] = {0.1, 0.2, -0.30000000000000004};
    double zero[] = {0.5, 0.25, -0.75};
    CU_ASSERT_EQUAL(sum_exactly(cancelling, 4), 1);
    CU_ASSERT_EQUAL(sum_exactly(tiny, 3), -0x1p-55);
    CU_ASSERT_EQUAL(sum_exactly(zero, 3), 0);
}

enum { WIDTH = 40, HEIGHT = 30, CELLS = WIDTH * HEIGHT };

/* A grid, whose weights in the two directions of an edge differ. */
static struct graph real_grid(struct random *random, enum number_type type, enum real_kind kind) {
    static struct real_edge edges[4 * CELLS];
    int64_t count = 0;
    for (int32_t v = 0; v < CELLS; v++) {
        const int32_t right = (v + 1) % WIDTH != 0 ? v + 1 : -1;
        const int32_t below = v + WIDTH < CELLS ? v + WIDTH : -1;
        for (int k = 0; k < 4; k++) {
            const int32_t other = k < 2 ? right : below;
            if (other >= 0)
                edges[count++] = (struct real_edge){k % 2 ? v : other, k % 2 ? other : v,
                                                    random_weight(random, kind)};
        }
    }
    return graph_of_real(CELLS, type, edges, count);
}

/* Solves from sources in an order. The certificate is to prove the rows, so that they are the only
 * right ones. */
static void solve_from(const struct solver_variant *variant, const struct graph *g,
                       const int32_t *vertex, int32_t count, double limit) {
    const struct solver_options options = {.threads = 1, .rows = count / 2};
    const struct solve_request request = {.graph = g,
                                          .sources = {vertex, count},
                                          .limit = limit_for(g->type, limit),
                                          .predecessors = true,
                                          .options = &options,
                                          .repetitions = 1};
    struct matrix dist = {0}, pred = {0};
    struct matrix_sink sink;
    struct refutation refutation;
    struct timing timing;
    struct error err = {0};
    CU_ASSERT_FATAL(matrix_alloc_typed(&dist, g->type, count, g->n, "D", &err) == STATUS_OK);
    CU_ASSERT_FATAL(matrix_alloc_rows(&pred, count, g->n, "P", &err) == STATUS_OK);
    matrix_sink_begin(&sink, &dist, &pred);
    const enum status status = solve_rows(variant, &request, &sink.sink, &timing, &err);
    if (!refuses(status, &err)) {
        CU_ASSERT_EQUAL(status, STATUS_OK);
        CU_ASSERT_EQUAL(certify_rows(g, &request.sources, request.limit, &dist, &pred, 1, NULL,
                                     &refutation, &err),
                        STATUS_OK);
        if (err.text[0] != '\0')
            fprintf(stderr, "%s, n = %d: %s\n", variant->name, g->n, err.text);
    }
    matrix_free(&dist);
    matrix_free(&pred);
}

/* Deep graphs: strips of neighbours are relaxed in one order, which suits no strip of sources from
 * everywhere, and strips of both in turn. */
static void test_orders(void) {
    enum { SOURCES = 300, STRIPS = 64, NEXT = 577 };
    static int32_t near[SOURCES], far[SOURCES], both[SOURCES];
    static const char *const names[] = {"multisource", "dissection"};
    struct random random = {.state = 2024};
    for (int32_t k = 0; k < SOURCES; k++) {
        near[k] = k;
        far[k] = k * NEXT % CELLS;
        both[k] = k / STRIPS % 2 ? CELLS - 1 - k : far[k] % (CELLS - SOURCES);
    }
    for (int kind = 0; kind < REAL_KINDS; kind++) {
        const enum number_type type = kind % 2 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
        struct graph g = real_grid(&random, type, (enum real_kind)kind);
        for (size_t v = 0; v < sizeof names / sizeof *names; v++) {
            const struct solver_variant *const variant = solver_find(&cpu_solver, names[v]);
            solve_from(variant, &g, near, SOURCES, NO_LIMIT);
            solve_from(variant, &g, far, SOURCES, NO_LIMIT);
            solve_from(variant, &g, both, SOURCES, kind == UNIFORM ? 5 : NO_LIMIT);
        }
        graph_free(&g);
    }
}

/* With weights below 0, which potentials make, sources are taken as they come, in no other order.
 */
static void test_signed_rows(void) {
    enum { N = 60, EDGES = 5 * N };
    static const int32_t sources[] = {59, 3, 17, 0, 18, 41, 8};
    struct random random = {.state = 1958};
    struct real_edge edges[EDGES];
    double potential[N];
    for (int32_t v = 0; v < N; v++)
        potential[v] = random_in(&random, -40, 40) / 8.0;
    for (int32_t e = 0; e < EDGES; e++) {
        const int32_t u = random_in(&random, 0, N - 1), v = random_in(&random, 0, N - 1);
        edges[e] =
            (struct real_edge){u, v, random_in(&random, 1, 30) / 8.0 + potential[u] - potential[v]};
    }
    struct graph g = graph_of_real(N, NUMBER_FLOAT64, edges, EDGES);
    solve_from(solver_find(&cpu_solver, "multisource"), &g, sources,
               sizeof sources / sizeof *sources, NO_LIMIT);
    graph_free(&g);
}

/* Two parts without an edge between them, of which one is a chain and the other has many edges, and
 * of each vertex one into a third part, which nothing leaves. */
static struct graph real_parts(struct random *random, int32_t n, enum number_type type,
                               enum real_kind kind) {
    static struct real_edge edges[8 * 300];
    const int32_t third = n / 3;
    int64_t count = 0;
    for (int32_t v = 0; v < third; v++) {
        if (v + 1 < third)
            edges[count++] = (struct real_edge){v, v + 1, random_weight(random, kind)};
        for (int k = 0; k < 6; k++)
            edges[count++] = (struct real_edge){third + v, third + random_in(random, 0, third - 1),
                                                random_weight(random, kind)};
        edges[count++] =
            (struct real_edge){v % 2 ? v : third + v, 2 * third + v, random_weight(random, kind)};
    }
    return graph_of_real(n, type, edges, count);
}

/* Sizes around those of tiles, warps and strips, for variants whose rows the GPU refines. */
static void refine_awkward(const struct solver_variant *variant) {
    static const int32_t sizes[] = {1, 2, 3, 31, 32, 33, 65, 129};
    const int32_t some[] = {0, 1, 5, 1, 8};
    struct random random = {.state = 1965};
    if (variant->launch_refined == NULL)
        return;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int32_t n = sizes[k];
        if (is_slow(variant) && n != 1 && n != 33 && n != 129)
            continue;
        const int kinds = n > 33 ? 1 : is_slow(variant) ? 3 : REAL_KINDS;
        for (int i = 0; i < kinds; i++) {
            const enum real_kind kind = (enum real_kind)((i + (int)k) % REAL_KINDS);
            const enum number_type type = (i + (int)k) % 2 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
            struct graph g = random_real_graph(&random, n, i % 2 ? 4 : 30, type, kind);
            solve_from(variant, &g, NULL, n, NO_LIMIT);
            graph_free(&g);
            if (n < 9)
                continue;
            g = real_parts(&random, n, type, kind);
            solve_from(variant, &g, some, sizeof some / sizeof *some, NO_LIMIT);
            graph_free(&g);
        }
    }
}

static void test_refined(void) {
    for_each_variant(refine_awkward);
}

/* Sorting the edges of a large dense graph takes seconds, for which nobody waits who stops it. */
static void test_stopped_layout(void) {
    struct random random = {.state = 5};
    struct graph g = random_real_graph(&random, REAL_MAX_N, 100, NUMBER_FLOAT64, UNIFORM);
    struct progress progress = {0};
    struct real_problem problem;
    struct error err;
    progress_start(&progress, "test");
    progress_stop(&progress);
    CU_ASSERT_EQUAL(real_problem_open(&problem, &g, NULL, NULL, NO_LIMIT, false, &progress, &err),
                    STATUS_CANCELLED);
    real_problem_close(&problem);
    progress_finish(&progress);
    CU_ASSERT_EQUAL(real_problem_open(&problem, &g, NULL, NULL, NO_LIMIT, false, NULL, &err),
                    STATUS_OK);
    real_problem_close(&problem);
    graph_free(&g);
}

CU_TestInfo real_tests[] = {
    {"real weights: the same bits as Dijkstra's algorithm, and trees of tight edges",
     test_variants},
    {"weights below 0", test_signed},
    {"weights below 0, rows of some sources", test_signed_rows},
    {"distances that do not fit in the type", test_overflow},
    {"distances beyond a limit", test_limit},
    {"exact sums of weights", test_exact_sums},
    {"strips of neighbours and of others", test_orders},
    {"what a GPU refines: sizes around those of tiles, and parts", test_refined},
    {"laying out is stopped", test_stopped_layout},
    CU_TEST_INFO_NULL,
};
