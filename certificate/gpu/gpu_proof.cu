// SPDX-License-Identifier: MIT
// The proof of a block of rows on the device. A strip is 128 rows. They are transposed, so that a
// warp checks an edge for all of them with one access to memory that the warp makes together. Three
// kernels: each cell by itself (a); each edge, and each predecessor or tight edge (b and c); and,
// if weights may be zero, that predecessors at the same distance do not run in a cycle.
#include "certificate/gpu/gpu_proof.h"

#include "gpu/launch/launch.cuh" // launch

#include <cuda_runtime.h>

extern "C" {
#include "common/graph/graph.h" // struct graph, INF
}

namespace {

constexpr int32_t strip = 128; // rows
constexpr int quads = strip / 4;
constexpr int tile = 32;     // rows and vertices that are transposed at a time
constexpr int tile_step = 8; // of them by a block's threads at the same time
constexpr int vertices = 8;  // of a block that checks edges
// Threads that follow the predecessors of a row.
#ifdef CUDA_SHIM
constexpr int jumpers = 8;
#else
constexpr int jumpers = 512;
#endif
constexpr int max_rounds = 32; // of jumps whose length doubles

// Stands for INF in a strip: a weight added to it does not overflow as an unsigned number, and the
// sum is above all distances.
constexpr int32_t unreachable = INT32_MAX;

// Device memory that strips may take.
constexpr size_t max_strip_bytes = size_t(256) << 20;

struct Rows {
    struct gpu_proof_rows all;
    int32_t first, count; // of those that are in strips now

    __device__ int32_t source(int32_t r) const {
        return all.source != nullptr ? all.source[first + r] : first + r;
    }
    __device__ size_t start(int32_t r) const {
        return static_cast<size_t>(first + r) * all.ld;
    }
};

__device__ void refute(const struct gpu_proof &proof) {
    *proof.flag = 1;
}

// (a), where no distance can be below 0.
__device__ bool is_sound(int32_t distance, int32_t pred, bool with_pred, bool is_source,
                         int32_t n) {
    if (distance < 0 || distance > INF || (is_source && distance != 0))
        return false;
    return !with_pred || (pred >= -1 && pred < n && (pred == -1) == (distance == INF || is_source));
}

// The place of a cell in its strip.
__device__ size_t place(const struct gpu_proof &proof, int32_t r, int32_t v) {
    return (static_cast<size_t>(r / strip) * static_cast<size_t>(proof.n) +
            static_cast<size_t>(v)) *
               strip +
           static_cast<size_t>(r % strip);
}

// Checks the cells of a tile and transposes them into their strips. Rows that strips have and the
// block has not reach nothing.
__global__ void take_cells(struct gpu_proof proof, Rows rows) {
    DYNAMIC_SHARED(int32_t, cell); // [matrix][row][vertex], of odd length
    constexpr int length = tile + 1;
    int32_t *const distances = cell, *const predecessors = cell + tile * length;
    const int32_t lane = static_cast<int32_t>(threadIdx.x);
    const int32_t first_v = static_cast<int32_t>(blockIdx.x) * tile;
    const int32_t first_r = static_cast<int32_t>(blockIdx.y) * tile;
    for (int32_t k = static_cast<int32_t>(threadIdx.y); k < tile; k += tile_step) {
        const int32_t r = first_r + k, v = first_v + lane;
        int32_t distance = INF, pred = -1;
        if (r < rows.count && v < proof.n) {
            distance = rows.all.dist[rows.start(r) + v];
            if (proof.with_pred)
                pred = rows.all.pred[rows.start(r) + v];
            if (!is_sound(distance, pred, proof.with_pred, v == rows.source(r), proof.n))
                refute(proof);
        }
        distances[k * length + lane] = distance == INF ? unreachable : distance;
        predecessors[k * length + lane] = pred;
    }
    __syncthreads();
    for (int32_t k = static_cast<int32_t>(threadIdx.y); k < tile; k += tile_step) {
        const int32_t r = first_r + lane, v = first_v + k;
        if (v >= proof.n)
            continue;
        proof.dist[place(proof, r, v)] = distances[lane * length + k];
        if (proof.with_pred)
            proof.pred[place(proof, r, v)] = predecessors[lane * length + k];
    }
}

__device__ int32_t part(const int4 &four, int k) {
    return k == 0 ? four.x : k == 1 ? four.y : k == 2 ? four.z : four.w;
}

// Checks the edges into a vertex for a strip, four rows in a thread: no edge is shorter, and one is
// tight, which is the predecessor's if there are predecessors.
__global__ void check_edges(struct gpu_proof proof, Rows rows) {
    const int32_t v =
        static_cast<int32_t>(blockIdx.x) * vertices + static_cast<int32_t>(threadIdx.y);
    if (v >= proof.n)
        return;
    const int32_t row =
        static_cast<int32_t>(blockIdx.y) * strip + 4 * static_cast<int32_t>(threadIdx.x);
    const size_t strip_start =
        static_cast<size_t>(blockIdx.y) * static_cast<size_t>(proof.n) * quads + threadIdx.x;
    const int4 *const dist = reinterpret_cast<const int4 *>(proof.dist) + strip_start;
    const int4 own = dist[static_cast<size_t>(v) * quads];
    int4 pred = make_int4(-1, -1, -1, -1);
    if (proof.with_pred)
        pred = (reinterpret_cast<const int4 *>(proof.pred) +
                strip_start)[static_cast<size_t>(v) * quads];
    const int32_t farthest = max(max(own.x, own.y), max(own.z, own.w));
    bool shorter = false;
    bool tight[4] = {false, false, false, false};
    const int64_t end = proof.first[v + 1];
    for (int64_t e = proof.first[v]; e < end; e++) {
        const int32_t weight = proof.weight[e], u = proof.tail[e];
        if (weight > farthest) // distances are not below 0
            continue;
        const int4 from = dist[static_cast<size_t>(u) * quads];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint32_t sum =
                static_cast<uint32_t>(part(from, k)) + static_cast<uint32_t>(weight);
            const uint32_t to = static_cast<uint32_t>(part(own, k));
            shorter |= sum < to;
            tight[k] |= sum == to && (!proof.with_pred || part(pred, k) == u);
        }
    }
    bool wrong = shorter;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (row + k < rows.count && part(own, k) != unreachable && !tight[k])
            wrong |= rows.source(row + k) != v;
    }
    if (wrong)
        refute(proof);
}

