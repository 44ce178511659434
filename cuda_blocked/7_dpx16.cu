// SPDX-License-Identifier: MIT
// Two cells to a word: 16 bits each (this project).
//
// Changes from `dpx32`: phases 2 and 3 relax two cells with one instruction. If distances are
// likely to fit in 16 bits, the whole matrix is kept in such words, which also halves the traffic
// (short_tiles.cuh). Otherwise, or if a distance turns out not to fit, only the operands of
// products have 16 bits: differences from the smallest of a row or column (relative_tiles.cuh). If
// these do not fit either, the variant says that it is not exact. The words of a row take the place
// of its distances, in their first half, and make room for them again at the end.
//
// Reached on an H200 at n = 10000, 2 %: 37.2 ms, 26.9 T/s; with predecessors 38.6 ms.
#include "common/graph/graph.h" // INF
#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/parts/dataflow.cuh"     // solve
#include "cuda_blocked/parts/predecessors.cuh" // derive_predecessors
#include "cuda_blocked/parts/probe.cuh"        // Probe
#include "cuda_blocked/parts/reachability.cuh" // Reachability
#include "cuda_blocked/parts/relative_tiles.cuh"
#include "cuda_blocked/parts/short_tiles.cuh"
#include "cuda_blocked/parts/tile_constants.h" // DPX16_SHARED_KIB
#include "gpu/launch/flags.cuh"                // store_release
#include "gpu/launch/launch.cuh"               // launch, read_flag

namespace {

using min_plus::half;
using Format = min_plus::Uint16x2;
using ShortWork = short_tiles::Work<false>;

constexpr int row_threads = 128;
constexpr size_t at_once = 4 * row_threads; // words of a row that are converted at a time

// Words x .. x + 3 of a row hold the cells of four columns from first_of(x) on, and the cells half
// a tile further right.
__device__ __forceinline__ size_t first_of(size_t x) {
    return x / half * min_plus::tile + x % half;
}

// A block converts a row of `order` columns, padding included, in chunks; each thread makes four
// words. A chunk is written once all of it has been read, because its words overwrite cells of this
// chunk or of an earlier one.
__global__ void to_words(int32_t *dist, size_t ld, int32_t order) {
    int32_t *const row = dist + blockIdx.x * ld;
    for (size_t start = 0; start < static_cast<size_t>(order) / 2; start += at_once) {
        const size_t x = start + 4 * threadIdx.x;
        const bool inside = x < static_cast<size_t>(order) / 2;
        uint4 four = {};
        if (inside) {
            const int4 *const low = reinterpret_cast<const int4 *>(row + first_of(x));
            const int4 a = low[0], b = low[half / 4];
            four = make_uint4(Format::cell_of(a.x) | Format::cell_of(b.x) << 16,
                              Format::cell_of(a.y) | Format::cell_of(b.y) << 16,
                              Format::cell_of(a.z) | Format::cell_of(b.z) << 16,
                              Format::cell_of(a.w) | Format::cell_of(b.w) << 16);
        }
        __syncthreads();
        if (inside)
            *reinterpret_cast<uint4 *>(row + x) = four;
    }
}

// A block converts the words of a row back to distances, the last chunk first; columns of padding
// hold INF again. Sets *inf if there is no path between two vertices.
__global__ void to_distances(int32_t *dist, size_t ld, int32_t n, int32_t order, int32_t *inf) {
    int32_t *const row = dist + blockIdx.x * ld;
    const size_t words = static_cast<size_t>(order) / 2;
    const auto has_inf = [&](size_t j, int4 d) {
        const size_t size = static_cast<size_t>(n);
        return (j < size && d.x == INF) || (j + 1 < size && d.y == INF) ||
               (j + 2 < size && d.z == INF) || (j + 3 < size && d.w == INF);
    };
    bool any = false;
    for (size_t end = (words + at_once - 1) / at_once * at_once; end > 0; end -= at_once) {
        const size_t x = end - at_once + 4 * threadIdx.x, first = first_of(x);
        uint4 four = {};
        if (x < words)
            four = *reinterpret_cast<const uint4 *>(row + x);
        __syncthreads();
        if (x >= words)
            continue;
        const int4 a =
            make_int4(Format::distance_of(four.x & 0xffff), Format::distance_of(four.y & 0xffff),
                      Format::distance_of(four.z & 0xffff), Format::distance_of(four.w & 0xffff));
        const int4 b =
            make_int4(Format::distance_of(four.x >> 16), Format::distance_of(four.y >> 16),
                      Format::distance_of(four.z >> 16), Format::distance_of(four.w >> 16));
        int4 *const low = reinterpret_cast<int4 *>(row + first);
        low[0] = a;
        low[half / 4] = b;
        any |= has_inf(first, a) || has_inf(first + half, b);
    }
    if (any && blockIdx.x < static_cast<unsigned>(n))
        store_release(inf, 1);
}

static_assert(dataflow::block_kib<ShortWork> <= DPX16_SHARED_KIB &&
                  dataflow::block_kib<relative_tiles::Work> == DPX16_SHARED_KIB,
              "as the table of variants has it");

struct Dpx16Problem {
    dataflow::Board board;
    ShortWork in_short;
    relative_tiles::Work in_relative;
    Reachability reachability;
    Probe probe;
};

// The two ways to solve, tried one after the other, use the same memory for panels.
Dpx16Problem lay_out(const struct gpu_matrices *m, Arena *arena) {
    const int32_t tiles = static_cast<int32_t>(tiles_covering(m->order, min_plus::tile));
    Dpx16Problem p = {};
    p.board = dataflow::take_board(arena, tiles);
    p.in_short.words = reinterpret_cast<uint32_t *>(m->dist);
    p.in_relative.dist = m->dist;
    p.in_short.ld = p.in_relative.ld = m->ld;
    p.in_short.n = p.in_relative.n = m->n;
    p.in_short.left = p.in_relative.left = relative_tiles::Left::take(arena, tiles);
    p.in_short.right = p.in_relative.right = relative_tiles::Right::take(arena, tiles);
    p.in_relative.left_offset = relative_tiles::Offsets::take(arena, tiles);
    p.in_relative.right_offset = relative_tiles::Offsets::take(arena, tiles);
    p.in_relative.inexact = p.board.stop;
    p.reachability = Reachability::take(m, arena);
    p.probe = Probe::take(m, arena);
    return p;
}

enum status solve_short(const struct gpu_matrices *m, const Dpx16Problem &p,
                        struct progress *progress, bool *exact, struct error *err) {
    const dim3 rows(static_cast<unsigned>(m->order));
    RETURN_ON_FAILURE(p.reachability.clear(err));
    RETURN_ON_FAILURE(launch(err, to_words, rows, dim3(row_threads), 0, m->dist, m->ld, m->order));
    RETURN_ON_FAILURE((dataflow::solve<ShortWork>({p.in_short, p.board}, progress, err)));
    RETURN_ON_FAILURE(launch(err, to_distances, rows, dim3(row_threads), 0, m->dist, m->ld, m->n,
                             m->order, p.reachability.inf));
    return p.reachability.check(m, exact, err);
}

enum status solve_relative(const struct gpu_matrices *, const Dpx16Problem &p,
                           struct progress *progress, bool *exact, struct error *err) {
    int32_t stopped = 0;
    RETURN_ON_FAILURE(
        (dataflow::solve<relative_tiles::Work>({p.in_relative, p.board}, progress, err)));
    RETURN_ON_FAILURE(read_flag(p.board.stop, &stopped, err));
    *exact = stopped == 0;
    return STATUS_OK;
}

} // namespace

