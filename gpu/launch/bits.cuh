// SPDX-License-Identifier: MIT
// The bits of a number, inside a kernel.
#ifndef GPU_LAUNCH_BITS_CUH
#define GPU_LAUNCH_BITS_CUH

#include <cuda_runtime.h>

#include <stdint.h>
#include <string.h>

// Returns the bits of a number >= 0, which have the order of the numbers.
__device__ __forceinline__ uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

#endif
