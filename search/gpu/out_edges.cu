// SPDX-License-Identifier: MIT
#include "search/gpu/out_edges.cuh"

#include "gpu/launch/flags.cuh"  // fetch_add
#include "gpu/launch/launch.cuh" // launch

namespace {

constexpr unsigned of_a_vertex = 32; // number of threads for a vertex
constexpr unsigned summing = 1024;   // number of threads of the block that adds up

// Adds the number of edges from u to first[u + 1], which must be 0 before. Each block takes a
// vertex.
__global__ void count_edges(struct gpu_in_edges in, OutEdges out) {
    const int64_t end = in.first[blockIdx.x + 1];
    for (int64_t e = in.first[blockIdx.x] + threadIdx.x; e < end; e += blockDim.x)
        fetch_add(out.first + in.tail[e] + 1, 1);
}

// Turns the numbers of edges into prefix sums, in one block; its number of threads is a power of
// two.
__global__ void sum_edges(int32_t n, OutEdges out) {
    DYNAMIC_SHARED(uint32_t, sum);
    const int32_t thread = static_cast<int32_t>(threadIdx.x);
    const int32_t threads = static_cast<int32_t>(blockDim.x);
    uint32_t before = 0;
    for (int32_t first = 0; first < n; first += threads) {
        const int32_t u = first + thread;
        sum[thread] = u < n ? out.first[u + 1] : 0;
        __syncthreads();
        for (int32_t distance = 1; distance < threads; distance *= 2) {
            const uint32_t left = thread >= distance ? sum[thread - distance] : 0;
            __syncthreads();
            sum[thread] += left;
            __syncthreads();
        }
        if (u < n)
            out.first[u + 1] = before + sum[thread];
        before += sum[threads - 1];
        __syncthreads();
    }
}

// Writes the edges to their places. Each block takes a vertex. placed[u] must be 0 before.
template <bool is_real>
__global__ void place_edges(struct gpu_in_edges in, OutEdges out, uint32_t *placed) {
    const int64_t end = in.first[blockIdx.x + 1];
    for (int64_t e = in.first[blockIdx.x] + threadIdx.x; e < end; e += blockDim.x) {
        const int32_t tail = in.tail[e];
        const uint32_t place = out.first[tail] + fetch_add(placed + tail, 1);
        out.head[place] = blockIdx.x;
        if constexpr (is_real)
            out.real_weight[place] = in.real_weight[e];
        else
            out.weight[place] = in.weight[e];
    }
}

} // namespace

OutEdges OutEdges::take(const struct gpu_matrices *m, Arena *arena) {
    const size_t n = static_cast<size_t>(m->n), edges = static_cast<size_t>(m->in.m);
    OutEdges out;
    out.first = arena->take<uint32_t>(n + 1 + n); // behind `first`: the number of edges of each
                                                  // vertex that have been placed
    out.head = arena->take<uint32_t>(edges);
    if (m->type == NUMBER_INT32)
        out.weight = arena->take<int32_t>(edges);
    else
        out.real_weight = arena->take<double>(edges);
    return out;
}

enum status OutEdges::fill(const struct gpu_matrices *m, struct error *err) const {
    const size_t n = static_cast<size_t>(m->n);
    const dim3 each(static_cast<unsigned>(m->n));
    RETURN_ON_FAILURE(gpu_check(cudaMemsetAsync(first, 0, (n + 1 + n) * sizeof(uint32_t), nullptr),
                                "clearing counters", err));
    RETURN_ON_FAILURE(launch(err, count_edges, each, dim3(of_a_vertex), 0, m->in, *this));
    RETURN_ON_FAILURE(
        launch(err, sum_edges, dim3(1), dim3(summing), summing * sizeof(uint32_t), m->n, *this));
    return launch(err, m->type == NUMBER_INT32 ? place_edges<false> : place_edges<true>, each,
                  dim3(of_a_vertex), 0, m->in, *this, first + n + 1);
}