size_t cuda_blocked_dpx16_workspace(const struct gpu_matrices *m, bool with_pred) {
    return workspace_bytes(m, with_pred, lay_out);
}

enum status cuda_blocked_dpx16_available(bool *available, struct error *err) {
    bool relative = false;
    RETURN_ON_FAILURE(dataflow::is_available<ShortWork>(available, err));
    RETURN_ON_FAILURE(dataflow::is_available<relative_tiles::Work>(&relative, err));
    *available = *available && relative;
    return STATUS_OK;
}

enum status cuda_blocked_dpx16(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err) {
    Arena arena(m->workspace);
    const Dpx16Problem p = lay_out(m, &arena);
    bool likely = false, exact = false;
    RETURN_ON_FAILURE(p.probe.is_likely(m, Format::longest, &likely, err));
    for (int attempt = 0; attempt < 2 && (!exact || m->warm_up); attempt++) {
        const auto solve_as = likely == (attempt == 0) ? solve_short : solve_relative;
        if (attempt > 0)
            RETURN_ON_FAILURE(gpu_fill_adjacency(m, err));
        RETURN_ON_FAILURE(solve_as(m, p, progress, &exact, err));
    }
    if (!exact)
        return fail(err, STATUS_BAD_INPUT,
                    "variant dpx16 is not exact for this graph: some distance is above %d, and "
                    "in some tile those from or to a vertex, as found so far, are more than %d "
                    "apart",
                    Format::longest, offsets::max_difference);
    return derive_predecessors(m, &arena, err);
}
