// SPDX-License-Identifier: MIT
// Distances in 16 bits relative to an offset: the arithmetic of the dpx16 variant.
//
// An operand is the difference of a distance and the offset of its row or column, 0 ..
// max_difference, or no_path. Sums of two differences stay below no_path; sums with no_path do not,
// and do not overflow 16 bits.
#ifndef CUDA_BLOCKED_PARTS_OFFSETS_CUH
#define CUDA_BLOCKED_PARTS_OFFSETS_CUH

#include "common/graph/graph.h" // INF

#include <cuda_runtime.h>
#include <stdint.h>

namespace offsets {

constexpr uint32_t no_path = 0x7fff;
constexpr int32_t max_difference = 0x3fff;

static_assert(2 * max_difference < static_cast<int32_t>(no_path), "a path is not taken for none");
static_assert(2 * no_path <= 0xffff, "no sum overflows");

// Returns whether the operand of a distance is exact; offset <= distance unless there is no path.
__host__ __device__ __forceinline__ bool fits(int32_t distance, int32_t offset) {
    return distance >= INF || distance - offset <= max_difference;
}

__host__ __device__ __forceinline__ uint32_t relative(int32_t distance, int32_t offset) {
    return distance < INF && distance - offset <= max_difference
               ? static_cast<uint32_t>(distance - offset)
               : no_path;
}

// The distance that a sum of two operands stands for; UINT32_MAX, above every distance, if there is
// no path.
__host__ __device__ __forceinline__ uint32_t absolute(uint32_t sum, int32_t row_offset,
                                                      int32_t column_offset) {
    return sum < no_path
               ? sum + static_cast<uint32_t>(row_offset) + static_cast<uint32_t>(column_offset)
               : UINT32_MAX;
}

} // namespace offsets

#endif
