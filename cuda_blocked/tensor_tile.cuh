// The product of two tiles of exponents (exponent_code.cuh) on tensor cores:
// 128 x 128 cells, 64 deep, 256 threads.
//
// A warp owns 64 x 32 cells as 4 x 4 fragments of 16 x 8. Operands lie in shared
// memory by rows of 128 k, A by the tile's rows and B by its columns, 16 bytes (8
// k) moved about within a row so that eight rows can be read at once without bank
// conflicts.
#ifndef CUDA_BLOCKED_TENSOR_TILE_CUH
#define CUDA_BLOCKED_TENSOR_TILE_CUH

#include "common/async_copy.cuh" // copy_async

#include <stdint.h>
#include <string.h>

namespace tensor_tile {

constexpr int tile = 128;          // side and depth
constexpr int threads = 256;
constexpr int depth = 64;          // of one product
constexpr int piece = 8;           // k in 16 bytes
constexpr int pieces = tile / piece; // in a row
constexpr size_t operand_bytes = sizeof(uint16_t) * tile * tile;

constexpr int row_fragments = 4, column_fragments = 4; // of a warp
constexpr int fragment_rows = 16, fragment_columns = 8;

// Sums in registers, as the tensor cores lay them out: of fragment (f, g) the
// thread has rows row(f, 0), row(f, 1) and columns column(g), column(g) + 1.
struct Sums {
    float of[row_fragments][column_fragments][4];
};

__device__ __forceinline__ int warp() {
    return static_cast<int>(threadIdx.x) / 32;
}
__device__ __forceinline__ int lane() {
    return static_cast<int>(threadIdx.x) % 32;
}
__device__ __forceinline__ int warp_row() {
    return warp() / 4 * row_fragments * fragment_rows;
}
__device__ __forceinline__ int warp_column() {
    return warp() % 4 * column_fragments * fragment_columns;
}
__device__ __forceinline__ int row(int f, int half) {
    return warp_row() + f * fragment_rows + half * 8 + lane() / 4;
}
__device__ __forceinline__ int column(int g) {
    return warp_column() + g * fragment_columns + lane() % 4 * 2;
}

// Where piece p of a row is.
__device__ __forceinline__ int place(int row, int p) {
    return row * pieces + (p ^ row % 8);
}

// Starts copying k = first .. first + depth - 1 of an operand, whose rows of 128 k
// are consecutive in global memory.
__device__ __forceinline__ void fetch(int4 *shared, const uint16_t *from, int first) {
    const int4 *const pieces_from = reinterpret_cast<const int4 *>(from);
#pragma unroll
    for (int c = 0; c < tile * depth / piece; c += threads) {
        const int at = c + static_cast<int>(threadIdx.x);
        const int r = at / (depth / piece), p = first / piece + at % (depth / piece);
        copy_async(shared + place(r, p), pieces_from + r * pieces + p);
    }
}

#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
// Four 8 x 8 matrices of 16-bit numbers; the lane's shared address is that of a row.
__device__ __forceinline__ void load_matrices(uint32_t (&to)[4], unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
}

__device__ __forceinline__ void multiply_add(float (&sum)[4], const uint32_t (&a)[4],
                                             const uint32_t *b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif

// sums = A x B over k = first .. first + depth - 1.
__device__ __forceinline__ void multiply(Sums &sums, const int4 *a, const int4 *b, int first) {
#pragma unroll
    for (int f = 0; f < row_fragments; f++) {
#pragma unroll
        for (int g = 0; g < column_fragments; g++) {
#pragma unroll
            for (int c = 0; c < 4; c++)
                sums.of[f][g][c] = 0;
        }
    }
#if __CUDA_ARCH__ >= 800
    // Lanes 8 m .. 8 m + 7 give the rows of matrix m. Those of A are rows 0-7 and 8-15
    // for k = 0-7, then for k = 8-15; those of B both halves of k for columns 0-7,
    // then for 8-15. All these lines start at multiples of 8.
    constexpr unsigned piece_bytes = sizeof(int4), line_bytes = pieces * piece_bytes;
    const unsigned m = static_cast<unsigned>(lane()) / 8, l = static_cast<unsigned>(lane()) % 8;
    const unsigned a_line = static_cast<unsigned>(__cvta_generic_to_shared(a)) +
                            (warp_row() + m % 2 * 8 + l) * line_bytes;
    const unsigned b_line = static_cast<unsigned>(__cvta_generic_to_shared(b)) +
                            (warp_column() + m / 2 * 8 + l) * line_bytes;
    const unsigned a_piece = m / 2 ^ l, b_piece = m % 2 ^ l;
#pragma unroll
    for (int k = first / piece; k < (first + depth) / piece; k += 2) {
        uint32_t of_b[column_fragments / 2][4];
#pragma unroll
        for (int g = 0; g < column_fragments / 2; g++)
            load_matrices(of_b[g], b_line + g * 16 * line_bytes + (k ^ b_piece) * piece_bytes);
#pragma unroll
        for (int f = 0; f < row_fragments; f++) {
            uint32_t of_a[4];
            load_matrices(of_a, a_line + f * 16 * line_bytes + (k ^ a_piece) * piece_bytes);
#pragma unroll
            for (int g = 0; g < column_fragments; g++)
                multiply_add(sums.of[f][g], of_a, &of_b[g / 2][g % 2 * 2]);
        }
    }
#else
    (void)a, (void)b, (void)first; // the variant refuses such devices
#endif
}
#else
// The same sums on the host, each by the thread that owns it.
__device__ inline float number(const int4 *operand, int row, int k) {
    const uint32_t bits = reinterpret_cast<const uint16_t *>(operand + place(row, k / piece))[k % piece];
    const uint32_t wide = bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

__device__ inline void multiply(Sums &sums, const int4 *a, const int4 *b, int first) {
    for (int f = 0; f < row_fragments; f++) {
        for (int g = 0; g < column_fragments; g++) {
            for (int c = 0; c < 4; c++) {
                float sum = 0;
                for (int k = first; k < first + depth; k++)
                    sum += number(a, row(f, c / 2), k) * number(b, column(g) + c % 2, k);
                sums.of[f][g][c] = sum;
            }
        }
    }
}
#endif

// The upper halves of two sums, which hold their exponents.
__device__ __forceinline__ uint32_t upper_halves(float low, float high) {
#ifdef __CUDA_ARCH__
    return __byte_perm(__float_as_uint(low), __float_as_uint(high), 0x7632);
#else
    uint32_t bits[2];
    memcpy(&bits[0], &low, sizeof low);
    memcpy(&bits[1], &high, sizeof high);
    return bits[0] >> 16 | (bits[1] & 0xffff0000);
#endif
}

} // namespace tensor_tile

#endif
