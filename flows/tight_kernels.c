// SPDX-License-Identifier: MIT
/* The kernels of tight_kernels.h for one instruction set (isa.h). */
#include "flows/tight_kernels.h"

#include "common/base/vector.h" // the intrinsics
#include "common/graph/graph.h" // INF

#if defined(__AVX512BW__)
/* Stores those of eight edges, from place `at` on, that `mask` selects; returns their number. The
 * lanes behind them hold garbage. */
static inline size_t store(tight_edge *tight, __mmask8 mask, __m256i key, size_t at) {
    const __m512i step = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i place = _mm512_add_epi64(_mm512_set1_epi64((int64_t)at), step);
    const __m512i edge = _mm512_or_si512(_mm512_slli_epi64(_mm512_cvtepu32_epi64(key), 32), place);
    _mm512_storeu_si512(tight, _mm512_maskz_compress_epi64(mask, edge));
    return (size_t)__builtin_popcount(mask);
}

/* Without optimization, gcc's intrinsic is a macro that warns of a conversion of its own. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
static inline __m512i gather(const int32_t *from, __m512i index) {
    return _mm512_i32gather_epi32(index, from, 4);
}
#pragma GCC diagnostic pop

static size_t list(const struct tight_edges *edges, const int32_t *dist, tight_edge *tight) {
    enum { LANES = 16, HALF = LANES / 2 };
    const __m512i no_path = _mm512_set1_epi32(INF);
    const int32_t *const tails = edges->tail, *const heads = edges->head;
    const int32_t *const weights = edges->weight;
    const size_t padded = edges->padded;
    size_t count = 0;
    for (size_t at = 0; at < padded; at += LANES) {
        const __m512i tail = _mm512_loadu_si512(tails + at);
        const __m512i head = _mm512_loadu_si512(heads + at);
        const __m512i weight = _mm512_loadu_si512(weights + at);
        const __m512i from = gather(dist, tail);
        const __m512i to = gather(dist, head);
        const __mmask16 mask = _mm512_mask_cmpeq_epi32_mask(_mm512_cmplt_epi32_mask(to, no_path),
                                                            _mm512_add_epi32(from, weight), to);
        count += store(tight + count, (__mmask8)mask, _mm512_castsi512_si256(to), at);
        count += store(tight + count, (__mmask8)(mask >> HALF), _mm512_extracti64x4_epi64(to, 1),
                       at + HALF);
    }
    return count;
}
#else
static size_t list(const struct tight_edges *edges, const int32_t *dist, tight_edge *tight) {
    size_t count = 0;
    for (size_t at = 0; at < edges->padded; at++) { /* no branch, because the processor could not
                                                       predict it */
        const int32_t to = dist[edges->head[at]];
        tight[count] = (tight_edge)(uint32_t)to << 32 | (uint32_t)at;
        count += (size_t)((dist[edges->tail[at]] + edges->weight[at] == to) & (to < INF));
    }
    return count;
}
#endif

static int32_t reached(const int32_t *dist, int32_t n, int32_t *largest) {
    enum { LANES = VECTOR_BYTES / (int)sizeof(int32_t) };
    vector_i32 count = {0}, least = {0}; /* `least` is the smallest of the negated distances, which
                                            is the largest distance */
    int32_t found = 0, v = 0;
    *largest = 0;
    for (; v + LANES <= n; v += LANES) {
        const vector_i32 to = vector_load(dist + v), has_path = to < INF;
        count -= has_path;
        least = vector_min(least, -(to & has_path));
    }
    for (int lane = 0; lane < LANES; lane++) {
        found += count[lane];
        *largest = -least[lane] > *largest ? -least[lane] : *largest;
    }
    for (; v < n; v++) {
        found += dist[v] < INF;
        *largest = dist[v] < INF && dist[v] > *largest ? dist[v] : *largest;
    }
    return found;
}

const struct tight_kernels ISA_SYMBOL(tight_kernels) = {list, reached};
