// SPDX-License-Identifier: MIT
/* `cpu`'s blocked variants: every instruction set, any number of threads, the limits of 16 bits,
 * and the rule by which predecessors are chosen. */
#include "cpu/parts/min_plus.h"     // INF16
#include "cpu/parts/predecessors.h" // predecessors_derive
#include "engines/cpu_variants.h"   // cpu_solver
#include "solve/distance_bound.h"   // distance_bound_seems_below
#include "solve/solve.h"            // solve
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const names[] = {"blocked", "blocked16", "blocked32"};

/* One solve with predecessors into new matrices, to free. */
static enum status solve_into(const char *variant, const struct graph *g, int threads,
                              struct matrix *dist, struct matrix *pred, struct error *err) {
    const struct solver_options options = {.threads = threads};
    struct timing timing;
    *dist = new_matrix(g->n);
    *pred = new_matrix(g->n);
    memset(dist->cell, 0x5a, sizeof(int32_t) * (size_t)g->n * dist->ld);
    memset(pred->cell, 0x5a, sizeof(int32_t) * (size_t)g->n * pred->ld);
    return solve(solver_find(&cpu_solver, variant), g, &options, dist, pred, NULL, 1, &timing, err);
}

/* Distances as `sequential` has them, predecessors as the certificate demands; both the same bytes
 * for every variant, instruction set and number of threads. */
static void check_everywhere(const struct graph *g) {
    struct matrix expected, unused, pred = {0};
    struct error err;
    solve_reference(g, &expected, &unused);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!isa_is_supported((enum isa)isa))
            continue;
        setenv("APSP_SIMD", isa_name((enum isa)isa), 1);
        for (size_t k = 0; k < COUNT(names); k++) {
            for (int threads = 1; threads <= 4; threads += threads == 1 ? 1 : 2) {
                struct matrix dist, mine;
                bool right = solve_into(names[k], g, threads, &dist, &mine, &err) == STATUS_OK &&
                             same_matrix(&dist, &expected);
                if (right && pred.cell == NULL)
                    right = certify(g, &dist, &mine, 1, &err) == STATUS_OK;
                else
                    right = right && same_matrix(&mine, &pred);
                if (!right)
                    printf("\n    %s, %s, %d threads, n = %d", names[k], isa_name((enum isa)isa),
                           threads, g->n);
                CU_ASSERT(right);
                matrix_free(&dist);
                if (pred.cell == NULL)
                    pred = mine;
                else
                    matrix_free(&mine);
            }
        }
    }
    unsetenv("APSP_SIMD");
    matrix_free(&expected);
    matrix_free(&unused);
    matrix_free(&pred);
}

/* Sizes at which tiles, blocks, strips of sources, tasks and the rounds before a phase 3 end, and
 * one with all of them more than once. */
static void test_everywhere(void) {
    static const int32_t sizes[] = {1,  2,  3,  6,   8,   9,   16,  31,  33,  48,  63,  65, 95,
                                    96, 97, 98, 129, 191, 192, 193, 287, 384, 385, 481, 865};
#ifdef APSP_SANITIZED
    enum { SIZES = COUNT(sizes) - 2 }; /* what those repeat takes them long */
#else
    enum { SIZES = COUNT(sizes) };
#endif
    struct random random = {1};
    for (size_t s = 0; s < SIZES; s++) {
        const enum weights kinds[] = {s % 2 == 0 ? WEIGHTS_POSITIVE : WEIGHTS_NEGATIVE,
                                      WEIGHTS_ZERO};
        for (size_t k = 0; k < COUNT(kinds); k++) {
            struct graph g = random_graph(&random, sizes[s], sizes[s] < 40 ? 30 : 3, kinds[k]);
            check_everywhere(&g);
            graph_free(&g);
        }
    }
}

/* A ring of edges of weight 1 but for one: every row has its own order of vertices. */
static void test_deep(void) {
    enum { N = 250 };
    struct edge edges[2 * N];
    for (int32_t v = 0; v < N; v++) {
        edges[2 * v] = (struct edge){v * 7 % N, (v + 1) * 7 % N, v == 9 ? 5 : 1};
        edges[2 * v + 1] = (struct edge){(v + 1) * 7 % N, v * 7 % N, 1};
    }
    struct graph g = graph_of(N, edges, 2 * N);
    check_everywhere(&g);
    graph_free(&g);
}

