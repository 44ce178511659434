// SPDX-License-Identifier: MIT
/* The certificate of real distances: right answers pass, and those that differ in one last place do
 * not. */
#include "certificate/certificate.h"
#include "certificate/proving_sink.h"
#include "tests/unit/real_graphs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum status judge(const struct graph *g, const struct matrix *dist,
                         const struct matrix *pred, double limit, struct refutation *found,
                         struct error *err) {
    const struct row_sources all = {NULL, dist->n};
    return certify_rows(g, &all, limit, dist, pred, 2, NULL, found, err);
}

static enum status verdict(const struct graph *g, const struct matrix *dist,
                           const struct matrix *pred) {
    struct refutation found;
    struct error err;
    return judge(g, dist, pred, NO_LIMIT, &found, &err);
}

/* The next number of the type in a direction. */
static double next(enum number_type type, double from, double to) {
    return type == NUMBER_FLOAT32 ? (double)nextafterf((float)from, (float)to)
                                  : nextafter(from, to);
}

/* Provers of rows of a graph's answer, without predecessors and with them. */
struct court {
    struct certificate certificate[2];
    struct certificate_prover *prover[2];
};

static void open_court(struct court *court, const struct graph *g) {
    struct error err;
    for (int k = 0; k < 2; k++) {
        if (certificate_open(&court->certificate[k], g, NO_LIMIT, k == 1, &err) != STATUS_OK ||
            certificate_prover_alloc(&court->certificate[k], &court->prover[k], &err) != STATUS_OK)
            abort();
    }
}

static void close_court(struct court *court) {
    for (int k = 0; k < 2; k++) {
        certificate_prover_free(court->prover[k]);
        certificate_close(&court->certificate[k]);
    }
}

/* Returns whether row i with another distance to j is refuted, with and without predecessors. */
static bool refuted(const struct court *court, struct matrix *dist, const struct matrix *pred,
                    int32_t i, int32_t j, double wrong) {
    const double right = real_cell(dist, i, j);
    int32_t *preds[] = {matrix_row(pred, i)};
    struct row_block block = {.n = dist->n,
                              .count = 1,
                              .source = {i},
                              .type = dist->type,
                              .cells = {matrix_row_cells(dist, i)}};
    struct refutation found;
    struct error err;
    set_real_cell(dist, i, j, wrong);
    bool both = certificate_prove(court->prover[0], &block, &found, &err) == STATUS_REFUTED;
    block.pred = preds;
    both = certificate_prove(court->prover[1], &block, &found, &err) == STATUS_REFUTED && both;
    set_real_cell(dist, i, j, right);
    return both;
}

/* One unit in the last place more or less, of every distance of a row, no path included. */
static void check_last_places(void) {
    static const int32_t sizes[] = {1, 2, 9, 33, 70};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    struct random random = {1};
    for (int k = 0; k < SIZES * REAL_KINDS * 2; k++) {
        const enum number_type type = k % 2 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
        const int32_t n = sizes[k / 2 % SIZES], i = random_in(&random, 0, n - 1);
        struct matrix dist, pred;
        struct graph g =
            random_real_graph(&random, n, n < 33 ? 30 : 7, type, (enum real_kind)(k / 2 / SIZES));
        struct court court;
        int escaped = 0;
        solve_real(&g, &dist, &pred);
        open_court(&court, &g);
        CU_ASSERT_EQUAL(verdict(&g, &dist, &pred), STATUS_OK);
        CU_ASSERT_EQUAL(verdict(&g, &dist, NULL), STATUS_OK);
        for (int32_t j = 0; j < n; j++) {
            const double d = real_cell(&dist, i, j);
            escaped += !refuted(&court, &dist, &pred, i, j, next(type, d, -INFINITY));
            escaped += !isinf(d) && !refuted(&court, &dist, &pred, i, j, next(type, d, INFINITY));
        }
        CU_ASSERT_EQUAL(escaped, 0);
        close_court(&court);
        matrix_free(&dist);
        matrix_free(&pred);
        graph_free(&g);
    }
}

