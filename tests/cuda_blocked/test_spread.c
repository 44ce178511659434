// SPDX-License-Identifier: MIT
/* Several GPUs give what one gives, byte for byte, and whatever fails on one of them is said. */
#include "certificate/proving_sink.h"
#include "cuda_blocked/blocked_variants.h" // cuda_blocked_solver
#include "cuda_runtime_api.h"              // the shim's controls
#include "engines/sparse_variants.h"       // cuda_sparse_solver
#include "gpu/gpu_solver.h"                // gpu_solve
#include "solve/solve.h"                   // solve, solve_rows
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 7 };

static const struct solver_variant *dpx32(void) {
    return solver_find(&cuda_blocked_solver, "dpx32");
}

static const struct solver_variant *sparse(const char *name) {
    return solver_find(&cuda_sparse_solver, name);
}

/* The shim's devices count - 1, ..., 0 together; count = 1: one, not together with others. Blocks
 * of rows are so small that all have some to solve. */
static struct solver_options options_for(int count) {
    struct solver_options options = {.device = count - 1, .rows = 16};
    if (count > 1) {
        options.device_count = count;
        for (int k = 0; k < count; k++)
            options.devices[k] = count - 1 - k;
    }
    return options;
}

static bool equal(const struct matrix *a, const struct matrix *b, int32_t rows) {
    bool same = true;
    for (int32_t i = 0; i < rows; i++)
        same &= memcmp(matrix_row(a, i), matrix_row(b, i), sizeof(int32_t) * (size_t)a->n) == 0;
    return same;
}

/* Solves rows on `count` devices. */
static enum status solve_on(const struct solver_variant *variant, int count, const struct graph *g,
                            struct row_sources sources, double limit, struct matrix *dist,
                            struct matrix *pred, struct error *err) {
    const struct solver_options options = options_for(count);
    struct matrix_sink sink;
    struct timing timing;
    const struct solve_request request = {.graph = g,
                                          .sources = sources,
                                          .limit = limit,
                                          .predecessors = pred != NULL,
                                          .options = &options,
                                          .repetitions = 1};
    matrix_sink_begin(&sink, dist, pred);
    memset(dist->cell, 0x5a, sizeof(int32_t) * (size_t)dist->n * dist->ld);
    return solve_rows(variant, &request, &sink.sink, &timing, err);
}

/* All rows with predecessors, and some rows in no order without, on so many devices. */
static void check_graph(const struct solver_variant *variant, const struct graph *g, int count) {
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    struct matrix expected_dist = new_matrix(g->n), expected_pred = new_matrix(g->n);
    const struct row_sources all = {NULL, g->n};
    const int32_t last = g->n - 1;
    int32_t vertex[4] = {last, 0, last / 2, last / 2 + 1};
    const struct row_sources some = {vertex, g->n > 3 ? 4 : 1};
    struct error err;
    CU_ASSERT_EQUAL(solve_on(variant, 1, g, all, NO_LIMIT, &expected_dist, &expected_pred, &err),
                    STATUS_OK);
    CU_ASSERT_EQUAL(solve_on(variant, count, g, all, NO_LIMIT, &dist, &pred, &err), STATUS_OK);
    CU_ASSERT(equal(&dist, &expected_dist, g->n));
    CU_ASSERT(equal(&pred, &expected_pred, g->n));
    CU_ASSERT_EQUAL(solve_on(variant, 1, g, some, 9, &expected_dist, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(solve_on(variant, count, g, some, 9, &dist, NULL, &err), STATUS_OK);
    CU_ASSERT(equal(&dist, &expected_dist, some.count));
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&expected_dist);
    matrix_free(&expected_pred);
}

/* Fewer, as many and more tile rows than devices, the last one full, almost empty or in between. */
static void test_sizes(void) {
    static const struct {
        int32_t n;
        int count;
        enum weights weights;
    } cases[] = {
        {1, 2, WEIGHTS_POSITIVE},   {128, 7, WEIGHTS_ZERO}, {129, 2, WEIGHTS_LARGE},
        {250, 3, WEIGHTS_POSITIVE}, {300, 2, WEIGHTS_ZERO}, {384, 4, WEIGHTS_POSITIVE},
#ifndef APSP_SANITIZED
        {773, 7, WEIGHTS_LARGE},
#endif
    };
    struct random random = {22};
    cuda_shim_set_devices(MOST);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct graph g =
            random_graph(&random, cases[k].n, cases[k].n > 200 ? 2 : 5, cases[k].weights);
        check_graph(dpx32(), &g, cases[k].count);
        graph_free(&g);
    }
    cuda_shim_set_devices(1);
}

/* Engines by rows, with more rows than blocks at a time and with fewer GPUs' worth of rows than
 * GPUs, shortest paths of many edges and of few. */
