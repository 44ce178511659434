// SPDX-License-Identifier: MIT
// 32 x 32 tiles in batches of 6 x 6 to a block, in the four stages of the report "batched". Each
// stage is a variant:
//
//   batched-blocked    all three phases work in shared memory, also on the thread's own
//                      cell: a relaxation takes three reads and a write
//   batched-registers  the own cell is in a register: two reads. The old values stay in
//                      shared memory, so phase 2 has no barrier per k
//   batched-6x6        a block of phase 3 owns 6 x 6 tiles, whose 12 operand tiles fill
//                      48 KB, and a thread owns 36 cells: 12 reads serve 36
//                      relaxations, and an operand is fetched from global memory a
//                      sixth as often. A block of phase 2 updates six tiles and fetches
//                      the pivot tile once
//   batched            blocks inside the matrix have no bounds checks
//
// All stages are one set of kernels: from the second on they differ in template parameters only.
//
// With 1024 threads each has 64 registers, of which 36 hold cells: there is no room for 36
// predecessors, and none in 48 KB for the tiles to look them up in. So the loop over k keeps
// distances only. If a cell improved, as few do in any one step, the thread searches shared memory
// for the k again and copies the predecessor from that vertex's row.
//
// Reached on an H200 at n = 10000, 2 %: 130 ms, 7.69 T/s; with predecessors 236 ms.
#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/parts/phases.cuh"       // Matrices, Tile, run_phases
#include "cuda_blocked/parts/tile_constants.h" // SMALL_TILE

