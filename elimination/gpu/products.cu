// SPDX-License-Identifier: MIT
#include "elimination/gpu/products.h"

#include "gpu/launch/launch.cuh"   // launch
#include "gpu/launch/lengths.cuh"  // least_sum
#include "measures/gpu_totals.cuh" // TotalsOf

namespace {

using Pieces = product_pieces;
using Batch = product_batch;

#ifdef CUDA_SHIM
constexpr int threads = 16; // number of threads of a block
#else
constexpr int threads = 128;
#endif
constexpr int closing_threads = threads / 2;
constexpr size_t every_gpu = 48 << 10; // bytes of shared memory that a block can have on any GPU
constexpr int slots_each = 8;          // most blocks with counts of their own at the same time on a
                                       // multiprocessor
constexpr int at_a_time = 8;           // targets for which a boundary of any width is read once
// Number of sources of a thread where boundaries are narrow. Two of float64 would take so many
// registers that too few threads run at a time.
constexpr int narrow_sources = LENGTH_NUMBER == 0 ? 2 : 1;
constexpr int at_once = 16; // vertices of the top to which a thread finds the distances at a time

__device__ __forceinline__ int32_t row_length(const struct piece &piece) {
    return piece.own + piece.width;
}

// Returns the row of distances inside piece k's subtree, from the source at a position of it.
__device__ __forceinline__ path_length *row_within(const Pieces &p, int32_t k,
                                                   const struct piece &piece, int32_t position) {
    return p.within + p.inside[k] + static_cast<int64_t>(position - piece.low) * row_length(piece);
}

__host__ __device__ constexpr int32_t rounded(int32_t width) {
    return width <= 4    ? 4
           : width <= 24 ? (width + 3) / 4 * 4
           : width <= 32 ? 32
           : width <= 48 ? 48
           : width <= 64 ? 64
                         : (width + 3) / 4 * 4;
}

// Returns the distance of a label: float64 labels are numbers of spacings.
__device__ __forceinline__ path_length distance_of(double spacing, path_length label) {
#ifdef LENGTH_F64
    return label * spacing;
#else
    (void)spacing;
    return label;
#endif
}

// Closing -----------------------------------------------------------------------------------------

// Finds the distances through a piece from one of its own vertices or boundary vertices, its lane.
// Label i is at label[i * stride].
__device__ void close_lane(const Pieces &p, int32_t k, const struct piece &piece, int32_t lane,
                           path_length *label, int32_t stride) {
    const int32_t size = row_length(piece);
    const struct piece_entry *const entry = p.entry + piece.entry;
    for (int32_t i = 0; i < size; i++)
        label[i * stride] = i == lane ? 0 : LENGTH_INF;
    if (lane < piece.own) {
        path_length *const row = row_within(p, k, piece, p.position[piece.place + lane]);
        for (int64_t e = 0; e < piece.entries; e++) {
            path_length *const to = &label[entry[e].to * stride];
            *to = lesser(*to, label[entry[e].from * stride] + entry[e].up);
        }
        for (int32_t i = piece.own; i < size; i++) {
            row[i] = label[i * stride];
            label[i * stride] = LENGTH_INF;
        }
        for (int64_t e = piece.entries - 1; e >= 0; e--) {
            path_length *const to = &label[entry[e].from * stride];
            *to = lesser(*to, label[entry[e].to * stride] + entry[e].down);
        }
        for (int32_t i = 0; i < piece.own; i++)
            row[i] = label[i * stride];
        return;
    }
    path_length *const column = p.through + p.outside[k] + (lane - piece.own);
    for (int64_t e = piece.entries - 1; e >= 0; e--) {
        path_length *const to = &label[entry[e].from * stride];
        *to = lesser(*to, label[entry[e].to * stride] + entry[e].down);
    }
    for (int32_t i = 0; i < piece.own; i++)
        column[static_cast<int64_t>(i) * rounded(piece.width)] = label[i * stride];
}

// Blocks take pieces in turn. Labels are in shared memory; if `each` > 0, each block has `each`
// cells of scratch for them instead.
__global__ void close_pieces(Pieces p, path_length *scratch, size_t each) {
    DYNAMIC_SHARED(path_length, shared);
    path_length *const label = (each > 0 ? scratch + each * blockIdx.x : shared) + threadIdx.x;
    for (int32_t k = static_cast<int32_t>(blockIdx.x); k < p.count;
         k += static_cast<int32_t>(gridDim.x)) {
        const struct piece piece = p.piece[k];
        for (int32_t lane = static_cast<int32_t>(threadIdx.x); lane < row_length(piece);
             lane += static_cast<int32_t>(blockDim.x))
            close_lane(p, k, piece, lane, label, static_cast<int32_t>(blockDim.x));
    }
}

// Finds the distances inside its subtree from each source of a leaf piece to the middle piece
// around it, and to that piece's boundary.
__global__ void climb(Pieces p) {
    for (int32_t k = static_cast<int32_t>(blockIdx.x); k < p.leaves;
         k += static_cast<int32_t>(gridDim.x)) {
        const struct piece leaf = p.piece[k];
        if (leaf.above < 0)
            continue;
        const struct piece above = p.piece[leaf.above];
        const int32_t *const inner = p.inner + leaf.boundary;
        const int32_t length = row_length(above);
        for (int64_t cell = threadIdx.x; cell < static_cast<int64_t>(leaf.own) * length;
             cell += blockDim.x) {
            const int32_t s = leaf.low + static_cast<int32_t>(cell / length);
            const int32_t to = static_cast<int32_t>(cell % length);
            const path_length *const up = row_within(p, k, leaf, s) + leaf.own;
            path_length least = LENGTH_INF;
            for (int32_t b = 0; b < leaf.width; b++) {
                const int32_t through = inner[b];
                if (through < above.own)
                    least =
                        lesser(least, up[b] + row_within(p, leaf.above, above,
                                                         p.position[above.place + through])[to]);
                else if (through == to)
                    least = lesser(least, up[b]);
            }
            row_within(p, leaf.above, above, s)[to] = least;
        }
    }
}

// Collecting --------------------------------------------------------------------------------------

// Collectors take the distances that a thread finds, from `sources` sources that are `threads`
// lanes apart. A job starts with begin(). turn_to() names a target, or two targets at neighbouring
// places. add() takes the distances from source r.
template <enum product_kind kind, int sources>
struct Collector;

template <int sources>
struct Collector<PRODUCT_ROWS, sources> {
    static constexpr bool finite = false;
    const Pieces &p;
    const Batch &b;
    int32_t lane;
    int32_t vertex = 0, second_vertex = 0;

