// SPDX-License-Identifier: MIT
/* Edges that no shortest path has: what is left of a graph has its distances and its tight edges.
 */
#include "solve/light_edges.h"

#include "tests/unit/real_graphs.h"

#include <math.h>
#include <stdlib.h>

static struct graph light_of(const struct graph *g) {
    struct graph light;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(light_edges_find(g, LIGHT_EDGES_OF_MANY, &light, NULL, &err), STATUS_OK);
    return light;
}

/* Returns whether `light` has the distances of g and every edge of g that is tight from some
 * source, in the sums of the definition. */
static bool has_all_that_is_tight(const struct graph *g, const struct graph *light) {
    double dist[REAL_MAX_N], in_light[REAL_MAX_N];
    bool right = true;
    for (int32_t s = 0; s < g->n; s++) {
        search_real(g, s, dist, NULL);
        search_real(light, s, in_light, NULL);
        for (int32_t u = 0; u < g->n; u++) {
            right = right && dist[u] == in_light[u];
            for (int64_t e = g->first[u]; e < g->first[u + 1] && !isinf(dist[u]); e++) {
                const bool is_tight =
                    rounded(g->type, dist[u] + g->real_weight[e]) == dist[g->head[e]];
                right = right && (!is_tight || graph_find_edge(light, u, g->head[e]) >= 0);
            }
        }
    }
    return right;
}

static void test_kinds(void) {
    struct random random = {.state = 21};
    int found = 0;
    for (int round = 0; round < 4 * REAL_KINDS; round++) {
        const enum number_type type = round % 2 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
        const int32_t n = random_in(&random, 60, REAL_MAX_N);
        struct graph g = random_real_graph(&random, n, round % 3 ? 100 : 80, type,
                                           (enum real_kind)(round % REAL_KINDS));
        struct graph light = light_of(&g);
        if (light.n > 0) {
            CU_ASSERT(light.m <= g.m / 2);
            CU_ASSERT(light.n == g.n && light.type == g.type && light.edges_read == g.edges_read);
            CU_ASSERT(has_all_that_is_tight(&g, &light));
            found++;
        }
        graph_free(&light);
        graph_free(&g);
    }
    CU_ASSERT(found >= REAL_KINDS);
}

/* Few edges are left of a complete graph with independent weights. */
static void test_few(void) {
    struct random random = {.state = 22};
    struct graph g = random_real_graph(&random, REAL_MAX_N, 100, NUMBER_FLOAT64, UNIFORM);
    struct graph light = light_of(&g);
    CU_ASSERT(light.m > 0 && light.m < g.m / 3);
    graph_free(&light);
    graph_free(&g);
}

/* All edges exist already; later entries of an edge list replace their weights. */
enum { N = 64 };
static struct graph complete(enum number_type type, double weight, const struct real_edge *lighter,
                             int count) {
    struct real_edge *const edges = malloc((N * N + (size_t)count) * sizeof *edges);
    int64_t m = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    for (int32_t u = 0; u < N; u++) {
        for (int32_t v = 0; v < N; v++)
            edges[m++] = (struct real_edge){u, v, weight};
    }
    for (int k = 0; k < count; k++)
        edges[m++] = lighter[k];
    struct graph g = graph_of_real(N, type, edges, m);
    free(edges);
    return g;
}

/* Each edge of a chain adds 0.6 units in the last place to a sum of 1, which is rounded to 1 unit.
 * So an edge parallel to the chain is the shortest path though the chain weighs less. */
static void test_rounding(void) {
    enum { CHAIN = 10 };
    const double unit = 0x1p-23, beside = 1 + 0.8 * CHAIN * unit;
    struct real_edge lighter[3 * N];
    double dist[REAL_MAX_N];
    int count = 0;
    for (int32_t v = 1; v < N; v++) {
        lighter[count++] = (struct real_edge){v, 0, 0x1p-40};
        if (v > CHAIN + 1)
            lighter[count++] = (struct real_edge){0, v, 0.5};
    }
    lighter[count++] = (struct real_edge){0, 1, 1};
    for (int32_t v = 1; v <= CHAIN; v++)
        lighter[count++] = (struct real_edge){v, v + 1, 0.6 * unit};
    lighter[count++] = (struct real_edge){0, CHAIN + 1, beside};
    struct graph g = complete(NUMBER_FLOAT32, 100, lighter, count), light = light_of(&g);
    search_real(&g, 0, dist, NULL);
    CU_ASSERT_EQUAL(dist[CHAIN], 1 + (CHAIN - 1) * unit);
    CU_ASSERT_EQUAL(dist[CHAIN + 1], beside);
    CU_ASSERT_EQUAL(light.n, N);
    CU_ASSERT(has_all_that_is_tight(&g, &light));
    graph_free(&light);
    graph_free(&g);
}

/* Checks that no edge is left out of a graph for which that would not pay. */
static void expect_none(struct graph g) {
    struct graph light = light_of(&g);
    CU_ASSERT_EQUAL(light.n, 0);
    CU_ASSERT_PTR_NULL(light.first);
    graph_free(&light);
    graph_free(&g);
}

/* A complete graph without the edges to the last vertex, so that distances have no bound; one edge
 * in five is light. */
static struct graph without_last_column(void) {
    struct real_edge edges[N * N];
    int64_t m = 0;
    for (int32_t u = 0; u < N; u++) {
        for (int32_t v = 0; v < N - 1; v++)
            edges[m++] = (struct real_edge){u, v, (u + v) % 5 == 0 ? 0.5 : 9};
    }
    return graph_of_real(N, NUMBER_FLOAT64, edges, m);
}

static void test_as_it_is(void) {
    struct random random = {.state = 23};
    struct real_edge chain[N], away[N];
    for (int32_t v = 0; v < N; v++) {
        chain[v] = (struct real_edge){v, (v + 1) % N, 1};
        away[v] = (struct real_edge){v, 0, 1};
    }
    expect_none(complete(NUMBER_FLOAT64, 1, NULL, 0)); /* each edge is a shortest path */
    expect_none(complete(NUMBER_FLOAT64, 0, NULL, 0));
    expect_none(complete(NUMBER_FLOAT64, 2, &(struct real_edge){3, 4, -0.5}, 1));
    expect_none(complete(NUMBER_FLOAT64, 1e308, chain, 2));
    expect_none(graph_of_real(N, NUMBER_FLOAT64, chain, N));
    expect_none(graph_of_real(N, NUMBER_FLOAT64, away, N));
    expect_none(random_real_graph(&random, 20, 100, NUMBER_FLOAT64, UNIFORM));
    expect_none(without_last_column());
}

static void test_stopped(void) {
    struct graph g = complete(NUMBER_FLOAT64, 5, &(struct real_edge){1, 0, 1}, 1), light;
    struct progress progress = {0};
    struct error err;
    progress_start(&progress, "test");
    progress_stop(&progress);
    CU_ASSERT_EQUAL(light_edges_find(&g, LIGHT_EDGES_OF_MANY, &light, &progress, &err),
                    STATUS_CANCELLED);
    CU_ASSERT_EQUAL(light.n, 0);
    progress_finish(&progress);
    graph_free(&g);
}

CU_TestInfo light_edges_tests[] = {
    {"all that is tight is left, whatever the weights", test_kinds},
    {"few edges of a complete graph are left", test_few},
    {"an edge that only rounding makes tight", test_rounding},
    {"graphs that stay as they are", test_as_it_is},
    {"stopped", test_stopped},
    CU_TEST_INFO_NULL,
};
