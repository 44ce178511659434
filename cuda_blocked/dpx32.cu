// 128 x 128 tiles, 128 k per step, 8 x 8 cells per thread in registers, add-and-
// minimum in one instruction (this project).
//
// What changes: phases 2 and 3 become min-plus matrix products (min_plus_tile.cuh)
// whose operands are both read k-major, the pivot column from a transposed copy.
// The inner loop is nothing but VIADDMNMX, the DPX instruction of Hopper and
// later, and 16-byte loads from shared memory. 128 k per step instead of 32 touch
// global memory a quarter as often.
//
// Phase 1 has one block's worth of work and phase 2 not enough for the whole GPU,
// so they are done ahead: phase 3 updates the next pivot's row and column first;
// then the next step's phases 1 and 2 run beside the rest of phase 3.
//
// Predecessors are derived from the distances afterwards (predecessors.cuh),
// which costs the inner loop nothing and has no range to run out of.
#include "common/launch.cuh" // launch_in
#include "common/progress.h" // progress_report
#include "cuda_blocked/kernels.h"
#include "cuda_blocked/min_plus_tile.cuh" // multiply
#include "cuda_blocked/predecessors.cuh"  // derive_predecessors

namespace {

using min_plus::own;
using min_plus::tile;

constexpr int close_side = 32;               // threads of phase 1: 32 x 32
constexpr int close_own = tile / close_side; // of 4 x 4 cells each
constexpr int close_threads = close_side * close_side;
constexpr int transpose_half = tile / 2; // a tile is transposed in two halves
constexpr int transpose_pitch = tile + 1;

constexpr size_t close_bytes = sizeof(int32_t) * transpose_half * transpose_pitch;
static_assert(close_bytes >= sizeof(int32_t) * 4 * tile, "two rows and two columns of phase 1 fit");
static_assert(close_bytes <= 48 * 1024, "shared memory that every GPU gives without asking");

// What the kernels of one step are told. The two panels exist twice: a step's
// phase 3 reads one copy while the next step's phases 1 and 2 write the other.
struct Step {
    int32_t *dist;
    size_t ld;
    int32_t order;
    int pivot;            // number of the pivot tile in its row and column
    int depth;            // slices of k in it that hold vertices
    int32_t *column;      // [k][i]: the pivot column transposed, tile x order
    int32_t *pivot_cells; // [k][i]: the closed pivot tile transposed

