// SPDX-License-Identifier: MIT
// Distances as exponents, minima on tensor cores (this project).
//
// Changes from `dpx16`: a distance d multiplies as 2^(60 - 7d), so an ordinary matrix product
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
#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/parts/dataflow.cuh"       // solve
#include "cuda_blocked/parts/exponent_tiles.cuh" // Work
#include "cuda_blocked/parts/predecessors.cuh"   // derive_predecessors
#include "cuda_blocked/parts/reachability.cuh"   // Reachability
#include "cuda_blocked/parts/tile_constants.h"   // TENSOR_SHARED_KIB

namespace {

using tensor_tile::place_of;
using TensorWork = exponent_tiles::Work<false>;

constexpr int row_threads = 128, max_threads = 1024;
constexpr int own_cells = 4; // cells of a row that a thread converts at a time

// A block stores the cells of a vertex and of the edges into it. The matrix has no paths before.
__global__ void place_edges(struct gpu_in_edges in, TensorWork work) {
    const int32_t v = static_cast<int32_t>(blockIdx.x);
    if (threadIdx.x == 0)
        work.place(static_cast<size_t>(place_of(v)), v, 0);
    for (int64_t e = in.first[v] + threadIdx.x; e < in.first[v + 1]; e += row_threads) {
        if (in.tail[e] != v)
            work.place(static_cast<size_t>(place_of(in.tail[e])), v, in.weight[e]);
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

// Converts the matrix in place. Distances take four times as many bytes as cells, so the distances
// of the last three quarters of the rows overwrite no cells that are still needed. Three quarters
// of the remaining rows follow, and so on; in the end row 0 is converted by chunks in the same way.
enum status make_distances(const struct gpu_matrices *m, const TensorWork &work, int32_t *inf,
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

struct TensorProblem {
    TensorWork work;
    dataflow::Board board;
    Reachability reachability;
};

TensorProblem lay_out(const struct gpu_matrices *m, Arena *arena) {
    const int32_t tiles = static_cast<int32_t>(tiles_covering(m->n, tensor_tile::vertices));
    const size_t places = static_cast<size_t>(tiles) * TensorWork::tile;
    const TensorWork work = {reinterpret_cast<uint8_t *>(m->dist),
                             places,
                             m->n,
                             exponent_tiles::Operand::take(arena, tiles),
                             exponent_tiles::Operand::take(arena, tiles),
                             1};
    const dataflow::Board board = dataflow::take_board(arena, tiles);
    return {work, board, Reachability::take(m, arena)};
}

static_assert(dataflow::block_kib<TensorWork> == TENSOR_SHARED_KIB,
              "as the table of variants has it");

} // namespace

size_t cuda_blocked_tensor_workspace(const struct gpu_matrices *m, bool with_pred) {
    return workspace_bytes(m, with_pred, lay_out);
}

enum status cuda_blocked_tensor_available(bool *available, struct error *err) {
    return exponent_tiles::is_available(available, err);
}

enum status cuda_blocked_tensor(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err) {
    Arena arena(m->workspace);
    const TensorProblem p = lay_out(m, &arena);
    const size_t bytes = p.work.ld * p.work.ld;
    bool exact = false;
    RETURN_ON_FAILURE(exponent_tiles::check_device(err));
    RETURN_ON_FAILURE(p.reachability.clear(err));
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(p.work.cells, exponent_code::no_path, bytes, nullptr),
                  "clearing the matrix", err));
    RETURN_ON_FAILURE(launch(err, place_edges, dim3(static_cast<unsigned>(m->n)), dim3(row_threads),
                             0, m->in, p.work));
    RETURN_ON_FAILURE((dataflow::solve<TensorWork>({p.work, p.board}, progress, err)));
    RETURN_ON_FAILURE(make_distances(m, p.work, p.reachability.inf, err));
    RETURN_ON_FAILURE(p.reachability.check(m, &exact, err));
    if (!exact)
        return fail(err, STATUS_BAD_INPUT,
                    "variant tensor is not exact for this graph: some distance is above %d",
                    exponent_code::largest);
    return derive_predecessors(m, &arena, err);
}
