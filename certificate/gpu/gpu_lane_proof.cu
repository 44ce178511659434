// SPDX-License-Identifier: MIT
// The proof of rows that lie side by side. A warp takes a column for 128 rows, four in a thread; a
// block takes columns next to each other, whose edges it reads together.
#include "certificate/gpu/gpu_lane_proof.h"

#include "gpu/launch/launch.cuh"   // launch
#include "gpu/launch/lengths.cuh"  // least_sum
#include "measures/gpu_totals.cuh" // TotalsOf

#include <cuda_runtime.h>

#include <math.h>

extern "C" {
#include "common/base/memory.h" // memory_alloc
#include "common/graph/graph.h" // struct graph, INF
}

namespace {

using LaneProof = gpu_lane_proof;
using Lanes = gpu_lanes;

constexpr int rows_each = 4; // rows that a thread checks
constexpr int quads = PROOF_LANES / rows_each;
constexpr int warps = 8; // warps of a block
constexpr int block_threads = quads * warps;
constexpr int tile = 64;     // columns whose edges a block reads at a time
constexpr int kept = 8 * 64; // edges that it keeps then; more are read where they are needed

struct SharedEdges {
    lane_edge edge[kept];
    int64_t first[tile + 1]; // of each column, from that of the tile on
    uint32_t counts[TOTALS_BINS];
};

#ifdef LENGTH_F64

// Not 0 if a distance is not the expected one, or below 0.
__device__ __forceinline__ int32_t flaw_of(double distance, double expected) {
    return !(distance == expected && distance >= 0);
}

// Returns the distance to count: a wrong one may be anything, which sums do not bear.
__device__ __forceinline__ double sound_one(double distance) {
    return distance >= 0 ? distance : LENGTH_INF;
}

#else

__device__ __forceinline__ int32_t flaw_of(int32_t distance, int32_t expected) {
    return (distance ^ expected) | (distance & INT32_MIN);
}

__device__ __forceinline__ int32_t sound_one(int32_t distance) {
    return static_cast<int32_t>(min(static_cast<uint32_t>(distance), static_cast<uint32_t>(INF)));
}

#endif

template <bool finite>
__global__ void __launch_bounds__(block_threads) check_lanes(LaneProof proof, Lanes rows) {
    DYNAMIC_SHARED(SharedEdges, shared);
    const int32_t thread = static_cast<int32_t>(threadIdx.y * quads + threadIdx.x);
    const int32_t lane = static_cast<int32_t>(blockIdx.x * quads + threadIdx.x) * rows_each;
    const path_length *const dist = rows.dist + lane;
    const size_t length = static_cast<size_t>(rows.lanes);
    TotalsOf<finite, rows_each, 1, block_threads> totals(rows.totals, lane, rows.count, thread,
                                                         shared->counts);
    int32_t source[rows_each]; // columns
#pragma unroll
    for (int r = 0; r < rows_each; r++)
        source[r] = proof.column[rows.source[lane + r]];
    int32_t wrong = 0;
    const auto column_of = [&](unsigned y) {
        return static_cast<int32_t>(static_cast<int64_t>(proof.n) * y / gridDim.y);
    };
    const int32_t end = column_of(blockIdx.y + 1);
    for (int32_t begin = column_of(blockIdx.y); begin < end; begin += tile) {
        const int32_t columns = min(tile, end - begin);
        const int64_t base = proof.first[begin];
        const int64_t edges = proof.first[begin + columns] - base;
        const lane_edge *const all = proof.edge + base;
        const bool fits = edges <= kept;
        __syncthreads();
        for (int32_t k = thread; k <= columns; k += block_threads)
            shared->first[k] = proof.first[begin + k] - base;
        for (int32_t k = thread; fits && k < edges; k += block_threads)
            shared->edge[k] = all[k];
        __syncthreads();
        totals.begin(tile / warps);
        for (int32_t c = static_cast<int32_t>(threadIdx.y); c < columns; c += warps) {
            const four_lengths own = four_of(dist + static_cast<size_t>(begin + c) * length);
            path_length least[rows_each] = {LENGTH_INF, LENGTH_INF, LENGTH_INF, LENGTH_INF};
            const int64_t last = shared->first[c + 1];
            for (int64_t e = shared->first[c]; e < last; e++) {
                const lane_edge edge = fits ? shared->edge[e] : all[e];
                const four_lengths from = four_of(dist + static_cast<size_t>(edge.tail) * length);
#pragma unroll
                for (int r = 0; r < rows_each; r++)
                    least[r] = least_sum(cell_of(from, r), edge.weight, least[r]);
            }
#pragma unroll
            for (int r = 0; r < rows_each; r++) {
                const path_length distance = cell_of(own, r);
                const path_length expected = begin + c == source[r] ? 0 : least[r];
                wrong |= flaw_of(distance, expected);
                const path_length sound = sound_one(distance);
                totals.add(r, finite ? larger(sound, static_cast<path_length>(1)) : sound);
            }
        }
    }
#pragma unroll
    for (int r = 0; r < rows_each; r++)
        wrong |= totals.farthest[r] > proof.largest;
    if (wrong != 0)
        *proof.flag = 1;
    totals.finish();
}

template <bool finite>
enum status check(const LaneProof *proof, const Lanes *rows, struct error *err) {
    const int across = rows->lanes / PROOF_LANES;
    int together = 0;
    RETURN_ON_FAILURE(
        blocks_together(check_lanes<finite>, block_threads, sizeof(SharedEdges), &together, err));
    const int tiles = static_cast<int>(tiles_covering(proof->n, tile));
    const int down = max(1, min(tiles, min(together, rows->slots) / across));
    return launch(err, check_lanes<finite>,
                  dim3(static_cast<unsigned>(across), static_cast<unsigned>(down)),
                  dim3(quads, warps), sizeof(SharedEdges), *proof, *rows);
}

size_t rounded(size_t bytes) {
    return (bytes + 255) / 256 * 256;
}

// Returns whether each vertex has a column, which it stores.
bool find_columns(int32_t n, const int32_t *vertex, int32_t *column) {
    for (int32_t v = 0; v < n; v++)
        column[v] = -1;
    for (int32_t c = 0; c < n; c++) {
        if (vertex[c] < 0 || vertex[c] >= n || column[vertex[c]] >= 0)
            return false;
        column[vertex[c]] = c;
    }
    return true;
}

#ifdef LENGTH_F64

double length_of(const struct graph *g, int64_t e) {
    return g->real_weight[e] / g->spacing;
}

// Returns whether rows of the graph can be proved: its weights are whole numbers of spacings, and
// none is so large that a distance and it are rounded.
bool is_provable(const struct graph *g) {
    bool is = g->type == NUMBER_FLOAT64 && g->spacing > 0;
    for (int64_t e = 0; e < g->m && is; e++) {
        const double length = length_of(g, e);
        is = length > 0 && length <= 0x1p52 && length == trunc(length);
    }
    return is;
}

double largest_of(const struct graph *g) {
    return g->m > 0 ? 0x1p53 - g->max_weight / g->spacing : 0x1p53;
}

#else

int32_t length_of(const struct graph *g, int64_t e) {
    return g->weight[e];
}

bool is_provable(const struct graph *g) {
    return g->type == NUMBER_INT32 && (g->m == 0 || (g->min_weight > 0 && g->max_weight <= INF));
}

int32_t largest_of(const struct graph *g) {
    return g->m > 0 ? static_cast<int32_t>(INF - 1 - g->max_weight) : INF - 1;
}

#endif

// The edges by columns, as the device has them.
enum status arrange(const struct graph *g, const int32_t *vertex, int64_t *first,
                    struct lane_edge *edge, const int32_t *column, struct error *err) {
    struct graph in = {};
    int64_t count = 0;
    RETURN_ON_FAILURE(graph_reverse(g, &in, err));
    for (int32_t c = 0; c < g->n; c++) {
        first[c] = count;
        for (int64_t e = in.first[vertex[c]]; e < in.first[vertex[c] + 1]; e++, count++) {
            edge[count].tail = column[in.head[e]];
            edge[count].weight = length_of(&in, e);
        }
    }
    first[g->n] = count;
    graph_free(&in);
    return STATUS_OK;
}

} // namespace

