// SPDX-License-Identifier: MIT
/* cuda_blocked's variants need and do what their models say of them. */
#include "cuda_blocked/blocked_model.h"

#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/blocked_variants.h" // cuda_blocked_solver
#include "cuda_runtime_api.h"              // the shim's controls
#include "gpu/gpu_solver.h"                // gpu_query
#include "solve/solve.h"                   // solve, solver_find
#include "tests/unit/support.h"

#include <stdio.h>

enum { SHARED = 227 << 10, CAPABILITY = 9 }; /* more than any variant needs */

/* A variant is available as soon as a block can have what the description says, which is rounded up
 * to a KiB. */
static void test_needs(void) {
    static const struct {
        const char *name;
        enum status (*available)(bool *available, struct error *err);
    } variants[] = {
        {"dpx32", cuda_blocked_dpx32_available},
        {"dpx16", cuda_blocked_dpx16_available},
        {"tensor", cuda_blocked_tensor_available},
    };
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        const struct variant_model *model =
            &solver_find(&cuda_blocked_solver, variants[k].name)->model;
        const struct {
            int capability, shared;
            bool available;
        } cases[] = {
            {CAPABILITY, model->shared_memory, true},
            {CAPABILITY, model->shared_memory - 1024, false},
            {model->capability, SHARED, true},
            {model->capability - 1, SHARED, model->capability == 0},
        };
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            bool available = false;
            struct error err;
            cuda_shim_set_capability(cases[c].capability, cases[c].shared);
            CU_ASSERT_EQUAL(variants[k].available(&available, &err), STATUS_OK);
            CU_ASSERT_EQUAL(available, cases[c].available);
        }
    }
    cuda_shim_set_capability(CAPABILITY, SHARED);
}

static void test_vertices(void) {
    for (int count = 1; count <= 2000; count += count < 10 ? 1 : 97) {
        const struct gpu_traits gpu = {.multiprocessors = count};
        int32_t limit = 0;
        struct error err;
        cuda_shim_set_multiprocessors(count);
        cuda_shim_set_occupancy(3);
        CU_ASSERT_EQUAL(cuda_blocked_resident_limit(&limit, &err), STATUS_OK);
        CU_ASSERT_EQUAL(cuda_blocked_resident_vertices(&gpu), limit);
    }
    cuda_shim_set_multiprocessors(2);
    cuda_shim_set_occupancy(16);
}

static void keep_choice(void *to, const char *variant, const char *why) {
    (void)why;
    snprintf(to, 64, "%s", variant);
}

/* A ring, and with `complete` all other edges, all of weight `weight`. */
static struct graph ring(int32_t n, int32_t weight, bool complete) {
    enum { VERTICES = 100 };
    static struct edge edges[VERTICES * VERTICES];
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++) {
        for (int32_t step = 1; step < (complete ? n : 2); step++)
            edges[count++] = (struct edge){v, (v + step) % n, weight};
    }
    return graph_of(n, edges, count);
}

/* `auto` takes the variant that its model expects to be the fastest. */
static void test_expected(void) {
    static const struct {
        int32_t n, weight;
        bool complete;
        int shared;
        const char *expected;
    } cases[] = {
        {32, 5, false, SHARED, "thesis"},   {33, 5, false, SHARED, "resident"},
        {64, 5, false, SHARED, "resident"}, {65, 1, true, SHARED, "tensor"},
        {100, 1, false, SHARED, "dpx16"},   {100, 5000, false, SHARED, "dpx32"},
        {100, 1, true, 100 << 10, "dpx16"}, {100, 1, true, 48 << 10, "tile64"},
    };
    cuda_shim_set_multiprocessors(1); /* so that `resident` is for 64 vertices */
    cuda_shim_set_occupancy(3);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct graph g = ring(cases[c].n, cases[c].weight, cases[c].complete);
        struct matrix dist = new_matrix(g.n);
        struct timing timing;
        struct gpu_traits gpu;
        struct error err;
        char taken[64] = "";
        const struct solver_options options = {.on_choice = keep_choice, .callback_context = taken};
        const struct features f = {.n = g.n,
                                   .longest = cases[c].weight * (cases[c].complete ? 1 : g.n - 1)};
        cuda_shim_set_capability(CAPABILITY, cases[c].shared);
        CU_ASSERT_EQUAL(gpu_query(0, &gpu, &err), STATUS_OK);
        CU_ASSERT_EQUAL(solve(solver_find(&cuda_blocked_solver, "auto"), &g, &options, &dist, NULL,
                              NULL, 1, &timing, &err),
                        STATUS_OK);
        CU_ASSERT_STRING_EQUAL(taken, cases[c].expected);
        CU_ASSERT_STRING_EQUAL(cuda_blocked_expected(&f, &gpu)->name, cases[c].expected);
        matrix_free(&dist);
        graph_free(&g);
    }
    cuda_shim_set_multiprocessors(2);
    cuda_shim_set_occupancy(16);
    cuda_shim_set_capability(CAPABILITY, SHARED);
}

/* A solve allocates as much memory as was predicted, apart from what is left for the code of
 * kernels. */
static void check_allocated(const struct solver_variant *variant, int32_t n, bool with_pred) {
    const size_t kernels = 32 << 20;
    const struct solver_options options = {0};
    struct graph g = ring(n, 1, false);
    struct matrix dist = new_matrix(n), pred = new_matrix(n);
    struct timing timing;
    struct error err;
    (void)cuda_shim_peak();
    CU_ASSERT_EQUAL(
        solve(variant, &g, &options, &dist, with_pred ? &pred : NULL, NULL, 1, &timing, &err),
        STATUS_OK);
    CU_ASSERT_EQUAL(cuda_shim_peak(),
                    gpu_memory_needed(variant, NUMBER_INT32, n, g.m, with_pred) - kernels);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&g);
}

static void test_memory(void) {
    static const char *const names[] = {"dpx32", "dpx16", "tensor", "auto"};
    const double n = 131072;
    const int64_t m = (int64_t)(0.02 * n * n);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const struct solver_variant *variant = solver_find(&cuda_blocked_solver, names[k]);
        check_allocated(variant, 20, true);
        check_allocated(variant, k < 2 ? 700 : 26, k == 0);
        for (int with_pred = 0; with_pred <= 1; with_pred++) {
            /* Four bytes for a distance and for a predecessor, and little beside them. */
            const double bytes =
                (double)gpu_memory_needed(variant, NUMBER_INT32, (int32_t)n, 0, with_pred);
            CU_ASSERT(bytes > (4 + 4 * with_pred) * n * n);
            CU_ASSERT(bytes < (4.06 + 4 * with_pred) * n * n);
        }
        CU_ASSERT(gpu_memory_needed(variant, NUMBER_INT32, (int32_t)n, m, true) < (size_t)139
                                                                                      << 30);
    }
}

CU_TestInfo model_tests[] = {
    {"memory of a solve", test_memory},
    {"what a GPU must have", test_needs},
    {"the most vertices", test_vertices},
    {"what auto is expected to take", test_expected},
    CU_TEST_INFO_NULL,
};