static void test_last_places(void) {
    on_every_isa(check_last_places);
}

static enum status take_nothing(struct row_sink *self, const struct row_block *block,
                                struct error *err) {
    (void)self, (void)block, (void)err;
    return STATUS_OK;
}

/* Returns whether a sink that proves refutes rows that come from two threads. */
static bool refuted_by_sink(const struct graph *g, double limit, const struct matrix *dist,
                            const struct matrix *pred) {
    struct row_sink nowhere = {.take = take_nothing};
    const struct row_sources all = {NULL, dist->n};
    struct proving_sink sink;
    struct error err;
    if (proving_sink_open(&sink, g, limit, pred != NULL, &nowhere, &err) != STATUS_OK)
        abort();
    const enum status status = row_sink_take_matrices(&sink.sink, &all, dist, pred, 2, &err);
    proving_sink_close(&sink);
    return status == STATUS_REFUTED;
}

/* Returns whether an answer with another distance from i to j is refuted, with and without
 * predecessors, as a whole and as a stream of blocks. */
static bool refuted_among_others(const struct graph *g, double limit, struct matrix *dist,
                                 const struct matrix *pred, int32_t i, int32_t j, double wrong) {
    const double right = real_cell(dist, i, j);
    bool all = true;
    set_real_cell(dist, i, j, wrong);
    for (int with_pred = 0; with_pred <= 1; with_pred++) {
        const struct matrix *const given = with_pred ? pred : NULL;
        struct refutation found;
        struct error err;
        all = judge(g, dist, given, limit, &found, &err) == STATUS_REFUTED && found.i == i && all;
        all = refuted_by_sink(g, limit, dist, given) && all;
    }
    set_real_cell(dist, i, j, right);
    return all;
}

/* Leaves out what is beyond a limit. */
static void cut_off(struct matrix *dist, struct matrix *pred, double limit) {
    for (int32_t i = 0; i < dist->n; i++) {
        for (int32_t j = 0; j < dist->n; j++) {
            if (real_cell(dist, i, j) > limit) {
                set_real_cell(dist, i, j, INFINITY);
                matrix_row(pred, i)[j] = -1;
            }
        }
    }
}

/* One unit in the last place, in cells of any strip and lane of a right answer. The first cell is
 * that of the limit, if there is one. */
static void check_cells(struct random *random, const struct graph *g, double limit, int32_t i,
                        int32_t j) {
    enum { CELLS = 10 };
    struct matrix dist, pred;
    int escaped = 0;
    solve_real(g, &dist, &pred);
    cut_off(&dist, &pred, limit);
    CU_ASSERT(!refuted_by_sink(g, limit, &dist, NULL));
    CU_ASSERT(!refuted_by_sink(g, limit, &dist, &pred));
    for (int cell = 0; cell < CELLS; cell++) {
        const double d = real_cell(&dist, i, j);
        const double less = next(g->type, d, -INFINITY), more = next(g->type, d, INFINITY);
        escaped += !refuted_among_others(g, limit, &dist, &pred, i, j, less);
        escaped += !isinf(d) && !refuted_among_others(g, limit, &dist, &pred, i, j, more);
        i = random_in(random, 0, g->n - 1);
        j = random_in(random, 0, g->n - 1);
    }
    CU_ASSERT_EQUAL(escaped, 0);
    matrix_free(&dist);
    matrix_free(&pred);
}

static void check_last_places_among_others(void) {
    static const int32_t sizes[] = {7, 33, 70};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    struct random random = {2};
    for (int k = 0; k < SIZES * REAL_KINDS * 2; k++) {
        const enum number_type type = k % 2 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
        const int32_t n = sizes[k / 2 % SIZES];
        const int32_t i = random_in(&random, 0, n - 1), j = random_in(&random, 0, n - 1);
        struct graph g =
            random_real_graph(&random, n, n < 33 ? 40 : 10, type, (enum real_kind)(k / 2 / SIZES));
        double row[REAL_MAX_N];
        search_real(&g, i, row, NULL);
        check_cells(&random, &g, NO_LIMIT, i, j);
        check_cells(&random, &g, isinf(row[j]) ? 0 : row[j], i, j);
        graph_free(&g);
    }
}

