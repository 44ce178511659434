// SPDX-License-Identifier: MIT
// See predecessors.cuh. Three kernels:
//  1. keep the edges p -> j with w(p, j) = D[p][j], but those inside a component, side by side and
//     in their order, so that the result is the same every time;
//  2. transpose some rows of D, so that neighbouring threads can take neighbouring sources;
//  3. for every pair of them, walk the kept edges into j until one is tight.
// The last two take as many strips of 128 sources at a time as fit into the memory for them. A
// strip stays in the second-level cache while all columns walk over it. Results leave through
// shared memory, so that rows of predecessors are written in whole cache lines.
#include "cuda_blocked/parts/predecessors.cuh"

#include "common/graph/graph.h"  // INF
#include "gpu/launch/launch.cuh" // launch

namespace {

constexpr int side = 32;           // side of the squares that are transposed
constexpr int sources = 128;       // sources of a block of the third kernel, four for each thread
constexpr int columns = 32;        // columns of a block of the third kernel;
constexpr int few_columns = 8;     // columns of a block for small matrices, to have enough blocks
constexpr int small = 2048;        // most vertices of a small matrix
constexpr int threads = 256;       // threads of a block of the second and the third kernel
constexpr int pitch = sources + 4; // cells from one column of results to the next in shared memory,
                                   // 16-byte aligned
constexpr int at_once = 4;         // edges that are read together

// Rows of D become columns of `to`, whose rows have `width` cells.
__global__ void transpose(const int32_t *from, size_t ld, int32_t *to, size_t width) {
    DYNAMIC_SHARED(int32_t, square);
    const size_t row = static_cast<size_t>(blockIdx.y) * side;
    const size_t column = static_cast<size_t>(blockIdx.x) * side;
    for (unsigned y = threadIdx.y; y < side; y += blockDim.y)
        square[y * (side + 1) + threadIdx.x] = from[(row + y) * ld + column + threadIdx.x];
    __syncthreads();
    for (unsigned y = threadIdx.y; y < side; y += blockDim.y)
        to[(column + y) * width + row + threadIdx.x] = square[threadIdx.x * (side + 1) + y];
}

// Returns in how many of the block's earlier threads `is_set` is true; *total gets in how many of
// all its threads.
__device__ int rank_in_block(bool is_set, int *sums, int *total) {
    const int thread = static_cast<int>(threadIdx.x);
    sums[thread] = is_set;
    __syncthreads();
    for (int distance = 1; distance < threads; distance *= 2) {
        const int before = thread >= distance ? sums[thread - distance] : 0;
        __syncthreads();
        sums[thread] += before;
        __syncthreads();
    }
    const int rank = sums[thread] - is_set;
    *total = sums[threads - 1];
    __syncthreads();
    return rank;
}

struct IsTight {
    const int32_t *dist;
    size_t ld;
    __device__ bool operator()(int64_t, int32_t p, size_t j, int32_t weight) const {
        return weight == dist[static_cast<size_t>(p) * ld + j];
    }
};

struct HasFlag {
    const uint8_t *flag;
    __device__ bool operator()(int64_t e, int32_t, size_t, int32_t) const {
        return flag[e] != 0;
    }
};

// Returns whether edge p -> j lies on a cycle of weight 0. component: number of each vertex's
// component of such cycles, -1: none; NULL: no vertex has one.
__device__ bool is_inside(const int32_t *component, int32_t p, size_t j, int32_t weight) {
    return component != nullptr && weight == 0 && component[j] >= 0 && component[p] == component[j];
}

// Keeps edges into a vertex. There is one block for each vertex j.
template <typename Keeps>
__global__ void keep_edges_that(struct gpu_in_edges in, const int32_t *component, Keeps keeps,
                                Derivation kept) {
    DYNAMIC_SHARED(int, sums);
    const size_t j = blockIdx.x;
    const int64_t first = in.first[j], end = in.first[j + 1];
    int32_t count = 0;
    for (int64_t base = first; base < end; base += threads) {
        const int64_t e = base + threadIdx.x;
        const int32_t p = e < end ? in.tail[e] : 0;
        const int32_t weight = e < end ? in.weight[e] : INF;
        const bool keep =
            weight < INF && !is_inside(component, p, j, weight) && keeps(e, p, j, weight);
        int total;
        const int rank = rank_in_block(keep, sums, &total);
        if (keep)
            kept.edges[first + count + rank] = make_int2(p, weight);
        count += total;
    }
    if (threadIdx.x == 0)
        kept.count[j] = count;
}

// Four sources at one vertex.
struct Quad {
    int32_t value[4];

