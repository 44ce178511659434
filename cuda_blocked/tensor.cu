// Distances as exponents, minima on tensor cores (this project).
//
// What changes from `dpx16`: a distance d multiplies as 2^(60 - 7d), so that an
// ordinary matrix product finds minima in the exponents of its sums
// (exponent_code.cuh). Tensor cores do that product an order of magnitude faster
// than any add-and-minimum. The matrix is kept as a byte to a cell, which is a
// quarter of the traffic that would otherwise be the limit.
//
// Exact where no distance is longer than 26: random graphs of some density and
// unweighted graphs are like that. Longer distances come out as "no path", never
// as a wrong number; afterwards the finite cells must be closed under the graph's
// edges, or the variant says that it is not exact.
#include "common/graph.h"            // INF
#include "cuda_blocked/dataflow.cuh" // solve
#include "cuda_blocked/exponent_code.cuh"
#include "cuda_blocked/kernels.h"
#include "cuda_blocked/panels.cuh"       // Panel
#include "cuda_blocked/predecessors.cuh" // derive_predecessors
#include "cuda_blocked/tensor_tile.cuh"  // multiply

namespace {

using Operand = panels::Panel<uint16_t, tensor_tile::tile * tensor_tile::tile>;

struct Work {
    static constexpr int tile = tensor_tile::tile, threads = tensor_tile::threads;
    static constexpr int blocks = 2; // per multiprocessor
    static constexpr int lead_waves = 10;
    static constexpr int pitch = tile + 16; // bytes of a row of cells in shared memory
    static constexpr int quads = tile / 16; // 16 cells each
    static constexpr size_t shared_bytes = 2 * tensor_tile::operand_bytes + tile * pitch;

    uint8_t *cells; // order x order, as exponent_code has them
    size_t ld;
    Operand left, right; // [row][k], [column][k]

    __device__ uint8_t *tile_at(int32_t i, int32_t j) const {
        return cells + static_cast<size_t>(i) * tile * ld + static_cast<size_t>(j) * tile;
    }

    // Moves a tile between the matrix and shared memory, 16 cells at a time.
    template <typename Move>
    __device__ void for_each_quad(uint8_t *shared, uint8_t *matrix, Move move) const {
#pragma unroll
        for (int c = 0; c < tile * quads; c += threads) {
            const int r = (c + static_cast<int>(threadIdx.x)) / quads;
            const int x = (c + static_cast<int>(threadIdx.x)) % quads * 16;
            move(reinterpret_cast<int4 *>(shared + r * pitch + x),
                 reinterpret_cast<int4 *>(matrix + static_cast<size_t>(r) * ld + x));
        }
    }

    __device__ void stage(uint8_t *shared, uint8_t *matrix) const {
        for_each_quad(shared, matrix, [](int4 *to, const int4 *from) { *to = *from; });
        __syncthreads();
    }

    // Whether the sums whose upper halves are `sums` improve two neighbouring
    // cells, which they then become.
    static __device__ bool improve(uint8_t *pair, uint32_t sums) {
        uint16_t &both = *reinterpret_cast<uint16_t *>(pair);
        const uint32_t was = (both & 0xffU) | (both & 0xff00U) << 8;
        const uint32_t exponents = sums >> 7 & 0x00ff00ff;
        if (__viaddmax_u16x2(exponents, 0, was) == was)
            return false;
        const uint32_t low = exponent_code::cell_of_exponent(exponents & 0xff);
        const uint32_t high = exponent_code::cell_of_exponent(exponents >> 16);
        both = static_cast<uint16_t>(max(low, was & 0xff) | max(high, was >> 16) << 8);
        return true;
    }

    __device__ void update(int32_t *shared, int32_t i, int32_t j, int32_t s) const {
        using namespace tensor_tile;
        int4 *const a = reinterpret_cast<int4 *>(shared);
        int4 *const b = a + operand_bytes / sizeof(int4);
        uint8_t *const c = reinterpret_cast<uint8_t *>(b + operand_bytes / sizeof(int4));
#pragma unroll
        for (int first = 0; first < tile; first += depth) {
            fetch(a, left.at(i, s), first);
            fetch(b, right.at(j, s), first);
            if (first > 0)
                for_each_quad(c, tile_at(i, j),
                              [](int4 *to, const int4 *from) { copy_async(to, from); });
            copy_commit();
        }
        Sums sums;
        uint32_t best[row_fragments][column_fragments][2];
        copy_wait<1>();
        __syncthreads();
        multiply(sums, a, b, 0);
        for_each_pair([&](int f, int g, int h) {
            best[f][g][h] = upper_halves(sums.of[f][g][2 * h], sums.of[f][g][2 * h + 1]);
        });
        copy_wait<0>();
        __syncthreads();
        multiply(sums, a, b, depth);
        bool improved = false;
        for_each_pair([&](int f, int g, int h) {
            const uint32_t second =
                upper_halves(sums.of[f][g][2 * h], sums.of[f][g][2 * h + 1]);
            improved |= improve(c + row(f, h) * pitch + column(g),
                                __viaddmax_u16x2(best[f][g][h], 0, second));
        });
        if (__syncthreads_or(improved))
            for_each_quad(c, tile_at(i, j), [](const int4 *from, int4 *to) { *to = *from; });
        __syncthreads();
    }

