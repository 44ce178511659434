// SPDX-License-Identifier: MIT
/* Medians of timings. */
#include "common/base/timing.h"
#include "tests/unit/support.h"

static void test_median(void) {
    const struct timing timings[] = {{5, 9, 4, {.sweep_s = 0}},
                                     {1, 20, 2, {.sweep_s = 0}},
                                     {3, 7, 1, {.sweep_s = 6}},
                                     {100, 8, 0, {.sweep_s = 0}}};
    struct timing median;
    struct error err;
    CU_ASSERT_EQUAL(timing_median(timings, 1, &median, &err), STATUS_OK);
    CU_ASSERT_EQUAL(median.solve_s, 5);
    CU_ASSERT_EQUAL(timing_median(timings, 3, &median, &err), STATUS_OK);
    CU_ASSERT_EQUAL(median.solve_s, 3);
    CU_ASSERT_EQUAL(median.total_s, 9);
    CU_ASSERT_EQUAL(median.transfer_s, 2);
    CU_ASSERT_EQUAL(median.phases.sweep_s, 6); /* phases of the last repetition */
    CU_ASSERT_EQUAL(timing_median(timings, 4, &median, &err), STATUS_OK);
    CU_ASSERT_EQUAL(median.solve_s, 4);
    CU_ASSERT_EQUAL(median.total_s, 8.5);
}

CU_TestInfo timing_tests[] = {
    {"medians", test_median},
    CU_TEST_INFO_NULL,
};
