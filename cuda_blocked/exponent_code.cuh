// Distances as exponents: the arithmetic of the tensor variant.
//
// A min-plus product becomes an ordinary one when distance d is multiplied as
// 2^(60 - 7d): a sum of at most 64 such products, m the smallest sum of distances
// among them, lies in [2^(120 - 7m), 2^(126 - 7m)], both ends included, so its
// exponent gives m. In bfloat16, whose exponents are those of float, this holds
// for distances 0 .. largest; longer ones multiply as 0, "no path". Sums above
// `largest` are dropped, which loses no shorter path: what a shortest path is made
// of is never longer than itself.
//
// In the matrix a distance is a byte: the largest biased exponent that a sum with
// that minimum can have, so that a sum is an improvement where its exponent is
// greater than the cell.
#ifndef CUDA_BLOCKED_EXPONENT_CODE_CUH
#define CUDA_BLOCKED_EXPONENT_CODE_CUH

#include "common/graph.h" // INF

#include <cuda_runtime.h>
#include <stdint.h>

namespace exponent_code {

constexpr int bits = 7;         // of exponent for a unit of distance
constexpr int most_terms = 64;  // of a sum: with 2^bits equal terms the next distance begins
constexpr int32_t largest = 26; // distance
constexpr uint32_t at_zero = 127 + 120 + (bits - 1); // biased exponent, sum of distances 0
constexpr uint32_t no_path = at_zero - bits * (largest + 1) ; // below: dropped

static_assert(most_terms < 1 << bits, "sums with different minima do not meet");
static_assert(at_zero < 255, "no sum is infinite");

__host__ __device__ __forceinline__ uint32_t cell_of(int32_t distance) {
    return distance <= largest ? at_zero - bits * static_cast<uint32_t>(distance) : no_path;
}

__host__ __device__ __forceinline__ int32_t distance_of(uint32_t cell) {
    return cell > no_path ? static_cast<int32_t>((at_zero - cell) / bits) : INF;
}

// The bits of the bfloat16 that a cell multiplies as: 2^(60 - 7d), 0 for no path.
__host__ __device__ __forceinline__ uint32_t operand_of(uint32_t cell) {
    return cell > no_path ? (cell - (at_zero - (127 + 60))) << 7 : 0;
}

// The cell for a sum with this biased exponent.
__host__ __device__ __forceinline__ uint32_t cell_of_exponent(uint32_t exponent) {
    return exponent > no_path ? cell_of(static_cast<int32_t>((at_zero - exponent) / bits))
                              : no_path;
}

} // namespace exponent_code

#endif
