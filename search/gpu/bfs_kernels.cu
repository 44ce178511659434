// SPDX-License-Identifier: MIT
#include "search/gpu/bfs_kernels.h"

#include "gpu/launch/flags.cuh"  // set_bits, clear_bits, load_once
#include "gpu/launch/launch.cuh" // launch
#include "gpu/launch/warp.cuh"   // votes_of_warp, from_lane

namespace {

constexpr int threads = 512, warps = threads / warp_lanes;
constexpr size_t shared_bytes = 2 * threads * sizeof(uint32_t);
constexpr uint32_t all_bits = 0xffffffff;
constexpr int sets_at_once = 8; // number of sets that a warp loads at a time

__device__ __forceinline__ int lane_of_thread() {
    return static_cast<int>(threadIdx.x) % warp_lanes;
}

// Returns the sets of sources that are new at a level. Sets of `kept` levels are kept.
__host__ __device__ __forceinline__ uint32_t *sets_of(const gpu_bfs &b, int32_t level,
                                                      int32_t kept) {
    return b.fresh + static_cast<size_t>(level % kept) * static_cast<size_t>(b.n) * BFS_SET_WORDS;
}

// An edge into a vertex.
struct Edge {
    int32_t tail;   // number of the vertex; -1: no edge
    int32_t weight; // weight in levels
};

// Arrays that the work on a level reads and writes. Without by_weight, all edges weigh one level.
template <bool by_weight>
struct Level {
    const gpu_bfs &b;
    int32_t level, kept;
    // Sets that edges bring: those of the level before or, with by_weight, those of all levels that
    // are kept.
    const uint32_t *const before;
    uint32_t *const now;
    const uint32_t *const active; // bitmap of the level before or, with by_weight, bitmaps of all
                                  // levels
    int lane;
    int32_t *const list; // numbers of up to 32 sets, in shared memory of the warp

    __device__ Level(const gpu_bfs &bfs, int32_t number, int32_t *lists)
        : b(bfs), level(number), kept(by_weight ? bfs.steps + 1 : 2),
          before(by_weight ? bfs.fresh : sets_of(bfs, number - 1, kept)),
          now(sets_of(bfs, number, kept)),
          active(by_weight ? bfs.active : bfs.active + static_cast<size_t>(number - 1) * bfs.words),
          lane(lane_of_thread()), list(lists + threadIdx.x / warp_lanes * warp_lanes) {
    }

    __device__ __forceinline__ int64_t first_of(int32_t v) const {
        return b.first[by_weight ? static_cast<int64_t>(v) * b.steps : v];
    }

    // Returns whether sources may pass over an edge at this level.
    __device__ __forceinline__ bool comes(const Edge &edge) const {
        if (edge.tail < 0 || (by_weight && edge.weight > level))
            return false;
        const uint32_t *const then =
            by_weight ? active + static_cast<size_t>(level - edge.weight) * b.words : active;
        return (then[edge.tail / 32] >> edge.tail % 32 & 1) != 0;
    }

    // Returns the number of the set that passes over an edge.
    __device__ __forceinline__ int32_t set_of(const Edge &edge) const {
        if (!by_weight)
            return edge.tail;
        const int32_t ago = level % kept - edge.weight;
        return (ago < 0 ? ago + kept : ago) * b.n + edge.tail;
    }

    __device__ __forceinline__ uint32_t word(const uint32_t *sets, int32_t v) const {
        return load_once(&sets[static_cast<size_t>(v) * BFS_SET_WORDS + static_cast<size_t>(lane)]);
    }

    // Returns the lane's edge: number first + lane, if that is below `end`.
    __device__ __forceinline__ Edge edge_of(int64_t first, int64_t end) const {
        if (first + lane >= end)
            return {-1, 1};
        return {b.tail[first + lane], by_weight ? b.weight[first + lane] : 1};
    }