    __device__ Collector(const Pieces &pieces, const Batch &batch, int32_t first, uint32_t *)
        : p(pieces), b(batch), lane(first) {
    }
    __device__ __forceinline__ void begin(int32_t) {
    }
    __device__ __forceinline__ void turn_to(int32_t place, bool is_pair) {
        vertex = p.vertex[place];
        second_vertex = is_pair ? p.vertex[place + 1] : 0;
    }
    __device__ __forceinline__ void add(int r, path_length distance) {
        put(r, vertex, distance);
    }
    __device__ __forceinline__ void add(int r, path_length first, path_length second) {
        put(r, vertex, first);
        put(r, second_vertex, second);
    }
    __device__ __forceinline__ void put(int r, int32_t column, path_length distance) {
        const int32_t row = lane + r * threads;
        if (row < b.count)
            b.rows[static_cast<size_t>(row) * b.row_ld + column] = distance_of(b.spacing, distance);
    }
    __device__ void finish() {
    }
};

// Keeps nothing but the labels that pieces below read.
template <int sources>
struct Collector<PRODUCT_UPPER, sources> {
    static constexpr bool finite = false;

    __device__ Collector(const Pieces &, const Batch &, int32_t, uint32_t *) {
    }
    __device__ __forceinline__ void begin(int32_t) {
    }
    __device__ __forceinline__ void turn_to(int32_t, bool) {
    }
    __device__ __forceinline__ void add(int, path_length) {
    }
    __device__ __forceinline__ void add(int, path_length, path_length) {
    }
    __device__ void finish() {
    }
};

// Stores all distances as labels.
template <int sources>
struct Collector<PRODUCT_LABELS, sources> {
    static constexpr bool finite = false;
    const Batch &b;
    int32_t lane;
    path_length *to = nullptr;

