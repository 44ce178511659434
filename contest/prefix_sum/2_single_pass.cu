// SPDX-License-Identifier: MIT
// One kernel, each number read once and each sum written once: decoupled look-back (this project;
// Merrill and Garland 2016).
//
// Changes from `two_level`: a block scans a tile of 8192 numbers in registers, publishes the
// tile's sum, and then looks back over the tiles before it. A tile there has published nothing yet,
// its own sum, or the sum of everything up to its end. The block adds sums until it meets one of
// the last kind, publishes its own, and writes. No kernel ends and no host is asked in between.
//
// Blocks take their tiles by a ticket. A tile before a block's own therefore belongs to a block
// that has begun, and that waits for nothing but tiles before its own: whatever order a device
// starts blocks in, and however few run at once, the first unfinished tile always goes on.
//
// State and sum share a word of 64 bits, so an ordinary load or store of 8 bytes hands on both,
// with no fence: two bits tell the state, 62 hold the sum, whose magnitude is below 2^61
// (problem.h).
//
// A step back takes as long as a read of the second-level cache, and the sums up to a tile's end
// cannot spread faster than that: in the time of a step, no more tiles are finished than a step
// covers. A warp's 32 are too few for the memory's bandwidth; here a lane looks at two, and tiles
// are large.
//
// A warp has 1024 neighbouring numbers. Lanes load pairs side by side (8 bytes) and store pairs of
// sums side by side (16 bytes), so every access covers whole lines without an exchange through
// shared memory; sixteen pairs are on their way at once.
#include "contest/prefix_sum/problem.h"
#include "gpu/launch/flags.cuh"  // load_relaxed, store_relaxed, fetch_add
#include "gpu/launch/launch.cuh" // launch
#include "gpu/launch/warp.cuh"   // from_below