enum status gpu_lane_proof_open(struct gpu_lane_proof *proof, const struct graph *g,
                                const int32_t *vertex, struct error *err) {
    const size_t n = static_cast<size_t>(g->n), m = static_cast<size_t>(g->m);
    *proof = {};
    if (!is_provable(g))
        return STATUS_OK;
    proof->n = g->n;
    proof->largest = largest_of(g);
    const size_t flag = rounded(sizeof(int32_t)), first = rounded((n + 1) * sizeof(int64_t));
    const size_t edges = rounded(m * sizeof(struct lane_edge)),
                 columns = rounded(n * sizeof(int32_t));
    const size_t bytes = first + edges + columns;
    proof->bytes = flag + bytes;
    if (cudaMalloc(&proof->memory, proof->bytes) != cudaSuccess) {
        proof->memory = nullptr;
        (void)cudaGetLastError();
        return STATUS_OK;
    }
    char *const device = static_cast<char *>(proof->memory) + flag;
    proof->flag = static_cast<int32_t *>(proof->memory);
    proof->first = reinterpret_cast<int64_t *>(device);
    proof->edge = reinterpret_cast<struct lane_edge *>(device + first);
    proof->column = reinterpret_cast<int32_t *>(device + first + edges);
    void *memory = nullptr;
    enum status status = STATUS_OK;
    TRY(memory_alloc(&memory, bytes, 1, "the edges for the proof", err));
    {
        char *const host = static_cast<char *>(memory);
        int32_t *const column = reinterpret_cast<int32_t *>(host + first + edges);
        if (!find_columns(g->n, vertex, column))
            goto cleanup;
        TRY(arrange(g, vertex, reinterpret_cast<int64_t *>(host),
                    reinterpret_cast<struct lane_edge *>(host + first), column, err));
    }
    TRY(gpu_check(cudaMemcpy(device, memory, bytes, cudaMemcpyHostToDevice),
                  "copying edges for the proof", err));
    proof->is_ready = true;
cleanup:
    memory_free(memory);
    return status;
}

enum status gpu_lane_proof_begin(const struct gpu_lane_proof *proof, struct error *err) {
    return gpu_check(cudaMemsetAsync(proof->flag, 0, sizeof *proof->flag, nullptr),
                     "clearing flags", err);
}

enum status gpu_lane_proof_take(const struct gpu_lane_proof *proof, const struct gpu_lanes *rows,
                                struct error *err) {
    return rows->all_finite ? check<true>(proof, rows, err) : check<false>(proof, rows, err);
}

enum status gpu_lane_proof_end(const struct gpu_lane_proof *proof, bool *proved,
                               struct error *err) {
    int32_t refuted = 1;
    *proved = false;
    RETURN_ON_FAILURE(read_flag(proof->flag, &refuted, err));
    *proved = refuted == 0;
    return STATUS_OK;
}

void gpu_lane_proof_close(struct gpu_lane_proof *proof) {
    cudaFree(proof->memory); // earlier failures are already reported
    *proof = {};
}