/* Nothing is refused that fits into 16 bits, and nothing wrong is given that does not. */
static void check_limit(const struct edge *edges, int64_t count, int32_t n, bool exact) {
    struct graph g = graph_of(n, edges, count);
    struct matrix expected, unused, dist, pred;
    struct error err;
    solve_reference(&g, &expected, &unused);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!isa_is_supported((enum isa)isa))
            continue;
        setenv("APSP_SIMD", isa_name((enum isa)isa), 1);
        for (size_t k = 0; k < COUNT(names); k++) {
            const bool refused = strcmp(names[k], "blocked16") == 0 && !exact;
            const enum status status = solve_into(names[k], &g, 2, &dist, &pred, &err);
            CU_ASSERT_EQUAL(status, refused ? STATUS_BAD_INPUT : STATUS_OK);
            if (refused)
                CU_ASSERT_STRING_EQUAL(err.text, "variant blocked16 is not exact for this graph: a "
                                                 "distance is 32767 or more");
            CU_ASSERT(refused || same_matrix(&dist, &expected));
            CU_ASSERT(refused || certify(&g, &dist, &pred, 1, &err) == STATUS_OK);
            matrix_free(&dist);
            matrix_free(&pred);
        }
    }
    unsetenv("APSP_SIMD");
    graph_free(&g);
    matrix_free(&expected);
    matrix_free(&unused);
}

static void test_limits_of_16_bits(void) {
    for (int32_t length = INF16 - 3; length <= INF16 + 3; length++) {
        const struct edge one[] = {{0, 1, length}};
        const struct edge two[] = {{0, 150, length / 2}, {150, 1, length - length / 2}};
        const struct edge detour[] = {{0, 1, length}, {0, 150, 3}, {150, 1, 4}};
        check_limit(one, 1, 2, length < INF16);
        check_limit(two, 2, 151, length < INF16);
        check_limit(detour, 3, 151, true);
    }
    /* Around the range of the cells, and sums that would wrap round in them. */
    for (int32_t length = UINT16_MAX - 2; length <= UINT16_MAX + 3; length++) {
        const struct edge one[] = {{0, 1, length}};
        const struct edge two[] = {{0, 150, length / 2}, {150, 1, length - length / 2}};
        const struct edge detour[] = {{0, 1, length}, {0, 150, 3}, {150, 1, INF16 - 4}};
        check_limit(one, 1, 2, false);
        check_limit(two, 2, 151, false);
        check_limit(detour, 3, 151, true);
    }
    /* If no cell is without a path, nothing can have been cut off. */
    const struct edge ring[] = {{0, 1, 16383}, {1, 2, 16383}, {2, 0, 16383}};
    check_limit(ring, 3, 3, true);
    const struct edge longer_ring[] = {{0, 1, 16383}, {1, 2, 16384}, {2, 0, 16383}};
    check_limit(longer_ring, 3, 3, false);
}

/* The guess looks at one component only; another is too long. */
static void test_wrong_guess(void) {
    enum { DENSE = 20, N = DENSE + 5 };
    struct edge edges[DENSE * DENSE + 3];
    int64_t count = 0;
    for (int32_t u = 0; u < DENSE; u++) {
        for (int32_t v = 0; v < DENSE; v++)
            edges[count++] = (struct edge){u, v, 1 + (u + v) % 5};
    }
    edges[count++] = (struct edge){DENSE, DENSE + 1, 30000};
    edges[count++] = (struct edge){DENSE + 1, DENSE + 2, 30000};
    edges[count++] =
        (struct edge){DENSE + 3, DENSE + 4, 40000}; /* which 16 bits do not even hold */
    struct graph g = graph_of(N, edges, count);
    CU_ASSERT(distance_bound_seems_below(&g, INF16));
    graph_free(&g);
    check_limit(edges, count, N, false);
}

/* The bound: the longest of the shortest paths from the hub, 0, and to it. */
static void test_reach(void) {
    const struct edge edges[] = {{0, 1, 50}, {0, 2, 10}, {2, 1, 10}, {0, 3, 1},
                                 {1, 4, 90}, {4, 0, 10}, {1, 0, 70}, {3, 0, 2},
                                 {1, 5, 9},  {5, 6, 40}, {7, 8, 500}}; /* the last two apart */
    struct graph g = graph_of(5, edges, COUNT(edges) - 3);
    /* 0 - 2 - 1 - 4 and 2 - 1 - 0 */
    CU_ASSERT(distance_bound_seems_below(&g, 110 + 80 + 1));
    CU_ASSERT(!distance_bound_seems_below(&g, 110 + 80));
    CU_ASSERT(distance_bound_is_below(&g, 110 + 80 + 1));
    CU_ASSERT(!distance_bound_is_below(&g, 110 + 80));
    graph_free(&g);
    /* Outside the hub's component, 5 -> 6 and 7 -> 8. */
    g = graph_of(9, edges, COUNT(edges));
    CU_ASSERT(distance_bound_is_below(&g, 40 + 500 + 1));
    CU_ASSERT(!distance_bound_is_below(&g, 40 + 500));
    graph_free(&g);
}

