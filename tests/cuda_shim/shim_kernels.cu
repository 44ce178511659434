// SPDX-License-Identifier: MIT
#include "gpu/launch/async_copy.cuh" // copy_async
#include "gpu/launch/flags.cuh"      // load_acquire, store_release
#include "gpu/launch/launch.cuh"
#include "gpu/launch/warp.cuh"
#include "tests/cuda_shim/shim_kernels.h"

static void reverse(int *values, int count, bool barrier) {
    DYNAMIC_SHARED(int, shared);
    const int own = static_cast<int>(threadIdx.x);
    shared[own] = values[own];
    if (barrier)
        __syncthreads();
    values[own] = shared[count - 1 - own];
}

void shim_reverse(int *values, int count, bool barrier) {
    struct error err;
    launch(&err, reverse, dim3(1), dim3(static_cast<unsigned>(count)),
           static_cast<size_t>(count) * sizeof(int), values, count, barrier);
}

static void reverse_pieces(int *values, int pieces, enum shim_waiting waiting) {
    DYNAMIC_SHARED(int4, shared);
    const int own = static_cast<int>(threadIdx.x);
    copy_async(&shared[own], reinterpret_cast<const int4 *>(values) + own);
    if (waiting != SHIM_WAITS_FOR_NO_GROUP)
        copy_commit();
    if (waiting != SHIM_DOES_NOT_WAIT)
        copy_wait<0>();
    __syncthreads();
    reinterpret_cast<int4 *>(values)[own] = shared[pieces - 1 - own];
}

void shim_reverse_pieces(int *values, int pieces, enum shim_waiting waiting) {
    struct error err;
    launch(&err, reverse_pieces, dim3(1), dim3(static_cast<unsigned>(pieces)),
           static_cast<size_t>(pieces) * sizeof(int4), values, pieces, waiting);
}

static void add_one(int *values) {
    values[threadIdx.x]++;
}

void shim_add_one(int *values, int count) {
    struct error err;
    launch(&err, add_one, dim3(1), dim3(static_cast<unsigned>(count)), 0, values);
}

static void take_turn(int *turns, int *next) {
    turns[blockIdx.x] = (*next)++;
}

void shim_order_of_blocks(int *turns, int blocks) {
    struct error err;
    int next = 0;
    launch(&err, take_turn, dim3(static_cast<unsigned>(blocks)), dim3(1), 0, turns, &next);
}

static void pass_token(int32_t *token, struct shim_report *reports) {
    DYNAMIC_SHARED(int, shared);
    const int blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x);
    const int threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x);
    const bool odd = block % 2 == 1;
    struct shim_report report = {0, 0, 0, 0};
    shared[thread] = block * threads + thread;
    for (int lap = 0; lap < SHIM_LAPS; lap++) {
        const int mine = lap * blocks + (lap % 2 == 0 ? block : blocks - 1 - block);
        if (thread == block % threads) {
            while (load_acquire(token) < mine)
                pause_thread();
        }
        __syncthreads();
        report.tokens += *token == mine;
        report.any += __syncthreads_or(odd && thread == threads - 1);
        report.all += __syncthreads_and(odd || thread != threads - 1);
        if (thread == lap % threads)
            store_release(token, mine + 1);
    }
    if (thread != 0)
        return;
    for (int t = 0; t < threads; t++)
        report.shared += shared[t] == block * threads + t;
    reports[block] = report;
}

enum status shim_pass_token(struct shim_report *reports, int blocks, int threads,
                            struct error *err) {
    int32_t token = 0;
    return launch_together(err, pass_token, dim3(static_cast<unsigned>(blocks)),
                           dim3(static_cast<unsigned>(threads)),
                           static_cast<size_t>(threads) * sizeof(int), &token, reports);
}

enum status shim_blocks_together(int *blocks, struct error *err) {
    return blocks_together(pass_token, 64, 64 * sizeof(int), blocks, err);
}

static void take_turn_after_barrier(int *turns, int *next) {
    for (unsigned pauses = threadIdx.x % 3; pauses > 0; pauses--)
        pause_thread();
    __syncthreads();
    turns[threadIdx.x] = (*next)++;
}

void shim_order_of_threads(int *turns, int threads) {
    struct error err;
    int next = 0;
    launch_together(&err, take_turn_after_barrier, dim3(1), dim3(static_cast<unsigned>(threads)), 0,
                    turns, &next);
}

static void ask_warp(int *sums, unsigned *votes) {
    const int own = static_cast<int>(threadIdx.x);
    int sum = own;
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        const int below = from_below(sum, distance);
        sum += own % warp_lanes >= distance ? below : 0;
    }
    votes[own] = votes_of_warp(own % 2 == 1);
    sums[own] = sum;
}

void shim_ask_warp(int *sums, unsigned *votes, int threads) {
    struct error err;
    launch(&err, ask_warp, dim3(1), dim3(static_cast<unsigned>(threads)), 0, sums, votes);
}

struct Crowd {
    int32_t begun, ended, most;
};

static void wait_for_earlier(Crowd *crowd) {
    const int32_t own = static_cast<int32_t>(blockIdx.x);
    crowd->begun++;
    crowd->most = max(crowd->most, crowd->begun - crowd->ended);
    cuda_shim_released();
    pause_thread(); // so that others begin
    while (load_acquire(&crowd->ended) < own)
        pause_thread();
    store_release(&crowd->ended, own + 1);
}

void shim_wait_for_earlier(int blocks, int *most) {
    struct error err;
    Crowd crowd = {0, 0, 0};
    launch(&err, wait_for_earlier, dim3(static_cast<unsigned>(blocks)), dim3(1), 0, &crowd);
    *most = crowd.most;
}

static void leave_warp() {
    if (threadIdx.x != 3)
        (void)votes_of_warp(true);
}

void shim_leave_warp(void) {
    struct error err;
    launch(&err, leave_warp, dim3(1), dim3(32), 0);
}

static void wait_for_other(int32_t *flags) {
    if (threadIdx.x == 0) {
        while (load_acquire(&flags[1 - blockIdx.x]) == 0)
            pause_thread();
    }
    __syncthreads();
    store_release(&flags[blockIdx.x], 1);
}

void shim_wait_in_vain(void) {
    struct error err;
    int32_t flags[2] = {0, 0};
    launch_together(&err, wait_for_other, dim3(2), dim3(4), 0, flags);
}
