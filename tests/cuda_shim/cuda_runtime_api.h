// SPDX-License-Identifier: MIT
/* A stand-in for the CUDA runtime that keeps device memory in host memory and
 * runs kernels on the calling thread, so that the same .cu and host sources can
 * be tested, also under sanitizers, on machines without a GPU. It shows whether
 * a kernel is right, not how fast it is, and it shows races only as far as they
 * depend on the order in which threads run (see cuda_shim_set_order).
 *
 * Only what the project uses is here. Calls take and return what CUDA's do; threads that make them
 * at the same time take turns. */
#ifndef TESTS_CUDA_SHIM_CUDA_RUNTIME_API_H
#define TESTS_CUDA_SHIM_CUDA_RUNTIME_API_H

#define CUDA_SHIM 1

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorNotReady = 600,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorUnknown = 999,
} cudaError_t;

enum cudaDeviceAttr {
    cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};

enum cudaMemcpyKind {
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3
};

typedef struct CUevent_st *cudaEvent_t;
typedef struct CUstream_st *cudaStream_t;
enum { cudaEventDisableTiming = 2 };
enum { cudaStreamNonBlocking = 1 };

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
};

cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
/* Devices have addresses of their own, of any process. */
cudaError_t cudaDeviceGetPCIBusId(char *address, int size, int device);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaMalloc(void **memory, size_t size);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMallocHost(void **memory, size_t size);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
/* Reads and writes memory of the host as late as it may, whatever kind of memory it is: what is
 * copied to the device is read when something comes after it that could use it there, and of what
 * is copied from the device the destination holds garbage until an event recorded after it, a
 * later synchronous copy to the host or the device is waited for. Memory that is released before
 * is a mistake that aborts the test program. In the default stream, or between device and host in
 * another one: then kernels do not wait for a copy from the device, and it finds what they have
 * made of the memory meanwhile.
 */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemset(void *memory, int byte, size_t size);
cudaError_t cudaMemsetAsync(void *memory, int byte, size_t size, cudaStream_t stream);
cudaError_t cudaDeviceSynchronize(void);
/* Streams that do not wait for the default stream, nor it for them. */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
/* Does nothing: what was asked for before has been done. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
/* At once. Both devices must be those of the memory. */
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t size, cudaStream_t stream);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
/* cudaErrorPeerAccessAlreadyEnabled from the second time on. */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
/* Kernels are done when their launch returns: never cudaErrorNotReady. */
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/* cudaErrorNotReady the first time after a record; then as cudaEventSynchronize. */
cudaError_t cudaEventQuery(cudaEvent_t event);
/* cudaErrorNotReady for events that nothing has waited for. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t error);

/* For tests. */

/* The order in which the blocks of a grid, and between two barriers the threads
 * of a block, take their turns; of blocks that run together, when shuffled, how many
 * threads do in each turn. A kernel whose answer depends on it lacks a barrier. */
enum cuda_shim_order { CUDA_SHIM_ASCENDING, CUDA_SHIM_DESCENDING, CUDA_SHIM_SHUFFLED };
void cuda_shim_set_order(enum cuda_shim_order order);

/* Lets the blocks of an ordinary launch run together, as many as the device holds at a time,
 * so that they find one another's work half done; otherwise, and until it is set, each ends before
 * the next begins. */
void cuda_shim_set_overlap(int overlap);

/* Makes the countdown-th call from now (1: the next) that can fail return
 * cudaErrorUnknown, and later ones succeed again; 0: none. Returns what was left
 * of the last countdown: 0 if it has been used up. */
int cuda_shim_fail_after(int countdown);

/* The same, and from then on every call fails, those that free or wait as well: a
 * device that is gone. What is freed is freed all the same. 0: the device is there, and
 * stays. In a program the environment variable CUDA_SHIM_LOSE_AFTER sets the
 * countdown. */
int cuda_shim_lose_after(int countdown);

/* The most bytes of device memory that were allocated at the same time since the last call of
 * this, in the pieces of 2 MiB that a device allocates. */
size_t cuda_shim_peak(void);

/* The number of devices, 1 until it is set; in a program the environment variable
 * APSP_SHIM_DEVICES sets it. Memory belongs to the device that was selected when it was
 * allocated. */
void cuda_shim_set_devices(int count);

/* Memory of each device. What is allocated there cudaMemGetInfo reports as taken; more can be
 * allocated all the same. */
void cuda_shim_set_memory(size_t bytes);

/* The device that says it has half of that; -1, as at first: none. */
void cuda_shim_set_smallest(int device);

/* The driver's version, as CUDA numbers it: 0: none is installed; below 1000: it is too old. */
void cuda_shim_set_driver(int version);

/* Sets the device's compute capability, whose first number is 9 until it is set, and the bytes of
 * shared memory that a block can have, 227 KB until they are set. */
void cuda_shim_set_capability(int major, int shared_bytes);

/* Multiprocessors, two until they are set, and the blocks of any kernel that one of them
 * runs at once, 16 until they are set. */
void cuda_shim_set_multiprocessors(int count);
void cuda_shim_set_occupancy(int blocks);

/* Cycles by which a kernel's clock goes on whenever a thread looks at it, one until they
 * are set. */
void cuda_shim_set_clock(int cycles);

/* Allocations and events that have been created and not released. */
int cuda_shim_held(void);

/* Asynchronous copies that nothing has waited for. */
int cuda_shim_pending(void);

#ifdef __cplusplus
}
#endif

#endif
