// SPDX-License-Identifier: MIT
// The proof of a block of rows on the device. A strip is 128 rows. They are transposed, so that a
// warp checks an edge for all of them with one access to memory that the warp makes together. Three
// kernels: each cell by itself (a); each edge, and each predecessor or tight edge (b and c); and,
// if weights may be zero, that predecessors at the same distance do not run in a cycle.
#include "certificate/gpu/gpu_proof.h"

#include "gpu/launch/launch.cuh" // launch

#include <cuda_runtime.h>

#include <math.h>

extern "C" {
#include "common/graph/graph.h" // struct graph, INF
}

namespace {

constexpr int32_t strip = 128; // rows of a strip
constexpr int quads = strip / 4;
constexpr int tile = 32;     // rows and vertices that are transposed at a time
constexpr int tile_step = 8; // rows of a tile that a block's threads handle at the same time
constexpr int vertices = 8;  // vertices whose edges a block checks
// Threads that follow the predecessors of a row.
#ifdef CUDA_SHIM
constexpr int jumpers = 8;
#else
constexpr int jumpers = 512;
#endif
constexpr int max_rounds = 32; // most rounds of jumps whose length doubles

// A rule says how lengths of type `length` are joined and compared. `unreachable` stands for "no
// path" in a strip: joined with a weight, it gives no length that is as good as one of a path.
struct SumsOfIntegers {
    using length = int32_t;
    using weight = int32_t; // type in which weights are kept
    static constexpr length no_path = INF;
    static constexpr length unreachable = INT32_MAX;
    static constexpr length to_itself = 0;
    static constexpr bool may_vanish = false; // an edge may leave a length as it is

    __device__ static bool is_in_range(length distance, double) {
        return distance >= 0 && distance <= INF;
    }
    // As an unsigned number, which cannot overflow.
    __device__ static uint32_t wide(length distance) {
        return static_cast<uint32_t>(distance);
    }
    __device__ static uint32_t join(length distance, length weight) {
        return wide(distance) + wide(weight);
    }
    __device__ static bool is_better(uint32_t a, uint32_t b) {
        return a < b;
    }
};

// Whole numbers of spacings, whose sums are not rounded up to the largest distance.
struct SumsOnGrid {
    using length = double;
    using weight = double;
    static constexpr length no_path = HUGE_VAL;
    static constexpr length unreachable = HUGE_VAL;
    static constexpr length to_itself = 0;
    static constexpr bool may_vanish = false;

    __device__ static bool is_in_range(length distance, double largest) {
        return distance == no_path || (distance >= 0 && distance <= largest && !signbit(distance));
    }
    __device__ static length wide(length distance) {
        return distance;
    }
    __device__ static length join(length distance, length weight) {
        return distance + weight;
    }
    __device__ static bool is_better(length a, length b) {
        return a < b;
    }
};

// Products of weights in 0 .. 1, of which the greatest is the best, rounded to the type.
template <typename Length>
struct Products {
    using length = Length;
    using weight = double;
    static constexpr length no_path = 0;
    static constexpr length unreachable = 0;
    static constexpr length to_itself = 1;
    static constexpr bool may_vanish = true;

