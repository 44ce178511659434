// Blocked Floyd-Warshall in one kernel. Blocks draw work from a queue until it is
// empty; a piece of work waits for its inputs, not for everything before it, so
// that no block idles at the end of a phase and phases 1 and 2 of the next step
// run beside phase 3 of this one.
//
// A step s takes the vertices of pivot tile (s, s) as intermediate ones. Pieces:
//   close(s)      updates tile (s, s) through step s - 1, then closes it: phase 1
//   row(s, j)     updates tile (s, j) through step s - 1, then does phase 2 on it
//   column(s, i)  the same for tile (i, s)
//   rest(s; i, j) phase 3 for a tile outside rows and columns s and s + 1
// The operands of step s's products are copies in the form that the variant
// multiplies: the left panel (tiles (i, s)) and the right panel (tiles (s, j)).
// Each panel exists twice, for even and for odd steps.
//
// The queue's order is one in which every piece comes after all it waits for, so
// some block can always go on, however few blocks run at once.
#ifndef CUDA_BLOCKED_DATAFLOW_CUH
#define CUDA_BLOCKED_DATAFLOW_CUH

#include "common/arena.cuh" // Arena
#include "common/flags.cuh" // acquire, release
#include "common/gpu_solver.h"   // struct gpu_matrices
#include "common/launch.cuh"     // launch
#include "common/progress.h"     // progress_report

#include <stdint.h>

namespace dataflow {

// What has been done, in device memory, all zero at the start. Counts only grow.
struct Board {
    int32_t tiles;        // in a row of the matrix
    int32_t *left_ready;  // [i]: s + 1 when tile i of step s's left panel is final
    int32_t *right_ready; // [j]
    int32_t *applied;     // [i][j]: s + 1 when step s has been applied to the tile
    int32_t *consumed;    // [s]: products done that read step s's panels
    int32_t *stop;        // not 0: the variant found that it cannot be exact
    uint32_t *drawn;      // pieces drawn from the queue, one counter for each launch
    size_t words;         // all of these together, which begin at left_ready
};

// How often the queue is cut into a launch of its own: a GPU that also drives a
// display must not be kept for seconds.
constexpr int64_t pieces_per_launch = 400000;

inline int64_t steps_per_launch(int64_t tiles) {
    const int64_t steps = pieces_per_launch / (tiles * tiles);
    return steps > 1 ? steps : 1;
}

inline Board take_board(Arena *arena, int32_t tiles) {
    const size_t row = static_cast<size_t>(tiles);
    const size_t launches = row / static_cast<size_t>(steps_per_launch(tiles)) + 1;
    Board board = {};
    board.tiles = tiles;
    board.words = 3 * row + row * row + 1 + launches;
    board.left_ready = arena->take<int32_t>(board.words);
    board.right_ready = board.left_ready + row;
    board.consumed = board.right_ready + row;
    board.applied = board.consumed + row;
    board.stop = board.applied + row * row;
    board.drawn = reinterpret_cast<uint32_t *>(board.stop + 1);
    return board;
}

// A part of the queue: steps first .. last - 1. Step s has, in this order,
// close(s + 1), `lead` pieces of its rest, all rows and columns of s + 1, and what
// is left of its rest: far enough from close(s + 1) that it has ended, and from
// step s + 1 that nothing there has to wait. close(0) and its rows and columns
// stand before step 0.
struct Queue {
    int32_t first, last;
    int32_t lead;
    uint32_t *drawn;
};

enum class Kind { close, row, column, rest, none };

struct Piece {
    Kind kind;
    int32_t step;
    int32_t row, column; // of its tile
};

// Tile number `index` where the tiles a and a + 1 are left out (a only, if `one`).
__host__ __device__ inline int32_t skip(int32_t index, int32_t a, bool one) {
    return index < a ? index : index + (one ? 1 : 2);
}

// The r-th of the 1 + 2 (tiles - 1) pieces of phases 1 and 2 of a step.
__host__ __device__ inline Piece panel_piece(int32_t step, int64_t r) {
    if (r == 0)
        return {Kind::close, step, step, step};
    const int32_t other = skip(static_cast<int32_t>(r - 1) / 2, step, true);
    return r % 2 != 0 ? Piece{Kind::row, step, step, other}
                      : Piece{Kind::column, step, other, step};
}

__host__ __device__ inline int64_t preface_pieces(const Queue &queue, int64_t tiles) {
    return queue.first == 0 ? 2 * tiles - 1 : 0;
}

// Of every step but the last of all, which has (tiles - 1)^2, all of them rest.
__host__ __device__ inline int64_t pieces_per_step(int64_t tiles) {
    return 2 * tiles - 1 + (tiles - 2) * (tiles - 2);
}

__host__ __device__ inline Piece piece_number(const Queue &queue, int64_t tiles, int64_t number) {
    const int64_t preface = preface_pieces(queue, tiles);
    if (number < preface)
        return panel_piece(0, number);
    const int64_t step = queue.first + (number - preface) / pieces_per_step(tiles);
    int64_t r = (number - preface) % pieces_per_step(tiles);
    if (step >= queue.last)
        return {Kind::none, 0, 0, 0};
    const bool final = step + 1 == tiles;
    const int64_t side = final ? tiles - 1 : tiles - 2;
    if (!final) {
        const int64_t lead = side * side < queue.lead ? side * side : queue.lead;
        if (r == 0)
            return panel_piece(static_cast<int32_t>(step) + 1, 0);
        if (r > lead && r <= lead + 2 * (tiles - 1))
            return panel_piece(static_cast<int32_t>(step) + 1, r - lead);
        r -= r > lead ? 1 + 2 * (tiles - 1) : 1;
    }
    if (r >= side * side)
        return {Kind::none, 0, 0, 0};
    const int32_t s = static_cast<int32_t>(step);
    return {Kind::rest, s, skip(static_cast<int32_t>(r / side), s, final),
            skip(static_cast<int32_t>(r % side), s, final)};
}

// Waits until *count has reached `enough`; false when all work is to stop.
__device__ inline bool wait_for(const Board &board, const int32_t *count, int32_t enough) {
    while (load_acquire(count) < enough) {
        if (load_acquire(board.stop) != 0)
            return false;
        pause_thread();
    }
    return true;
}

// Up to four conditions, each awaited by a thread of its own, in different warps
// where there are enough; then the whole block goes on together.
struct Wait {
    const int32_t *count;
    int32_t enough;
};

template <int conditions>
__device__ inline bool wait_for_all(const Board &board, const Wait (&wait)[conditions]) {
    bool go_on = true;
    const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int w = 0; w < conditions; w++) {
        if (thread == 32 * w && wait[w].enough > 0)
            go_on = wait_for(board, wait[w].count, wait[w].enough);
    }
    return __syncthreads_and(go_on) != 0;
}

