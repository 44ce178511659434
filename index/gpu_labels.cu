// SPDX-License-Identifier: MIT
// Rows of a distance index as a product. A block has a tile of sources and a tile of targets, 128
// places each; the two are the same tile or different ones. In different tiles, the number of
// ancestors that a source and a target have in common is the least of three numbers: those that the
// source has in common with the end of its tile, those that the tiles have in common, and those
// that the target has in common with the end of its tile. So each cell of a label that is not in
// common is set to INF in the source's or in the target's label, and the rest is a product of two
// matrices over (min, +). Within one tile, each pair has its own number of common ancestors.
#include "index/gpu_labels.h"

#include "gpu/launch/launch.cuh" // launch

#include <cuda_runtime.h>

extern "C" {
#include "common/base/memory.h" // memory_alloc
#include "common/graph/graph.h" // INF
}

namespace {

using Labels = gpu_labels;

constexpr int tile = PROOF_LANES;
constexpr int deep = 16; // number of cells of a label at a time
constexpr int side = 16; // a block has side x side threads
constexpr int block_threads = side * side;
constexpr int each = tile / side; // number of sources, and of targets, of a thread
constexpr int half = tile / 2;    // a thread has four sources, and four targets, of each half of a
                                  // tile
constexpr int stride = tile + 4;  // cells from one row to the next; spreads a label's cells over
                                  // the memory banks
static_assert(block_threads == 2 * tile, "a thread for each source and each target");
constexpr int max_lanes = 8 * tile, max_slots = 2048;

struct Shared {
    int32_t cell[2][deep][stride]; // cells of labels of sources [0] and of targets [1]
    const int32_t *label[2][tile]; // label of each source and each target
    int32_t common[2][tile];       // number of its first ancestors that it has in common with the
                                   // end of its tile
};

// Returns the least number of common ancestors over tiles first .. last.
__device__ int32_t least_of(const Labels &l, int32_t first, int32_t last) {
    const int32_t level = 31 - __clz(last - first + 1);
    const int32_t *const row = l.least + static_cast<size_t>(level) * static_cast<size_t>(l.tiles);
    return min(row[first], row[last - (1 << level) + 1]);
}

// Returns which source, or target, of the tile is number r of a thread.
__device__ __forceinline__ int32_t item(int32_t thread, int r) {
    return (r / 4) * half + thread * 4 + r % 4;
}

__device__ __forceinline__ int32_t place_of(const Labels &l, int32_t first, int32_t k) {
    return min(first + k, l.n - 1);
}

// Reads a thread's part of `deep` cells, from cell k on, of the labels of sources or of targets.
__device__ __forceinline__ void fetch(const Shared *shared, int which, int32_t thread, int32_t k,
                                      int32_t (&cell)[each]) {
    const int32_t at = k + thread % deep;
#pragma unroll
    for (int r = 0; r < each; r++) {
        const int32_t i = r * (tile / each) + thread / deep;
        cell[r] = at < shared->common[which][i] ? shared->label[which][i][at] : INF;
    }
}

__device__ __forceinline__ void put(int32_t (*to)[stride], int32_t thread,
                                    const int32_t (&cell)[each]) {
#pragma unroll
    for (int r = 0; r < each; r++)
        to[thread % deep][r * (tile / each) + thread / deep] = cell[r];
}

__device__ __forceinline__ void take(const int32_t *from, int32_t thread, int32_t (&cell)[each]) {
    const int4 low = *reinterpret_cast<const int4 *>(from + thread * 4);
    const int4 high = *reinterpret_cast<const int4 *>(from + half + thread * 4);
    cell[0] = low.x, cell[1] = low.y, cell[2] = low.z, cell[3] = low.w;
    cell[4] = high.x, cell[5] = high.y, cell[6] = high.z, cell[7] = high.w;
}

// Stores the distances between a thread's sources and targets. across, down: number of the thread
// among those with other sources, and among those with other targets.
__device__ __forceinline__ void store(const Labels &l, int32_t lanes, int32_t lane, int32_t target,
                                      int32_t across, int32_t down,
                                      const int32_t (&least)[each][each]) {
#pragma unroll
    for (int q = 0; q < each; q++) {
        const int32_t place = target + item(down, q);
        if (place >= l.n)
            continue;
        int32_t *const row =
            l.dist + static_cast<size_t>(place) * static_cast<size_t>(lanes) + lane + across * 4;
#pragma unroll
        for (int r = 0; r < each; r += 4)
            *reinterpret_cast<int4 *>(row + r / 4 * half) =
                make_int4(least[r][q], least[r + 1][q], least[r + 2][q], least[r + 3][q]);
    }
}

// Finds the distances between different tiles. Sources are the places from `first` on; a block has
// one tile of sources and one of targets.
__global__ void __launch_bounds__(block_threads, 2)
    meet_apart(Labels l, int32_t first, int32_t lanes) {
    DYNAMIC_SHARED(Shared, shared);
    const int32_t sources = lanes / tile;
    const int32_t block = static_cast<int32_t>(blockIdx.x);
    const int32_t source_tile = first / tile + block % sources, target_tile = block / sources;
    if (source_tile == target_tile)
        return;
    const int32_t thread = static_cast<int32_t>(threadIdx.x);
    const int32_t across = thread % side, down = thread / side;
    const bool forwards = source_tile < target_tile;
    const int32_t low = min(source_tile, target_tile), high = max(source_tile, target_tile);
    int32_t most = l.common[high * tile];
    if (low + 1 < high)
        most = min(most, least_of(l, low + 1, high - 1));
    const int32_t which = thread / tile, own = thread % tile;
    const bool comes_first = (which == 0) == forwards;
    const int32_t place = place_of(l, (which == 0 ? source_tile : target_tile) * tile, own);
    shared->label[which][own] = l.label[which] + l.first[place];
    shared->common[which][own] = min(most, comes_first ? l.after[place] : l.before[place]);
    __syncthreads();
    int32_t least[each][each], next[2][each];
#pragma unroll
    for (int r = 0; r < each; r++) {
#pragma unroll
        for (int q = 0; q < each; q++)
            least[r][q] = INF;
    }
    fetch(shared, 0, thread, 0, next[0]);
    fetch(shared, 1, thread, 0, next[1]);
    for (int32_t k = 0; k < most; k += deep) {
        put(shared->cell[0], thread, next[0]);
        put(shared->cell[1], thread, next[1]);
        __syncthreads();
        if (k + deep < most) {
            fetch(shared, 0, thread, k + deep, next[0]);
            fetch(shared, 1, thread, k + deep, next[1]);
        }
#pragma unroll
        for (int d = 0; d < deep; d++) {
            int32_t a[each], b[each];
            take(shared->cell[0][d], across, a);
            take(shared->cell[1][d], down, b);
#pragma unroll
            for (int r = 0; r < each; r++) {
#pragma unroll
                for (int q = 0; q < each; q++)
                    least[r][q] = __viaddmin_s32(a[r], b[q], least[r][q]);
            }
        }
        __syncthreads();
    }
    store(l, lanes, block % sources * tile, target_tile * tile, across, down, least);
}

// Finds the distances within one tile; each thread has a source.
__global__ void __launch_bounds__(tile) meet_within(Labels l, int32_t first, int32_t lanes) {
    const int32_t begin = first + static_cast<int32_t>(blockIdx.x) * tile;
    const int32_t own = place_of(l, begin, static_cast<int32_t>(threadIdx.x));
    const int32_t *const from = l.label[0] + l.first[own];
    const int32_t target = begin + static_cast<int32_t>(blockIdx.y);
    if (target >= l.n)
        return;
    const int32_t *const to = l.label[1] + l.first[target];
    int32_t common = l.length[own], least = INF;
    for (int32_t k = min(own, target) + 1; k <= max(own, target); k++)
        common = min(common, l.common[k]);
    for (int32_t k = 0; k < common; k++)
        least = __viaddmin_s32(from[k], to[k], least);
    l.dist[static_cast<size_t>(target) * static_cast<size_t>(lanes) +
           static_cast<size_t>(begin - first) + threadIdx.x] = least;
}

size_t rounded(size_t bytes) {
    return (bytes + 255) / 256 * 256;
}

// Numbers for the device that are derived from placed_labels.common.
struct Derived {
    int32_t *before, *after, *least;
};

void derive(const struct placed_labels *placed, int32_t tiles, int32_t levels, Derived *d) {
    const int32_t n = placed->n;
    for (int32_t q = 0; q < tiles; q++) {
        const int32_t first = q * tile, end = n - first < tile ? n : first + tile;
        int32_t common = INT32_MAX;
        d->least[q] = placed->common[first];
        d->before[first] = common;
        for (int32_t k = first + 1; k < end; k++) {
            common = min(common, placed->common[k]);
            d->before[k] = common;
            d->least[q] = min(d->least[q], placed->common[k]);
        }
        common = INT32_MAX;
        for (int32_t k = end - 1; k >= first; k--) {
            d->after[k] = common;
            common = min(common, placed->common[k]);
        }
    }
    for (int32_t level = 1; level < levels; level++) {
        const int32_t *const below = d->least + static_cast<size_t>(level - 1) * tiles;
        int32_t *const row = d->least + static_cast<size_t>(level) * tiles;
        for (int32_t q = 0; q < tiles; q++) {
            const int32_t other = q + (1 << (level - 1));
            row[q] = other < tiles ? min(below[q], below[other]) : below[q];
        }
    }
}

// Hands out parts of one block of device memory; counts the block's size first.
struct Parts {
    char *memory = nullptr;
    size_t used = 0;
    template <typename T>
    T *take(size_t count) {
        T *const part = reinterpret_cast<T *>(memory + used);
        used += rounded(count * sizeof(T));
        return part;
    }
};

struct Places {
    int32_t *vertex, *length, *common;
    uint64_t *first;
    Derived derived;
    int32_t *label[2];
};

void arrange(Labels *l, const struct placed_labels *placed, int32_t levels, Parts *parts,
             Places *p) {
    const size_t n = static_cast<size_t>(placed->n), padded = n + tile;
    p->vertex = parts->take<int32_t>(padded);
    p->length = parts->take<int32_t>(n);
    p->common = parts->take<int32_t>(n);
    p->first = parts->take<uint64_t>(n);
    p->derived.before = parts->take<int32_t>(n);
    p->derived.after = parts->take<int32_t>(n);
    p->derived.least = parts->take<int32_t>(static_cast<size_t>(levels) * l->tiles);
    p->label[0] = parts->take<int32_t>(placed->cells);
    p->label[1] =
        placed->label[0] == placed->label[1] ? p->label[0] : parts->take<int32_t>(placed->cells);
    const size_t lanes = static_cast<size_t>(l->lanes);
    l->totals.sum = parts->take<uint64_t>(lanes);
    l->totals.high = parts->take<int64_t>(lanes);
    l->totals.low = parts->take<int64_t>(lanes);
    l->totals.reached = parts->take<int32_t>(lanes);
    l->totals.farthest = parts->take<int32_t>(lanes);
    l->totals.count = parts->take<uint64_t>(static_cast<size_t>(l->slots) * TOTALS_BINS);
    l->dist = parts->take<int32_t>(n * lanes);
}

enum status copy(void *to, const void *from, size_t bytes, struct error *err) {
    return gpu_check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying an index", err);
}

// Allocates memory for as many lanes as fit; returns false if that is not even one tile.
bool allocate(Labels *l, const struct placed_labels *placed, int32_t levels, Places *p) {
    for (l->lanes = max_lanes; l->lanes >= tile; l->lanes /= 2) {
        Parts parts;
        arrange(l, placed, levels, &parts, p);
        if (cudaMalloc(&l->memory, parts.used) == cudaSuccess) {
            parts = {};
            parts.memory = static_cast<char *>(l->memory);
            arrange(l, placed, levels, &parts, p);
            return true;
        }
        l->memory = nullptr;
        (void)cudaGetLastError();
    }
    return false;
}

} // namespace