    __device__ static bool is_in_range(length distance, double) {
        return distance >= 0 && distance <= 1 && !signbit(distance);
    }
    __device__ static length wide(length distance) {
        return distance;
    }
    __device__ static length join(length distance, length weight) {
        return distance * weight;
    }
    __device__ static bool is_better(length a, length b) {
        return a > b;
    }
};

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

template <typename Length>
__device__ const Length *row_of(const Rows &rows, int32_t r) {
    return static_cast<const Length *>(rows.all.dist) + rows.start(r);
}

// (a), where no distance can be below 0.
template <typename Rule>
__device__ bool is_sound(const struct gpu_proof &proof, typename Rule::length distance,
                         int32_t pred, bool is_source) {
    if (!Rule::is_in_range(distance, proof.largest) || (is_source && distance != Rule::to_itself))
        return false;
    return !proof.with_pred || (pred >= -1 && pred < proof.n &&
                                (pred == -1) == (distance == Rule::no_path || is_source));
}

// The place of a cell in its strip.
__device__ size_t place(const struct gpu_proof &proof, int32_t r, int32_t v) {
    return (static_cast<size_t>(r / strip) * static_cast<size_t>(proof.n) +
            static_cast<size_t>(v)) *
               strip +
           static_cast<size_t>(r % strip);
}

// Distances and predecessors, [row][vertex]; the odd length keeps columns in different banks.
template <typename Length>
struct CellTile {
    Length distance[tile][tile + 1];
    int32_t pred[tile][tile + 1];
};

// Cells of four rows, which a thread reads at once.
template <typename Number>
struct alignas(16) Four {
    Number row[4];
};

// Checks the cells of a tile and transposes them into their strips. Rows that strips have and the
// block has not reach nothing.
template <typename Rule>
__global__ void take_cells(struct gpu_proof proof, Rows rows) {
    using Length = typename Rule::length;
    DYNAMIC_SHARED(char, shared);
    CellTile<Length> *const cells = reinterpret_cast<CellTile<Length> *>(shared);
    Length *const strip_dist = static_cast<Length *>(proof.dist);
    const int32_t lane = static_cast<int32_t>(threadIdx.x);
    const int32_t first_v = static_cast<int32_t>(blockIdx.x) * tile;
    const int32_t first_r = static_cast<int32_t>(blockIdx.y) * tile;
    for (int32_t k = static_cast<int32_t>(threadIdx.y); k < tile; k += tile_step) {
        const int32_t r = first_r + k, v = first_v + lane;
        Length distance = Rule::no_path;
        int32_t pred = -1;
        if (r < rows.count && v < proof.n) {
            distance = row_of<Length>(rows, r)[v];
            if (proof.with_pred)
                pred = rows.all.pred[rows.start(r) + v];
            if (!is_sound<Rule>(proof, distance, pred, v == rows.source(r)))
                refute(proof);
        }
        cells->distance[k][lane] = distance == Rule::no_path ? Rule::unreachable : distance;
        cells->pred[k][lane] = pred;
    }
    __syncthreads();
    for (int32_t k = static_cast<int32_t>(threadIdx.y); k < tile; k += tile_step) {
        const int32_t r = first_r + lane, v = first_v + k;
        if (v >= proof.n)
            continue;
        strip_dist[place(proof, r, v)] = cells->distance[lane][k];
        if (proof.with_pred)
            proof.pred[place(proof, r, v)] = cells->pred[lane][k];
    }
}

// Checks the edges into a vertex for a strip, four rows in a thread: no edge is shorter, and one is
// tight, which is the predecessor's if there are predecessors. Without them, if an edge may leave a
// length as it is, it must come from a nearer vertex, so that tight edges lead to the source.
template <typename Rule>
__global__ void check_edges(struct gpu_proof proof, Rows rows) {
    using Length = typename Rule::length;
    const int32_t v =
        static_cast<int32_t>(blockIdx.x) * vertices + static_cast<int32_t>(threadIdx.y);
    if (v >= proof.n)
        return;
    const int32_t row =
        static_cast<int32_t>(blockIdx.y) * strip + 4 * static_cast<int32_t>(threadIdx.x);
    const size_t strip_start =
        static_cast<size_t>(blockIdx.y) * static_cast<size_t>(proof.n) * quads + threadIdx.x;
    const auto weights = static_cast<const typename Rule::weight *>(proof.weight);
    const Four<Length> *const dist = static_cast<const Four<Length> *>(proof.dist) + strip_start;
    const Four<Length> own = dist[static_cast<size_t>(v) * quads];
    Four<int32_t> pred = {{-1, -1, -1, -1}};
    if (proof.with_pred)
        pred = (reinterpret_cast<const Four<int32_t> *>(proof.pred) +
                strip_start)[static_cast<size_t>(v) * quads];
    Length farthest = own.row[0];
#pragma unroll
    for (int k = 1; k < 4; k++)
        farthest = Rule::is_better(farthest, own.row[k]) ? own.row[k] : farthest;
    bool shorter = false;
    bool tight[4] = {false, false, false, false};
    const int64_t end = proof.first[v + 1];
    for (int64_t e = proof.first[v]; e < end; e++) {
        const Length weight = static_cast<Length>(weights[e]);
        const int32_t u = proof.tail[e];
        if (Rule::is_better(farthest, weight)) // no distance makes the weight better
            continue;
        const Four<Length> from = dist[static_cast<size_t>(u) * quads];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const auto through = Rule::join(from.row[k], weight);
            const auto to = Rule::wide(own.row[k]);
            shorter |= Rule::is_better(through, to);
            const bool leads = proof.with_pred    ? pred.row[k] == u
                               : Rule::may_vanish ? Rule::is_better(from.row[k], own.row[k])
                                                  : true;
            tight[k] |= through == to && leads;
        }
    }
    bool wrong = shorter;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (row + k < rows.count && own.row[k] != Rule::unreachable && !tight[k])
            wrong |= rows.source(row + k) != v;
    }
    if (wrong)
        refute(proof);
}