__device__ inline int32_t *applied_at(const Board &board, int32_t i, int32_t j) {
    return board.applied + static_cast<size_t>(i) * board.tiles + j;
}

// All products that read the panels of step s - 2, whose memory step s's panels take.
__device__ inline Wait panels_free(const Board &board, int32_t s) {
    const int32_t products = (board.tiles - 1) * (board.tiles - 1);
    return {board.consumed + (s >= 2 ? s - 2 : 0), s >= 2 ? products : 0};
}

// Waits for the operands of the product of tile (i, j) through step p, and for the
// tile itself. In the row or column of pivot p there is no such product: phase 2
// has done its work, and that is what is waited for.
__device__ inline bool wait_for_product(const Board &board, int32_t i, int32_t j, int32_t p) {
    const Wait wait[] = {{board.left_ready + i, i == p ? 0 : p + 1},
                         {board.right_ready + j, j == p ? 0 : p + 1},
                         {applied_at(board, i, j), p}};
    return wait_for_all(board, wait);
}

// Copies a tile of row or column s into step s's panel; a pivot tile into both.
template <typename Work>
__device__ void encode(const Work &work, int32_t *shared, Kind kind, const Piece &piece) {
    if (kind != Kind::row)
        work.encode_left(shared, piece.row, piece.step);
    if (kind != Kind::column)
        work.encode_right(shared, piece.column, piece.step);
}