    __device__ Collector(const Pieces &, const Batch &batch, int32_t first, uint32_t *)
        : b(batch), lane(first) {
    }
    __device__ __forceinline__ void begin(int32_t) {
    }
    __device__ __forceinline__ void turn_to(int32_t place, bool) {
        to = b.labels + static_cast<size_t>(place) * b.lanes + lane;
    }
    __device__ __forceinline__ void add(int r, path_length distance) {
        to[r * threads] = distance;
    }
    __device__ __forceinline__ void add(int r, path_length first, path_length second) {
        to[r * threads] = first;
        to[b.lanes + r * threads] = second;
    }
    __device__ void finish() {
    }
};

#define TOTALS(kind, is_finite, spares)                                                            \
    template <int sources>                                                                         \
    struct Collector<kind, sources> : TotalsOf<is_finite, sources, threads, threads, spares> {     \
        __device__ Collector(const Pieces &, const Batch &batch, int32_t first, uint32_t *counts)  \
            : TotalsOf<is_finite, sources, threads, threads, spares>(                              \
                  batch.totals, first, batch.count, static_cast<int32_t>(threadIdx.x), counts) {   \
        }                                                                                          \
        __device__ __forceinline__ void turn_to(int32_t, bool) {                                   \
        }                                                                                          \
    }
TOTALS(PRODUCT_TOTALS, false, false);
#ifdef LENGTH_F64
TOTALS(PRODUCT_SUMS, false, true);
#else
TOTALS(PRODUCT_FINITE, true, false);
TOTALS(PRODUCT_SUMS, true, true);
#endif

constexpr size_t counters(enum product_kind kind) {
    return kind == PRODUCT_TOTALS || kind == PRODUCT_FINITE ? TOTALS_BINS : 0;
}

// Returns the distance that a collector gets for a label. Where all distances count as finite and
// greater than 0, the distance of a source to itself is passed as 1.
template <typename Collecting>
__device__ __forceinline__ path_length collected(const Collecting &, path_length label) {
    return Collecting::finite ? larger(label, static_cast<path_length>(1)) : label;
}

// Returns the number of the row of labels that holds LENGTH_INF; it is behind all rows that are
// stored.
__host__ __device__ constexpr int32_t no_path_row(const Pieces &p, enum product_kind kind) {
    return kind == PRODUCT_LABELS ? p.n : p.top + p.middle;
}

// The top -----------------------------------------------------------------------------------------

// Finds the distances to the top: each thread for one source, each block for some of the vertices.
template <enum product_kind kind>
__global__ void __launch_bounds__(threads) sweep_top(Pieces p, Batch b) {
    DYNAMIC_SHARED(path_length, shared);
    const int32_t lane = static_cast<int32_t>(blockIdx.x * threads + threadIdx.x);
    const int32_t s = b.source[lane], k = p.outermost[s];
    const path_length zero = 0, *up = &zero;
    int32_t width = 1;
    const int32_t *above = p.place + s;
    if (k >= 0) {
        const struct piece piece = p.piece[k];
        width = piece.width;
        above = p.boundary + piece.boundary;
        up = row_within(p, k, piece, s) + piece.own;
    }
    Collector<kind, 1> collector(p, b, lane, reinterpret_cast<uint32_t *>(shared));
    const int32_t parts = (p.top + at_once - 1) / at_once;
    for (int32_t part = static_cast<int32_t>(blockIdx.y); part < parts;
         part += static_cast<int32_t>(gridDim.y)) {
        const int32_t first = part * at_once;
        path_length least[at_once];
#pragma unroll
        for (int c = 0; c < at_once; c++)
            least[c] = LENGTH_INF;
#pragma unroll 2
        for (int32_t i = 0; i < width; i++) {
            const path_length *const row =
                p.among + static_cast<size_t>(above[i]) * p.among_ld + first;
            const path_length d = up[i];
#pragma unroll
            for (int c = 0; c < at_once; c += 4) {
                const four_lengths four = four_of(row + c);
                least[c] = least_sum(d, four.x, least[c]);
                least[c + 1] = least_sum(d, four.y, least[c + 1]);
                least[c + 2] = least_sum(d, four.z, least[c + 2]);
                least[c + 3] = least_sum(d, four.w, least[c + 3]);
            }
        }
        collector.begin(at_once);
#pragma unroll
        for (int c = 0; c < at_once; c++) {
            if (first + c < p.top) {
                if (kind != PRODUCT_LABELS)
                    b.labels[static_cast<size_t>(first + c) * b.lanes + lane] = least[c];
                collector.turn_to(first + c, false);
                collector.add(0, collected(collector, least[c]));
            }
        }
    }
    collector.finish();
}

// Pieces ------------------------------------------------------------------------------------------

// State of a block's job.
struct Job {
    struct piece piece;
    struct product_job job;
    int32_t place; // place of the first target
    bool stores;   // labels are stored, because pieces below read them
    bool inside;   // some source of the block may be in the piece's subtree

