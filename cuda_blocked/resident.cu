// Small matrices: every block keeps its tile in registers from the first step to
// the last (this project).
//
// What changes from `dpx32`: with few tiles the time is not arithmetic but waiting,
// for launches, for the pivot tile, for memory. So tiles are 64 x 64, there is a
// block for each, all running at once, and a step hands over only what others
// need: the closed pivot tile, then the tiles of its row and column, through the
// second-level cache, each announced by a flag. Nothing is waited for but these.
//
// Only as many tiles can be solved as blocks fit on the device together: some 20
// x 20 on one with 132 multiprocessors.
//
// Reached on an H200 at n = 1000, 2 %: 0.274 ms, 3.66 T/s; with predecessors 0.304 ms.
#include "common/arena.cuh"      // Arena
#include "common/async_copy.cuh" // copy_async
#include "common/flags.cuh"      // load_acquire, store_release
#include "common/gpu_solver.h"   // struct gpu_matrices
#include "common/launch.cuh"     // launch_together
#include "cuda_blocked/kernels.h"
#include "cuda_blocked/min_plus_tile.cuh" // place_x, place_y, load_run
#include "cuda_blocked/predecessors.cuh"  // derive_predecessors

namespace {

using min_plus::load_run;
using min_plus::place_x;
using min_plus::place_y;
using min_plus::run;

constexpr int tile = 64;
constexpr int threads = 256; // 16 x 16, with 4 x 4 cells each
constexpr int side = 16;
constexpr int tile_cells = tile * tile;
constexpr size_t shared_bytes = 2 * tile_cells * sizeof(int32_t);

static_assert(side * run == tile && side * side == threads, "the threads own the tile");

struct Problem {
    int32_t *dist;
    size_t ld;
    int32_t n, tiles;
    // Tile i of step s's pivot column and tile j of its row, k-major: [s][i][k][cell].
    // Every step has its own, so that none is overwritten.
    int32_t *left, *right;
    int32_t *left_ready, *right_ready; // [s][i]: not 0 when it is there
    size_t flags;                      // in both together

    __device__ int32_t *left_at(int32_t s, int32_t i) const {
        return left + (static_cast<size_t>(s) * tiles + i) * tile_cells;
    }
    __device__ int32_t *right_at(int32_t s, int32_t j) const {
        return right + (static_cast<size_t>(s) * tiles + j) * tile_cells;
    }
    __device__ int32_t *flag(int32_t *ready, int32_t s, int32_t i) const {
        return ready + s * tiles + i;
    }
};

struct Cells {
    int32_t of[run][run];

    // As an operand B: rows as they are. As an operand A: transposed.
    __device__ __forceinline__ void put_right(int32_t *to) const {
#pragma unroll
        for (int r = 0; r < run; r++)
            *reinterpret_cast<int4 *>(to + (place_y() * run + r) * tile + place_x() * run) =
                make_int4(of[r][0], of[r][1], of[r][2], of[r][3]);
    }
    __device__ __forceinline__ void put_left(int32_t *to) const {
#pragma unroll
        for (int c = 0; c < run; c++)
            *reinterpret_cast<int4 *>(to + (place_x() * run + c) * tile + place_y() * run) =
                make_int4(of[0][c], of[1][c], of[2][c], of[3][c]);
    }

    __device__ __forceinline__ void relax(const int32_t *to_k, const int32_t *from_k) {
        int32_t left[run], right[run];
        load_run(left, to_k + place_y() * run);
        load_run(right, from_k + place_x() * run);
#pragma unroll
        for (int r = 0; r < run; r++) {
#pragma unroll
            for (int c = 0; c < run; c++)
                of[r][c] = __viaddmin_s32(left[r], right[c], of[r][c]);
        }
    }

    // Through all k of two operands in shared memory.
    __device__ __forceinline__ void multiply(const int32_t *left, const int32_t *right) {
#pragma unroll 8
        for (int k = 0; k < tile; k++)
            relax(left + k * tile, right + k * tile);
    }

