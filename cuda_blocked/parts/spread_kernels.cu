// SPDX-License-Identifier: MIT
#include "cuda_blocked/parts/spread_kernels.h"

#include "common/graph/graph.h" // INF
#include "cuda_blocked/parts/exponent_tiles.cuh"
#include "cuda_blocked/parts/predecessors.cuh" // Derivation
#include "cuda_blocked/parts/probe.cuh"        // Probe
#include "cuda_blocked/parts/reachability.cuh" // Reachability
#include "cuda_blocked/parts/short_tiles.cuh"
#include "cuda_blocked/parts/tile_constants.h" // WORD16_LONGEST, EXPONENT_LONGEST
#include "cuda_blocked/parts/wide_tiles.cuh"
#include "gpu/launch/arena.cuh"  // Arena
#include "gpu/launch/flags.cuh"  // store_release
#include "gpu/launch/launch.cuh" // launch_in, allow_shared, read_flag

namespace {

using dataflow::Kind;
using dataflow::Task;

constexpr int tile = LARGE_TILE;      // rows and columns of a tile, for all kinds of cells
constexpr int lanes = 32;             // threads for a row, or for the edges into a vertex: one warp
constexpr int rows = 8;               // rows per block
constexpr int64_t many_tiles = 16384; // tiles of a part from which on tasks are larger

// Finds the row of a vertex in this part, if it has one.
struct Owned {
    int32_t parts, own;
    int32_t vertices; // vertices of a tile row

    __device__ bool has(int32_t v) const {
        return v / vertices % parts == own;
    }
    __device__ size_t row_of(int32_t v) const {
        return static_cast<size_t>(v / vertices / parts) * tile + static_cast<size_t>(v % vertices);
    }
};

Owned owned_by(const struct spread_part *p) {
    return {p->parts, p->own, p->vertices};
}

__global__ void fill_words(uint4 *words, size_t count, uint32_t word) {
    const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t w = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; w < count;
         w += step)
        words[w] = make_uint4(word, word, word, word);
}

// Calls visit(e, row of the tail) for the edges into a warp's vertex that begin in rows of this
// part.
template <typename Visit>
__device__ void for_each_edge(const struct gpu_in_edges &in, int32_t v, int32_t n, Owned owned,
                              Visit visit) {
    if (v >= n)
        return;
    for (int64_t e = in.first[v] + threadIdx.x; e < in.first[v + 1]; e += lanes) {
        if (owned.has(in.tail[e]) && in.weight[e] < INF)
            visit(e, owned.row_of(in.tail[e]));
    }
}

__device__ int32_t own_vertex() {
    return static_cast<int32_t>(blockIdx.x * rows + threadIdx.y);
}

template <typename Work>
__global__ void place_edges(Work work, struct gpu_in_edges in, Owned owned) {
    const int32_t v = own_vertex();
    if (v < work.n && owned.has(v) && threadIdx.x == 0)
        work.place(owned.row_of(v), v, 0);
    for_each_edge(in, v, work.n, owned, [&](int64_t e, size_t row) {
        if (in.tail[e] != v)
            work.place(row, v, in.weight[e]);
    });
}

template <typename Work>
__global__ void flag_edges(Work work, struct gpu_in_edges in, Owned owned, uint8_t *flag) {
    const int32_t v = own_vertex();
    for_each_edge(in, v, work.n, owned,
                  [&](int64_t e, size_t row) { flag[e] = in.weight[e] == work.distance(row, v); });
}

// A block makes the distances of one row of a tile row, whose first vertex is `first` and whose
// first row is `row`. Sets *inf, unless it is NULL, if the distance of a vertex (not of padding) is
// INF.
template <typename Work>
__global__ void read_row(Work work, size_t row, int32_t first, int32_t *to, size_t ld,
                         int32_t *inf) {
    const int32_t y = static_cast<int32_t>(blockIdx.x), n = work.n;
    const bool is_vertex = y < Work::vertices && first + y < n;
    bool any = false;
    for (size_t j = threadIdx.x; j < ld; j += blockDim.x) {
        const int32_t v = static_cast<int32_t>(j);
        const int32_t distance = is_vertex && v < n ? work.distance(row + y, v) : INF;
        any |= is_vertex && v < n && distance == INF;
        to[y * ld + j] = distance;
    }
    if (any && inf != nullptr)
        store_release(inf, 1);
}