static void test_last_places_among_others(void) {
    on_every_isa(check_last_places_among_others);
}

/* A graph, its answer, and what the checks say of another distance or predecessor of (i, j). */
static enum refutation_reason reason_of(const struct graph *g, int32_t i, int32_t j, double d,
                                        int32_t p, struct error *err) {
    struct matrix dist, pred;
    struct refutation found = {.reason = REFUTED_SIZE};
    solve_real(g, &dist, &pred);
    set_real_cell(&dist, i, j, d);
    matrix_row(&pred, i)[j] = p;
    CU_ASSERT_EQUAL(judge(g, &dist, &pred, NO_LIMIT, &found, err), STATUS_REFUTED);
    CU_ASSERT_EQUAL(found.type, g->type);
    CU_ASSERT(found.distance == real_cell(&dist, found.i, found.j) || isnan(d));
    matrix_free(&dist);
    matrix_free(&pred);
    return found.reason;
}

/* Every reason that is about numbers, and the line that says it. */
static void test_refutations(void) {
    struct error err;
    for (int t = NUMBER_FLOAT32; t <= NUMBER_FLOAT64; t++) {
        struct real_edge edges[] = {{0, 1, 0.1}, {1, 2, 0.2}, {0, 3, 1}};
        struct graph g = graph_of_real(5, (enum number_type)t, edges, 3);
        CU_ASSERT_EQUAL(reason_of(&g, 0, 1, -0.0, 0, &err), REFUTED_RANGE);
        CU_ASSERT_STRING_EQUAL(err.text, "check (a): distance from 0 to 1 is -0, outside [0, inf]");
        CU_ASSERT_EQUAL(reason_of(&g, 0, 1, NAN, 0, &err), REFUTED_RANGE);
        CU_ASSERT_EQUAL(reason_of(&g, 0, 1, -1, 0, &err), REFUTED_RANGE);
        CU_ASSERT_EQUAL(reason_of(&g, 0, 1, -INFINITY, 0, &err), REFUTED_RANGE);
        CU_ASSERT_EQUAL(reason_of(&g, 0, 0, 1, -1, &err), REFUTED_DIAGONAL_DISTANCE);
        CU_ASSERT_EQUAL(reason_of(&g, 0, 4, 7, -1, &err), REFUTED_PREDECESSOR_MISSING);
        CU_ASSERT_EQUAL(reason_of(&g, 0, 4, 7, 3, &err), REFUTED_PREDECESSOR_NO_NEIGHBOUR);
        CU_ASSERT_EQUAL(reason_of(&g, 0, 2, 0.25, 1, &err), REFUTED_PREDECESSOR_SUM);
        CU_ASSERT_EQUAL(reason_of(&g, 0, 2, INFINITY, -1, &err), REFUTED_REACHABLE);
        CU_ASSERT_EQUAL(reason_of(&g, 0, 2, 0.5, 1, &err), REFUTED_TOO_LONG);
        CU_ASSERT_STRING_EQUAL(err.text, "check (c): distance from 0 to 2 is 0.5, but 1 is at "
                                         "distance 0.1 and edge 1 -> 2 weighs 0.2");
        graph_free(&g);
    }
    struct graph negative =
        graph_of_real(3, NUMBER_FLOAT64, (struct real_edge[]){{0, 1, 1.5}, {1, 2, -2.25}}, 2);
    struct matrix dist, pred;
    CU_ASSERT_FATAL(matrix_alloc_typed(&dist, NUMBER_FLOAT64, 3, 3, "D", &err) == STATUS_OK);
    pred = new_matrix(3);
    for (int32_t k = 0; k < 9; k++) {
        set_real_cell(&dist, k / 3, k % 3,
                      (double[]){0, 1.5, -0.75, INFINITY, 0, -2.25, INFINITY, INFINITY, 0}[k]);
        matrix_row(&pred, k / 3)[k % 3] = (int32_t[]){-1, 0, 1, -1, -1, 1, -1, -1, -1}[k];
    }
    CU_ASSERT_EQUAL(verdict(&negative, &dist, &pred), STATUS_OK);
    CU_ASSERT_EQUAL(verdict(&negative, &dist, NULL), STATUS_OK);
    struct court court;
    open_court(&court, &negative);
    CU_ASSERT(refuted(&court, &dist, &pred, 0, 2, nextafter(-0.75, 0)));
    CU_ASSERT(refuted(&court, &dist, &pred, 0, 2, nextafter(-0.75, -1)));
    close_court(&court);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&negative);
}

