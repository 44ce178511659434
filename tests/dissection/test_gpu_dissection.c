// SPDX-License-Identifier: MIT
/* `dissection` on the host shim: pieces of every size and width, rows and totals, and what is done
 * if the first sources are no example of the others. */
#include "certificate/proving_sink.h" // struct proving_sink
#include "common/base/block_sizes.h"
#include "solve/solve.h"         // solve
#include "tests/unit/measured.h" // measured_as_rows
#include "tests/unit/rows_here.h"
#include "tests/unit/support.h"

#include "cuda_runtime_api.h" // the shim's controls
#include "dissection/gpu/gpu.h"
#include "elimination/order.h"    // order_is_available
#include "engines/sparse_model.h" // cuda_sparse_others

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

/* The GPUs that solve tasks. */
static struct solver_options gpus;

/* Each vertex hangs on one of the last `width` before it, and some edges among neighbours. */
static struct graph tree_like(struct random *random, int32_t n, int32_t width, int32_t extra,
                              int32_t lightest, bool both_ways) {
    struct edge *edges = malloc(sizeof *edges * 2 * (size_t)(n + extra));
    int64_t count = 0;
    for (int32_t v = 1; v < n + extra; v++) {
        const int32_t u = v < n ? v : random_in(random, 1, n - 1);
        const int32_t other = random_in(random, u - width > 0 ? u - width : 0, u - 1);
        const int32_t weight = random_in(random, lightest, 50);
        edges[count++] = (struct edge){u, other, weight};
        edges[count++] = (struct edge){other, u, both_ways ? weight : random_in(random, 1, 50)};
    }
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}

/* Solves into matrices, which the certificate judges. */
static struct cuda_dissection_report check_rows(const struct graph *g,
                                                const struct cuda_dissection_options *options,
                                                bool predecessors) {
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    struct cuda_dissection_report report;
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    struct matrix_task t;
    struct error err = {0};
    matrix_task_begin(&t, g, &gpus, &dist, predecessors ? &pred : NULL);
    CU_ASSERT_EQUAL(
        cuda_dissection_solve(&cuda_sparse_others, &t.task, options, &report, &times, &err),
        STATUS_OK);
    CU_ASSERT_EQUAL(certify(g, &dist, predecessors ? &pred : NULL, 1, &err), STATUS_OK);
    CU_ASSERT(!report.reduced);
    matrix_task_end(&t);
    matrix_free(&dist);
    matrix_free(&pred);
    return report;
}

/* The parts of measures that are wanted. */
static unsigned parts = MEASURES_ALL;

/* Unless 0, which call of CUDA fails in check_totals; it becomes 0 if there were not so many. */
static int fails_at;

/* Measures from totals, which are proved if `checks`, are those from rows. */
static struct cuda_dissection_report check_totals(const struct graph *g,
                                                  const struct cuda_dissection_options *options,
                                                  const struct row_sources *sources, bool checks) {
    struct measures by_totals;
    struct proving_sink proving;
    struct cuda_dissection_report report;
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    struct error err = {0};
    measures_init(&by_totals, g, 1);
    measures_choose(&by_totals, parts);
    CU_ASSERT_EQUAL_FATAL(proving_sink_open(&proving, g, NO_LIMIT, false, &by_totals.sink, &err),
                          STATUS_OK);
    struct delivery delivery = {.graph = g,
                                .sources = *sources,
                                .limit = NO_LIMIT,
                                .sink = checks ? &proving.sink : &by_totals.sink};
    const struct solver_task task = {
        .graph = g, .delivery = &delivery, .limit = NO_LIMIT, .repetitions = 1, .options = &gpus};
    CU_ASSERT_EQUAL_FATAL(delivery_open(&delivery, 1, &err), STATUS_OK);
    cuda_shim_fail_after(fails_at);
    const enum status status =
        cuda_dissection_solve(&cuda_sparse_others, &task, options, &report, &times, &err);
    const bool failed = cuda_shim_fail_after(0) == 0 && fails_at > 0;
    fails_at = failed ? fails_at : 0;
    CU_ASSERT_FATAL(status == STATUS_OK || (failed && status == STATUS_NO_RESOURCE));
    delivery_close(&delivery);
    proving_sink_close(&proving);
    CU_ASSERT(failed || report.proved == (report.dissected && checks && g->min_weight > 0));
    if (status == STATUS_OK) {
        CU_ASSERT_EQUAL(measures_finish(&by_totals, &err), STATUS_OK);
        CU_ASSERT(measured_as_rows(&by_totals, g, sources));
    }
    measures_free(&by_totals);
    return report;
}