template <typename Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks) close_pivot(Work work, int32_t s) {
    DYNAMIC_SHARED(int32_t, shared);
    work.close(shared, s);
    work.encode_left(shared, s, s);
    work.encode_right(shared, s, s);
}

// Phase 2 of the pivot's row: a block for each tile.
template <typename Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks) update_row(Work work, int32_t s) {
    DYNAMIC_SHARED(int32_t, shared);
    const int32_t j = Task::skip(static_cast<int32_t>(blockIdx.x), s, true);
    const Task task = {Kind::row, s, s, j, 1, true};
    work.encode_right(shared, j, s);
    work.update(shared, task, s);
    work.encode_right(shared, j, s);
}

// The tile rows first, first + apart and so on. Tile row s and tile row `except` are skipped.
struct TileRows {
    int32_t first, apart, except;

    __device__ int32_t at(unsigned number, int32_t s) const {
        const int32_t i = first + static_cast<int32_t>(number) * apart;
        return i == s || i == except ? -1 : i;
    }
};

// Phase 2 of the pivot's column: a block for each tile. The old tile is the left operand in phase
// 3, too: the pivot's row has been multiplied by the closed pivot tile, so its product with the old
// tile equals that with the new one.
template <typename Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks)
    update_column(Work work, int32_t s, TileRows tile_rows) {
    DYNAMIC_SHARED(int32_t, shared);
    const int32_t i = tile_rows.at(blockIdx.x, s);
    if (i < 0)
        return;
    const Task task = {Kind::column, s, i, s, 1, true};
    work.encode_left(shared, i, s);
    work.update(shared, task, s);
}

// Phase 3. blockIdx.x selects the tiles of the row.
template <typename Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks)
    update_tiles(Work work, int32_t s, TileRows tile_rows, int32_t tiles, int32_t task_tiles) {
    DYNAMIC_SHARED(int32_t, shared);
    const int32_t i = tile_rows.at(blockIdx.y, s);
    if (i < 0)
        return;
    const int32_t first = static_cast<int32_t>(blockIdx.x) * task_tiles;
    const Task task = {
        Kind::rest, s, i, Task::skip(first, s, true), min(task_tiles, tiles - 1 - first), true};
    work.update(shared, task, s);
}

using WideTiles = wide_tiles::Work<true>;
using Short = short_tiles::Work<true>;
using Exponents = exponent_tiles::Work<true>;

template <typename Item>
Item *take_cells(const struct spread_part *p, size_t row_bytes, Arena *arena) {
    const size_t lines = static_cast<size_t>(spread_tile_rows(p)) * tile;
    return arena->take<Item>(lines * row_bytes / sizeof(Item));
}

void lay_out(const struct spread_part *p, Arena *arena, WideTiles *work) {
    const size_t ld = static_cast<size_t>(p->tiles) * tile;
    int32_t *dist = take_cells<int32_t>(p, ld * sizeof(int32_t), arena);
    *work = {dist,
             ld,
             p->n,
             wide_tiles::Left::take(arena, p->tiles),
             wide_tiles::Right::take(arena, p->tiles),
             p->parts};
}

void lay_out(const struct spread_part *p, Arena *arena, Short *work) {
    const size_t ld = static_cast<size_t>(p->tiles) * min_plus::half;
    uint32_t *words = take_cells<uint32_t>(p, ld * sizeof(uint32_t), arena);
    *work = {words,
             ld,
             p->n,
             short_tiles::Left::take(arena, p->tiles),
             short_tiles::Right::take(arena, p->tiles),
             p->parts};
}

