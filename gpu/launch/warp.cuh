// SPDX-License-Identifier: MIT
// Exchanges among the threads of a warp: 32 with neighbouring numbers in a block of one dimension,
// half a wave on AMD's GPUs. All 32 threads must call each function. Values have 4 or 8 bytes.
#ifndef GPU_LAUNCH_WARP_CUH
#define GPU_LAUNCH_WARP_CUH

#include <cuda_runtime.h>

#include <stdint.h>
#include <string.h>

constexpr int warp_lanes = 32;

#ifdef CUDA_SHIM

// Returns the value of the lane with that number.
template <typename T>
static T from_words(const uint64_t *words, int lane) {
    T value;
    memcpy(&value, words + lane, sizeof value);
    return value;
}

template <typename T>
static const uint64_t *exchange(T value) {
    uint64_t word = 0;
    memcpy(&word, &value, sizeof value);
    return cuda_shim_exchange(word);
}

static inline int own_lane() {
    return static_cast<int>(threadIdx.x) % warp_lanes;
}

#endif

// Code for the host that is never run returns the thread's own value.

// Returns the value of the lane whose number is lower by `distance`; the lane's own value if there
// is no such lane.
template <typename T>
__device__ __forceinline__ T from_below(T value, int distance) {
#if defined(__CUDA_ARCH__)
    return __shfl_up_sync(0xffffffff, value, static_cast<unsigned>(distance));
#elif defined(__HIP_DEVICE_COMPILE__)
    return __shfl_up(value, static_cast<unsigned>(distance), warp_lanes);
#elif defined(CUDA_SHIM)
    const uint64_t *words = exchange(value);
    return own_lane() < distance ? value : from_words<T>(words, own_lane() - distance);
#else
    (void)distance;
    return value;
#endif
}

// Returns the value of one lane.
template <typename T>
__device__ __forceinline__ T from_lane(T value, int lane) {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(0xffffffff, value, lane);
#elif defined(__HIP_DEVICE_COMPILE__)
    return __shfl(value, lane, warp_lanes);
#elif defined(CUDA_SHIM)
    return from_words<T>(exchange(value), lane);
#else
    (void)lane;
    return value;
#endif
}

// Returns the value of the lane whose number differs in these bits.
template <typename T>
__device__ __forceinline__ T from_across(T value, int bits) {
#if defined(__CUDA_ARCH__)
    return __shfl_xor_sync(0xffffffff, value, bits);
#elif defined(__HIP_DEVICE_COMPILE__)
    return __shfl_xor(value, bits, warp_lanes);
#elif defined(CUDA_SHIM)
    return from_words<T>(exchange(value), own_lane() ^ bits);
#else
    (void)bits;
    return value;
#endif
}

// Returns a bit for each lane: 1 if the predicate holds there.
__device__ __forceinline__ unsigned votes_of_warp(bool predicate) {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(0xffffffff, predicate);
#elif defined(__HIP_DEVICE_COMPILE__)
    return static_cast<unsigned>(__ballot(predicate) >> (threadIdx.x & warp_lanes));
#elif defined(CUDA_SHIM)
    const uint64_t *words = exchange(predicate ? 1u : 0u);
    unsigned votes = 0;
    for (int lane = 0; lane < warp_lanes; lane++)
        votes |= from_words<unsigned>(words, lane) << lane;
    return votes;
#else
    return predicate ? 1 : 0;
#endif
}

// bits_set returns the number of bits that are set, and lowest_bit the place of the lowest one,
// which must exist.
__device__ __forceinline__ int bits_set(unsigned bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}
__device__ __forceinline__ int lowest_bit(unsigned bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return __ffs(static_cast<int>(bits)) - 1;
#else
    return __builtin_ctz(bits);
#endif
}

// Returns the bits that are set in any lane's word.
__device__ __forceinline__ uint32_t bits_of_warp(uint32_t word) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_or_sync(0xffffffff, word);
#else
    for (int bits = warp_lanes / 2; bits > 0; bits /= 2)
        word |= from_across(word, bits);
    return word;
#endif
}

// Returns the sum over all lanes.
__device__ __forceinline__ int32_t sum_of_warp(int32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(0xffffffff, value);
#else
    for (int bits = warp_lanes / 2; bits > 0; bits /= 2)
        value += from_across(value, bits);
    return value;
#endif
}

// Returns the sum over all lanes in every lane, with the same bits in every run.
__device__ __forceinline__ double sum_of_warp(double value) {
    for (int bits = 1; bits < warp_lanes; bits *= 2)
        value += from_across(value, bits);
    return value;
}

// Returns one of the sums over all lanes of four values: a lane gets the sum whose number is its
// two lowest bits.
__device__ __forceinline__ double sums_of_four(const double (&value)[4], int lane) {
    const bool odd = (lane & 1) != 0, high = (lane & 2) != 0;
    const double first = value[0], second = value[1], third = value[2], fourth = value[3];
    const double low_pair = (odd ? second : first) + from_across(odd ? first : second, 1);
    const double high_pair = (odd ? fourth : third) + from_across(odd ? third : fourth, 1);
    double sum = (high ? high_pair : low_pair) + from_across(high ? low_pair : high_pair, 2);
    for (int bits = 4; bits < warp_lanes; bits *= 2)
        sum += from_across(sum, bits);
    return sum;
}

// Makes what each lane has written to memory visible to all lanes.
__device__ __forceinline__ void sync_warp() {
#if defined(__CUDA_ARCH__)
    __syncwarp();
#elif defined(__HIP_DEVICE_COMPILE__)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
#elif defined(CUDA_SHIM)
    (void)cuda_shim_exchange(0);
#endif
}

// Moves the values of lanes for which the predicate holds to the front of list[0 .. 31], in their
// order, and returns their number. No lane may still be reading the list.
__device__ __forceinline__ int32_t pack_lanes(bool predicate, int32_t value, int32_t *list) {
    const int lane = static_cast<int>(threadIdx.x) % warp_lanes;
    const unsigned votes = votes_of_warp(predicate), below = (1u << lane) - 1;
    if (votes == 0)
        return 0;
    if (predicate)
        list[bits_set(votes & below)] = value;
    sync_warp();
    return bits_set(votes);
}

#endif
