// SPDX-License-Identifier: MIT
// For small matrices: every block keeps its tile in registers from the first step to the last (this
// project).
//
// Changes from `dpx32`: with few tiles the time goes into waiting, for launches, for the pivot
// tile and for memory, and not into arithmetic. So tiles are 64 x 64, each has a block, and all
// blocks run at once. A step hands over only the tiles that others need, first the closed pivot
// tile, then those of its row and column, through the second-level cache, and announces each by a
// flag. Blocks wait for nothing else.
//
// If distances are likely to fit in 16 bits, as in dpx16, a word holds two cells.
//
// The matrix can have only as many tiles as blocks run at once on the device: 19 x 19, which is
// n = 1216, with 132 multiprocessors and three blocks on each.
//
// Reached on an H200 at n = 1000, 2 %: 0.229 ms, 4.36 T/s; with predecessors 0.251 ms.
#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/parts/min_plus_tile.cuh" // Int32, Uint16x2, load_run
#include "cuda_blocked/parts/predecessors.cuh"  // derive_predecessors
#include "cuda_blocked/parts/probe.cuh"         // Probe
#include "cuda_blocked/parts/reachability.cuh"  // Reachability
#include "cuda_blocked/parts/tile_constants.h"  // RESIDENT_TILE, RESIDENT_BLOCKS
#include "gpu/gpu_solver.h"                     // struct gpu_matrices
#include "gpu/launch/arena.cuh"                 // Arena
#include "gpu/launch/async_copy.cuh"            // copy_async
#include "gpu/launch/flags.cuh"                 // load_acquire, store_release
#include "gpu/launch/launch.cuh"                // launch_together

namespace {

using min_plus::load_run;
using min_plus::run;

constexpr int tile = RESIDENT_TILE;
constexpr int side = tile / run; // rows of threads, each with 4 x 4 words
constexpr int tile_cells = tile * tile;

template <typename Format>
struct Shape {
    static constexpr int row_words = tile / Format::cells; // words in a row of operand B; operand A
                                                           // has one word for a cell
    static constexpr int columns = row_words / run;        // columns of threads
    static constexpr int threads = side * columns;
    static constexpr int left_words = tile_cells, right_words = tile * row_words;
    static constexpr size_t shared_bytes =
        (left_words + right_words) * sizeof(typename Format::word);
    static constexpr int blocks = RESIDENT_BLOCKS * Format::cells; // blocks on a multiprocessor
};

struct ResidentProblem {
    int32_t *dist;
    size_t ld;
    int32_t n, tiles;
    // Operands of all steps: tile i of step s's pivot column and tile j of its pivot row, k-major,
    // at [s][i][k][word]. Every step has its own memory, so that no operand is overwritten.
    int32_t *left, *right;
    int32_t *left_ready, *right_ready; // at [s][i], not 0: the operand is complete
    size_t flags;                      // number of flags: left_ready, right_ready and those of
                                       // `reachability`
    Reachability reachability;
    Probe probe;

    template <typename Word>
    __device__ Word *left_at(int32_t s, int32_t i) const {
        return reinterpret_cast<Word *>(left + (static_cast<size_t>(s) * tiles + i) * tile_cells);
    }
    template <typename Word>
    __device__ Word *right_at(int32_t s, int32_t j) const {
        return reinterpret_cast<Word *>(right + (static_cast<size_t>(s) * tiles + j) * tile_cells);
    }
    __device__ int32_t *flag(int32_t *ready, int32_t s, int32_t i) const {
        return ready + s * tiles + i;
    }
};

template <typename Word>
__device__ __forceinline__ void store_run(Word *to, const Word (&from)[run]) {
    *reinterpret_cast<int4 *>(to) = make_int4(static_cast<int>(from[0]), static_cast<int>(from[1]),
                                              static_cast<int>(from[2]), static_cast<int>(from[3]));
}

// The words of a tile that a thread owns: run x run.
template <typename Format>
struct Words {
    using word = typename Format::word;
    static constexpr int row_words = Shape<Format>::row_words, columns = Shape<Format>::columns;
    word of[run][run];

    // A warp is 4 x 8 threads.
    static __device__ __forceinline__ int place_y() {
        constexpr int warps = columns / 8; // warps side by side
        return static_cast<int>(threadIdx.x) / (32 * warps) * 4 +
               static_cast<int>(threadIdx.x) % 32 / 8;
    }
    static __device__ __forceinline__ int place_x() {
        constexpr int warps = columns / 8;
        return static_cast<int>(threadIdx.x) / 32 % warps * 8 + static_cast<int>(threadIdx.x) % 8;
    }

