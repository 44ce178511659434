// SPDX-License-Identifier: MIT
/* What cpu's auto looks at, and what it takes. */
#include "cpu/auto.h"

#include "common/solve/features.h" // features_look_at_structure
#include "common/solve/solve.h"    // solve
#include "cpu/registry.h"          // cpu_solver
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>

enum { MAX_EDGES = 20000 };

static struct edge edges[MAX_EDGES];

/* Every vertex has edges to the next `degree` vertices of its component of `size`. */
static struct graph components(int32_t n, int32_t size, int32_t degree) {
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++) {
        const int32_t first = v / size * size, of = n - first < size ? n - first : size;
        for (int32_t next = 1; next <= degree && next < of; next++)
            edges[count++] = (struct edge){v, first + (v - first + next) % of, 1};
    }
    return graph_of(n, edges, count);
}

static struct features look(int32_t n, int32_t size, int32_t degree) {
    struct graph g = components(n, size, degree);
    struct features features;
    struct error err;
    CU_ASSERT_EQUAL(features_look_at_structure(&g, &features, &err), STATUS_OK);
    CU_ASSERT_EQUAL(features.n, n);
    CU_ASSERT_EQUAL(features.degree, (double)g.m / n);
    graph_free(&g);
    return features;
}

static void test_reach(void) {
    CU_ASSERT_DOUBLE_EQUAL(look(1, 1, 0).reach, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 1000, 1).reach, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 1, 0).reach, 1e-3, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 4, 1).reach, 4e-3, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 49, 2).reach, 49e-3, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(1000, 50, 2).reach, 1, 1e-9); /* a twentieth */
    CU_ASSERT_DOUBLE_EQUAL(look(10, 1, 0).reach, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(look(64, 2, 1).reach, 2.0 / 64, 1e-9);
}

static const char *cheapest(int32_t n, double degree, double reach) {
    const struct features features = {.n = n, .degree = degree, .reach = reach};
    const struct solver_variant *best = auto_choose(&features);
    for (size_t v = 0; v < cpu_solver.variant_count; v++) {
        const struct solver_variant *variant = &cpu_solver.variants[v];
        if (!variant->model.candidate)
            continue;
        CU_ASSERT(auto_cost(variant, &features) > 0);
        CU_ASSERT(auto_cost(variant, &features) >= auto_cost(best, &features));
    }
    return best->name;
}

/* The measurements leave no doubt. */
static void test_costs(void) {
    CU_ASSERT_STRING_EQUAL(cheapest(1, 0, 1), "sequential");
    CU_ASSERT_STRING_EQUAL(cheapest(10, 2, 1), "sequential");
    CU_ASSERT_STRING_EQUAL(cheapest(100, 50, 1), "blocked");
    CU_ASSERT_STRING_EQUAL(cheapest(1000, 900, 1), "blocked");
    CU_ASSERT_STRING_EQUAL(cheapest(5000, 4999, 1), "blocked");
    CU_ASSERT_STRING_EQUAL(cheapest(1000, 3, 1), "multisource");
    CU_ASSERT_STRING_EQUAL(cheapest(5000, 100, 1), "multisource");
    CU_ASSERT_STRING_EQUAL(cheapest(20000, 1000, 1), "multisource");
    CU_ASSERT_STRING_EQUAL(cheapest(1000, 0.2, 0.001), "johnson");
    CU_ASSERT_STRING_EQUAL(cheapest(5000, 0.5, 0.0004), "johnson");
}

struct events {
    char variant[32], why[256];
};

static void keep_choice(void *to, const char *variant, const char *why) {
    struct events *events = to;
    snprintf(events->variant, sizeof events->variant, "%s", variant);
    snprintf(events->why, sizeof events->why, "%s", why);
}

/* What it takes is what costs least, and it says so; the answer is that variant's. */
static void check_taken(struct graph g, int threads, const char *expected) {
    const struct solver_variant *variant = solver_find(&cpu_solver, "auto");
    struct matrix dist = new_matrix(g.n), pred = new_matrix(g.n);
    struct matrix own_dist = new_matrix(g.n), own_pred = new_matrix(g.n);
    struct timing timing;
    struct error err;
    struct events events = {"", ""};
    const struct solver_options options = {
        .threads = threads, .on_choice = keep_choice, .callback_context = &events};
    CU_ASSERT_EQUAL(solve(variant, &g, &options, &dist, &pred, NULL, 1, &timing, &err), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(events.variant, expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(events.why, expected));
    CU_ASSERT(timing.solve_s > 0);
    CU_ASSERT_EQUAL(solve(solver_find(&cpu_solver, expected), &g, &options, &own_dist, &own_pred,
                          NULL, 1, &timing, &err),
                    STATUS_OK);
    for (int32_t i = 0; i < g.n; i++) {
        const size_t bytes = (size_t)g.n * sizeof(int32_t);
        CU_ASSERT(memcmp(matrix_row(&dist, i), matrix_row(&own_dist, i), bytes) == 0);
        CU_ASSERT(memcmp(matrix_row(&pred, i), matrix_row(&own_pred, i), bytes) == 0);
    }
    matrix_free(&dist);
    matrix_free(&pred);
    matrix_free(&own_dist);
    matrix_free(&own_pred);
    graph_free(&g);
}

static void test_taken(void) {
    for (int threads = 1; threads <= 3; threads++) {
        check_taken(components(8, 8, 2), threads, "sequential");
        check_taken(components(100, 100, 60), threads, "blocked");
        check_taken(components(200, 200, 3), threads, "multisource");
        check_taken(components(300, 2, 1), threads, "johnson");
    }
}

CU_TestInfo auto_tests[] = {
    {"share of the vertices that is reached", test_reach},
    {"predicted costs", test_costs},
    {"what is taken", test_taken},
    CU_TEST_INFO_NULL,
};
