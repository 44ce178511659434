// See predecessors.cuh. Three kernels:
//  1. transpose D, so that neighbouring threads can take neighbouring sources;
//  2. keep the edges p -> j with w(p, j) = D[p][j], which are the predecessors of
//     their own pairs (p, j);
//  3. for every pair left over, walk the kept edges into j until one is tight.
// A strip of 128 sources of the transposed matrix stays in the second-level
// cache while all columns walk over it; results leave through shared memory, so
// that rows of predecessors are written in whole cache lines.
#include "cuda_blocked/predecessors.cuh"

#include "common/graph.h"    // INF
#include "common/launch.cuh" // launch

namespace {

constexpr int side = 32;           // of a transposed square
constexpr int sources = 128;       // per block of the third kernel, four to a thread
constexpr int columns = 32;        // per block of the third kernel
constexpr int threads = 256;       // of the second and third kernel
constexpr int pitch = sources + 4; // a column of results in shared memory, 16-byte aligned
constexpr int32_t not_kept = INT32_MAX;

__global__ void transpose(const int32_t *from, int32_t *to, size_t ld) {
    DYNAMIC_SHARED(int32_t, square);
    const size_t row = static_cast<size_t>(blockIdx.y) * side;
    const size_t column = static_cast<size_t>(blockIdx.x) * side;
    for (unsigned y = threadIdx.y; y < side; y += blockDim.y)
        square[y * (side + 1) + threadIdx.x] = from[(row + y) * ld + column + threadIdx.x];
    __syncthreads();
    for (unsigned y = threadIdx.y; y < side; y += blockDim.y)
        to[(column + y) * ld + row + threadIdx.x] = square[threadIdx.x * (side + 1) + y];
}

// One block for each vertex j.
__global__ void keep_edges(struct gpu_in_edges in, const int32_t *to_all, int32_t *pred, size_t ld,
                           int32_t *kept_weight) {
    const size_t j = blockIdx.x;
    for (int64_t e = in.first[j] + threadIdx.x; e < in.first[j + 1]; e += blockDim.x) {
        const size_t p = static_cast<size_t>(in.tail[e]);
        const int32_t weight = in.weight[e];
        const bool kept = weight < INF && weight == to_all[j * ld + p];
        kept_weight[e] = kept ? weight : not_kept;
        if (kept)
            pred[p * ld + j] = static_cast<int32_t>(p);
    }
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

__global__ void walk_edges(struct gpu_in_edges in, const int32_t *kept_weight,
                           const int32_t *to_all, int32_t *pred, int32_t n, size_t ld) {
    DYNAMIC_SHARED(int32_t, results); // [columns][pitch]
    const size_t first_source = static_cast<size_t>(blockIdx.y) * sources;
    const size_t first_column = static_cast<size_t>(blockIdx.x) * columns;
    for (int c = static_cast<int>(threadIdx.x); c < sources * columns; c += threads)
        results[c % columns * pitch + c / columns] =
            pred[(first_source + c / columns) * ld + first_column + c % columns];
    __syncthreads();

    const int lane = static_cast<int>(threadIdx.x) % 32 * 4; // the first of four sources
    for (int column = static_cast<int>(threadIdx.x) / 32; column < columns;
         column += threads / 32) {
        const size_t j = first_column + column;
        if (j >= static_cast<size_t>(n))
            break;
        const size_t strip = first_source + lane;
        const Quad distance(to_all + j * ld + strip);
        Quad found(&results[column * pitch + lane]);
        bool open[4]; // still without predecessor
        for (int s = 0; s < 4; s++)
            open[s] = found.value[s] < 0 && distance.value[s] < INF && strip + s != j;
        const int64_t end = in.first[j + 1];
        for (int64_t e = in.first[j]; e < end && (open[0] || open[1] || open[2] || open[3]); e++) {
            const int32_t weight = kept_weight[e];
            if (weight == not_kept)
                continue;
            const int32_t p = in.tail[e];
            const Quad before(to_all + static_cast<size_t>(p) * ld + strip);
            for (int s = 0; s < 4; s++) {
                if (open[s] && before.value[s] + weight == distance.value[s]) {
                    found.value[s] = p;
                    open[s] = false;
                }
            }
        }
        for (int s = 0; s < 4; s++)
            results[column * pitch + lane + s] = found.value[s];
    }
    __syncthreads();
    for (int c = static_cast<int>(threadIdx.x); c < sources * columns; c += threads)
        pred[(first_source + c / columns) * ld + first_column + c % columns] =
            results[c % columns * pitch + c / columns];
}

} // namespace

size_t predecessors_workspace(const struct gpu_matrices *m) {
    return sizeof(int32_t) * (static_cast<size_t>(m->order) * m->ld + static_cast<size_t>(m->in.m));
}

enum status derive_predecessors(const struct gpu_matrices *m, void *workspace, struct error *err) {
    const unsigned order = static_cast<unsigned>(m->order);
    const size_t cells = static_cast<size_t>(m->order) * m->ld;
    int32_t *to_all = static_cast<int32_t *>(workspace);
    int32_t *kept_weight = to_all + cells;
    enum status status = gpu_check(cudaMemsetAsync(m->pred, 0xff, cells * sizeof(int32_t), nullptr),
                                   "clearing predecessors", err);
    if (status == STATUS_OK)
        status = launch(err, transpose, dim3(order / side, order / side), dim3(side, 8),
                        sizeof(int32_t) * side * (side + 1), m->dist, to_all, m->ld);
    if (status == STATUS_OK)
        status = launch(err, keep_edges, dim3(static_cast<unsigned>(m->n)), dim3(threads), 0, m->in,
                        to_all, m->pred, m->ld, kept_weight);
    if (status == STATUS_OK)
        status = launch(err, walk_edges, dim3(order / columns, order / sources), dim3(threads),
                        sizeof(int32_t) * columns * pitch, m->in, kept_weight, to_all, m->pred,
                        m->n, m->ld);
    return status;
}
