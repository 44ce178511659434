// SPDX-License-Identifier: MIT
// How kernels sum up the totals of rows (gpu_totals.h).
#ifndef MEASURES_GPU_TOTALS_CUH
#define MEASURES_GPU_TOTALS_CUH

#include "gpu/launch/flags.cuh"   // add_to, raise
#include "gpu/launch/lengths.cuh" // upper_part
#include "measures/gpu_totals.h"

#include <cuda_runtime.h>

#include <math.h>

extern "C" {
#include "common/graph/graph.h" // INF
}

// Has internal linkage, because its contents differ between sources compiled for the two types of
// lengths.
namespace {

// Number of terms whose sum neither rounds nor overflows: of lengths of float64 below 2^52, digits
// of 40 bits, or parts of reciprocals.
constexpr int32_t max_terms = 1 << 11;

#ifdef LENGTH_F64

// Returns the double nearest to 1 / x, for a whole number x from 1 to 2^52 - 1. Newton's method
// leaves an error below one unit in the last place; one more step rounds correctly, for every x but
// those whose 53 bits are all 1 (Markstein 1990).
__device__ __forceinline__ double reciprocal(double x) {
#ifdef __CUDA_ARCH__
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    y = fma(y, fma(-x, y, 1.0), y);
    y = fma(y, fma(-x, y, 1.0), y);
    return fma(y, fma(-x, y, 1.0), y);
#else
    return 1.0 / x;
#endif
}

// Returns the whole part of a number from 0 to 2^52 - 1.
__device__ __forceinline__ uint64_t whole_part(double number) {
#ifdef __CUDA_ARCH__
    const long long mantissa = (1LL << 52) - 1;
    return static_cast<uint64_t>(__double_as_longlong(__dadd_rz(number, 0x1p52)) & mantissa);
#else
    return static_cast<uint64_t>(number);
#endif
}

// The sums of a lane: of distances in spacings, whole numbers below 2^52, and of the digits of
// reciprocals.
struct LaneSums {
    uint64_t sum = 0;
    double digit[DIGIT_LEVELS] = {};

    __device__ __forceinline__ void add(double distance) {
        sum += whole_part(distance);
    }
    __device__ __forceinline__ void add_reciprocal(const gpu_totals &to, double distance) {
        double rest = reciprocal(distance) * to.range.scale;
        // Only a short distance has a digit at the first level.
        if (rest * to.range.units[0] > 0.5)
            take_digit(to.range, 0, &rest);
#pragma unroll
        for (int k = 1; k < DIGIT_LEVELS; k++) {
            if (k + 1 < to.range.count)
                take_digit(to.range, k, &rest);
            else if (k + 1 == to.range.count)
                digit[k] += rest; // all that is left
        }
    }
    __device__ __forceinline__ void take_digit(const digit_range &range, int k, double *rest) {
        const double part = (*rest + range.rounder[k]) - range.rounder[k];
        digit[k] += part;
        *rest -= part;
    }
    __device__ void empty_reciprocals(const gpu_totals &to, int32_t lane) {
#pragma unroll
        for (int k = 0; k < DIGIT_LEVELS; k++) {
            if (k < to.range.count)
                add_to(to.digit + static_cast<size_t>(k) * to.apart + lane,
                       static_cast<int64_t>(digit[k] * to.range.units[k]));
            digit[k] = 0;
        }
    }
    __device__ void empty_sum(const gpu_totals &to, int32_t lane) {
        const uint64_t lower = (uint64_t{1} << 26) - 1;
        add_to(to.upper + lane, static_cast<double>(sum & ~lower));
        add_to(to.lower + lane, static_cast<double>(sum & lower));
        sum = 0;
    }
};

#else

// The sum of the doubles nearest to 1 / d in two parts: `high` stays in 2^11 .. 2^12, where adding
// rounds to a multiple of 2^-41, and `low` takes the remainders.
constexpr double high_bias = 1 << 11, high_units = 0x1p41, low_units = 0x1p82;

// Returns the double nearest to 1 / d, 0 < d < 2^30, by Newton's method. With an error of 2^-40
// before the last step, the result 1 / d (1 - 2^-80) before rounding lies on the same side of every
// midpoint of two doubles as 1 / d (Markstein 1990).
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

struct LaneSums {
    uint64_t sum = 0;
    double high = high_bias, low = 0;