// Does one piece; false when all work is to stop. After the last barrier only
// thread 0 reads `piece`, which it then overwrites.
template <typename Work>
__device__ bool work_on(const Work &work, const Board &board, int32_t *shared,
                        const Piece &piece) {
    const Kind kind = piece.kind;
    const bool rest = kind == Kind::rest;
    const int32_t last = piece.step - (kind == Kind::close);
    for (int32_t p = rest ? last : max(piece.step - 1, 0); p <= last; p++) {
        // Of its own step a tile of row or column s does phase 2: its old values are
        // one operand, the closed pivot tile is the other.
        const bool phase_2 = !rest && p == piece.step;
        if (phase_2) {
            const Wait free[] = {panels_free(board, p)};
            if (!wait_for_all(board, free))
                return false;
            encode(work, shared, kind, piece);
            const Wait closed[] = {{board.left_ready + p, p + 1}};
            if (!wait_for_all(board, closed))
                return false;
        } else {
            if (!wait_for_product(board, piece.row, piece.column, p))
                return false;
            if (piece.row == p || piece.column == p)
                continue;
        }
        work.update(shared, piece.row, piece.column, p);
        if (!phase_2 && threadIdx.x == 0)
            add_release(board.consumed + p, 1);
    }
    if (kind == Kind::close) {
        work.close(shared, piece.step);
        const Wait free[] = {panels_free(board, piece.step)};
        if (!wait_for_all(board, free))
            return false;
    }
    if (!rest)
        encode(work, shared, kind, piece);
    if (threadIdx.x == 0) {
        const int32_t done = piece.step + 1;
        store_release(applied_at(board, piece.row, piece.column), done);
        if (kind == Kind::close || kind == Kind::row)
            store_release(board.right_ready + piece.column, done);
        if (kind == Kind::close || kind == Kind::column)
            store_release(board.left_ready + piece.row, done);
    }
    return true;
}

// Work is what a variant brings; its functions are called by the whole block and
// end with a barrier:
//   update(shared, i, j, s)  tile (i, j) of the matrix becomes the minimum of itself
//       and the product of tile i of step s's left panel and tile j of its right one
//   close(shared, s)         closes tile (s, s) of the matrix
//   encode_left(shared, i, s), encode_right(shared, j, s)
//       copy tile (i, s), or (s, j), of the matrix into step s's panel
// and constants: tile, threads, blocks (per multiprocessor), shared_bytes,
// lead_waves (pieces of each block between close(s) and its first use).
template <typename Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks)
    solve_queue(Work work, Board board, Queue queue) {
    DYNAMIC_SHARED(int32_t, shared);
    // In shared memory, because registers are for the product.
    Piece &piece = *reinterpret_cast<Piece *>(shared + Work::shared_bytes / sizeof(int32_t));
    uint32_t next = 0;
    if (threadIdx.x == 0)
        next = fetch_add(queue.drawn, 1U);
    for (;;) {
        if (threadIdx.x == 0)
            piece = piece_number(queue, board.tiles, next);
        __syncthreads();
        if (piece.kind == Kind::none)
            return;
        // The answer arrives while the piece is worked on.
        if (threadIdx.x == 0)
            next = fetch_add(queue.drawn, 1U);
        if (!work_on(work, board, shared, piece))
            return;
    }
}

// Solves the matrix that `work` holds. Reports progress launch by launch.
template <typename Work>
enum status solve(const Work &work, const Board &board, struct progress *progress,
                  struct error *err) {
    const size_t bytes = Work::shared_bytes + sizeof(int4);
    const int64_t tiles = board.tiles;
    int32_t processors = 0;
    enum status status = allow_shared(solve_queue<Work>, bytes, err);
    if (status == STATUS_OK)
        status = multiprocessors(&processors, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaMemsetAsync(board.left_ready, 0,
                                           board.words * sizeof(int32_t), nullptr),
                           "clearing the queue", err);
    const int64_t grid = static_cast<int64_t>(processors) * Work::blocks;
    const int64_t rest = (tiles - 2) * (tiles - 2);
    const int64_t waves = grid * Work::lead_waves;
    const int32_t lead = static_cast<int32_t>(waves < rest / 2 ? waves : rest / 2);
    const int64_t steps = steps_per_launch(tiles);
    for (int64_t first = 0; first < tiles && status == STATUS_OK; first += steps) {
        const int64_t last = first + steps < tiles ? first + steps : tiles;
        const Queue queue = {static_cast<int32_t>(first), static_cast<int32_t>(last),
                             tiles > 2 ? lead : 0, board.drawn + first / steps};
        const int64_t pieces =
            preface_pieces(queue, tiles) + (last - first) * pieces_per_step(tiles);
        status = launch(err, solve_queue<Work>,
                        dim3(static_cast<unsigned>(pieces < grid ? pieces : grid)),
                        dim3(Work::threads), bytes, work, board, queue);
        progress_report(progress, last, tiles);
    }
    return status;
}

} // namespace dataflow

#endif
