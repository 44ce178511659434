// SPDX-License-Identifier: MIT
// Distances as exponents, minima on tensor cores (this project).
//
// What changes from `dpx16`: a distance d multiplies as 2^(60 - 7d), so an ordinary matrix product
// finds minima in the exponents of its sums (exponent_code.cuh). Tensor cores do that product an
// order of magnitude faster than any add-and-minimum. A cell of the matrix is a byte, which needs a
// quarter of the traffic that would otherwise be the limit. The bytes lie at the start of the
// memory of the distances, and make room for them at the end.
//
// The variant is exact if no distance is above 26, as in random graphs of some density and in
// unweighted graphs. Longer distances come out as "no path", never as a wrong number. Afterwards a
// check tells whether every "no path" is true (reachability.cuh); if one is not, the variant says
// that it is not exact.
//
// Reached on an H200 at n = 10000, 2 %: 10.4 ms, 95.9 T/s; with predecessors 11.8 ms.
#include "common/graph/graph.h" // INF
#include "cuda_blocked/kernels.h"
#include "cuda_blocked/parts/dataflow.cuh" // solve
#include "cuda_blocked/parts/exponent_code.cuh"
#include "cuda_blocked/parts/limits.h"         // TENSOR_SHARED_KIB, TENSOR_CAPABILITY
#include "cuda_blocked/parts/panels.cuh"       // Panel
#include "cuda_blocked/parts/predecessors.cuh" // derive_predecessors
#include "cuda_blocked/parts/reachability.cuh" // Reachability
#include "cuda_blocked/parts/tensor_tile.cuh"  // multiply

namespace {

using tensor_tile::place_of;
using Operand = panels::Panel<uint16_t, tensor_tile::tile * tensor_tile::tile>;

struct Work {
    static constexpr int tile = tensor_tile::tile, threads = tensor_tile::threads;
    static constexpr int blocks = 2; // per multiprocessor, if there is room
    static constexpr int piece_tiles = 8;
    static constexpr int lead_waves = 16;
    static constexpr size_t cell_bytes = tile * tile;
    static constexpr size_t shared_bytes = 3 * tensor_tile::operand_bytes + cell_bytes;
    static constexpr int pitch = tile + 16; // bytes of a row, when a tile is encoded
    static_assert(tile * pitch <= shared_bytes, "an encoded tile fits as well");

    uint8_t *cells; // places x places, encoded by exponent_code
    size_t ld;      // places
    int32_t n;
    Operand left, right; // [row][k], [b_row(column)][k]

