// SPDX-License-Identifier: MIT
// How kernels sum up the totals of rows (totals.h).
#ifndef MEASURES_GPU_TOTALS_CUH
#define MEASURES_GPU_TOTALS_CUH

#include "gpu/launch/flags.cuh" // add_to, raise
#include "measures/gpu_totals.h"

#include <cuda_runtime.h>

extern "C" {
#include "common/graph/graph.h" // INF
}

// The sum of 1 / d, rounded to doubles, in two parts: `high` stays in 2^11 .. 2^12, where adding
// rounds to a multiple of 2^-41, and `low` takes what that cuts off. So many terms do not round.
constexpr int32_t max_terms = 1 << 11;
constexpr double high_bias = 1 << 11, high_units = 0x1p41, low_units = 0x1p82;

// The double nearest to 1 / d, 0 < d < 2^30. Newton's method: with an error of 2^-40 before the
// last step, its result 1 / d (1 - 2^-80) before rounding lies on the same side of every midpoint
// of two doubles as 1 / d (Markstein 1990).
__device__ __forceinline__ double reciprocal(int32_t d) {
#ifdef __CUDA_ARCH__
    const double two_52 = 0x1p52;
    const double x = __hiloint2double(0x43300000, d) - two_52;
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    y = fma(y, fma(-x, y, 1.0), y);
    return fma(y, fma(-x, y, 1.0), y);
#else
    return 1.0 / d;
#endif
}

// The totals that a thread of a block sums up for `sources` lanes, `apart` from one another. The
// block has threads of numbers 0 .. `threads` - 1. If `finite`, all distances are finite and
// greater than 0, but for those of sources to themselves, which have to come as 1: what is to be
// taken back then, the host knows. If `spares`, reciprocals and counts are left as they are.
//
// A thread calls begin() before it takes distances, add() with the distances from its source r, and
// finish() at the end.
template <bool is_finite, int sources, int apart, int threads, bool spares = false>
struct TotalsOf {
    static constexpr bool finite = is_finite;
    const gpu_totals &to;
    const int32_t lane, lanes, thread;
    uint32_t *const count; // of the block, in shared memory
    uint64_t sum[sources];
    int32_t reached[sources], farthest[sources];
    double high[sources], low[sources];
    int32_t terms = 0;

    // first: of the thread's lanes; lanes from `end` on are not counted. counts: TOTALS_BINS.
    __device__ TotalsOf(const gpu_totals &totals, int32_t first, int32_t end, int32_t number,
                        uint32_t *counts)
        : to(totals), lane(first), lanes(end), thread(number), count(counts) {
#pragma unroll
        for (int r = 0; r < sources; r++) {
            sum[r] = 0;
            reached[r] = farthest[r] = 0;
            high[r] = high_bias;
            low[r] = 0;
        }
        if constexpr (!spares) {
            for (int32_t k = thread; k < TOTALS_BINS; k += threads)
                count[k] = 0;
            __syncthreads();
        }
    }
    // So many terms at most come until it is called again.
    __device__ __forceinline__ void begin(int32_t more) {
        if constexpr (!spares) {
            terms += more;
            if (terms > max_terms) {
                empty();
                terms = more;
            }
        }
    }
    __device__ __forceinline__ void add(int r, int32_t distance) {
        if (!finite && distance >= INF)
            return;
        sum[r] += static_cast<uint32_t>(distance);
        farthest[r] = max(farthest[r], distance);
        if (!finite)
            reached[r]++;
        if constexpr (!spares) {
            if (finite || distance > 0)
                add_reciprocal(r, distance);
            count_one(r, distance >> to.shift);
        }
    }
    // Two distances of one source: finite ones have a sum of 32 bits.
    __device__ __forceinline__ void add(int r, int32_t first, int32_t second) {
        if (!finite) {
            add(r, first);
            add(r, second);
            return;
        }
        sum[r] += static_cast<uint32_t>(first) + static_cast<uint32_t>(second);
        farthest[r] = max(max(farthest[r], first), second);
        if constexpr (!spares) {
            add_reciprocal(r, first);
            add_reciprocal(r, second);
            count_one(r, first >> to.shift);
            count_one(r, second >> to.shift);
        }
    }
    __device__ __forceinline__ void add_reciprocal(int r, int32_t distance) {
        const double d = reciprocal(distance), rounded_sum = high[r] + d;
        low[r] += d - (rounded_sum - high[r]);
        high[r] = rounded_sum;
    }
    // Neighbouring threads often count in the same bin, which the shared memory does at once.
    __device__ __forceinline__ void count_one(int r, int32_t k) {
        if (lane + r * apart < lanes)
            add_to(&count[min(k, TOTALS_BINS - 1)], 1U);
    }
    __device__ void empty() {
#pragma unroll
        for (int r = 0; r < sources; r++) {
            const int32_t at = lane + r * apart;
            add_to(to.high + at, static_cast<int64_t>((high[r] - high_bias) * high_units));
            add_to(to.low + at, static_cast<int64_t>(low[r] * low_units));
            high[r] = high_bias;
            low[r] = 0;
        }
    }
    __device__ void finish() {
#pragma unroll
        for (int r = 0; r < sources; r++) {
            const int32_t at = lane + r * apart;
            add_to(to.sum + at, sum[r]);
            raise(to.farthest + at, farthest[r]);
            if (!finite)
                add_to(to.reached + at, reached[r]);
        }
        if constexpr (!spares) {
            empty();
            __syncthreads();
            uint64_t *const all =
                to.count + static_cast<size_t>(blockIdx.y * gridDim.x + blockIdx.x) * TOTALS_BINS;
            for (int32_t k = thread; k < TOTALS_BINS; k += threads) {
                if (count[k] > 0)
                    all[k] += count[k];
            }
        }
    }
};

#endif
