// SPDX-License-Identifier: MIT
/* The public header with what is to come: it is complete, and its initial values are of its own
 * sizes. That it compiles as C99 and C++98 is tested where it is installed. */
#define APSP_TO_COME
#include "libapsp/apsp.h"
#include "tests/unit/support.h"

static void test_to_come(void) {
    const apsp_edges edges = APSP_EDGES_INIT;
    const unsigned all = APSP_NEEDS_ORDER | APSP_NEEDS_PREDECESSORS | APSP_NEEDS_ONE_AT_A_TIME;
    CU_ASSERT_EQUAL(edges.size, sizeof edges);
    /* A bit of its own. */
    CU_ASSERT_EQUAL(all & APSP_TAKES_DEVICE, 0);
}

CU_TestInfo header_tests[] = {
    {"what is to come", test_to_come},
    CU_TEST_INFO_NULL,
};