    __device__ Job(const Pieces &p, const struct product_job &own, int32_t first_source,
                   int32_t last_source)
        : piece(p.piece[own.piece]), job(own), place(piece.place + own.skipped),
          stores(own.piece >= p.leaves),
          inside(last_source >= piece.low && first_source < piece.high) {
    }
    // Returns the least of a label and of the distance inside the subtree, for target v.
    __device__ __forceinline__ path_length least(const Pieces &p, int32_t source, int32_t v,
                                                 path_length label) const {
        return source >= piece.low && source < piece.high
                   ? lesser(label, row_within(p, job.piece, piece, source)[job.skipped + v])
                   : label;
    }
};

// Finds the products for one job. A thread holds the boundary's labels, `width` for each of
// `sources` sources, in registers.
template <int width, int sources, enum product_kind kind>
__device__ __forceinline__ void multiply(const Pieces &p, const Batch &b, const Job &job,
                                         const path_length *through, const int32_t *row,
                                         int32_t lane, Collector<kind, sources> &collector) {
    constexpr int quads = (width + 3) / 4;
    path_length above[sources][width];
#pragma unroll
    for (int i = 0; i < width; i++) {
#pragma unroll
        for (int r = 0; r < sources; r++)
            above[r][i] = b.labels[static_cast<size_t>(row[i]) * b.lanes + lane + r * threads];
    }
    const auto least_of = [&](int32_t v, path_length(&least)[sources]) {
#pragma unroll
        for (int r = 0; r < sources; r++)
            least[r] = LENGTH_INF;
#pragma unroll
        for (int q = 0; q < quads; q++) {
            const four_lengths four = four_of(through + 4 * (v * quads + q));
            const path_length length[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int i = 4 * q; i < min(4 * q + 4, width); i++) {
#pragma unroll
                for (int r = 0; r < sources; r++)
                    least[r] = least_sum(above[r][i], length[i % 4], least[r]);
            }
        }
    };
    int32_t v = 0;
    // Two targets at a time if no source is in the subtree: most sources are outside most pieces,
    // and most pieces are leaves.
    for (; v + 1 < job.job.targets && !job.inside && (kind == PRODUCT_LABELS || !job.stores);
         v += 2) {
        path_length first[sources], second[sources];
        least_of(v, first);
        least_of(v + 1, second);
        collector.turn_to(job.place + v, true);
#pragma unroll
        for (int r = 0; r < sources; r++)
            collector.add(r, first[r], second[r]);
    }
    for (; v < job.job.targets; v++) {
        path_length least[sources];
        least_of(v, least);
        collector.turn_to(job.place + v, false);
#pragma unroll
        for (int r = 0; r < sources; r++) {
            const int32_t own = lane + r * threads;
            if (job.inside)
                least[r] = job.least(p, b.source[own], v, least[r]);
            if (job.stores && kind != PRODUCT_LABELS)
                b.labels[static_cast<size_t>(job.place + v) * b.lanes + own] = least[r];
            collector.add(r, job.inside ? collected(collector, least[r]) : least[r]);
        }
    }
}

template <int sources, enum product_kind kind>
__device__ __forceinline__ void multiply_narrow(const Pieces &p, const Batch &b, const Job &job,
                                                const path_length *through, const int32_t *row,
                                                int32_t lane, Collector<kind, sources> &collector) {
#define CASE(width)                                                                                \
    case width:                                                                                    \
        multiply<width, sources, kind>(p, b, job, through, row, lane, collector);                  \
        break
    switch (job.piece.width) {
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
        CASE(7);
        CASE(8);
        CASE(9);
        CASE(10);
        CASE(11);
        CASE(12);
        CASE(13);
        CASE(14);
        CASE(15);
        CASE(16);
    default: // pieces without a boundary
        multiply<4, sources, kind>(p, b, job, through, row, lane, collector);
    }
#undef CASE
}

// Each block takes some jobs, with `sources` sources for each thread. Boundaries are filled up to
// `width`; width PRODUCT_NARROW takes boundaries of any width up to it.
template <int width, int sources, enum product_kind kind>
__global__ void __launch_bounds__(threads)
    sweep_pieces(Pieces p, Batch b, int32_t first_job, int32_t jobs) {
    DYNAMIC_SHARED(path_length, shared);
    path_length *const through = shared;
    int32_t *const row = reinterpret_cast<int32_t *>(through + PRODUCT_TARGETS * width);
    uint32_t *const counts = reinterpret_cast<uint32_t *>(row + width);
    const int32_t block_lane = static_cast<int32_t>(blockIdx.x) * threads * sources;
    const int32_t lane = block_lane + static_cast<int32_t>(threadIdx.x);
    const int32_t first_source = b.source[block_lane];
    const int32_t last_source = b.source[block_lane + threads * sources - 1];
    Collector<kind, sources> collector(p, b, lane, counts);
    // A block takes neighbouring jobs, because their boundaries have much in common.
    const int32_t from = static_cast<int32_t>(static_cast<int64_t>(jobs) * blockIdx.y / gridDim.y);
    const int32_t to =
        static_cast<int32_t>(static_cast<int64_t>(jobs) * (blockIdx.y + 1) / gridDim.y);
    for (int32_t j = from; j < to; j++) {
        const Job job(p, p.job[first_job + j], first_source, last_source);
        const int32_t cells = rounded(job.piece.width);
        const path_length *const all =
            p.through + p.outside[job.job.piece] + static_cast<int64_t>(job.job.skipped) * cells;
        __syncthreads();
        for (int32_t i = static_cast<int32_t>(threadIdx.x); i < job.job.targets * cells / 4;
             i += threads)
            put_four(through + 4 * i, four_of(all + 4 * i));
        for (int32_t i = static_cast<int32_t>(threadIdx.x); i < width; i += threads)
            row[i] =
                i < job.piece.width ? p.boundary[job.piece.boundary + i] : no_path_row(p, kind);
        __syncthreads();
        collector.begin(PRODUCT_TARGETS);
        if constexpr (width == PRODUCT_NARROW)
            multiply_narrow<sources, kind>(p, b, job, through, row, lane, collector);
        else
            multiply<width, sources, kind>(p, b, job, through, row, lane, collector);
    }
    collector.finish();
}

// Finds the products for jobs with boundaries of any width. Labels of the boundary are read again
// for every few targets.
template <enum product_kind kind>
__global__ void __launch_bounds__(threads)
    sweep_wide_pieces(Pieces p, Batch b, int32_t first_job, int32_t jobs) {
    DYNAMIC_SHARED(path_length, shared);
    const int32_t block_lane = static_cast<int32_t>(blockIdx.x) * threads;
    const int32_t lane = block_lane + static_cast<int32_t>(threadIdx.x);
    const int32_t source = b.source[lane];
    Collector<kind, 1> collector(p, b, lane, reinterpret_cast<uint32_t *>(shared));
    for (int32_t j = static_cast<int32_t>(blockIdx.y); j < jobs;
         j += static_cast<int32_t>(gridDim.y)) {
        const Job job(p, p.job[first_job + j], b.source[block_lane],
                      b.source[block_lane + threads - 1]);
        const int32_t *const boundary = p.boundary + job.piece.boundary;
        const int32_t width = rounded(job.piece.width);
        collector.begin(PRODUCT_TARGETS);
        for (int32_t first = 0; first < job.job.targets; first += at_a_time) {
            const int32_t some = min(at_a_time, job.job.targets - first);
            const path_length *const all = p.through + p.outside[job.job.piece] +
                                           static_cast<int64_t>(job.job.skipped + first) * width;
            path_length least[at_a_time];
#pragma unroll
            for (int c = 0; c < at_a_time; c++)
                least[c] = LENGTH_INF;
            for (int32_t i = 0; i < job.piece.width; i++) {
                const path_length above =
                    b.labels[static_cast<size_t>(boundary[i]) * b.lanes + lane];
#pragma unroll
                for (int c = 0; c < at_a_time; c++) {
                    const path_length length = c < some ? all[c * width + i] : LENGTH_INF;
                    least[c] = least_sum(above, length, least[c]);
                }
            }
#pragma unroll
            for (int c = 0; c < at_a_time; c++) {
                if (c >= some)
                    continue;
                const path_length label = job.least(p, source, first + c, least[c]);
                if (job.stores && kind != PRODUCT_LABELS)
                    b.labels[static_cast<size_t>(job.place + first + c) * b.lanes + lane] = label;
                collector.turn_to(job.place + first + c, false);
                collector.add(0, collected(collector, label));
            }
        }
    }
    collector.finish();
}

__global__ void fill_no_path(path_length *row, int32_t lanes) {
    const int32_t lane = static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
    if (lane < lanes)
        row[lane] = LENGTH_INF;
}

__global__ void take_row(Pieces p, Batch b, path_length *row) {
    const int32_t place = static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
    if (place < p.n)
        row[p.vertex[place]] = b.labels[static_cast<size_t>(place) * b.lanes];
}

// Rows --------------------------------------------------------------------------------------------

// Returns whether an edge with that weight lies on a shortest path: the label at its head is the
// label at its tail plus the weight.
__device__ __forceinline__ bool is_tight(path_length from, path_length weight, path_length to) {
    return from < LENGTH_INF && weight < LENGTH_INF && from + weight == to;
}

// Kernels complete_rows and write_rows: a block turns the labels of some vertices from some sources
// into cells of rows. Neighbouring threads read neighbouring labels, and write neighbouring cells.
constexpr int row_threads = 2 * threads;
constexpr int row_sources = threads;                // sources of a block
constexpr int row_pitch = row_sources + 1;          // cells in shared memory from one vertex to the
                                                    // next
constexpr int beside = threads < 32 ? threads : 32; // threads that work on the same vertex
constexpr int sources_each = row_sources / beside;
constexpr int teams = row_threads / beside;
// Vertices that a block of write_rows takes.
constexpr int tail_vertices = 128 / static_cast<int>(sizeof(path_length));

// The sources of a block and those of a thread.
struct RowTile {
    int32_t first_vertex, first_source; // first ones of the block
    int thread, own, team;