    __device__ uint8_t *tile_at(int32_t i, int32_t j) const {
        return cells + static_cast<size_t>(i) * tile * ld + static_cast<size_t>(j) * tile;
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

    __device__ void update(int32_t *shared, const dataflow::Piece &piece, int32_t s) const {
        using namespace tensor_tile;
        constexpr int operand = operand_bytes / sizeof(int4);
        int4 *const a = reinterpret_cast<int4 *>(shared), *const b = a + operand;
        uint8_t *const c = reinterpret_cast<uint8_t *>(b + 2 * operand);
        const int32_t i = piece.row;
        const auto fetch_cells = [&](int32_t t) {
            for_each_chunk(c, tile_at(i, piece.column_of(t)),
                           [](int4 *to, const int4 *from) { copy_async(to, from); });
            copy_commit();
        };
        fetch(a, left.at(i, s));
        fetch(b, right.at(piece.column, s));
        copy_commit();
        fetch_cells(0);
        for (int32_t t = 0; t < piece.count; t++) {
            Sums sums;
            copy_wait<1>(); // all but the cells
            __syncthreads();
            multiply(sums, a, b + t % 2 * operand);
            if (t + 1 < piece.count)
                fetch(b + (t + 1) % 2 * operand, right.at(piece.column_of(t + 1), s));
            copy_commit();
            copy_wait<1>(); // all but the next operand
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
                for_each_chunk(c, tile_at(i, piece.column_of(t)),
                               [](const int4 *from, int4 *to) { *to = *from; });
            if (t + 1 < piece.count)
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
        min_plus::close<Uint16x2>(cell, shared, panels::vertices(n, s, tensor_tile::vertices));
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

    // Encodes the staged cells as an operand. Line l becomes row line_of(l) of the operand; lines,
    // and cells of a line, are that many bytes apart.
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

constexpr int row_threads = 128, max_threads = 1024;
constexpr int own_cells = 4; // of a row, that a thread converts at a time

// A block makes the cells of a vertex and those of the edges into it, in a matrix without paths.
__global__ void place_edges(struct gpu_in_edges in, uint8_t *cells, size_t places) {
    const int32_t v = static_cast<int32_t>(blockIdx.x);
    uint8_t *const column = cells + place_of(v);
    if (threadIdx.x == 0)
        column[static_cast<size_t>(place_of(v)) * places] =
            static_cast<uint8_t>(exponent_code::cell_of(0));
    for (int64_t e = in.first[v] + threadIdx.x; e < in.first[v + 1]; e += row_threads) {
        if (in.tail[e] != v)
            column[static_cast<size_t>(place_of(in.tail[e])) * places] =
                static_cast<uint8_t>(exponent_code::cell_of(in.weight[e]));
    }
}

// Converts the cells of rows from `first` on to `order` distances. The gridDim.y blocks of a row
// share its chunks; a block that has several begins with the last, because distances take the place
// of cells (make_distances). Rows and columns from n on hold INF. Sets *inf if there is no path
// between two vertices.
__global__ void to_distances(const uint8_t *cells, size_t places, int32_t *dist, size_t ld,
                             int32_t first, int32_t n, int32_t order, int32_t *inf) {
    const int32_t i = first + static_cast<int32_t>(blockIdx.x);
    const uint8_t *const row = cells + static_cast<size_t>(place_of(i)) * places;
    const int32_t at_once = static_cast<int32_t>(blockDim.x) * own_cells;
    const int32_t step = static_cast<int32_t>(gridDim.y) * at_once;
    bool any = false;
    for (int32_t start =
             (order - 1) / at_once * at_once - static_cast<int32_t>(blockIdx.y) * at_once;
         start >= 0; start -= step) {
        const int32_t own = start + own_cells * static_cast<int32_t>(threadIdx.x);
        int32_t distance[own_cells];
        for (int k = 0; k < own_cells; k++) {
            const bool inside = i < n && own + k < n;
            distance[k] = inside ? exponent_code::distance_of(row[place_of(own + k)]) : INF;
            any |= inside && distance[k] == INF;
        }
        __syncthreads();
        if (own < order)
            *reinterpret_cast<int4 *>(dist + i * ld + own) =
                make_int4(distance[0], distance[1], distance[2], distance[3]);
    }
    if (any)
        store_release(inf, 1);
}

// Converts the matrix where it is. Distances need four times the place of cells, so those of the
// last three quarters of the rows take no place of cells that are still needed, then those of most
// of the rows before them, and so on; at the end chunks of row 0 do likewise.
enum status make_distances(const struct gpu_matrices *m, const Work &work, int32_t *inf,
                           struct error *err) {
    for (int32_t end = m->order, first = 0; end > 0; end = first) {
        const size_t cells = static_cast<size_t>(place_of(end - 1) + 1) * work.ld;
        const size_t clear = (cells + sizeof(int32_t) * m->ld - 1) / (sizeof(int32_t) * m->ld);
        first = clear < static_cast<size_t>(end) ? static_cast<int32_t>(clear) : end - 1;
        const dim3 grid(static_cast<unsigned>(end - first),
                        first > 0 ? tiles_covering(m->order, own_cells * row_threads) : 1);
        const dim3 block(first > 0 ? row_threads : max_threads);
        RETURN_ON_FAILURE(launch(err, to_distances, grid, block, 0, work.cells, work.ld, m->dist,
                                 m->ld, first, m->n, m->order, inf));
    }
    return STATUS_OK;
}

struct Problem {
    Work work;
    dataflow::Board board;
    Reachability reachability;
};

Problem lay_out(const struct gpu_matrices *m, Arena *arena) {
    const int32_t tiles = static_cast<int32_t>(tiles_covering(m->n, tensor_tile::vertices));
    const size_t places = static_cast<size_t>(tiles) * Work::tile;
    const Work work = {reinterpret_cast<uint8_t *>(m->dist), places, m->n,
                       Operand::take(arena, tiles), Operand::take(arena, tiles)};
    const dataflow::Board board = dataflow::take_board(arena, tiles);
    return {work, board, Reachability::take(m, arena)};
}

static_assert(dataflow::block_kib<Work> == TENSOR_SHARED_KIB, "as the registry describes it");

enum status capability(int *major, struct error *err) {
    return device_attribute(cudaDevAttrComputeCapabilityMajor, "asking for its compute capability",
                            major, err);
}

enum status check_device(struct error *err) {
    int major = 0;
    enum status status = capability(&major, err);
    if (status == STATUS_OK && major < TENSOR_CAPABILITY)
        return fail(err, STATUS_NO_RESOURCE,
                    "variant tensor needs a GPU of compute capability %d.0 or later, found %d.x",
                    TENSOR_CAPABILITY, major);
    return status;
}

} // namespace

size_t cuda_blocked_tensor_workspace(const struct gpu_matrices *m, bool with_pred) {
    return workspace_bytes(m, with_pred, lay_out);
}

enum status cuda_blocked_tensor_available(bool *available, struct error *err) {
    int major = 0;
    enum status status = capability(&major, err);
    if (status == STATUS_OK)
        status = dataflow::is_available<Work>(available, err);
    *available = *available && major >= TENSOR_CAPABILITY;
    return status;
}

enum status cuda_blocked_tensor(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err) {
    Arena arena(m->workspace);
    const Problem p = lay_out(m, &arena);
    const size_t bytes = p.work.ld * p.work.ld;
    bool exact = false;
    RETURN_ON_FAILURE(check_device(err));
    RETURN_ON_FAILURE(p.reachability.clear(err));
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(p.work.cells, exponent_code::no_path, bytes, nullptr),
                  "clearing the matrix", err));
    RETURN_ON_FAILURE(launch(err, place_edges, dim3(static_cast<unsigned>(m->n)), dim3(row_threads),
                             0, m->in, p.work.cells, p.work.ld));
    RETURN_ON_FAILURE((dataflow::solve<Work>({p.work, p.board}, progress, err)));
    RETURN_ON_FAILURE(make_distances(m, p.work, p.reachability.inf, err));
    RETURN_ON_FAILURE(p.reachability.check(m, &exact, err));
    if (!exact)
        return fail(err, STATUS_BAD_INPUT,
                    "variant tensor is not exact for this graph: some distance is above %d",
                    exponent_code::largest);
    return derive_predecessors(m, &arena, err);
}