    // Phase 1. The owners of row and column k put them into shared memory for all;
    // two buffers make one barrier per k enough.
    __device__ __forceinline__ void close(int32_t *shared, int lines) {
        for (int owner = 0; owner < side && owner * run < lines; owner++) {
#pragma unroll
            for (int u = 0; u < run; u++) {
                int32_t *const column = shared + u % 2 * 2 * tile, *const row = column + tile;
                if (place_y() == owner)
                    *reinterpret_cast<int4 *>(row + place_x() * run) =
                        make_int4(of[u][0], of[u][1], of[u][2], of[u][3]);
                if (place_x() == owner)
                    *reinterpret_cast<int4 *>(column + place_y() * run) =
                        make_int4(of[0][u], of[1][u], of[2][u], of[3][u]);
                __syncthreads();
                relax(column, row);
            }
        }
        __syncthreads();
    }
};

__device__ void wait_for(const int32_t *flag) {
    while (load_acquire(flag) == 0)
        pause_thread();
}

// After a barrier: what all threads of the block wrote is there for who acquires.
__device__ __forceinline__ void announce(int32_t *flag) {
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(flag, 1);
}

__device__ __forceinline__ void fetch(int32_t *shared, const int32_t *from) {
#pragma unroll
    for (int c = static_cast<int>(threadIdx.x) * run; c < tile_cells; c += threads * run)
        copy_async(reinterpret_cast<int4 *>(shared + c), reinterpret_cast<const int4 *>(from + c));
    copy_commit();
}

// Three blocks to a multiprocessor.
__global__ void __launch_bounds__(threads, 3) solve_resident(Problem p) {
    DYNAMIC_SHARED(int32_t, shared);
    int32_t *const left = shared, *const right = shared + tile_cells;
    const int32_t i = static_cast<int32_t>(blockIdx.x) / p.tiles;
    const int32_t j = static_cast<int32_t>(blockIdx.x) % p.tiles;
    int32_t *const own = p.dist + static_cast<size_t>(i * tile + place_y() * run) * p.ld +
                         j * tile + place_x() * run;
    Cells cells;
#pragma unroll
    for (int r = 0; r < run; r++)
        load_run(cells.of[r], own + r * p.ld);
    for (int32_t s = 0; s < p.tiles; s++) {
        if (i == s && j == s) {
            cells.close(shared, min(p.n - s * tile, tile));
            cells.put_left(p.left_at(s, s));
            cells.put_right(p.right_at(s, s));
            announce(p.flag(p.left_ready, s, s));
            continue;
        }
        // Thread 0 waits for the left operand, thread 32 for the right one; the
        // closed pivot tile has one flag for both. In the pivot's row and column
        // the other operand is the tile itself.
        const bool in_row = i == s, in_column = j == s;
        if (threadIdx.x == 0)
            wait_for(p.flag(p.left_ready, s, in_column ? s : i));
        if (threadIdx.x == 32 && !in_row && !in_column)
            wait_for(p.flag(p.right_ready, s, j));
        __syncthreads();
        if (in_column)
            cells.put_left(left);
        else
            fetch(left, p.left_at(s, i));
        if (in_row)
            cells.put_right(right);
        else
            fetch(right, p.right_at(s, j));
        copy_wait<0>();
        __syncthreads();
        cells.multiply(left, right);
        if (in_row) {
            cells.put_right(p.right_at(s, j));
            announce(p.flag(p.right_ready, s, j));
        } else if (in_column) {
            cells.put_left(p.left_at(s, i));
            announce(p.flag(p.left_ready, s, i));
        } else {
            __syncthreads(); // all are done with the operands
        }
    }
#pragma unroll
    for (int r = 0; r < run; r++)
        *reinterpret_cast<int4 *>(own + r * p.ld) =
            make_int4(cells.of[r][0], cells.of[r][1], cells.of[r][2], cells.of[r][3]);
}

Problem lay_out(const struct gpu_matrices *m, Arena *arena) {
    const size_t tiles = tiles_covering(m->n, tile);
    Problem p = {};
    p.dist = m->dist;
    p.ld = m->ld;
    p.n = m->n;
    p.tiles = static_cast<int32_t>(tiles);
    p.left = arena->take<int32_t>(tiles * tiles * tile_cells);
    p.right = arena->take<int32_t>(tiles * tiles * tile_cells);
    p.flags = 2 * tiles * tiles;
    p.left_ready = arena->take<int32_t>(p.flags);
    p.right_ready = p.left_ready + tiles * tiles;
    return p;
}

} // namespace

size_t cuda_blocked_resident_workspace(const struct gpu_matrices *m, bool with_pred) {
    return workspace_bytes(m, with_pred, lay_out);
}

enum status cuda_blocked_resident_limit(int32_t *limit, struct error *err) {
    int blocks = 0;
    enum status status = blocks_together(solve_resident, threads, shared_bytes, &blocks, err);
    *limit = 0;
    while ((*limit / tile + 1) * (*limit / tile + 1) <= blocks &&
           *limit + tile <= cuda_blocked_resident_most)
        *limit += tile;
    return status;
}

enum status cuda_blocked_resident(const struct gpu_matrices *m, struct progress *,
                                  struct error *err) {
    Arena arena(m->workspace);
    const Problem p = lay_out(m, &arena);
    int32_t limit = 0;
    enum status status = cuda_blocked_resident_limit(&limit, err);
    if (status == STATUS_OK && m->n > limit)
        return fail(err, STATUS_BAD_INPUT,
                    "variant resident keeps at most %d vertices on this GPU, found %d", limit,
                    m->n);
    if (status == STATUS_OK)
        status = gpu_check(cudaMemsetAsync(p.left_ready, 0, p.flags * sizeof(int32_t), nullptr),
                           "clearing flags", err);
    if (status == STATUS_OK)
        status =
            launch_together(err, solve_resident, dim3(static_cast<unsigned>(p.tiles * p.tiles)),
                            dim3(threads), shared_bytes, p);
    if (status == STATUS_OK)
        status = derive_predecessors(m, &arena, err);
    return status;
}