    __device__ __forceinline__ void add(int32_t distance) {
        sum += static_cast<uint32_t>(distance);
    }
    __device__ __forceinline__ void add_reciprocal(const gpu_totals &, int32_t distance) {
        const double d = reciprocal(distance), rounded_sum = high + d;
        low += d - (rounded_sum - high);
        high = rounded_sum;
    }
    __device__ void empty_reciprocals(const gpu_totals &to, int32_t lane) {
        add_to(to.high + lane, static_cast<int64_t>((high - high_bias) * high_units));
        add_to(to.low + lane, static_cast<int64_t>(low * low_units));
        high = high_bias;
        low = 0;
    }
    __device__ void empty_sum(const gpu_totals &to, int32_t lane) {
        add_to(to.sum + lane, sum);
        sum = 0;
    }
};

#endif

// The totals that a thread of a block sums up for `sources` lanes, `apart` from one another. The
// block has threads of numbers 0 .. `threads` - 1. If `finite`, all distances are finite and
// greater than 0, except the distance of a source to itself, which the caller passes as 1; the host
// subtracts its share later. If `spares`, reciprocals and counts are not computed.
//
// A thread calls begin() before it takes distances, add() with the distances from its source r, and
// finish() at the end.
template <bool is_finite, int sources, int apart, int threads, bool spares = false>
struct TotalsOf {
    static constexpr bool finite = is_finite;
    const gpu_totals &to;
    const int32_t lane, lanes, thread;
    uint32_t *const count; // counts of the block, in shared memory
    LaneSums sums[sources];
    int32_t reached[sources];
    path_length farthest[sources];
#ifdef LENGTH_F64
    const double to_bin;
#endif
    int32_t terms = 0;

    // first: the first of the thread's lanes; lanes from `end` on are not counted. counts:
    // TOTALS_BINS cells.
    __device__ TotalsOf(const gpu_totals &totals, int32_t first, int32_t end, int32_t number,
                        uint32_t *counts)
        : to(totals), lane(first), lanes(end), thread(number), count(counts)
#ifdef LENGTH_F64
          ,
          to_bin(ldexp(1.0, -totals.shift))
#endif
    {
#pragma unroll
        for (int r = 0; r < sources; r++)
            reached[r] = farthest[r] = 0;
        if constexpr (!spares) {
            for (int32_t k = thread; k < TOTALS_BINS; k += threads)
                count[k] = 0;
            __syncthreads();
        }
    }
    // Announces up to `more` terms for each sum before the next call.
    __device__ __forceinline__ void begin(int32_t more) {
        if constexpr (!spares || LENGTH_NUMBER != 0) {
            terms += more;
            if (terms > max_terms) {
                empty();
                terms = more;
            }
        }
    }
    __device__ __forceinline__ int32_t bin_of(path_length distance) const {
#ifdef LENGTH_F64
        // If bins are too few, all distances are counted again with wider bins.
        return static_cast<int32_t>(whole_part(distance * to_bin) & (2 * TOTALS_BINS - 1));
#else
        return distance >> to.shift;
#endif
    }
    __device__ __forceinline__ void add(int r, path_length distance) {
        if (!finite && distance >= LENGTH_INF)
            return;
        sums[r].add(distance);
        farthest[r] = larger(farthest[r], distance);
        if (!finite)
            reached[r]++;
        if constexpr (!spares) {
            if (finite || distance > 0)
                sums[r].add_reciprocal(to, distance);
            count_one(r, bin_of(distance));
        }
    }
    // Adds two distances of one source: finite ones of int32 have a sum of 32 bits.
    __device__ __forceinline__ void add(int r, path_length first, path_length second) {
#ifndef LENGTH_F64
        if (finite) {
            sums[r].sum += static_cast<uint32_t>(first) + static_cast<uint32_t>(second);
            farthest[r] = max(max(farthest[r], first), second);
            if constexpr (!spares) {
                sums[r].add_reciprocal(to, first);
                sums[r].add_reciprocal(to, second);
                count_one(r, bin_of(first));
                count_one(r, bin_of(second));
            }
            return;
        }
#endif
        add(r, first);
        add(r, second);
    }
    // Neighbouring threads often count in the same bin; the shared memory adds these counts in
    // hardware.
    __device__ __forceinline__ void count_one(int r, int32_t k) {
        if (lane + r * apart < lanes)
            add_to(&count[min(k, TOTALS_BINS - 1)], 1U);
    }
    __device__ void empty() {
#pragma unroll
        for (int r = 0; r < sources; r++) {
            if constexpr (!spares)
                sums[r].empty_reciprocals(to, lane + r * apart);
            if constexpr (LENGTH_NUMBER != 0)
                sums[r].empty_sum(to, lane + r * apart);
        }
    }
    __device__ void finish() {
#pragma unroll
        for (int r = 0; r < sources; r++) {
            const int32_t at = lane + r * apart;
            sums[r].empty_sum(to, at);
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

} // namespace

#endif
