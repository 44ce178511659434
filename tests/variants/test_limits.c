// SPDX-License-Identifier: MIT
/* Every variant of every solver with a limit on distances: its answer is the reference's without
 * what is beyond the limit, and the certificate proves it. GPU variants run on the host shim, or on
 * a device when built with DEVICE_TESTS. */
#include "certificate/certificate.h" // certify_rows
#include "gpu/gpu_solver.h"          // gpu_solve
#include "solve/solve.h"             // solve_rows
#include "tests/unit/support.h"
#include "tests/variants/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Some sources of a graph of n vertices, in descending order: every third vertex. */
struct some_sources {
    int32_t vertex[128];
    struct row_sources rows;
};

static void choose_sources(struct some_sources *some, int32_t n, bool all) {
    int32_t count = 0;
    for (int32_t v = n - 1; v >= 0; v -= 3)
        some->vertex[count++] = v;
    some->rows = all ? (struct row_sources){NULL, n} : (struct row_sources){some->vertex, count};
}

static bool equals_within(const struct matrix *dist, const struct row_sources *sources,
                          const int64_t *expected, int32_t limit) {
    for (int32_t p = 0; p < sources->count; p++) {
        const int64_t *row = expected + (size_t)row_source(sources, p) * (size_t)dist->n;
        for (int32_t j = 0; j < dist->n; j++) {
            if (matrix_row(dist, p)[j] != (row[j] <= limit ? row[j] : INF))
                return false;
        }
    }
    return true;
}

/* Returns whether the variant's answer is right, or rightly refused. */
static bool solves_within(const struct solver_variant *variant, const struct graph *g,
                          const int64_t *expected, int32_t limit, int number) {
    const struct solver_options options = {.threads = 1 + number % 2};
    const bool with_pred = !variant->distances_only && number % 3 > 0;
    struct matrix dist = {0}, pred = {0};
    struct matrix *const wanted = with_pred ? &pred : NULL;
    struct some_sources some;
    struct matrix_sink sink;
    struct timing timing;
    struct refutation refutation;
    struct error err = {0};
    choose_sources(&some, g->n, number % 2 == 0);
    const int32_t rows = some.rows.count;
    CU_ASSERT_EQUAL_FATAL(matrix_alloc_rows(&dist, rows, g->n, "a test", &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(matrix_alloc_rows(&pred, rows, g->n, "a test", &err), STATUS_OK);
    memset(dist.cell, 0x5a, sizeof(int32_t) * (size_t)rows * dist.ld);
    memset(pred.cell, 0x5a, sizeof(int32_t) * (size_t)rows * pred.ld);
    matrix_sink_begin(&sink, &dist, wanted);
    const struct solve_request request = {.graph = g,
                                          .sources = some.rows,
                                          .limit = limit,
                                          .predecessors = with_pred,
                                          .options = &options,
                                          .repetitions = 1};
    const enum status status = solve_rows(variant, &request, &sink.sink, &timing, &err);
    const bool right =
        refuses(status, &err)
            ? may_refuse(variant, g, expected)
            : status == STATUS_OK && equals_within(&dist, &some.rows, expected, limit) &&
                  certify_rows(g, &some.rows, limit, &dist, wanted, 1, NULL, &refutation, &err) ==
                      STATUS_OK;
    if (!right)
        printf("\n    %s, n = %d, m = %lld, limit %d: %s\n", variant->name, g->n, (long long)g->m,
               limit, err.text[0] != '\0' ? err.text : "wrong distances");
    matrix_free(&dist);
    matrix_free(&pred);
    return right;
}

/* 0, the least one that changes nothing, the largest, and those around some distance. */
static void check_limits(const struct solver_variant *variant, const struct graph *g, int number) {
    struct random random = {(uint64_t)number};
    int64_t *expected = NULL;
    int32_t largest = 0;
    CU_ASSERT_FATAL(reference_distances(g, &expected));
    for (size_t c = 0; c < (size_t)g->n * (size_t)g->n; c++)
        largest = expected[c] < INF && expected[c] > largest ? (int32_t)expected[c] : largest;
    const int32_t some = random_in(&random, 0, largest);
    const int32_t limits[] = {0, some / 4, some > 0 ? some - 1 : 0, some, largest, INF - 1};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        CU_ASSERT(solves_within(variant, g, expected, limits[k], number + (int)k));
    free(expected);
}

static int graph_count(const struct solver_variant *variant) {
    return variant->solve != gpu_solve ? 24 : is_slow(variant) ? 1 : 3;
}

static void check_random_graphs(const struct solver_variant *variant) {
    static const enum weights kinds[] = {WEIGHTS_ZERO, WEIGHTS_POSITIVE, WEIGHTS_LARGE};
    static const int percents[] = {3, 10, 40};
    struct random random = {17};
    for (int number = 0; number < graph_count(variant); number++) {
        const int32_t n = number % 6 == 5 ? random_in(&random, 60, 120) : random_in(&random, 1, 30);
        struct graph g = random_graph(&random, n, percents[number / 3 % 3], kinds[number % 3]);
        check_limits(variant, &g, number);
        graph_free(&g);
    }
}

static void test_random_graphs(void) {
    for_each_variant(check_random_graphs);
}

/* Distances out of range are beyond any limit: such graphs have answers. */
static void check_out_of_range(const struct solver_variant *variant) {
    const struct edge edges[] = {{0, 1, INF / 2},   {1, 2, INF / 2 + 1}, {2, 3, 0},
                                 {3, 4, INT32_MAX}, {3, 0, 7},           {0, 4, 65536}};
    struct graph g = graph_of(5, edges, 6);
    check_limits(variant, &g, 1);
    graph_free(&g);
}

/* Limits and distances where 16 bits end. */
static void check_16_bits(const struct solver_variant *variant) {
    enum { END = INT16_MAX };
    const struct edge edges[] = {{0, 1, END - 1}, {0, 2, END}, {0, 3, END + 1}, {3, 4, 0}};
    struct graph g = graph_of(5, edges, 4);
    int64_t *expected = NULL;
    CU_ASSERT_FATAL(reference_distances(&g, &expected));
    for (int32_t limit = END - 2; limit <= END + 2; limit++)
        CU_ASSERT(solves_within(variant, &g, expected, limit, 2));
    free(expected);
    graph_free(&g);
}

static void test_16_bits(void) {
    for_each_variant(check_16_bits);
}

static void test_out_of_range(void) {
    for_each_variant(check_out_of_range);
}

/* Paths may leave the limit and come back. */
static void check_negative(const struct solver_variant *variant) {
    const struct edge edges[] = {{0, 1, 9}, {1, 2, -5}};
    struct graph g = graph_of(3, edges, 2);
    const struct solver_options options = {0};
    const struct solve_request request = {
        .graph = &g, .sources = {NULL, 3}, .limit = 5, .options = &options, .repetitions = 1};
    struct matrix dist = new_matrix(3);
    struct matrix_sink sink;
    struct timing timing;
    struct error err;
    matrix_sink_begin(&sink, &dist, NULL);
    CU_ASSERT_EQUAL(solve_rows(variant, &request, &sink.sink, &timing, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "a limit of 5 on distances: expected weights of 0 or more, found -5");
    matrix_free(&dist);
    graph_free(&g);
}

static void test_negative(void) {
    for_each_variant(check_negative);
}

CU_TestInfo limit_tests[] = {
    {"the answer within any limit", test_random_graphs},
    {"where 16 bits end", test_16_bits},
    {"distances out of range", test_out_of_range},
    {"weights below 0", test_negative},
    CU_TEST_INFO_NULL,
};
