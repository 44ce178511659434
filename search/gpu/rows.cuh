// SPDX-License-Identifier: MIT
// The edges of a graph in the order in which label correcting reads them: the edges into a vertex
// sorted by weight, in sheaves of 16 bytes.
#ifndef SEARCH_GPU_ROWS_CUH
#define SEARCH_GPU_ROWS_CUH

#include "gpu/gpu_solver.h"      // struct gpu_in_edges
#include "gpu/launch/launch.cuh" // DYNAMIC_SHARED

#include <cuda_runtime.h>

#include <stdint.h>

namespace label_correcting {

// The edges into a vertex v: of[v].sheaves sheaves from all[of[v].first] on. Edges that no path
// uses fill up the last sheaf.
struct Row {
    uint32_t first, sheaves;
};
struct Rows {
    Row *of;
    int4 *all;
};

// Returns the edge with a number in a row.
template <typename Format>
__device__ __forceinline__ typename Format::edge edge_at(const Rows &rows, const Row &row,
                                                         int32_t place) {
    return Format::edge_in(rows.all[row.first + static_cast<uint32_t>(place / Format::sheaf)],
                           place % Format::sheaf);
}

constexpr int sorted_at_once = 1024; // most edges that are sorted at once
constexpr uint32_t all_sheaves = UINT32_MAX;

// Returns the index of the first sheaf of v, whose edges begin at number `first` in the graph; each
// row before it has at most one sheaf that is not full. For v = n: an upper bound of the number of
// all sheaves.
template <typename Format>
__host__ __device__ int64_t sheaves_before(int64_t first, int32_t v) {
    return first / Format::sheaf + v;
}

// Sorts the edges into each vertex by weight; negated: by minus the weight, which takes its place.
// Each block takes a vertex. Rows of more than
// sorted_at_once edges become several sorted runs, one after the other.
template <typename Format>
__global__ void sort_rows(struct gpu_in_edges in, bool negated, Rows rows) {
    using edge = typename Format::edge;
    DYNAMIC_SHARED(int32_t, shared);
    edge *const run = reinterpret_cast<edge *>(shared);
    const int32_t v = static_cast<int32_t>(blockIdx.x);
    const int64_t begin = in.first[v], end = in.first[v + 1];
    const int64_t begin_sheaf = sheaves_before<Format>(begin, v);
    edge *const sorted = reinterpret_cast<edge *>(rows.all + begin_sheaf);
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const auto weight_at = [&](int64_t e) {
        typename Format::number weight;
        if constexpr (Format::is_real)
            weight = static_cast<typename Format::number>(in.real_weight[e]);
        else
            weight = in.weight[e];
        return negated ? -weight : weight;
    };
    for (int64_t first = begin; first < end; first += sorted_at_once) {
        const int count = static_cast<int>(min(end - first, static_cast<int64_t>(sorted_at_once)));
        const int padded = (count + Format::sheaf - 1) / Format::sheaf * Format::sheaf;
        for (int e = thread; e < count; e += threads)
            run[e] = Format::edge_of(in.tail[first + e], weight_at(first + e));
        __syncthreads();
        for (int e = thread; e < count; e += threads) {
            const edge own = run[e];
            int rank = 0;
            for (int other = 0; other < count; other++)
                rank += Format::before(run[other], own);
            sorted[first - begin + rank] = own;
        }
        if (thread < padded - count)
            sorted[first - begin + count + thread] = Format::edge_of(0, Format::no_path);
        __syncthreads();
    }
    if (thread == 0)
        rows.of[v] = {static_cast<uint32_t>(begin_sheaf),
                      static_cast<uint32_t>((end - begin + Format::sheaf - 1) / Format::sheaf)};
}

// Makes rows of format To, with the edges of sorted rows of format From at the same places. round()
// turns weights into numbers of To and must keep their order. Each block takes a vertex.
template <typename From, typename To, typename Round>
__global__ void round_rows(const int64_t *first, Rows from, Rows to, Round round) {
    const int32_t v = static_cast<int32_t>(blockIdx.x);
    const int32_t count = static_cast<int32_t>(first[v + 1] - first[v]);
    const int32_t sheaves = (count + To::sheaf - 1) / To::sheaf;
    const int64_t begin_sheaf = sheaves_before<To>(first[v], v);
    typename To::edge *const rounded = reinterpret_cast<typename To::edge *>(to.all + begin_sheaf);
    for (int32_t e = static_cast<int32_t>(threadIdx.x); e < sheaves * To::sheaf; e += blockDim.x) {
        if (e < count) {
            const auto edge = edge_at<From>(from, from.of[v], e);
            rounded[e] = To::edge_of(From::tail(edge), round(From::weight(edge)));
        } else {
            rounded[e] = To::edge_of(0, To::no_path);
        }
    }
    if (threadIdx.x == 0)
        to.of[v] = {static_cast<uint32_t>(begin_sheaf), static_cast<uint32_t>(sheaves)};
}

} // namespace label_correcting

#endif
