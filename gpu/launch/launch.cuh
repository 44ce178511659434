// SPDX-License-Identifier: MIT
// Launches of kernels: the one place in which code for a GPU and code for the host shim
// (tests/cuda_shim) differ.
#ifndef GPU_LAUNCH_LAUNCH_CUH
#define GPU_LAUNCH_LAUNCH_CUH

#include "gpu/launch/gpu_error.h" // gpu_check

#include <cuda_runtime.h>

#include <stdint.h>

// Launches kernel<<<grid, block, shared_bytes, stream>>>(arguments...) and reports a launch that
// failed. The kernel may still run when it returns.
template <typename... Parameters, typename... Arguments>
static enum status launch_in(cudaStream_t stream, struct error *err, void (*kernel)(Parameters...),
                             dim3 grid, dim3 block, size_t shared_bytes, Arguments... arguments) {
#ifdef CUDA_SHIM
    cuda_shim_check_stream(stream);
    cuda_shim_launch(grid, block, shared_bytes, [=] { kernel(arguments...); });
#else
    kernel<<<grid, block, shared_bytes, stream>>>(arguments...);
#endif
    return gpu_check(cudaGetLastError(), "launching a kernel", err);
}

// Does what launch_in does, in the default stream.
template <typename... Parameters, typename... Arguments>
static enum status launch(struct error *err, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                          size_t shared_bytes, Arguments... arguments) {
    return launch_in(nullptr, err, kernel, grid, block, shared_bytes, arguments...);
}

// Waits for all kernels launched so far, and stores the value at `flag` in device memory to *value.
static inline enum status read_flag(const int32_t *flag, int32_t *value, struct error *err) {
    return gpu_check(cudaMemcpy(value, flag, sizeof *value, cudaMemcpyDeviceToHost),
                     "running the kernels", err);
}

// A parameter type that takes no part in the deduction of template arguments.
template <typename T>
struct Parameter {
    using type = T;
};

// Launches a kernel cooperatively in the default stream: all blocks run at the same time and can
// wait for one another. Fails if the grid has more blocks than blocks_together() returns.
template <typename... Parameters>
static enum status launch_together(struct error *err, void (*kernel)(Parameters...), dim3 grid,
                                   dim3 block, size_t shared_bytes,
                                   typename Parameter<Parameters>::type... arguments) {
#ifdef CUDA_SHIM
    cuda_shim_launch_together(grid, block, shared_bytes, [=] { kernel(arguments...); });
    const cudaError_t launched = cudaGetLastError();
#else
    void *addresses[] = {static_cast<void *>(&arguments)..., nullptr};
    const cudaError_t launched =
        cudaLaunchCooperativeKernel(kernel, grid, block, addresses, shared_bytes, nullptr);
    (void)cudaGetLastError(); // reading an error clears it, as it does everywhere
#endif
    return gpu_check(launched, "launching a kernel", err);
}

// Stores an attribute of the current device to *value.
static inline enum status device_attribute(enum cudaDeviceAttr attribute, const char *doing,
                                           int *value, struct error *err) {
    int device = 0;
    RETURN_ON_FAILURE(gpu_check(cudaGetDevice(&device), "asking for the device", err));
    return gpu_check(cudaDeviceGetAttribute(value, attribute, device), doing, err);
}

// Stores the bytes of dynamic shared memory that a block can have on the current device.
static inline enum status shared_limit(size_t *bytes, struct error *err) {
    int limit = 0;
    enum status status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                          "asking for its shared memory", &limit, err);
    *bytes = static_cast<size_t>(limit);
    return status;
}

// Allows a kernel `bytes` bytes of dynamic shared memory, even more than the 48 KB that every
// kernel may use. STATUS_NO_RESOURCE if the device has less.
template <typename... Parameters>
static enum status allow_shared(void (*kernel)(Parameters...), size_t bytes, struct error *err) {
    size_t limit = 0;
    RETURN_ON_FAILURE(shared_limit(&limit, err));
    if (bytes > limit)
        return fail(err, STATUS_NO_RESOURCE,
                    "this variant needs %.1f KiB of shared memory for a block, the GPU has %.1f",
                    static_cast<double>(bytes) / 1024, static_cast<double>(limit) / 1024);
#ifdef CUDA_SHIM
    (void)kernel;
    return STATUS_OK;
#else
    return gpu_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          static_cast<int>(bytes)),
                     "reserving shared memory", err);
#endif
}

// Returns the block's dynamic shared memory, inside a kernel; aligned for 16-byte accesses.
#ifdef CUDA_SHIM
#define DYNAMIC_SHARED(type, name) type *const name = static_cast<type *>(cuda_shim_shared())
#else
#define DYNAMIC_SHARED(type, name) extern __shared__ __align__(16) type name[]
#endif

// Stores the number of the current device's multiprocessors to *count.
static inline enum status multiprocessors(int *count, struct error *err) {
    return device_attribute(cudaDevAttrMultiProcessorCount, "asking for its multiprocessors", count,
                            err);
}

// Stores how many blocks of the kernel the current device runs at the same time to *blocks. If the
// kernel needs allow_shared(), that must be called before.
template <typename... Parameters>
static enum status blocks_together(void (*kernel)(Parameters...), unsigned threads,
                                   size_t shared_bytes, int *blocks, struct error *err) {
    int count = 0, each = 0;
    *blocks = 0;
    RETURN_ON_FAILURE(multiprocessors(&count, err));
    RETURN_ON_FAILURE(gpu_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                    &each, kernel, static_cast<int>(threads), shared_bytes),
                                "asking how many blocks fit", err));
    *blocks = count * each;
    return STATUS_OK;
}

// Returns how many tiles of `size` cells cover n cells.
static inline unsigned tiles_covering(int32_t n, int32_t size) {
    return static_cast<unsigned>((n + size - 1) / size);
}

#endif
