// SPDX-License-Identifier: MIT
// Distances as exponents: the work (dataflow.cuh) of `tensor`, on one GPU or on several.
#ifndef CUDA_BLOCKED_PARTS_EXPONENT_TILES_CUH
#define CUDA_BLOCKED_PARTS_EXPONENT_TILES_CUH

#include "cuda_blocked/parts/dataflow.cuh" // Task
#include "cuda_blocked/parts/exponent_code.cuh"
#include "cuda_blocked/parts/panels.cuh"       // Panel
#include "cuda_blocked/parts/tensor_tile.cuh"  // multiply
#include "cuda_blocked/parts/tile_constants.h" // TENSOR_CAPABILITY

namespace exponent_tiles {

using Operand = panels::Panel<uint16_t, tensor_tile::tile * tensor_tile::tile>;

// If the matrix is spread over several GPUs, each has some of the tile rows (wide_tiles.cuh).
template <bool spread>
struct Work {
    static constexpr int tile = tensor_tile::tile, threads = tensor_tile::threads;
    static constexpr int vertices = tensor_tile::vertices;
    static constexpr int blocks = 2; // blocks per multiprocessor, if there is room
    static constexpr int task_tiles = 8, least_tiles = 2;
    static constexpr int lead_waves = 16;
    static constexpr size_t cell_bytes = 1;
    static constexpr uint32_t no_paths = exponent_code::no_path * 0x01010101u;
    static constexpr size_t shared_bytes = 3 * tensor_tile::operand_bytes + tile * tile;
    static constexpr int pitch = tile + 16; // bytes of a row of a tile that is being encoded
    static_assert(tile * pitch <= shared_bytes, "an encoded tile fits as well");

    uint8_t *cells; // places x places cells, encoded by exponent_code
    size_t ld;      // bytes of a row: number of places
    int32_t n;
    Operand left, right; // tiles: left[row][k], right[b_row(column)][k] (tensor_tile.cuh)
    int32_t parts;       // number of GPUs that share the matrix, if it is spread

    __device__ uint8_t *tile_at(int32_t i, int32_t j) const {
        const int32_t row = spread ? i / parts : i;
        return cells + static_cast<size_t>(row) * tile * ld + static_cast<size_t>(j) * tile;
    }

    __device__ int32_t distance(size_t row, int32_t v) const {
        return exponent_code::distance_of(cells[row * ld + tensor_tile::place_of(v)]);
    }
    __device__ void place(size_t row, int32_t v, int32_t distance) const {
        cells[row * ld + tensor_tile::place_of(v)] =
            static_cast<uint8_t>(exponent_code::cell_of(distance));
    }

    // Calls move(16 cells in shared memory, the same 16 in the matrix) for a tile of the matrix; a
    // thread always gets the same cells. In shared memory groups of 16 cells are permuted within a
    // row, as tensor_tile permutes operands.
    static constexpr int chunk = 16, chunks = tile / chunk;
    static __device__ __forceinline__ int cell_at(int row, int column) {
        return row * tile + ((column / chunk) ^ row % chunks) * chunk + column % chunk;
    }
    template <typename Move>
    __device__ __forceinline__ void for_each_chunk(uint8_t *shared, uint8_t *matrix,
                                                   Move move) const {
        const int own = tensor_tile::thread();
#pragma unroll
        for (int c = 0; c < tile * chunks; c += threads) {
            const int r = (c + own) / chunks, x = (c + own) % chunks * chunk;
            move(reinterpret_cast<int4 *>(shared + cell_at(r, x)),
                 reinterpret_cast<int4 *>(matrix + static_cast<size_t>(r) * ld + x));
        }
    }

    template <typename Visit>
    static __device__ __forceinline__ void for_each_quad(Visit visit) {
#pragma unroll
        for (int f = 0; f < tensor_tile::row_fragments; f++) {
#pragma unroll
            for (int h = 0; h < 2; h++) {
#pragma unroll
                for (int q = 0; q < tensor_tile::quads; q++)
                    visit(f, h, q);
            }
        }
    }

    __device__ void update(int32_t *shared, const dataflow::Task &task, int32_t s) const {
        using namespace tensor_tile;
        constexpr int operand = operand_bytes / sizeof(int4);
        int4 *const a = reinterpret_cast<int4 *>(shared), *const b = a + operand;
        uint8_t *const c = reinterpret_cast<uint8_t *>(b + 2 * operand);
        const int32_t i = task.row;
        const auto fetch_cells = [&](int32_t t) {
            for_each_chunk(c, tile_at(i, task.column_of(t)),
                           [](int4 *to, const int4 *from) { copy_async(to, from); });
            copy_commit();
        };
        fetch(a, left.at(i, s));
        fetch(b, right.at(task.column, s));
        copy_commit();
        fetch_cells(0);
        for (int32_t t = 0; t < task.count; t++) {
            Sums sums;
            copy_wait<1>(); // the operands have arrived, the cells need not
            __syncthreads();
            multiply(sums, a, b + t % 2 * operand);
            if (t + 1 < task.count)
                fetch(b + (t + 1) % 2 * operand, right.at(task.column_of(t + 1), s));
            copy_commit();
            copy_wait<1>(); // the cells have arrived, the next operand need not
            __syncthreads();
            const int own = thread();
            uint32_t changed = 0;
            uint32_t was[row_fragments][2][quads];
            for_each_quad([&](int f, int h, int q) {
                was[f][h][q] = *reinterpret_cast<const uint32_t *>(
                    c + cell_at(row(own, f, h), column(own, q)));
            });
            for_each_quad([&](int f, int h, int q) {
                const uint32_t now = greatest(sums, f, h, q, was[f][h][q]);
                changed |= now ^ was[f][h][q];
                *reinterpret_cast<uint32_t *>(c + cell_at(row(own, f, h), column(own, q))) = now;
            });
            if (__syncthreads_or(changed != 0))
                for_each_chunk(c, tile_at(i, task.column_of(t)),
                               [](const int4 *from, int4 *to) { *to = *from; });
            if (t + 1 < task.count)
                fetch_cells(t + 1);
        }
        __syncthreads();
    }