// Follows the predecessors at the same distance, in jumps whose length doubles. What they lead to
// is the source or has a predecessor that is nearer; in a cycle there is no such vertex. A block
// takes a row at a time; strips are no longer needed, and their memory holds the jumps.
template <typename Length>
__global__ void follow_predecessors(struct gpu_proof proof, Rows rows) {
    const int32_t r = static_cast<int32_t>(blockIdx.x), first = static_cast<int32_t>(threadIdx.x);
    const Length *const dist = row_of<Length>(rows, r);
    const int32_t *const pred = rows.all.pred + rows.start(r);
    int32_t *const jump =
        static_cast<int32_t *>(proof.dist) + static_cast<size_t>(r) * static_cast<size_t>(proof.n);
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
template <typename Rule>
enum status check_rows(const struct gpu_proof *proof, const Rows &rows, struct error *err) {
    using Length = typename Rule::length;
    const unsigned strips = tiles_covering(rows.count, strip);
    RETURN_ON_FAILURE(launch(err, take_cells<Rule>,
                             dim3(tiles_covering(proof->n, tile), strips * (strip / tile)),
                             dim3(tile, tile_step), sizeof(CellTile<Length>), *proof, rows));
    RETURN_ON_FAILURE(launch(err, check_edges<Rule>,
                             dim3(tiles_covering(proof->n, vertices), strips),
                             dim3(quads, vertices), 0, *proof, rows));
    if (!proof->has_zero || !proof->with_pred)
        return STATUS_OK;
    return launch(err, follow_predecessors<Length>, dim3(static_cast<unsigned>(rows.count)),
                  dim3(jumpers), 0, *proof, rows);
}

// Returns whether all weights are numbers of spacings, so that sums up to *largest are not rounded.
bool is_on_grid(const struct graph *g, double *largest) {
    const double heaviest = g->m > 0 ? g->max_weight / g->spacing : 0;
    bool is = g->spacing > 0 && heaviest <= 0x1p52;
    for (int64_t e = 0; e < g->m && is; e++) {
        const double length = g->real_weight[e] / g->spacing;
        is = length >= 0 && length == trunc(length);
    }
    *largest = (0x1p53 - heaviest) * g->spacing;
    return is;
}

// Returns whether rows of the graph can be proved; stores the largest distance that they may have.
bool is_provable(const struct graph *g, const int64_t *potential, double *largest) {
    *largest = INF;
    if (g->semiring != SEMIRING_MIN_PLUS)
        return g->semiring == SEMIRING_MAX_PRODUCT && g->type != NUMBER_INT32;
    if (g->type == NUMBER_FLOAT64)
        return potential == nullptr && is_on_grid(g, largest);
    return g->type == NUMBER_INT32 &&
           (g->m == 0 || (g->max_weight <= INF && (g->min_weight >= 0 || potential != nullptr)));
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
    const bool is_real = in.type != NUMBER_INT32;
    const void *const weight = is_real ? static_cast<const void *>(in.real_weight) : in.weight;
    const size_t weight_bytes = is_real ? sizeof *in.real_weight : sizeof *in.weight;
    const size_t length_bytes = number_size(in.type), lane_bytes = n * strip;
    const size_t strip_bytes = lane_bytes * (length_bytes + (with_pred ? sizeof(int32_t) : 0));
    const size_t needed = (n + strip - 1) / strip;
    proof->strips =
        static_cast<int32_t>(max(size_t(1), min(max_strip_bytes / strip_bytes, needed)));
    const size_t first = rounded((n + 1) * sizeof(int64_t)), tails = rounded(m * sizeof(int32_t));
    const size_t weights = rounded(m * weight_bytes), strips = static_cast<size_t>(proof->strips);
    const size_t distances = rounded(lane_bytes * length_bytes * strips);
    const size_t predecessors = with_pred ? lane_bytes * sizeof(int32_t) * strips : 0;
    allocate(proof, rounded(sizeof(int32_t)) + first + tails + weights + distances + predecessors);
    if (proof->memory == nullptr)
        return STATUS_OK;
    char *at = static_cast<char *>(proof->memory);
    proof->flag = reinterpret_cast<int32_t *>(at);
    at += rounded(sizeof(int32_t));
    proof->first = reinterpret_cast<int64_t *>(at);
    at += first;
    proof->tail = reinterpret_cast<int32_t *>(at);
    at += tails;
    proof->weight = at;
    at += weights;
    proof->dist = at;
    proof->pred = with_pred ? reinterpret_cast<int32_t *>(at + distances) : nullptr;
    RETURN_ON_FAILURE(upload(proof->first, in.first, (n + 1) * sizeof(int64_t), err));
    RETURN_ON_FAILURE(upload(proof->tail, in.head, m * sizeof(int32_t), err));
    RETURN_ON_FAILURE(upload(proof->weight, weight, m * weight_bytes, err));
    proof->is_ready = true;
    return STATUS_OK;
}

} // namespace