static void test_rows(void) {
    static const struct {
        const char *variant;
        int32_t n;
        int count;
        int degree;
        enum weights weights;
    } cases[] = {
        {"multisource", 150, 2, 3, WEIGHTS_ZERO}, {"multisource", 33, 5, 8, WEIGHTS_LARGE},
        {"queued", 150, 3, 2, WEIGHTS_POSITIVE},  {"queued", 1, 2, 1, WEIGHTS_POSITIVE},
        {"auto", 150, 2, 40, WEIGHTS_POSITIVE},   {"auto", 97, 3, 2, WEIGHTS_ZERO},
    };
    struct random random = {28};
    cuda_shim_set_devices(MOST);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct graph g = random_graph(&random, cases[k].n, cases[k].degree, cases[k].weights);
        check_graph(sparse(cases[k].variant), &g, cases[k].count);
        graph_free(&g);
    }
    cuda_shim_set_devices(1);
}

/* A random graph of short paths that a path of `tail` edges leads into, so that nothing leads to
 * that: its last vertices are that many edges farther from the others. */
static struct graph graph_with_tail(struct random *random, int32_t n, int32_t tail,
                                    int32_t max_weight) {
    enum { DEGREE = 9, MOST_EDGES = 400 * DEGREE };
    static struct edge edges[MOST_EDGES];
    int64_t count = 0;
    for (int32_t v = 0; v < n - tail; v++) {
        for (int32_t k = 0; k < DEGREE; k++)
            edges[count++] = (struct edge){v, random_in(random, 0, n - tail - 1),
                                           k == 0 ? max_weight : random_in(random, 1, max_weight)};
    }
    for (int32_t v = n - tail; v < n; v++)
        edges[count++] = (struct edge){v, v - 1, max_weight};
    return graph_of(n, edges, count);
}

static void keep_choice(void *context, const char *variant, const char *why) {
    (void)why;
    *(const char **)context = variant;
}

/* Short cells give what long ones give, or the variant says that it is not exact, and `auto` goes
 * on to the next. */
static void test_cells(void) {
    static const struct {
        const char *variant;
        int32_t n, tail;
        int count;
        int32_t max_weight;
        const char *chosen; /* NULL: it is not exact */
    } cases[] = {
        {"tensor", 127, 0, 2, 1, "tensor"},   {"tensor", 128, 1, 2, 2, "tensor"},
        {"tensor", 255, 20, 3, 1, "tensor"},  {"tensor", 390, 9, 4, 2, "tensor"},
        {"tensor", 255, 40, 2, 1, NULL},      {"dpx16", 128, 3, 2, 900, "dpx16"},
        {"dpx16", 129, 30, 2, 1000, "dpx16"}, {"dpx16", 390, 0, 4, 3000, "dpx16"},
        {"dpx16", 200, 40, 2, 1000, NULL},    {"auto", 300, 9, 2, 1, "tensor"},
        {"auto", 300, 9, 2, 500, "dpx16"},    {"auto", 300, 9, 3, 30000, "dpx32"},
        {"auto", 300, 40, 2, 1, "dpx16"},     {"auto", 300, 60, 3, 700, "dpx32"},
    };
    struct random random = {31};
    cuda_shim_set_devices(MOST);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int32_t n = cases[k].n;
        const char *chosen = cases[k].variant;
        struct graph g = graph_with_tail(&random, n, cases[k].tail, cases[k].max_weight);
        struct matrix dist = new_matrix(n), pred = new_matrix(n);
        struct matrix expected_dist = new_matrix(n), expected_pred = new_matrix(n);
        const struct row_sources all = {NULL, n};
        struct solver_options options = options_for(cases[k].count);
        struct timing timing[2];
        struct error err = {0};
        options.on_choice = keep_choice;
        options.callback_context = &chosen;
        const enum status status = solve(solver_find(&cuda_blocked_solver, cases[k].variant), &g,
                                         &options, &dist, &pred, NULL, 2, timing, &err);
        if (cases[k].chosen == NULL) {
            CU_ASSERT_EQUAL(status, STATUS_BAD_INPUT);
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "is not exact for this graph: some distance"));
        } else {
            CU_ASSERT_EQUAL(status, STATUS_OK);
            CU_ASSERT_STRING_EQUAL(chosen, cases[k].chosen);
            CU_ASSERT_EQUAL(
                solve_on(dpx32(), 1, &g, all, NO_LIMIT, &expected_dist, &expected_pred, &err),
                STATUS_OK);
            CU_ASSERT(equal(&dist, &expected_dist, n));
            CU_ASSERT(equal(&pred, &expected_pred, n));
        }
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        matrix_free(&dist);
        matrix_free(&pred);
        matrix_free(&expected_dist);
        matrix_free(&expected_pred);
        graph_free(&g);
    }
    cuda_shim_set_devices(1);
}

