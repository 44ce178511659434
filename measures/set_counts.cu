// SPDX-License-Identifier: MIT
#include "measures/set_counts.h"

#include "gpu/launch/flags.cuh"  // fetch_add, load_once
#include "gpu/launch/launch.cuh" // launch
#include "gpu/launch/warp.cuh"   // lowest_bit

namespace {

constexpr int threads = 512, warps = threads / warp_lanes, most_blocks = 264;
constexpr int at_once = 8;     // number of sets that are counted at a time
constexpr int high_slices = 8; // 8 bits: 2^8 - 1 groups of eight sets are counted between flushes
constexpr int32_t most_groups = (1 << high_slices) - 1;

// Adds the bits of a, b and *low at each of 32 places: *low becomes the low bit of each sum, and
// the result is the high bit.
__device__ __forceinline__ uint32_t add_bits(uint32_t *low, uint32_t a, uint32_t b) {
    const uint32_t other = a ^ b, high = (a & b) | (other & *low);
    *low ^= other;
    return high;
}

// Counts, for each of 32 bits, in how many of the words taken it is set. Slice k holds bit k of
// each count: the three lowest slices first, then `high`.
struct Counts {
    uint32_t ones = 0, twos = 0, fours = 0;
    uint32_t high[high_slices] = {};

    __device__ __forceinline__ void take(const uint32_t (&word)[at_once]) {
        const uint32_t two_a = add_bits(&ones, word[0], word[1]);
        const uint32_t two_b = add_bits(&ones, word[2], word[3]);
        const uint32_t four_a = add_bits(&twos, two_a, two_b);
        const uint32_t two_c = add_bits(&ones, word[4], word[5]);
        const uint32_t two_d = add_bits(&ones, word[6], word[7]);
        const uint32_t four_b = add_bits(&twos, two_c, two_d);
        uint32_t carry = add_bits(&fours, four_a, four_b);
#pragma unroll
        for (int k = 0; k < high_slices; k++) {
            const uint32_t next = high[k] & carry;
            high[k] ^= carry;
            carry = next;
        }
    }

    __device__ __forceinline__ uint32_t of_bit(int bit) const {
        uint32_t count = (ones >> bit & 1) + 2 * (twos >> bit & 1) + 4 * (fours >> bit & 1);
#pragma unroll
        for (int k = 0; k < high_slices; k++)
            count += (high[k] >> bit & 1) << (k + 3);
        return count;
    }
};

// Adds the counts of each lane's word to sum[bit * 32 + lane], and clears them.
__device__ void flush(Counts *counts, uint32_t *sum, int lane) {
    for (int bit = 0; bit < 32; bit++)
        fetch_add(&sum[bit * warp_lanes + lane], counts->of_bit(bit));
    *counts = Counts();
}

// A warp takes words of the bitmap one by one, and for each word its active sets.
__global__ void __launch_bounds__(threads) count_sets(gpu_sets sets, uint32_t *count) {
    DYNAMIC_SHARED(uint32_t, sum);
    const int thread = static_cast<int>(threadIdx.x), lane = thread % warp_lanes;
    for (int k = thread; k < GPU_SET_LANES; k += threads)
        sum[k] = 0;
    __syncthreads();
    Counts counts;
    int32_t groups = 0;
    for (size_t w =
             blockIdx.x * static_cast<size_t>(warps) + static_cast<size_t>(thread / warp_lanes);
         w < sets.words; w += static_cast<size_t>(gridDim.x) * warps) {
        for (uint32_t left = sets.active[w]; left != 0;) {
            uint32_t word[at_once];
#pragma unroll
            for (int k = 0; k < at_once; k++) {
                const size_t set = w * 32 + static_cast<size_t>(left != 0 ? lowest_bit(left) : 0);
                word[k] =
                    left != 0
                        ? load_once(&sets.set[set * GPU_SET_WORDS + static_cast<size_t>(lane)])
                        : 0;
                left &= left - 1;
            }
            counts.take(word);
            if (++groups % most_groups == 0)
                flush(&counts, sum, lane);
        }
    }
    flush(&counts, sum, lane);
    __syncthreads();
    for (int k = thread; k < GPU_SET_LANES; k += threads) {
        const uint32_t own = sum[k % 32 * warp_lanes + k / 32];
        if (own != 0)
            fetch_add(&count[k], own);
    }
}

} // namespace

extern "C" {

enum status gpu_sets_count(const struct gpu_sets *sets, uint32_t *count, struct error *err) {
    const size_t blocks = (sets->words + warps - 1) / warps;
    return launch(err, count_sets,
                  dim3(static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks)),
                  dim3(threads), GPU_SET_LANES * sizeof(uint32_t), *sets, count);
}

} // extern "C"
