// SPDX-License-Identifier: MIT
// Maximum, powers and their sum, quotients: three kernels, between them the host (contest report).
//
// Each block reduces 256 numbers to one in shared memory, in eight steps with a barrier each. The
// host gathers the blocks' results: first the maxima, of which the largest is subtracted from every
// number, then the sums of powers. A total below 10^-12 counts as 1, as the contest demanded; it is
// never that small, because the power of the largest number is 1. So the input is read twice and
// the output is written twice and read once, and the device waits for the host two times.
#include "contest/softmax/problem.h"
#include "gpu/launch/launch.cuh" // launch

#include <math.h>

namespace {

constexpr int threads = 256;
const double smallest_total = 1e-12;

// Combines the values of all threads of the block; only the first thread gets the result.
template <typename Combine>
__device__ float reduce_block(float value, Combine combine) {
    DYNAMIC_SHARED(float, shared);
    const unsigned own = threadIdx.x;
    shared[own] = value;
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (own < half)
            shared[own] = combine(shared[own], shared[own + half]);
    }
    return shared[own];
}

__device__ int64_t own_index() {
    return static_cast<int64_t>(blockIdx.x) * threads + threadIdx.x;
}

struct Larger {
    __device__ float operator()(float a, float b) const {
        return a > b ? a : b;
    }
};

struct Sum {
    __device__ float operator()(float a, float b) const {
        return a + b;
    }
};

__global__ void find_maxima(const float *x, int64_t count, float *block_results) {
    const int64_t k = own_index();
    const float largest = reduce_block(k < count ? x[k] : -INFINITY, Larger());
    if (threadIdx.x == 0)
        block_results[blockIdx.x] = largest;
}

__global__ void raise_powers(const float *x, float *y, int64_t count, float largest,
                             float *block_results) {
    const int64_t k = own_index();
    float power = 0;
    if (k < count)
        y[k] = power = expf(x[k] - largest);
    const float sum = reduce_block(power, Sum());
    if (threadIdx.x == 0)
        block_results[blockIdx.x] = sum;
}

__global__ void divide(float *y, int64_t count, float total) {
    const int64_t k = own_index();
    if (k < count)
        y[k] /= total;
}

int64_t blocks_for(int64_t count) {
    return (count + threads - 1) / threads;
}

enum status fetch(const struct device_task *task, float **results, struct error *err) {
    *results = static_cast<float *>(task->host_room);
    return gpu_check(cudaMemcpy(*results, task->workspace,
                                softmax_three_stage_workspace(task->count), cudaMemcpyDeviceToHost),
                     "fetching the blocks' results", err);
}

} // namespace

size_t softmax_three_stage_workspace(int64_t count) {
    return static_cast<size_t>(blocks_for(count)) * sizeof(float);
}

size_t softmax_three_stage_host_room(int64_t count) {
    return softmax_three_stage_workspace(count);
}

enum status softmax_three_stage(const struct device_task *task, struct error *err) {
    const int64_t blocks = blocks_for(task->count);
    const dim3 grid(static_cast<unsigned>(blocks)), block(threads);
    const size_t shared = threads * sizeof(float);
    const auto x = static_cast<const float *>(task->input);
    const auto y = static_cast<float *>(task->output);
    const auto on_device = static_cast<float *>(task->workspace);
    float *results, largest = -INFINITY;
    double total = 0;
    RETURN_ON_FAILURE(launch(err, find_maxima, grid, block, shared, x, task->count, on_device));
    RETURN_ON_FAILURE(fetch(task, &results, err));
    for (int64_t b = 0; b < blocks; b++)
        largest = results[b] > largest ? results[b] : largest;
    RETURN_ON_FAILURE(
        launch(err, raise_powers, grid, block, shared, x, y, task->count, largest, on_device));
    RETURN_ON_FAILURE(fetch(task, &results, err));
    for (int64_t b = 0; b < blocks; b++)
        total += static_cast<double>(results[b]);
    if (total < smallest_total)
        total = 1;
    return launch(err, divide, grid, block, 0, y, task->count, static_cast<float>(total));
}