void lay_out(const struct spread_part *p, Arena *arena, Exponents *work) {
    const size_t ld = static_cast<size_t>(p->tiles) * tile;
    uint8_t *cells = take_cells<uint8_t>(p, ld, arena);
    *work = {cells,
             ld,
             p->n,
             exponent_tiles::Operand::take(arena, p->tiles),
             exponent_tiles::Operand::take(arena, p->tiles),
             p->parts};
}

// The steps on a part, for one kind of cells.
template <typename Work>
struct Steps {
    static constexpr size_t bytes = Work::shared_bytes;

    static Work work_of(const struct spread_part *p) {
        Arena arena(p->memory);
        Work work;
        lay_out(p, &arena, &work);
        return work;
    }

    static size_t memory(const struct spread_part *p) {
        Arena arena;
        Work work;
        lay_out(p, &arena, &work);
        return arena.used();
    }

    static void *panel(const struct spread_part *p, int32_t s) {
        return work_of(p).right.at(0, s);
    }

    static size_t panel_bytes(const struct spread_part *p) {
        const auto right = work_of(p).right;
        return sizeof(*right.items) * static_cast<size_t>(right.at(0, 1) - right.at(0, 0));
    }

    static enum status prepare(struct error *err) {
        RETURN_ON_FAILURE(allow_shared(close_pivot<Work>, bytes, err));
        RETURN_ON_FAILURE(allow_shared(update_row<Work>, bytes, err));
        RETURN_ON_FAILURE(allow_shared(update_column<Work>, bytes, err));
        return allow_shared(update_tiles<Work>, bytes, err);
    }

    static enum status fill(const struct spread_part *p, const struct gpu_in_edges *in,
                            struct error *err) {
        constexpr unsigned threads = 256, most_blocks = 8192;
        const size_t lines = static_cast<size_t>(spread_tile_rows(p)) * tile;
        const size_t words =
            lines * static_cast<size_t>(p->tiles) * tile * Work::cell_bytes / sizeof(uint4);
        const size_t blocks = (words + threads - 1) / threads;
        if (blocks == 0) // the part has no rows
            return STATUS_OK;
        RETURN_ON_FAILURE(
            launch(err, fill_words,
                   dim3(blocks < most_blocks ? static_cast<unsigned>(blocks) : most_blocks),
                   dim3(threads), 0, static_cast<uint4 *>(p->memory), words, Work::no_paths));
        return launch(err, place_edges<Work>, dim3(tiles_covering(p->n, rows)), dim3(lanes, rows),
                      0, work_of(p), *in, owned_by(p));
    }

    static enum status close(const struct spread_part *p, int32_t s, cudaStream_t stream,
                             struct error *err) {
        const Work work = work_of(p);
        RETURN_ON_FAILURE(launch_in(stream, err, close_pivot<Work>, dim3(1), dim3(Work::threads),
                                    bytes, work, s));
        if (p->tiles == 1)
            return STATUS_OK;
        return launch_in(stream, err, update_row<Work>, dim3(static_cast<unsigned>(p->tiles - 1)),
                         dim3(Work::threads), bytes, work, s);
    }

    static enum status update(const struct spread_part *p, int32_t s, TileRows tile_rows,
                              unsigned count, cudaStream_t stream, struct error *err) {
        // Tasks are small enough that each block which the GPU runs gets several.
        const int64_t all = int64_t{p->tiles} * p->tiles / p->parts;
        const int32_t task_tiles = all < many_tiles ? Work::least_tiles : Work::task_tiles;
        const Work work = work_of(p);
        if (count == 0)
            return STATUS_OK;
        RETURN_ON_FAILURE(launch_in(stream, err, update_column<Work>, dim3(count),
                                    dim3(Work::threads), bytes, work, s, tile_rows));
        if (p->tiles == 1)
            return STATUS_OK;
        return launch_in(stream, err, update_tiles<Work>,
                         dim3(tiles_covering(p->tiles - 1, task_tiles), count), dim3(Work::threads),
                         bytes, work, s, tile_rows, p->tiles, task_tiles);
    }

