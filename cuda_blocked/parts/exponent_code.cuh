// SPDX-License-Identifier: MIT
// Distances as exponents: the arithmetic of the tensor variant.
//
// A min-plus product becomes an ordinary one if distance d is multiplied as 2^(60 - 7d). A sum of
// at most 127 such products lies in [2^(120 - 7m), 2^(127 - 7m)) if m is the smallest sum of two
// distances among them, so its exponent gives m, even if the sum is rounded to a float. bfloat16
// has the exponents of float, so this holds in it for distances 0 .. largest; longer ones multiply
// as 0, "no path". Sums above `largest` are dropped. That loses no shortest path up to `largest`,
// because no part of a path is longer than the path.
//
// In the matrix a distance is a byte: the biased exponent of such a sum. The greatest one is kept,
// so improving a cell is taking a maximum.
#ifndef CUDA_BLOCKED_PARTS_EXPONENT_CODE_CUH
#define CUDA_BLOCKED_PARTS_EXPONENT_CODE_CUH

#include "common/graph/graph.h"                // INF
#include "cuda_blocked/parts/tile_constants.h" // EXPONENT_LONGEST

#include <cuda_runtime.h>
#include <stdint.h>

namespace exponent_code {

constexpr int bits = 7;                    // steps of the exponent for a unit of distance
constexpr int max_terms = (1 << bits) - 1; // most terms of a sum: 2^bits equal terms would look
                                           // like the next distance
constexpr int32_t largest = EXPONENT_LONGEST;
constexpr uint32_t at_zero = 127 + 120 + (bits - 1);         // greatest exponent for distance 0
constexpr uint32_t no_path = at_zero - bits * (largest + 1); // cells up to this one are dropped
constexpr uint32_t operand_at_zero = 127 + 60;

static_assert(at_zero < 255, "no sum is infinite");
static_assert(operand_at_zero > bits * largest, "the smallest operand is a normal number");

__host__ __device__ __forceinline__ uint32_t cell_of(int32_t distance) {
    return distance <= largest ? at_zero - bits * static_cast<uint32_t>(distance) : no_path;
}

__host__ __device__ __forceinline__ int32_t distance_of(uint32_t cell) {
    return cell > no_path ? static_cast<int32_t>((at_zero - cell) / bits) : INF;
}

// The bits of the bfloat16 that a cell multiplies as: 2^(60 - 7d), 0 for no path.
__host__ __device__ __forceinline__ uint32_t operand_of(uint32_t cell) {
    return cell > no_path ? (operand_at_zero - bits * ((at_zero - cell) / bits)) << 7 : 0;
}

} // namespace exponent_code

#endif
