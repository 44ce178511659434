// SPDX-License-Identifier: MIT
/* Grids: the spacing that weights are on, rounding to one, and graphs that are solved in int32 as
 * numbers of spacings. */
#include "solve/grid.h"

#include "certificate/proving_sink.h" // struct proving_sink
#include "common/graph/matrix_sink.h" // matrix_sink_begin
#include "engines/cpu_variants.h"     // cpu_solver
#include "measures/measures.h"
#include "solve/by_spacings.h"
#include "solve/distance_bound.h"
#include "tests/unit/real_graphs.h"

#include <math.h>
#include <string.h>

static struct graph pair_of(double weight, double other) {
    struct real_edge edges[] = {{0, 1, weight}, {1, 0, other}};
    return graph_of_real(2, NUMBER_FLOAT64, edges, 2);
}

/* Checks the spacing that is found for two weights; 0: they are on no grid. */
static void test_found(void) {
    static const struct {
        double weight, other, spacing;
    } cases[] = {
        {0.25, 3, 0.25},
        {1, 2, 1},
        {6, 12, 2},
        {0, 0, 1},
        {0, 0.5, 0.5},
        {0.1, 0.25, 0},
        {1, 0x1p-50, 0x1p-50},
        {1, 0x1p-51, 0x1p-51},
        {1, 0x1p-52, 0},
        {0x1p52, 1, 0},
        {0x1p50, 1, 1},
        {5e-324, 1e-323, 5e-324},
        {0x1p1000, 0x1p990, 0x1p990},
        {1e300, 1e-300, 0},
        {3, 0x1.8p-48, 0x1p-49},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct graph g = pair_of(cases[k].weight, cases[k].other);
        struct error err;
        CU_ASSERT_EQUAL(grid_find(&g, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL(g.spacing, cases[k].spacing);
        CU_ASSERT(g.spacing == 0 || (g.farthest >= fmax(cases[k].weight, cases[k].other) &&
                                     g.farthest < 0x1p52 * g.spacing));
        CU_ASSERT_EQUAL(grid_fits_int32(&g), g.spacing > 0 && g.farthest / g.spacing < 0x1p30);
        CU_ASSERT_EQUAL(grid_use(&g), g.spacing == 0         ? GRID_NONE
                                      : cases[k].weight == 0 ? GRID_DISTANCES
                                                             : GRID_ALL);
        graph_free(&g);
    }
    /* Distances of 2^52 spacings and more have no room for another weight. */
    for (int more = 0; more < 2; more++) {
        struct graph far = graph_of_real(
            4, NUMBER_FLOAT64, (struct real_edge[]){{0, 1, 0x1p51}, {1, 2, 0x1p51}, {2, 3, 1}},
            more ? 3 : 1);
        struct error far_error;
        CU_ASSERT_EQUAL(grid_find(&far, NULL, &far_error), STATUS_OK);
        CU_ASSERT_EQUAL(far.spacing, more ? 0 : 0x1p51);
        graph_free(&far);
    }
}

/* Weights below 0 are put on a grid only if the purpose takes them, and never rounded. */
static void test_below_0(void) {
    static const struct grid_purpose takes = {.needs_grid = true, .takes_negative = true};
    static const struct {
        double weight, other, spacing;
    } cases[] = {{-1, 2, 1},
                 {-0.5, 6, 0.5},
                 {-12, -8, 4},
                 {-0.1, 2, 0},
                 {-0x1p50, 0x1p49, 0x1p49},
                 {-0x1p51, 1, 0},
                 {1, -0x1p51, 0},
                 {1 - 0x1p51, 1, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct graph g = pair_of(cases[k].weight, cases[k].other);
        const double first = g.real_weight[0];
        struct grid_rounding rounding;
        struct error err;
        CU_ASSERT_EQUAL(grid_find(&g, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL(g.spacing, 0);
        CU_ASSERT_EQUAL(grid_apply(&g, GRID_AUTO, &takes, &rounding, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL(g.spacing, cases[k].spacing);
        CU_ASSERT(g.spacing == 0 || g.farthest >= fmax(-g.min_weight, g.max_weight));
        CU_ASSERT(rounding.changed == 0 && g.real_weight[0] == first);
        CU_ASSERT_EQUAL(grid_apply(&g, 0.5, &takes, &rounding, NULL, &err), STATUS_BAD_INPUT);
        graph_free(&g);
    }
}

/* Rounding breaks ties to even, keeps weights above 0 above 0, and changes no weight on the grid.
 */
static void test_rounded(void) {
    static const struct {
        double weight, spacing, to;
    } cases[] = {
        {0.3, 0.25, 0.25},  {0.3, 0.3, 0.25}, {0.375, 0.25, 0.5},      {0.625, 0.25, 0.5},
        {0.01, 0.25, 0.25}, {0, 0.25, 0},     {7.25, 0.25, 7.25},      {5, 1.9, 5},
        {5, 2, 4},          {7, 2, 8},        {0x1p60, 0x1p9, 0x1p60}, {1e-320, 1e-310, 0x1p-1030},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct graph g = pair_of(cases[k].weight, cases[k].weight);
        struct grid_rounding rounding;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(grid_round(&g, cases[k].spacing, &rounding, NULL, &err), STATUS_OK);
        const bool changed = cases[k].to != cases[k].weight;
        CU_ASSERT_EQUAL(g.real_weight[0], cases[k].to);
        CU_ASSERT_EQUAL(g.max_weight, cases[k].to);
        CU_ASSERT_EQUAL(g.min_weight, cases[k].to);
        CU_ASSERT_EQUAL(rounding.changed, changed ? 2 : 0);
        CU_ASSERT_EQUAL(rounding.weight_by, fabs(cases[k].to - cases[k].weight));
        CU_ASSERT_EQUAL(rounding.spacing > 0, changed);
        CU_ASSERT(fmod(cases[k].to, g.spacing) == 0 && g.spacing <= cases[k].spacing &&
                  2 * g.spacing > cases[k].spacing);
        graph_free(&g);
    }
}

/* The default spacing is 2^-52 of a bound of the distances, which is no more than twice the largest
 * distance, also for several components and graphs that are not strongly connected. */
static void test_default(void) {
    struct random random = {.state = 52};
    for (int round = 0; round < 60; round++) {
        const int32_t n = random_in(&random, 2, 40);
        struct real_edge edges[160];
        int64_t count = 0;
        for (int32_t e = 0; e < 40; e++) {
            int32_t u = random_in(&random, 0, n - 1), v = random_in(&random, 0, n - 1);
            if (round % 3 == 1 && u > v) { /* makes the graph acyclic */
                const int32_t other = u;
                u = v;
                v = other;
            }
            if (round % 3 == 2) { /* makes components of ten vertices */
                u = u / 10 * 10;
                v = u + v % 10 < n ? u + v % 10 : u;
            }
            edges[count++] = (struct real_edge){u, v, random_unit(&random) + 1e-9};
            if (round % 3 != 1)
                edges[count++] = (struct real_edge){v, u, random_unit(&random) + 1e-9};
        }
        struct graph g = graph_of_real(n, NUMBER_FLOAT64, edges, count);
        struct grid_rounding rounding;
        struct error err;
        double bound, largest = 0, dist[REAL_MAX_N];
        CU_ASSERT_EQUAL_FATAL(distance_bound_find(&g, &bound, NULL, &err), STATUS_OK);
        for (int32_t s = 0; s < n; s++) {
            search_real(&g, s, dist, NULL);
            for (int32_t v = 0; v < n; v++)
                largest = isinf(dist[v]) ? largest : fmax(largest, dist[v]);
        }
        CU_ASSERT(bound >= largest && (round % 3 == 1 || bound <= 2.001 * largest || n > 10));
        CU_ASSERT_EQUAL_FATAL(grid_round(&g, GRID_AUTO, &rounding, NULL, &err), STATUS_OK);
        CU_ASSERT(g.farthest >= largest && g.farthest < 0x1p52 * g.spacing);
        CU_ASSERT(g.spacing <= 2 * bound * 0x1p-52 || g.m == 0);
        graph_free(&g);
    }
}

/* The spacing that is asked for, and the purpose of an answer, decide whether weights are
 * rounded. */
static void test_asked(void) {
    static const struct {
        double asked;
        struct grid_purpose purpose;
        bool rounds;
    } cases[] = {
        {GRID_AUTO, {.rows = 65}, true},
        {GRID_AUTO, {.rows = 64}, false},
        {GRID_AUTO, {.is_strict = true, .rows = 65}, false},
        {GRID_OFF, {.rows = 65}, false},
        {0.5, {.is_strict = true, .rows = 1}, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct graph g = pair_of(1.0 / 3, 1e9 / 7);
        struct grid_rounding rounding;
        struct error err;
        CU_ASSERT_EQUAL(grid_apply(&g, cases[k].asked, &cases[k].purpose, &rounding, NULL, &err),
                        STATUS_OK);
        CU_ASSERT_EQUAL(rounding.changed > 0, cases[k].rounds);
        CU_ASSERT_EQUAL(g.spacing > 0, cases[k].rounds);
        graph_free(&g);
    }
}

/* Checks that rows and predecessors of a graph on a grid, within a limit or not, are those without
 * a grid. */
static void check_rows(const struct graph *g, const char *name, bool with_pred, double limit) {
    const struct solver_options options = {.threads = 2};
    const struct solver_variant *const variant = solver_find(&cpu_solver, name);
    struct graph without = *g;
    struct matrix dist[2] = {{0}, {0}}, pred = {0};
    struct timing timing;
    struct error err = {0};
    for (int k = 0; k < 2; k++) {
        struct matrix_sink sink;
        CU_ASSERT_FATAL(matrix_alloc_typed(&dist[k], NUMBER_FLOAT64, g->n, g->n, "D", &err) ==
                        STATUS_OK);
        CU_ASSERT_FATAL(k == 1 || matrix_alloc(&pred, g->n, "P", &err) == STATUS_OK);
        matrix_sink_begin(&sink, &dist[k], k == 0 && with_pred ? &pred : NULL);
        without.spacing = k == 0 ? g->spacing : 0;
        const struct solve_request request = {.graph = &without,
                                              .sources = {NULL, g->n},
                                              .limit = limit,
                                              .predecessors = k == 0 && with_pred,
                                              .options = &options,
                                              .repetitions = 1};
        CU_ASSERT_EQUAL_FATAL(solve_rows(k == 0 ? variant : solver_find(&cpu_solver, "johnson"),
                                         &request, &sink.sink, &timing, &err),
                              STATUS_OK);
    }
    for (int32_t i = 0; i < g->n; i++)
        CU_ASSERT(memcmp(matrix_row_cells(&dist[0], i), matrix_row_cells(&dist[1], i),
                         (size_t)g->n * sizeof(double)) == 0);
    struct refutation refutation;
    const struct row_sources all = {NULL, g->n};
    CU_ASSERT_EQUAL(certify_rows(g, &all, limit, &dist[0], with_pred ? &pred : NULL, 1, NULL,
                                 &refutation, &err),
                    STATUS_OK);
    matrix_free(&dist[0]);
    matrix_free(&dist[1]);
    matrix_free(&pred);
}

/* Checks that measures, of sums alone or all, proved or not, are those without a grid. */
static void check_measures(const struct graph *g, const char *name, unsigned parts, bool proves) {
    const struct solver_options options = {.threads = 2};
    struct graph without = *g;
    struct measures m[2];
    struct timing timing;
    struct error err = {0};
    for (int k = 0; k < 2; k++) {
        struct proving_sink proving;
        without.spacing = k == 0 ? g->spacing : 0;
        measures_init(&m[k], &without, 1);
        measures_choose(&m[k], parts);
        CU_ASSERT_EQUAL_FATAL(
            proving_sink_open(&proving, &without, NO_LIMIT, false, &m[k].sink, &err), STATUS_OK);
        const struct solve_request request = {.graph = &without,
                                              .sources = {NULL, g->n},
                                              .limit = NO_LIMIT,
                                              .options = &options,
                                              .repetitions = 1};
        CU_ASSERT_EQUAL_FATAL(solve_rows(solver_find(&cpu_solver, k == 0 ? name : "johnson"),
                                         &request, k == 0 && proves ? &proving.sink : &m[k].sink,
                                         &timing, &err),
                              STATUS_OK);
        CU_ASSERT_EQUAL(measures_finish(&m[k], &err), STATUS_OK);
        proving_sink_close(&proving);
    }
    CU_ASSERT_EQUAL(m[0].pairs.largest, m[1].pairs.largest);
    CU_ASSERT(m[0].pairs.from == m[1].pairs.from && m[0].pairs.to == m[1].pairs.to);
    CU_ASSERT_EQUAL(m[0].pairs.real_sum, m[1].pairs.real_sum);
    const int directions = measures_have_in(&m[1]) ? 2 : 1;
    for (int inwards = 0; inwards < directions; inwards++) {
        for (int32_t v = 0; v < g->n; v++) {
            const struct any_totals a = measures_totals(&m[0], inwards, v);
            const struct any_totals b = measures_totals(&m[1], inwards, v);
            CU_ASSERT(a.reached == b.reached && a.sum == b.sum && a.eccentricity == b.eccentricity);
            CU_ASSERT(parts == 0 || a.reciprocals == b.reciprocals);
        }
    }
    measures_free(&m[0]);
    measures_free(&m[1]);
}

static void test_by_spacings(void) {
    static const char *const names[] = {"sequential", "blocked", "multisource", "johnson", "auto"};
    struct random random = {.state = 30};
    for (int round = 0; round < 40; round++) {
        const int32_t n = random_in(&random, 2, 60);
        const double spacing = ldexp(1, (int[]){-3, 0, -1050, 900}[round % 4]);
        struct graph g =
            random_real_graph(&random, n, (int[]){3, 10, 40}[round % 3], NUMBER_FLOAT64, EQUAL);
        g.min_weight = 1e308;
        g.max_weight = 0;
        for (int64_t e = 0; e < g.m; e++) {
            g.real_weight[e] = spacing * random_in(&random, round % 5 != 0, 1000);
            g.min_weight = fmin(g.min_weight, g.real_weight[e]);
            g.max_weight = fmax(g.max_weight, g.real_weight[e]);
        }
        g.min_weight = g.m == 0 ? 0 : g.min_weight;
        struct error err;
        CU_ASSERT_EQUAL(grid_find(&g, NULL, &err), STATUS_OK);
        if (g.m > 0)
            CU_ASSERT(grid_fits_int32(&g) && g.spacing >= spacing);
        const char *const name = names[round % 5];
        check_rows(&g, name, round % 2 == 0, NO_LIMIT);
        check_rows(&g, name, round % 2 != 0, spacing * random_in(&random, 0, 900));
        check_rows(&g, name, false, spacing * (random_in(&random, 0, 900) + 0.5));
        check_measures(&g, name, MEASURES_ALL, round % 2 == 0);
        check_measures(&g, "dissection", 0, round % 2 != 0);
        graph_free(&g);
    }
}

/* A directed line is long enough for totals by classes. */
static void test_totals(void) {
    enum { N = 3000 };
    static struct real_edge edges[2 * N];
    struct error err;
    int64_t count = 0;
    for (int32_t v = 1; v < N; v++) {
        edges[count++] = (struct real_edge){v - 1, v, 0.25 * (1 + v % 7)};
        edges[count++] = (struct real_edge){v, v - 1, 0.25 * (1 + v % 5)};
    }
    struct graph g = graph_of_real(N, NUMBER_FLOAT64, edges, count);
    CU_ASSERT_EQUAL_FATAL(grid_find(&g, NULL, &err), STATUS_OK);
    for (int proves = 0; proves < 2; proves++)
        check_measures(&g, "dissection", 0, proves);
    graph_free(&g);
}

CU_TestInfo grid_tests[] = {
    {"the spacing that weights have", test_found},
    {"weights below 0", test_below_0},
    {"weights that are rounded", test_rounded},
    {"the default spacing", test_default},
    {"what is asked for", test_asked},
    {"numbers of spacings", test_by_spacings},
    {"totals of a line", test_totals},
    CU_TEST_INFO_NULL,
};
