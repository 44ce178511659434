// SPDX-License-Identifier: MIT
// Makes the matrices that every GPU variant starts from on the device: uploading n^2 cells would
// take longer than uploading the edges.
#include "gpu/gpu_solver.h" // gpu_fill_adjacency

#include "common/graph/graph.h"  // INF
#include "gpu/launch/launch.cuh" // launch

namespace {

constexpr int lanes = 32; // one warp for each row, and for the edges into each vertex
constexpr int rows = 8;   // number of rows per block

__device__ int64_t own_row() {
    return static_cast<int64_t>(blockIdx.x) * rows + threadIdx.y;
}

__device__ int32_t without_edge(int32_t i, int32_t j, int32_t n) {
    return i == j && i < n ? 0 : INF;
}

// A warp writes the cells of a row up to ld, 512 bytes at a time.
__global__ void fill_rows(int32_t *dist, int32_t *pred, int32_t n, int32_t order, size_t ld) {
    if (own_row() >= order)
        return;
    const int32_t i = static_cast<int32_t>(own_row());
    int4 *distances = reinterpret_cast<int4 *>(dist + static_cast<size_t>(i) * ld);
    int4 *predecessors = reinterpret_cast<int4 *>(pred + static_cast<size_t>(i) * ld);
    for (size_t quad = threadIdx.x; quad < ld / 4; quad += lanes) {
        const int32_t j = static_cast<int32_t>(4 * quad);
        distances[quad] = make_int4(without_edge(i, j, n), without_edge(i, j + 1, n),
                                    without_edge(i, j + 2, n), without_edge(i, j + 3, n));
        if (pred != nullptr)
            predecessors[quad] = make_int4(-1, -1, -1, -1);
    }
}

// A warp writes the edges into one vertex to the matrix.
__global__ void place_edges(struct gpu_in_edges in, int32_t *dist, int32_t *pred, int32_t n,
                            size_t ld) {
    if (own_row() >= n)
        return;
    const int32_t j = static_cast<int32_t>(own_row());
    for (int64_t e = in.first[j] + threadIdx.x; e < in.first[j + 1]; e += lanes) {
        const int32_t i = in.tail[e], weight = in.weight[e];
        if (i == j || weight >= INF)
            continue;
        const size_t cell = static_cast<size_t>(i) * ld + static_cast<size_t>(j);
        dist[cell] = weight;
        if (pred != nullptr)
            pred[cell] = i;
    }
}

} // namespace

enum status gpu_fill_adjacency(const struct gpu_matrices *m, struct error *err) {
    int32_t *pred = m->derives_pred ? nullptr : m->pred;
    const dim3 block(lanes, rows);
    RETURN_ON_FAILURE(launch(err, fill_rows, dim3(tiles_covering(m->order, rows)), block, 0,
                             m->dist, pred, m->n, m->order, m->ld));
    if (m->in.m == 0)
        return STATUS_OK;
    return launch(err, place_edges, dim3(tiles_covering(m->n, rows)), block, 0, m->in, m->dist,
                  pred, m->n, m->ld);
}
