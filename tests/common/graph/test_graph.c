// SPDX-License-Identifier: MIT
/* The canonical form of graphs. */
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

static void test_parallel_edges_and_loops(void) {
    const struct edge edges[] = {{2, 1, 9}, {0, 1, 5}, {0, 1, 3}, {0, 1, 4},
                                 {1, 1, 0}, {2, 2, 7}, {2, 1, 8}, {2, 0, 1}};
    struct graph g = graph_of(3, edges, 8);
    CU_ASSERT_EQUAL(g.edges_read, 8);
    CU_ASSERT_EQUAL(g.m, 3);
    const int64_t first[] = {0, 1, 1, 3};
    const int32_t head[] = {1, 0, 1}, weight[] = {3, 1, 8};
    CU_ASSERT_EQUAL(memcmp(g.first, first, sizeof first), 0);
    CU_ASSERT_EQUAL(memcmp(g.head, head, sizeof head), 0);
    CU_ASSERT_EQUAL(memcmp(g.weight, weight, sizeof weight), 0);
    CU_ASSERT_EQUAL(g.min_weight, 1);
    CU_ASSERT_EQUAL(g.max_weight, 8);
    graph_free(&g);
}

static void test_negative_loop_is_kept(void) {
    const struct edge edges[] = {{1, 1, 4}, {1, 1, -2}, {1, 1, -1}};
    struct graph g = graph_of(2, edges, 3);
    CU_ASSERT_EQUAL(g.m, 1);
    CU_ASSERT_EQUAL(g.head[0], 1);
    CU_ASSERT_EQUAL(g.weight[0], -2);
    graph_free(&g);
}

static void test_no_edges(void) {
    struct graph g = graph_of(4, NULL, 0);
    CU_ASSERT_EQUAL(g.m, 0);
    CU_ASSERT_EQUAL(g.first[4], 0);
    CU_ASSERT_EQUAL(g.min_weight, 0);
    CU_ASSERT_EQUAL(g.max_weight, 0);
    graph_free(&g);
}

static void test_reverse(void) {
    struct random random = {1};
    struct error err;
    for (int32_t n = 1; n < 40; n += 3) {
        struct graph g = random_graph(&random, n, 30, WEIGHTS_NEGATIVE), back = {0}, forth = {0};
        CU_ASSERT_EQUAL(graph_reverse(&g, &back, &err), STATUS_OK);
        CU_ASSERT_EQUAL(graph_reverse(&back, &forth, &err), STATUS_OK);
        CU_ASSERT_EQUAL(back.m, g.m);
        for (int32_t v = 0; v < n; v++) {
            for (int64_t e = back.first[v]; e < back.first[v + 1]; e++) {
                bool there = false;
                int32_t u = back.head[e];
                for (int64_t f = g.first[u]; f < g.first[u + 1]; f++)
                    there |= g.head[f] == v && g.weight[f] == back.weight[e];
                CU_ASSERT(there);
            }
        }
        CU_ASSERT_EQUAL(graph_checksum(&forth), graph_checksum(&g));
        graph_free(&g);
        graph_free(&back);
        graph_free(&forth);
    }
}

/* The same edges in any order, with or without heavier parallels, are one
 * graph; any other weight, head or size is another. */
static void test_checksum(void) {
    const struct edge edges[] = {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}};
    const struct edge shuffled[] = {{2, 0, 5}, {0, 1, 9}, {1, 2, 4}, {0, 1, 3}, {1, 1, 0}};
    const struct edge weight[] = {{0, 1, 3}, {1, 2, 4}, {2, 0, 6}};
    const struct edge head[] = {{0, 1, 3}, {1, 2, 4}, {2, 1, 5}};
    struct graph g = graph_of(3, edges, 3), same = graph_of(3, shuffled, 5),
                 others[] = {graph_of(3, weight, 3), graph_of(3, head, 3), graph_of(4, edges, 3)};
    CU_ASSERT_EQUAL(graph_checksum(&g), graph_checksum(&same));
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_NOT_EQUAL(graph_checksum(&g), graph_checksum(&others[k]));
        graph_free(&others[k]);
    }
    /* Results on disk record it: it may not change from one release to the next. */
    CU_ASSERT_EQUAL(graph_checksum(&g), 0x7ea0e5e7);
    graph_free(&g);
    graph_free(&same);
}

static void test_matrices(void) {
    const struct edge edges[] = {{0, 1, 0}, {1, 2, INF}, {2, 0, INF - 1}, {1, 0, INT32_MAX}};
    struct graph g = graph_of(3, edges, 4);
    struct matrix dist = new_matrix(3), pred = new_matrix(3);
    const int32_t expected_dist[] = {0, 0, INF, INF, 0, INF, INF - 1, INF, 0};
    const int32_t expected_pred[] = {-1, 0, -1, -1, -1, -1, 2, -1, -1};
    graph_to_matrices(&g, &dist, &pred);
    for (int c = 0; c < 9; c++) {
        CU_ASSERT_EQUAL(matrix_row(&dist, c / 3)[c % 3], expected_dist[c]);
        CU_ASSERT_EQUAL(matrix_row(&pred, c / 3)[c % 3], expected_pred[c]);
    }
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

CU_TestInfo graph_tests[] = {
    {"parallel edges and self-loops", test_parallel_edges_and_loops},
    {"a negative self-loop is kept", test_negative_loop_is_kept},
    {"no edges", test_no_edges},
    {"reversing", test_reverse},
    {"checksum", test_checksum},
    {"adjacency matrices", test_matrices},
    CU_TEST_INFO_NULL,
};