namespace {

constexpr int side = SMALL_TILE;
constexpr int batch_of_report = 6;

enum class Checks { everywhere, at_the_edge };

// Phase 1 of all stages, and phases 2 and 3 of the first.

// Relaxes the thread's cell of `tile`, in shared memory, through the k-th vertex of
// the pivot.
template <bool with_pred>
__device__ void relax_in_shared(const Tile<side, with_pred> &tile,
                                const Tile<side, with_pred> &left,
                                const Tile<side, with_pred> &right, int k) {
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const int32_t through_k = left.dist[y][k] + right.dist[k][x];
    if (through_k < tile.dist[y][x]) {
        tile.dist[y][x] = through_k;
        if (with_pred)
            tile.pred[y][x] = right.pred[k][x];
    }
}

template <bool with_pred>
__device__ void load(const Tile<side, with_pred> &tile, const Matrices<with_pred> &m,
                     const Place &place) {
    tile.set(threadIdx.y, threadIdx.x, m.load(place.i, place.j));
}

template <bool with_pred>
__device__ void store(const Tile<side, with_pred> &tile, const Matrices<with_pred> &m,
                      const Place &place) {
    const unsigned x = threadIdx.x, y = threadIdx.y;
    m.store(place.i, place.j, {tile.dist[y][x], with_pred ? tile.pred[y][x] : -1});
}

// A tile that is its own operand needs only one barrier per k: step k changes neither its row k nor
// its column k, because D[k][k] = 0.
template <bool with_pred>
__global__ void __launch_bounds__(side *side)
    close_pivot_tile(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const Tile<side, with_pred> tile(shared, 0);
    const Place place(pivot, pivot);
    load(tile, m, place);
    for (int k = 0; k < side; k++) {
        __syncthreads();
        relax_in_shared(tile, tile, tile, k);
    }
    store(tile, m, place);
}

// Phase 2. blockIdx.y = 0: the pivot row, 1: the pivot column.
template <bool with_pred>
__global__ void __launch_bounds__(side *side)
    update_row_and_column_in_shared(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const Tile<side, with_pred> centre(shared, 0), tile(shared, 1);
    const int32_t other = static_cast<int32_t>(blockIdx.x);
    const bool in_row = blockIdx.y == 0;
    if (other == pivot)
        return;
    const Place place(in_row ? pivot : other, in_row ? other : pivot);
    load(centre, m, Place(pivot, pivot));
    load(tile, m, place);
    for (int k = 0; k < side; k++) {
        __syncthreads();
        if (in_row)
            relax_in_shared(tile, centre, tile, k);
        else
            relax_in_shared(tile, tile, centre, k);
    }
    store(tile, m, place);
}

template <bool with_pred>
__global__ void __launch_bounds__(side *side)
    update_rest_in_shared(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const Tile<side, with_pred> left(shared, 0), right(shared, 1), tile(shared, 2);
    const int32_t row = static_cast<int32_t>(blockIdx.y), column = static_cast<int32_t>(blockIdx.x);
    if (row == pivot || column == pivot)
        return;
    const Place place(row, column);
    load(left, m, Place(row, pivot));
    load(right, m, Place(pivot, column));
    load(tile, m, place);
    __syncthreads();
    for (int k = 0; k < side; k++)
        relax_in_shared(tile, left, right, k);
    store(tile, m, place);
}

// Phases 2 and 3 of the later stages.

// Returns whether all tiles before number `end`, in rows and columns, lie inside.
template <bool with_pred>
__device__ bool inside(const Matrices<with_pred> &m, int32_t end) {
    return end * side <= m.n;
}

// The number of the pivot's first vertex through which the thread's path has the length `distance`.
// There is such a vertex.
__device__ int32_t vertex_of(const int32_t (*left)[side], const int32_t (*right)[side],
                             int32_t distance) {
    int32_t vertex = 0;
#pragma unroll 4
    for (int k = side - 1; k >= 0; k--) {
        if (left[threadIdx.y][k] + right[k][threadIdx.x] == distance)
            vertex = k;
    }
    return vertex;
}

// Updates batch x batch tiles from (row, column) on. Tiles in the pivot's row and column are
// relaxed like all others, without effect: they are closed, and only cells that improve are
// written.
template <int batch, bool checked, bool with_pred>
__device__ void update_tiles(const Matrices<with_pred> &m, int32_t pivot, int32_t row,
                             int32_t column, int32_t *shared) {
    int32_t(*left)[side][side] = reinterpret_cast<int32_t(*)[side][side]>(shared);
    int32_t(*right)[side][side] = left + batch;
    const int32_t x = static_cast<int32_t>(threadIdx.x), y = static_cast<int32_t>(threadIdx.y);
    const int32_t i = row * side + y, j = column * side + x;
    const int32_t vertex = pivot * side; // the first vertex of the pivot tile
    int32_t best[batch][batch]; // for each cell the length of the shortest path through a vertex of
                                // the pivot
#pragma unroll
    for (int t = 0; t < batch; t++) {
        left[t][y][x] = m.template distance<checked>(i + t * side, vertex + x);
        right[t][y][x] = m.template distance<checked>(vertex + y, j + t * side);
        for (int c = 0; c < batch; c++)
            best[t][c] = INT32_MAX;
    }
    __syncthreads();
#pragma unroll 2
    for (int k = 0; k < side; k++) {
        int32_t from_k[batch];
#pragma unroll
        for (int c = 0; c < batch; c++)
            from_k[c] = right[c][k][x];
#pragma unroll
        for (int r = 0; r < batch; r++) {
            const int32_t to_k = left[r][y][k];
#pragma unroll
            for (int c = 0; c < batch; c++)
                best[r][c] = min(best[r][c], to_k + from_k[c]);
        }
    }
#pragma unroll
    for (int r = 0; r < batch; r++) {
        int32_t old[batch];
#pragma unroll
        for (int c = 0; c < batch; c++)
            old[c] = m.template distance<checked>(i + r * side, j + c * side);
#pragma unroll
        for (int c = 0; c < batch; c++) {
            if (best[r][c] >= old[c])
                continue;
            const int32_t to_j = j + c * side;
            int32_t before = -1;
            if (with_pred)
                before = m.predecessor(vertex + vertex_of(left[r], right[c], best[r][c]), to_j);
            m.template store<checked>(i + r * side, to_j, {best[r][c], before});
        }
    }
}

template <int batch, Checks checks, bool with_pred>
__global__ void __launch_bounds__(side *side) update_all(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const int32_t row = static_cast<int32_t>(blockIdx.y) * batch;
    const int32_t column = static_cast<int32_t>(blockIdx.x) * batch;
    if (checks == Checks::at_the_edge && inside(m, max(max(row, column) + batch, pivot + 1)))
        update_tiles<batch, false>(m, pivot, row, column, shared);
    else
        update_tiles<batch, true>(m, pivot, row, column, shared);
}

// Relaxes the thread's cell through all vertices of the pivot.
template <bool with_pred>
__device__ void relax(Cell<with_pred> &cell, const Tile<side, with_pred> &left,
                      const Tile<side, with_pred> &right) {
#pragma unroll
    for (int k = 0; k < side; k++)
        cell.relax(left.dist[threadIdx.y][k], right.dist[k][threadIdx.x],
                   &right.pred[k][threadIdx.x]);
}

// Updates `batch` tiles of the pivot row (in_row) or the pivot column, from number `first` on.
template <int batch, bool checked, bool with_pred>
__device__ void update_panel(const Matrices<with_pred> &m, int32_t pivot, int32_t first,
                             bool in_row, int32_t *shared) {
    const Tile<side, with_pred> centre(shared, 0), tile(shared, 1);
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const Place of_centre(pivot, pivot);
    centre.set(y, x, m.template load<checked>(of_centre.i, of_centre.j));
    for (int32_t other = first; other < first + batch; other++) {
        if (other == pivot)
            continue;
        const Place place(in_row ? pivot : other, in_row ? other : pivot);
        Cell<with_pred> cell = m.template load<checked>(place.i, place.j);
        const int32_t old = cell.distance;
        __syncthreads(); // all threads have read the tile before
        tile.set(y, x, cell);
        __syncthreads();
        if (in_row)
            relax(cell, centre, tile);
        else
            relax(cell, tile, centre);
        if (cell.distance < old)
            m.template store<checked>(place.i, place.j, cell);
    }
}

// Phase 2. blockIdx.y = 0: the pivot row, 1: the pivot column.
template <int batch, Checks checks, bool with_pred>
__global__ void __launch_bounds__(side *side)
    update_row_and_column(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const int32_t first = static_cast<int32_t>(blockIdx.x) * batch;
    const bool in_row = blockIdx.y == 0;
    if (checks == Checks::at_the_edge && inside(m, max(first + batch, pivot + 1)))
        update_panel<batch, false>(m, pivot, first, in_row, shared);
    else
        update_panel<batch, true>(m, pivot, first, in_row, shared);
}

template <bool with_pred>
enum status solve_blocked(const struct gpu_matrices *m, struct progress *progress,
                          struct error *err) {
    const unsigned tiles = tiles_covering(m->n, side);
    const size_t bytes = tile_bytes<with_pred>(side);
    const Phase<with_pred> phases[] = {
        {close_pivot_tile<with_pred>, dim3(1), bytes},
        {update_row_and_column_in_shared<with_pred>, dim3(tiles, 2), 2 * bytes},
        {update_rest_in_shared<with_pred>, dim3(tiles, tiles), 3 * bytes}};
    return run_phases(m, side, dim3(side, side), phases, progress, err);
}

template <int batch, Checks checks, bool with_pred>
enum status solve(const struct gpu_matrices *m, struct progress *progress, struct error *err) {
    const unsigned batches = tiles_covering(m->n, batch * side);
    const size_t bytes = tile_bytes<with_pred>(side);
    const Phase<with_pred> phases[] = {
        {close_pivot_tile<with_pred>, dim3(1), bytes},
        {update_row_and_column<batch, checks, with_pred>, dim3(batches, 2), 2 * bytes},
        {update_all<batch, checks, with_pred>, dim3(batches, batches),
         2 * batch * tile_bytes<false>(side)}};
    return run_phases(m, side, dim3(side, side), phases, progress, err);
}

template <int batch, Checks checks>
enum status solve(const struct gpu_matrices *m, struct progress *progress, struct error *err) {
    return m->pred != nullptr ? solve<batch, checks, true>(m, progress, err)
                              : solve<batch, checks, false>(m, progress, err);
}

} // namespace

enum status cuda_blocked_batched_blocked(const struct gpu_matrices *m, struct progress *progress,
                                         struct error *err) {
    return m->pred != nullptr ? solve_blocked<true>(m, progress, err)
                              : solve_blocked<false>(m, progress, err);
}

enum status cuda_blocked_batched_registers(const struct gpu_matrices *m, struct progress *progress,
                                           struct error *err) {
    return solve<1, Checks::everywhere>(m, progress, err);
}

enum status cuda_blocked_batched_6x6(const struct gpu_matrices *m, struct progress *progress,
                                     struct error *err) {
    return solve<batch_of_report, Checks::everywhere>(m, progress, err);
}

enum status cuda_blocked_batched(const struct gpu_matrices *m, struct progress *progress,
                                 struct error *err) {
    return solve<batch_of_report, Checks::at_the_edge>(m, progress, err);
}
