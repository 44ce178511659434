// The min-plus product of a 128-deep pair of panels, for one 128 x 128 tile of
// the result: the inner loop of the dpx32 variant's phases 2 and 3.
//
// Once the pivot tile is closed, phases 2 and 3 are products, C = min(C, A x B)
// with no order among k. 256 threads own 8 x 8 cells each, in registers. Per k a
// thread reads 8 + 8 operands from shared memory, 16 bytes at a time, and does
// 64 relaxations, so that the arithmetic pipe, not shared memory, is the limit.
// Operands arrive in slices of 16 k, copied asynchronously three slices ahead.
#ifndef CUDA_BLOCKED_MIN_PLUS_TILE_CUH
#define CUDA_BLOCKED_MIN_PLUS_TILE_CUH

#include "common/async_copy.cuh" // copy_async

#include <stddef.h>
#include <stdint.h>

namespace min_plus {

constexpr int tile = 128;    // side of a tile, and depth of a product
constexpr int threads = 256; // of a block
constexpr int own = 8;       // a thread owns own x own cells
constexpr int slice = 16;    // k per slice
constexpr int stages = 4;    // slices in shared memory
constexpr int slice_cells = slice * tile;
constexpr size_t shared_bytes = sizeof(int32_t) * 2 * stages * slice_cells;

static_assert(threads * own * own == tile * tile, "the threads own the tile");
static_assert(slice_cells / 4 % threads == 0, "every thread copies as much of a slice");

// The first of the thread's rows and columns. A warp covers 32 x 64 cells as 4 x
// 8 threads; a thread's 8 rows are two runs of 4, 16 apart, its columns two runs
// of 4, 32 apart: lanes of a warp then read 4 and 8 neighbouring 16-byte words.
__device__ __forceinline__ int first_row() {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    return warp / 2 * 32 + lane / 8 * 4;
}

__device__ __forceinline__ int first_column() {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    return warp % 2 * 64 + lane % 8 * 4;
}

// The r-th of the thread's rows (columns: stride 32) relative to the first.
__device__ __forceinline__ constexpr int run_offset(int r, int stride) {
    return r < 4 ? r : stride + r - 4;
}

constexpr int row_stride = 16, column_stride = 32;

// Starts the copies of slice number s of both operands.
__device__ __forceinline__ void fetch_slice(int32_t *shared, int s, const int32_t *left,
                                            size_t left_ld, const int32_t *right, size_t right_ld) {
    int32_t *to_left = shared + s % stages * 2 * slice_cells;
    int32_t *to_right = to_left + slice_cells;
#pragma unroll
    for (int c = static_cast<int>(threadIdx.x); c < slice_cells / 4; c += threads) {
        const int k = c / (tile / 4), x = c % (tile / 4) * 4;
        const size_t row = static_cast<size_t>(s * slice + k);
        copy_async(reinterpret_cast<int4 *>(to_left + k * tile + x),
                   reinterpret_cast<const int4 *>(left + row * left_ld + x));
        copy_async(reinterpret_cast<int4 *>(to_right + k * tile + x),
                   reinterpret_cast<const int4 *>(right + row * right_ld + x));
    }
}

__device__ __forceinline__ void load_run(int32_t *to, const int32_t *from) {
    const int4 run = *reinterpret_cast<const int4 *>(from);
    to[0] = run.x;
    to[1] = run.y;
    to[2] = run.z;
    to[3] = run.w;
}

// cell[r][c] = min(cell[r][c], min over k of left[k][row r] + right[k][column c])
// over the first `slices` slices of k, with both operands k-major in global
// memory, 16-byte aligned. The whole block calls it; on return all its reads of
// the operands are done.
__device__ __forceinline__ void multiply(int32_t (&cell)[own][own], int32_t *shared, int slices,
                                         const int32_t *left, size_t left_ld, const int32_t *right,
                                         size_t right_ld) {
    const int row = first_row(), column = first_column();
#pragma unroll
    for (int s = 0; s < stages - 1; s++) {
        if (s < slices)
            fetch_slice(shared, s, left, left_ld, right, right_ld);
        copy_commit();
    }
    for (int s = 0; s < slices; s++) {
        copy_wait<stages - 2>();
        __syncthreads(); // slice s is there for all, and all are done with slice s - 1
        if (s + stages - 1 < slices)
            fetch_slice(shared, s + stages - 1, left, left_ld, right, right_ld);
        copy_commit();
        const int32_t *from_left = shared + s % stages * 2 * slice_cells + row;
        const int32_t *from_right = shared + s % stages * 2 * slice_cells + slice_cells + column;
#pragma unroll
        for (int k = 0; k < slice; k++) {
            int32_t to_k[own], from_k[own];
            load_run(to_k, from_left + k * tile);
            load_run(to_k + 4, from_left + k * tile + row_stride);
            load_run(from_k, from_right + k * tile);
            load_run(from_k + 4, from_right + k * tile + column_stride);
#pragma unroll
            for (int r = 0; r < own; r++) {
#pragma unroll
                for (int c = 0; c < own; c++)
                    cell[r][c] = __viaddmin_s32(to_k[r], from_k[c], cell[r][c]);
            }
        }
    }
    __syncthreads();
}

// Stores the thread's cells into the tile that starts at `to`, where they are
// below what is there.
__device__ __forceinline__ void store_minimum(const int32_t (&cell)[own][own], int32_t *to,
                                              size_t ld) {
    const int row = first_row(), column = first_column();
#pragma unroll
    for (int r = 0; r < own; r++) {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int4 *at = reinterpret_cast<int4 *>(
                to + static_cast<size_t>(row + run_offset(r, row_stride)) * ld + column +
                half * column_stride);
            const int4 old = *at;
            const int32_t *now = &cell[r][half * 4];
            if (now[0] < old.x || now[1] < old.y || now[2] < old.z || now[3] < old.w)
                *at = make_int4(min(old.x, now[0]), min(old.y, now[1]), min(old.z, now[2]),
                                min(old.w, now[3]));
        }
    }
}

} // namespace min_plus

#endif
