// SPDX-License-Identifier: MIT
// The part of cuda_runtime_api.h that kernels see.
#ifndef GPU_HIP_CUDA_RUNTIME_H
#define GPU_HIP_CUDA_RUNTIME_H

#include <hip/hip_runtime.h>

#include "cuda_runtime_api.h"

#define cudaLaunchCooperativeKernel                   hipLaunchCooperativeKernel
#define cudaFuncAttributeMaxDynamicSharedMemorySize   hipFuncAttributeMaxDynamicSharedMemorySize
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor hipOccupancyMaxActiveBlocksPerMultiprocessor

template <typename... Parameters>
static hipError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), hipFuncAttribute attribute,
                                       int value) {
    return hipFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

// Cache hints, which HIP ignores.
template <typename T>
__device__ inline T __ldcs(const T *from) {
    return *from;
}

template <typename T>
__device__ inline void __stcs(T *to, const T &value) {
    *to = value;
}

// min(a + b, c), which GPUs of NVIDIA compute in one instruction.
__device__ static inline int __viaddmin_s32(int a, int b, int c) {
    return a + b < c ? a + b : c;
}

#endif
