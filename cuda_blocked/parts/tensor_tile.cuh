// SPDX-License-Identifier: MIT
// The product of two tiles of exponents (exponent_code.cuh) on tensor cores:
// 128 x 128 cells, 128 deep, 256 threads.
//
// A warp owns 64 x 32 cells as 4 x 4 fragments of 16 x 8. Operands are in shared memory in rows of
// 128 k, A by the tile's rows and B by its columns. Groups of 16 bytes (8 k) are permuted within a
// row, so that eight rows can be read at once without bank conflicts. The order of B's columns
// gives a thread four neighbouring cells of a row, one word of bytes, from two fragments.
#ifndef CUDA_BLOCKED_PARTS_TENSOR_TILE_CUH
#define CUDA_BLOCKED_PARTS_TENSOR_TILE_CUH

#include "cuda_blocked/parts/exponent_code.cuh" // max_terms
#include "cuda_blocked/parts/tile_constants.h"  // LARGE_TILE
#include "gpu/launch/async_copy.cuh"            // copy_async

#include <stdint.h>
#include <string.h>

namespace tensor_tile {

constexpr int tile = LARGE_TILE; // side of a tile, and depth of a product
constexpr int threads = 256;
constexpr int chunk = 8;             // number of k in 16 bytes
constexpr int chunks = tile / chunk; // chunks in a row
constexpr size_t operand_bytes = sizeof(uint16_t) * tile * tile;

// A tile of 128 x 128 cells has room for 127 vertices, because a sum may have that many terms; the
// last row and column hold no paths.
constexpr int vertices = exponent_code::max_terms;
static_assert(vertices + 1 == tile, "one place to a tile stays empty");

__host__ __device__ inline int32_t place_of(int32_t vertex) {
    return vertex + vertex / vertices;
}

constexpr int row_fragments = 4, column_fragments = 4; // fragments of a warp
constexpr int fragment_rows = 16, fragment_columns = 8;

// A thread's sums in registers, in the layout of the tensor cores. Of fragments (f, 2 q) and (f, 2
// q + 1) the thread has rows row(f, 0) and row(f, 1), columns column(q) .. column(q) + 3. Row h of
// these is quad (f, h, q).
constexpr int quads = column_fragments / 2;
struct Sums {
    float of[row_fragments][column_fragments][4];
};

// The thread's number. Each call reads it anew, so that values computed from it do not stay in
// registers from one product to the next: the sums need the registers.
__device__ __forceinline__ int thread() {
#ifdef __CUDA_ARCH__
    int number;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(number));
    return number;
#else
    return static_cast<int>(threadIdx.x);
#endif
}
__device__ __forceinline__ int warp_row(int thread) {
    return thread / 32 / 4 * row_fragments * fragment_rows;
}
__device__ __forceinline__ int warp_column(int thread) {
    return thread / 32 % 4 * column_fragments * fragment_columns;
}
__device__ __forceinline__ int row(int thread, int f, int h) {
    return warp_row(thread) + f * fragment_rows + h * 8 + thread % 32 / 4;
}
__device__ __forceinline__ int column(int thread, int q) {
    return warp_column(thread) + q * 16 + thread % 4 * 4;
}

// The row of operand B that holds column j of the tile: of 16 columns, column 4 t + 2 g + b is the
// (2 t + b)-th of fragment g.
__host__ __device__ __forceinline__ int b_row(int j) {
    return j / 16 * 16 + j / 2 % 2 * 8 + j % 16 / 4 * 2 + j % 2;
}

// The place of chunk p of a row in shared memory.
__device__ __forceinline__ int place(int row, int p) {
    return row * chunks + (p ^ row % 8);
}

// Starts copying an operand, which is contiguous in global memory.
__device__ __forceinline__ void fetch(int4 *shared, const uint16_t *from) {
    const int4 *const all = reinterpret_cast<const int4 *>(from);
    const int own = thread();
#pragma unroll
    for (int c = 0; c < tile * chunks; c += threads) {
        const int at = c + own;
        copy_async(shared + place(at / chunks, at % chunks), all + at);
    }
}

#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
// Loads four 8 x 8 matrices of 16-bit numbers; each lane gives the shared address of a row.
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

