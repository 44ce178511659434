// Launching a kernel: the one place where the code that runs on a GPU and the
// code that runs on the host shim (tests/cuda_shim) differ.
#ifndef COMMON_LAUNCH_CUH
#define COMMON_LAUNCH_CUH

#include "common/gpu_error.h" // gpu_check

#include <cuda_runtime.h>

// Launches kernel<<<grid, block, shared_bytes>>>(arguments...) and reports a
// launch that failed. The kernel may still be running on return.
template <typename... Parameters, typename... Arguments>
static enum status launch(struct error *err, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                          size_t shared_bytes, Arguments... arguments) {
#ifdef CUDA_SHIM
    cuda_shim_launch(grid, block, shared_bytes, [=] { kernel(arguments...); });
#else
    kernel<<<grid, block, shared_bytes>>>(arguments...);
#endif
    return gpu_check(cudaGetLastError(), "launching a kernel", err);
}

// The block's dynamic shared memory, inside a kernel.
#ifdef CUDA_SHIM
#define DYNAMIC_SHARED(type, name) type *const name = static_cast<type *>(cuda_shim_shared())
#else
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif

// Tiles of `size` that cover n cells.
static inline unsigned tiles_covering(int32_t n, int32_t size) {
    return static_cast<unsigned>((n + size - 1) / size);
}

#endif
