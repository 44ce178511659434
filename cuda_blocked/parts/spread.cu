// SPDX-License-Identifier: MIT
#include "cuda_blocked/parts/spread.h"

#include "common/gpu/arena.cuh"                // Arena
#include "common/gpu/launch.cuh"               // launch_in, allow_shared
#include "common/graph/graph.h"                // INF
#include "cuda_blocked/parts/predecessors.cuh" // Derivation
#include "cuda_blocked/parts/wide_tiles.cuh"

namespace {

using dataflow::Kind;
using dataflow::Piece;
using Work = wide_tiles::Work<true>;

constexpr int tile = Work::tile;
constexpr int lanes = 32;             // threads for a row, or for the edges into a vertex: one warp
constexpr int rows = 8;               // per block
constexpr int64_t many_tiles = 16384; // of a part

Work lay_out(const struct spread_part *p, Arena *arena) {
    const size_t cells = static_cast<size_t>(spread_tile_rows(p)) * tile * p->ld;
    int32_t *dist = arena->take<int32_t>(cells);
    return {dist,
            p->ld,
            p->n,
            wide_tiles::Left::take(arena, p->tiles),
            wide_tiles::Right::take(arena, p->tiles),
            p->parts};
}

Work work_of(const struct spread_part *p) {
    Arena arena(p->memory);
    return lay_out(p, &arena);
}

// Whether the vertex has a row here, and which.
struct Owned {
    int32_t parts, own;

    __device__ bool has(int32_t v) const {
        return v / tile % parts == own;
    }
    __device__ size_t row_of(int32_t v) const {
        return static_cast<size_t>(v / tile / parts) * tile + static_cast<size_t>(v % tile);
    }
    __device__ int32_t vertex_of(size_t row) const {
        return static_cast<int32_t>(row / tile * parts + own) * tile +
               static_cast<int32_t>(row % tile);
    }
};

__global__ void fill_rows(int32_t *dist, size_t ld, int32_t n, size_t count, Owned owned) {
    const size_t row = static_cast<size_t>(blockIdx.x) * rows + threadIdx.y;
    if (row >= count)
        return;
    const int32_t i = owned.vertex_of(row);
    for (size_t j = threadIdx.x; j < ld; j += lanes)
        dist[row * ld + j] = i < n && static_cast<size_t>(i) == j ? 0 : INF;
}

// Calls visit(e, the cell of edge e) for the edges into a warp's vertex that begin in rows here.
template <typename Visit>
__device__ void for_each_edge(const struct gpu_in_edges &in, int32_t *dist, size_t ld, int32_t n,
                              Owned owned, Visit visit) {
    const int32_t v = static_cast<int32_t>(blockIdx.x * rows + threadIdx.y);
    if (v >= n)
        return;
    for (int64_t e = in.first[v] + threadIdx.x; e < in.first[v + 1]; e += lanes) {
        if (owned.has(in.tail[e]))
            visit(e, dist + owned.row_of(in.tail[e]) * ld + v, in.tail[e] == v);
    }
}

__global__ void place_edges(struct gpu_in_edges in, int32_t *dist, size_t ld, int32_t n,
                            Owned owned) {
    for_each_edge(in, dist, ld, n, owned, [&](int64_t e, int32_t *cell, bool is_loop) {
        if (!is_loop && in.weight[e] < INF)
            *cell = in.weight[e];
    });
}

__global__ void flag_edges(struct gpu_in_edges in, int32_t *dist, size_t ld, int32_t n, Owned owned,
                           uint8_t *flag) {
    for_each_edge(in, dist, ld, n, owned, [&](int64_t e, const int32_t *cell, bool) {
        flag[e] = in.weight[e] < INF && in.weight[e] == *cell;
    });
}

__global__ void __launch_bounds__(Work::threads, Work::blocks) close_pivot(Work work, int32_t s) {
    DYNAMIC_SHARED(int32_t, shared);
    work.close(shared, s);
    work.encode_left(shared, s, s);
    work.encode_right(shared, s, s);
}

// Phase 2 of the pivot's row: a block for each tile.
__global__ void __launch_bounds__(Work::threads, Work::blocks) update_row(Work work, int32_t s) {
    DYNAMIC_SHARED(int32_t, shared);
    const int32_t j = Piece::skip(static_cast<int32_t>(blockIdx.x), s, true);
    const Piece piece = {Kind::row, s, s, j, 1, true};
    work.encode_right(shared, j, s);
    work.update(shared, piece, s);
    work.encode_right(shared, j, s);
}

// Tile rows first, first + apart ...; row s and row `except` have no work.
struct TileRows {
    int32_t first, apart, except;

