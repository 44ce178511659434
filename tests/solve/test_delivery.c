// SPDX-License-Identifier: MIT
/* How the threads of a process, and processes, take rows in strips. */
#include "solve/delivery.h"

#include "ranks/transport.h"
#include "tests/unit/support.h"
#include "tests/unit/transfers.h"

#include <omp.h>
#include <string.h>

enum { ROWS = 500, UNIT = 8 };

static const struct ranks_transport transport = {
    .version = RANKS_TRANSPORT_VERSION, .meet = transfer_at_once, .test = transfer_is_done};
static const struct ranks first_of_three = {.count = 3, .transport = &transport};

/* Four threads take all rows, once each, in strips that begin at a multiple of UNIT; only the last
 * one is shorter. */
static void take_all(struct delivery *d) {
    int taken[ROWS] = {0}, wrong = 0;
    int32_t ignored;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
    {
        int32_t first, count;
        while ((count = delivery_next(d, UNIT, &first)) > 0) {
            wrong += first % UNIT != 0 || count != (ROWS - first < UNIT ? ROWS - first : UNIT);
            for (int32_t k = 0; k < count; k++)
                taken[first + k]++;
        }
    }
    for (int32_t k = 0; k < ROWS; k++)
        wrong += taken[k] != 1;
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(delivery_next(d, UNIT, &ignored), 0);
}

static void test_threads(void) {
    struct delivery d = {.sources.count = ROWS};
    struct error err;
    take_all(&d);
    CU_ASSERT_EQUAL(delivery_claim_anew(&d, &err), STATUS_OK);
    take_all(&d);
}

/* Rows that another process has claimed in the meantime are left out; rank 0 keeps the claims. */
static void test_processes(void) {
    const struct claims_size quarter = {.part = CLAIMS_HALF, .unit = ROWS / 4, .most = ROWS / 4};
    struct delivery d = {.sources.count = ROWS, .ranks = &first_of_three};
    struct error err;
    int64_t theirs;
    int32_t first, here = 0;
    CU_ASSERT_EQUAL_FATAL(claims_open(&first_of_three, ROWS, &err), STATUS_OK);
    take_all(&d);
    d.next = d.end = 0;
    CU_ASSERT_EQUAL_FATAL(claims_open(&first_of_three, ROWS, &err), STATUS_OK);
    /* the first UNIT rows of a larger claim */
    CU_ASSERT_EQUAL(delivery_next(&d, UNIT, &first), UNIT);
    CU_ASSERT_EQUAL(first, 0);
    CU_ASSERT_EQUAL(claims_next(&first_of_three, &quarter, &theirs), ROWS / 4);
    for (int32_t count = UNIT; count > 0; count = delivery_next(&d, UNIT, &first)) {
        CU_ASSERT(first < theirs || first >= theirs + ROWS / 4);
        here += count;
    }
    CU_ASSERT_EQUAL(here, ROWS - ROWS / 4);
}

static void test_stop(void) {
    struct delivery d = {.sources.count = ROWS, .ranks = &first_of_three};
    struct error err;
    int32_t first;
    CU_ASSERT_EQUAL_FATAL(claims_open(&first_of_three, ROWS, &err), STATUS_OK);
    lowest_failure_begin(&d.failed);
    CU_ASSERT_EQUAL(delivery_next(&d, UNIT, &first), UNIT); /* a first strip of a larger claim */
    fail(&err, STATUS_NO_RESOURCE, "no memory");
    delivery_fail(&d, 0, STATUS_NO_RESOURCE, &err);
    CU_ASSERT_EQUAL(delivery_next(&d, UNIT, &first), 0);
    CU_ASSERT_TRUE(claims_stopped(&first_of_three));
    CU_ASSERT_EQUAL_FATAL(claims_open(&first_of_three, ROWS, &err), STATUS_OK);
    CU_ASSERT_FALSE(claims_stopped(&first_of_three));
}

CU_TestInfo delivery_tests[] = {
    {"threads take strips", test_threads},
    {"processes take strips", test_processes},
    {"a failure stops all", test_stop},
    CU_TEST_INFO_NULL,
};
