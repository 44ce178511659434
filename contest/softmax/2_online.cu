// SPDX-License-Identifier: MIT
// Maximum and sum in one pass: the input is read twice, the output written once (this project;
// Milakov and Gimelshein 2018).
//
// Changes from `three_stage`: a thread keeps a reference r and the sum of e^(x - r). When a
// number exceeds r by more than 16 it becomes the new reference and the sum is multiplied by
// e^(old - new). Between, powers are below e^16, and no sum of 10^8 of them overflows. So a sum is
// rescaled seldom, and by at most e^-16 each time: errors of earlier rescalings fade. Blocks
// combine their threads' sums, and the second kernel those of the blocks, each block for itself, so
// that the host is not asked.
//
// Memory bounds the kernels, so that arithmetic is free: the rounding of x - r, which the exponent
// would magnify, is computed exactly and made good; sums go by groups of 16, and what adding a
// group to the sum loses is kept (Fast2Sum). The second pass runs from the end to the beginning:
// what was read last is in the cache.
#include "contest/softmax/problem.h"
#include "gpu/launch/launch.cuh" // launch, multiprocessors

#include <float.h>
#include <math.h>

namespace {

// Threads of a block. On the shim there are few, so that few numbers make many tiles.
#ifdef CUDA_SHIM
constexpr int threads = 64;
#else
constexpr int threads = 512;
#endif
constexpr int blocks_each = 4; // blocks for a multiprocessor
constexpr int max_blocks = 2048;
constexpr int vectors = 4; // vectors of four floats in a group
constexpr int group_items = 4 * vectors;
constexpr int tile_items = threads * group_items; // numbers that a block loads at a time

// A sum of powers: sum + lost is the sum of e^(x - reference), `lost` its rounding error.
struct Partial {
    float reference, sum, lost;
};

// The result of a block.
struct BlockResult {
    double sum;
    float reference;
};

// e^(x - reference), corrected by the rounding error of the difference (TwoDiff).
__device__ float power(float x, float reference) {
    const float difference = x - reference;
    const float other = difference - x;
    const float lost = (x - (difference - other)) - (reference + other);
    const float raised = expf(difference);
    // Far below, the power is 0 in any case, and the error of an infinite difference would be NaN.
    return difference > -128.0f ? raised + raised * lost : raised;
}

// Adds the powers of a group.
__device__ void add_group(Partial &partial, const float (&x)[group_items]) {
    const float margin = 16;
    float largest = x[0];
#pragma unroll
    for (int k = 1; k < group_items; k++)
        largest = x[k] > largest ? x[k] : largest;
    if (largest > partial.reference + margin) {
        const float factor = power(partial.reference, largest);
        partial = {largest, partial.sum * factor, partial.lost * factor};
    }
    float sum[group_items];
#pragma unroll
    for (int k = 0; k < group_items; k++)
        sum[k] = power(x[k], partial.reference);
#pragma unroll
    for (int half = group_items / 2; half > 0; half /= 2) {
#pragma unroll
        for (int k = 0; k < half; k++)
            sum[k] += sum[k + half];
    }
    const float together = partial.sum + sum[0];
    const float larger = partial.sum > sum[0] ? partial.sum : sum[0];
    const float smaller = partial.sum > sum[0] ? sum[0] : partial.sum;
    partial.lost += smaller - (together - larger);
    partial.sum = together;
}

// Loads the group of a thread in a tile, with the vectors of all threads side by side. Numbers
// beyond the end are -inf, whose power is 0.
__device__ void load_group(float (&group)[group_items], const float *x, int64_t tile,
                           int64_t count) {
    const int64_t first = tile * tile_items + 4 * static_cast<int64_t>(threadIdx.x);
    const bool whole = (tile + 1) * tile_items <= count;
#pragma unroll
    for (int v = 0; v < vectors; v++) {
        const int64_t k = first + v * 4 * threads;
        if (whole) {
            const float4 vector = *reinterpret_cast<const float4 *>(x + k);
            group[4 * v] = vector.x;
            group[4 * v + 1] = vector.y;
            group[4 * v + 2] = vector.z;
            group[4 * v + 3] = vector.w;
        } else {
#pragma unroll
            for (int lane = 0; lane < 4; lane++)
                group[4 * v + lane] = k + lane < count ? x[k + lane] : -INFINITY;
        }
    }
}

__device__ void store_group(const float (&group)[group_items], float *y, int64_t tile,
                            int64_t count) {
    const int64_t first = tile * tile_items + 4 * static_cast<int64_t>(threadIdx.x);
    const bool whole = (tile + 1) * tile_items <= count;
#pragma unroll
    for (int v = 0; v < vectors; v++) {
        const int64_t k = first + v * 4 * threads;
        if (whole) {
            __stcs(reinterpret_cast<float4 *>(y + k),
                   make_float4(group[4 * v], group[4 * v + 1], group[4 * v + 2], group[4 * v + 3]));
        } else {
#pragma unroll
            for (int lane = 0; lane < 4; lane++) {
                if (k + lane < count)
                    y[k + lane] = group[4 * v + lane];
            }
        }
    }
}

// Returns in every thread the result of the block: the largest reference, and the sum of all
// threads' sums, each rescaled once to that reference. `reference` is the one that the thread's sum
// belongs to.
__device__ BlockResult combine(double sum, float reference) {
    DYNAMIC_SHARED(double, sums);
    float *const references = reinterpret_cast<float *>(sums + threads);
    const unsigned own = threadIdx.x;
    references[own] = reference;
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (own < half && references[own + half] > references[own])
            references[own] = references[own + half];
    }
    __syncthreads();
    const float largest = references[0];
    sums[own] = sum * static_cast<double>(power(reference, largest));
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (own < half)
            sums[own] += sums[own + half];
    }
    __syncthreads();
    return {sums[0], largest};
}