// sums = A x B.
__device__ __forceinline__ void multiply(Sums &sums, const int4 *a, const int4 *b) {
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
    // Lanes 8 m .. 8 m + 7 give the rows of matrix m. For A the matrices are rows 0-7 and 8-15 of
    // k = 0-7, then those of k = 8-15; for B both halves of k of columns 0-7, then those of columns
    // 8-15. All these lines start at multiples of 8.
    constexpr unsigned chunk_bytes = sizeof(int4), line_bytes = chunks * chunk_bytes;
    const int own = thread();
    const unsigned m = static_cast<unsigned>(own) / 8 % 4, l = static_cast<unsigned>(own) % 8;
    const unsigned a_line = static_cast<unsigned>(__cvta_generic_to_shared(a)) +
                            (warp_row(own) + m % 2 * 8 + l) * line_bytes;
    const unsigned b_line = static_cast<unsigned>(__cvta_generic_to_shared(b)) +
                            (warp_column(own) + m / 2 * 8 + l) * line_bytes;
    const unsigned a_chunk = m / 2 ^ l, b_chunk = m % 2 ^ l;
#pragma unroll
    for (int k = 0; k < chunks; k += 2) {
        uint32_t of_b[column_fragments / 2][4];
#pragma unroll
        for (int g = 0; g < column_fragments / 2; g++)
            load_matrices(of_b[g], b_line + g * 16 * line_bytes + (k ^ b_chunk) * chunk_bytes);
#pragma unroll
        for (int f = 0; f < row_fragments; f++) {
            uint32_t of_a[4];
            load_matrices(of_a, a_line + f * 16 * line_bytes + (k ^ a_chunk) * chunk_bytes);
#pragma unroll
            for (int g = 0; g < column_fragments; g++)
                multiply_add(sums.of[f][g], of_a, &of_b[g / 2][g % 2 * 2]);
        }
    }
#else
    (void)a, (void)b;
    __trap(); // the variant refuses such devices, but PTX for them may be compiled for a later
              // device
#endif
}
#else
// The same product on the host; each thread computes its own sums.
__device__ inline float number(const int4 *operand, int row, int k) {
    const uint32_t bits =
        reinterpret_cast<const uint16_t *>(operand + place(row, k / chunk))[k % chunk];
    const uint32_t float_bits = bits << 16;
    float value;
    memcpy(&value, &float_bits, sizeof value);
    return value;
}

__device__ inline void multiply(Sums &sums, const int4 *a, const int4 *b) {
    const int own = thread();
    for (int f = 0; f < row_fragments; f++) {
        for (int g = 0; g < column_fragments; g++) {
            for (int c = 0; c < 4; c++) {
                float sum = 0;
                for (int k = 0; k < tile; k++)
                    sum += number(a, row(own, f, c / 2), k) *
                           number(b, b_row(column(own, g / 2) + g % 2 * 2 + c % 2), k);
                sums.of[f][g][c] = sum;
            }
        }
    }
}
#endif

__device__ __forceinline__ uint32_t upper_halves(uint32_t low, uint32_t high) {
#ifdef __CUDA_ARCH__
    return __byte_perm(low, high, 0x7632);
#else
    return low >> 16 | (high & 0xffff0000);
#endif
}

__device__ __forceinline__ uint32_t odd_bytes(uint32_t low, uint32_t high) {
#ifdef __CUDA_ARCH__
    return __byte_perm(low, high, 0x7531);
#else
    return (low >> 8 & 0xff) | (low >> 24) << 8 | (high >> 8 & 0xff) << 16 | high >> 24 << 24;
#endif
}

// Bytes `first` and first + 1 of a word, as the upper bytes of the two halves of a word.
template <int first>
__device__ __forceinline__ uint32_t spread(uint32_t bytes) {
#ifdef __CUDA_ARCH__
    return __byte_perm(bytes, 0, first == 0 ? 0x1404 : 0x3424);
#else
    return (bytes >> 8 * first & 0xff) << 8 | (bytes >> 8 * (first + 1) & 0xff) << 24;
#endif
}

__device__ __forceinline__ uint32_t maximum_u16x2(uint32_t a, uint32_t b) {
    return __viaddmax_u16x2(a, 0, b);
}

__device__ __forceinline__ uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The maxima of the biased exponents of a quad's four sums and of four bytes.
__device__ __forceinline__ uint32_t greatest(const Sums &sums, int f, int h, int q,
                                             uint32_t bytes) {
    // Two sums in a word, shifted so that the sign, which is 0, drops out and the exponent is the
    // upper byte of each half. The bits below it do not change a comparison with a byte that is
    // followed by zeros.
    const auto two = [&](const float(&of)[4]) {
        return upper_halves(bits_of(of[2 * h]), bits_of(of[2 * h + 1])) << 1;
    };
    const uint32_t low = maximum_u16x2(two(sums.of[f][2 * q]), spread<0>(bytes));
    const uint32_t high = maximum_u16x2(two(sums.of[f][2 * q + 1]), spread<2>(bytes));
    return odd_bytes(low, high);
}

} // namespace tensor_tile

#endif
