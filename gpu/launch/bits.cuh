// SPDX-License-Identifier: MIT
// The bits of a number, inside a kernel.
#ifndef GPU_LAUNCH_BITS_CUH
#define GPU_LAUNCH_BITS_CUH

#include <cuda_runtime.h>

#include <stdint.h>
#include <string.h>

// Numbers of 0 or more are in the order of their bits.
__device__ __forceinline__ uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

#endif