    template <typename Visit>
    static __device__ __forceinline__ void for_each_pair(Visit visit) {
#pragma unroll
        for (int f = 0; f < tensor_tile::row_fragments; f++) {
#pragma unroll
            for (int g = 0; g < tensor_tile::column_fragments; g++) {
#pragma unroll
                for (int h = 0; h < 2; h++)
                    visit(f, g, h);
            }
        }
    }

    // Phase 1 has no product to give to tensor cores: as in dpx16.
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
        min_plus::close<Uint16x2>(cell, shared);
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

    // Operands of consecutive k from staged cells `step` bytes apart.
    static __device__ void encode(uint16_t *to, const uint8_t *cell, int line_bytes, int step) {
        for (int c = static_cast<int>(threadIdx.x); c < tile * tile / 2; c += threads) {
            const int k = c % (tile / 2) * 2, row = c / (tile / 2);
            const uint8_t *at = cell + row * line_bytes + k * step;
            reinterpret_cast<uint32_t *>(to)[c] =
                exponent_code::operand_of(at[0]) | exponent_code::operand_of(at[step]) << 16;
        }
        __syncthreads();
    }

    __device__ void encode_left(int32_t *shared, int32_t i, int32_t s) const {
        uint8_t *const staged = reinterpret_cast<uint8_t *>(shared);
        stage(staged, tile_at(i, s));
        encode(left.at(i, s), staged, pitch, 1);
    }

