// SPDX-License-Identifier: MIT
/* The canonical form of graphs. */
#include "common/base/memory.h" // memory_held
#include "tests/unit/real_graphs.h"

#include <math.h>
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
    /* Results on disk record the checksum, so it may not change from one release to the next. */
    CU_ASSERT_EQUAL(graph_checksum(&g), 0x7ea0e5e7);
    graph_free(&g);
    graph_free(&same);
}

/* An integral graph of float64 has the checksum of the int32 graph, however many edges it has, and
 * any other weight makes another. */
static void test_integral_checksum(void) {
    enum { N = 64, M = N * (N - 1) };
    struct edge edges[M];
    int64_t m = 0;
    for (int32_t u = 0; u < N; u++)
        for (int32_t v = 0; v < N; v++)
            if (u != v)
                edges[m++] = (struct edge){u, v, u * v - 7};
    struct graph g = graph_of(N, edges, m), wide;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(graph_widen(&g, &wide, &err), STATUS_OK);
    wide.integral = true;
    CU_ASSERT_EQUAL(graph_checksum(&wide), graph_checksum(&g));
    for (int64_t e = 0; e < M; e += 97) {
        wide.real_weight[e]++;
        CU_ASSERT_NOT_EQUAL(graph_checksum(&wide), graph_checksum(&g));
        wide.real_weight[e]--;
    }
    graph_free(&g);
    graph_free(&wide);
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

/* Selects edges up to a weight, including that weight, in graphs of both kinds of weights. */
static void test_up_to(void) {
    const struct edge edges[] = {{0, 1, 3}, {0, 2, 9}, {1, 2, 4}, {2, 0, 5}};
    const struct edge kept[] = {{0, 1, 3}, {1, 2, 4}};
    struct real_edge real[] = {{0, 1, 0.5}, {0, 2, 0.75}, {1, 0, nextafter(0.5, 1)}};
    struct graph g = graph_of(3, edges, 4), expected = graph_of(3, kept, 2), copy;
    struct error err;
    CU_ASSERT_EQUAL(graph_count_up_to(&g, 4), 2);
    CU_ASSERT_EQUAL_FATAL(graph_copy_up_to(&g, 4, &copy, &err), STATUS_OK);
    CU_ASSERT_EQUAL(graph_checksum(&copy), graph_checksum(&expected));
    CU_ASSERT_EQUAL(copy.max_weight, 4);
    CU_ASSERT_EQUAL(copy.edges_read, 4);
    graph_free(&copy);
    graph_free(&expected);
    graph_free(&g);

    g = graph_of_real(3, NUMBER_FLOAT32, real, 3);
    CU_ASSERT_EQUAL(graph_count_up_to(&g, 0.5), 2); /* the third weight is rounded to 0.5 */
    CU_ASSERT_EQUAL_FATAL(graph_copy_up_to(&g, 0.5, &copy, &err), STATUS_OK);
    CU_ASSERT_EQUAL(copy.type, NUMBER_FLOAT32);
    CU_ASSERT_EQUAL(copy.m, 2);
    CU_ASSERT_EQUAL(graph_find_edge(&copy, 0, 2), -1);
    CU_ASSERT_EQUAL(copy.max_weight, 0.5);
    graph_free(&copy);
    graph_free(&g);
}

static void test_hub(void) {
    const struct edge edges[] = {{0, 1, 1}, {2, 0, 1}, {2, 1, 1}, {3, 0, 1}, {3, 2, 1}};
    struct graph g = graph_of(4, edges, 5), none = graph_of(2, edges, 0);
    CU_ASSERT_EQUAL(graph_hub(&g), 2);
    CU_ASSERT_EQUAL(graph_hub(&none), 0);
    graph_free(&g);
    graph_free(&none);
}

/* A graph in borrowed memory equals the graph that copies the edges, counts as held memory, and
 * does not free it. */
static void test_borrowed(void) {
    enum { N = 200, M = N * N };
    const uint64_t before = memory_held();
    int64_t first[N + 1];
    int32_t *const head = malloc(M * sizeof *head);
    double *const weight = malloc(M * sizeof *weight);
    struct graph copied, borrowing, again;
    struct error err;
    CU_ASSERT_PTR_NOT_NULL_FATAL(head);
    CU_ASSERT_PTR_NOT_NULL_FATAL(weight);
    for (int32_t v = 0; v <= N; v++)
        first[v] = (int64_t)v * N;
    for (int32_t e = 0; e < M; e++) {
        head[e] = e % N;
        weight[e] = e % 7 == 0 ? -0.0 : 1.0 / (1 + e % 90);
    }
    CU_ASSERT_EQUAL_FATAL(graph_from_rows(&copied, N, first, head, NULL, weight, &err), STATUS_OK);
    const uint64_t held = memory_held() - before;
    const uint32_t checksum = graph_checksum(&copied);
    CU_ASSERT_EQUAL(copied.m, M - N); /* without self-loops */
    graph_free(&copied);
    CU_ASSERT_EQUAL_FATAL(graph_borrow_rows(&borrowing, N, first, head, NULL, weight, &err),
                          STATUS_OK);
    CU_ASSERT_PTR_EQUAL(borrowing.head, head);
    CU_ASSERT_PTR_EQUAL(borrowing.real_weight, weight);
    CU_ASSERT_EQUAL(graph_checksum(&borrowing), checksum);
    CU_ASSERT(memory_held() - before >= held - held / 50 && memory_held() - before <= held);
    CU_ASSERT_EQUAL_FATAL(graph_copy(&borrowing, &again, &err), STATUS_OK);
    graph_free(&borrowing);
    CU_ASSERT_EQUAL(graph_checksum(&again), checksum);
    graph_free(&again);
    CU_ASSERT_EQUAL(memory_held(), before);
    CU_ASSERT_EQUAL(head[0], 1); /* the memory still belongs to the caller */
    free(head);
    free(weight);
}

static int compare_edges(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* Compares many edges, with rows of every length, in order and not, with all edges sorted. */
static void check_many(struct random *random, int32_t n, int32_t count) {
    struct edge *const edges = calloc((size_t)count, sizeof *edges);
    struct real_edge *const real = malloc(sizeof *real * (size_t)count);
    struct graph g, of_real;
    struct error err;
    int64_t m = 0, row = 0;
    int32_t least = INT32_MAX, most = INT32_MIN;
    for (int32_t e = 0; e < count; e++) {
        const int32_t from = random_in(random, 0, 2) > 0 ? random_in(random, 0, n / 50)
                                                         : random_in(random, 0, n - 1);
        edges[e] = (struct edge){from, random_in(random, 0, n - 1), random_in(random, -3, 9)};
        real[e] = (struct real_edge){from, edges[e].to, edges[e].weight};
    }
    g = graph_of(n, edges, count);
    CU_ASSERT_EQUAL_FATAL(graph_build_real(&of_real, n, NUMBER_FLOAT64, real, count, NULL, &err),
                          STATUS_OK);
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int32_t e = 0; e < count; e++) {
        const bool is_parallel =
            e > 0 && edges[e].from == edges[e - 1].from && edges[e].to == edges[e - 1].to;
        if (is_parallel || (edges[e].from == edges[e].to && edges[e].weight >= 0))
            continue;
        while (row <= edges[e].from)
            CU_ASSERT_EQUAL(g.first[row++], m);
        CU_ASSERT_FATAL(m < g.m && m < of_real.m);
        CU_ASSERT(g.head[m] == edges[e].to && g.weight[m] == edges[e].weight);
        CU_ASSERT(of_real.head[m] == edges[e].to && of_real.real_weight[m] == edges[e].weight);
        least = edges[e].weight < least ? edges[e].weight : least;
        most = edges[e].weight > most ? edges[e].weight : most;
        m++;
    }
    CU_ASSERT(g.m == m && of_real.m == m && g.first[n] == m && g.edges_read == count);
    CU_ASSERT_EQUAL(memcmp(g.first, of_real.first, sizeof *g.first * ((size_t)n + 1)), 0);
    CU_ASSERT(g.min_weight == least && of_real.min_weight == least);
    CU_ASSERT(g.max_weight == most && of_real.max_weight == most);
    graph_free(&g);
    graph_free(&of_real);
    free(edges);
    free(real);
}

static void test_many(void) {
    static const int32_t sizes[][2] = {
        {3, 400}, {64, 5000}, {65, 3000}, {700, 9000}, {70000, 60000}};
    struct random random = {44};
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++)
        check_many(&random, sizes[k][0], sizes[k][1]);
}

