// SPDX-License-Identifier: MIT
/* Orders by clusters: clusters fall apart, every vertex comes once, threads change nothing, the
 * fill is nearly that of one order of the whole graph, and graphs that do not fall into clusters
 * are left. */
#include "common/base/memory.h" // memory_free
#include "elimination/cluster_order.h"
#include "elimination/clusters.h"
#include "elimination/order.h" // order_is_available
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 }; /* higher neighbours of a vertex that is eliminated in its cluster */

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

static struct pattern pattern_of(const struct graph *g) {
    struct pattern pattern;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(pattern_find(g, 2, &pattern, &err), STATUS_OK);
    return pattern;
}

struct order {
    int32_t *vertex, *first, clusters;
};

static struct order find(const struct pattern *p, int threads) {
    struct order order = {.vertex = malloc(sizeof(int32_t) * (size_t)p->n)};
    struct error err;
    CU_ASSERT_EQUAL_FATAL(
        cluster_order_find(p, threads, order.vertex, &order.clusters, &order.first, &err),
        STATUS_OK);
    return order;
}

static void free_order(struct order *order) {
    free(order->vertex);
    memory_free(order->first);
}

static bool *joined_of(const struct pattern *p) {
    bool *const joined = calloc((size_t)p->n * (size_t)p->n, 1);
    for (int32_t v = 0; v < p->n; v++) {
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++)
            joined[v * p->n + p->neighbour[e]] = true;
    }
    return joined;
}

/* Eliminates v by the definition. Returns how many neighbours it has. */
static int32_t eliminate(bool *joined, int32_t n, int32_t v) {
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        if (!joined[i * n + v])
            continue;
        count++;
        for (int32_t j = 0; j < n; j++)
            joined[i * n + j] |= i != j && joined[v * n + j];
        joined[i * n + v] = false;
    }
    memset(joined + (size_t)v * (size_t)n, 0, (size_t)n);
    return count;
}

/* The entries that an order leaves. position: n numbers, by vertex, of which those of the first
 * `clusters` runs must not be joined when one of them goes. */
static int64_t fill_of(const struct pattern *p, const int32_t *vertex, const struct order *runs) {
    const int32_t n = p->n;
    bool *const joined = joined_of(p);
    int32_t *const run = malloc(sizeof *run * (size_t)n);
    int64_t entries = 0;
    for (int32_t v = 0; v < n; v++)
        run[v] = -1;
    for (int32_t c = 0; runs != NULL && c < runs->clusters; c++) {
        for (int32_t at = runs->first[c]; at < runs->first[c + 1]; at++)
            run[vertex[at]] = c;
    }
    for (int32_t at = 0; at < n; at++) {
        const int32_t v = vertex[at];
        for (int32_t u = 0; u < n; u++)
            CU_ASSERT(!joined[v * n + u] || run[v] < 0 || run[u] < 0 || run[u] == run[v]);
        const int32_t count = eliminate(joined, n, v);
        CU_ASSERT(run[v] < 0 || count <= MOST);
        entries += count;
    }
    free(run);
    free(joined);
    return entries;
}

static void check_same(const struct pattern *p, const struct order *order, int threads) {
    struct order other = find(p, threads);
    CU_ASSERT_EQUAL_FATAL(other.clusters, order->clusters);
    CU_ASSERT_EQUAL(memcmp(other.vertex, order->vertex, sizeof(int32_t) * (size_t)p->n), 0);
    CU_ASSERT_EQUAL(
        memcmp(other.first, order->first, sizeof(int32_t) * ((size_t)order->clusters + 1)), 0);
    free_order(&other);
}

/* Returns how many entries one order of the whole leaves. */
static int64_t check_order(const struct graph *g, int64_t *by_clusters) {
    struct pattern p = pattern_of(g);
    struct order order = find(&p, 1);
    int32_t *const whole = malloc(sizeof *whole * (size_t)g->n);
    bool *const is_there = calloc((size_t)g->n, 1);
    struct error err;
    CU_ASSERT_FATAL(order.clusters > 1 && order.first[0] == 0);
    for (int32_t c = 0; c < order.clusters; c++)
        CU_ASSERT(order.first[c] <= order.first[c + 1] && order.first[c + 1] <= g->n);
    for (int32_t at = 0; at < g->n; at++) {
        CU_ASSERT_FATAL(order.vertex[at] >= 0 && order.vertex[at] < g->n);
        CU_ASSERT(!is_there[order.vertex[at]]);
        is_there[order.vertex[at]] = true;
    }
    *by_clusters += fill_of(&p, order.vertex, &order);
    check_same(&p, &order, 2);
    check_same(&p, &order, 5);
    CU_ASSERT_EQUAL_FATAL(order_find(&p, whole, &err), STATUS_OK);
    const int64_t entries = fill_of(&p, whole, NULL);
    free(whole);
    free(is_there);
    free_order(&order);
    pattern_free(&p);
    return entries;
}

