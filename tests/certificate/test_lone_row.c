// SPDX-License-Identifier: MIT
/* The proof of one row: right rows are proved, and those with any other number are not. */
#include "certificate/lone_row.h"

#include "tests/unit/support.h"

static bool is_proved(const struct graph *g, int32_t source, const int32_t *dist) {
    struct error err;
    bool proved = false;
    CU_ASSERT_EQUAL(lone_row_prove(g, source, dist, &proved, &err), STATUS_OK);
    return proved;
}

static void test_wrong_numbers(void) {
    enum { N = 7, ROUNDS = 60 };
    struct random random = {77};
    for (int round = 0; round < ROUNDS; round++) {
        struct graph g = random_graph(&random, N, 15 + round % 3 * 20, WEIGHTS_POSITIVE);
        for (int64_t e = 0; e < g.m && round % 2 == 0; e++)
            g.weight[e] = 1 + g.weight[e] % 3;
        struct matrix dist, pred;
        solve_reference(&g, &dist, &pred);
        for (int32_t s = 0; s < N; s++) {
            int32_t *const row = matrix_row(&dist, s);
            CU_ASSERT(is_proved(&g, s, row));
            CU_ASSERT(N == 1 || !is_proved(&g, (s + 1) % N, row));
            for (int32_t v = 0; v < N; v++) {
                const int32_t right = row[v];
                const int32_t wrong[] = {-1,        0,         1,   2,      right - 1,
                                         right + 1, right + 5, INF, INF - 1};
                for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
                    row[v] = wrong[k];
                    CU_ASSERT_EQUAL(is_proved(&g, s, row), wrong[k] == right);
                }
                row[v] = right;
            }
        }
        matrix_free(&dist);
        matrix_free(&pred);
        graph_free(&g);
    }
}

/* Vertices that all agree with each other, but that nothing reaches; sums beyond the range. */
static void test_far_vertices(void) {
    const struct edge edges[] = {{1, 2, 1}, {2, 1, 1}, {0, 3, INF - 1}, {3, 4, 2}, {4, 5, 1}};
    struct graph g = graph_of(6, edges, 5);
    const int32_t right[] = {0, INF, INF, INF - 1, INF, INF},
                  apart[] = {0, 5, 6, INF - 1, INF, INF},
                  above[] = {0, INF, INF, INF - 1, INF + 1, INF};
    CU_ASSERT(is_proved(&g, 0, right));
    CU_ASSERT(!is_proved(&g, 0, apart));
    CU_ASSERT(!is_proved(&g, 0, above));
    graph_free(&g);
}

/* Edges of weight 0 could lead round in a circle. */
static void test_other_graphs(void) {
    const struct edge edges[] = {{0, 1, 0}, {1, 2, 3}};
    const int32_t row[] = {0, 0, 3}, positive[] = {0, 2, 5};
    struct graph g = graph_of(3, edges, 2);
    CU_ASSERT(!is_proved(&g, 0, row));
    graph_free(&g);
    const struct edge others[] = {{0, 1, 2}, {1, 2, 3}};
    g = graph_of(3, others, 2);
    CU_ASSERT(is_proved(&g, 0, positive));
    g.zones = 1;
    CU_ASSERT(!is_proved(&g, 0, positive));
    g.zones = 0;
    g.semiring = SEMIRING_MIN_MAX;
    CU_ASSERT(!is_proved(&g, 0, positive));
    g.semiring = SEMIRING_MIN_PLUS;
    graph_free(&g);
}

CU_TestInfo lone_row_tests[] = {
    {"every wrong number is refuted", test_wrong_numbers},
    {"vertices out of reach and out of range", test_far_vertices},
    {"graphs that are not proved", test_other_graphs},
    CU_TEST_INFO_NULL,
};