    __device__ explicit RowTile(int vertices)
        : first_vertex(static_cast<int32_t>(blockIdx.x) * vertices),
          first_source(static_cast<int32_t>(blockIdx.y) * row_sources),
          thread(static_cast<int>(threadIdx.x)), own(thread % beside), team(thread / beside) {
    }
    // Returns the number of the thread's source k among those of the block.
    __device__ __forceinline__ int32_t source(int k) const {
        return own + k * beside;
    }
    // Returns the labels at a place from the thread's sources, which are `beside` cells apart.
    __device__ __forceinline__ const path_length *labels(const Batch &b, int32_t place) const {
        return b.labels + first_source + own +
               static_cast<uint64_t>(static_cast<uint32_t>(place)) * static_cast<uint32_t>(b.lanes);
    }
};

// Gathers what a group needs of its piece, so that complete_rows finds it in one place.
__global__ void gather_groups(Pieces p, product_rows rows) {
    const row_columns &group = rows.group[blockIdx.x];
    if (group.leaf < 0)
        return;
    const struct piece &piece = p.piece[group.leaf];
    const path_length *const through = p.through + p.outside[group.leaf];
    for (int32_t j = static_cast<int32_t>(threadIdx.x); j < piece.width;
         j += static_cast<int32_t>(blockDim.x)) {
        path_length *const to = rows.through + ROW_COLUMNS * (group.first + j);
        rows.above[group.first + j] = p.boundary[piece.boundary + j];
        for (int c = 0; c < group.count; c++)
            to[c] =
                through[static_cast<int64_t>(group.place[c] - piece.place) * rounded(piece.width) +
                        j];
    }
}

// Puts the distances from a thread's sources to `count` columns of a group into shared memory.
template <int count>
__device__ __forceinline__ void complete(const RowTile &tile, const Pieces &p, const Batch &b,
                                         const product_rows &rows, const row_columns &group,
                                         bool may_be_inside, path_length *dist) {
    path_length found[count][sources_each];
    if (group.leaf < 0) { // the labels are stored
#pragma unroll
        for (int c = 0; c < count; c++) {
            const path_length *const label = tile.labels(b, group.place[c]);
#pragma unroll
            for (int k = 0; k < sources_each; k++)
                found[c][k] = label[k * beside];
        }
    } else {
        const int32_t width = group.width;
        const int32_t *const above = rows.above + group.first;
        const path_length *const through = rows.through + ROW_COLUMNS * group.first;
#pragma unroll
        for (int c = 0; c < count; c++) {
#pragma unroll
            for (int k = 0; k < sources_each; k++)
                found[c][k] = LENGTH_INF;
        }
#pragma unroll 2
        for (int32_t j = 0; j < width; j++) {
            const four_lengths length = four_of(through + ROW_COLUMNS * j);
            const path_length *const label = tile.labels(b, above[j]);
#pragma unroll
            for (int k = 0; k < sources_each; k++) {
#pragma unroll
                for (int c = 0; c < count; c++)
                    found[c][k] = least_sum(label[k * beside], cell_of(length, c), found[c][k]);
            }
        }
    }
    if (may_be_inside && group.leaf >= 0) { // paths inside the piece's subtree
        const struct piece &piece = p.piece[group.leaf];
        for (int k = 0; k < sources_each; k++) {
            const int32_t s = b.source[tile.first_source + tile.source(k)];
            if (s < piece.low || s >= piece.high)
                continue;
            const path_length *const row = row_within(p, group.leaf, piece, s);
#pragma unroll
            for (int c = 0; c < count; c++)
                found[c][k] = lesser(found[c][k], row[group.place[c] - piece.place]);
        }
    }
#pragma unroll
    for (int c = 0; c < count; c++) {
        path_length *const to = dist + (group.vertex[c] - tile.first_vertex) * row_pitch + tile.own;
#pragma unroll
        for (int k = 0; k < sources_each; k++)
            to[k * beside] = distance_of(rows.spacing, found[c][k]);
    }
}

// Writes rows where only the labels above the leaf pieces are stored: the others are found here, so
// that they never travel through device memory.
__global__ void __launch_bounds__(row_threads, 4)
    complete_rows(Pieces p, Batch b, product_rows rows) {
    DYNAMIC_SHARED(path_length, dist);
    const RowTile tile(ROW_TILE);
    const int32_t lowest = b.source[tile.first_source];
    const int32_t highest = b.source[tile.first_source + row_sources - 1];
    const int32_t end = rows.first_group[blockIdx.x + 1];
    for (int32_t q = rows.first_group[blockIdx.x] + tile.team; q < end; q += teams) {
        const row_columns &group = rows.group[q];
        const bool may_be_inside = highest >= group.low && lowest < group.high;
        switch (group.count) {
        case 1:
            complete<1>(tile, p, b, rows, group, may_be_inside, dist);
            break;
        case 2:
            complete<2>(tile, p, b, rows, group, may_be_inside, dist);
            break;
        case 3:
            complete<3>(tile, p, b, rows, group, may_be_inside, dist);
            break;
        default:
            complete<ROW_COLUMNS>(tile, p, b, rows, group, may_be_inside, dist);
        }
    }
    __syncthreads();
    // Each thread writes four neighbouring cells of a row.
    constexpr int across = ROW_TILE / 4, down = row_threads / across;
    const int32_t column = tile.thread % across * 4, v = tile.first_vertex + column;
    const path_length *const from = dist + column * row_pitch;
    for (int k = tile.thread / across; k < row_sources; k += down) {
        const int32_t source = tile.first_source + k;
        if (source >= b.count || v >= p.n)
            continue;
        path_length *const to =
            rows.dist +
            static_cast<size_t>(rows.index != nullptr ? rows.index[source] : source) * rows.ld + v;
        if (v + 4 <= p.n)
            put_four(to, {from[k], from[row_pitch + k], from[2 * row_pitch + k],
                          from[3 * row_pitch + k]});
        else
            for (int c = 0; v + c < p.n; c++)
                to[c] = from[c * row_pitch + k];
    }
}

// Writes rows from the labels of all vertices, and finds predecessors at the same time.
__global__ void __launch_bounds__(row_threads) write_rows(int32_t n, Batch b, product_rows rows) {
    DYNAMIC_SHARED(path_length, dist);
    int32_t *const pred = reinterpret_cast<int32_t *>(dist + tail_vertices * row_pitch);
    const RowTile tile(tail_vertices);
    for (int32_t i = tile.team; i < tail_vertices; i += teams) {
        const int32_t v = tile.first_vertex + i;
        if (v >= n)
            break;
        path_length found[sources_each];
        int32_t lowest[sources_each];
        const path_length *const label = tile.labels(b, rows.place[v]);
#pragma unroll
        for (int k = 0; k < sources_each; k++) {
            found[k] = label[k * beside];
            lowest[k] = INT32_MAX;
        }
        const int64_t end = rows.in.first[v + 1];
#pragma unroll 2
        for (int64_t e = rows.in.first[v]; e < end; e++) {
            const int32_t tail = rows.in.tail[e];
            const path_length *const from = tile.labels(b, rows.in.place[e]);
            const path_length weight = rows.in.weight[e];
#pragma unroll
            for (int k = 0; k < sources_each; k++) {
                if (is_tight(from[k * beside], weight, found[k]))
                    lowest[k] = min(lowest[k], tail);
            }
        }
#pragma unroll
        for (int k = 0; k < sources_each; k++) {
            const int at = i * row_pitch + tile.source(k);
            dist[at] = distance_of(rows.spacing, found[k]);
            pred[at] = found[k] < LENGTH_INF && lowest[k] < INT32_MAX &&
                               rows.source[tile.first_source + tile.source(k)] != v
                           ? lowest[k]
                           : -1;
        }
    }
    __syncthreads();
    for (int c = tile.thread; c < tail_vertices * row_sources; c += row_threads) {
        const int32_t k = tile.first_source + c / tail_vertices;
        const int32_t v = tile.first_vertex + c % tail_vertices;
        if (k >= b.count || v >= n)
            continue;
        const size_t to = static_cast<size_t>(rows.index != nullptr ? rows.index[k] : k) * rows.ld +
                          static_cast<size_t>(v);
        const int from = c % tail_vertices * row_pitch + c / tail_vertices;
        rows.dist[to] = dist[from];
        rows.pred[to] = pred[from];
    }
}

// Predecessors ------------------------------------------------------------------------------------

__global__ void find_tails(int32_t n, product_rows rows) {
    const path_length *const row = rows.dist + blockIdx.x * rows.ld;
    const int32_t source = rows.source[blockIdx.x];
    for (int32_t v = static_cast<int32_t>(blockIdx.y * blockDim.x + threadIdx.x); v < n;
         v += static_cast<int32_t>(gridDim.y * blockDim.x)) {
        int32_t lowest = INT32_MAX;
        const path_length own = row[v];
        if (v != source && own < LENGTH_INF) {
            for (int64_t e = rows.in.first[v]; e < rows.in.first[v + 1]; e++) {
                const int32_t from = rows.in.tail[e];
                if (is_tight(row[from], distance_of(rows.spacing, rows.in.weight[e]), own))
                    lowest = min(lowest, from);
            }
        }
        rows.pred[blockIdx.x * rows.ld + v] = lowest < INT32_MAX ? lowest : -1;
    }
}

// Launching ---------------------------------------------------------------------------------------

struct Sweep {
    const Pieces &p;
    const Batch &b;
    int slots;

