// SPDX-License-Identifier: MIT
#include "cuda_blocked/parts/reachability.cuh"

#include "common/graph/graph.h"  // INF
#include "gpu/launch/flags.cuh"  // store_release
#include "gpu/launch/launch.cuh" // launch, read_flag

namespace {

constexpr int threads = 128;
constexpr int sources = 32; // number of sources in a word, one for each bit

// Number of words of bits for a vertex: enough for all sources, or as many as fit.
unsigned groups_at_once(const struct gpu_matrices *m) {
    const unsigned all = tiles_covering(m->n, sources);
    const size_t fit = m->staging / (sizeof(uint32_t) * static_cast<size_t>(m->n));
    return fit >= all ? all : fit > 1 ? static_cast<unsigned>(fit) : 1;
}

// Bit k of word [v][g] is set if the source of row first_row + 32 g + k has a path to v, or does
// not exist.
__global__ void gather_reached(const int32_t *dist, size_t ld, int32_t n, int32_t rows,
                               int32_t first_row, uint32_t *reached) {
    const int32_t v = static_cast<int32_t>(blockIdx.x * threads + threadIdx.x);
    const int32_t first = first_row + static_cast<int32_t>(blockIdx.y) * sources;
    if (v >= n)
        return;
    uint32_t word = 0;
#pragma unroll 8
    for (int32_t k = 0; k < sources; k++) {
        const bool reaches = first + k >= rows || dist[(first + k) * ld + v] < INF;
        word |= static_cast<uint32_t>(reaches) << k;
    }
    reached[static_cast<size_t>(v) * gridDim.y + blockIdx.y] = word;
}

// Sets *lost if some edge leads from a reached vertex to one that is not. One block for each
// vertex.
__global__ void check_edges(struct gpu_in_edges in, const uint32_t *reached, int32_t groups,
                            int32_t *lost) {
    const int64_t v = blockIdx.x;
    for (int32_t group = static_cast<int32_t>(threadIdx.x); group < groups; group += threads) {
        const uint32_t missing = ~reached[v * groups + group];
        if (missing == 0)
            continue;
        uint32_t through = 0;
        for (int64_t e = in.first[v]; e < in.first[v + 1]; e++) {
            if (in.weight[e] < INF)
                through |= reached[static_cast<size_t>(in.tail[e]) * groups + group];
        }
        if ((through & missing) != 0)
            store_release(lost, 1);
    }
}

} // namespace

Reachability Reachability::take(const struct gpu_matrices *m, Arena *arena, int32_t *flags) {
    return {arena->take<uint32_t>(static_cast<size_t>(m->n) * groups_at_once(m)), flags, flags + 1};
}

Reachability Reachability::take(const struct gpu_matrices *m, Arena *arena) {
    return take(m, arena, arena->take<int32_t>(2));
}

enum status Reachability::clear(struct error *err) const {
    return gpu_check(cudaMemsetAsync(inf, 0, 2 * sizeof *inf, nullptr), "clearing flags", err);
}

enum status Reachability::check_rows(const struct gpu_matrices *m, const int32_t *dist,
                                     int32_t rows, struct error *err) const {
    const unsigned all = tiles_covering(rows, sources), most = groups_at_once(m);
    for (unsigned group = 0; group < all; group += most) {
        const unsigned count = all - group < most ? all - group : most;
        RETURN_ON_FAILURE(launch(err, gather_reached, dim3(tiles_covering(m->n, threads), count),
                                 dim3(threads), 0, dist, m->ld, m->n, rows,
                                 static_cast<int32_t>(group * sources), reached));
        RETURN_ON_FAILURE(launch(err, check_edges, dim3(static_cast<unsigned>(m->n)), dim3(threads),
                                 0, m->in, reached, static_cast<int32_t>(count), lost));
    }
    return STATUS_OK;
}

enum status Reachability::check(const struct gpu_matrices *m, bool *exact,
                                struct error *err) const {
    int32_t is_inf = 0, is_lost = 0;
    *exact = true;
    RETURN_ON_FAILURE(read_flag(inf, &is_inf, err));
    if (is_inf == 0 && !m->warm_up)
        return STATUS_OK;
    RETURN_ON_FAILURE(check_rows(m, m->dist, m->n, err));
    RETURN_ON_FAILURE(read_flag(lost, &is_lost, err));
    *exact = is_lost == 0;
    return STATUS_OK;
}