    __device__ void encode_right(int32_t *shared, int32_t j, int32_t s) const {
        uint8_t *const staged = reinterpret_cast<uint8_t *>(shared);
        stage(staged, tile_at(s, j));
        encode(right.at(j, s), staged, 1, pitch);
    }
};

constexpr int row_threads = 128;

// Between 32-bit distances and cells; padding stays without paths. Four cells a
// thread.
__global__ void to_cells(const int32_t *dist, size_t ld, uint8_t *cells, size_t cells_ld) {
    const size_t i = blockIdx.x, j = 4 * (static_cast<size_t>(blockIdx.y) * row_threads + threadIdx.x);
    if (j >= cells_ld)
        return;
    const int4 four = *reinterpret_cast<const int4 *>(dist + i * ld + j);
    *reinterpret_cast<uint32_t *>(cells + i * cells_ld + j) =
        exponent_code::cell_of(four.x) | exponent_code::cell_of(four.y) << 8 |
        exponent_code::cell_of(four.z) << 16 | exponent_code::cell_of(four.w) << 24;
}

// Sets *open where a cell of the matrix proper holds no path.
__global__ void to_distances(const uint8_t *cells, size_t cells_ld, int32_t *dist, size_t ld,
                             int32_t n, int32_t *open) {
    const int32_t i = static_cast<int32_t>(blockIdx.x);
    const int32_t j = 4 * static_cast<int32_t>(blockIdx.y * row_threads + threadIdx.x);
    if (static_cast<size_t>(j) >= cells_ld)
        return;
    const uint32_t four = *reinterpret_cast<const uint32_t *>(cells + i * cells_ld + j);
    const int4 distance = make_int4(
        exponent_code::distance_of(four & 0xff), exponent_code::distance_of(four >> 8 & 0xff),
        exponent_code::distance_of(four >> 16 & 0xff), exponent_code::distance_of(four >> 24));
    *reinterpret_cast<int4 *>(dist + i * ld + j) = distance;
    if (i < n && j < n &&
        (distance.x == INF || (j + 1 < n && distance.y == INF) ||
         (j + 2 < n && distance.z == INF) || (j + 3 < n && distance.w == INF)))
        store_release(open, 1);
}

constexpr int sources = 32; // in a word

// Word [v][g]: which of the sources 32 g .. 32 g + 31 have a path to v.
__global__ void gather_reached(const uint8_t *cells, size_t ld, int32_t n, uint32_t *reached,
                               int32_t groups) {
    const int32_t v = static_cast<int32_t>(blockIdx.x * row_threads + threadIdx.x);
    const int32_t group = static_cast<int32_t>(blockIdx.y);
    if (v >= n)
        return;
    uint32_t word = 0;
#pragma unroll 8
    for (int k = 0; k < sources; k++) { // rows beyond n are padding without paths
        const size_t i = static_cast<size_t>(group) * sources + k;
        word |= static_cast<uint32_t>(cells[i * ld + v] > exponent_code::no_path) << k;
    }
    reached[static_cast<size_t>(v) * groups + group] = word;
}

// One block for each vertex v: whoever reaches the tail of an edge into v reaches v.
__global__ void check_closed(struct gpu_in_edges in, const uint32_t *reached, int32_t groups,
                             int32_t *inexact) {
    const int64_t v = blockIdx.x;
    for (int32_t group = static_cast<int32_t>(threadIdx.x); group < groups; group += row_threads) {
        const uint32_t missing = ~reached[v * groups + group];
        if (missing == 0)
            continue;
        uint32_t through = 0;
        for (int64_t e = in.first[v]; e < in.first[v + 1]; e++) {
            if (in.weight[e] < INF)
                through |= reached[static_cast<size_t>(in.tail[e]) * groups + group];
        }
        if ((through & missing) != 0)
            store_release(inexact, 1);
    }
}

struct Problem {
    Work work;
    dataflow::Board board;
    uint32_t *reached;
    int32_t groups;
    int32_t *open; // and, behind it, what check_closed says
};

Problem lay_out(const struct gpu_matrices *m, Arena *arena) {
    const size_t order = static_cast<size_t>(m->order);
    const int32_t tiles = static_cast<int32_t>(tiles_covering(m->order, Work::tile));
    const int32_t groups = m->order / sources;
    const Work work = {arena->take<uint8_t>(order * order), order, Operand::take(arena, tiles),
                       Operand::take(arena, tiles)};
    const dataflow::Board board = dataflow::take_board(arena, tiles);
    uint32_t *reached = arena->take<uint32_t>(order * static_cast<size_t>(groups));
    return {work, board, reached, groups, arena->take<int32_t>(2)};
}

// Reads what a kernel left at `flag`, once it has ended.
enum status read_flag(const int32_t *flag, int32_t *value, struct error *err) {
    return gpu_check(cudaMemcpy(value, flag, sizeof *value, cudaMemcpyDeviceToHost),
                     "running the kernels", err);
}

// Whether every cell without a path is one between which there is none.
enum status check_exact(const struct gpu_matrices *m, const Problem &p, struct error *err) {
    int32_t open = 0, inexact = 0;
    enum status status = read_flag(p.open, &open, err);
    if (status != STATUS_OK || open == 0)
        return status;
    const unsigned n = static_cast<unsigned>(m->n);
    status = launch(err, gather_reached,
                    dim3(tiles_covering(m->n, row_threads), static_cast<unsigned>(p.groups)),
                    dim3(row_threads), 0, p.work.cells, p.work.ld, m->n, p.reached, p.groups);
    if (status == STATUS_OK)
        status = launch(err, check_closed, dim3(n), dim3(row_threads), 0, m->in, p.reached,
                        p.groups, p.open + 1);
    if (status == STATUS_OK)
        status = read_flag(p.open + 1, &inexact, err);
    if (status == STATUS_OK && inexact != 0)
        return fail(err, STATUS_BAD_INPUT,
                    "variant tensor is not exact for this graph: some distance is above %d",
                    exponent_code::largest);
    return status;
}

enum status check_device(struct error *err) {
    constexpr int needed = 8; // mma with bfloat16
    int device = 0, major = 0;
    enum status status = gpu_check(cudaGetDevice(&device), "asking for the device", err);
    if (status == STATUS_OK)
        status = gpu_check(
            cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
            "asking for its compute capability", err);
    if (status == STATUS_OK && major < needed)
        return fail(err, STATUS_NO_RESOURCE,
                    "variant tensor needs a GPU of compute capability %d.0 or later, found %d.x",
                    needed, major);
    return status;
}

} // namespace

size_t cuda_blocked_tensor_workspace(const struct gpu_matrices *m, bool with_pred) {
    Arena arena;
    lay_out(m, &arena);
    return arena.used() + (with_pred ? predecessors_workspace(m) : 0);
}

enum status cuda_blocked_tensor(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err) {
    Arena arena(m->workspace);
    const Problem p = lay_out(m, &arena);
    const unsigned order = static_cast<unsigned>(m->order);
    const dim3 quads(order, tiles_covering(m->order, 4 * row_threads));
    enum status status = check_device(err);
    if (status == STATUS_OK)
        status = gpu_check(cudaMemsetAsync(p.open, 0, 2 * sizeof *p.open, nullptr),
                           "clearing flags", err);
    if (status == STATUS_OK)
        status = launch(err, to_cells, quads, dim3(row_threads), 0, m->dist, m->ld, p.work.cells,
                        p.work.ld);
    if (status == STATUS_OK)
        status = dataflow::solve(p.work, p.board, progress, err);
    if (status == STATUS_OK)
        status = launch(err, to_distances, quads, dim3(row_threads), 0, p.work.cells, p.work.ld,
                        m->dist, m->ld, m->n, p.open);
    if (status == STATUS_OK)
        status = check_exact(m, p, err);
    if (status == STATUS_OK && m->pred != nullptr)
        status = derive_predecessors(m, static_cast<char *>(m->workspace) + arena.used(), err);
    return status;
}