    // Unites the sets that pass over the edges into v, 32 edges at a time: those from `first` on,
    // whose first 32 are given in `edge`, then those `apart` places later, and so on below `end`.
    // Stops when all sources have come to v. *have: sources that had come before, set if any set
    // passes. Returns whether any set passes. Independent loads run at the same time.
    __device__ bool pull(int32_t v, Edge edge, int64_t first, int64_t end, int64_t apart,
                         uint32_t *have, uint32_t *found) const {
        bool any = false, full = false;
        *found = 0;
        while (first < end && !full) {
            const int32_t count = pack_lanes(comes(edge), set_of(edge), list);
            if (count > 0 && !any)
                *have = word(b.seen, v);
            any = any || count > 0;
            for (int32_t next = 0; next < count && !full; next += sets_at_once) {
                uint32_t part[sets_at_once];
#pragma unroll
                for (int k = 0; k < sets_at_once; k++)
                    part[k] = next + k < count ? word(before, list[next + k]) : 0;
#pragma unroll
                for (int k = 0; k < sets_at_once; k++)
                    *found |= part[k];
                full = votes_of_warp((*found | *have) != all_bits) == 0;
            }
            sync_warp();
            first += apart;
            edge = edge_of(first, end);
        }
        return any;
    }

    // Notes the sources that have come to v. Returns whether any is new. *full: all sources have
    // come.
    __device__ bool visit(int32_t v, uint32_t have, uint32_t found, bool *full) const {
        const size_t at = static_cast<size_t>(v) * BFS_SET_WORDS + static_cast<size_t>(lane);
        const uint32_t fresh = found & ~have;
        *full = false;
        if (votes_of_warp(fresh != 0) == 0)
            return false;
        now[at] = fresh;
        b.seen[at] = have | fresh;
        if (b.by_vertex != nullptr) {
            const int32_t size = sum_of_warp(bits_set(fresh));
            if (lane == 0)
                b.by_vertex[static_cast<size_t>(level) * static_cast<size_t>(b.n) +
                            static_cast<size_t>(v)] += static_cast<uint32_t>(size);
        }
        *full = votes_of_warp((have | fresh) != all_bits) == 0;
        return true;
    }

    // Takes the vertices of a unit in a warp. The first edges of the next vertex are loaded during
    // the work on the one before.
    __device__ void take(const bfs_unit &unit) const {
        const int32_t own = unit.word * 32 + lane;
        const int64_t own_first = own < b.n ? first_of(own) : 0;
        const int64_t own_end = own < b.n ? first_of(own + 1) : 0;
        uint32_t left = b.open[unit.word] & unit.vertices, active_now = 0, full_now = 0;
        int bit = left != 0 ? lowest_bit(left) : 0;
        int64_t first = from_lane(own_first, bit), end = from_lane(own_end, bit);
        Edge edge = edge_of(first, left != 0 ? end : first);
        while (left != 0) {
            left &= left - 1;
            const int next = left != 0 ? lowest_bit(left) : bit;
            const int64_t next_first = from_lane(own_first, next);
            const int64_t next_end = from_lane(own_end, next);
            const Edge next_edge = edge_of(next_first, next_end);
            const int32_t v = unit.word * 32 + bit;
            uint32_t have, found;
            bool full;
            if (pull(v, edge, first, end, warp_lanes, &have, &found) &&
                visit(v, have, found, &full)) {
                active_now |= 1u << bit;
                full_now |= full ? 1u << bit : 0;
            }
            bit = next;
            first = next_first;
            end = next_end;
            edge = next_edge;
        }
        if (lane == 0 && active_now != 0)
            note(unit.word, active_now, full_now);
    }

    // Notes the vertices of word w at which sources are new, and those to which all sources have
    // come.
    __device__ void note(int32_t w, uint32_t active_now, uint32_t full_now) const {
        set_bits(&b.active[static_cast<size_t>(level) * b.words + static_cast<size_t>(w)],
                 active_now);
        if (full_now != 0)
            clear_bits(&b.open[w], full_now);
        b.any[level] = 1;
    }

