// SPDX-License-Identifier: MIT
/* Turns CUDA's error codes into a status and a message. */
#ifndef GPU_LAUNCH_GPU_ERROR_H
#define GPU_LAUNCH_GPU_ERROR_H

#include "common/base/error.h" // enum status, struct error

#include <cuda_runtime_api.h>

/* Returns STATUS_OK for cudaSuccess; otherwise STATUS_NO_RESOURCE, with a message of what was being
 * done and of CUDA's error. */
static inline enum status gpu_check(cudaError_t code, const char *doing, struct error *err) {
    if (code == cudaSuccess)
        return STATUS_OK;
    const char *advice = "";
#ifndef APSP_HIP
    if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorUnsupportedPtxVersion)
        advice = " (compiled for other GPUs: make ARCH=native on this machine, or ARCH=all)";
#endif
    return fail(err, STATUS_NO_RESOURCE, "GPU failure while %s: %s%s", doing,
                cudaGetErrorString(code), advice);
}

#endif