__global__ void __launch_bounds__(threads)
    sum_powers(const float *x, int64_t count, int64_t tiles, BlockResult *results) {
    Partial partial = {-FLT_MAX, 0, 0};
    float group[group_items];
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        load_group(group, x, tile, count);
        add_group(partial, group);
    }
    const BlockResult result = combine(
        static_cast<double>(partial.sum) + static_cast<double>(partial.lost), partial.reference);
    if (threadIdx.x == 0)
        results[blockIdx.x] = result;
}

__global__ void __launch_bounds__(threads)
    divide(const float *x, float *y, int64_t count, int64_t tiles, const BlockResult *results) {
    const float nowhere = -FLT_MAX;
    BlockResult own = {0, nowhere};
    float group[group_items];
    // Each block's sum is relative to its own largest number. A thread finds the largest number of
    // its blocks, then adds their sums relative to that.
    for (unsigned b = threadIdx.x; b < gridDim.x; b += threads)
        own.reference = results[b].reference > own.reference ? results[b].reference : own.reference;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += threads)
        own.sum += results[b].sum * static_cast<double>(power(results[b].reference, own.reference));
    const BlockResult all = combine(own.sum, own.reference);
    const float share = static_cast<float>(1 / all.sum);
    for (int64_t tile = tiles - 1 - blockIdx.x; tile >= 0; tile -= gridDim.x) {
        load_group(group, x, tile, count);
#pragma unroll
        for (int k = 0; k < group_items; k++)
            group[k] = power(group[k], all.reference) * share;
        store_group(group, y, tile, count);
    }
}

} // namespace

size_t softmax_online_workspace(int64_t) {
    return max_blocks * sizeof(BlockResult);
}

enum status softmax_online(const struct device_task *task, struct error *err) {
    const size_t shared = threads * (sizeof(double) + sizeof(float));
    const int64_t tiles = (task->count + tile_items - 1) / tile_items;
    const auto x = static_cast<const float *>(task->input);
    const auto results = static_cast<BlockResult *>(task->workspace);
    int count = 0;
    RETURN_ON_FAILURE(multiprocessors(&count, err));
    const int64_t at_once = count * blocks_each < max_blocks ? count * blocks_each : max_blocks;
    const dim3 grid(static_cast<unsigned>(tiles < at_once ? tiles : at_once)), block(threads);
    RETURN_ON_FAILURE(launch(err, sum_powers, grid, block, shared, x, task->count, tiles, results));
    return launch(err, divide, grid, block, shared, x, static_cast<float *>(task->output),
                  task->count, tiles, static_cast<const BlockResult *>(results));
}
