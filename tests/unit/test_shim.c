/* The host shim must show what it is there to show. */
#include "cuda_runtime_api.h"
#include "tests/unit/shim_kernels.h"
#include "tests/unit/support.h"

enum { COUNT = 97 };

static bool reverses(bool barrier, enum cuda_shim_order order) {
    int values[COUNT];
    bool right = true;
    for (int k = 0; k < COUNT; k++)
        values[k] = k;
    cuda_shim_set_order(order);
    shim_reverse(values, COUNT, barrier);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    for (int k = 0; k < COUNT; k++)
        right &= values[k] == COUNT - 1 - k;
    return right;
}

static void test_barrier(void) {
    for (int order = CUDA_SHIM_ASCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
        CU_ASSERT(reverses(true, (enum cuda_shim_order)order));
        CU_ASSERT(!reverses(false, (enum cuda_shim_order)order));
    }
}

static void test_order_of_blocks(void) {
    int turns[COUNT];
    shim_order_of_blocks(turns, COUNT);
    CU_ASSERT(turns[0] == 0 && turns[COUNT - 1] == COUNT - 1);
    cuda_shim_set_order(CUDA_SHIM_DESCENDING);
    shim_order_of_blocks(turns, COUNT);
    CU_ASSERT(turns[0] == COUNT - 1 && turns[COUNT - 1] == 0);
    cuda_shim_set_order(CUDA_SHIM_SHUFFLED);
    shim_order_of_blocks(turns, COUNT);
    int seen = 0, moved = 0;
    for (int b = 0; b < COUNT; b++) {
        seen += turns[b];
        moved += turns[b] != b;
    }
    CU_ASSERT_EQUAL(seen, COUNT * (COUNT - 1) / 2);
    CU_ASSERT(moved > COUNT / 2);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

CU_TestInfo shim_tests[] = {
    {"a missing barrier shows", test_barrier},
    {"order of blocks", test_order_of_blocks},
    CU_TEST_INFO_NULL,
};