    // Takes one vertex in a block, whose warps divide the edges.
    __device__ void take_hub(int32_t v, uint32_t *found_by_warps) const {
        const int warp = static_cast<int>(threadIdx.x) / warp_lanes;
        if ((b.open[v / 32] >> v % 32 & 1) == 0) // equal for all threads
            return;
        const int64_t first = first_of(v) + warp * warp_lanes, end = first_of(v + 1);
        uint32_t have, found;
        pull(v, edge_of(first, end), first, end, static_cast<int64_t>(threads), &have, &found);
        found_by_warps[warp * warp_lanes + lane] = found;
        __syncthreads();
        if (warp > 0)
            return;
        for (int k = 0; k < warps; k++)
            found |= found_by_warps[k * warp_lanes + lane];
        bool full;
        if (visit(v, word(b.seen, v), found, &full) && lane == 0)
            note(v / 32, 1u << v % 32, full ? 1u << v % 32 : 0);
    }
};

// Returns whether sources may pass at a level: some source is new at one of the `steps` levels
// before it.
__device__ __forceinline__ bool follows(const gpu_bfs &b, int32_t level, int32_t steps) {
    for (int32_t before = level - 1; before >= 0 && before >= level - steps; before--) {
        if (b.any[before] != 0)
            return true;
    }
    return false;
}

template <bool by_weight>
__global__ void __launch_bounds__(threads) search(gpu_bfs b, int32_t number) {
    DYNAMIC_SHARED(uint32_t, shared); // for each thread a word of a set that its warp has found,
                                      // and a set's number
    if (!follows(b, number, by_weight ? b.steps : 1))
        return;
    const Level<by_weight> level(b, number, reinterpret_cast<int32_t *>(shared) + threads);
    if (static_cast<int32_t>(blockIdx.x) < b.hubs) {
        level.take_hub(b.hub[blockIdx.x], shared);
        return;
    }
    const int32_t block = static_cast<int32_t>(blockIdx.x) - b.hubs;
    const int32_t unit = block * warps + static_cast<int32_t>(threadIdx.x) / warp_lanes;
    if (unit < b.units)
        level.take(b.unit[unit]);
}

// Begins a batch, with one thread for each word of the sets.
__global__ void __launch_bounds__(threads) start(gpu_bfs b, int32_t source) {
    const size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
    const int32_t v = static_cast<int32_t>(at / BFS_SET_WORDS);
    const int32_t word = static_cast<int32_t>(at % BFS_SET_WORDS);
    if (v >= b.n)
        return;
    const int32_t lane = b.number[v] - source, count = b.sources - source, first = word * 32;
    const uint32_t none = count >= first + 32 ? 0
                          : count <= first    ? all_bits
                                              : all_bits << (count - first);
    const uint32_t own = lane >= first && lane < first + 32 ? 1u << (lane - first) : 0;
    b.seen[at] = none | own;
    if (lane >= 0 && lane < BFS_SOURCES) {
        b.fresh[at] = own;
        if (word == 0)
            set_bits(&b.active[v / 32], 1u << v % 32);
    }
    if (word > 0 || v % 32 != 0)
        return;
    b.open[v / 32] = b.n - v >= 32 ? all_bits : all_bits >> (32 - (b.n - v));
    if (v == 0)
        b.any[0] = 1;
}

} // namespace

extern "C" {

enum status gpu_bfs_begin(const struct gpu_bfs *b, int32_t source, struct error *err) {
    const size_t words = static_cast<size_t>(b->n) * BFS_SET_WORDS;
    RETURN_ON_FAILURE(gpu_check(
        cudaMemsetAsync(b->active, 0, (BFS_MOST_LEVELS + 1) * b->words * sizeof(uint32_t), nullptr),
        "forgetting a batch", err));
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(b->any, 0, (BFS_MOST_LEVELS + 1) * sizeof(int32_t), nullptr),
                  "forgetting a batch", err));
    return launch(err, start, dim3(static_cast<unsigned>((words + threads - 1) / threads)),
                  dim3(threads), 0, *b, source);
}

enum status gpu_bfs_level(const struct gpu_bfs *b, int32_t source, int32_t level,
                          struct error *err) {
    const int32_t blocks = b->hubs + (b->units + warps - 1) / warps;
    if (blocks == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(launch(err, b->steps > 1 ? search<true> : search<false>,
                             dim3(static_cast<unsigned>(blocks)), dim3(threads), shared_bytes, *b,
                             level));
    if (b->by_source == nullptr)
        return STATUS_OK;
    const struct gpu_sets sets = {sets_of(*b, level, b->steps + 1),
                                  b->active + static_cast<size_t>(level) * b->words, b->words};
    return gpu_sets_count(&sets, b->by_source + static_cast<size_t>(level) * b->pitch + source,
                          err);
}

} // extern "C"