enum status gpu_labels_select(int device, struct error *err) {
    RETURN_ON_FAILURE(gpu_check(cudaSetDevice(device), "selecting it", err));
    return gpu_check(cudaFree(nullptr), "creating a context", err);
}

enum status gpu_labels_open(struct gpu_labels *labels, const struct placed_labels *placed,
                            struct error *err) {
    const size_t n = static_cast<size_t>(placed->n), padded = n + tile;
    *labels = {};
    labels->n = placed->n;
    labels->tiles = static_cast<int32_t>(tiles_covering(placed->n, tile));
    labels->slots = max_slots;
    int32_t levels = 1;
    while (1 << levels <= labels->tiles)
        levels++;
    const size_t table = static_cast<size_t>(levels) * static_cast<size_t>(labels->tiles);
    Places p = {};
    if (!allocate(labels, placed, levels, &p))
        return STATUS_OK;
    void *memory = nullptr;
    enum status status = STATUS_OK;
    TRY(memory_alloc(&memory, 2 * n + table + padded, sizeof(int32_t), "the places", err));
    {
        int32_t *const host = static_cast<int32_t *>(memory), *const vertex = host + 2 * n + table;
        Derived derived = {host, host + n, host + 2 * n};
        derive(placed, labels->tiles, levels, &derived);
        for (size_t k = 0; k < padded; k++)
            vertex[k] = placed->vertex[k < n ? k : n - 1];
        TRY(copy(p.vertex, vertex, padded * sizeof(int32_t), err));
        TRY(copy(p.derived.before, derived.before, n * sizeof(int32_t), err));
        TRY(copy(p.derived.after, derived.after, n * sizeof(int32_t), err));
        TRY(copy(p.derived.least, derived.least, table * sizeof(int32_t), err));
    }
    TRY(copy(p.length, placed->length, n * sizeof(int32_t), err));
    TRY(copy(p.common, placed->common, n * sizeof(int32_t), err));
    TRY(copy(p.first, placed->first, n * sizeof(uint64_t), err));
    TRY(copy(p.label[0], placed->label[0], placed->cells * sizeof(int32_t), err));
    if (p.label[1] != p.label[0])
        TRY(copy(p.label[1], placed->label[1], placed->cells * sizeof(int32_t), err));
    labels->vertex = p.vertex;
    labels->length = p.length;
    labels->common = p.common;
    labels->first = p.first;
    labels->before = p.derived.before;
    labels->after = p.derived.after;
    labels->least = p.derived.least;
    labels->label[0] = p.label[0];
    labels->label[1] = p.label[1];
    TRY(gpu_check(cudaMemset(labels->totals.sum, 0,
                             static_cast<size_t>(reinterpret_cast<char *>(labels->dist) -
                                                 reinterpret_cast<char *>(labels->totals.sum))),
                  "clearing totals", err));
    labels->is_ready = true;
cleanup:
    memory_free(memory);
    return status;
}

enum status gpu_labels_make(const struct gpu_labels *labels, int32_t first, int32_t count,
                            struct gpu_lanes *rows, struct error *err) {
    const unsigned sources = tiles_covering(count, tile);
    const int32_t lanes = static_cast<int32_t>(sources) * tile;
    *rows = {};
    rows->dist = labels->dist;
    rows->source = labels->vertex + first;
    rows->count = count;
    rows->lanes = lanes;
    rows->totals = labels->totals;
    rows->slots = labels->slots;
    RETURN_ON_FAILURE(
        launch(err, meet_within, dim3(sources, tile), dim3(tile), 0, *labels, first, lanes));
    if (labels->tiles == 1)
        return STATUS_OK;
    return launch(err, meet_apart, dim3(sources * static_cast<unsigned>(labels->tiles)),
                  dim3(block_threads), sizeof(Shared), *labels, first, lanes);
}

void gpu_labels_close(struct gpu_labels *labels) {
    cudaFree(labels->memory); // a failure is not reported, because earlier calls have reported
                              // theirs
    *labels = {};
}
