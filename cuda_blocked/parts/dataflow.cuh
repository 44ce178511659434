// SPDX-License-Identifier: MIT
// Blocked Floyd-Warshall in one kernel. Blocks draw tasks from a queue until it is empty.
// A task waits for its inputs, not for everything before it, so no block idles at the end of a
// phase, and phases 1 and 2 of the next step run beside phase 3 of this one.
//
// Step s relaxes through the vertices of pivot tile (s, s). Its tasks are:
//   close(s)      updates tile (s, s) through step s - 1, then closes it: phase 1
//   row(s, j)     updates tile (s, j) through step s - 1, then does phase 2 on it
//   column(s, i)  the same for tile (i, s)
//   rest(s; i, j) does phase 3 on a few tiles of row i from (i, j) on, outside rows and
//                 columns s and s + 1
// The operands of step s's products are copies in the form that the variant multiplies: the left
// panel (tiles (i, s)) and the right panel (tiles (s, j)). Each panel exists three times, so that
// step s's panels can be made while the last products of step s - 2 still read theirs.
//
// In the queue every task comes after all tasks that it waits for, so some block can always go
// on, however few blocks run at once.
#ifndef CUDA_BLOCKED_PARTS_DATAFLOW_CUH
#define CUDA_BLOCKED_PARTS_DATAFLOW_CUH

#include "cuda_blocked/parts/tile_constants.h" // LARGE_TILE
#include "gpu/gpu_solver.h"                    // struct gpu_matrices
#include "gpu/launch/arena.cuh"                // Arena
#include "gpu/launch/flags.cuh"                // acquire, release
#include "gpu/launch/launch.cuh"               // launch
#include "gpu/launch/pace.cuh"                 // Pace

#include <stdint.h>

