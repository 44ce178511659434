// SPDX-License-Identifier: MIT
#include "experiments/suites/contest_yardsticks.h"

#include "gpu/launch/launch.cuh" // launch

#include <cub/device/device_scan.cuh>

namespace {

constexpr int threads = 256;
constexpr int vectors = 4; // vectors of a thread

__global__ void __launch_bounds__(threads) copy(const int4 *from, int4 *to, int64_t count) {
    const int64_t first = static_cast<int64_t>(blockIdx.x) * threads * vectors + threadIdx.x;
    int4 kept[vectors];
#pragma unroll
    for (int v = 0; v < vectors; v++) {
        if (first + v * threads < count)
            kept[v] = __ldcs(from + first + v * threads);
    }
#pragma unroll
    for (int v = 0; v < vectors; v++) {
        if (first + v * threads < count)
            __stcs(to + first + v * threads, kept[v]);
    }
}

__global__ void __launch_bounds__(threads) widen(const int2 *from, longlong2 *to, int64_t count) {
    const int64_t first = static_cast<int64_t>(blockIdx.x) * threads * vectors + threadIdx.x;
    int2 kept[vectors];
#pragma unroll
    for (int v = 0; v < vectors; v++) {
        if (first + v * threads < count)
            kept[v] = __ldcs(from + first + v * threads);
    }
#pragma unroll
    for (int v = 0; v < vectors; v++) {
        if (first + v * threads < count)
            __stcs(to + first + v * threads, make_longlong2(kept[v].x, kept[v].y));
    }
}

struct Add {
    __host__ __device__ int64_t operator()(int64_t a, int64_t b) const {
        return a + b;
    }
};

// Converts numbers to int64, in which CUB adds them.
struct Wide {
    using value_type = int64_t;
    using difference_type = ptrdiff_t;
    using pointer = const int64_t *;
    using reference = int64_t;
    using iterator_category = std::random_access_iterator_tag;

    const int32_t *at;

    __host__ __device__ int64_t operator*() const {
        return *at;
    }
    __host__ __device__ int64_t operator[](ptrdiff_t k) const {
        return at[k];
    }
    __host__ __device__ Wide operator+(ptrdiff_t k) const {
        return {at + k};
    }
};

} // namespace

enum status yardstick_copy(const struct device_task *task, struct error *err) {
    const int64_t each = threads * vectors;
    return launch(err, copy, dim3(static_cast<unsigned>((task->count + each - 1) / each)),
                  dim3(threads), 0, static_cast<const int4 *>(task->input),
                  static_cast<int4 *>(task->output), task->count);
}

enum status yardstick_widen(const struct device_task *task, struct error *err) {
    const int64_t each = threads * vectors, pairs = task->count / 2;
    return launch(err, widen, dim3(static_cast<unsigned>((pairs + each - 1) / each)), dim3(threads),
                  0, static_cast<const int2 *>(task->input), static_cast<longlong2 *>(task->output),
                  pairs);
}

size_t yardstick_cub_workspace(int64_t count) {
    size_t bytes = 0;
    const cudaError_t code = cub::DeviceScan::InclusiveScan(
        nullptr, bytes, Wide{nullptr}, static_cast<int64_t *>(nullptr), Add(), count);
    return code == cudaSuccess ? bytes : 0;
}

enum status yardstick_cub(const struct device_task *task, struct error *err) {
    size_t bytes = yardstick_cub_workspace(task->count);
    return gpu_check(cub::DeviceScan::InclusiveScan(
                         task->workspace, bytes, Wide{static_cast<const int32_t *>(task->input)},
                         static_cast<int64_t *>(task->output), Add(), task->count),
                     "scanning with CUB", err);
}
