// SPDX-License-Identifier: MIT
/* A bound on all distances is above them, and is found for most graphs at a few times the longest.
 */
#include "solve/distance_bound.h"
#include "tests/unit/support.h"

#include <stdlib.h>

static int32_t longest(const struct graph *g) {
    int64_t *distances, most = 0;
    CU_ASSERT_FATAL(reference_distances(g, &distances));
    for (int64_t k = 0; k < (int64_t)g->n * g->n; k++)
        most = distances[k] != INT64_MAX && distances[k] > most ? distances[k] : most;
    free(distances);
    return (int32_t)most;
}

/* Most of these graphs have vertices outside the largest component, before it and behind it. */
static void test_bounds(void) {
    struct random random = {21};
    int bounded = 0;
    for (int round = 0; round < 2000; round++) {
        struct graph g = random_graph(&random, random_in(&random, 2, 30), random_in(&random, 3, 20),
                                      WEIGHTS_POSITIVE);
        const int32_t most = longest(&g);
        CU_ASSERT(!distance_bound_is_below(&g, most));
        bounded += distance_bound_is_below(&g, 6 * most + 1);
        graph_free(&g);
    }
    CU_ASSERT(bounded > 1500);
}

/* Posts in a row, each joined to the next by one long edge, and by two short ones: fewest edges
 * make long paths. What is near the hub refutes a bound if distances reach it, and not if only
 * those paths do. */
static void test_near(void) {
    enum { POSTS = 30000, LONG = 1000, EDGES = 6 * (POSTS - 1) };
    struct edge *const edges = malloc(EDGES * sizeof *edges);
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    int64_t count = 0;
    for (int32_t u = 0; u < 2 * (POSTS - 1); u += 2) {
        for (int back = 0; back <= 1; back++) {
            edges[count++] = (struct edge){back ? u + 2 : u, back ? u : u + 2, LONG};
            edges[count++] = (struct edge){back ? u + 1 : u, back ? u : u + 1, 1};
            edges[count++] = (struct edge){back ? u + 2 : u + 1, back ? u + 1 : u + 2, 1};
        }
    }
    struct graph g = graph_of(2 * POSTS - 1, edges, count);
    CU_ASSERT(!distance_bound_seems_below(&g, 2 * (POSTS - 2)));
    CU_ASSERT(!distance_bound_seems_below(&g, POSTS / 2));
    CU_ASSERT(distance_bound_seems_below(&g, 5 * POSTS));
    graph_free(&g);
    free(edges);
}

CU_TestInfo distance_bound_tests[] = {
    {"bounds are above all distances", test_bounds},
    {"what is near refutes a bound", test_near},
    CU_TEST_INFO_NULL,
};
