// SPDX-License-Identifier: MIT
/* The host shim must show what it is there to show. */
#include "cuda_runtime_api.h"
#include "tests/cuda_shim/shim_kernels.h"
#include "tests/unit/support.h"

#include <signal.h>
#include <stdlib.h>
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

/* Pieces of four values, each value its own place. */
static bool reverses_pieces(enum shim_waiting waiting, enum cuda_shim_order order) {
    int *values = NULL;
    bool right = true;
    CU_ASSERT_FATAL(posix_memalign((void **)&values, 16, 4 * COUNT * sizeof *values) == 0);
    for (int k = 0; k < 4 * COUNT; k++)
        values[k] = k;
    cuda_shim_set_order(order);
    shim_reverse_pieces(values, COUNT, waiting);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    for (int k = 0; k < 4 * COUNT; k++)
        right &= values[k] == 4 * (COUNT - 1 - k / 4) + k % 4;
    free(values);
    return right;
}

/* Into shared memory. What is copied at once, in descending order, needs no wait. */
static void test_copies_of_threads(void) {
    for (int order = CUDA_SHIM_ASCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
        const bool late = order != CUDA_SHIM_DESCENDING;
        CU_ASSERT(reverses_pieces(SHIM_WAITS, (enum cuda_shim_order)order));
        CU_ASSERT_EQUAL(reverses_pieces(SHIM_DOES_NOT_WAIT, (enum cuda_shim_order)order), !late);
        CU_ASSERT_EQUAL(reverses_pieces(SHIM_WAITS_FOR_NO_GROUP, (enum cuda_shim_order)order),
                        !late);
    }
}

/* Between host and device, as late as they may be. */
static void test_copies_of_the_host(void) {
    enum { N = 5, BYTES = N * sizeof(int) };
    int *host = NULL, *device = NULL;
    cudaEvent_t event = NULL;
    float milliseconds;
    CU_ASSERT_FATAL(cudaMallocHost((void **)&host, BYTES) == cudaSuccess);
    CU_ASSERT_FATAL(cudaMalloc((void **)&device, BYTES) == cudaSuccess);
    CU_ASSERT_FATAL(cudaEventCreate(&event) == cudaSuccess);

    /* A copy to the device may take what the host writes before that copy is waited for. */
    for (int k = 0; k < N; k++)
        host[k] = k;
    CU_ASSERT_EQUAL(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, 0), cudaSuccess);
    host[0] = 100;
    shim_add_one(device, N); /* comes after the copy */
    host[1] = 200;
    CU_ASSERT(device[0] == 101 && device[1] == 2 && device[N - 1] == N);

    /* A copy to the host is complete when it has been waited for, and has what the device had at
     * that point of the stream. */
    CU_ASSERT_EQUAL(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventRecord(event, 0), cudaSuccess);
    shim_add_one(device, N);
    CU_ASSERT(host[1] != 2 && cuda_shim_pending() == 2);
    CU_ASSERT_EQUAL(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorNotReady);
    CU_ASSERT_EQUAL(cudaEventSynchronize(event), cudaSuccess);
    CU_ASSERT(host[0] == 101 && host[1] == 2 && host[N - 1] == N && cuda_shim_pending() == 0);
    CU_ASSERT_EQUAL(cudaEventElapsedTime(&milliseconds, event, event), cudaSuccess);
    CU_ASSERT(device[0] == 102 && device[1] == 3);

    /* A synchronous copy to the host waits for what came before it, one from there need not. */
    int other = 7;
    CU_ASSERT_EQUAL(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy(device, &other, sizeof other, cudaMemcpyHostToDevice), cudaSuccess);
    CU_ASSERT_EQUAL(cuda_shim_pending(), 1);
    CU_ASSERT_EQUAL(cudaMemcpy(&other, device + 1, sizeof other, cudaMemcpyDeviceToHost),
                    cudaSuccess);
    CU_ASSERT(cuda_shim_pending() == 0 && other == 3 && host[0] == 102 && device[0] == 7);
    cudaEventDestroy(event);
    cudaFree(device);
    cudaFreeHost(host);
}

