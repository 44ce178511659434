// SPDX-License-Identifier: MIT
/* cuda_sparse on the host shim: every width of labels, lists of vertices that are too long, edges
 * that are sorted in several runs, deep graphs and what is done about them. */
#include "common/solve/solve.h" // solve
#include "tests/unit/support.h"

#include "cuda_blocked/registry.h" // cuda_blocked_solver
#include "cuda_runtime_api.h"      // the shim's controls
#include "cuda_sparse/registry.h"  // cuda_sparse_solver

#include <stdlib.h>
#include <string.h>

enum { HOPPER = 9, SHARED_BYTES = 227 * 1024 }; /* of the shim's GPU */

/* Vertices one after the other in a circle, their names shuffled; and some edges across. */
static struct graph circle(struct random *random, int32_t n, int32_t heaviest, int64_t across) {
    struct edge *edges = malloc(sizeof *edges * ((size_t)n + (size_t)across));
    int32_t *name = malloc(sizeof *name * (size_t)n);
    CU_ASSERT_FATAL(edges != NULL && name != NULL);
    for (int32_t v = 0; v < n; v++) {
        const int32_t at = random_in(random, 0, v);
        name[v] = name[at];
        name[at] = v;
    }
    for (int32_t v = 0; v < n; v++)
        edges[v] = (struct edge){name[v], name[(v + 1) % n], random_in(random, 1, heaviest)};
    for (int64_t e = n; e < n + across; e++)
        edges[e] = (struct edge){random_in(random, 0, n - 1), random_in(random, 0, n - 1),
                                 random_in(random, 1, heaviest)};
    struct graph g = graph_of(n, edges, n + across);
    free(edges);
    free(name);
    return g;
}

