// SPDX-License-Identifier: MIT
/* Breadth-first search from many sources at a time: rows, and totals in their place. */
#include "search/cpu/bfs.h"

#include "certificate/proving_sink.h"
#include "engines/cpu_variants.h" // cpu_solver
#include "solve/solve.h"          // solve, solve_rows
#include "tests/unit/measured.h"  // measured_as_rows
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>

/* Weights of a graph. */
struct weight_choice {
    int count;
    int32_t of[8];
};

/* A graph of `count` edges at random, and their reverses if both_ways; loops and parallel edges
 * occur. The vertices behind `linked` have none. */
static struct graph graph_at_random(struct random *random, int32_t n, int32_t linked, int64_t count,
                                    bool both_ways, const struct weight_choice *weights) {
    struct edge *const edges = calloc((size_t)count * 2 + 1, sizeof *edges);
    for (int64_t e = 0; e < count; e++) {
        /* Some vertices have many edges. */
        const int32_t hub = random_in(random, 0, linked - 1) / random_in(random, 1, linked);
        const int32_t weight = weights->of[random_in(random, 0, weights->count - 1)];
        edges[e] = (struct edge){hub, random_in(random, 0, linked - 1), weight};
    }
    const int64_t all = both_ways ? graph_append_reverses(edges, count) : count;
    struct graph g = graph_of(n, edges, all);
    free(edges);
    return g;
}

/* A chain of n vertices, on which level follows level; one way, it is closed to a ring, each vertex
 * of which has as many edges out as in. */
static struct graph chain(int32_t n, bool both_ways, int32_t weight) {
    struct edge *const edges = calloc((size_t)n * 2, sizeof *edges);
    for (int32_t v = 1; v < n; v++)
        edges[v - 1] = (struct edge){v - 1, v, weight};
    edges[n - 1] = (struct edge){n - 1, 0, weight};
    struct graph g = graph_of(n, edges, both_ways ? graph_append_reverses(edges, n - 1) : n);
    free(edges);
    return g;
}

static enum status no_rows(struct row_sink *self, const struct row_block *block,
                           struct error *err) {
    (void)self, (void)block;
    return fail(err, STATUS_REFUTED, "rows came instead of totals");
}

/* Measures some parts of distances up to a limit, proved or not; `totals`: no rows may come. */
static void check_within(const struct graph *g, const struct row_sources *sources, double limit,
                         unsigned parts, int threads, bool proves, bool totals) {
    const struct solver_options options = {.threads = threads};
    const struct solve_request request = {
        .graph = g, .sources = *sources, .limit = limit, .options = &options, .repetitions = 1};
    struct proving_sink proving = {.threads = 0};
    struct measures m;
    struct timing timing;
    struct error err = {0};
    measures_init(&m, g, 1);
    measures_choose(&m, parts);
    enum status (*const take)(struct row_sink *, const struct row_block *, struct error *) =
        m.sink.take;
    if (totals)
        m.sink.take = no_rows;
    if (proves)
        CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proving, g, limit, false, &m.sink, &err),
                              STATUS_OK);
    CU_ASSERT_EQUAL(solve_rows(solver_find(&cpu_solver, "bfs"), &request,
                               proves ? &proving.sink : &m.sink, &timing, &err),
                    STATUS_OK);
    m.sink.take = take;
    proving_sink_close(&proving);
    CU_ASSERT_EQUAL(measures_finish(&m, &err), STATUS_OK);
    CU_ASSERT(measured_as_rows_within(&m, g, sources, limit));
    measures_free(&m);
}

static void check_totals(const struct graph *g, const struct row_sources *sources, unsigned parts,
                         int threads, bool proves, bool totals) {
    check_within(g, sources, NO_LIMIT, parts, threads, proves, totals);
}

static void check_rows(const struct graph *g, int threads) {
    const struct solver_options options = {.threads = threads};
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n), expected, none;
    struct timing timing;
    struct error err = {0};
    solve_reference(g, &expected, &none);
    CU_ASSERT_EQUAL(
        solve(solver_find(&cpu_solver, "bfs"), g, &options, &dist, &pred, NULL, 1, &timing, &err),
        STATUS_OK);
    CU_ASSERT(same_matrix(&dist, &expected));
    CU_ASSERT_EQUAL(certify(g, &dist, &pred, 1, &err), STATUS_OK);
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&expected);
    matrix_free(&none);
}