namespace {

// Warps of a block. The shim takes turns among the threads of all blocks at once.
#ifdef CUDA_SHIM
constexpr int warps = 2;
#else
constexpr int warps = 8;
#endif
constexpr int chunks = 16; // chunks of a warp; a chunk has a pair of numbers for each lane
constexpr int looks = 2;   // tiles that a lane looks at in one step backwards
constexpr int threads = warps * warp_lanes;
constexpr int chunk_items = 2 * warp_lanes;
constexpr int warp_items = chunks * chunk_items;
constexpr int tile_items = warps * warp_items;

// The state of a tile: what it has published.
enum : uint64_t { NOTHING, OWN_SUM, SUM_UP_TO_END };
constexpr int state_bits = 2;

__device__ uint64_t word_of(uint64_t state, int64_t sum) {
    return static_cast<uint64_t>(sum) << state_bits | state;
}

__device__ uint64_t state_of(uint64_t word) {
    return word & ((1u << state_bits) - 1);
}

__device__ int64_t sum_of(uint64_t word) {
    return static_cast<int64_t>(word) >> state_bits;
}

// Returns what a tile has published; before the first one there is nothing to add.
__device__ uint64_t look_at(const uint64_t *words, int32_t tile) {
    return tile >= 0 ? load_relaxed(&words[tile]) : word_of(SUM_UP_TO_END, 0);
}

// Places in the shared memory of a block.
enum { TILE, SUM_BEFORE, WARP_SUMS, SHARED = WARP_SUMS + warps };

// Returns the sum of all tiles before this one, in every lane of the one warp that calls it, and
// publishes first the tile's own sum and then the sum up to its end.
__device__ int64_t look_back(uint64_t *words, int32_t tile, int64_t own_sum) {
    const int lane = static_cast<int>(threadIdx.x) % warp_lanes;
    int64_t before = 0;
    if (tile > 0 && lane == 0)
        store_relaxed(&words[tile], word_of(OWN_SUM, own_sum));
    bool found = tile == 0;
    for (int32_t nearest = tile - 1; !found; nearest -= warp_lanes * looks) {
        uint64_t word[looks];
#pragma unroll
        for (int k = 0; k < looks; k++)
            word[k] = look_at(words, nearest - lane * looks - k);
        int64_t sum = 0;
        bool ends = false;
#pragma unroll
        for (int k = 0; k < looks; k++) {
            while (state_of(word[k]) == NOTHING) {
                pause_thread();
                word[k] = look_at(words, nearest - lane * looks - k);
            }
            sum += ends ? 0 : sum_of(word[k]);
            ends = ends || state_of(word[k]) == SUM_UP_TO_END;
        }
        const unsigned all_ends = votes_of_warp(ends);
        found = all_ends != 0;
        const int last = found ? __ffs(static_cast<int>(all_ends)) - 1 : warp_lanes - 1;
        sum = lane <= last ? sum : 0;
        for (int bits = warp_lanes / 2; bits > 0; bits /= 2)
            sum += from_across(sum, bits);
        before += sum;
    }
    if (lane == 0)
        store_relaxed(&words[tile], word_of(SUM_UP_TO_END, before + own_sum));
    return before;
}

// Loads a lane's pairs of numbers; `from` is the place of its first number. Numbers beyond `count`
// are 0.
template <bool whole>
__device__ void load_pairs(int2 (&pair)[chunks], const int32_t *x, int64_t from, int64_t count) {
#pragma unroll
    for (int c = 0; c < chunks; c++) {
        const int64_t k = from + c * chunk_items;
        if (whole)
            pair[c] = __ldcs(reinterpret_cast<const int2 *>(x + k));
        else
            pair[c] = make_int2(k < count ? x[k] : 0, k + 1 < count ? x[k + 1] : 0);
    }
}

template <bool whole>
__device__ void store_pairs(const int2 (&pair)[chunks], const int64_t (&before)[chunks],
                            int64_t sum_before, int64_t *y, int64_t from, int64_t count) {
#pragma unroll
    for (int c = 0; c < chunks; c++) {
        const int64_t k = from + c * chunk_items;
        const int64_t first = sum_before + before[c] + pair[c].x;
        const int64_t second = first + pair[c].y;
        if (whole) {
            __stcs(reinterpret_cast<longlong2 *>(y + k), make_longlong2(first, second));
        } else {
            if (k < count)
                y[k] = first;
            if (k + 1 < count)
                y[k + 1] = second;
        }
    }
}

// before[c] becomes the sum of the warp's numbers before the lane's pair of chunk c. Returns the
// sum of all of them.
__device__ int64_t scan_warp(const int2 (&pair)[chunks], int64_t (&before)[chunks], int lane) {
    int64_t total = 0;
#pragma unroll
    for (int c = 0; c < chunks; c++) {
        const int64_t own = static_cast<int64_t>(pair[c].x) + pair[c].y;
        int64_t sum = own;
#pragma unroll
        for (int distance = 1; distance < warp_lanes; distance *= 2) {
            const int64_t below = from_below(sum, distance);
            sum += lane >= distance ? below : 0;
        }
        before[c] = total + sum - own;
        total += from_lane(sum, warp_lanes - 1);
    }
    return total;
}

// Sums a tile, whose number is the block's ticket. That two blocks share a multiprocessor bounds
// the registers.
__global__ void __launch_bounds__(threads, 2)
    scan_tiles(const int32_t *x, int64_t *y, int64_t count, uint64_t *words, uint32_t *tickets) {
    DYNAMIC_SHARED(int64_t, shared);
    const int lane = static_cast<int>(threadIdx.x) % warp_lanes;
    const int warp = static_cast<int>(threadIdx.x) / warp_lanes;
    if (threadIdx.x == 0)
        shared[TILE] = fetch_add(tickets, 1);
    __syncthreads();
    const int32_t tile = static_cast<int32_t>(shared[TILE]);
    const bool whole = (static_cast<int64_t>(tile) + 1) * tile_items <= count;
    const int64_t from = static_cast<int64_t>(tile) * tile_items + warp * warp_items + 2 * lane;
    int2 pair[chunks];
    int64_t before[chunks];
    if (whole)
        load_pairs<true>(pair, x, from, count);
    else
        load_pairs<false>(pair, x, from, count);
    const int64_t warp_sum = scan_warp(pair, before, lane);
    if (lane == 0)
        shared[WARP_SUMS + warp] = warp_sum;
    __syncthreads();
    int64_t sum_before = 0, tile_sum = 0;
    for (int w = 0; w < warps; w++) {
        sum_before += w < warp ? shared[WARP_SUMS + w] : 0;
        tile_sum += shared[WARP_SUMS + w];
    }
    if (warp == 0) {
        const int64_t before_tile = look_back(words, tile, tile_sum);
        if (lane == 0)
            shared[SUM_BEFORE] = before_tile;
    }
    __syncthreads();
    sum_before += shared[SUM_BEFORE];
    if (whole)
        store_pairs<true>(pair, before, sum_before, y, from, count);
    else
        store_pairs<false>(pair, before, sum_before, y, from, count);
}

int64_t tiles_for(int64_t count) {
    return (count + tile_items - 1) / tile_items;
}

} // namespace

// Bytes of the workspace: a word for each tile, and one for the tickets.
size_t prefix_sum_single_pass_workspace(int64_t count) {
    return static_cast<size_t>(tiles_for(count) + 1) * sizeof(uint64_t);
}

enum status prefix_sum_single_pass(const struct device_task *task, struct error *err) {
    const int64_t tiles = tiles_for(task->count);
    const auto words = static_cast<uint64_t *>(task->workspace);
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(words, 0, prefix_sum_single_pass_workspace(task->count), nullptr),
                  "clearing the tiles' words", err));
    return launch(err, scan_tiles, dim3(static_cast<unsigned>(tiles)), dim3(threads),
                  SHARED * sizeof(int64_t), static_cast<const int32_t *>(task->input),
                  static_cast<int64_t *>(task->output), task->count, words,
                  reinterpret_cast<uint32_t *>(words + tiles));
}