    // The thread's cells in row r of its part of the tile.
    static __device__ __forceinline__ int32_t *own_cells(int32_t *tile_at, size_t ld, int r) {
        return tile_at + static_cast<size_t>(place_y() * run + r) * ld + place_x() * run;
    }
    __device__ __forceinline__ void read(int32_t *tile_at, size_t ld) {
#pragma unroll
        for (int r = 0; r < run; r++) {
            const int32_t *const from = own_cells(tile_at, ld, r);
            if constexpr (Format::cells == 1) {
                load_run(of[r], from);
            } else {
                int32_t low[run], high[run];
                load_run(low, from);
                load_run(high, from + row_words);
#pragma unroll
                for (int c = 0; c < run; c++)
                    of[r][c] = Format::cell_of(low[c]) | Format::cell_of(high[c]) << 16;
            }
        }
    }
    // Returns whether some of the tile's `rows` x `lines` vertices seem to have no path between
    // them, if words have too few bits to be sure.
    __device__ __forceinline__ bool write(int32_t *tile_at, size_t ld, int rows, int lines) const {
        bool inf = false;
#pragma unroll
        for (int r = 0; r < run; r++) {
            int32_t *const to = own_cells(tile_at, ld, r);
            if constexpr (Format::cells == 1) {
                store_run(to, of[r]);
            } else {
                int32_t low[run], high[run];
#pragma unroll
                for (int c = 0; c < run; c++) {
                    low[c] = Format::distance_of(of[r][c] & 0xffff);
                    high[c] = Format::distance_of(of[r][c] >> 16);
                    const int at = place_x() * run + c;
                    inf |=
                        place_y() * run + r < rows && ((low[c] == INF && at < lines) ||
                                                       (high[c] == INF && at + row_words < lines));
                }
                store_run(to, low);
                store_run(to + row_words, high);
            }
        }
        return inf;
    }

    // Store the words as an operand: put_right as operand B, by rows; put_left as operand A,
    // transposed.
    __device__ __forceinline__ void put_right(word *to) const {
#pragma unroll
        for (int r = 0; r < run; r++)
            store_run(to + (place_y() * run + r) * row_words + place_x() * run, of[r]);
    }
    __device__ __forceinline__ void put_left(word *to) const {
#pragma unroll
        for (int number = 0; number < Format::cells; number++) {
#pragma unroll
            for (int c = 0; c < run; c++)
                put_column(to + (number * row_words + place_x() * run + c) * tile, c, number);
        }
    }
    // Stores the thread's cells of a column.
    __device__ __forceinline__ void put_column(word *to, int c, int number) const {
        word cells[run];
#pragma unroll
        for (int r = 0; r < run; r++)
            cells[r] = Format::left_word(of[r][c], number);
        store_run(to + place_y() * run, cells);
    }

    __device__ __forceinline__ void relax(const word *to_k, const word *from_k) {
        word left[run], right[run];
        load_run(left, to_k + place_y() * run);
        load_run(right, from_k + place_x() * run);
#pragma unroll
        for (int r = 0; r < run; r++) {
#pragma unroll
            for (int c = 0; c < run; c++)
                of[r][c] = Format::relax(left[r], right[c], of[r][c]);
        }
    }

    // Relaxes through all k of two operands in shared memory.
    __device__ __forceinline__ void multiply(const word *left, const word *right) {
#pragma unroll 16
        for (int k = 0; k < tile; k++)
            relax(left + k * tile, right + k * row_words);
    }