// Follows the predecessors at the same distance, in jumps whose length doubles. What they lead to
// is the source or has a predecessor that is nearer; in a cycle there is no such vertex. A block
// takes a row at a time; strips are no longer needed, and their memory holds the jumps.
__global__ void follow_predecessors(struct gpu_proof proof, Rows rows) {
    const int32_t r = static_cast<int32_t>(blockIdx.x), first = static_cast<int32_t>(threadIdx.x);
    const int32_t *const dist = rows.all.dist + rows.start(r);
    const int32_t *const pred = rows.all.pred + rows.start(r);
    int32_t *const jump = proof.dist + static_cast<size_t>(r) * static_cast<size_t>(proof.n);
    // Predecessors may be no vertices.
    if (__syncthreads_or(threadIdx.x == 0 && *proof.flag != 0))
        return;
    const auto stays = [&](int32_t v) { return pred[v] >= 0 && dist[pred[v]] == dist[v]; };
    for (int32_t v = first; v < proof.n; v += jumpers)
        jump[v] = stays(v) ? pred[v] : v;
    bool changed = true;
    for (int round = 0; __syncthreads_or(changed) && round < max_rounds; round++) {
        changed = false;
        for (int32_t v = first; v < proof.n; v += jumpers) {
            const int32_t next = jump[v], further = jump[next];
            changed |= further != next;
            jump[v] = further;
        }
    }
    bool wrong = false;
    for (int32_t v = first; v < proof.n; v += jumpers)
        wrong |= stays(jump[v]);
    if (wrong)
        refute(proof);
}

// Leaves nullptr if there is no memory, which is no failure.
void allocate(struct gpu_proof *proof, size_t bytes) {
    if (cudaMalloc(&proof->memory, bytes) == cudaSuccess)
        return;
    proof->memory = nullptr;
    (void)cudaGetLastError();
}

size_t rounded(size_t bytes) {
    return (bytes + 255) / 256 * 256;
}

enum status upload(void *to, const void *from, size_t bytes, struct error *err) {
    return bytes == 0 ? STATUS_OK
                      : gpu_check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice),
                                  "copying edges for the proof", err);
}

// Launches the kernels for the rows that strips hold at a time.
enum status check_rows(const struct gpu_proof *proof, const Rows &rows, struct error *err) {
    const size_t shared = 2 * tile * (tile + 1) * sizeof(int32_t);
    const unsigned strips = tiles_covering(rows.count, strip);
    RETURN_ON_FAILURE(launch(err, take_cells,
                             dim3(tiles_covering(proof->n, tile), strips * (strip / tile)),
                             dim3(tile, tile_step), shared, *proof, rows));
    RETURN_ON_FAILURE(launch(err, check_edges, dim3(tiles_covering(proof->n, vertices), strips),
                             dim3(quads, vertices), 0, *proof, rows));
    if (!proof->has_zero)
        return STATUS_OK;
    return launch(err, follow_predecessors, dim3(static_cast<unsigned>(rows.count)), dim3(jumpers),
                  0, *proof, rows);
}

