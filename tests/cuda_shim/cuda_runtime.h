// SPDX-License-Identifier: MIT
// The part of the shim that kernels see: see cuda_runtime_api.h.
#ifndef TESTS_CUDA_SHIM_CUDA_RUNTIME_H
#define TESTS_CUDA_SHIM_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#include <algorithm>
#include <cstdint>
#include <functional>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)

using std::max;
using std::min;

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {
    }
};

struct alignas(16) int4 {
    int x, y, z, w;
};

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

struct alignas(8) int2 {
    int x, y;
};

struct alignas(8) float2 {
    float x, y;
};

struct alignas(16) float4 {
    float x, y, z, w;
};

struct alignas(16) double2 {
    double x, y;
};

struct alignas(16) longlong2 {
    long long x, y;
};

inline int2 make_int2(int x, int y) {
    return {x, y};
}

inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}

inline longlong2 make_longlong2(long long x, long long y) {
    return {x, y};
}

inline int4 make_int4(int x, int y, int z, int w) {
    return {x, y, z, w};
}

inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
    return {x, y, z, w};
}

inline int __popc(unsigned word) {
    return __builtin_popcount(word);
}

inline int __clz(int word) {
    return word == 0 ? 32 : __builtin_clz(static_cast<unsigned>(word));
}

// The number of the lowest bit set, from 1; 0 if none is.
inline int __ffs(int word) {
    return __builtin_ffs(word);
}

// Sums keep their low 32 bits.
inline int __viaddmin_s32(int a, int b, int c) {
    return min(static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);
}

// Two 16-bit lanes; each sum keeps its low 16 bits.
template <typename Choose>
inline unsigned cuda_shim_add_u16x2(unsigned a, unsigned b, unsigned c, Choose choose) {
    const unsigned low = choose((a + b) & 0xffff, c & 0xffff);
    const unsigned high = choose(((a >> 16) + (b >> 16)) & 0xffff, c >> 16);
    return low | high << 16;
}

inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
    return cuda_shim_add_u16x2(a, b, c, [](unsigned x, unsigned y) { return min(x, y); });
}

inline unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) {
    return cuda_shim_add_u16x2(a, b, c, [](unsigned x, unsigned y) { return max(x, y); });
}

// 1 / x, rounded to the nearest double.
inline double __drcp_rn(double x) {
    return 1 / x;
}

// Loads of what is needed once: a hint for the caches.
template <typename T>
inline T __ldcs(const T *from) {
    return *from;
}

// Stores of what is not needed soon: a hint for the caches.
template <typename T>
inline void __stcs(T *to, const T &value) {
    *to = value;
}

// A load past the first-level cache.
template <typename T>
inline T __ldcg(const T *from) {
    return *from;
}

// Indices of the thread that is running.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

// All threads of the block, or the test program aborts: a thread that returns
// while others wait is a kernel's mistake.
void __syncthreads();

// A barrier that tells every thread whether `predicate` held for all, or for one.
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);

// The words that all threads of the warp, 32 with neighbouring numbers, give to this exchange: all
// of them must come to it, or the test program aborts. They stay until the next but one.
constexpr unsigned cuda_shim_lanes = 32;
const uint64_t *cuda_shim_exchange(uint64_t word);

// The block's dynamic shared memory: exactly as large as the launch asked, so
// that a sanitizer sees what lies beyond, and filled with garbage for each
// block.
void *cuda_shim_shared();

// A launch, or the record of an event, in a stream of another device than the one that is selected
// aborts the test program.
void cuda_shim_check_stream(cudaStream_t stream);

void cuda_shim_launch(dim3 grid, dim3 block, size_t shared_bytes,
                      const std::function<void()> &thread);

// A cooperative launch: all blocks exist at once and go on in turns, from one
// barrier or pause of their threads to the next, so that they can wait for one
// another. cudaErrorCooperativeLaunchTooLarge if the grid has more blocks than
// the device holds.
void cuda_shim_launch_together(dim3 grid, dim3 block, size_t shared_bytes,
                               const std::function<void()> &thread);

// A thread's asynchronous copies, of 16 bytes each: one takes place when the group that it
// belongs to is waited for, never if none is, at once if threads take their turns in
// descending order, and at once or late if the order is shuffled.
void cuda_shim_copy_async(int4 *to, const int4 *from);
void cuda_shim_copy_commit();
void cuda_shim_copy_wait(unsigned pending);

// In a loop that waits for another block: lets the other threads go on. Does
// nothing in an ordinary launch, whose blocks run one after another. Blocks that
// only pause for long, while nobody reaches a barrier, ends or releases
// something, wait for one another: the test program aborts.
void cuda_shim_pause();

// Something has been written that others may wait for.
void cuda_shim_released();

// The clock, which goes on at every look at it.
int64_t cuda_shim_cycles();

cudaError_t cuda_shim_occupancy(int *blocks);

template <typename... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*)(Parameters...), int,
                                                          size_t) {
    return cuda_shim_occupancy(blocks);
}

#endif