/* A limit that is said to be certain is certain, and most limits that are not too close are. */
static void test_certain(void) {
    struct random random = {9};
    int certain = 0, rounds = 0;
    for (int round = 0; round < 200; round++) {
        const int32_t n = random_in(&random, 1, 40);
        struct graph g = random_graph(&random, n, random_in(&random, 1, 40), WEIGHTS_POSITIVE);
        struct matrix dist, pred;
        int32_t largest = 0;
        solve_reference(&g, &dist, &pred);
        for (int32_t i = 0; i < n * n; i++) {
            const int32_t d = matrix_row(&dist, i / n)[i % n];
            largest = d < INF && d > largest ? d : largest;
        }
        CU_ASSERT(!distance_bound_is_below(&g, largest));
        certain += distance_bound_is_below(&g, 3 * largest + 1);
        rounds += largest > 0;
        graph_free(&g);
        matrix_free(&dist);
        matrix_free(&pred);
    }
    CU_ASSERT(2 * certain > rounds);
}

/* It is the edge from the source if that is tight, otherwise the lowest tail, with cells of either
 * width. */
static void check_rule(const struct graph *g) {
    struct matrix dist, unused, pred[2] = {new_matrix(g->n), new_matrix(g->n)};
    struct error err;
    solve_reference(g, &dist, &unused);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!isa_is_supported((enum isa)isa))
            continue;
        for (int wide = 0; wide <= 1; wide++) {
            const struct predecessors_task task = {.graph = g,
                                                   .sources = {NULL, g->n},
                                                   .dist = &dist,
                                                   .ranks = &ranks_alone,
                                                   .longest = wide ? INF - 1 : INF16 - 1,
                                                   .isa = (enum isa)isa,
                                                   .threads = 1 + isa};
            CU_ASSERT_EQUAL(predecessors_derive(&task, &pred[wide], &err), STATUS_OK);
        }
        bool right = same_matrix(&pred[0], &pred[1]);
        for (int32_t i = 0; i < g->n; i++) {
            for (int32_t j = 0; j < g->n; j++) {
                int32_t expected = -1;
                for (int32_t u = g->n - 1; u >= -1; u--) {
                    const int32_t tail = u < 0 ? i : u; /* the source last */
                    const int64_t e = graph_find_edge(g, tail, j);
                    if (i != j && e >= 0 && matrix_row(&dist, i)[j] < INF &&
                        matrix_row(&dist, i)[tail] + (int64_t)g->weight[e] ==
                            matrix_row(&dist, i)[j])
                        expected = tail;
                }
                right = right && matrix_row(&pred[0], i)[j] == expected;
            }
        }
        CU_ASSERT(right);
    }
    matrix_free(&dist);
    matrix_free(&unused);
    matrix_free(&pred[0]);
    matrix_free(&pred[1]);
}

static void test_rule(void) {
    struct random random = {2};
    for (int32_t n = 1; n <= 140; n += 23) {
        for (int percent = 2; percent <= 98; percent += 32) {
            struct graph g = random_graph(&random, n, percent, WEIGHTS_POSITIVE);
            for (int64_t e = 0; e < g.m; e++)
                g.weight[e] = 1 + g.weight[e] / 50; /* 1 .. 3: many ties */
            g.max_weight = 3;
            check_rule(&g);
            graph_free(&g);
        }
    }
}

static void test_unknown_instructions(void) {
    const struct edge edges[] = {{0, 1, 1}};
    struct graph g = graph_of(2, edges, 1);
    struct matrix dist, pred;
    struct error err;
    setenv("APSP_SIMD", "mmx", 1);
    for (size_t k = 0; k < COUNT(names); k++) {
        CU_ASSERT_EQUAL(solve_into(names[k], &g, 1, &dist, &pred, &err), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "APSP_SIMD: expected portable"));
        matrix_free(&dist);
        matrix_free(&pred);
    }
    unsetenv("APSP_SIMD");
    graph_free(&g);
}

CU_TestInfo blocked_tests[] = {
    {"same bytes on every instruction set and 1 to 4 threads", test_everywhere},
    {"a ring", test_deep},
    {"limits of 16 bits", test_limits_of_16_bits},
    {"16 bits tried in vain", test_wrong_guess},
    {"bounds on distances", test_reach},
    {"certain bounds on distances", test_certain},
    {"rule for predecessors", test_rule},
    {"unknown instructions", test_unknown_instructions},
    CU_TEST_INFO_NULL,
};