    __device__ int32_t at(unsigned number, int32_t s) const {
        const int32_t i = first + static_cast<int32_t>(number) * apart;
        return i == s || i == except ? -1 : i;
    }
};

// Phase 2 of the pivot's column: a block for each tile. The old tile stays the left operand of
// phase 3, too: its product with the pivot's row, which went through the closed pivot tile, is that
// of the new one.
__global__ void __launch_bounds__(Work::threads, Work::blocks)
    update_column(Work work, int32_t s, TileRows tile_rows) {
    DYNAMIC_SHARED(int32_t, shared);
    const int32_t i = tile_rows.at(blockIdx.x, s);
    if (i < 0)
        return;
    const Piece piece = {Kind::column, s, i, s, 1, true};
    work.encode_left(shared, i, s);
    work.update(shared, piece, s);
}

// Phase 3: blockIdx.x tells which tiles of the row.
__global__ void __launch_bounds__(Work::threads, Work::blocks)
    update_tiles(Work work, int32_t s, TileRows tile_rows, int32_t tiles, int32_t piece_tiles) {
    DYNAMIC_SHARED(int32_t, shared);
    const int32_t i = tile_rows.at(blockIdx.y, s);
    if (i < 0)
        return;
    const int32_t first = static_cast<int32_t>(blockIdx.x) * piece_tiles;
    const Piece piece = {
        Kind::rest, s, i, Piece::skip(first, s, true), min(piece_tiles, tiles - 1 - first), true};
    work.update(shared, piece, s);
}

enum status update(const struct spread_part *p, int32_t s, TileRows tile_rows, unsigned count,
                   cudaStream_t stream, struct error *err) {
    constexpr size_t bytes = Work::shared_bytes;
    // There must be several pieces for each block that the GPU runs.
    const int64_t all = int64_t{p->tiles} * p->tiles / p->parts;
    const int32_t piece_tiles = all < many_tiles ? 1 : Work::piece_tiles;
    const Work work = work_of(p);
    if (count == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(launch_in(stream, err, update_column, dim3(count), dim3(Work::threads), bytes,
                                work, s, tile_rows));
    if (p->tiles == 1)
        return STATUS_OK;
    return launch_in(stream, err, update_tiles,
                     dim3(tiles_covering(p->tiles - 1, piece_tiles), count), dim3(Work::threads),
                     bytes, work, s, tile_rows, p->tiles, piece_tiles);
}

Owned owned_by(const struct spread_part *p) {
    return {p->parts, p->own};
}

} // namespace

size_t spread_bytes(const struct spread_part *p) {
    Arena arena;
    lay_out(p, &arena);
    return arena.used();
}

int32_t *spread_row(const struct spread_part *p, int32_t tile_row) {
    return work_of(p).dist + static_cast<size_t>(tile_row / p->parts) * tile * p->ld;
}

void *spread_panel(const struct spread_part *p, int32_t s) {
    return work_of(p).right.at(0, s);
}

size_t spread_panel_bytes(const struct spread_part *p) {
    return sizeof(int32_t) * min_plus::right_words<wide_tiles::Format> *
           static_cast<size_t>(p->tiles);
}

enum status spread_prepare(struct error *err) {
    constexpr size_t bytes = Work::shared_bytes;
    RETURN_ON_FAILURE(allow_shared(close_pivot, bytes, err));
    RETURN_ON_FAILURE(allow_shared(update_row, bytes, err));
    RETURN_ON_FAILURE(allow_shared(update_column, bytes, err));
    return allow_shared(update_tiles, bytes, err);
}

enum status spread_fill(const struct spread_part *p, const struct gpu_in_edges *in,
                        struct error *err) {
    const int32_t count = spread_tile_rows(p) * tile;
    int32_t *const dist = work_of(p).dist;
    const dim3 block(lanes, rows);
    RETURN_ON_FAILURE(launch(err, fill_rows, dim3(tiles_covering(count, rows)), block, 0, dist,
                             p->ld, p->n, static_cast<size_t>(count), owned_by(p)));
    return launch(err, place_edges, dim3(tiles_covering(p->n, rows)), block, 0, *in, dist, p->ld,
                  p->n, owned_by(p));
}

enum status spread_close(const struct spread_part *p, int32_t s, cudaStream_t stream,
                         struct error *err) {
    constexpr size_t bytes = Work::shared_bytes;
    const Work work = work_of(p);
    RETURN_ON_FAILURE(
        launch_in(stream, err, close_pivot, dim3(1), dim3(Work::threads), bytes, work, s));
    if (p->tiles == 1)
        return STATUS_OK;
    return launch_in(stream, err, update_row, dim3(static_cast<unsigned>(p->tiles - 1)),
                     dim3(Work::threads), bytes, work, s);
}

enum status spread_update_next(const struct spread_part *p, int32_t s, cudaStream_t stream,
                               struct error *err) {
    return update(p, s, {s + 1, 1, -1}, 1, stream, err);
}

enum status spread_update_rest(const struct spread_part *p, int32_t s, cudaStream_t stream,
                               struct error *err) {
    return update(p, s, {p->own, p->parts, s + 1}, static_cast<unsigned>(spread_tile_rows(p)),
                  stream, err);
}

enum status spread_flag_edges(const struct spread_part *p, const struct gpu_in_edges *in,
                              uint8_t *flag, struct error *err) {
    if (in->m == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(gpu_check(cudaMemsetAsync(flag, 0, static_cast<size_t>(in->m), nullptr),
                                "clearing flags", err));
    return launch(err, flag_edges, dim3(tiles_covering(p->n, rows)), dim3(lanes, rows), 0, *in,
                  work_of(p).dist, p->ld, p->n, owned_by(p), flag);
}

size_t spread_derivation_bytes(const struct gpu_matrices *m) {
    Arena arena;
    Derivation::take(m, &arena);
    return arena.used();
}

enum status spread_keep_edges(const struct gpu_matrices *m, const uint8_t *flag,
                              struct error *err) {
    Arena arena(m->workspace);
    return Derivation::take(m, &arena).keep_edges(m, flag, err);
}

enum status spread_derive(const struct gpu_matrices *m, int32_t tile_row, const int32_t *dist,
                          int32_t *pred, struct error *err) {
    Arena arena(m->workspace);
    return Derivation::take(m, &arena).derive(m, tile_row * tile, tile, dist, pred, err);
}