// Reweights edges by their heads, whose tails are in->head. Stores the least weight; false if one
// is not in 0 .. INF.
bool reweight(struct graph *in, const int64_t *potential, int64_t *least) {
    *least = INF;
    for (int32_t v = 0; v < in->n; v++) {
        for (int64_t e = in->first[v]; e < in->first[v + 1]; e++) {
            const int64_t weight = in->weight[e] + potential[in->head[e]] - potential[v];
            if (weight < 0 || weight > INF)
                return false;
            in->weight[e] = static_cast<int32_t>(weight);
            *least = weight < *least ? weight : *least;
        }
    }
    return true;
}

// Uploads the edges and makes the proof ready, if there is memory.
enum status prepare(struct gpu_proof *proof, const struct graph &in, struct error *err) {
    const size_t n = static_cast<size_t>(in.n), m = static_cast<size_t>(in.m);
    const bool with_pred = proof->with_pred;
    const size_t strip_bytes = n * strip * sizeof(int32_t), matrices = with_pred ? 2 : 1;
    const size_t at_a_time = max_strip_bytes / (strip_bytes * matrices);
    const size_t needed = (n + strip - 1) / strip;
    proof->strips = static_cast<int32_t>(max(size_t(1), min(at_a_time, needed)));
    const size_t first = rounded((n + 1) * sizeof(int64_t)), edges = rounded(m * sizeof(int32_t));
    const size_t cells = rounded(strip_bytes * static_cast<size_t>(proof->strips));
    allocate(proof, rounded(sizeof(int32_t)) + first + 2 * edges + matrices * cells);
    if (proof->memory == nullptr)
        return STATUS_OK;
    char *at = static_cast<char *>(proof->memory);
    proof->flag = reinterpret_cast<int32_t *>(at);
    at += rounded(sizeof(int32_t));
    proof->first = reinterpret_cast<int64_t *>(at);
    at += first;
    proof->tail = reinterpret_cast<int32_t *>(at);
    at += edges;
    proof->weight = reinterpret_cast<int32_t *>(at);
    at += edges;
    proof->dist = reinterpret_cast<int32_t *>(at);
    proof->pred = with_pred ? reinterpret_cast<int32_t *>(at + cells) : nullptr;
    RETURN_ON_FAILURE(upload(proof->first, in.first, (n + 1) * sizeof(int64_t), err));
    RETURN_ON_FAILURE(upload(proof->tail, in.head, m * sizeof(int32_t), err));
    RETURN_ON_FAILURE(upload(proof->weight, in.weight, m * sizeof(int32_t), err));
    proof->is_ready = true;
    return STATUS_OK;
}

} // namespace

enum status gpu_proof_open(struct gpu_proof *proof, const struct graph *g, const int64_t *potential,
                           bool with_pred, struct error *err) {
    struct graph in = {};
    int64_t least = g->m > 0 ? g->min_weight : 1;
    enum status status = STATUS_OK;
    *proof = {};
    proof->with_pred = with_pred;
    proof->n = g->n;
    if (g->type != NUMBER_INT32 ||
        (g->m > 0 && (g->max_weight > INF || (least < 0 && potential == nullptr))))
        return STATUS_OK;
    TRY(graph_reverse(g, &in, err));
    if (potential != nullptr && !reweight(&in, potential, &least))
        goto cleanup;
    // A search over tight edges takes the place of predecessors if weights are zero.
    proof->has_zero = least == 0;
    if (with_pred || !proof->has_zero)
        TRY(prepare(proof, in, err));
cleanup:
    graph_free(&in);
    return status;
}

enum status gpu_proof_check(const struct gpu_proof *proof, const struct gpu_proof_rows *rows,
                            bool *proved, struct error *err) {
    int32_t refuted = 1;
    *proved = false;
    if (!proof->is_ready)
        return STATUS_OK;
    RETURN_ON_FAILURE(gpu_check(cudaMemsetAsync(proof->flag, 0, sizeof *proof->flag, nullptr),
                                "clearing flags", err));
    const int32_t at_a_time = proof->strips * strip;
    for (int32_t first = 0; first < rows->count; first += at_a_time) {
        const Rows some = {*rows, first, min(at_a_time, rows->count - first)};
        RETURN_ON_FAILURE(check_rows(proof, some, err));
    }
    RETURN_ON_FAILURE(read_flag(proof->flag, &refuted, err));
    *proved = refuted == 0;
    return STATUS_OK;
}

void gpu_proof_close(struct gpu_proof *proof) {
    cudaFree(proof->memory); // earlier failures are already reported
    *proof = {};
}
