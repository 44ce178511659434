// SPDX-License-Identifier: MIT
/* Zones, through which no path leads: distances against Floyd and Warshall's loop over the other
 * vertices, and the certificate against wrong rows, those of paths through zones among them. */
#include "solve/by_zones.h"

#include "certificate/proving_sink.h"
#include "common/graph/zones.h"
#include "engines/cpu_variants.h" // cpu_solver
#include "measures/measures.h"
#include "solve/distance_bound.h"
#include "tests/unit/real_graphs.h"
#include "tests/unit/support.h"

#include <math.h>
#include <string.h>

enum { N = 70, MOST = 6 * N };

/* A graph whose first vertices are zones; every third one has weights of 0. */
static struct graph network(struct random *random, int round, enum number_type type) {
    struct real_edge edges[MOST];
    struct edge integral[MOST];
    const int32_t n = round < N ? round + 1 : N, most = round % 3 == 0 ? 3 : 40;
    const int32_t count = n == 1 ? 0 : random_in(random, 0, (round % 5 + 1) * n);
    const int32_t least = round % 7 == 0 ? 1 : 0;
    for (int32_t e = 0; e < count; e++) {
        const double part = type == NUMBER_INT32 ? 0 : random_unit(random);
        edges[e] = (struct real_edge){random_in(random, 0, n - 1), random_in(random, 0, n - 1),
                                      random_in(random, least, most) + part};
        integral[e] = (struct edge){edges[e].from, edges[e].to, (int32_t)edges[e].weight};
    }
    struct graph g =
        type == NUMBER_INT32 ? graph_of(n, integral, count) : graph_of_real(n, type, edges, count);
    g.zones = random_in(random, 1, n);
    return g;
}

/* Computes all rows of an int32 graph by the definition. */
static void textbook(const struct graph *g, struct matrix *dist) {
    graph_to_matrices(g, dist, NULL);
    for (int32_t k = g->zones; k < g->n; k++) {
        for (int32_t i = 0; i < g->n; i++) {
            for (int32_t j = 0; j < g->n; j++) {
                const int32_t through = matrix_row(dist, i)[k] + matrix_row(dist, k)[j];
                if (through < matrix_row(dist, i)[j])
                    matrix_row(dist, i)[j] = through;
            }
        }
    }
}

static enum status solve_into(const char *variant, const struct graph *g,
                              const struct row_sources *sources, double limit, bool with_pred,
                              struct row_sink *sink, struct error *err) {
    const struct solver_options options = {.threads = 2};
    const struct solve_request request = {.graph = g,
                                          .sources = *sources,
                                          .limit = limit,
                                          .predecessors = with_pred,
                                          .options = &options,
                                          .repetitions = 1};
    struct timing timing;
    return solve_rows(solver_find(&cpu_solver, variant), &request, sink, &timing, err);
}

