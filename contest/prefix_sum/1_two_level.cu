// SPDX-License-Identifier: MIT
// A block scans 512 numbers in shared memory, the host scans the blocks' sums (contest report).
//
// A block adds pairs at growing distances, which makes the last number of every second, fourth, ...
// run of numbers the sum of its run (up-sweep), and then hands these sums to the numbers between
// (down-sweep): 2 additions a number in 17 steps with a barrier each. The blocks' sums are copied
// to the host, scanned there and copied back, and a second kernel adds them. So each number is read
// once, but each sum is written twice and read once, and the device waits for the host in between.
#include "contest/prefix_sum/problem.h"
#include "gpu/launch/launch.cuh" // launch

namespace {

constexpr int threads = 256;
constexpr int items = 2 * threads; // numbers of a block

__global__ void scan_blocks(const int32_t *x, int64_t *y, int64_t count, int64_t *block_sums) {
    DYNAMIC_SHARED(int64_t, shared);
    const int own = static_cast<int>(threadIdx.x);
    const int64_t first = static_cast<int64_t>(blockIdx.x) * items;
    for (int k = own; k < items; k += threads)
        shared[k] = first + k < count ? x[first + k] : 0;
    for (int distance = 1; distance < items; distance *= 2) {
        __syncthreads();
        const int k = (own + 1) * 2 * distance - 1;
        if (k < items)
            shared[k] += shared[k - distance];
    }
    for (int distance = items / 4; distance >= 1; distance /= 2) {
        __syncthreads();
        const int k = (own + 1) * 2 * distance - 1 + distance;
        if (k < items)
            shared[k] += shared[k - distance];
    }
    __syncthreads();
    for (int k = own; k < items; k += threads) {
        if (first + k < count)
            y[first + k] = shared[k];
    }
    if (own == 0)
        block_sums[blockIdx.x] = shared[items - 1];
}

__global__ void add_sums_before(int64_t *y, int64_t count, const int64_t *sums_before) {
    const int64_t first = static_cast<int64_t>(blockIdx.x) * items;
    for (int k = static_cast<int>(threadIdx.x); k < items; k += threads) {
        if (first + k < count)
            y[first + k] += sums_before[blockIdx.x];
    }
}

int64_t blocks_for(int64_t count) {
    return (count + items - 1) / items;
}

} // namespace

size_t prefix_sum_two_level_workspace(int64_t count) {
    return static_cast<size_t>(blocks_for(count)) * sizeof(int64_t);
}

size_t prefix_sum_two_level_host_room(int64_t count) {
    return prefix_sum_two_level_workspace(count);
}

enum status prefix_sum_two_level(const struct device_task *task, struct error *err) {
    const int64_t blocks = blocks_for(task->count);
    const size_t bytes = prefix_sum_two_level_workspace(task->count);
    const dim3 grid(static_cast<unsigned>(blocks)), block(threads);
    const auto x = static_cast<const int32_t *>(task->input);
    const auto y = static_cast<int64_t *>(task->output);
    const auto on_device = static_cast<int64_t *>(task->workspace);
    const auto sums = static_cast<int64_t *>(task->host_room);
    RETURN_ON_FAILURE(launch(err, scan_blocks, grid, block, items * sizeof(int64_t), x, y,
                             task->count, on_device));
    RETURN_ON_FAILURE(gpu_check(cudaMemcpy(sums, on_device, bytes, cudaMemcpyDeviceToHost),
                                "fetching the blocks' sums", err));
    int64_t before = 0;
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t sum = sums[b];
        sums[b] = before;
        before += sum;
    }
    RETURN_ON_FAILURE(gpu_check(cudaMemcpy(on_device, sums, bytes, cudaMemcpyHostToDevice),
                                "sending the blocks' sums", err));
    return launch(err, add_sums_before, grid, block, 0, y, task->count,
                  static_cast<const int64_t *>(on_device));
}