enum status gpu_proof_open(struct gpu_proof *proof, const struct graph *g, const int64_t *potential,
                           bool with_pred, struct error *err) {
    struct graph in = {};
    int64_t least;
    enum status status = STATUS_OK;
    *proof = {};
    proof->with_pred = with_pred;
    proof->n = g->n;
    proof->type = g->type;
    if (!is_provable(g, potential, &proof->largest))
        return STATUS_OK;
    TRY(graph_reverse(g, &in, err));
    proof->is_product = g->semiring == SEMIRING_MAX_PRODUCT;
    proof->has_zero = proof->is_product || (g->m > 0 && g->min_weight == 0);
    if (potential != nullptr) {
        if (!reweight(&in, potential, &least))
            goto cleanup;
        proof->has_zero = least == 0;
    }
    // A search over tight edges takes the place of predecessors if weights are zero. Of products,
    // only rows that need such a search are left to the host.
    if (with_pred || !proof->has_zero || proof->is_product)
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
        const auto check = proof->type == NUMBER_INT32     ? check_rows<SumsOfIntegers>
                           : !proof->is_product            ? check_rows<SumsOnGrid>
                           : proof->type == NUMBER_FLOAT32 ? check_rows<Products<float>>
                                                           : check_rows<Products<double>>;
        RETURN_ON_FAILURE(check(proof, some, err));
    }
    RETURN_ON_FAILURE(read_flag(proof->flag, &refuted, err));
    *proved = refuted == 0;
    return STATUS_OK;
}

void gpu_proof_close(struct gpu_proof *proof) {
    cudaFree(proof->memory); // earlier failures are already reported
    *proof = {};
}