/* Checks that rows of some sources, proved as they come, are those of the textbook. */
static void check_rows(const char *variant, const struct graph *g, const struct matrix *right,
                       const struct row_sources *sources, double limit, bool with_pred) {
    struct matrix dist, pred;
    struct matrix_sink sink;
    struct proving_sink proof;
    struct error err = {0};
    bool same = true;
    CU_ASSERT_EQUAL_FATAL(matrix_alloc_typed(&dist, g->type, sources->count, g->n, "", &err),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(matrix_alloc_rows(&pred, sources->count, g->n, "", &err), STATUS_OK);
    matrix_sink_begin(&sink, &dist, with_pred ? &pred : NULL);
    CU_ASSERT_EQUAL(proving_sink_open(&proof, g, limit, with_pred, &sink.sink, &err), STATUS_OK);
    const enum status status = solve_into(variant, g, sources, limit, with_pred, &proof.sink, &err);
    CU_ASSERT_EQUAL(status, STATUS_OK);
    for (int32_t p = 0; p < sources->count && right != NULL; p++) {
        for (int32_t v = 0; v < g->n; v++) {
            const int32_t d = matrix_row(right, row_source(sources, p))[v];
            same = same && matrix_row(&dist, p)[v] == (d <= limit ? d : INF);
        }
    }
    CU_ASSERT(same);
    proving_sink_close(&proof);
    matrix_free(&dist);
    matrix_free(&pred);
}

static void test_rows(void) {
    static const char *const variants[] = {"sequential", "blocked",     "johnson",
                                           "dissection", "multisource", "auto"};
    enum { ROUNDS = 150, VARIANTS = sizeof variants / sizeof *variants };
    struct random random = {8};
    for (int round = 0; round < ROUNDS; round++) {
        const enum number_type type = round % 4 == 3 ? NUMBER_FLOAT64 : NUMBER_INT32;
        struct graph g = network(&random, round, type);
        const char *const variant =
            type == NUMBER_INT32 ? variants[round % VARIANTS] : "multisource";
        const struct row_sources all = {NULL, g.n};
        const int32_t some[] = {g.n - 1, 0, g.zones - 1};
        const bool differ = g.n > 1 && g.zones > 1 && g.zones < g.n;
        struct matrix right;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(matrix_alloc(&right, g.n, "", &err), STATUS_OK);
        if (type == NUMBER_INT32)
            textbook(&g, &right);
        const struct matrix *const known = type == NUMBER_INT32 ? &right : NULL;
        check_rows(variant, &g, known, &all, NO_LIMIT, round % 2 == 0);
        check_rows(variant, &g, known, &(struct row_sources){some, differ ? 3 : 1}, 30,
                   round % 2 == 1);
        matrix_free(&right);
        graph_free(&g);
    }
}

/* Every single wrong cell in a right answer is refuted, and so is an answer to the graph without
 * zones. */
static void test_wrong(void) {
    /* Zones 0 and 1, places 2 and 3; by way of zone 1 from 2 to 3 would be shorter. */
    struct edge edges[] = {{0, 2, 1}, {2, 0, 1}, {2, 1, 1}, {1, 3, 1},
                           {3, 1, 2}, {2, 3, 9}, {3, 2, 9}, {0, 1, 7}};
    struct graph g = graph_of(4, edges, sizeof edges / sizeof *edges);
    struct matrix dist, pred;
    struct refutation refutation;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(matrix_alloc(&dist, 4, "", &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(matrix_alloc(&pred, 4, "", &err), STATUS_OK);
    const struct solver_variant *const variant = solver_find(&cpu_solver, "johnson");
    const struct solver_options options = {.threads = 1};
    struct timing timing;
    CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, &pred, NULL, 1, &timing, &err), STATUS_OK);
    CU_ASSERT_EQUAL(matrix_row(&dist, 2)[3], 2); /* 2 -> 1 -> 3 */
    g.zones = 2;
    CU_ASSERT_EQUAL(certify_or_refute(&g, &dist, &pred, 1, NULL, &refutation, &err),
                    STATUS_REFUTED);
    CU_ASSERT_EQUAL(refutation.reason, REFUTED_PREDECESSOR_NO_NEIGHBOUR);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "is 1, a zone"));
    CU_ASSERT_EQUAL(certify_or_refute(&g, &dist, NULL, 1, NULL, &refutation, &err), STATUS_REFUTED);
    CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, &pred, NULL, 1, &timing, &err), STATUS_OK);
    CU_ASSERT_EQUAL(matrix_row(&dist, 2)[3], 9);
    CU_ASSERT_EQUAL(matrix_row(&dist, 0)[3], 10);
    CU_ASSERT_EQUAL(matrix_row(&dist, 0)[1], 2);
    CU_ASSERT_EQUAL(certify_or_refute(&g, &dist, &pred, 1, NULL, NULL, &err), STATUS_OK);
    for (int32_t i = 0; i < 4; i++) {
        int32_t parent[4], path[4], length;
        for (int32_t j = 0; j < 4; j++) {
            int32_t *const d = &matrix_row(&dist, i)[j], *const p = &matrix_row(&pred, i)[j];
            const int32_t right = *d, before = *p;
            for (int32_t wrong = -1; wrong < 12; wrong++) {
                *d = wrong < 0 ? INF : wrong;
                if (*d != right)
                    CU_ASSERT_EQUAL(certify_or_refute(&g, &dist, NULL, 1, NULL, &refutation, &err),
                                    STATUS_REFUTED);
                *d = right;
                *p = wrong;
                if (*p != before) {
                    CU_ASSERT_EQUAL(certify_or_refute(&g, &dist, &pred, 1, NULL, &refutation, &err),
                                    STATUS_REFUTED);
                    CU_ASSERT(refutation.i == i && refutation.j < 4);
                }
                *p = before;
            }
        }
        CU_ASSERT_EQUAL(certificate_tree(&g, i, matrix_row_cells(&dist, i), NULL, parent, &err),
                        STATUS_OK);
        for (int32_t j = 0; j < 4; j++) {
            certificate_path_in(parent, i, j, path, &length);
            for (int32_t k = 1; k < length - 1; k++)
                CU_ASSERT(path[k] >= g.zones);
        }
    }
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

/* A change of zones changes the checksum, and may make distances exceed a bound by way of a hub. */
static void test_graph(void) {
    struct edge edges[] = {{0, 1, 3}, {1, 0, 3}, {1, 2, 3}, {2, 1, 3}, {3, 1, 3}, {1, 3, 3}};
    struct graph g = graph_of(4, edges, sizeof edges / sizeof *edges), copy;
    struct measures m;
    struct error err;
    const uint32_t checksum = graph_checksum(&g);
    CU_ASSERT(distance_bound_is_below(&g, 8));
    g.zones = 2;
    CU_ASSERT_FALSE(distance_bound_is_below(&g, 8));
    CU_ASSERT_NOT_EQUAL(graph_checksum(&g), checksum);
    CU_ASSERT_EQUAL_FATAL(graph_copy(&g, &copy, &err), STATUS_OK);
    CU_ASSERT_EQUAL(graph_checksum(&copy), graph_checksum(&g));
    graph_free(&copy);
    /* All paths between the other vertices lead through vertex 1, a zone, so there are none. */
    measures_init(&m, &g, 1);
    CU_ASSERT_EQUAL(
        solve_into("auto", &g, &(struct row_sources){NULL, 4}, NO_LIMIT, false, &m.sink, &err),
        STATUS_OK);
    CU_ASSERT_EQUAL(measures_finish(&m, &err), STATUS_OK);
    CU_ASSERT_EQUAL(m.pairs.without_path, 6);
    CU_ASSERT_EQUAL(m.of_graph.components, 4);
    CU_ASSERT_EQUAL(m.of_graph.largest_component, 1);
    measures_free(&m);
    graph_free(&g);
}

CU_TestInfo by_zones_tests[] = {
    {"rows", test_rows}, {"wrong rows", test_wrong}, {"the graph", test_graph}, CU_TEST_INFO_NULL};