static void check(const struct graph *g, const struct cuda_dissection_options *options,
                  bool is_dissected) {
    const struct row_sources all = {NULL, g->n};
    for (int predecessors = 0; predecessors <= 1; predecessors++)
        CU_ASSERT_EQUAL(check_rows(g, options, predecessors).dissected, is_dissected);
    for (int how = 0; how < 3; how++) {
        const bool checks = how == 1;
        parts = how == 2 ? 0 : MEASURES_ALL;
        const struct cuda_dissection_report report = check_totals(g, options, &all, checks);
        CU_ASSERT_EQUAL(report.dissected, is_dissected);
        /* Weights 0 are proved on the host. */
        CU_ASSERT_EQUAL(report.reduced, is_dissected && (!checks || g->min_weight > 0));
    }
    parts = MEASURES_ALL;
}

/* The same on two GPUs: sources for two batches, and for one that is claimed twice; columns too. */
static void test_several(void) {
    const struct cuda_dissection_options options = {.leaf = 8, .middle = 30, .most = 500};
    struct random random = {41};
    if (skipped())
        return;
    gpus = (struct solver_options){.device = 2, .device_count = 2, .devices = {2, 0}};
    cuda_shim_set_devices(3);
    for (int both_ways = 0; both_ways <= 1; both_ways++) {
        struct graph g = tree_like(&random, 600, 4, 40, both_ways, both_ways);
        check(&g, &options, true);
        graph_free(&g);
    }
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    cuda_shim_set_devices(1);
    gpus = (struct solver_options){0};
}

/* Whichever call fails on one of two GPUs, nothing is left. */
static void test_several_failing(void) {
    const struct cuda_dissection_options options = {.leaf = 8, .middle = 30, .most = 500};
    struct random random = {42};
    struct graph g = tree_like(&random, 520, 2, 0, 1, true);
    struct matrix dist = new_matrix(g.n);
    struct cuda_dissection_report report;
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    struct matrix_task t;
    int calls = 0;
    if (skipped())
        goto cleanup;
    gpus = (struct solver_options){.device_count = 2, .devices = {0, 1}};
    cuda_shim_set_devices(2);
    matrix_task_begin(&t, &g, &gpus, &dist, NULL);
    for (int call = 1; calls == 0; call += 23) {
        struct error err = {0};
        cuda_shim_fail_after(call);
        const enum status status =
            cuda_dissection_solve(&cuda_sparse_others, &t.task, &options, &report, &times, &err);
        if (cuda_shim_fail_after(0) > 0)
            calls = call;
        else
            CU_ASSERT(status == STATUS_OK || strstr(err.text, "unknown error") != NULL);
        if (status == STATUS_OK)
            CU_ASSERT_EQUAL(certify(&g, &dist, NULL, 1, &err), STATUS_OK);
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    }
    CU_ASSERT(calls > 100);
    matrix_task_end(&t);
    cuda_shim_set_devices(1);
    gpus = (struct solver_options){0};
cleanup:
    matrix_free(&dist);
    graph_free(&g);
}

/* Pieces of every size, in every order of threads; directed graphs and undirected ones, weights 0,
 * vertices without a path. */
