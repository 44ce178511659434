// SPDX-License-Identifier: MIT
/* Distances that do not fit. */
#include "solve/range.h"
#include "tests/unit/support.h"

#include <stdlib.h>

/* Checks all rows of dist, block by block: every instruction set finds the same. */
static enum status check(const struct graph *g, struct matrix *dist, struct error *err) {
    uint64_t *reached = malloc((size_t)g->n * sizeof *reached);
    enum status status = STATUS_OK;
    CU_ASSERT_PTR_NOT_NULL_FATAL(reached);
    for (int32_t first = 0; first < g->n && status == STATUS_OK; first += ROW_BLOCK_MAX) {
        struct row_block block = {.n = g->n};
        int32_t found = -2, row = -1, to = -1;
        for (int32_t i = first; i < g->n && i < first + ROW_BLOCK_MAX; i++)
            block.dist[block.count++] = matrix_row(dist, i);
        for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
            if (!isa_is_supported(isa))
                continue;
            range_find_cut_in(g, &block, isa, reached, &row, &to);
            CU_ASSERT(found == -2 || found == row);
            found = row;
        }
        if (row >= 0)
            status = range_refuse(g, first + row, to, false, err);
    }
    free(reached);
    return status;
}

static bool is_safe(const struct graph *g) {
    const bool safe = range_is_safe(g, 1);
    CU_ASSERT_EQUAL(range_is_safe(g, 3), safe);
    return safe;
}

static void test_bound(void) {
    const struct edge light[] = {{0, 1, 1000}, {1, 2, 1000}};
    /* bounded only by the sum of all edges */
    const struct edge one_heavy[] = {{0, 1, INF - 1}, {1, 2, 0}};
    const struct edge two_heavy[] = {{0, 1, INF - 1}, {1, 2, 1}};
    const struct edge too_heavy[] = {{0, 1, INF}};
    struct graph g = graph_of(3, light, 2);
    CU_ASSERT(is_safe(&g));
    graph_free(&g);
    g = graph_of(3, one_heavy, 2);
    CU_ASSERT(is_safe(&g));
    graph_free(&g);
    g = graph_of(3, two_heavy, 2);
    CU_ASSERT(!is_safe(&g));
    graph_free(&g);
    g = graph_of(2, too_heavy, 1);
    CU_ASSERT(!is_safe(&g));
    graph_free(&g);
}

/* In random graphs whose weights come close to INF, the check fails exactly
 * if the reference has a distance of INF or more. */
static void test_check(void) {
    struct random random = {1};
    int failed = 0, passed = 0;
    for (int round = 0; round < 300; round++) {
        int32_t n = random_in(&random, 2, 90);
        struct graph g = random_graph(&random, n, random_in(&random, 1, 30), WEIGHTS_LARGE);
        is_safe(&g);
        for (int64_t e = 0; e < g.m; e++)
            g.weight[e] *= random_in(&random, 1, 700);
        g.max_weight = 0;
        for (int64_t e = 0; e < g.m; e++)
            g.max_weight = g.weight[e] > g.max_weight ? g.weight[e] : g.max_weight;
        struct matrix dist = new_matrix(n);
        int64_t *expected;
        struct error err;
        bool fits = true;
        reference_distances(&g, &expected);
        for (int32_t c = 0; c < n * n; c++) {
            int64_t d = expected[c];
            fits &= d == INT64_MAX || d < INF;
            matrix_row(&dist, c / n)[c % n] = d < INF ? (int32_t)d : INF;
        }
        CU_ASSERT_EQUAL(check(&g, &dist, &err), fits ? STATUS_OK : STATUS_BAD_INPUT);
        fits ? passed++ : failed++;
        free(expected);
        matrix_free(&dist);
        graph_free(&g);
    }
    CU_ASSERT(failed > 30 && passed > 30);
}

/* Only one distance does not fit, in the row of the last of many sources. */
static void test_pair(void) {
    enum { N = 130 };
    const struct edge edges[] = {{N - 1, 0, INF - 1}, {0, 1, 5}};
    struct graph g = graph_of(N, edges, 2);
    struct matrix dist = new_matrix(N);
    for (int32_t c = 0; c < N * N; c++)
        matrix_row(&dist, c / N)[c % N] = c / N == c % N ? 0 : INF;
    matrix_row(&dist, N - 1)[0] = INF - 1;
    matrix_row(&dist, 0)[1] = 5;
    struct error err;
    CU_ASSERT_EQUAL(check(&g, &dist, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "the distance from 129 to 1 is out of range: 1073741823 or more; as "
                           "int64 (--type int64), distances are exact up to 2^53");
    CU_ASSERT(err.is_out_of_range);
    CU_ASSERT_EQUAL(fail(&err, STATUS_BAD_INPUT, "another"), STATUS_BAD_INPUT);
    CU_ASSERT_FALSE(err.is_out_of_range);
    graph_free(&g);
    matrix_free(&dist);
}

CU_TestInfo range_tests[] = {
    {"bound from the weights", test_bound},
    {"check of a result", test_check},
    {"the one that does not fit", test_pair},
    CU_TEST_INFO_NULL,
};