    // Phase 1 is as in dpx16: it has no product for tensor cores.
    __device__ void close(int32_t *shared, int32_t s) const {
        using namespace min_plus;
        constexpr uint32_t far = 0x7fff; // sums with it stay above every distance
        const auto distance = [](uint32_t cell) {
            return cell > exponent_code::no_path
                       ? static_cast<uint32_t>(exponent_code::distance_of(cell))
                       : far;
        };
        const int y = place_y(), x = place_x();
        uint32_t cell[own][Uint16x2::words];
#pragma unroll
        for (int r = 0; r < own; r++) {
            const uint8_t *row = tile_at(s, s) + static_cast<size_t>(line(y, r)) * ld + x * run;
#pragma unroll
            for (int c = 0; c < run; c++)
                cell[r][c] = distance(row[c]) | distance(row[c + half]) << 16;
        }
        min_plus::close<Uint16x2>(cell, shared, panels::vertices(n, s, vertices));
#pragma unroll
        for (int r = 0; r < own; r++) {
            uint8_t *row = tile_at(s, s) + static_cast<size_t>(line(y, r)) * ld + x * run;
#pragma unroll
            for (int c = 0; c < run; c++) {
                row[c] = static_cast<uint8_t>(
                    exponent_code::cell_of(static_cast<int32_t>(cell[r][c] & 0xffff)));
                row[c + half] = static_cast<uint8_t>(
                    exponent_code::cell_of(static_cast<int32_t>(cell[r][c] >> 16)));
            }
        }
        __syncthreads();
    }

    // Reads tile (i, j) into shared memory by rows of `pitch` bytes.
    __device__ uint8_t *stage(int32_t *shared, int32_t i, int32_t j) const {
        uint8_t *const staged = reinterpret_cast<uint8_t *>(shared);
        const uint8_t *const matrix = tile_at(i, j);
#pragma unroll
        for (int c = static_cast<int>(threadIdx.x); c < tile * chunks; c += threads)
            *reinterpret_cast<int4 *>(staged + c / chunks * pitch + c % chunks * chunk) =
                *reinterpret_cast<const int4 *>(matrix + c / chunks * ld + c % chunks * chunk);
        __syncthreads();
        return staged;
    }

    // Encodes the staged cells as an operand. Line l becomes row line_of(l) of the operand.
    // between_lines: bytes from one line to the next; between_cells: bytes from one cell of a line
    // to the next.
    template <typename LineOf>
    static __device__ void encode(uint16_t *to, const uint8_t *staged, int between_lines,
                                  int between_cells, LineOf line_of) {
#pragma unroll 8
        for (int c = static_cast<int>(threadIdx.x); c < tile * tile / 2; c += threads) {
            // Neighbouring threads take neighbouring bytes or words of shared memory.
            const int line = between_lines == 1 ? c % tile : c / (tile / 2);
            const int k = between_lines == 1 ? c / tile * 2 : c % (tile / 2) * 2;
            const uint8_t *at = staged + line * between_lines + k * between_cells;
            reinterpret_cast<uint32_t *>(to)[(line_of(line) * tile + k) / 2] =
                exponent_code::operand_of(at[0]) | exponent_code::operand_of(at[between_cells])
                                                       << 16;
        }
        __syncthreads();
    }

    __device__ void encode_left(int32_t *shared, int32_t i, int32_t s) const {
        encode(left.at(i, s), stage(shared, i, s), pitch, 1, [](int row) { return row; });
    }

    __device__ void encode_right(int32_t *shared, int32_t j, int32_t s) const {
        encode(right.at(j, s), stage(shared, s, j), 1, pitch,
               [](int column) { return tensor_tile::b_row(column); });
    }
};

inline enum status capability(int *major, struct error *err) {
    return device_attribute(cudaDevAttrComputeCapabilityMajor, "asking for its compute capability",
                            major, err);
}

// STATUS_NO_RESOURCE unless the device has tensor cores for bfloat16.
inline enum status check_device(struct error *err) {
    int major = 0;
    RETURN_ON_FAILURE(capability(&major, err));
    if (major < TENSOR_CAPABILITY)
        return fail(err, STATUS_NO_RESOURCE,
                    "variant tensor needs a GPU of compute capability %d.0 or later, found %d.x",
                    TENSOR_CAPABILITY, major);
    return STATUS_OK;
}

inline enum status is_available(bool *available, struct error *err) {
    int major = 0;
    RETURN_ON_FAILURE(capability(&major, err));
    RETURN_ON_FAILURE(dataflow::is_available<Work<false>>(available, err));
    *available = *available && major >= TENSOR_CAPABILITY;
    return STATUS_OK;
}

} // namespace exponent_tiles

#endif
