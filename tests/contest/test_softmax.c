// SPDX-License-Identifier: MIT
/* Every variant of softmax on the shim, against the definition in long double. */
#include "contest/softmax/problem.h"
#include "cuda_runtime_api.h"
#include "tests/unit/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 12011 };

static struct values answer_of(const struct contest_variant *variant, const struct values *input) {
    struct values output = {.type = VALUE_FLOAT32};
    struct timing timing;
    struct error err;
    char name[64];
    if (variant->compute != NULL) {
        CU_ASSERT_FATAL(values_alloc(&output, VALUE_FLOAT32, input->count, "", &err) == STATUS_OK);
        CU_ASSERT_FATAL(variant->compute(input, &output, 3, &err) == STATUS_OK);
    } else {
        CU_ASSERT_FATAL(gpu_run(variant, input, &output, 0, 1, &timing, name, sizeof name, &err) ==
                        STATUS_OK);
    }
    return output;
}

/* Returns whether every entry is within the variant's bound of the definition, and their sum within
 * it of 1. Where the definition has no value all are NaN. */
static bool is_softmax(const struct contest_variant *variant, const struct values *input) {
    const float *const x = input->entries;
    struct values output = answer_of(variant, input);
    const float *const y = output.entries;
    long double top = -INFINITY, total = 0, sum = 0;
    bool right = true;
    struct error err;
    for (int64_t k = 0; k < input->count; k++)
        top = x[k] > top ? x[k] : top;
    for (int64_t k = 0; k < input->count; k++)
        total += expl(x[k] - top);
    for (int64_t k = 0; k < input->count; k++) {
        const long double p = expl(x[k] - top) / total;
        right &= isnan(p) ? isnan(y[k]) : fabsl(y[k] - p) <= variant->error_bound * p + 0x1p-146L;
        sum += y[k];
    }
    right &= isnan(total) || fabsl(sum - 1) <= variant->error_bound + 1e-9L;
    CU_ASSERT(softmax_check(input, &output, variant->error_bound, 2, &err) ==
              (right ? STATUS_OK : STATUS_REFUTED));
    values_free(&output);
    return right;
}

static void all_variants(const struct values *input) {
    for (int v = 0; v < softmax_problem.variant_count; v++)
        CU_ASSERT(is_softmax(&softmax_problem.variants[v], input));
}

static void test_counts(void) {
    static const int64_t counts[] = {1,    2,    3,    5,    255,  256,  257,
                                     1023, 1024, 1025, 4100, 8191, 8193, LARGEST};
    struct error err;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const struct random_values how = {counts[c], c, c % 2 == 0 ? -10 : -10000,
                                          c % 2 == 0 ? 10 : 10000};
        struct values input;
        CU_ASSERT_FATAL(values_draw(&input, VALUE_FLOAT32, &how, &err) == STATUS_OK);
        all_variants(&input);
        values_free(&input);
    }
}

/* x[k] = offset + slope * k: all equal, ascending and descending, near and far from 0. Ascending
 * numbers make every group of a thread the largest so far. */
static void test_slopes(void) {
    static const struct {
        float offset, slope;
    } cases[] = {{0, 0},          {10000, 0},       {-10000, 0},     {10000, 1e-3f},
                 {-10000, 0.01f}, {10000, -0.001f}, {5, 0.7f},       {-3, -0.3f},
                 {FLT_MAX, 0},    {-FLT_MAX, 0},    {-3e38f, 2e34f}, {1e-42f, 1e-42f},
                 {100, 0.0004f},  {-87, 0.0043f},   {3e38f, -3e34f}};
    struct values input;
    struct error err;
    CU_ASSERT_FATAL(values_alloc(&input, VALUE_FLOAT32, LARGEST, "", &err) == STATUS_OK);
    float *const x = input.entries;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int k = 0; k < LARGEST; k++)
            x[k] = cases[c].offset + cases[c].slope * (float)k;
        all_variants(&input);
    }
    values_free(&input);
}

/* Infinities and NaN among ordinary numbers, and alone. */
static void test_special(void) {
    static const float special[] = {INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX};
    const struct random_values how = {9000, 5, -3, 3};
    struct values input;
    struct error err;
    CU_ASSERT_FATAL(values_draw(&input, VALUE_FLOAT32, &how, &err) == STATUS_OK);
    float *const x = input.entries;
    for (size_t s = 0; s < sizeof special / sizeof *special; s++) {
        const float kept = x[4321];
        x[4321] = special[s];
        all_variants(&input);
        x[4321] = kept;
        input.count = 1;
        x[0] = special[s];
        all_variants(&input);
        input.count = 9000;
        x[0] = 0;
    }
    for (int k = 0; k < 9000; k++)
        x[k] = -INFINITY;
    all_variants(&input);
    x[8999] = -1e30f; /* the only one */
    all_variants(&input);
    values_free(&input);
}

static void test_orders(void) {
    const struct random_values how = {LARGEST, 3, -30, 30};
    struct values input;
    struct error err;
    CU_ASSERT_FATAL(values_draw(&input, VALUE_FLOAT32, &how, &err) == STATUS_OK);
    for (int order = CUDA_SHIM_DESCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
        cuda_shim_set_order((enum cuda_shim_order)order);
        all_variants(&input);
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    values_free(&input);
}

/* More blocks than a block has threads, and more tiles than blocks. */
static void test_many_blocks(void) {
    const struct random_values how = {90000, 3, -90, 90};
    struct values input;
    struct error err;
    CU_ASSERT_FATAL(values_draw(&input, VALUE_FLOAT32, &how, &err) == STATUS_OK);
    cuda_shim_set_multiprocessors(20);
    all_variants(&input);
    cuda_shim_set_multiprocessors(2);
    values_free(&input);
}

/* The check sees an entry that is off by more than the bound, NaN, and entries that are all within
 * their bounds of something else. */
static void test_check(void) {
    const struct random_values how = {1000, 3, -3, 3};
    struct values input, output;
    struct error err;
    CU_ASSERT_FATAL(values_draw(&input, VALUE_FLOAT32, &how, &err) == STATUS_OK);
    output = answer_of(&softmax_problem.variants[0], &input);
    float *const y = output.entries, kept = y[123];
    y[123] = kept * 1.000004f;
    CU_ASSERT(softmax_check(&input, &output, 5e-6, 1, &err) == STATUS_OK);
    CU_ASSERT(softmax_check(&input, &output, 3e-6, 1, &err) == STATUS_REFUTED);
    CU_ASSERT(strstr(err.text, "entry 123, from 0: expected") != NULL);
    y[123] = NAN;
    CU_ASSERT(softmax_check(&input, &output, 1e-5, 1, &err) == STATUS_REFUTED);
    y[123] = -kept;
    CU_ASSERT(softmax_check(&input, &output, 1e-5, 1, &err) == STATUS_REFUTED);
    values_free(&input);
    values_free(&output);
}

CU_TestInfo softmax_tests[] = {
    {"counts, and numbers up to 10000", test_counts},
    {"equal, ascending and descending numbers", test_slopes},
    {"infinities and NaN", test_special},
    {"orders of blocks and threads", test_orders},
    {"many blocks", test_many_blocks},
    {"the check refutes", test_check},
    CU_TEST_INFO_NULL,
};
