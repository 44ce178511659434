// SPDX-License-Identifier: MIT
/* The public header with what is to come: it is complete, and its initial values are of its own
 * sizes. That it compiles as C99 and C++98 is tested where it is installed. */
#define APSP_TO_COME
#include "libapsp/apsp.h"
#include "tests/unit/support.h"

static void test_to_come(void) {
    const apsp_edges edges = APSP_EDGES_INIT;
    const apsp_sink sink = APSP_SINK_INIT;
    CU_ASSERT_EQUAL(edges.size, sizeof edges);
    CU_ASSERT_EQUAL(sink.size, sizeof sink);
    CU_ASSERT_PTR_NULL(sink.take);
    /* A sink's needs are bits of their own. */
    CU_ASSERT_EQUAL(
        APSP_NEEDS_ORDER + APSP_NEEDS_HOST + APSP_NEEDS_PREDECESSORS + APSP_NEEDS_ONE_AT_A_TIME,
        APSP_NEEDS_ORDER | APSP_NEEDS_HOST | APSP_NEEDS_PREDECESSORS | APSP_NEEDS_ONE_AT_A_TIME);
}

CU_TestInfo header_tests[] = {
    {"what is to come", test_to_come},
    CU_TEST_INFO_NULL,
};