static void count_memory(void *context, const struct gpu_memory *memory) {
    ((size_t *)context)[memory->device] += memory->needed;
}

/* Each GPU that there are rows for takes part, and says what it needs. */
static void test_memory(void) {
    struct solver_options options = options_for(3);
    size_t needed[3] = {0};
    struct random random = {29};
    struct graph g = random_graph(&random, 32, 3, WEIGHTS_POSITIVE);
    struct matrix dist = new_matrix(g.n);
    struct timing timing;
    struct error err;
    options.on_memory = count_memory;
    options.callback_context = needed;
    cuda_shim_set_devices(3);
    CU_ASSERT_EQUAL(solve(sparse("multisource"), &g, &options, &dist, NULL, NULL, 1, &timing, &err),
                    STATUS_OK);
    CU_ASSERT(needed[0] == 0 && needed[1] > 0 && needed[2] == needed[1]); /* 2 blocks of 16 rows */
    cuda_shim_set_devices(1);
    matrix_free(&dist);
    graph_free(&g);
}

/* Blocks that run together, and those that run backwards. */
static void test_order(void) {
    struct random random = {23};
    struct graph g = random_graph(&random, 290, 3, WEIGHTS_POSITIVE);
    cuda_shim_set_devices(2);
    cuda_shim_set_order(CUDA_SHIM_SHUFFLED);
    check_graph(dpx32(), &g, 2);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    cuda_shim_set_devices(1);
    graph_free(&g);
}

/* The last of several repetitions counts, and none spoils the next. */
static void check_repetitions(const struct solver_variant *variant) {
    const struct solver_options options = options_for(2);
    struct random random = {24};
    struct graph g = random_graph(&random, 140, 5, WEIGHTS_POSITIVE);
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
    struct timing timing[2];
    struct error err;
    cuda_shim_set_devices(2);
    CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, &pred, NULL, 2, timing, &err), STATUS_OK);
    CU_ASSERT_EQUAL(certify(&g, &dist, &pred, 1, &err), STATUS_OK);
    CU_ASSERT(timing[0].solve_s > 0 && timing[1].solve_s > 0);
    cuda_shim_set_devices(1);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

static void test_repetitions(void) {
    check_repetitions(solver_find(&cuda_blocked_solver, "auto"));
    check_repetitions(sparse("auto"));
}

/* Whichever call fails, on whichever device: one line that says where, and nothing is left. When
 * all has been handed on, a failure is none. Every 14th call is tried from the first on, those in
 * the middle with the device lost at them. */
