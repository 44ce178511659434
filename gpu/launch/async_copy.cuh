// SPDX-License-Identifier: MIT
// Copies from global to shared memory that run while the threads compute
// (cp.async on sm_80 and later, an ordinary copy before). On the host shim they arrive as late as
// they may (tests/cuda_shim).
#ifndef GPU_LAUNCH_ASYNC_COPY_CUH
#define GPU_LAUNCH_ASYNC_COPY_CUH

#include <cuda_runtime.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HAVE_ASYNC_COPY 1
#endif

// Asks for the cache line at `from` in the second-level cache.
__device__ __forceinline__ void prefetch(const void *from) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
#else
    (void)from;
#endif
}

// Starts copying 16 bytes, both addresses 16-byte aligned.
__device__ __forceinline__ void copy_async(int4 *shared, const int4 *global) {
#ifdef HAVE_ASYNC_COPY
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
#elif defined(CUDA_SHIM)
    cuda_shim_copy_async(shared, global);
#else
    *shared = *global;
#endif
}

// Ends a group of the thread's copies.
__device__ __forceinline__ void copy_commit() {
#ifdef HAVE_ASYNC_COPY
    asm volatile("cp.async.commit_group;" ::: "memory");
#elif defined(CUDA_SHIM)
    cuda_shim_copy_commit();
#endif
}

// Waits until all but the `pending` newest groups of the thread have arrived.
// Other threads' copies are visible after a barrier.
template <int pending>
__device__ __forceinline__ void copy_wait() {
#ifdef HAVE_ASYNC_COPY
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#elif defined(CUDA_SHIM)
    cuda_shim_copy_wait(pending);
#endif
}

#endif
