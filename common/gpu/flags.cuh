// SPDX-License-Identifier: MIT
// Flags and counters in global memory, by which running blocks wait for one another. A thread that
// acquires a value sees all that another wrote before it released the value; barriers pass this on
// to the rest of both blocks.
#ifndef COMMON_GPU_FLAGS_CUH
#define COMMON_GPU_FLAGS_CUH

#include <cuda_runtime.h>

#include <stdint.h>

__device__ __forceinline__ int32_t load_acquire(const int32_t *flag) {
#ifdef __CUDA_ARCH__
    int32_t value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
#else
    return *flag;
#endif
}

__device__ __forceinline__ void store_release(int32_t *flag, int32_t value) {
#ifdef __CUDA_ARCH__
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
#else
    *flag = value;
#endif
#ifdef CUDA_SHIM
    cuda_shim_released();
#endif
}

__device__ __forceinline__ void add_release(int32_t *counter, int32_t amount) {
#ifdef __CUDA_ARCH__
    asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(counter), "r"(amount) : "memory");
#else
    *counter += amount;
#endif
#ifdef CUDA_SHIM
    cuda_shim_released();
#endif
}

// Returns the old value; orders nothing else.
__device__ __forceinline__ uint32_t fetch_add(uint32_t *counter, uint32_t amount) {
#ifdef __CUDA_ARCH__
    return atomicAdd(counter, amount);
#else
    const uint32_t before = *counter;
    *counter += amount;
    return before;
#endif
}

// Sets bits of *word; orders nothing else.
__device__ __forceinline__ void set_bits(uint32_t *word, uint32_t bits) {
#ifdef __CUDA_ARCH__
    atomicOr(word, bits);
#else
    *word |= bits;
#endif
}

// *most becomes the larger of itself and `value`.
__device__ __forceinline__ void raise(int32_t *most, int32_t value) {
#ifdef __CUDA_ARCH__
    atomicMax(most, value);
#else
    *most = *most < value ? value : *most;
#endif
}

// Adds to *sum, which may be in shared memory; orders nothing else.
template <typename Number>
__device__ __forceinline__ void add_to(Number *sum, Number amount) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(Number) == sizeof(unsigned long long))
        atomicAdd(reinterpret_cast<unsigned long long *>(sum),
                  static_cast<unsigned long long>(amount));
    else
        atomicAdd(sum, amount);
#else
    *sum += amount;
#endif
}

// The clock that budgets are measured by.
__device__ __forceinline__ int64_t cycles() {
#if defined __CUDA_ARCH__
    return clock64();
#elif defined CUDA_SHIM
    return cuda_shim_cycles();
#else
    return 0;
#endif
}

// Pauses in a loop that waits.
__device__ __forceinline__ void pause_thread() {
#ifdef __CUDA_ARCH__
    __nanosleep(32);
#endif
#ifdef CUDA_SHIM
    cuda_shim_pause();
#endif
}

#endif