    static enum status flag(const struct spread_part *p, const struct gpu_in_edges *in,
                            uint8_t *flag, struct error *err) {
        return launch(err, flag_edges<Work>, dim3(tiles_covering(p->n, rows)), dim3(lanes, rows), 0,
                      work_of(p), *in, owned_by(p), flag);
    }

    static enum status read(const struct spread_part *p, int32_t tile_row, int32_t *to,
                            int32_t *inf, struct error *err) {
        constexpr unsigned threads = 256;
        const size_t row = static_cast<size_t>(tile_row / p->parts) * tile;
        return launch(err, read_row<Work>, dim3(tile), dim3(threads), 0, work_of(p), row,
                      tile_row * p->vertices, to, p->ld, inf);
    }
};

struct CellKind {
    int32_t vertices; // vertices of a tile row
    int32_t longest;  // longest distance that is exact; INF: all are
    size_t (*memory)(const struct spread_part *);
    void *(*panel)(const struct spread_part *, int32_t);
    size_t (*panel_bytes)(const struct spread_part *);
    enum status (*prepare)(struct error *);
    enum status (*fill)(const struct spread_part *, const struct gpu_in_edges *, struct error *);
    enum status (*close)(const struct spread_part *, int32_t, cudaStream_t, struct error *);
    enum status (*update)(const struct spread_part *, int32_t, TileRows, unsigned, cudaStream_t,
                          struct error *);
    enum status (*flag)(const struct spread_part *, const struct gpu_in_edges *, uint8_t *,
                        struct error *);
    enum status (*read)(const struct spread_part *, int32_t, int32_t *, int32_t *, struct error *);
    enum status (*available)(bool *, struct error *);
};

template <typename Work>
constexpr CellKind cells_of(int32_t longest, enum status (*available)(bool *, struct error *)) {
    using S = Steps<Work>;
    return {Work::vertices, longest,  S::memory, S::panel, S::panel_bytes, S::prepare,
            S::fill,        S::close, S::update, S::flag,  S::read,        available};
}

// Indexed by enum spread_cells.
const CellKind kinds[] = {
    cells_of<Exponents>(EXPONENT_LONGEST, exponent_tiles::is_available),
    cells_of<Short>(WORD16_LONGEST, dataflow::is_available<Short>),
    cells_of<WideTiles>(INF, dataflow::is_available<WideTiles>),
};

const CellKind &kind_of(const struct spread_part *p) {
    return kinds[p->cells];
}

} // namespace

struct spread_part spread_part_of(enum spread_cells cells, int32_t n, int parts, int own) {
    const int32_t vertices = kinds[cells].vertices;
    return {cells,
            parts,
            own,
            n,
            static_cast<int32_t>(tiles_covering(n, vertices)),
            vertices,
            static_cast<size_t>(tiles_covering(n, tile)) * tile,
            nullptr};
}

size_t spread_bytes(const struct spread_part *p) {
    return kind_of(p).memory(p);
}

void *spread_panel(const struct spread_part *p, int32_t s) {
    return kind_of(p).panel(p, s);
}

size_t spread_panel_bytes(const struct spread_part *p) {
    return kind_of(p).panel_bytes(p);
}

enum status spread_prepare(enum spread_cells cells, struct error *err) {
    if (cells == SPREAD_EXPONENTS)
        RETURN_ON_FAILURE(exponent_tiles::check_device(err));
    return kinds[cells].prepare(err);
}

enum status spread_fill(const struct spread_part *p, const struct gpu_in_edges *in,
                        struct error *err) {
    return kind_of(p).fill(p, in, err);
}

enum status spread_close(const struct spread_part *p, int32_t s, cudaStream_t stream,
                         struct error *err) {
    return kind_of(p).close(p, s, stream, err);
}