/* Edges 1 <-> 2 that vanish beside the distance of 1 from 0, with the edge 0 -> 1 or without it:
 * each of them is tight, and the chains of predecessors 1 and 2 need not lead to 0. */
static void check_vanishing(enum number_type type, double weight) {
    struct real_edge edges[] = {{1, 2, weight}, {2, 1, weight}, {0, 1, 1}};
    struct matrix dist, pred;
    struct refutation found;
    struct error err;
    int32_t parent[3];
    struct graph whole = graph_of_real(3, type, edges, 3);
    struct graph part = graph_of_real(3, type, edges, 2);
    solve_real(&whole, &dist, &pred);
    CU_ASSERT_EQUAL(real_cell(&dist, 0, 2), 1);
    CU_ASSERT_EQUAL(verdict(&whole, &dist, &pred), STATUS_OK);
    CU_ASSERT_EQUAL(certificate_tree(&whole, 0, matrix_row_cells(&dist, 0), NULL, parent, &err),
                    STATUS_OK);
    CU_ASSERT(parent[0] == -1 && parent[1] == 0 && parent[2] == 1);
    matrix_row(&pred, 0)[1] = 2;
    CU_ASSERT_EQUAL(judge(&whole, &dist, &pred, NO_LIMIT, &found, &err), STATUS_REFUTED);
    CU_ASSERT_EQUAL(found.reason, REFUTED_PREDECESSOR_CYCLE);
    CU_ASSERT_EQUAL(judge(&part, &dist, &pred, NO_LIMIT, &found, &err), STATUS_REFUTED);
    CU_ASSERT_EQUAL(judge(&part, &dist, NULL, NO_LIMIT, &found, &err), STATUS_REFUTED);
    CU_ASSERT_EQUAL(found.reason, REFUTED_NO_TIGHT_PATH);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&whole);
    graph_free(&part);
}

/* The largest weights that vanish, ones below, and 0. */
static void test_vanishing(void) {
    static const double weights[] = {1, 0.5, 0x1p-20, 0x1p-100, 0};
    for (int k = 0; k < 5; k++) {
        check_vanishing(NUMBER_FLOAT32, 0x1p-24 * weights[k]);
        check_vanishing(NUMBER_FLOAT64, 0x1p-53 * weights[k]);
    }
}

/* A reachable vertex is not unreachable because its distance overflows, unless it is beyond the
 * limit. */