    // Phase 1. The owners of row and column k put them into shared memory for all. There are two
    // buffers, so one barrier per k is enough.
    __device__ __forceinline__ void close(word *shared, int lines) {
#pragma unroll
        for (int number = 0; number < Format::cells; number++) {
            for (int x = 0; x < columns && number * row_words + x * run < lines; x++) {
#pragma unroll
                for (int u = 0; u < run; u++) {
                    word *const to_k = shared + u % 2 * 2 * tile, *const from_k = to_k + tile;
                    if (place_y() == number * columns + x)
                        store_run(from_k + place_x() * run, of[u]);
                    if (place_x() == x)
                        put_column(to_k, u, number);
                    __syncthreads();
                    relax(to_k, from_k);
                }
            }
        }
        __syncthreads();
    }
};

__device__ void wait_for(const int32_t *flag) {
    while (load_acquire(flag) == 0)
        pause_thread();
}

// Sets a flag after a barrier: a thread that acquires the flag sees everything that the block wrote
// before.
__device__ __forceinline__ void announce(int32_t *flag) {
    __syncthreads();
    if (threadIdx.x == 0)
        store_release(flag, 1);
}

template <int words, int threads, typename Word>
__device__ __forceinline__ void fetch(Word *shared, const Word *from) {
#pragma unroll
    for (int c = static_cast<int>(threadIdx.x) * run; c < words; c += threads * run)
        copy_async(reinterpret_cast<int4 *>(shared + c), reinterpret_cast<const int4 *>(from + c));
    copy_commit();
}

template <typename Format>
__global__ void __launch_bounds__(Shape<Format>::threads, Shape<Format>::blocks)
    solve_resident(ResidentProblem p) {
    using word = typename Format::word;
    using Size = Shape<Format>;
    DYNAMIC_SHARED(int32_t, shared);
    word *const left = reinterpret_cast<word *>(shared), *const right = left + Size::left_words;
    const int32_t i = static_cast<int32_t>(blockIdx.x) / p.tiles;
    const int32_t j = static_cast<int32_t>(blockIdx.x) % p.tiles;
    int32_t *const tile_at = p.dist + static_cast<size_t>(i * tile) * p.ld + j * tile;
    Words<Format> own;
    own.read(tile_at, p.ld);
    for (int32_t s = 0; s < p.tiles; s++) {
        if (i == s && j == s) {
            own.close(left, min(p.n - s * tile, tile));
            own.put_left(p.left_at<word>(s, s));
            own.put_right(p.right_at<word>(s, s));
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
            own.put_left(left);
        else
            fetch<Size::left_words, Size::threads>(left, p.left_at<word>(s, i));
        if (in_row)
            own.put_right(right);
        else
            fetch<Size::right_words, Size::threads>(right, p.right_at<word>(s, j));
        copy_wait<0>();
        __syncthreads();
        own.multiply(left, right);
        if (in_row) {
            own.put_right(p.right_at<word>(s, j));
            announce(p.flag(p.right_ready, s, j));
        } else if (in_column) {
            own.put_left(p.left_at<word>(s, i));
            announce(p.flag(p.left_ready, s, i));
        } else {
            __syncthreads(); // all threads have read the operands
        }
    }
    if (own.write(tile_at, p.ld, p.n - i * tile, p.n - j * tile))
        store_release(p.reachability.inf, 1);
}

ResidentProblem lay_out(const struct gpu_matrices *m, Arena *arena) {
    const size_t tiles = tiles_covering(m->n, tile);
    ResidentProblem p = {};
    p.dist = m->dist;
    p.ld = m->ld;
    p.n = m->n;
    p.tiles = static_cast<int32_t>(tiles);
    p.left = arena->take<int32_t>(tiles * tiles * tile_cells);
    p.right = arena->take<int32_t>(tiles * tiles * tile_cells);
    p.flags = 2 * tiles * tiles + 2;
    p.left_ready = arena->take<int32_t>(p.flags);
    p.right_ready = p.left_ready + tiles * tiles;
    p.reachability = Reachability::take(m, arena, p.right_ready + tiles * tiles);
    p.probe = Probe::take(m, arena);
    return p;
}

template <typename Format>
enum status blocks_of(int *blocks, struct error *err) {
    return blocks_together(solve_resident<Format>, Shape<Format>::threads,
                           Shape<Format>::shared_bytes, blocks, err);
}

template <typename Format>
enum status solve(const ResidentProblem &p, struct error *err) {
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(p.left_ready, 0, p.flags * sizeof(int32_t), nullptr),
                  "clearing flags", err));
    return launch_together(err, solve_resident<Format>,
                           dim3(static_cast<unsigned>(p.tiles * p.tiles)),
                           dim3(Shape<Format>::threads), Shape<Format>::shared_bytes, p);
}

} // namespace

size_t cuda_blocked_resident_workspace(const struct gpu_matrices *m, bool with_pred) {
    return workspace_bytes(m, with_pred, lay_out);
}

enum status cuda_blocked_resident_limit(int32_t *limit, struct error *err) {
    int narrow = 0, wide = 0;
    *limit = 0;
    RETURN_ON_FAILURE(blocks_of<min_plus::Uint16x2>(&narrow, err));
    RETURN_ON_FAILURE(blocks_of<min_plus::Int32>(&wide, err));
    const int blocks = narrow < wide ? narrow : wide;
    while ((*limit / tile + 1) * (*limit / tile + 1) <= blocks &&
           *limit + tile <= cuda_blocked_resident_max)
        *limit += tile;
    return STATUS_OK;
}

enum status cuda_blocked_resident_within(const struct gpu_matrices *m, struct progress *,
                                         struct error *err) {
    Arena arena(m->workspace);
    const ResidentProblem p = lay_out(m, &arena);
    bool likely = false, exact = false;
    RETURN_ON_FAILURE(p.probe.is_likely(m, min_plus::Uint16x2::longest, &likely, err));
    // The check at the end tells whether 16 bits were exact; to wait for it takes as long as a
    // step.
    if (likely || m->warm_up) {
        Arena behind = arena;
        RETURN_ON_FAILURE(solve<min_plus::Uint16x2>(p, err));
        RETURN_ON_FAILURE(derive_predecessors(m, &behind, err));
        RETURN_ON_FAILURE(p.reachability.check(m, &exact, err));
        if (exact && !m->warm_up)
            return STATUS_OK;
        RETURN_ON_FAILURE(gpu_fill_adjacency(m, err));
    }
    RETURN_ON_FAILURE(solve<min_plus::Int32>(p, err));
    return derive_predecessors(m, &arena, err);
}

enum status cuda_blocked_resident(const struct gpu_matrices *m, struct progress *progress,
                                  struct error *err) {
    int32_t limit = 0;
    RETURN_ON_FAILURE(cuda_blocked_resident_limit(&limit, err));
    if (m->n > limit)
        return fail(err, STATUS_BAD_INPUT,
                    "variant resident keeps at most %d vertices on this GPU, found %d", limit,
                    m->n);
    return cuda_blocked_resident_within(m, progress, err);
}