enum status spread_update_next(const struct spread_part *p, int32_t s, cudaStream_t stream,
                               struct error *err) {
    return kind_of(p).update(p, s, {s + 1, 1, -1}, 1, stream, err);
}

enum status spread_update_rest(const struct spread_part *p, int32_t s, cudaStream_t stream,
                               struct error *err) {
    return kind_of(p).update(p, s, {p->own, p->parts, s + 1},
                             static_cast<unsigned>(spread_tile_rows(p)), stream, err);
}

size_t spread_buffer_bytes(const struct spread_part *p) {
    return p->cells == SPREAD_INT32 ? 0 : sizeof(int32_t) * tile * p->ld;
}

enum status spread_read_rows(const struct spread_part *p, int32_t tile_row, void *buffer,
                             int32_t **where, struct error *err) {
    if (p->cells == SPREAD_INT32) {
        *where = Steps<WideTiles>::work_of(p).dist +
                 static_cast<size_t>(tile_row / p->parts) * tile * p->ld;
        return STATUS_OK;
    }
    *where = static_cast<int32_t *>(buffer);
    return kind_of(p).read(p, tile_row, *where, nullptr, err);
}

size_t spread_check_bytes(const struct spread_part *p, const struct gpu_matrices *m) {
    Arena arena;
    if (p->cells != SPREAD_INT32)
        Reachability::take(m, &arena);
    return arena.used();
}

enum status spread_check(const struct spread_part *p, const struct gpu_matrices *m, void *workspace,
                         void *buffer, bool *exact, struct error *err) {
    *exact = true;
    if (p->cells == SPREAD_INT32)
        return STATUS_OK;
    Arena arena(workspace);
    const Reachability reachability = Reachability::take(m, &arena);
    int32_t *const dist = static_cast<int32_t *>(buffer);
    int32_t is_inf = 0, is_lost = 0;
    RETURN_ON_FAILURE(reachability.clear(err));
    for (int32_t t = p->own; t < p->tiles; t += p->parts)
        RETURN_ON_FAILURE(kind_of(p).read(p, t, dist, reachability.inf, err));
    RETURN_ON_FAILURE(read_flag(reachability.inf, &is_inf, err));
    for (int32_t t = p->own; t < p->tiles && is_inf != 0; t += p->parts) {
        const int32_t left = p->n - t * p->vertices;
        RETURN_ON_FAILURE(kind_of(p).read(p, t, dist, nullptr, err));
        RETURN_ON_FAILURE(
            reachability.check_rows(m, dist, left < p->vertices ? left : p->vertices, err));
    }
    RETURN_ON_FAILURE(read_flag(reachability.lost, &is_lost, err));
    *exact = is_lost == 0;
    return STATUS_OK;
}

size_t spread_probe_bytes(const struct gpu_matrices *m) {
    Arena arena;
    Probe::take(m, &arena);
    return arena.used();
}

enum status spread_probe(enum spread_cells cells, const struct gpu_matrices *m, void *workspace,
                         bool *likely, struct error *err) {
    Arena arena(workspace);
    *likely = true;
    if (cells == SPREAD_INT32)
        return STATUS_OK;
    RETURN_ON_FAILURE(kinds[cells].available(likely, err));
    return *likely ? Probe::take(m, &arena).is_likely(m, kinds[cells].longest, likely, err)
                   : STATUS_OK;
}

enum status spread_flag_edges(const struct spread_part *p, const struct gpu_in_edges *in,
                              uint8_t *flag, struct error *err) {
    if (in->m == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(gpu_check(cudaMemsetAsync(flag, 0, static_cast<size_t>(in->m), nullptr),
                                "clearing flags", err));
    return kind_of(p).flag(p, in, flag, err);
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

enum status spread_derive(const struct gpu_matrices *m, int32_t first, const int32_t *dist,
                          int32_t *pred, struct error *err) {
    Arena arena(m->workspace);
    return Derivation::take(m, &arena).derive(m, first, tile, dist, pred, err);
}