    // Launches as many blocks as run at the same time. Blocks with different x take different
    // sources, blocks with different y different parts of the work.
    template <typename... Parameters, typename... Arguments>
    enum status spread(void (*kernel)(Parameters...), int sources, int32_t work, size_t bytes,
                       struct error *err, Arguments... arguments) const {
        const int32_t across = b.lanes / (threads * sources);
        int together = 0;
        if (bytes > every_gpu)
            RETURN_ON_FAILURE(allow_shared(kernel, bytes, err));
        RETURN_ON_FAILURE(blocks_together(kernel, threads, bytes, &together, err));
        const int32_t down = max(1, min(work, min(together, slots) / across));
        return launch(err, kernel, dim3(static_cast<unsigned>(across), static_cast<unsigned>(down)),
                      dim3(threads), bytes, p, b, arguments...);
    }
    template <enum product_kind kind>
    enum status top(struct error *err) const {
        return p.top == 0 ? STATUS_OK
                          : spread(sweep_top<kind>, 1, (p.top + at_once - 1) / at_once,
                                   counters(kind) * sizeof(uint32_t), err);
    }
    template <int width, int sources, enum product_kind kind>
    enum status pieces(int32_t first, int32_t jobs, struct error *err) const {
        return jobs == 0 ? STATUS_OK
                         : spread(sweep_pieces<width, sources, kind>, sources, jobs,
                                  PRODUCT_TARGETS * width * sizeof(path_length) +
                                      (width + counters(kind)) * sizeof(int32_t),
                                  err, first, jobs);
    }
    template <enum product_kind kind>
    enum status level(const int32_t *first, struct error *err) const {
        const auto jobs = [&](int c) { return first[c + 1] - first[c]; };
        enum status status = STATUS_OK;
        if (jobs(6) > 0)
            status = spread(sweep_wide_pieces<kind>, 1, jobs(6), counters(kind) * sizeof(uint32_t),
                            err, first[6], jobs(6));
        if (status == STATUS_OK)
            status = pieces<64, 1, kind>(first[5], jobs(5), err);
        if (status == STATUS_OK)
            status = pieces<48, 1, kind>(first[4], jobs(4), err);
        if (status == STATUS_OK)
            status = pieces<32, 1, kind>(first[3], jobs(3), err);
        if (status == STATUS_OK)
            status = pieces<24, narrow_sources, kind>(first[2], jobs(2), err);
        if (status == STATUS_OK)
            status = pieces<20, narrow_sources, kind>(first[1], jobs(1), err);
        if (status == STATUS_OK)
            status = pieces<PRODUCT_NARROW, narrow_sources, kind>(first[0], jobs(0), err);
        return status;
    }
    template <enum product_kind kind>
    enum status all(struct error *err) const {
        RETURN_ON_FAILURE(
            launch(err, fill_no_path, dim3(tiles_covering(b.lanes, threads)), dim3(threads), 0,
                   b.labels + static_cast<size_t>(no_path_row(p, kind)) * b.lanes, b.lanes));
        RETURN_ON_FAILURE(top<kind>(err));
        RETURN_ON_FAILURE(level<kind>(p.first_job[0], err));
        return kind == PRODUCT_UPPER ? STATUS_OK : level<kind>(p.first_job[1], err);
    }
};

enum status find_slots(int32_t lanes, int *slots, struct error *err) {
    RETURN_ON_FAILURE(multiprocessors(slots, err));
    *slots = max(*slots * slots_each, lanes / threads);
    return STATUS_OK;
}

} // namespace