/* Streets: clusters cost little fill, though they are as small as here. */
static void test_streets(void) {
    struct random random = {77};
    int64_t whole = 0, by_clusters = 0;
    for (int round = 0; round < 12 && !skipped(); round++) {
        struct graph g = random_streets(&random, random_in(&random, 12, 24), 1, 9, true);
        whole += check_order(&g, &by_clusters);
        graph_free(&g);
    }
    CU_ASSERT(5 * by_clusters <= 6 * whole);
}

/* A tree with a path at each of its vertices: clusters without cycles leave no fill at all but
 * where they meet. */
static void test_tree(void) {
    enum { N = 900 };
    static struct edge edges[N - 1];
    struct random random = {5};
    int64_t by_clusters = 0;
    for (int32_t v = 1; v < N; v++)
        edges[v - 1] = (struct edge){v, v % 3 == 0 ? random_in(&random, 0, v - 1) : v - 1, 1};
    struct graph g = graph_of(N, edges, N - 1);
    if (!skipped()) {
        CU_ASSERT_EQUAL(check_order(&g, &by_clusters), N - 1);
        CU_ASSERT(by_clusters < N + N / 10);
    }
    graph_free(&g);
}

/* Clusters are not empty, none has too many vertices, and few are small. */
static void test_clusters(void) {
    enum { LARGEST = 50 };
    struct random random = {3};
    struct graph g = random_streets(&random, 30, 1, 9, false);
    struct pattern p = pattern_of(&g);
    int32_t *const cluster = malloc(sizeof *cluster * (size_t)g.n), size[900] = {0}, clusters;
    int64_t between = 0;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(clusters_find(&p, LARGEST, 3, cluster, &clusters, &err), STATUS_OK);
    CU_ASSERT_FATAL(clusters >= g.n / LARGEST && clusters < 3 * g.n / LARGEST);
    for (int32_t v = 0; v < g.n; v++) {
        CU_ASSERT_FATAL(cluster[v] >= 0 && cluster[v] < clusters);
        size[cluster[v]]++;
        for (int64_t e = p.first[v]; e < p.first[v + 1]; e++)
            between += cluster[p.neighbour[e]] != cluster[v];
    }
    for (int32_t c = 0; c < clusters; c++)
        CU_ASSERT(size[c] > 0 && size[c] <= LARGEST);
    CU_ASSERT(between < p.first[g.n] / 4);
    free(cluster);
    pattern_free(&p);
    graph_free(&g);
}

/* Graphs that do not fall into clusters: a star, whose vertices do not merge in pairs, and one in
 * which everything is near everything. */
static void test_left(void) {
    enum { N = 600, EDGES = 6 * N };
    static struct edge edges[EDGES];
    struct random random = {8};
    int32_t cluster[N], clusters = 1;
    struct error err;
    for (int32_t v = 1; v < N; v++)
        edges[v - 1] = (struct edge){0, v, 1};
    struct graph star = graph_of(N, edges, N - 1);
    struct pattern p = pattern_of(&star);
    CU_ASSERT_EQUAL(clusters_find(&p, N, 2, cluster, &clusters, &err), STATUS_OK);
    CU_ASSERT_EQUAL(clusters, 0);
    pattern_free(&p);
    graph_free(&star);
    for (int32_t e = 0; e < EDGES; e++)
        edges[e] = (struct edge){random_in(&random, 0, N - 1), e % N, 1};
    struct graph dense = graph_of(N, edges, EDGES);
    p = pattern_of(&dense);
    struct order order = find(&p, 2);
    CU_ASSERT(order.clusters == 0 && order.first == NULL);
    free_order(&order);
    pattern_free(&p);
    graph_free(&dense);
}

CU_TestInfo cluster_order_tests[] = {
    {"streets", test_streets},   {"a tree", test_tree},
    {"clusters", test_clusters}, {"graphs without clusters", test_left},
    CU_TEST_INFO_NULL,
};