    __device__ int32_t *tile_at(int row, int column_number) const {
        return dist + static_cast<size_t>(row) * tile * ld +
               static_cast<size_t>(column_number) * tile;
    }
    __device__ int32_t *transposed_at(int row) const {
        return column + static_cast<size_t>(row) * tile;
    }
};

// Tile number `index` when the tiles `a` < `b` are left out (b may be beyond all).
__device__ __forceinline__ int skip_two(int index, int a, int b) {
    index += index >= a;
    return index + (index >= b);
}

// Phase 1, block 0: closes the pivot tile, which the threads hold in registers.
// The owners of row k and column k put them into shared memory for all; two
// buffers make one barrier per k enough.
__device__ void close_pivot(const Step &s, int32_t *shared) {
    int32_t *pivot_tile = s.tile_at(s.pivot, s.pivot);
    const int tx = static_cast<int>(threadIdx.x) % close_side * close_own;
    const int ty = static_cast<int>(threadIdx.x) / close_side * close_own;
    int32_t cell[close_own][close_own];
    for (int r = 0; r < close_own; r++) {
        for (int c = 0; c < close_own; c++)
            cell[r][c] = pivot_tile[static_cast<size_t>(ty + r) * s.ld + tx + c];
    }
    int32_t *row[2] = {shared, shared + tile};
    int32_t *column[2] = {shared + 2 * tile, shared + 3 * tile};
    for (int base = 0; base < tile; base += close_own) {
#pragma unroll
        for (int u = 0; u < close_own; u++) {
            const int k = base + u;
            if (ty == base) {
                for (int c = 0; c < close_own; c++)
                    row[k % 2][tx + c] = cell[u][c];
            }
            if (tx == base) {
                for (int r = 0; r < close_own; r++)
                    column[k % 2][ty + r] = cell[r][u];
            }
            __syncthreads();
            for (int r = 0; r < close_own; r++) {
                const int32_t to_k = column[k % 2][ty + r];
                for (int c = 0; c < close_own; c++)
                    cell[r][c] = __viaddmin_s32(to_k, row[k % 2][tx + c], cell[r][c]);
            }
        }
    }
    for (int r = 0; r < close_own; r++) {
        for (int c = 0; c < close_own; c++) {
            pivot_tile[static_cast<size_t>(ty + r) * s.ld + tx + c] = cell[r][c];
            s.pivot_cells[(tx + c) * tile + ty + r] = cell[r][c];
        }
    }
}

// Phase 1; and meanwhile, in the other blocks, the transposed copy of the pivot
// column, as it is before phase 2.
__global__ void __launch_bounds__(close_threads) close_and_transpose(Step s) {
    DYNAMIC_SHARED(int32_t, shared);
    if (blockIdx.x == 0) {
        close_pivot(s, shared);
        return;
    }
    const int other = skip_two(static_cast<int>(blockIdx.x) - 1, s.pivot, s.order);
    const int32_t *from = s.tile_at(other, s.pivot);
    int32_t *to = s.transposed_at(other);
    const int thread = static_cast<int>(threadIdx.x);
    for (int half = 0; half < tile; half += transpose_half) {
        __syncthreads();
        for (int y = thread / transpose_half; y < tile; y += close_threads / transpose_half) {
            const int x = thread % transpose_half;
            shared[x * transpose_pitch + y] = from[static_cast<size_t>(y) * s.ld + half + x];
        }
        __syncthreads();
        for (int y = thread / tile; y < transpose_half; y += close_threads / tile) {
            const int x = thread % tile;
            to[static_cast<size_t>(half + y) * s.order + x] = shared[y * transpose_pitch + x];
        }
    }
}

__device__ __forceinline__ void load_cells(int32_t (&cell)[own][own], const int32_t *from,
                                           size_t ld) {
    const int row = min_plus::first_row(), column = min_plus::first_column();
#pragma unroll
    for (int r = 0; r < own; r++) {
        const int32_t *at =
            from + static_cast<size_t>(row + min_plus::run_offset(r, min_plus::row_stride)) * ld +
            column;
        min_plus::load_run(cell[r], at);
        min_plus::load_run(cell[r] + 4, at + min_plus::column_stride);
    }
}

// Phase 2. blockIdx.y = 0: a tile of the pivot row, R = min(R, P x R). 1: a tile of
// the pivot column, as the product of the transposes, C' = min(C', P' x C'), stored
// both ways. Each block reads and writes its own tile only.
__global__ void __launch_bounds__(min_plus::threads, 2) update_row_and_column(Step s) {
    DYNAMIC_SHARED(int32_t, shared);
    const int other = skip_two(static_cast<int>(blockIdx.x), s.pivot, s.order);
    int32_t cell[own][own];
    if (blockIdx.y == 0) {
        int32_t *row_tile = s.tile_at(s.pivot, other);
        load_cells(cell, row_tile, s.ld);
        min_plus::multiply(cell, shared, s.depth, s.pivot_cells, tile, row_tile, s.ld);
        min_plus::store_minimum(cell, row_tile, s.ld);
        return;
    }
    int32_t *transposed = s.transposed_at(other);
    load_cells(cell, transposed, s.order);
    min_plus::multiply(cell, shared, s.depth, s.tile_at(s.pivot, s.pivot), s.ld, transposed,
                       s.order);
    min_plus::store_minimum(cell, transposed, s.order);
    // The thread's cell (r, c) is row c, column r of the tile in the matrix.
    const int row = min_plus::first_row(), column = min_plus::first_column();
#pragma unroll
    for (int c = 0; c < own; c++) {
        const int matrix_row = column + min_plus::run_offset(c, min_plus::column_stride);
        int32_t *at = s.tile_at(other, s.pivot) + static_cast<size_t>(matrix_row) * s.ld + row;
        *reinterpret_cast<int4 *>(at) = make_int4(cell[0][c], cell[1][c], cell[2][c], cell[3][c]);
        *reinterpret_cast<int4 *>(at + min_plus::row_stride) =
            make_int4(cell[4][c], cell[5][c], cell[6][c], cell[7][c]);
    }
}

__device__ __forceinline__ void update_tile(const Step &s, int row, int column, int32_t *shared) {
    int32_t cell[own][own];
#pragma unroll
    for (int r = 0; r < own; r++) {
#pragma unroll
        for (int c = 0; c < own; c++)
            cell[r][c] = INT32_MAX; // store_minimum compares with the matrix
    }
    min_plus::multiply(cell, shared, s.depth, s.transposed_at(row), s.order,
                       s.tile_at(s.pivot, column), s.ld);
    min_plus::store_minimum(cell, s.tile_at(row, column), s.ld);
}

// Phase 3 for the row (blockIdx.y = 0) and the column (1) of the next pivot.
__global__ void __launch_bounds__(min_plus::threads, 2) update_next_pivots(Step s) {
    DYNAMIC_SHARED(int32_t, shared);
    const int next = s.pivot + 1;
    const int other = skip_two(static_cast<int>(blockIdx.x), s.pivot, s.order);
    if (blockIdx.y == 1 && other == next)
        return; // the next pivot tile itself is in its row
    update_tile(s, blockIdx.y == 0 ? next : other, blockIdx.y == 0 ? other : next, shared);
}

// Phase 3 for all tiles outside the rows and columns of this pivot and the next.
__global__ void __launch_bounds__(min_plus::threads, 2) update_rest(Step s) {
    DYNAMIC_SHARED(int32_t, shared);
    update_tile(s, skip_two(static_cast<int>(blockIdx.y), s.pivot, s.pivot + 1),
                skip_two(static_cast<int>(blockIdx.x), s.pivot, s.pivot + 1), shared);
}

Step step_of(const struct gpu_matrices *m, int pivot) {
    const size_t column_cells = static_cast<size_t>(tile) * static_cast<size_t>(m->order);
    const size_t pivot_cells = static_cast<size_t>(tile) * tile;
    int32_t *panels = static_cast<int32_t *>(m->workspace) +
                      static_cast<size_t>(pivot % 2) * (column_cells + pivot_cells);
    const int vertices = m->n - pivot * tile < tile ? m->n - pivot * tile : tile;
    const int depth = (vertices + min_plus::slice - 1) / min_plus::slice;
    return {m->dist, m->ld, m->order, pivot, depth, panels, panels + column_cells};
}

// Phases 1 and 2.
enum status prepare(const struct gpu_matrices *m, const Step &s, struct error *err) {
    const unsigned tiles = tiles_covering(m->order, tile);
    enum status status = launch_in(m->streams[1], err, close_and_transpose, dim3(tiles),
                                   dim3(close_threads), close_bytes, s);
    if (status == STATUS_OK && tiles > 1)
        status = launch_in(m->streams[1], err, update_row_and_column, dim3(tiles - 1, 2),
                           dim3(min_plus::threads), min_plus::shared_bytes, s);
    return status;
}

// `later` does not begin before what is in `earlier` now has ended.
enum status order_streams(const struct gpu_matrices *m, int earlier, int later, struct error *err) {
    enum status status = gpu_check(cudaEventRecord(m->events[earlier], m->streams[earlier]),
                                   "recording an event", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaStreamWaitEvent(m->streams[later], m->events[earlier], 0),
                           "waiting for an event", err);
    return status;
}

// Stream 1 has the higher priority and does what the next step waits for.
enum status solve_distances(const struct gpu_matrices *m, struct progress *progress,
                            struct error *err) {
    const int tiles = static_cast<int>(tiles_covering(m->order, tile));
    const dim3 block(min_plus::threads);
    enum status status = allow_shared(update_row_and_column, min_plus::shared_bytes, err);
    if (status == STATUS_OK)
        status = allow_shared(update_next_pivots, min_plus::shared_bytes, err);
    if (status == STATUS_OK)
        status = allow_shared(update_rest, min_plus::shared_bytes, err);
    if (status == STATUS_OK)
        status = prepare(m, step_of(m, 0), err);
    for (int pivot = 0; pivot < tiles && status == STATUS_OK; pivot++) {
        const Step s = step_of(m, pivot);
        const bool last = pivot + 1 == tiles;
        // Both parts of this step's phase 3 need its phase 2 and the whole of the
        // last step's phase 3.
        status = order_streams(m, 1, 0, err);
        if (status == STATUS_OK)
            status = order_streams(m, 0, 1, err);
        if (status == STATUS_OK && !last)
            status = launch_in(m->streams[1], err, update_next_pivots,
                               dim3(static_cast<unsigned>(tiles) - 1, 2), block,
                               min_plus::shared_bytes, s);
        if (status == STATUS_OK && !last)
            status = prepare(m, step_of(m, pivot + 1), err);
        const unsigned rest = static_cast<unsigned>(last ? tiles - 1 : tiles - 2);
        if (status == STATUS_OK && rest > 0)
            status = launch_in(m->streams[0], err, update_rest, dim3(rest, rest), block,
                               min_plus::shared_bytes, s);
        progress_report(progress, pivot + 1, tiles);
    }
    return status;
}

size_t panels_bytes(const struct gpu_matrices *m) {
    return sizeof(int32_t) * 2 * tile * (static_cast<size_t>(m->order) + tile);
}

} // namespace

size_t cuda_blocked_dpx32_workspace(const struct gpu_matrices *m, bool with_pred) {
    return panels_bytes(m) + (with_pred ? predecessors_workspace(m) : 0);
}

enum status cuda_blocked_dpx32(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err) {
    enum status status = solve_distances(m, progress, err);
    if (status == STATUS_OK && m->pred != nullptr)
        status = derive_predecessors(m, static_cast<char *>(m->workspace) + panels_bytes(m), err);
    return status;
}
