// SPDX-License-Identifier: MIT
/* Decayed sums by classes of rows on the host shim against sums over the reference's distances: for
 * numbers of every width, regions of every size, in every order of threads, with little memory, and
 * whatever call fails. */
#include "classes/gpu/classes.h"
#include "elimination/order.h" // order_is_available
#include "tests/unit/eliminated.h"

#include "cuda_runtime_api.h" // the shim's controls

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

static const struct regions_options deep = {.leaf = 1, .ratio = 2, .worth = 1, .worth_width = 0},
                                    nested = {.leaf = 4, .ratio = 3, .worth = 6, .worth_width = 1},
                                    flat = {.leaf = 1 << 20, .ratio = 2};

enum { PLENTY = 16 << 20, CALLS_MOST = 1 << 20 };

struct how {
    const struct regions_options *cut;
    bool reversed;
    int32_t apart, at_a_time, fewest; /* as in test_gpu_classes.c */
    size_t room;
    struct class_values values;
    struct progress *progress;
};

/* Masses of `n` positions and rates of all sizes, which the caller frees with values_free. */
static struct class_values values_of(struct random *random, int32_t n, int32_t masses,
                                     int32_t decays) {
    double *const mass = malloc((size_t)n * (size_t)masses * sizeof *mass);
    double *const rate = malloc((size_t)decays * sizeof *rate);
    for (int32_t k = 0; k < n * masses; k++)
        mass[k] = random_in(random, 0, 3) % 3 * random_in(random, 1, 9) / 7.0;
    for (int32_t j = 0; j < decays; j++)
        rate[j] = 1.0 / (int[]){1000, 3, 40, 1000000000}[(j + random_in(random, 0, 1)) % 4];
    return (struct class_values){masses, decays, mass, rate, NULL};
}

static void values_free(struct class_values *v) {
    free((void *)v->mass);
    free((void *)v->rate);
}

/* Within the bound of accessibility.h. */
static bool is_right(const struct eliminated *s, const struct how *how, int32_t position,
                     const double *found) {
    const struct tree *const tree = &s->d.tree;
    const struct class_values *const v = &how->values;
    const int32_t *const row = matrix_row(&s->dist[how->reversed], tree->vertex[position]);
    bool right = true;
    for (int32_t j = 0; j < v->decays; j++)
        for (int32_t m = 0; m < v->masses; m++) {
            long double sum = 0;
            int32_t farthest = 0;
            for (int32_t at = 0; at < tree->n; at++) {
                const int32_t length = row[tree->vertex[at]];
                if (length >= INF)
                    continue;
                farthest = length > farthest ? length : farthest;
                sum += (long double)v->mass[at * v->masses + m] *
                       expl(-(long double)length * (long double)v->rate[j]);
            }
            const double bound = fmin(2 * farthest * v->rate[j], 1492) + tree->n + 64;
            right = right && fabsl((long double)found[j * v->masses + m] - sum) <=
                                 (long double)bound * 0x1p-53L * sum + 1e-290L;
        }
    return right;
}

/* Finds the numbers of some positions, in the rows of `out` from the last on, and checks them. */
static enum status solve(const struct eliminated *s, const struct how *how, double *out,
                         int32_t *at_a_time, struct error *err) {
    const int32_t n = s->d.tree.n;
    const size_t width = (size_t)class_values_width(&how->values);
    const struct proportional_graph g = eliminated_graph(s, how->reversed);
    int32_t *const source = calloc((size_t)n, sizeof *source);
    int32_t *const row = calloc((size_t)n, sizeof *row);
    const int32_t count = some_positions(n, how->apart, source);
    struct regions regions;
    struct gpu_classes c = {0};
    for (int32_t k = 0; k < count; k++)
        row[k] = count - 1 - k;
    CU_ASSERT_EQUAL_FATAL(regions_find(g.tree, g.structure, how->cut, 1, &regions, err), STATUS_OK);
    const struct gpu_classes_options options = {
        .threads = 2, .room = how->room, .values = &how->values, .progress = how->progress};
    enum status status = gpu_classes_open(&c, &g, &regions, &options, err);
    if (status == STATUS_OK) {
        c.at_a_time = how->at_a_time > 0 ? how->at_a_time : c.at_a_time;
        c.fewest = how->fewest > 0 ? how->fewest : c.fewest;
        status = gpu_classes_values(&c, source, row, count, out, err);
        *at_a_time = c.at_a_time;
    }
    bool right = true;
    for (int32_t k = 0; k < count && status == STATUS_OK; k++)
        right = right && is_right(s, how, source[k], out + (size_t)row[k] * width);
    CU_ASSERT(right);
    gpu_classes_close(&c);
    regions_free(&regions);
    CU_ASSERT(cuda_shim_held() == 0 && cuda_shim_pending() == 0);
    free(source);
    free(row);
    return status;
}

static double *room_for(const struct how *how, int32_t n) {
    return malloc((size_t)n * (size_t)class_values_width(&how->values) * sizeof(double));
}

