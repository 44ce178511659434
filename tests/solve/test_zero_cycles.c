// SPDX-License-Identifier: MIT
/* Zero-weight cycles: components, and predecessors that run round. */
#include "certificate/certificate.h"
#include "solve/zero_cycles.h"
#include "tests/unit/support.h"

#include <stdlib.h>

/* Returns the component of a vertex; -1 if the vertex is no member. */
static int32_t component_of(const struct zero_cycles *z, int32_t v) {
    int32_t c = 0;
    if (z->components == 0 || z->member[v] < 0)
        return -1;
    while (z->member[v] >= z->first[c + 1])
        c++;
    return c;
}

/* u and v are in one component exactly if each is at distance 0 from the other. */
static void test_components(void) {
    struct random random = {1};
    int with_cycles = 0;
    for (int round = 0; round < 400; round++) {
        int32_t n = random_in(&random, 1, 40);
        struct graph g = random_graph(&random, n, random_in(&random, 1, 12), WEIGHTS_ZERO);
        struct zero_cycles z;
        struct error err;
        int64_t *d;
        reference_distances(&g, &d);
        CU_ASSERT_EQUAL(zero_cycles_find(&g, &z, NULL, &err), STATUS_OK);
        for (int32_t u = 0; u < n; u++) {
            bool alone = true;
            for (int32_t v = 0; v < n; v++) {
                const bool together = d[u * n + v] == 0 && d[v * n + u] == 0;
                alone &= !together || u == v;
                if (u != v)
                    CU_ASSERT_EQUAL(component_of(&z, u) >= 0 &&
                                        component_of(&z, u) == component_of(&z, v),
                                    together);
            }
            CU_ASSERT_EQUAL(component_of(&z, u) < 0, alone);
        }
        with_cycles += z.components > 0;
        zero_cycles_free(&z);
        graph_free(&g);
        free(d);
    }
    CU_ASSERT(with_cycles > 50 && with_cycles < 350);
}

/* Returns the tail of a random tight edge into v. */
static int32_t tight_tail(struct random *random, const struct graph *in, const int32_t *dist,
                          int32_t v) {
    int32_t found = -1, count = 0;
    for (int64_t e = in->first[v]; e < in->first[v + 1]; e++) {
        const int32_t u = in->head[e];
        if (dist[u] < INF && dist[u] + in->weight[e] == dist[v] &&
            random_in(random, 0, count++) == 0)
            found = u;
    }
    return found;
}

/* Predecessors chosen at random among all tight edges often contain cycles; mended ones are proved.
 */
