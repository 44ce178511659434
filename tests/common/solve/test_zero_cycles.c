// SPDX-License-Identifier: MIT
/* Zero-weight cycles: components, and solutions expanded from the quotient. */
#include "common/certificate/certificate.h"
#include "common/solve/zero_cycles.h"
#include "tests/unit/support.h"

#include <stdlib.h>

/* u and v are in one component exactly where each is at distance 0 from the
 * other. */
static void test_components(void) {
    struct random random = {1};
    int contracted = 0;
    for (int round = 0; round < 400; round++) {
        int32_t n = random_in(&random, 1, 40);
        struct graph g = random_graph(&random, n, random_in(&random, 1, 12), WEIGHTS_ZERO);
        struct contraction c;
        struct error err;
        int64_t *d;
        bool any = false;
        reference_distances(&g, &d);
        CU_ASSERT_EQUAL(contraction_find(&g, &c, NULL, &err), STATUS_OK);
        for (int32_t u = 0; u < n; u++) {
            for (int32_t v = 0; v < n; v++) {
                bool together = d[u * n + v] == 0 && d[v * n + u] == 0;
                any |= together && u != v;
                if (c.quotient.n > 0)
                    CU_ASSERT_EQUAL(c.component[u] == c.component[v], together);
            }
            if (c.quotient.n > 0)
                CU_ASSERT(c.component[u] <= u);
        }
        CU_ASSERT_EQUAL(any, c.quotient.n > 0);
        contracted += any;
        contraction_free(&c);
        graph_free(&g);
        free(d);
    }
    CU_ASSERT(contracted > 50 && contracted < 350);
}

/* Dense in zeros: few components, all solved and proved. */
static void test_expansion(void) {
    struct random random = {2};
    for (int round = 0; round < 100; round++) {
        int32_t n = random_in(&random, 2, 70);
        struct graph g = random_graph(&random, n, random_in(&random, 2, 10), WEIGHTS_ZERO);
        struct matrix dist, pred;
        struct error err;
        solve_reference(&g, &dist, &pred);
        CU_ASSERT_EQUAL(certify(&g, &dist, &pred, 1, &err), STATUS_OK);
        graph_free(&g);
        matrix_free(&dist);
        matrix_free(&pred);
    }
}

/* One cycle through very many vertices: no recursion, no quadratic cost. */
static void test_long_cycle(void) {
    enum { N = 1000000 };
    struct edge *edges = malloc(sizeof *edges * N);
    struct contraction c;
    struct error err;
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    for (int32_t v = 0; v < N; v++)
        edges[v] = (struct edge){v, (v + 1) % N, 0};
    struct graph g = graph_of(N, edges, N);
    CU_ASSERT_EQUAL(contraction_find(&g, &c, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(c.quotient.n, 1);
    contraction_free(&c);
    graph_free(&g);
    struct graph path = graph_of(N, edges, N - 1);
    CU_ASSERT_EQUAL(contraction_find(&path, &c, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(c.quotient.n, 0);
    contraction_free(&c);
    graph_free(&path);
    free(edges);
}

CU_TestInfo zero_cycles_tests[] = {
    {"components", test_components},
    {"expansion", test_expansion},
    {"a cycle of a million vertices", test_long_cycle},
    CU_TEST_INFO_NULL,
};
