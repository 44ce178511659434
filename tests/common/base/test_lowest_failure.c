// SPDX-License-Identifier: MIT
/* The failure that decides among those of several threads. */
#include "common/base/lowest_failure.h"
#include "tests/unit/support.h"

#include <unistd.h>

/* All threads fail at every step, and record it while they hold a lock of their caller, as a proof
 * does. If recording waited for that lock, it would wait forever; then the alarm ends the program.
 */
static void test_lowest_step_decides(void) {
    enum { STEPS = 64, TIME_LIMIT_S = 60 };
    struct lowest_failure f;
    struct error err = {0};
    int32_t lowest = INT32_MAX;
    lowest_failure_begin(&f);
    CU_ASSERT(lowest_failure_allows(&f, INT32_MAX - 1));
    CU_ASSERT_EQUAL(lowest_failure_end(&f, &err), STATUS_OK);
    alarm(TIME_LIMIT_S);
#pragma omp parallel for num_threads(2) schedule(dynamic)
    for (int32_t k = 0; k < STEPS; k++) {
        /* each step once, the lowest one in the middle */
        const int32_t step = (k * 29 + 7) % STEPS + 3;
        struct error mine;
        fail(&mine, STATUS_REFUTED, "step %d", step);
#pragma omp critical
        if (lowest_failure_note(&f, step, step == 3 ? STATUS_REFUTED : STATUS_BAD_INPUT, &mine))
            lowest = step;
    }
    alarm(0);
    CU_ASSERT_EQUAL(lowest, 3);
    CU_ASSERT(lowest_failure_allows(&f, 2));
    CU_ASSERT_FALSE(lowest_failure_allows(&f, 3));
    CU_ASSERT_EQUAL(lowest_failure_end(&f, &err), STATUS_REFUTED);
    CU_ASSERT_STRING_EQUAL(err.text, "step 3");
}

CU_TestInfo lowest_failure_tests[] = {
    {"the lowest step decides, under the caller's lock, too", test_lowest_step_decides},
    CU_TEST_INFO_NULL,
};
