// SPDX-License-Identifier: MIT
/* Totals of proportional rows on the host shim: for regions of every size, any sources, and in
 * every order of threads. */
#include "cuda_sparse/parts/classes.h"
#include "dissection/order.h" // order_is_available
#include "tests/unit/eliminated.h"

#include "cuda_runtime_api.h" // the shim's controls

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

static const struct regions_options cuts[] = {
    {.leaf = 1, .ratio = 2, .worth = 1, .worth_width = 0},
    {.leaf = 4, .ratio = 3, .worth = 6, .worth_width = 1},
    {.leaf = 1 << 20, .ratio = 2},
};
enum { CUTS = sizeof cuts / sizeof *cuts };

/* The totals of every `apart`th position, at most so many at a time if that is not 0. */
static void check(const struct graph *graph, const struct eliminated *s, bool reversed,
                  const struct regions_options *cut, int32_t apart, int32_t at_a_time,
                  bool proves) {
    const int32_t n = s->d.tree.n;
    const struct proportional_graph g = eliminated_graph(s, reversed);
    int32_t *source = calloc((size_t)n, sizeof *source);
    struct class_total *total = malloc(sizeof *total * (size_t)n);
    struct row_totals *out = malloc(sizeof *out * (size_t)n);
    const int32_t count = some_positions(n, apart, source);
    struct regions regions;
    struct gpu_classes c;
    struct error err = {""};
    const struct gpu_classes_options options = {
        .threads = 2, .room = (size_t)4 << 20, .proves = proves ? graph : NULL};
    CU_ASSERT_EQUAL_FATAL(regions_find(g.tree, g.structure, cut, &regions, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(gpu_classes_open(&c, &g, &regions, &options, &err),
                          STATUS_OK);
    c.at_a_time = at_a_time > 0 ? at_a_time : c.at_a_time;
    CU_ASSERT_EQUAL_FATAL(gpu_classes_totals(&c, source, count, total, &err), STATUS_OK);
    for (int32_t k = 0; k < count; k++)
        out[k] = (struct row_totals){
            .sum = total[k].sum, .reached = total[k].reached, .farthest = total[k].farthest};
    CU_ASSERT(totals_are(s, reversed, source, count, out));
    bool proved;
    CU_ASSERT_EQUAL(gpu_classes_proved(&c, &proved, &err), STATUS_OK);
    CU_ASSERT_EQUAL(proved, proves && (graph->m == 0 || graph->min_weight > 0));
    gpu_classes_close(&c);
    regions_free(&regions);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    free(source);
    free(total);
    free(out);
}

static void check_all(const struct graph *g, int32_t apart) {
    struct eliminated s;
    struct graph reversed;
    struct error err;
    eliminated_begin(&s, g);
    CU_ASSERT_EQUAL_FATAL(graph_reverse(g, &reversed, &err), STATUS_OK);
    for (int k = 0; k < 2 * CUTS; k++) {
        const struct regions_options *const cut = &cuts[k / 2];
        const bool proves = k % 2 == 0;
        cuda_shim_set_order((enum cuda_shim_order)(k % 3));
        check(g, &s, false, cut, 1, 0, proves);
        check(&reversed, &s, true, cut, apart < g->n ? apart : 1, 1 + g->n / 3, proves);
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    graph_free(&reversed);
    eliminated_end(&s);
}

/* Directed graphs, most of them in several parts; and undirected ones, whose lengths are large. */
static void test_random(void) {
    struct random random = {43};
    for (int round = 0; round < 12 && !skipped(); round++) {
        const int32_t n = random_in(&random, 1, 90);
        struct graph g = random_graph(&random, n, n < 20 ? 12 : random_in(&random, 1, 4),
                                      round % 3 == 0 ? WEIGHTS_ZERO : WEIGHTS_POSITIVE);
        check_all(&g, random_in(&random, 2, 7));
        graph_free(&g);
    }
}

/* Whether what is found with the lengths of one graph is proved of another one. */
static bool is_proved_of(const struct eliminated *s, const struct regions_options *cut,
                         const struct graph *other) {
    const int32_t n = s->d.tree.n;
    const struct proportional_graph g = eliminated_graph(s, false);
    const struct gpu_classes_options options = {
        .threads = 1, .room = (size_t)4 << 20, .proves = other};
    int32_t *source = calloc((size_t)n, sizeof *source);
    struct class_total *total = malloc(sizeof *total * (size_t)n);
    struct regions regions;
    struct gpu_classes c;
    struct error err = {""};
    bool proved = false;
    const int32_t count = some_positions(n, 1, source);
    CU_ASSERT_EQUAL_FATAL(regions_find(g.tree, g.structure, cut, &regions, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(gpu_classes_open(&c, &g, &regions, &options, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(gpu_classes_totals(&c, source, count, total, &err), STATUS_OK);
    CU_ASSERT_EQUAL(gpu_classes_proved(&c, &proved, &err), STATUS_OK);
    gpu_classes_close(&c);
    regions_free(&regions);
    free(source);
    free(total);
    return proved;
}

static bool same_distances(const struct matrix *a, const struct matrix *b) {
    for (int32_t v = 0; v < a->n; v++) {
        if (memcmp(matrix_row(a, v), matrix_row(b, v), (size_t)a->n * sizeof(int32_t)) != 0)
            return false;
    }
    return true;
}

/* An answer is proved of a graph with one edge that is longer, shorter, not there or another one if
 * and only if that changes no distance; unless the edge is one that the regions do not provide for:
 * then it is not. */
static void test_refuted(void) {
    enum { LONGER, SHORTER, MISSING, OTHER, WAYS };
    struct random random = {47};
    int proved = 0, refuted = 0;
    for (int round = 0; round < 60 && !skipped(); round++) {
        const int way = round % WAYS;
        const int32_t n = random_in(&random, 8, 50);
        struct graph g = random_graph(&random, n, random_in(&random, 4, 20), WEIGHTS_POSITIVE);
        struct edge *edges = malloc(sizeof *edges * (size_t)g.m);
        const int64_t changed = random_in(&random, 0, (int32_t)g.m - 1);
        int64_t count = 0;
        for (int32_t v = 0; v < n; v++) {
            for (int64_t e = g.first[v]; e < g.first[v + 1]; e++) {
                struct edge edge = {v, g.head[e], g.weight[e]};
                if (e == changed && way == LONGER)
                    edge.weight += random_in(&random, 1, 9);
                if (e == changed && way == SHORTER)
                    edge.weight = 1 + edge.weight / 2;
                if (e == changed && way == OTHER)
                    edge.to = random_in(&random, 0, n - 1);
                if (e != changed || way != MISSING)
                    edges[count++] = edge;
            }
        }
        struct graph other = graph_of(n, edges, count);
        struct eliminated s, right;
        eliminated_begin(&s, &g);
        eliminated_begin(&right, &other);
        const bool is_same = same_distances(&s.dist[0], &right.dist[0]);
        for (int k = 0; k < CUTS; k++) {
            const bool is_proved = is_proved_of(&s, &cuts[k], &other);
            CU_ASSERT(is_proved == is_same || (way == OTHER && !is_proved));
            proved += is_proved;
            refuted += !is_proved;
        }
        eliminated_end(&s);
        eliminated_end(&right);
        graph_free(&other);
        graph_free(&g);
        free(edges);
    }
    CU_ASSERT(skipped() || (proved > 10 && refuted > 10));
}

CU_TestInfo classes_tests[] = {
    {"random graphs in parts", test_random},
    {"answers of other graphs", test_refuted},
    CU_TEST_INFO_NULL,
};