    __device__ explicit Quad(const int32_t *aligned) {
        const int4 four = *reinterpret_cast<const int4 *>(aligned);
        value[0] = four.x;
        value[1] = four.y;
        value[2] = four.z;
        value[3] = four.w;
    }
};

// Rows of D that are transposed, and the memory for their predecessors.
struct Strips {
    const int32_t *to_all; // transposed distances, [vertex][width]; column c belongs to source
                           // first + c
    size_t first, width;
    int32_t *pred; // predecessors from the first row on
    size_t ld;
};

template <int columns>
__global__ void walk_edges(const int64_t *first_in, const int32_t *component, Derivation kept,
                           Strips strips, int32_t n) {
    DYNAMIC_SHARED(int32_t, results); // predecessors, [columns][pitch]
    const size_t first_row = static_cast<size_t>(blockIdx.y) * sources;
    const size_t first_column = static_cast<size_t>(blockIdx.x) * columns;
    const int lane = static_cast<int>(threadIdx.x) % 32 * 4; // the first of four sources
    for (int column = static_cast<int>(threadIdx.x) / 32; column < columns;
         column += threads / 32) {
        const size_t j = first_column + column;
        const bool inside = j < static_cast<size_t>(n);
        const size_t row = first_row + lane;
        const Quad distance(strips.to_all + j * strips.width + row);
        const int32_t none = inside && component != nullptr && component[j] >= 0 ? n : -1;
        int32_t found[4];
        bool open[4]; // whether the source has no predecessor yet
        for (int s = 0; s < 4; s++) {
            open[s] = distance.value[s] < INF && strips.first + row + s != j;
            found[s] = open[s] ? none : -1;
        }
        const int2 *const edge = kept.edges + (inside ? first_in[j] : 0);
        const int32_t count = inside ? kept.count[j] : 0;
        for (int32_t e = 0; e < count && (open[0] || open[1] || open[2] || open[3]); e += at_once) {
            int2 candidate[at_once]; // the last edge is repeated if there are no more
            for (int c = 0; c < at_once; c++)
                candidate[c] = edge[min(e + c, count - 1)];
            for (int c = 0; c < at_once; c++) {
                const size_t p = static_cast<size_t>(candidate[c].x);
                const Quad before(strips.to_all + p * strips.width + row);
                for (int s = 0; s < 4; s++) {
                    if (open[s] && before.value[s] + candidate[c].y == distance.value[s]) {
                        found[s] = candidate[c].x;
                        open[s] = false;
                    }
                }
            }
        }
        for (int s = 0; s < 4; s++)
            results[column * pitch + lane + s] = found[s];
    }
    __syncthreads();
    for (int c = static_cast<int>(threadIdx.x); c < sources * columns; c += threads)
        strips.pred[(first_row + c / columns) * strips.ld + first_column + c % columns] =
            results[c % columns * pitch + c / columns];
}

} // namespace

Derivation Derivation::take(const struct gpu_matrices *m, Arena *arena) {
    const size_t bytes = m->ld * sources * sizeof(int32_t);
    const size_t fit = m->staging > bytes ? m->staging / bytes : 1;
    const size_t all = static_cast<size_t>(m->order) / sources, strips = fit < all ? fit : all;
    int2 *edges = arena->take<int2>(static_cast<size_t>(m->in.m));
    int32_t *count = arena->take<int32_t>(static_cast<size_t>(m->n));
    return {edges, count, arena->take<int32_t>(strips * m->ld * sources),
            static_cast<int32_t>(strips)};
}

enum status Derivation::keep_edges(const struct gpu_matrices *m, const uint8_t *flag,
                                   struct error *err) const {
    const dim3 grid(static_cast<unsigned>(m->n)), block(threads);
    const size_t bytes = sizeof(int) * threads;
    return flag != nullptr ? launch(err, keep_edges_that<HasFlag>, grid, block, bytes, m->in,
                                    m->component, HasFlag{flag}, *this)
                           : launch(err, keep_edges_that<IsTight>, grid, block, bytes, m->in,
                                    m->component, IsTight{m->dist, m->ld}, *this);
}

enum status Derivation::derive(const struct gpu_matrices *m, int32_t first, int32_t rows,
                               const int32_t *dist, int32_t *pred, struct error *err) const {
    const unsigned order = static_cast<unsigned>(m->order);
    const int32_t most = strips * sources;
    for (int32_t done = 0; done < rows; done += most) {
        const unsigned height = static_cast<unsigned>(rows - done < most ? rows - done : most);
        const size_t start = static_cast<size_t>(done) * m->ld;
        const Strips some = {to_all, static_cast<size_t>(first + done), height, pred + start,
                             m->ld};
        RETURN_ON_FAILURE(launch(err, transpose, dim3(order / side, height / side), dim3(side, 8),
                                 sizeof(int32_t) * side * (side + 1), dist + start, m->ld, to_all,
                                 some.width));
        if (m->n <= small)
            RETURN_ON_FAILURE(launch(err, walk_edges<few_columns>,
                                     dim3(order / few_columns, height / sources), dim3(threads),
                                     sizeof(int32_t) * few_columns * pitch, m->in.first,
                                     m->component, *this, some, m->n));
        if (m->n > small || m->warm_up)
            RETURN_ON_FAILURE(launch(
                err, walk_edges<columns>, dim3(order / columns, height / sources), dim3(threads),
                sizeof(int32_t) * columns * pitch, m->in.first, m->component, *this, some, m->n));
    }
    return STATUS_OK;
}

enum status derive_predecessors(const struct gpu_matrices *m, Arena *arena, struct error *err) {
    if (m->pred == nullptr)
        return STATUS_OK;
    const Derivation derivation = Derivation::take(m, arena);
    RETURN_ON_FAILURE(derivation.keep_edges(m, nullptr, err));
    return derivation.derive(m, 0, m->order, m->dist, m->pred, err);
}
