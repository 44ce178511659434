// SPDX-License-Identifier: MIT
// Formats of labels and edges. Labels are upper bounds of the distances from a few sources to a
// vertex, side by side in words. Edges into a vertex are read in sheaves of 16 bytes.
#ifndef CUDA_SPARSE_PARTS_LABELS_CUH
#define CUDA_SPARSE_PARTS_LABELS_CUH

#include "common/graph/graph.h"       // INF
#include "cuda_sparse/parts/limits.h" // NARROW_NO_PATH, NARROW_VERTICES

#include <cuda_runtime.h>

#include <stdint.h>

namespace labels {

// Two labels to a word, edges in one word.
struct Narrow {
    using word = uint32_t;
    using edge = uint32_t; // weight, tail: 16 bits each
    static constexpr int lanes = 2;
    static constexpr int32_t sheaf = 4; // edges
    // Stands for no path and for all that is longer. Sums of two do not overflow.
    static constexpr int32_t no_path = NARROW_NO_PATH;
    static constexpr word no_tail = 0xffffffff; // in all lanes; may be one all the same
    static constexpr int32_t max_vertices = NARROW_VERTICES;

    static __device__ __forceinline__ edge edge_in(const int4 &read, int e) {
        return static_cast<edge>(e == 0 ? read.x : e == 1 ? read.y : e == 2 ? read.z : read.w);
    }

    static __host__ __device__ __forceinline__ edge edge_of(int32_t tail, int32_t weight) {
        return static_cast<edge>(weight < no_path ? weight : no_path) << 16 |
               static_cast<edge>(tail);
    }
    static __host__ __device__ __forceinline__ int32_t tail(edge e) {
        return static_cast<int32_t>(e & 0xffff);
    }
    static __host__ __device__ __forceinline__ int32_t weight(edge e) {
        return static_cast<int32_t>(e >> 16);
    }
    // Orders edges of one head, which have different tails, by weight and tail.
    static __host__ __device__ __forceinline__ bool before(edge a, edge b) {
        return a < b;
    }

    static __host__ __device__ __forceinline__ word all(int32_t label) {
        return static_cast<word>(label) | static_cast<word>(label) << 16;
    }
    static __host__ __device__ __forceinline__ int32_t label(word w, int lane) {
        return static_cast<int32_t>(lane == 0 ? w & 0xffff : w >> 16);
    }
    static __host__ __device__ __forceinline__ word with_label(word w, int lane, int32_t label) {
        return lane == 0 ? (w & 0xffff0000) | static_cast<word>(label)
                         : (w & 0xffff) | static_cast<word>(label) << 16;
    }
    static __device__ __forceinline__ word relax(word to_tail, word weight, word now) {
        return __viaddmin_u16x2(to_tail, weight, now);
    }
    static __device__ __forceinline__ word minimum(word a, word b) {
        return __viaddmin_u16x2(a, 0, b);
    }
    // In each lane the smaller of `tail` and `now` if to_tail + weight = own, otherwise `now`.
    static __device__ __forceinline__ word if_tight(word to_tail, word weight, word own, word tail,
                                                    word now) {
        const word sum = __viaddmin_u16x2(to_tail, weight, 0xffffffff);
        const word differs = __viaddmin_u16x2(sum ^ own, 0, 0x00010001);
        return __viaddmin_u16x2(differs * 0xffff | tail, 0, now);
    }
};

// One label to a word of half the size, for graphs with so many vertices that more do not fit.
struct Single : Narrow {
    using word = uint16_t;
    static constexpr int lanes = 1;
    static constexpr word no_tail = 0xffff;

    static __host__ __device__ __forceinline__ word all(int32_t label) {
        return static_cast<word>(label);
    }
    static __host__ __device__ __forceinline__ int32_t label(word w, int) {
        return w;
    }
    static __host__ __device__ __forceinline__ word with_label(word, int, int32_t label) {
        return static_cast<word>(label);
    }
    static __device__ __forceinline__ word relax(word to_tail, word weight, word now) {
        return static_cast<word>(min(to_tail + weight, static_cast<int>(now)));
    }
    static __device__ __forceinline__ word minimum(word a, word b) {
        return min(a, b);
    }
    static __device__ __forceinline__ word if_tight(word to_tail, word weight, word own, word tail,
                                                    word now) {
        return to_tail + weight == own ? min(tail, now) : now;
    }
};

// One label to a word, edges in two.
struct Wide {
    using word = int32_t;
    using edge = int2; // tail, weight
    static constexpr int lanes = 1;
    static constexpr int32_t sheaf = 2;
    static constexpr int32_t no_path = INF;
    static constexpr word no_tail = INT32_MAX; // never a tail
    static constexpr int32_t max_vertices = INT32_MAX;

    static __device__ __forceinline__ edge edge_in(const int4 &read, int e) {
        return e == 0 ? make_int2(read.x, read.y) : make_int2(read.z, read.w);
    }

    static __host__ __device__ __forceinline__ edge edge_of(int32_t tail, int32_t weight) {
        return make_int2(tail, weight < no_path ? weight : no_path);
    }
    static __host__ __device__ __forceinline__ int32_t tail(edge e) {
        return e.x;
    }
    static __host__ __device__ __forceinline__ int32_t weight(edge e) {
        return e.y;
    }
    static __host__ __device__ __forceinline__ bool before(edge a, edge b) {
        return a.y < b.y || (a.y == b.y && a.x < b.x);
    }

    static __host__ __device__ __forceinline__ word all(int32_t label) {
        return label;
    }
    static __host__ __device__ __forceinline__ int32_t label(word w, int) {
        return w;
    }
    static __host__ __device__ __forceinline__ word with_label(word, int, int32_t label) {
        return label;
    }
    static __device__ __forceinline__ word relax(word to_tail, word weight, word now) {
        return __viaddmin_s32(to_tail, weight, now);
    }
    static __device__ __forceinline__ word minimum(word a, word b) {
        return min(a, b);
    }
    static __device__ __forceinline__ word if_tight(word to_tail, word weight, word own, word tail,
                                                    word now) {
        return to_tail + weight == own ? min(tail, now) : now;
    }
};

} // namespace labels

#endif