int32_t product_width(int32_t width) {
    return rounded(width);
}

int product_width_class(int32_t width) {
    static const int32_t widths[PRODUCT_WIDTHS - 1] = {PRODUCT_NARROW, 20, 24, 32, 48, 64};
    int c = 0;
    while (c < PRODUCT_WIDTHS - 1 && widths[c] < width)
        c++;
    return c;
}

enum status product_slots(int32_t lanes, int *slots, struct error *err) {
    return find_slots(lanes, slots, err);
}

namespace {

// Returns the number of cells of scratch for each block; 0: labels fit into shared memory.
size_t closing_cells(int32_t largest) {
    const size_t cells = static_cast<size_t>(largest) * closing_threads;
    return cells * sizeof(path_length) <= every_gpu ? 0 : cells;
}

constexpr unsigned closing_blocks = 264; // number of blocks if labels are in scratch

} // namespace

size_t products_close_scratch(int32_t largest) {
    return closing_cells(largest) * closing_blocks;
}

enum status products_close(const struct product_pieces *p, int32_t largest, path_length *scratch,
                           struct error *err) {
    const size_t each = closing_cells(largest);
    const unsigned pieces = static_cast<unsigned>(p->count);
    if (p->count == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(
        launch(err, close_pieces, dim3(each > 0 ? min(pieces, closing_blocks) : pieces),
               dim3(closing_threads),
               each > 0 ? 0 : static_cast<size_t>(largest) * closing_threads * sizeof(path_length),
               *p, scratch, each));
    if (p->leaves == 0)
        return STATUS_OK;
    return launch(err, climb, dim3(static_cast<unsigned>(p->leaves)), dim3(threads), 0, *p);
}

enum status products_sweep(const struct product_pieces *p, const struct product_batch *batch,
                           struct error *err) {
    int slots = 0;
    RETURN_ON_FAILURE(find_slots(batch->lanes, &slots, err));
    const Sweep sweep = {*p, *batch, slots};
    switch (batch->kind) {
    case PRODUCT_ROWS:
        return sweep.all<PRODUCT_ROWS>(err);
    case PRODUCT_UPPER:
        return sweep.all<PRODUCT_UPPER>(err);
    case PRODUCT_LABELS:
        return sweep.all<PRODUCT_LABELS>(err);
#ifndef LENGTH_F64
    case PRODUCT_FINITE:
        return sweep.all<PRODUCT_FINITE>(err);
#endif
    case PRODUCT_SUMS:
        return sweep.all<PRODUCT_SUMS>(err);
    default:
        return sweep.all<PRODUCT_TOTALS>(err);
    }
}

enum status products_gather_groups(const struct product_pieces *p, const struct product_rows *rows,
                                   int32_t groups, struct error *err) {
    return launch(err, gather_groups, dim3(static_cast<unsigned>(groups)), dim3(threads), 0, *p,
                  *rows);
}

enum status products_write_rows(const struct product_pieces *p, const struct product_batch *batch,
                                const struct product_rows *rows, struct error *err) {
    const bool completes = batch->kind == PRODUCT_UPPER;
    const int vertices = completes ? static_cast<int>(ROW_TILE) : tail_vertices;
    const dim3 grid(static_cast<unsigned>(tiles_covering(p->n, vertices)),
                    static_cast<unsigned>(tiles_covering(batch->count, row_sources)));
    const size_t cells = static_cast<size_t>(vertices) * row_pitch;
    return completes ? launch(err, complete_rows, grid, dim3(row_threads),
                              cells * sizeof(path_length), *p, *batch, *rows)
                     : launch(err, write_rows, grid, dim3(row_threads),
                              cells * (sizeof(path_length) + sizeof(int32_t)), p->n, *batch, *rows);
}

enum status products_fetch_row(const struct product_pieces *p, const struct product_batch *batch,
                               path_length *row, struct error *err) {
    return launch(err, take_row, dim3(tiles_covering(p->n, threads)), dim3(threads), 0, *p, *batch,
                  row);
}

enum status products_predecessors(const struct product_pieces *p, const struct product_batch *batch,
                                  const struct product_rows *rows, struct error *err) {
    const int32_t enough = 8; // vertices that each thread has at least
    return launch(err, find_tails,
                  dim3(static_cast<unsigned>(batch->count), tiles_covering(p->n, enough * threads)),
                  dim3(threads), 0, p->n, *rows);
}
