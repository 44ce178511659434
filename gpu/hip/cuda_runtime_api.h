// SPDX-License-Identifier: MIT
/* CUDA's names for HIP's functions, for `make HIP=1`. It replaces CUDA's own header, and has only
 * what the portable programs use. */
#ifndef GPU_HIP_CUDA_RUNTIME_API_H
#define GPU_HIP_CUDA_RUNTIME_API_H

#include <hip/hip_runtime_api.h>

#define cudaError_t                 hipError_t
#define cudaSuccess                 hipSuccess
#define cudaErrorInsufficientDriver hipErrorInsufficientDriver
#define cudaStreamQuery             hipStreamQuery
#define cudaErrorNotReady           hipErrorNotReady
#define cudaGetLastError            hipGetLastError
#define cudaGetErrorString          hipGetErrorString

#define cudaDriverGetVersion                    hipDriverGetVersion
#define cudaGetDeviceCount                      hipGetDeviceCount
#define cudaSetDevice                           hipSetDevice
#define cudaGetDevice                           hipGetDevice
#define cudaDeviceSynchronize                   hipDeviceSynchronize
#define cudaDeviceProp                          hipDeviceProp_t
#define cudaGetDeviceProperties                 hipGetDeviceProperties
#define cudaDeviceAttr                          hipDeviceAttribute_t
#define cudaDeviceGetAttribute                  hipDeviceGetAttribute
#define cudaDeviceGetPCIBusId                   hipDeviceGetPCIBusId
#define cudaDevAttrMultiProcessorCount          hipDeviceAttributeMultiprocessorCount
#define cudaDevAttrComputeCapabilityMajor       hipDeviceAttributeComputeCapabilityMajor
#define cudaDevAttrMaxSharedMemoryPerBlockOptin hipDeviceAttributeMaxSharedMemoryPerBlock
#define cudaDevAttrClockRate                    hipDeviceAttributeClockRate
#define cudaDevAttrMemoryClockRate              hipDeviceAttributeMemoryClockRate
#define cudaDevAttrGlobalMemoryBusWidth         hipDeviceAttributeMemoryBusWidth

#define cudaMemGetInfo               hipMemGetInfo
#define cudaMalloc                   hipMalloc
#define cudaFree                     hipFree
#define cudaMallocHost(memory, size) hipHostMalloc(memory, size, hipHostMallocDefault)
#define cudaFreeHost                 hipHostFree
#define cudaMemset                   hipMemset
#define cudaMemsetAsync              hipMemsetAsync
#define cudaMemcpy                   hipMemcpy
#define cudaMemcpyAsync              hipMemcpyAsync
#define cudaMemcpyHostToDevice       hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost       hipMemcpyDeviceToHost
#define cudaMemcpyDeviceToDevice     hipMemcpyDeviceToDevice
#define cudaMemcpy2D                 hipMemcpy2D

#define cudaStream_t              hipStream_t
#define cudaStreamNonBlocking     hipStreamNonBlocking
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#define cudaStreamDestroy         hipStreamDestroy
#define cudaEvent_t               hipEvent_t
#define cudaEventCreate           hipEventCreate
#define cudaEventCreateWithFlags  hipEventCreateWithFlags
#define cudaEventDisableTiming    hipEventDisableTiming
#define cudaEventDestroy          hipEventDestroy
#define cudaEventRecord           hipEventRecord
#define cudaEventSynchronize      hipEventSynchronize
#define cudaEventElapsedTime      hipEventElapsedTime

#endif
