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

CU_TestInfo distance_bound_tests[] = {
    {"bounds are above all distances", test_bounds},
    CU_TEST_INFO_NULL,
};
