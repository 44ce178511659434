// SPDX-License-Identifier: MIT
// Formats of labels and edges. Labels are upper bounds of the distances from a few sources to a
// vertex, side by side in words. Edges into a vertex are read in sheaves of 16 bytes.
#ifndef SEARCH_GPU_LABELS_CUH
#define SEARCH_GPU_LABELS_CUH

#include "common/graph/graph.h"         // INF
#include "gpu/launch/flags.cuh"         // ON_DEVICE
#include "search/gpu/label_constants.h" // NARROW_NO_PATH, NARROW_VERTICES

#include <cuda_runtime.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

namespace labels {

// Two 16-bit labels in a word, edges in one word.
struct Narrow {
    using word = uint32_t;
    using pair = int2; // two words that are read or written at once
    using quad = int4;
    using number = int32_t; // type of weights, and of distances in the answer
    using tails = Narrow;   // format of labels that hold tails
    using edge = uint32_t;  // weight in the upper, tail in the lower 16 bits
    static constexpr bool is_real = false;
    static constexpr bool finds_trees = false;  // trees may be found with such labels
    static constexpr bool has_trees = false;    // labels may begin with trees
    static constexpr bool needs_nearer = false; // a predecessor must be nearer to the source than
                                                // its vertex: tight edges may form cycles
    static constexpr int32_t to_itself = 0;     // label of a source from itself
    static constexpr int lanes = 2;
    static constexpr int32_t sheaf = 4; // number of edges in 16 bytes
    // Stands for no path, and for all paths of this length or more. A sum of two does not overflow.
    static constexpr int32_t no_path = NARROW_NO_PATH;
    static constexpr int32_t infinite = INF;    // value for no path in the answer
    static constexpr word no_tail = 0xffffffff; // no tail, in all lanes; with 65536 vertices it is
                                                // also a tail
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
    // Returns whether edge a comes before b: by weight, then by tail. Both have the same head and
    // different tails.
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
    // Returns in each lane the smaller of `tail` and `now` if to_tail + weight = own, otherwise
    // `now`.
    static __device__ __forceinline__ word if_tight(word to_tail, word weight, word own, word tail,
                                                    word now) {
        const word sum = __viaddmin_u16x2(to_tail, weight, 0xffffffff);
        const word differs = __viaddmin_u16x2(sum ^ own, 0, 0x00010001);
        return __viaddmin_u16x2(differs * 0xffff | tail, 0, now);
    }
};

// One label in a word of half the size, for graphs with so many vertices that only one label fits.
struct Single : Narrow {
    using word = uint16_t;
    using tails = Single;
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

// One label in a word, edges in two words.
struct Wide {
    using word = int32_t;
    using pair = int2;
    using quad = int4;
    using number = int32_t;
    using tails = Wide;
    using edge = int2; // tail, then weight
    static constexpr bool is_real = false;
    static constexpr bool finds_trees = true;
    static constexpr bool has_trees = false;
    static constexpr bool needs_nearer = false;
    static constexpr int32_t to_itself = 0;
    static constexpr int lanes = 1;
    static constexpr int32_t sheaf = 2;
    static constexpr int32_t no_path = INF;
    static constexpr int32_t infinite = INF;
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

// Returns the real number with these bits, the lower half first.
__device__ __forceinline__ float real_of(int bits) {
#ifdef ON_DEVICE
    return __int_as_float(bits);
#else
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
#endif
}
__device__ __forceinline__ double real_of(int low, int high) {
#ifdef ON_DEVICE
    return __hiloint2double(high, low);
#else
    const int bits[2] = {low, high};
    double number;
    memcpy(&number, bits, sizeof number);
    return number;
#endif
}

// The vector types of a real type.
template <typename Number>
struct Vectors;
template <>
struct Vectors<float> {
    using pair = float2;
    using quad = float4;
};
template <>
struct Vectors<double> {
    using pair = double2;
    using quad = void; // there is no vector of 32 bytes
};

// One label of a real type in a word. An edge has 8 or 16 bytes.
template <typename Number>
struct Real {
    using word = Number;
    using pair = typename Vectors<Number>::pair;
    using quad = typename Vectors<Number>::quad;
    using number = Number;
    using tails = Wide;
    struct alignas(2 * sizeof(Number)) edge {
        Number weight;
        int32_t tail;
    };
    static constexpr bool is_real = true;
    static constexpr bool finds_trees = sizeof(Number) == 4;
    static constexpr bool has_trees = true;
    static constexpr bool needs_nearer = true; // weights may vanish in rounded sums
    static constexpr Number to_itself = 0;
    static constexpr int lanes = 1;
    static constexpr int32_t sheaf = 16 / sizeof(edge);
    static constexpr Number no_path = static_cast<Number>(INFINITY);
    static constexpr Number infinite = no_path;

