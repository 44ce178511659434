/* The host shim must show what it is there to show. */
#include "cuda_runtime_api.h"
#include "tests/unit/shim_kernels.h"
#include "tests/unit/support.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

enum { MOST_TOGETHER = 32 };

static bool token_comes_round(int blocks, int threads) {
    struct shim_report reports[MOST_TOGETHER];
    struct error err;
    bool right = shim_pass_token(reports, blocks, threads, &err) == STATUS_OK;
    for (int b = 0; right && b < blocks; b++) {
        const int votes = b % 2 == 1 ? SHIM_LAPS : 0;
        right = reports[b].tokens == SHIM_LAPS && reports[b].any == votes &&
                reports[b].all == votes && reports[b].shared == threads;
    }
    return right;
}

static void test_together(void) {
    for (int order = CUDA_SHIM_ASCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
        cuda_shim_set_order((enum cuda_shim_order)order);
        CU_ASSERT(token_comes_round(1, 1));
        CU_ASSERT(token_comes_round(2, 5));
        CU_ASSERT(token_comes_round(7, 64));
        CU_ASSERT(token_comes_round(MOST_TOGETHER, 256));
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

static void test_too_many_together(void) {
    struct shim_report reports[MOST_TOGETHER + 1];
    struct error err;
    int blocks = 0;
    CU_ASSERT(shim_blocks_together(&blocks, &err) == STATUS_OK && blocks == MOST_TOGETHER);
    CU_ASSERT(shim_pass_token(reports, blocks + 1, 4, &err) == STATUS_NO_RESOURCE);
    CU_ASSERT(strstr(err.text, "too many blocks") != NULL);
    cuda_shim_set_occupancy(2);
    CU_ASSERT(shim_blocks_together(&blocks, &err) == STATUS_OK && blocks == 4);
    CU_ASSERT(token_comes_round(4, 4));
    CU_ASSERT(shim_pass_token(reports, 5, 4, &err) == STATUS_NO_RESOURCE);
    cuda_shim_set_occupancy(16);
}

static void test_order_of_threads(void) {
    int turns[COUNT], right = 0;
    shim_order_of_threads(turns, COUNT);
    for (int t = 0; t < COUNT; t++)
        right += turns[t] == t;
    cuda_shim_set_order(CUDA_SHIM_DESCENDING);
    shim_order_of_threads(turns, COUNT);
    for (int t = 0; t < COUNT; t++)
        right += turns[t] == COUNT - 1 - t;
    CU_ASSERT_EQUAL(right, 2 * COUNT);
    cuda_shim_set_order(CUDA_SHIM_SHUFFLED);
    shim_order_of_threads(turns, COUNT);
    int moved = 0;
    for (int t = 0; t < COUNT; t++)
        moved += turns[t] != t;
    CU_ASSERT(moved > COUNT / 2);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

/* In a process of its own, which it ends. */
static void test_deadlock(void) {
    int ends[2], result = 0;
    CU_ASSERT_FATAL(pipe(ends) == 0);
    const pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        shim_wait_in_vain();
        _exit(0);
    }
    close(ends[1]);
    char said[256];
    const ssize_t length = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    CU_ASSERT_FATAL(waitpid(child, &result, 0) == child);
    CU_ASSERT(WIFSIGNALED(result) && WTERMSIG(result) == SIGABRT);
    said[length > 0 ? length : 0] = 0;
    CU_ASSERT(strstr(said, "all blocks wait for one another") != NULL);
}

CU_TestInfo shim_tests[] = {
    {"a missing barrier shows", test_barrier},
    {"order of blocks", test_order_of_blocks},
    {"blocks that run together", test_together},
    {"too many blocks to run together", test_too_many_together},
    {"order of threads that paused", test_order_of_threads},
    {"blocks that wait in vain", test_deadlock},
    CU_TEST_INFO_NULL,
};
