// SPDX-License-Identifier: MIT
// Arithmetic of path lengths in kernels that are compiled for int32 and for float64
// (common/base/length.h).
#ifndef GPU_LAUNCH_LENGTHS_CUH
#define GPU_LAUNCH_LENGTHS_CUH

#include "common/base/length.h" // path_length
#include "gpu/launch/flags.cuh" // ON_DEVICE

#include <cuda_runtime.h>

#include <stdint.h>

__device__ __forceinline__ path_length lesser(path_length a, path_length b) {
    return a < b ? a : b;
}

__device__ __forceinline__ path_length larger(path_length a, path_length b) {
    return a > b ? a : b;
}

// Returns the lesser of a + b and c.
__device__ __forceinline__ path_length least_sum(path_length a, path_length b, path_length c) {
#ifdef LENGTH_F64
    return lesser(a + b, c);
#else
    return __viaddmin_s32(a, b, c);
#endif
}

// Four consecutive lengths, 16-byte aligned in memory.
struct four_lengths {
    path_length x, y, z, w;
};

__device__ __forceinline__ four_lengths four_of(const path_length *from) {
#ifdef LENGTH_F64
    const double2 low = reinterpret_cast<const double2 *>(from)[0];
    const double2 high = reinterpret_cast<const double2 *>(from)[1];
    return {low.x, low.y, high.x, high.y};
#else
    const int4 all = *reinterpret_cast<const int4 *>(from);
    return {all.x, all.y, all.z, all.w};
#endif
}

__device__ __forceinline__ void put_four(path_length *to, const four_lengths &four) {
#ifdef LENGTH_F64
    reinterpret_cast<double2 *>(to)[0] = {four.x, four.y};
    reinterpret_cast<double2 *>(to)[1] = {four.z, four.w};
#else
    *reinterpret_cast<int4 *>(to) = make_int4(four.x, four.y, four.z, four.w);
#endif
}

__device__ __forceinline__ path_length cell_of(const four_lengths &four, int k) {
    return k == 0 ? four.x : k == 1 ? four.y : k == 2 ? four.z : four.w;
}

#ifdef LENGTH_F64

// Returns the multiple of 2^26 that is nearest to a whole number; the rest is at most 2^25. Sums of
// up to 2^26 of either part are exact.
__device__ __forceinline__ double upper_part(double number) {
    const double rounder = 0x1.8p78;
    return (number + rounder) - rounder;
}

// Returns whether a number below 2^53 is whole.
__device__ __forceinline__ bool is_whole(double number) {
    const double rounder = 0x1.8p52, lower = number - upper_part(number);
    return (lower + rounder) - rounder == lower;
}

// Adds to *sum, which may be in shared memory. Sums are exact, so the order does not matter.
__device__ __forceinline__ void add_to(double *sum, double amount) {
#ifdef ON_DEVICE
    atomicAdd(sum, amount);
#else
    *sum += amount;
#endif
}

// *most becomes the larger of itself and `value`, neither of which is below 0 or NaN.
__device__ __forceinline__ void raise(double *most, double value) {
#ifdef ON_DEVICE
    atomicMax(reinterpret_cast<unsigned long long *>(most),
              static_cast<unsigned long long>(__double_as_longlong(value)));
#else
    *most = *most < value ? value : *most;
#endif
}

#endif

#endif