    static __device__ __forceinline__ edge edge_in(const int4 &read, int e) {
        if constexpr (sizeof(Number) == 8)
            return {real_of(read.x, read.y), read.z};
        else
            return e == 0 ? edge{real_of(read.x), read.y} : edge{real_of(read.z), read.w};
    }
    static __host__ __device__ __forceinline__ edge edge_of(int32_t tail, Number weight) {
        return edge{weight, tail};
    }
    static __host__ __device__ __forceinline__ int32_t tail(const edge &e) {
        return e.tail;
    }
    static __host__ __device__ __forceinline__ Number weight(const edge &e) {
        return e.weight;
    }
    static __host__ __device__ __forceinline__ bool before(const edge &a, const edge &b) {
        return a.weight < b.weight || (a.weight == b.weight && a.tail < b.tail);
    }

    static __host__ __device__ __forceinline__ word all(Number label) {
        return label;
    }
    static __host__ __device__ __forceinline__ Number label(word w, int) {
        return w;
    }
    static __host__ __device__ __forceinline__ word with_label(word, int, Number label) {
        return label;
    }
    static __device__ __forceinline__ word relax(word to_tail, word weight, word now) {
        const word sum = to_tail + weight;
        return sum < now ? sum : now;
    }
    static __device__ __forceinline__ word minimum(word a, word b) {
        return a < b ? a : b;
    }
    static __device__ __forceinline__ int32_t if_tight(word to_tail, word weight, word own,
                                                       int32_t tail, int32_t now) {
        return to_tail + weight == own && to_tail < own ? min(tail, now) : now;
    }
};

// Operations that join a label and a weight in another semiring than min-plus
// (common/graph/semiring.h), for labels of which the least is the best.
struct Greater {
    template <typename Number>
    static __device__ __forceinline__ Number join(Number label, Number weight) {
        return label > weight ? label : weight;
    }
    template <typename Base>
    static constexpr typename Base::number no_path = Base::no_path;
    template <typename Base>
    static constexpr typename Base::number to_itself = -Base::no_path;
};

// Labels and weights are minus the lengths, and so is minus their product, rounded as the length
// is.
struct Product {
    template <typename Number>
    static __device__ __forceinline__ Number join(Number label, Number weight) {
        return -(label * weight);
    }
    template <typename Base>
    static constexpr typename Base::number no_path = 0;
    template <typename Base>
    static constexpr typename Base::number to_itself = -1;
};

// Labels and edges like those of Base, but joined by another operation.
template <typename Base, typename Operation>
struct Joined : Base {
    using word = typename Base::word;
    using number = typename Base::number;
    using tails = Wide;
    static constexpr bool finds_trees = false;
    static constexpr bool has_trees = false;
    static constexpr bool needs_nearer = true;
    static constexpr number to_itself = Operation::template to_itself<Base>;
    static constexpr number no_path = Operation::template no_path<Base>;
    static constexpr number infinite = no_path;

    static __device__ __forceinline__ word relax(word to_tail, word weight, word now) {
        return Base::minimum(Operation::join(to_tail, weight), now);
    }
    static __device__ __forceinline__ int32_t if_tight(word to_tail, word weight, word own,
                                                       int32_t tail, int32_t now) {
        return Operation::join(to_tail, weight) == own && to_tail < own ? min(tail, now) : now;
    }
};

} // namespace labels

#endif
