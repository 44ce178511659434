// SPDX-License-Identifier: MIT
// Flags and counters in global memory, by which running blocks wait for one another. A thread that
// acquires a value sees all that another wrote before it released the value; barriers pass this on
// to the rest of both blocks.
#ifndef GPU_LAUNCH_FLAGS_CUH
#define GPU_LAUNCH_FLAGS_CUH

#include <cuda_runtime.h>

#include <stdint.h>

// True in code for a device, NVIDIA's or AMD's, and not for the host.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define ON_DEVICE 1
#endif

__device__ __forceinline__ int32_t load_acquire(const int32_t *flag) {
#ifdef __CUDA_ARCH__
    int32_t value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
#elif defined(__HIP_DEVICE_COMPILE__)
    return __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
#else
    return *flag;
#endif
}

__device__ __forceinline__ void store_release(int32_t *flag, int32_t value) {
#ifdef __CUDA_ARCH__
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
#elif defined(__HIP_DEVICE_COMPILE__)
    __hip_atomic_store(flag, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
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
#elif defined(__HIP_DEVICE_COMPILE__)
    __hip_atomic_fetch_add(counter, amount, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
#else
    *counter += amount;
#endif
#ifdef CUDA_SHIM
    cuda_shim_released();
#endif
}

// Reads or writes a word on which no other memory depends: these functions order no other access.
// Unlike load_acquire they keep the multiprocessor's first-level cache valid.
__device__ __forceinline__ int32_t load_relaxed(const int32_t *flag) {
#if defined(__CUDA_ARCH__)
    int32_t value;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
#elif defined(__HIP_DEVICE_COMPILE__)
    return __hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
    return *flag;
#endif
}

__device__ __forceinline__ uint32_t load_relaxed(const uint32_t *word) {
    return static_cast<uint32_t>(load_relaxed(reinterpret_cast<const int32_t *>(word)));
}

__device__ __forceinline__ uint64_t load_relaxed(const uint64_t *word) {
#if defined(__CUDA_ARCH__)
    uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
#elif defined(__HIP_DEVICE_COMPILE__)
    return __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
    return *word;
#endif
}

__device__ __forceinline__ void store_relaxed(uint64_t *word, uint64_t value) {
#if defined(__CUDA_ARCH__)
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
#elif defined(__HIP_DEVICE_COMPILE__)
    __hip_atomic_store(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
    *word = value;
#endif
#ifdef CUDA_SHIM
    cuda_shim_released();
#endif
}

// Reads a word once, without replacing other data in the first-level cache.
__device__ __forceinline__ uint32_t load_once(const uint32_t *word) {
#if defined(__CUDA_ARCH__)
    return __ldcg(word);
#else
    return *word;
#endif
}

// Adds to a counter. Returns the old value; orders no other access.
__device__ __forceinline__ uint32_t fetch_add(uint32_t *counter, uint32_t amount) {
#ifdef ON_DEVICE
    return atomicAdd(counter, amount);
#else
    const uint32_t before = *counter;
    *counter += amount;
    return before;
#endif
}

// *word becomes `desired` if it is `expected`. Return the old value; order no other access.
__device__ __forceinline__ uint32_t compare_and_set(uint32_t *word, uint32_t expected,
                                                    uint32_t desired) {
#ifdef ON_DEVICE
    return atomicCAS(word, expected, desired);
#else
    const uint32_t before = *word;
    *word = before == expected ? desired : before;
    return before;
#endif
}
__device__ __forceinline__ uint64_t compare_and_set(uint64_t *word, uint64_t expected,
                                                    uint64_t desired) {
#ifdef ON_DEVICE
    return atomicCAS(reinterpret_cast<unsigned long long *>(word),
                     static_cast<unsigned long long>(expected),
                     static_cast<unsigned long long>(desired));
#else
    const uint64_t before = *word;
    *word = before == expected ? desired : before;
    return before;
#endif
}

// Sets bits of *word; orders no other access.
__device__ __forceinline__ void set_bits(uint32_t *word, uint32_t bits) {
#ifdef ON_DEVICE
    atomicOr(word, bits);
#else
    *word |= bits;
#endif
}

// Clears bits of *word; orders no other access.
__device__ __forceinline__ void clear_bits(uint32_t *word, uint32_t bits) {
#ifdef ON_DEVICE
    atomicAnd(word, ~bits);
#else
    *word &= ~bits;
#endif
}

// *most becomes the larger of itself and `value`.
__device__ __forceinline__ void raise(int32_t *most, int32_t value) {
#ifdef ON_DEVICE
    atomicMax(most, value);
#else
    *most = *most < value ? value : *most;
#endif
}

__device__ __forceinline__ void raise(uint64_t *most, uint64_t value) {
#ifdef ON_DEVICE
    atomicMax(reinterpret_cast<unsigned long long *>(most), static_cast<unsigned long long>(value));
#else
    *most = *most < value ? value : *most;
#endif
}

// *least becomes the smaller of itself and `value`.
__device__ __forceinline__ void lower(int32_t *least, int32_t value) {
#ifdef ON_DEVICE
    atomicMin(least, value);
#else
    *least = *least > value ? value : *least;
#endif
}

__device__ __forceinline__ void lower(uint64_t *least, uint64_t value) {
#ifdef ON_DEVICE
    atomicMin(reinterpret_cast<unsigned long long *>(least),
              static_cast<unsigned long long>(value));
#else
    *least = *least > value ? value : *least;
#endif
}

// Adds to *sum, which may be in shared memory; orders no other access.
template <typename Number>
__device__ __forceinline__ void add_to(Number *sum, Number amount) {
#ifdef ON_DEVICE
    if constexpr (sizeof(Number) == sizeof(unsigned long long))
        atomicAdd(reinterpret_cast<unsigned long long *>(sum),
                  static_cast<unsigned long long>(amount));
    else
        atomicAdd(sum, amount);
#else
    *sum += amount;
#endif
}

// Returns the clock by which time budgets are measured, in cycles.
__device__ __forceinline__ int64_t cycles() {
#ifdef ON_DEVICE
    return clock64();
#elif defined CUDA_SHIM
    return cuda_shim_cycles();
#else
    return 0;
#endif
}

// Pauses the thread for a moment in a loop that waits.
__device__ __forceinline__ void pause_thread() {
#if defined(__CUDA_ARCH__)
    __nanosleep(32);
#elif defined(__HIP_DEVICE_COMPILE__)
    __builtin_amdgcn_s_sleep(1);
#endif
#ifdef CUDA_SHIM
    cuda_shim_pause();
#endif
}

#endif
