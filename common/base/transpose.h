// SPDX-License-Identifier: MIT
/* Transposes small squares of int32 in registers. For kernel sources (isa.h) only. */
#ifndef COMMON_BASE_TRANSPOSE_H
#define COMMON_BASE_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { QUAD = 4 }; /* rows and columns that are transposed at a time */

/* to[c * to_pitch + r] = from[r * from_pitch + c] for r, c < QUAD. Addresses of rows are multiples
 * of 16 bytes. */
static inline void transpose_quad(const int32_t *from, ptrdiff_t from_pitch, int32_t *to,
                                  ptrdiff_t to_pitch) {
#ifdef __SSE2__
    __m128i row[QUAD], pair[QUAD];
    for (int r = 0; r < QUAD; r++)
        row[r] = _mm_load_si128((const __m128i *)(from + r * from_pitch));
    pair[0] = _mm_unpacklo_epi32(row[0], row[1]);
    pair[1] = _mm_unpackhi_epi32(row[0], row[1]);
    pair[2] = _mm_unpacklo_epi32(row[2], row[3]);
    pair[3] = _mm_unpackhi_epi32(row[2], row[3]);
    for (int half = 0; half < 2; half++) {
        int32_t *const two = to + 2 * half * to_pitch;
        _mm_store_si128((__m128i *)two, _mm_unpacklo_epi64(pair[half], pair[half + 2]));
        _mm_store_si128((__m128i *)(two + to_pitch),
                        _mm_unpackhi_epi64(pair[half], pair[half + 2]));
    }
#else
    for (int r = 0; r < QUAD; r++) {
        for (int c = 0; c < QUAD; c++)
            to[c * to_pitch + r] = from[r * from_pitch + c];
    }
#endif
}

#endif