static void check_failures(const struct solver_variant *variant, int first,
                           int (*after)(int countdown)) {
    const struct solver_options options = options_for(2);
    struct random random = {25};
    struct graph g = random_graph(&random, 129, 3, WEIGHTS_ZERO);
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
    bool named[2] = {false, false};
    struct timing timing;
    int call = first, unnoticed = 0;
    cuda_shim_set_devices(2);
    for (bool failed = true; failed; call += 14) {
        struct error err = {0};
        after(call);
        const enum status status =
            solve(variant, &g, &options, &dist, &pred, NULL, 1, &timing, &err);
        failed = after(0) == 0;
        CU_ASSERT(status == STATUS_OK || (failed && status == STATUS_NO_RESOURCE &&
                                          strstr(err.text, "unknown error") != NULL));
        if (status == STATUS_OK)
            CU_ASSERT_EQUAL(certify(&g, &dist, &pred, 1, &err), STATUS_OK);
        unnoticed += failed && status == STATUS_OK;
        for (int k = 0; k < 2; k++)
            named[k] |= strncmp(err.text, k == 0 ? "GPU 0: " : "GPU 1: ", 7) == 0;
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        CU_ASSERT_EQUAL(cuda_shim_pending(), 0);
    }
    CU_ASSERT(call > 50 && (unnoticed <= 3 || variant->solves_rows)); /* these do without some */
    CU_ASSERT(variant->solves_rows ? named[0] || named[1] : named[0] && named[1]);
    cuda_shim_set_devices(1);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

static void test_failures(void) {
    check_failures(dpx32(), 1, cuda_shim_fail_after);
    check_failures(solver_find(&cuda_blocked_solver, "auto"), 4, cuda_shim_fail_after);
    check_failures(sparse("multisource"), 1, cuda_shim_fail_after);
}

static void test_lost(void) {
    check_failures(dpx32(), 8, cuda_shim_lose_after);
    check_failures(sparse("multisource"), 8, cuda_shim_lose_after);
}

/* A matrix that just fits is solved, too, if it is to be proved: that takes what is left. */
static void test_memory_of_proof(void) {
    struct solver_options options = options_for(2);
    size_t needed[2] = {0};
    struct random random = {30};
    struct graph g = random_graph(&random, 200, 3, WEIGHTS_POSITIVE);
    struct matrix dist = new_matrix(g.n);
    struct matrix_sink sink;
    struct proving_sink proof;
    struct timing timing;
    struct error err;
    const struct solve_request request = {.graph = &g,
                                          .sources = {NULL, g.n},
                                          .limit = NO_LIMIT,
                                          .options = &options,
                                          .repetitions = 1};
    options.on_memory = count_memory;
    options.callback_context = needed;
    cuda_shim_set_devices(2);
    CU_ASSERT_EQUAL(solve(dpx32(), &g, &options, &dist, NULL, NULL, 1, &timing, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(needed[0], needed[1]);
    cuda_shim_set_memory(needed[0]);
    matrix_sink_begin(&sink, &dist, NULL);
    CU_ASSERT_EQUAL(proving_sink_open(&proof, &g, NO_LIMIT, false, &sink.sink, &err), STATUS_OK);
    CU_ASSERT_EQUAL(solve_rows(dpx32(), &request, &proof.sink, &timing, &err), STATUS_OK);
    proving_sink_close(&proof);
    cuda_shim_set_memory((size_t)1 << 30);
    cuda_shim_set_devices(1);
    matrix_free(&dist);
    graph_free(&g);
}

static void test_refused(void) {
    struct solver_options options = options_for(2);
    struct random random = {26};
    struct graph g = random_graph(&random, 200, 3, WEIGHTS_POSITIVE);
    struct matrix dist = new_matrix(g.n);
    struct timing timing;
    struct error err;
    CU_ASSERT_EQUAL(solve(dpx32(), &g, &options, &dist, NULL, NULL, 1, &timing, &err),
                    STATUS_NO_RESOURCE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected a device in 0 .. 0, found 1"));
    cuda_shim_set_devices(2);
    CU_ASSERT_EQUAL(solve(solver_find(&cuda_blocked_solver, "tile64"), &g, &options, &dist, NULL,
                          NULL, 1, &timing, &err),
                    STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, "this variant solves on one GPU, found a list of 2");
    cuda_shim_set_memory(40 << 20);
    CU_ASSERT_EQUAL(solve(dpx32(), &g, &options, &dist, NULL, NULL, 1, &timing, &err),
                    STATUS_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "GPU 1: 200 vertices need 0.04 GiB on each of 2 GPUs, 0.04 GiB of its "
                           "0.04 GiB are free: at most 0 vertices fit");
    CU_ASSERT_EQUAL(solve(sparse("queued"), &g, &options, &dist, NULL, NULL, 1, &timing, &err),
                    STATUS_NO_RESOURCE);
    CU_ASSERT_EQUAL(strncmp(err.text, "GPU 1: 200 vertices need ", 25), 0);
    cuda_shim_set_memory((size_t)1 << 30);
    cuda_shim_set_devices(1);
    matrix_free(&dist);
    graph_free(&g);
}

static bool stop_soon(void *context, int64_t done, int64_t total) {
    (void)total;
    *(int64_t *)context = done;
    return done < 1;
}

/* Engines by rows report to the thread that started them, which may hear of nothing before the end.
 */
static void check_stopped(const struct solver_variant *variant) {
    const struct solver_options options = options_for(2);
    struct random random = {27};
    struct graph g = random_graph(&random, 600, 1, WEIGHTS_POSITIVE);
    struct matrix dist = new_matrix(g.n);
    int64_t done = 0;
    struct progress progress = {.on_report = stop_soon, .callback_context = &done};
    struct timing timing;
    struct error err;
    cuda_shim_set_devices(2);
    const enum status status =
        solve(variant, &g, &options, &dist, NULL, &progress, 1, &timing, &err);
    CU_ASSERT_EQUAL(status, done > 0 || !variant->solves_rows ? STATUS_CANCELLED : STATUS_OK);
    CU_ASSERT(done <= (variant->solves_rows ? g.n : 1));
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    cuda_shim_set_devices(1);
    matrix_free(&dist);
    graph_free(&g);
}

static void test_stopped(void) {
    check_stopped(dpx32());
    check_stopped(sparse("multisource"));
}

CU_TestInfo spread_tests[] = {
    {"as on one GPU", test_sizes},
    {"engines by rows as on one GPU", test_rows},
    {"cells of every kind", test_cells},
    {"each GPU says what it needs", test_memory},
    {"a proof takes what is left", test_memory_of_proof},
    {"any order of threads and blocks", test_order},
    {"repetitions", test_repetitions},
    {"every CUDA call failing", test_failures},
    {"the devices disappear at every CUDA call", test_lost},
    {"what cannot be solved together", test_refused},
    {"a solve that is to stop", test_stopped},
    CU_TEST_INFO_NULL,
};