static const struct {
    int32_t masses, decays;
} shapes[] = {{1, 1}, {3, 2}, {7, 5}, {1, 140}, {33, 4}, {70, 2}, {20, 5}, {9, 1}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Directed graphs, most of them in several parts and some with weights of 0; and all regions. */
static void test_random(void) {
    const struct regions_options *const cuts[] = {&deep, &nested, &flat};
    struct random random = {44};
    for (int round = 0; round < 3 * SHAPES && !skipped(); round++) {
        const int32_t n = random_in(&random, 1, 80);
        struct graph g = random_graph(&random, n, n < 20 ? 12 : random_in(&random, 1, 4),
                                      round % 3 == 0 ? WEIGHTS_ZERO : WEIGHTS_POSITIVE);
        struct eliminated s;
        eliminated_begin(&s, &g);
        struct how how = {.cut = cuts[(round + round / SHAPES) % 3],
                          .reversed = round % 2 > 0,
                          .apart = round % 4 == 0 && n > 3 ? 3 : 1,
                          .at_a_time = round % 5 == 0 ? 1 + n / 3 : 0,
                          .room = PLENTY};
        how.values =
            values_of(&random, n, shapes[round % SHAPES].masses, shapes[round % SHAPES].decays);
        double *const out = room_for(&how, n);
        struct error err = {0};
        int32_t ignored;
        cuda_shim_set_order((enum cuda_shim_order)(round % 3));
        cuda_shim_set_overlap(round % 7 == 0);
        CU_ASSERT_EQUAL(solve(&s, &how, out, &ignored, &err), STATUS_OK);
        free(out);
        values_free(&how.values);
        eliminated_end(&s);
        graph_free(&g);
    }
    cuda_shim_set_overlap(0);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

/* Rows of several blocks have the same bits in every order of threads, which decides what rows
 * classes are named after, and with so little memory that regions are taken in groups and sources
 * in parts. With less, a line says so. */
static void test_same_bits(void) {
    enum { N = 420, FEW = 120 };
    struct random random = {45};
    struct eliminated s;
    struct error err = {0};
    int32_t at_a_time;
    if (skipped())
        return;
    struct graph g = long_path(N, 3);
    eliminated_begin_large(&s, &g);
    struct how how = {.cut = &nested, .apart = 1, .fewest = FEW, .room = PLENTY};
    how.values = values_of(&random, N, 7, 3);
    const size_t bytes = N * 21 * sizeof(double);
    double *const right = room_for(&how, N), *const out = room_for(&how, N);
    cuda_shim_fail_after(CALLS_MOST);
    CU_ASSERT_EQUAL(solve(&s, &how, right, &at_a_time, &err), STATUS_OK);
    const int calls = CALLS_MOST - cuda_shim_fail_after(0);
    for (int k = 1; k < 3; k++) {
        cuda_shim_set_order((enum cuda_shim_order)k);
        CU_ASSERT_EQUAL(solve(&s, &how, out, &at_a_time, &err), STATUS_OK);
        CU_ASSERT(memcmp(out, right, bytes) == 0);
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    bool refuses = false, groups = false, divides = false;
    for (how.room = 40 << 10; how.room < PLENTY && !(groups && divides); how.room += how.room / 3) {
        cuda_shim_fail_after(CALLS_MOST);
        const enum status status = solve(&s, &how, out, &at_a_time, &err);
        const int taken = CALLS_MOST - cuda_shim_fail_after(0);
        CU_ASSERT(status == STATUS_OK || status == STATUS_NO_RESOURCE);
        refuses = refuses || status != STATUS_OK;
        divides = divides || (status == STATUS_OK && at_a_time < N);
        groups = groups || (status == STATUS_OK && at_a_time > N && taken > calls);
        CU_ASSERT(status != STATUS_OK || memcmp(out, right, bytes) == 0);
        CU_ASSERT(status == STATUS_OK ||
                  strcmp(err.text, "out of memory on the GPU: proportional rows") == 0);
    }
    CU_ASSERT(refuses && groups && divides);
    free(right);
    free(out);
    values_free(&how.values);
    eliminated_end(&s);
    graph_free(&g);
}

/* Every call of CUDA fails once: a status, a line, and nothing is held; but for the pinned memory
 * of both parts, for want of which nothing fails. Then a caller stops. */
static void test_failures(void) {
    enum { N = 59 };
    struct random random = {46};
    struct progress stopped = {.stopped = true};
    struct eliminated s;
    struct error err;
    bool failed = true;
    int unpinned = 0;
    int32_t ignored;
    if (skipped())
        return;
    struct graph g = long_path(N, 3);
    eliminated_begin(&s, &g);
    struct how how = {.cut = &nested, .apart = 1, .at_a_time = 30, .room = PLENTY};
    how.values = values_of(&random, N, 2, 2);
    double *const out = room_for(&how, N);
    for (int fail_at = 1; failed; fail_at++) {
        cuda_shim_fail_after(fail_at);
        const enum status status = solve(&s, &how, out, &ignored, &err);
        failed = cuda_shim_fail_after(0) == 0;
        CU_ASSERT(status == STATUS_OK || (failed && status == STATUS_NO_RESOURCE));
        CU_ASSERT(status == STATUS_OK || strstr(err.text, "unknown error") != NULL);
        CU_ASSERT(failed || fail_at > 100);
        unpinned += failed && status == STATUS_OK;
    }
    CU_ASSERT_EQUAL(unpinned, 2);
    how.progress = &stopped;
    CU_ASSERT_EQUAL(solve(&s, &how, out, &ignored, &err), STATUS_CANCELLED);
    free(out);
    values_free(&how.values);
    eliminated_end(&s);
    graph_free(&g);
}

CU_TestInfo class_values_tests[] = {
    {"random graphs", test_random},
    {"the same bits", test_same_bits},
    {"failures of CUDA", test_failures},
    CU_TEST_INFO_NULL,
};