/* Returns the edge from u to v, found one after the other; -1: none. */
static int64_t edge_between(const struct graph *g, int32_t u, int32_t v) {
    for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
        if (g->head[e] == v)
            return e;
    }
    return -1;
}

/* Edges are found in short rows and in long ones, whether their heads are spread evenly or lie
 * together; and so is an edge that has no reverse, whatever thread meets it. A self-loop is its own
 * reverse. */
static void test_find(void) {
    struct random random = {31};
    for (int round = 0; round < 60; round++) {
        const int32_t n = random_in(&random, 2, 150), hub = random_in(&random, 0, n - 1);
        const int32_t low = random_in(&random, 0, n - 1);
        struct graph g = random_graph(&random, n, random_in(&random, 1, 60), WEIGHTS_POSITIVE);
        struct edge *const edges = malloc(sizeof *edges * 2 * ((size_t)g.m + (size_t)n + 1));
        int64_t count = 0;
        for (int32_t u = 0; u < n; u++) {
            for (int64_t e = g.first[u]; e < g.first[u + 1]; e++)
                edges[count++] = (struct edge){u, g.head[e], g.weight[e]};
            if (u >= low)
                edges[count++] = (struct edge){hub, u, 1};
        }
        graph_free(&g);
        if (round % 2 == 0)
            count = graph_append_reverses(edges, count);
        if (round % 4 == 0 && hub != low)
            edges[count++] = (struct edge){hub, low, 0};
        if (round % 3 == 0)
            edges[count++] = (struct edge){hub, hub, -1};
        g = graph_of(n, edges, count);
        bool directed = false, found = true;
        for (int32_t u = 0; u < n; u++) {
            for (int32_t v = 0; v < n; v++) {
                const int64_t e = edge_between(&g, u, v), back = edge_between(&g, v, u);
                found = found && graph_find_edge(&g, u, v) == e;
                directed =
                    directed || (e < 0) != (back < 0) || (e >= 0 && g.weight[e] != g.weight[back]);
            }
        }
        CU_ASSERT(found);
        CU_ASSERT_EQUAL(graph_is_directed(&g, 1), directed);
        CU_ASSERT_EQUAL(graph_is_directed(&g, 3), directed);
        graph_free(&g);
        free(edges);
    }
}

CU_TestInfo graph_tests[] = {
    {"edges between two vertices, and their reverses", test_find},
    {"parallel edges and self-loops", test_parallel_edges_and_loops},
    {"a negative self-loop is kept", test_negative_loop_is_kept},
    {"no edges", test_no_edges},
    {"many edges", test_many},
    {"reversing", test_reverse},
    {"checksum", test_checksum},
    {"checksum of an integral graph", test_integral_checksum},
    {"adjacency matrices", test_matrices},
    {"edges up to a weight", test_up_to},
    {"the vertex with the most edges", test_hub},
    {"a graph in the memory of edges", test_borrowed},
    CU_TEST_INFO_NULL,
};
