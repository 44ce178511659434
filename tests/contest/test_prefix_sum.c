// SPDX-License-Identifier: MIT
/* Every variant of prefix_sum on the shim, against a loop. */
#include "contest/prefix_sum/problem.h"
#include "cuda_runtime_api.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

/* Runs a variant and compares. */
static bool sums_up(const struct contest_variant *variant, const struct values *input) {
    const int32_t *const x = input->entries;
    struct values output = {.type = VALUE_INT64};
    struct timing timing;
    struct error err;
    char name[64];
    if (variant->compute != NULL) {
        CU_ASSERT_FATAL(values_alloc(&output, VALUE_INT64, input->count, "", &err) == STATUS_OK);
        CU_ASSERT_FATAL(variant->compute(input, &output, 3, &err) == STATUS_OK);
    } else {
        CU_ASSERT_FATAL(gpu_run(variant, input, &output, 0, 1, &timing, name, sizeof name, &err) ==
                        STATUS_OK);
    }
    const int64_t *const y = output.entries;
    int64_t sum = 0;
    bool right = output.count == input->count;
    for (int64_t k = 0; k < input->count; k++)
        right &= y[k] == (sum += x[k]);
    CU_ASSERT(prefix_sum_check(input, &output, 0, 2, &err) == STATUS_OK || !right);
    values_free(&output);
    return right;
}

/* Numbers of the whole range, so that sums need more than 32 bits, or all as small as can be. */
static struct values numbers(int64_t count, bool smallest) {
    const struct random_values how = {count, (uint64_t)count, INT32_MIN,
                                      smallest ? INT32_MIN : INT32_MAX};
    struct values values;
    struct error err;
    CU_ASSERT_FATAL(values_draw(&values, VALUE_INT32, &how, &err) == STATUS_OK);
    return values;
}

/* Counts around the ends of lanes' pairs, warps, blocks and tiles. */
static void test_counts(void) {
    static const int64_t counts[] = {1,   2,   3,    63,   64,   65,   511,  512,
                                     513, 514, 1023, 1024, 1025, 4097, 8192, 12289};
    for (int v = 0; v < prefix_sum_problem.variant_count; v++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            struct values input = numbers(counts[c], c % 4 == 3);
            CU_ASSERT(sums_up(&prefix_sum_problem.variants[v], &input));
            values_free(&input);
        }
    }
}

/* Blocks that run at the same time find tiles before theirs in every state, more than a warp looks
 * at in one step, and begin while others wait. */
static void test_blocks_at_once(void) {
    enum { TILES = 150, TILE = 1024 }; /* as they are on the shim */
    struct values input = numbers(TILES * TILE - 1, false);
    const struct contest_variant *const variant = &prefix_sum_problem.variants[2];
    CU_ASSERT_STRING_EQUAL(variant->name, "single_pass");
    cuda_shim_set_overlap(1);
    for (int order = CUDA_SHIM_ASCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
        cuda_shim_set_order((enum cuda_shim_order)order);
        cuda_shim_set_occupancy(order == CUDA_SHIM_SHUFFLED ? 3 : 80);
        CU_ASSERT(sums_up(variant, &input));
    }
    cuda_shim_set_occupancy(16);
    cuda_shim_set_overlap(0);
    for (int order = CUDA_SHIM_DESCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
        cuda_shim_set_order((enum cuda_shim_order)order);
        for (int v = 1; v < prefix_sum_problem.variant_count; v++)
            CU_ASSERT(sums_up(&prefix_sum_problem.variants[v], &input));
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    values_free(&input);
}

/* The check names the first entry that does not follow from the one before. */
static void test_check(void) {
    static const char *const expected[] = {
        "entry 0, from 0: expected", "entry 77, from 0: expected", "entry 499, from 0: expected"};
    static const int64_t wrong[] = {0, 77, 499};
    struct values input = numbers(500, false), output;
    struct error err;
    CU_ASSERT_FATAL(values_alloc(&output, VALUE_INT64, 500, "", &err) == STATUS_OK);
    CU_ASSERT_FATAL(prefix_sum_cpu(&input, &output, 1, &err) == STATUS_OK);
    int64_t *const y = output.entries;
    for (int w = 0; w < 3; w++) {
        y[wrong[w]]++;
        CU_ASSERT(prefix_sum_check(&input, &output, 0, 2, &err) == STATUS_REFUTED);
        CU_ASSERT(strstr(err.text, expected[w]) != NULL);
        y[wrong[w]]--;
    }
    y[3] ^= INT64_MIN; /* adds 2^63 modulo 2^64: the same modulo 2^63 */
    CU_ASSERT(prefix_sum_check(&input, &output, 0, 2, &err) == STATUS_REFUTED);
    values_free(&input);
    values_free(&output);
}

/* Whichever call of CUDA fails, it says so and holds nothing afterwards. */
static void test_failures(void) {
    struct values input = numbers(5000, false);
    struct timing timing;
    struct error err;
    char name[64];
    for (int v = 1; v < prefix_sum_problem.variant_count; v++) {
        bool done = false;
        for (int call = 1; !done && call < 100; call++) {
            struct values output = {.type = VALUE_INT64};
            cuda_shim_fail_after(call);
            const enum status status = gpu_run(&prefix_sum_problem.variants[v], &input, &output, 0,
                                               1, &timing, name, sizeof name, &err);
            done = cuda_shim_fail_after(0) > 0;
            CU_ASSERT(status == (done ? STATUS_OK : STATUS_NO_RESOURCE));
            CU_ASSERT(cuda_shim_held() == 0);
            values_free(&output);
        }
        CU_ASSERT(done);
    }
    struct values output = {.type = VALUE_INT64};
    cuda_shim_set_memory(60000);
    CU_ASSERT(gpu_run(&prefix_sum_problem.variants[1], &input, &output, 0, 1, &timing, name,
                      sizeof name, &err) == STATUS_NO_RESOURCE);
    CU_ASSERT(strstr(err.text, "5000 numbers need") != NULL);
    cuda_shim_set_memory((size_t)1 << 30);
    values_free(&input);
}

CU_TestInfo prefix_sum_tests[] = {
    {"counts around the ends of everything", test_counts},
    {"blocks that run at the same time", test_blocks_at_once},
    {"the check refutes", test_check},
    {"calls of CUDA that fail", test_failures},
    CU_TEST_INFO_NULL,
};