static void test_overflow(void) {
    struct real_edge edges[] = {{0, 1, FLT_MAX}, {1, 2, FLT_MAX}, {0, 3, 4}};
    struct matrix dist, pred;
    struct refutation found;
    struct error err;
    struct graph g = graph_of_real(4, NUMBER_FLOAT32, edges, 3);
    solve_real(&g, &dist, &pred);
    CU_ASSERT(isinf(real_cell(&dist, 0, 2)));
    matrix_row(&pred, 0)[2] = -1;
    for (int with_pred = 0; with_pred <= 1; with_pred++) {
        CU_ASSERT_EQUAL(judge(&g, &dist, with_pred ? &pred : NULL, NO_LIMIT, &found, &err),
                        STATUS_REFUTED);
        CU_ASSERT(found.reason == REFUTED_REACHABLE && found.i == 0 && found.j == 2);
    }
    CU_ASSERT_STRING_EQUAL(err.text,
                           "check (c): 2 is given as unreachable from 0, but 1 is at distance "
                           "3.4028235e+38 and edge 1 -> 2 weighs 3.4028235e+38");
    for (int32_t k = 0; k < 16; k++) {
        if (real_cell(&dist, k / 4, k % 4) > 4) {
            set_real_cell(&dist, k / 4, k % 4, INFINITY);
            matrix_row(&pred, k / 4)[k % 4] = -1;
        }
    }
    CU_ASSERT_EQUAL(judge(&g, &dist, &pred, 4, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(judge(&g, &dist, NULL, 4, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(judge(&g, &dist, &pred, 3, &found, &err), STATUS_REFUTED);
    CU_ASSERT_EQUAL(found.reason, REFUTED_BEYOND_LIMIT);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

/* Limits between two float32 numbers: they are not rounded up. */
static void test_limits(void) {
    struct real_edge edges[] = {{0, 1, 0x1p24}, {1, 2, 2}};
    struct matrix dist, pred;
    struct refutation found;
    struct error err;
    struct graph g = graph_of_real(3, NUMBER_FLOAT32, edges, 2);
    const double between = 0x1p24 + 1.5;
    solve_real(&g, &dist, &pred);
    CU_ASSERT_EQUAL(judge(&g, &dist, &pred, between + 1, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(judge(&g, &dist, &pred, between, &found, &err), STATUS_REFUTED);
    CU_ASSERT(found.reason == REFUTED_BEYOND_LIMIT && found.j == 2);
    set_real_cell(&dist, 0, 2, INFINITY);
    matrix_row(&pred, 0)[2] = -1;
    CU_ASSERT_EQUAL(judge(&g, &dist, &pred, between, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(judge(&g, &dist, &pred, between + 1, &found, &err), STATUS_REFUTED);
    CU_ASSERT_EQUAL(found.reason, REFUTED_REACHABLE);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

/* Distances of another type are no answer, and a sink that proves takes those of the graph's. */
static void test_types(void) {
    struct real_edge edges[] = {{0, 1, 0.1}, {1, 2, 0.2}};
    struct graph g = graph_of_real(3, NUMBER_FLOAT64, edges, 2);
    struct row_sink nowhere = {.take = take_nothing};
    struct matrix dist, pred, integers = new_matrix(3);
    const struct row_sources all = {NULL, 3};
    struct proving_sink sink;
    struct refutation found;
    struct error err;
    solve_real(&g, &dist, &pred);
    CU_ASSERT_EQUAL(judge(&g, &integers, NULL, NO_LIMIT, &found, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "expected distances of type float64, as the graph's, found int32");
    CU_ASSERT_EQUAL_FATAL(proving_sink_open(&sink, &g, NO_LIMIT, true, &nowhere, &err), STATUS_OK);
    CU_ASSERT_EQUAL(row_sink_take_matrices(&sink.sink, &all, &integers, NULL, 1, &err),
                    STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(row_sink_take_matrices(&sink.sink, &all, &dist, &pred, 1, &err), STATUS_OK);
    set_real_cell(&dist, 0, 2, 0.3);
    CU_ASSERT_EQUAL(row_sink_take_matrices(&sink.sink, &all, &dist, &pred, 1, &err),
                    STATUS_REFUTED);
    proving_sink_close(&sink);
    matrix_free(&integers);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

CU_TestInfo real_certificate_tests[] = {
    {"one unit in the last place is refuted", test_last_places},
    {"so it is in whole answers, in streams and with a limit", test_last_places_among_others},
    {"every reason", test_refutations},
    {"weights that vanish in rounding", test_vanishing},
    {"distances that overflow", test_overflow},
    {"limits that float32 does not have", test_limits},
    {"types", test_types},
    CU_TEST_INFO_NULL,
};
