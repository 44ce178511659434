// SPDX-License-Identifier: MIT
/* Rows that are the same, rows that only have the same hash, and more classes than there was room
 * for first. */
#include "classes/row_classes.h"
#include "tests/unit/support.h"

#include <string.h>

enum { PITCH = 3, ROWS = 200 };

static void check_rows(bool is_shared, uint32_t hashes) {
    struct row_classes c;
    int32_t name[ROWS] = {0}, seen = 0;
    CU_ASSERT_FATAL(row_classes_begin(&c, PITCH, is_shared));
    for (int again = 0; again < 2; again++) {
        for (int32_t k = 0; k < ROWS; k++) {
            const int32_t row[PITCH] = {7, 7, k};
            const int32_t found = row_classes_find(&c, row, (uint32_t)k % hashes << 27);
            CU_ASSERT(again == 0 || found == name[k]);
            name[k] = found;
            CU_ASSERT(memcmp(row_classes_row(&c, found), row, sizeof row) == 0);
        }
    }
    row_classes_end(&c);
    CU_ASSERT_EQUAL(c.count, ROWS);
    for (int32_t number = 0, count; number < c.count; number += count) {
        const int32_t *const rows = row_classes_rows(&c, number, &count);
        for (int32_t k = 0; k < count; k++) {
            const int32_t value = rows[k * PITCH + 2];
            CU_ASSERT_EQUAL(row_classes_number(&c, name[value]), number + k);
            seen++;
        }
    }
    CU_ASSERT_EQUAL(seen, ROWS);
    row_classes_free(&c);
}

static void test_same_hash(void) {
    check_rows(false, 1);
    check_rows(true, 1);
}

static void test_some_hashes(void) {
    check_rows(false, 9);
    check_rows(true, 9);
}

CU_TestInfo row_classes_tests[] = {
    {"rows of one hash", test_same_hash},
    {"rows of several hashes", test_some_hashes},
    CU_TEST_INFO_NULL,
};