namespace dataflow {

constexpr int panels_kept = 3; // the panels of this many steps exist at once

// The progress of all tasks, in device memory. All entries are 0 at the start, and only grow.
struct Board {
    int32_t tiles;        // number of tiles in a row of the matrix
    int32_t *left_ready;  // [i]: s + 1 when tile i of step s's left panel is final
    int32_t *right_ready; // [j]: s + 1 when tile j of step s's right panel is final
    int32_t *applied;     // [i][j]: s + 1 when step s has been applied to the tile
    int32_t *consumed;    // [s]: number of products done that read step s's panels
    int32_t *stop;        // not 0 once the variant finds that it cannot be exact
    uint32_t *drawn;      // number of tasks drawn from the queue, a counter for each launch
    size_t words;         // words of all these arrays together, which begin at left_ready
};

// A launch updates about this many tiles: a launch of seconds would block a GPU that also drives a
// display.
constexpr int64_t tiles_per_launch = 400000;

inline int64_t steps_per_launch(int64_t tiles) {
    const int64_t steps = tiles_per_launch / (tiles * tiles);
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

// A part of the queue: steps first .. last - 1. The tasks of step s are queued in this order:
// close(s + 1); the first `lead` tasks of the rest of s; all rows and columns of s + 1; the other
// tasks of the rest of s. With enough tasks in between, close(s + 1) has usually ended when the
// rows and columns of s + 1 need it, and these have usually ended when the rest of s + 1 needs
// them, so that few blocks wait. close(0) and the rows and columns of 0 come before step 0.
struct Queue {
    uint32_t tiles, first, last;
    uint32_t task_tiles; // number of tiles in a task of the rest
    uint32_t lead;
    uint32_t *drawn;

    // The number of tile rows in a step's rest, which is also its number of tile columns: all but
    // the pivot's and, unless `final`, that of the next pivot. `final`: the step is the last of
    // all.
    __host__ __device__ uint32_t side(bool final) const {
        return final ? tiles - 1 : tiles - (tiles > 1 ? 2 : 1);
    }
    __host__ __device__ uint32_t tasks_in_row(bool final) const {
        return (side(final) + task_tiles - 1) / task_tiles;
    }
    __host__ __device__ uint32_t preface() const {
        return first == 0 ? 2 * tiles - 1 : 0;
    }
    // The number of tasks of a step that is not the last of all.
    __host__ __device__ uint32_t tasks_per_step() const {
        return 2 * tiles - 1 + side(false) * tasks_in_row(false);
    }
    __host__ __device__ uint32_t tasks() const {
        const bool ends = last == tiles;
        const uint32_t whole = last - first - (ends ? 1 : 0);
        return preface() + whole * tasks_per_step() + (ends ? side(true) * tasks_in_row(true) : 0);
    }
};

enum class Kind { close, row, column, rest, none };

// Tile (row, column) and, in a task of the rest, the tiles to its right: `count` tiles in all.
// Column s and, unless the step is final, column s + 1 are left out.
struct Task {
    Kind kind;
    int32_t step;
    int32_t row, column;
    int32_t count;
    bool final;

    // The tile column (or row) number c of the rest.
    static __host__ __device__ int32_t skip(int32_t c, int32_t step, bool final) {
        return c < step ? c : c + (final ? 1 : 2);
    }
    __host__ __device__ int32_t column_of(int32_t c) const {
        const int32_t j = column + c;
        return column < step && j >= step ? j + (final ? 1 : 2) : j;
    }
};

// Task number r of the 1 + 2 (tiles - 1) tasks in a step's phases 1 and 2.
__host__ __device__ inline Task panel_task(uint32_t step, uint32_t r) {
    const int32_t s = static_cast<int32_t>(step);
    if (r == 0)
        return {Kind::close, s, s, s, 1, false};
    const int32_t other = Task::skip(static_cast<int32_t>(r - 1) / 2, s, true);
    return r % 2 != 0 ? Task{Kind::row, s, s, other, 1, false}
                      : Task{Kind::column, s, other, s, 1, false};
}

__host__ __device__ inline Task task_number(const Queue &queue, uint32_t number) {
    constexpr Task none = {Kind::none, 0, 0, 0, 0, false};
    if (number >= queue.tasks())
        return none;
    if (number < queue.preface())
        return panel_task(0, number);
    number -= queue.preface();
    // Whole steps come first, then the tasks of the last step of all.
    uint32_t step = queue.first + number / queue.tasks_per_step();
    uint32_t r = number % queue.tasks_per_step();
    const bool final = step + 1 >= queue.tiles;
    if (final) {
        r += (step + 1 - queue.tiles) * queue.tasks_per_step();
        step = queue.tiles - 1;
    } else {
        const uint32_t panels = 2 * (queue.tiles - 1);
        if (r == 0)
            return panel_task(step + 1, 0);
        if (r > queue.lead && r <= queue.lead + panels)
            return panel_task(step + 1, r - queue.lead);
        r -= r > queue.lead ? 1 + panels : 1;
    }
    const int32_t s = static_cast<int32_t>(step);
    const uint32_t first = r % queue.tasks_in_row(final) * queue.task_tiles;
    const uint32_t left = queue.side(final) - first;
    return {Kind::rest,
            s,
            Task::skip(static_cast<int32_t>(r / queue.tasks_in_row(final)), s, final),
            Task::skip(static_cast<int32_t>(first), s, final),
            static_cast<int32_t>(left < queue.task_tiles ? left : queue.task_tiles),
            final};
}

// Waits until *count reaches `enough`; returns false if all work is to stop.
__device__ inline bool wait_for(const Board &board, const int32_t *count, int32_t enough) {
    while (load_acquire(count) < enough) {
        if (load_acquire(board.stop) != 0)
            return false;
        pause_thread();
    }
    return true;
}

struct Wait {
    const int32_t *count;
    int32_t enough;
};

// Waits for condition(0) .. condition(conditions - 1), each in a thread of its own; then the whole
// block goes on.
template <typename Condition>
__device__ inline bool wait_for_all(const Board &board, int32_t conditions, Condition condition) {
    bool go_on = true;
    if (static_cast<int32_t>(threadIdx.x) < conditions) {
        const Wait wait = condition(static_cast<int32_t>(threadIdx.x));
        go_on = wait_for(board, wait.count, wait.enough);
    }
    return __syncthreads_and(go_on) != 0;
}

__device__ inline int32_t *applied_at(const Board &board, int32_t i, int32_t j) {
    return board.applied + static_cast<size_t>(i) * board.tiles + j;
}

// Waits until no product reads the panels of step s - panels_kept any longer, which are in the
// memory of step s's panels.
__device__ inline bool wait_for_free_panels(const Board &board, int32_t s) {
    return wait_for_all(board, s >= panels_kept ? 1 : 0, [&](int32_t) -> Wait {
        return {board.consumed + s - panels_kept, (board.tiles - 1) * (board.tiles - 1)};
    });
}

// Waits for the operands of the task's products in step p, and until step p - 1 has been applied to
// its tiles. A tile in the row or column of pivot p has no such product; for it this waits for
// phase 2.
__device__ inline bool wait_for_products(const Board &board, const Task &task, int32_t p) {
    const int32_t i = task.row;
    return wait_for_all(board, 1 + 2 * task.count, [&](int32_t c) -> Wait {
        if (c == 0)
            return {board.left_ready + i, i == p ? 0 : p + 1};
        const int32_t j = task.column_of((c - 1) / 2);
        return c % 2 != 0 ? Wait{board.right_ready + j, j == p ? 0 : p + 1}
                          : Wait{applied_at(board, i, j), p};
    });
}

// Copies a tile of row or column s into step s's panel; a pivot tile into both panels.
template <typename Work>
__device__ void encode(const Work &work, int32_t *shared, Kind kind, const Task &task) {
    if (kind != Kind::row)
        work.encode_left(shared, task.row, task.step);
    if (kind != Kind::column)
        work.encode_right(shared, task.column, task.step);
}

// Does one task; returns false if all work is to stop. After the last barrier only thread 0 reads
// `task`, because it then overwrites it with the next task.
template <typename Work>
__device__ bool work_on(const Work &work, const Board &board, int32_t *shared, const Task &task) {
    const Kind kind = task.kind;
    const bool rest = kind == Kind::rest;
    const int32_t last = task.step - (kind == Kind::close);
    for (int32_t p = rest ? last : max(task.step - 1, 0); p <= last; p++) {
        // A tile of row or column s does phase 2 in step s: its old values are one operand, the
        // closed pivot tile is the other.
        const bool phase_2 = !rest && p == task.step;
        if (phase_2) {
            if (!wait_for_free_panels(board, p))
                return false;
            encode(work, shared, kind, task);
            const auto closed = [&](int32_t) { return Wait{board.left_ready + p, p + 1}; };
            if (!wait_for_all(board, 1, closed))
                return false;
        } else {
            if (!wait_for_products(board, task, p))
                return false;
            if (task.row == p || task.column == p)
                continue;
        }
        work.update(shared, task, p);
        if (!phase_2 && threadIdx.x == 0)
            add_release(board.consumed + p, task.count);
    }
    if (kind == Kind::close) {
        work.close(shared, task.step);
        if (!wait_for_free_panels(board, task.step))
            return false;
    }
    if (!rest)
        encode(work, shared, kind, task);
    if (threadIdx.x == 0) {
        const int32_t done = task.step + 1;
        for (int32_t c = 0; c < task.count; c++)
            store_release(applied_at(board, task.row, task.column_of(c)), done);
        if (kind == Kind::close || kind == Kind::row)
            store_release(board.right_ready + task.column, done);
        if (kind == Kind::close || kind == Kind::column)
            store_release(board.left_ready + task.row, done);
    }
    return true;
}

// A variant provides Work, whose functions the whole block calls and which end with a barrier:
//   update(shared, task, s)  every tile (i, j) of the task becomes the minimum of
//       itself and the product of tiles i and j of step s's left and right panel
//   close(shared, s)         closes tile (s, s) of the matrix
//   encode_left(shared, i, s), encode_right(shared, j, s)
//       copy tile (i, s), or (s, j), of the matrix into step s's panel
// and constants: tile, threads, blocks (per multiprocessor), shared_bytes, task_tiles (tiles in a
// task of the rest, if there are many tiles), lead_waves (products that each block does between
// close(s) and its first use).
template <typename Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks)
    solve_queue(Work work, Board board, Queue queue) {
    DYNAMIC_SHARED(int32_t, shared);
    // The task is in shared memory: the product needs the registers.
    static_assert(Work::shared_bytes % alignof(Task) == 0, "behind what the work needs");
    Task &task = *reinterpret_cast<Task *>(shared + Work::shared_bytes / sizeof(int32_t));
    uint32_t next = 0;
    if (threadIdx.x == 0)
        next = fetch_add(queue.drawn, 1U);
    for (;;) {
        if (threadIdx.x == 0)
            task = task_number(queue, next);
        __syncthreads();
        if (task.kind == Kind::none)
            return;
        // The next number arrives while the block works on the task.
        if (threadIdx.x == 0)
            next = fetch_add(queue.drawn, 1U);
        if (!work_on(work, board, shared, task))
            return;
    }
}

// The bytes of shared memory of a block.
template <typename Work>
constexpr size_t block_bytes = Work::shared_bytes + sizeof(Task);

// The bytes of shared memory of a block in KiB, rounded up, for the table of variants
// (tile_constants.h).
template <typename Work>
constexpr size_t block_kib = (block_bytes<Work> + 1023) / 1024;

// Finds whether the device has enough shared memory for blocks of this Work.
template <typename Work>
enum status is_available(bool *available, struct error *err) {
    size_t limit = 0;
    enum status status = shared_limit(&limit, err);
    *available = limit >= block_bytes<Work>;
    return status;
}

// The work, and the board with its progress.
template <typename Work>
struct Problem {
    Work work;
    Board board;
};

// Solves the matrix that problem.work holds. It reports progress after each launch.
template <typename Work>
enum status solve(const Problem<Work> &problem, struct progress *progress, struct error *err) {
    constexpr size_t bytes = block_bytes<Work>;
    const Board &board = problem.board;
    const int64_t tiles = board.tiles;
    int32_t processors = 0;
    RETURN_ON_FAILURE(allow_shared(solve_queue<Work>, bytes, err));
    RETURN_ON_FAILURE(multiprocessors(&processors, err));
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(board.left_ready, 0, board.words * sizeof(int32_t), nullptr),
                  "clearing the queue", err));
    // Each block needs a few tasks; otherwise some blocks idle while others work.
    constexpr int64_t tasks_per_block = 4;
    const int64_t grid = static_cast<int64_t>(processors) * Work::blocks;
    const int64_t longest = (tiles - 2) * (tiles - 2) / (tasks_per_block * grid);
    const int64_t task_tiles = longest < 1                  ? 1
                               : longest < Work::task_tiles ? longest
                                                            : Work::task_tiles;
    const int64_t lead = grid * Work::lead_waves / task_tiles;
    const int64_t steps = steps_per_launch(tiles);
    const double relaxations =
        static_cast<double>(steps * tiles * tiles) * LARGE_TILE * LARGE_TILE * LARGE_TILE;
    Pace pace(progress, (tiles + steps - 1) / steps, relaxations);
    for (int64_t first = 0; first < tiles; first += steps) {
        const int64_t last = first + steps < tiles ? first + steps : tiles;
        Queue queue = {static_cast<uint32_t>(tiles),
                       static_cast<uint32_t>(first),
                       static_cast<uint32_t>(last),
                       static_cast<uint32_t>(task_tiles),
                       0,
                       board.drawn + first / steps};
        const uint32_t half = queue.side(false) * queue.tasks_in_row(false) / 2;
        queue.lead = lead < half ? static_cast<uint32_t>(lead) : half;
        const uint32_t blocks = static_cast<uint32_t>(grid);
        RETURN_ON_FAILURE(launch(err, solve_queue<Work>,
                                 dim3(queue.tasks() < blocks ? queue.tasks() : blocks),
                                 dim3(Work::threads), bytes, problem.work, board, queue));
        RETURN_ON_FAILURE(pace.step(err));
    }
    return STATUS_OK;
}

} // namespace dataflow

#endif