/* Graphs of n vertices, sparse and dense, in one component and in many. */
static void check_graphs(int32_t n, int kinds) {
    struct random random = {(uint64_t)n};
    for (int k = 0; k < kinds; k++) {
        const struct weight_choice weights = {1, {k % 5 == 0 ? 7 : 1}};
        const int32_t linked = k % 4 == 3 ? (n + 1) / 2 : n;
        const int64_t edges = (int64_t)n * (const int[]){3, 1, 20}[k % 3];
        struct graph g = graph_at_random(&random, n, linked, edges, k % 2 == 0, &weights);
        int32_t some[5];
        const int32_t count = n < 5 ? n : 5;
        for (int32_t s = 0; s < count; s++)
            some[s] = (int32_t)((int64_t)(s + 1) * n / count) - 1;
        const struct row_sources all = {NULL, n}, few = {some, count};
        check_totals(&g, &all, MEASURES_ALL, 1 + k % 3, k % 2 == 1, true);
        check_totals(&g, &all, MEASURES_ALL, 1 + k % 3, k % 2 == 0, true);
        check_totals(&g, &few, k % 2 == 0 ? MEASURES_ALL : 0, 1, k % 3 == 0, true);
        check_rows(&g, 2);
        graph_free(&g);
    }
}

static void check_small_graphs(void) {
    static const int32_t sizes[] = {1, 2, 5, 63, 64, 65, 130};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        check_graphs(sizes[k], 6);
}

static void test_small_graphs(void) {
    on_every_isa(check_small_graphs);
}

/* Around the size of a set of sources. */
static void test_sets(void) {
    static const int32_t sizes[] = {511, 512, 513};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        check_graphs(sizes[k], 2);
}

/* Weights that are multiples of one number, a few and many levels apart, on graphs of n vertices.
 */
static void check_unlike(int32_t n, int kinds) {
    static const struct weight_choice some[] = {{2, {1, 2}},          {3, {10, 30, 20}},
                                                {5, {1, 2, 3, 4, 5}}, {8, {3, 3, 3, 3, 3, 3, 3, 1}},
                                                {2, {1, 16}},         {4, {28, 49, 49, 56}}};
    struct random random = {(uint64_t)n + 1};
    for (int k = 0; k < kinds; k++) {
        const int32_t linked = k % 4 == 3 ? (n + 1) / 2 : n;
        const int64_t edges = (int64_t)n * (const int[]){3, 1, 20}[(k + n) % 3];
        struct graph g = graph_at_random(&random, n, linked, edges, k % 2 == 0,
                                         &some[(size_t)(k + n) % (sizeof some / sizeof *some)]);
        const int32_t place[] = {n - 1, 0, n / 2};
        const struct row_sources all = {NULL, n}, few = {place, n < 3 ? 1 : 3};
        /* A proof may need more levels than there are. */
        check_totals(&g, &all, MEASURES_ALL, 1 + k % 3, false, true);
        check_totals(&g, &all, MEASURES_ALL, 1 + k % 3, true, edges == n * (int64_t)20);
        check_totals(&g, &few, k % 2 == 0 ? MEASURES_ALL : 0, 1, k % 3 == 0, false);
        if (k == 0)
            check_rows(&g, 2);
        graph_free(&g);
    }
}

static void check_small_unlike(void) {
    static const int32_t sizes[] = {2, 5, 63, 64, 65, 130};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        check_unlike(sizes[k], 6);
}

/* A graph each of whose edges has a reverse one, that weighs more. */
static void check_ways_back(void) {
    enum { N = 40 };
    struct edge edges[2 * N];
    int64_t count = 0;
    for (int32_t v = 1; v < N; v++) {
        edges[count++] = (struct edge){v - 1, v, 1};
        edges[count++] = (struct edge){v, v - 1, 2};
    }
    struct graph g = graph_of(N, edges, count);
    const struct row_sources all = {NULL, N};
    check_totals(&g, &all, MEASURES_ALL, 1, false, true);
    graph_free(&g);
}

static void test_unlike_weights(void) {
    check_ways_back();
    on_every_isa(check_small_unlike);
    check_unlike(511, 3);
    check_unlike(512, 3);
    check_unlike(513, 3);
}

/* Levels at which nothing is new, as many as can follow each other before something is. */
static void test_quiet_levels(void) {
    for (int32_t longest = 2; longest <= 16; longest++) {
        struct edge edges[] = {
            {0, 1, 3 * longest}, {1, 2, 3 * longest}, {2, 3, 3}, {2, 4, 3 * longest}};
        struct graph g = graph_of(5, edges, 4);
        const struct row_sources all = {NULL, g.n};
        check_totals(&g, &all, MEASURES_ALL, 1, false, true);
        check_totals(&g, &all, MEASURES_ALL, 1, true, 3 * longest + longest < 63);
        graph_free(&g);
    }
}

/* A chain of n vertices whose edges weigh 2 but for the first, which weighs 1. */
static struct graph chain_of_twos(int32_t n) {
    struct graph g = chain(n, true, 2);
    for (int64_t e = 0; e < g.m; e++) {
        if (e < g.first[1] || (e < g.first[2] && g.head[e] == 0))
            g.weight[e] = 1;
    }
    g.min_weight = 1;
    return g;
}