/* Checks the message of a process of its own that is aborted because of what wrong() does. */
static void check_aborts(void (*wrong)(void), const char *expected) {
    int ends[2], result = 0;
    CU_ASSERT_FATAL(pipe(ends) == 0);
    const pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        wrong();
        _exit(0);
    }
    close(ends[1]);
    char said[256];
    const ssize_t length = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    CU_ASSERT_FATAL(waitpid(child, &result, 0) == child);
    CU_ASSERT(WIFSIGNALED(result) && WTERMSIG(result) == SIGABRT);
    said[length > 0 ? length : 0] = 0;
    CU_ASSERT(strstr(said, expected) != NULL);
}

static void release_too_early(void) {
    int on_stack[4] = {0}, *device = NULL;
    cudaMalloc((void **)&device, sizeof on_stack);
    cudaMemcpyAsync(on_stack, device + 1, sizeof *device, cudaMemcpyDeviceToHost, 0);
    cudaFree(device);
}

static void test_release_under_way(void) {
    check_aborts(release_too_early, "memory is released while a copy is under way");
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

enum { MAX_TOGETHER = 32 };

static bool token_comes_round(int blocks, int threads) {
    struct shim_report reports[MAX_TOGETHER];
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
        CU_ASSERT(token_comes_round(MAX_TOGETHER, 256));
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

static void test_too_many_together(void) {
    struct shim_report reports[MAX_TOGETHER + 1];
    struct error err;
    int blocks = 0;
    CU_ASSERT(shim_blocks_together(&blocks, &err) == STATUS_OK && blocks == MAX_TOGETHER);
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

static void test_deadlock(void) {
    check_aborts(shim_wait_in_vain, "all blocks wait for one another");
    check_aborts(shim_leave_warp, "threads of a warp wait for others of it");
}

/* Threads of the last warp, too, which is not full. */
static void test_warps(void) {
    int sums[COUNT];
    unsigned votes[COUNT];
    for (int order = CUDA_SHIM_ASCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
        cuda_shim_set_order((enum cuda_shim_order)order);
        shim_ask_warp(sums, votes, COUNT);
        for (int t = 0; t < COUNT; t++) {
            const int first = t / 32 * 32;
            CU_ASSERT_EQUAL(sums[t], (first + t) * (t - first + 1) / 2);
            CU_ASSERT(t >= 96 || votes[t] == 0xaaaaaaaa);
        }
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

/* Blocks of an ordinary launch, as many at once as the device holds. */
static void test_overlap(void) {
    int most;
    shim_wait_for_earlier(COUNT, &most);
    CU_ASSERT_EQUAL(most, 1);
    cuda_shim_set_overlap(1);
    cuda_shim_set_occupancy(5);
    shim_wait_for_earlier(COUNT, &most);
    CU_ASSERT_EQUAL(most, 10);
    shim_wait_for_earlier(4, &most);
    CU_ASSERT_EQUAL(most, 4);
    cuda_shim_set_occupancy(16);
    cuda_shim_set_overlap(0);
}

CU_TestInfo shim_tests[] = {
    {"a missing barrier shows", test_barrier},
    {"a missing wait for a thread's copy shows", test_copies_of_threads},
    {"a missing wait for a copy between host and device shows", test_copies_of_the_host},
    {"memory that is released before a copy has arrived", test_release_under_way},
    {"order of blocks", test_order_of_blocks},
    {"blocks that run together", test_together},
    {"too many blocks to run together", test_too_many_together},
    {"order of threads that paused", test_order_of_threads},
    {"blocks and threads that wait in vain", test_deadlock},
    {"exchanges in a warp", test_warps},
    {"blocks of an ordinary launch that overlap", test_overlap},
    CU_TEST_INFO_NULL,
};