/* Edges from all vertices to the first and back. */
static struct graph star(int32_t n, int32_t heaviest) {
    struct random random = {12};
    struct edge *edges = malloc(sizeof *edges * 2 * (size_t)n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    for (int32_t v = 1; v < n; v++) {
        edges[2 * v - 2] = (struct edge){v, 0, random_in(&random, 1, heaviest)};
        edges[2 * v - 1] = (struct edge){0, v, random_in(&random, 1, heaviest)};
    }
    struct graph g = graph_of(n, edges, 2 * n - 2);
    free(edges);
    return g;
}

static void keep_choice(void *to, const char *variant, const char *why) {
    (void)why;
    *(const char **)to = variant;
}

/* Solves with and without predecessors, has the certificate judge both, and tells what was
 * chosen. dist and pred keep the results. */
static const char *chosen(const char *variant, const struct graph *g, struct matrix *dist,
                          struct matrix *pred) {
    const char *chosen = "";
    const struct solver_options options = {.on_choice = keep_choice, .callback_context = &chosen};
    for (int with_pred = 0; with_pred <= 1; with_pred++) {
        struct matrix *wanted = with_pred ? pred : NULL;
        struct timing timing;
        struct error err = {""};
        memset(dist->cell, 0x5a, sizeof(int32_t) * (size_t)g->n * dist->ld);
        memset(pred->cell, 0x5a, sizeof(int32_t) * (size_t)g->n * pred->ld);
        CU_ASSERT_EQUAL(solve(solver_find(&cuda_sparse_solver, variant), g, &options, dist, wanted,
                              NULL, 1, &timing, &err),
                        STATUS_OK);
        CU_ASSERT_EQUAL(certify(g, dist, wanted, 1, &err), STATUS_OK);
    }
    return chosen;
}

static void check(const char *variant, const struct graph *g, const char *choice) {
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    CU_ASSERT_STRING_EQUAL(chosen(variant, g, &dist, &pred), choice);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* So much shared memory that four words of labels to a vertex fit, two, one, half a word, none.
 * A dense graph, which has no worklist, and a sparse one; short distances and long ones. */
static void test_widths(void) {
    enum { N = 100, WORKLIST = 2 * 16 + 2 * 2048 };
    static const int words_twice[] = {8, 4, 2, 1, 0};
    struct random random = {10};
    struct graph graphs[] = {
        random_graph(&random, N, 30, WEIGHTS_POSITIVE),
        random_graph(&random, N, 30, WEIGHTS_LARGE),
        circle(&random, N, 100, N),
        circle(&random, N, 1 << 20, N),
    };
    for (int k = 0; k < (int)(sizeof graphs / sizeof *graphs); k++) {
        for (int w = 0; w < (int)(sizeof words_twice / sizeof *words_twice); w++) {
            const int labels = (N * 2 * words_twice[w] + 15) / 16 * 16;
            cuda_shim_set_capability(HOPPER, labels + (k >= 2 ? WORKLIST : 0));
            check("multisource", &graphs[k], "");
        }
        graph_free(&graphs[k]);
    }
    cuda_shim_set_capability(HOPPER, SHARED_BYTES);
}

/* A circle with detours: edges from every vertex to the next, and heavier ones to those behind. */
static struct graph band(int32_t n, int32_t width, int32_t heavy) {
    struct edge *edges = malloc(sizeof *edges * (size_t)n * (size_t)width);
    int64_t count = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    for (int32_t v = 0; v < n; v++) {
        for (int32_t next = 1; next <= width; next++)
            edges[count++] = (struct edge){v, (v + next) % n, next == 1 ? 1 : heavy};
    }
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}

/* More than a hundred sweeps: `multisource` goes through with it, `auto` does not; to the same
 * predecessors. In any order of threads. */
static void check_deep(const struct graph *g, const char *choice) {
    static const char *const others[] = {"queued", "auto"};
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    struct matrix other_dist = new_matrix(g->n), other_pred = new_matrix(g->n);
    for (enum cuda_shim_order order = CUDA_SHIM_ASCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
        cuda_shim_set_order(order);
        CU_ASSERT_STRING_EQUAL(chosen("multisource", g, &dist, &pred), "");
        for (int k = 0; k < 2; k++) {
            CU_ASSERT_STRING_EQUAL(chosen(others[k], g, &other_dist, &other_pred),
                                   k == 0 ? "" : choice);
            CU_ASSERT(same_matrix(&dist, &other_dist) && same_matrix(&pred, &other_pred));
        }
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&other_dist);
    matrix_free(&other_pred);
}

static void test_deep(void) {
    struct random random = {11};
    struct graph graphs[] = {
        circle(&random, 150, 9, 0),
        circle(&random, 150, 1 << 20, 0),
    };
    cuda_shim_set_multiprocessors(3); /* so that the budget is that of `resident` */
    for (int k = 0; k < (int)(sizeof graphs / sizeof *graphs); k++) {
        check_deep(&graphs[k], "queued");
        graph_free(&graphs[k]);
    }
    cuda_shim_set_multiprocessors(2);
}

/* Too many edges for a queue. */
static void test_deep_and_wide(void) {
    struct graph g = band(150, 4, 1000);
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
    cuda_shim_set_order(CUDA_SHIM_DESCENDING); /* against the direction of the edges */
    cuda_shim_set_multiprocessors(3);          /* so that the budget is that of `resident` */
    const char *const choice = chosen("auto", &g, &dist, &pred);
    CU_ASSERT_PTR_NOT_NULL(solver_find(&cuda_blocked_solver, choice));
    cuda_shim_set_multiprocessors(2);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* If the clock runs fast, a queue takes too long as well. The weights are too heavy for 16 bits,
 * after which the blocked solver would make the matrices anew itself. */
static void test_out_of_time(void) {
    struct random random = {14};
    struct graph g = circle(&random, 100, 1 << 20, 0);
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
    cuda_shim_set_clock(1 << 20);
    const char *const choice = chosen("auto", &g, &dist, &pred);
    CU_ASSERT_PTR_NOT_NULL(solver_find(&cuda_blocked_solver, choice));
    cuda_shim_set_clock(1);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* More vertices have something to do than the list has places; if the clock runs fast, they are
 * in queues that take more memory than the blocked solver. */
static void test_long_worklist(void) {
    struct random random = {13};
    struct graph g = circle(&random, 2100, 9, 2100);
    check("multisource", &g, "");
    cuda_shim_set_clock(1 << 20);
    check("auto", &g, "queued");
    cuda_shim_set_clock(1);
    graph_free(&g);
}

/* More edges into a vertex than are sorted at once, short and long ones. */
static void test_many_edges(void) {
    for (int heavy = 0; heavy <= 1; heavy++) {
        struct graph g = star(1100, heavy ? 1 << 20 : 100);
        check("auto", &g, "multisource");
        graph_free(&g);
    }
}

/* Distances around the longest that 16 bits hold. */
static void test_almost_too_long(void) {
    for (int32_t last = 0x7ffb - 100; last <= 0x8001 - 100; last++) {
        const struct edge edges[] = {
            {0, 1, 50}, {1, 2, 50}, {2, 3, last / 2}, {3, 4, last - last / 2}};
        struct graph g = graph_of(5, edges, 4);
        check("multisource", &g, "");
        graph_free(&g);
    }
}

CU_TestInfo sparse_tests[] = {
    {"labels of every width", test_widths},
    {"deep graphs", test_deep},
    {"deep graphs of more edges", test_deep_and_wide},
    {"deep graphs and no time", test_out_of_time},
    {"more vertices than a worklist lists", test_long_worklist},
    {"more edges than are sorted at once", test_many_edges},
    {"distances that almost need 32 bits", test_almost_too_long},
    CU_TEST_INFO_NULL,
};