static void test_mending(void) {
    struct random random = {2};
    int refuted = 0;
    for (int round = 0; round < 300; round++) {
        int32_t n = random_in(&random, 2, 70);
        struct graph g = random_graph(&random, n, random_in(&random, 2, 10), WEIGHTS_ZERO), in;
        struct matrix dist, pred;
        struct zero_cycles z;
        struct error err;
        solve_reference(&g, &dist, &pred);
        CU_ASSERT_EQUAL(graph_reverse(&g, &in, &err), STATUS_OK);
        for (int32_t i = 0; i < n; i++) {
            for (int32_t v = 0; v < n; v++)
                matrix_row(&pred, i)[v] = tight_tail(&random, &in, matrix_row(&dist, i), v);
        }
        refuted += certify(&g, &dist, &pred, 1, &err) == STATUS_REFUTED;
        CU_ASSERT_EQUAL(zero_cycles_find(&g, &z, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL(zero_cycles_find_entries(&g, &z, &err), STATUS_OK);
        int32_t scratch[2 * 70];
        for (int32_t i = 0; i < n; i++)
            zero_cycles_mend(&z, i, matrix_row(&dist, i), matrix_row(&pred, i), scratch);
        CU_ASSERT_EQUAL(certify(&g, &dist, &pred, 1, &err), STATUS_OK);
        zero_cycles_free(&z);
        graph_free(&g);
        graph_free(&in);
        matrix_free(&dist);
        matrix_free(&pred);
    }
    CU_ASSERT(refuted > 100);
}

/* Returns whether some edge u -> v of g weighs 0. */
static bool has_zero_edge(const struct graph *g, int32_t u, int32_t v) {
    for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
        if (g->head[e] == v && g->weight[e] == 0)
            return true;
    }
    return false;
}

/* Both trees have zero-weight edges only and lead to the root: `next` because its number falls, and
 * `parent` within as many steps as there are members. */
static void test_trees(void) {
    struct random random = {3};
    int32_t spanned = 0;
    for (int round = 0; round < 300; round++) {
        const int32_t n = random_in(&random, 2, 60);
        struct graph g = random_graph(&random, n, random_in(&random, 1, 12), WEIGHTS_ZERO);
        struct zero_member *span = malloc(sizeof *span * (size_t)n);
        int32_t *parent = malloc(sizeof *parent * (size_t)n);
        struct zero_cycles z;
        struct error err;
        CU_ASSERT_FATAL(span != NULL && parent != NULL);
        CU_ASSERT_EQUAL(zero_cycles_find(&g, &z, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL(zero_cycles_span(&z, span, &err), STATUS_OK);
        for (int32_t k = 0; k < z.members; k++)
            parent[span[k].vertex] = span[k].parent;
        for (int32_t k = 0; k < z.members; k++) {
            const int32_t v = span[k].vertex, low = z.first[span[k].component];
            const bool is_root = k == low;
            int32_t at = v, steps = 0;
            CU_ASSERT_EQUAL(span[k].component, component_of(&z, v));
            CU_ASSERT_EQUAL(span[k].next < 0, is_root);
            if (is_root)
                continue;
            CU_ASSERT(span[k].next >= low && span[k].next < k);
            CU_ASSERT(has_zero_edge(&g, v, span[span[k].next].vertex));
            CU_ASSERT(has_zero_edge(&g, span[k].parent, v));
            while (parent[at] >= 0 && steps++ < z.members)
                at = parent[at];
            CU_ASSERT_EQUAL(at, span[low].vertex);
        }
        spanned += z.members;
        zero_cycles_free(&z);
        graph_free(&g);
        free(span);
        free(parent);
    }
    CU_ASSERT(spanned > 1000);
}

/* One cycle through very many vertices causes no recursion and no quadratic cost. */
static void test_long_cycle(void) {
    enum { N = 1000000 };
    struct edge *edges = malloc(sizeof *edges * N);
    int32_t *dist = calloc(N, sizeof *dist), *pred = malloc(sizeof *pred * N),
            *scratch = malloc(2 * sizeof *scratch * N);
    struct zero_cycles z;
    struct error err;
    CU_ASSERT_FATAL(edges != NULL && dist != NULL && pred != NULL && scratch != NULL);
    for (int32_t v = 0; v < N; v++) {
        edges[v] = (struct edge){v, (v + 1) % N, 0};
        pred[v] = (v + N - 1) % N;
    }
    struct graph g = graph_of(N, edges, N);
    CU_ASSERT_EQUAL(zero_cycles_find(&g, &z, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(z.components, 1);
    CU_ASSERT_EQUAL(z.members, N);
    CU_ASSERT_EQUAL(zero_cycles_find_entries(&g, &z, &err), STATUS_OK);
    zero_cycles_mend(&z, N / 2, dist, pred, scratch);
    CU_ASSERT_EQUAL(pred[N / 2], -1);
    CU_ASSERT_EQUAL(pred[0], N - 1);
    zero_cycles_free(&z);
    graph_free(&g);
    for (int32_t v = 0; v < N; v++)
        edges[v] = (struct edge){v, (v + 1) % N, 0};
    struct graph path = graph_of(N, edges, N - 1);
    CU_ASSERT_EQUAL(zero_cycles_find(&path, &z, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(z.components, 0);
    zero_cycles_free(&z);
    graph_free(&path);
    free(edges);
    free(dist);
    free(pred);
    free(scratch);
}

CU_TestInfo zero_cycles_tests[] = {
    {"components", test_components},
    {"predecessors that run round are mended", test_mending},
    {"trees of components", test_trees},
    {"a cycle of a million vertices", test_long_cycle},
    CU_TEST_INFO_NULL,
};