/* Levels of as many bits as can be proved, and of one more, of which rows are proved. */
static void test_long_paths(void) {
    static const int32_t lengths[] = {5, 6, 7, 13, 14, 15, 29, 30, 31, 32, 61, 62, 63, 64, 70};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        for (int both_ways = 0; both_ways < 2; both_ways++) {
            struct graph g = chain(lengths[k], both_ways, 3);
            const struct row_sources all = {NULL, g.n};
            check_totals(&g, &all, MEASURES_ALL, 2, true, lengths[k] <= 62);
            check_totals(&g, &all, MEASURES_ALL, 2, false, true);
            check_rows(&g, 1);
            graph_free(&g);
        }
        struct graph g = chain_of_twos(lengths[k]);
        const struct row_sources all = {NULL, g.n};
        check_totals(&g, &all, MEASURES_ALL, 2, true, 2 * lengths[k] - 3 < 61);
        check_totals(&g, &all, MEASURES_ALL, 2, false, true);
        graph_free(&g);
    }
}

/* Limits at, below and above every level, of equal and of unlike weights; a chain whose levels are
 * too many to be proved unless a limit leaves few. */
static void test_limits(void) {
    static const struct weight_choice equal = {1, {3}}, unlike = {3, {3, 6, 15}};
    struct random random = {31};
    for (int k = 0; k < 4; k++) {
        struct graph g =
            graph_at_random(&random, 530, 500, 1000, k % 2 == 0, k < 2 ? &equal : &unlike);
        const struct row_sources all = {NULL, g.n};
        for (int32_t limit = 0; limit <= 40; limit += 1 + limit / 9) {
            check_within(&g, &all, limit, MEASURES_ALL, 2, false, true);
            check_within(&g, &all, limit, MEASURES_ALL, 2, true, true);
        }
        graph_free(&g);
    }
    struct graph g = chain(100, false, 3);
    const struct row_sources all = {NULL, g.n};
    for (int32_t levels = 59; levels <= 64; levels++)
        check_within(&g, &all, 3 * levels, MEASURES_ALL, 2, true, levels < 62);
    graph_free(&g);
}

static void keep_choice(void *to, const char *variant, const char *why) {
    snprintf(to, 256, "%s: %s", variant, why);
}

/* A note says that another variant solves. */
static void test_left_to_others(void) {
    static const struct {
        int32_t weight[2];
        bool totals;
        const char *why;
    } cases[] = {
        {{1, 1}, false, ""},
        {{2, 32}, true, ""},
        {{2, 32}, false, "multisource: weights are not all the same, and rows are wanted"},
        {{1, 17},
         true,
         "multisource: weights are neither the same nor small multiples of one number"},
        {{0, 1},
         true,
         "multisource: weights are neither the same nor small multiples of one number"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct edge edges[] = {{0, 1, cases[k].weight[0]}, {1, 2, cases[k].weight[1]}};
        struct graph g = graph_of(3, edges, 2);
        char said[256] = "";
        const struct solver_options options = {
            .threads = 1, .on_choice = keep_choice, .callback_context = said};
        struct solve_request request = {.graph = &g,
                                        .sources = {NULL, 3},
                                        .limit = NO_LIMIT,
                                        .options = &options,
                                        .repetitions = 1};
        struct measures m;
        struct timing timing;
        struct error err = {0};
        measures_init(&m, &g, 1);
        if (!cases[k].totals)
            m.sink.take_totals = NULL;
        CU_ASSERT_EQUAL(
            solve_rows(solver_find(&cpu_solver, "bfs"), &request, &m.sink, &timing, &err),
            STATUS_OK);
        CU_ASSERT_STRING_EQUAL(said, cases[k].why);
        measures_free(&m);
        graph_free(&g);
    }
}

/* Distances of more than the histogram's bins, and such as are out of range. */
static void test_large_weights(void) {
    for (int32_t weight = 1000; weight < INF; weight = weight < 1000000 ? 1000000 : INF / 2) {
        struct graph g = chain(weight == INF / 2 ? 3 : 40, true, weight);
        const struct row_sources all = {NULL, g.n};
        check_totals(&g, &all, MEASURES_ALL, 1, false, true);
        graph_free(&g);
        if (weight == INF / 2)
            break;
    }
    struct graph g = chain(4, true, INF / 2);
    struct matrix dist = new_matrix(4);
    const struct solver_options options = {.threads = 1};
    struct timing timing;
    struct error err = {0};
    CU_ASSERT_EQUAL(
        solve(solver_find(&cpu_solver, "bfs"), &g, &options, &dist, NULL, NULL, 1, &timing, &err),
        STATUS_BAD_INPUT);
    matrix_free(&dist);
    graph_free(&g);
}

CU_TestInfo bfs_tests[] = {
    {"small graphs", test_small_graphs},
    {"whole sets of sources", test_sets},
    {"weights that are small multiples of one number", test_unlike_weights},
    {"quiet levels", test_quiet_levels},
    {"long paths", test_long_paths},
    {"limits", test_limits},
    {"what is left to others", test_left_to_others},
    {"large weights", test_large_weights},
    CU_TEST_INFO_NULL,
};