static void test_pieces(void) {
    static const struct cuda_dissection_options sizes[] = {
        {.leaf = 1, .middle = 1, .most = 90, .top = 8},
        {.leaf = 4, .middle = 12, .lanes = 64, .most = 3},
        {.leaf = 3, .middle = 9, .most = 90, .top = 4},
        {.leaf = 30, .middle = 30},
        {0}};
    struct random random = {41};
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes) && !skipped(); k++) {
        struct graph graphs[] = {
            tree_like(&random, 70, 8, 12, 1, true),
            tree_like(&random, 70, 8, 12, 0, false),
            random_graph(&random, 50, 2, WEIGHTS_POSITIVE),
        };
        cuda_shim_set_order((enum cuda_shim_order)(k % 3));
        for (int g = 0; g < (int)(sizeof graphs / sizeof *graphs); g++) {
            check(&graphs[g], &sizes[k], true);
            graph_free(&graphs[g]);
        }
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

/* Vertices that are all joined to `width` others, which keep the rest together: so wide are the
 * boundaries. More targets than a job has. */
static struct graph comb(struct random *random, int32_t width, int32_t teeth, int32_t length) {
    const int32_t n = width + teeth * length;
    struct edge *edges = malloc(sizeof *edges * 2 * (size_t)(n * (width + 1)));
    int64_t count = 0;
    for (int32_t v = width; v < n; v++) {
        const bool is_first = (v - width) % length == 0;
        if (!is_first)
            edges[count++] = (struct edge){v - 1, v, random_in(random, 1, 9)};
        for (int32_t b = 0; b < width; b++) {
            if ((v - width) % length == b % length)
                edges[count++] = (struct edge){b, v, random_in(random, 1, 900)};
        }
    }
    count = graph_append_reverses(edges, count);
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}

/* Boundaries of every width that there is a kernel for. */
static void test_widths(void) {
    struct random random = {42};
    for (int32_t width = 1; width <= 70 && !skipped(); width += width < 20 ? 1 : 7) {
        const int32_t length = width < 63 ? width / 20 + 3 : 80;
        const struct row_sources all = {NULL, width + 2 * length};
        struct graph g = comb(&random, width, 2, length);
        const struct cuda_dissection_options sizes = {
            .leaf = length, .middle = length, .most = g.n};
        CU_ASSERT(check_totals(&g, &sizes, &all, false).reduced);
        graph_free(&g);
    }
}

/* Middle pieces become so large that the top is as small as it must be. */
static void test_small_top(void) {
    const struct cuda_dissection_options small = {.leaf = 2,
                                                  .middle = 3,
                                                  .most = 600,
                                                  .top_most = 12},
                                         large = {.leaf = 2, .middle = 3, .most = 600};
    const struct row_sources all = {NULL, 600};
    struct random random = {47};
    if (skipped())
        return;
    struct graph g = tree_like(&random, 600, 4, 40, 1, true);
    const int32_t top = check_totals(&g, &large, &all, false).top;
    const struct cuda_dissection_report report = check_totals(&g, &small, &all, false);
    CU_ASSERT(top > 12 && report.dissected && report.top <= 12);
    graph_free(&g);
}

/* A top of more vertices than are swept at a time, in pieces itself. */
static void test_large_top(void) {
    enum { N = 2000, SOURCES = 100 };
    int32_t wanted[SOURCES];
    const struct cuda_dissection_options sizes = {.leaf = 2, .middle = 3, .top = 20};
    const struct row_sources sources = {wanted, SOURCES};
    struct random random = {48};
    if (skipped())
        return;
    for (int32_t k = 0; k < SOURCES; k++)
        wanted[k] = k * (N / SOURCES);
    struct graph g = tree_like(&random, N, 3, 200, 1, true);
    const struct cuda_dissection_report report = check_totals(&g, &sizes, &sources, false);
    CU_ASSERT(report.dissected && report.top > block_sizes.top_sources);
    graph_free(&g);
}

/* Some rows, in an order of the caller's. */
static void test_some_sources(void) {
    static const int32_t wanted[] = {17, 3, 80, 4, 0};
    const struct cuda_dissection_options sizes = {.leaf = 4, .middle = 20};
    const struct row_sources sources = {wanted, 5};
    struct random random = {43};
    if (skipped())
        return;
    for (int both_ways = 0; both_ways <= 1; both_ways++) {
        struct graph g = tree_like(&random, 90, 8, 12, 1, both_ways);
        CU_ASSERT(check_totals(&g, &sizes, &sources, true).reduced);
        graph_free(&g);
    }
}

/* A path on which the first sources reach everything and are near it, but what they reach leads
 * back by heavy edges, or not at all. */
static void test_surprises(void) {
    enum { N = 700, FIRST = 512 }; /* PRODUCT_LANES */
    const struct cuda_dissection_options sizes = {0};
    const struct row_sources all = {NULL, N};
    for (int leads_back = 0; leads_back <= 1 && !skipped(); leads_back++) {
        struct edge *edges = malloc(sizeof *edges * 4 * N);
        int64_t count = 0;
        for (int32_t v = 1; v < N; v++) {
            edges[count++] = (struct edge){0, v, 1 + v % 3};
            const bool surprises = v >= FIRST && v % 2 != 0;
            if (!surprises || leads_back)
                edges[count++] = (struct edge){v, 0, surprises ? 5000 * v : 1};
        }
        struct graph g = graph_of(N, edges, count);
        CU_ASSERT(check_totals(&g, &sizes, &all, leads_back).reduced);
        free(edges);
        graph_free(&g);
    }
}

/* Rows are right whether they stay on the device, which they do if `may_stay`, or not. Those that
 * are to be proved do not if the host has to: distances alone, where weights are 0. */
static void check_here(const struct graph *g, const struct cuda_dissection_options *options,
                       const struct row_sources *sources, bool may_stay) {
    for (int how = 0; how < 4; how++) {
        const bool predecessors = how % 2 != 0, checks = how / 2 != 0;
        const bool stays = may_stay && (predecessors || !checks || g->min_weight > 0);
        struct rows_here rows = rows_here_of(g->n, NUMBER_INT32);
        struct proving_sink proving;
        struct cuda_dissection_report report;
        struct refutation refutation;
        double solve_s;
        struct solver_times times = {.solve_s = &solve_s};
        struct error err = {0};
        CU_ASSERT_EQUAL_FATAL(
            proving_sink_open(&proving, g, NO_LIMIT, predecessors, &rows.sink, &err), STATUS_OK);
        struct delivery delivery = {.graph = g,
                                    .sources = *sources,
                                    .limit = NO_LIMIT,
                                    .with_pred = predecessors,
                                    .sink = checks ? &proving.sink : &rows.sink};
        const struct solver_task task = {.graph = g,
                                         .delivery = &delivery,
                                         .limit = NO_LIMIT,
                                         .predecessors = predecessors,
                                         .repetitions = 1,
                                         .options = &gpus};
        CU_ASSERT_EQUAL_FATAL(delivery_open(&delivery, 1, &err), STATUS_OK);
        CU_ASSERT_EQUAL(
            cuda_dissection_solve(&cuda_sparse_others, &task, options, &report, &times, &err),
            STATUS_OK);
        CU_ASSERT(report.dissected);
        CU_ASSERT_EQUAL(rows.here, stays ? sources->count : 0);
        CU_ASSERT_EQUAL(rows.blocks > 0, !stays);
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        CU_ASSERT_EQUAL(certify_rows(g, sources, NO_LIMIT, &rows.dist,
                                     predecessors ? &rows.pred : NULL, 1, NULL, &refutation, &err),
                        STATUS_OK);
        delivery_close(&delivery);
        proving_sink_close(&proving);
        rows_here_free(&rows);
    }
}

/* Rows stay where a sink wants them: all in several batches, some in an order of the caller's. They
 * do not if there is too little memory. */
static void test_rows_here(void) {
    static const int32_t wanted[] = {17, 3, 80, 4, 0};
    const struct cuda_dissection_options sizes = {.leaf = 8, .middle = 30, .lanes = 512};
    const struct row_sources some = {wanted, 5};
    struct random random = {46};
    if (skipped())
        return;
    struct graph large = tree_like(&random, 600, 4, 40, 1, false);
    struct graph small = tree_like(&random, 90, 8, 12, 0, false);
    const struct row_sources all_of_large = {NULL, large.n}, all_of_small = {NULL, small.n};
    check_here(&large, &sizes, &all_of_large, true);
    check_here(&small, &sizes, &some, true);
    cuda_shim_set_memory((size_t)64 << 20);
    check_here(&small, &sizes, &all_of_small, false);
    cuda_shim_set_memory((size_t)300 << 10); /* not for the labels of all vertices */
    check_here(&small, &sizes, &all_of_small, false);
    cuda_shim_set_memory((size_t)1 << 30);
    graph_free(&large);
    graph_free(&small);
}

/* Distances that may be out of range, which totals do not tell: rows do. */
static void test_long_distances(void) {
    const struct cuda_dissection_options sizes = {0};
    const struct row_sources all = {NULL, 3};
    const struct edge edges[] = {{0, 1, INF - 7}, {1, 0, 5}, {1, 2, 6}, {2, 1, 1}};
    if (skipped())
        return;
    struct graph g = graph_of(3, edges, 4);
    CU_ASSERT(!check_totals(&g, &sizes, &all, false).reduced);
    graph_free(&g);
}

/* Nothing is worth eliminating. */
static void test_otherwise(void) {
    struct random random = {44};
    const struct cuda_dissection_options sizes = {0};
    if (skipped())
        return;
    struct graph g = random_graph(&random, 60, 60, WEIGHTS_POSITIVE);
    check(&g, &sizes, false);
    graph_free(&g);
}

/* Every call of CUDA fails once: a status, a line, and nothing is held. */
static void test_failures(void) {
    const struct cuda_dissection_options sizes = {.leaf = 4, .middle = 20};
    struct random random = {45};
    if (skipped())
        return;
    struct graph g = tree_like(&random, 30, 5, 6, 1, false);
    const struct row_sources all = {NULL, g.n};
    for (int fail_at = 1, stays = 0; stays <= 1; fail_at++) {
        struct rows_here rows = rows_here_of(g.n, NUMBER_INT32);
        struct measures m;
        struct error err = {0};
        struct cuda_dissection_report report;
        double solve_s;
        struct solver_times times = {.solve_s = &solve_s};
        measures_init(&m, &g, 1);
        struct delivery delivery = {.graph = &g,
                                    .sources = all,
                                    .limit = NO_LIMIT,
                                    .with_pred = stays,
                                    .sink = stays ? &rows.sink : &m.sink};
        const struct solver_task task = {.graph = &g,
                                         .delivery = &delivery,
                                         .limit = NO_LIMIT,
                                         .predecessors = stays,
                                         .repetitions = 1,
                                         .options = &gpus};
        CU_ASSERT_EQUAL_FATAL(delivery_open(&delivery, 1, &err), STATUS_OK);
        cuda_shim_fail_after(fail_at);
        const enum status status =
            cuda_dissection_solve(&cuda_sparse_others, &task, &sizes, &report, &times, &err);
        const bool failed = cuda_shim_fail_after(0) == 0;
        CU_ASSERT(status == STATUS_OK ||
                  (failed && status == STATUS_NO_RESOURCE && strchr(err.text, '\n') == NULL));
        CU_ASSERT(cuda_shim_held() == 0 && cuda_shim_pending() == 0);
        delivery_close(&delivery);
        measures_free(&m);
        rows_here_free(&rows);
        if (!failed) {
            stays++;
            fail_at = 0;
        }
    }
    graph_free(&g);
}

/* Measures without reciprocals, of all sources and of some, are made of proportional rows where
 * the regions are given, and proved if that is wanted and no weight is 0; also those of the
 * reversed graph, which directed ones want. */
static void check_classes(const struct graph *g, const struct regions_options *regions) {
    static const int32_t wanted[] = {17, 3, 80, 4, 0};
    const struct row_sources all = {NULL, g->n}, some = {wanted, 5};
    const struct cuda_dissection_options options = {.most = g->n, .regions = regions};
    parts = 0;
    for (int k = 0; k < 4; k++) {
        const bool checks = k / 2 != 0;
        const struct cuda_dissection_report report =
            check_totals(g, &options, k % 2 == 0 ? &all : &some, checks);
        CU_ASSERT_EQUAL(report.proportional, !checks || g->min_weight > 0);
        CU_ASSERT(report.dissected && report.reduced == report.proportional);
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    }
    parts = MEASURES_ALL;
}

static const struct regions_options nested = {.leaf = 8, .ratio = 3, .worth = 20};

static void test_classes(void) {
    static const struct regions_options whole = {.leaf = 1 << 20, .ratio = 2};
    struct random random = {48};
    for (int both_ways = 0; both_ways <= 1 && !skipped(); both_ways++) {
        struct graph graphs[] = {tree_like(&random, 150, 6, 12, both_ways, both_ways),
                                 random_graph(&random, 90, 2, WEIGHTS_ZERO)};
        for (int k = 0; k < 2; k++) {
            check_classes(&graphs[k], &nested);
            check_classes(&graphs[k], &whole);
            graph_free(&graphs[k]);
        }
    }
}

/* Two GPUs claim sources, which are enough for both, and then for one. */
static void test_classes_on_several(void) {
    struct random random = {49};
    if (skipped())
        return;
    gpus = (struct solver_options){.device = 2, .device_count = 2, .devices = {2, 0}};
    cuda_shim_set_devices(3);
    for (int both_ways = 0; both_ways <= 1; both_ways++) {
        struct graph g = tree_like(&random, 200, 4, 20, both_ways, both_ways);
        check_classes(&g, &nested);
        graph_free(&g);
    }
    cuda_shim_set_devices(1);
    gpus = (struct solver_options){0};
}

/* Where classes are of no use, rows are found one by one: a sink wants reciprocals, distances may
 * be out of range, or a device has no shared memory for the labels of a region. */
static void test_without_classes(void) {
    enum { LARGE = 600 }; /* labels; 8 KB are for 511 */
    const struct edge edges[] = {{0, 1, INF - 7}, {1, 0, INF - 7}, {1, 2, 6}, {2, 1, 1}};
    static const int32_t wanted[] = {LARGE - 1, 3, 80};
    static const struct regions_options whole = {.leaf = LARGE, .ratio = 2};
    const struct row_sources three = {NULL, 3}, some = {wanted, 3};
    struct cuda_dissection_options options = {.most = LARGE, .regions = &whole};
    struct random random = {50};
    if (skipped())
        return;
    struct graph far = graph_of(3, edges, 4), g = tree_like(&random, LARGE, 2, 10, 1, true);
    CU_ASSERT(!check_totals(&g, &options, &some, false).proportional);
    parts = 0;
    CU_ASSERT(!check_totals(&far, &options, &three, false).proportional);
    CU_ASSERT(check_totals(&g, &options, &some, false).proportional);
    cuda_shim_set_capability(9, 8 << 10);
    CU_ASSERT(!check_totals(&g, &options, &some, false).proportional);
    cuda_shim_set_capability(9, 227 << 10);
    parts = MEASURES_ALL;
    graph_free(&far);
    graph_free(&g);
}

/* However little memory there is, measures are right: by classes, or by sweeps if these need less,
 * on one GPU and on two. */
static void test_classes_in_little_memory(void) {
    enum { LEAST = 64 << 10, N = 600 };
    const struct cuda_dissection_options options = {.most = N, .regions = &nested};
    const struct row_sources all = {NULL, N};
    struct random random = {51};
    if (skipped())
        return;
    parts = 0;
    for (int k = 0; k < 4; k++) {
        const bool both_ways = k % 2 > 0;
        struct graph g = tree_like(&random, N, 2, 10, 1, both_ways);
        bool by_classes = false;
        int swept = 0;
        gpus = (struct solver_options){.device_count = 1 + k / 2, .devices = {0, 1}};
        cuda_shim_set_devices(gpus.device_count);
        for (size_t bytes = LEAST; !by_classes; bytes += bytes / 3) {
            cuda_shim_set_memory(bytes);
            const struct cuda_dissection_report report = check_totals(&g, &options, &all, false);
            CU_ASSERT(report.reduced);
            by_classes = report.proportional;
            swept += !by_classes;
        }
        CU_ASSERT(swept > 0);
        graph_free(&g);
    }
    parts = MEASURES_ALL;
    cuda_shim_set_memory((size_t)1 << 30);
    cuda_shim_set_devices(1);
    gpus = (struct solver_options){0};
}

/* The measures of a directed graph are right whichever call fails while classes are found, if the
 * answer does not fail with it. */
static void test_classes_failing(void) {
    const struct cuda_dissection_options options = {.most = 40, .regions = &nested};
    const struct row_sources all = {NULL, 90};
    struct random random = {52};
    int swept = 0;
    if (skipped())
        return;
    struct graph g = tree_like(&random, 90, 3, 4, 1, false);
    parts = 0;
    cuda_shim_set_memory((size_t)4 << 20); /* more would take the shim longer to fill */
    for (int call = 1; call == 1 || fails_at > 0; call++) {
        fails_at = call;
        const struct cuda_dissection_report report = check_totals(&g, &options, &all, false);
        swept += report.reduced && !report.proportional;
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    }
    parts = MEASURES_ALL;
    cuda_shim_set_memory((size_t)1 << 30);
    CU_ASSERT(swept > 50);
    graph_free(&g);
}

CU_TestInfo cuda_dissection_tests[] = {
    {"pieces of every size", test_pieces},
    {"boundaries of every width", test_widths},
    {"a top that is small", test_small_top},
    {"a top that is large", test_large_top},
    {"some sources", test_some_sources},
    {"first sources that are no example", test_surprises},
    {"rows that stay on the device", test_rows_here},
    {"distances that may be out of range", test_long_distances},
    {"nothing to eliminate", test_otherwise},
    {"failures of CUDA", test_failures},
    {"two GPUs", test_several},
    {"classes of proportional rows", test_classes},
    {"classes on two GPUs", test_classes_on_several},
    {"where there are no classes", test_without_classes},
    {"classes in little memory", test_classes_in_little_memory},
    {"classes with failing calls", test_classes_failing},
    {"every CUDA call on two GPUs failing", test_several_failing},
    CU_TEST_INFO_NULL,
};
