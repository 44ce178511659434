// SPDX-License-Identifier: MIT
/* Transposes small squares in registers. For kernel sources (isa.h) only. */
#ifndef COMMON_BASE_TRANSPOSE_H
#define COMMON_BASE_TRANSPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { QUAD = 4 }; /* number of rows and columns that are transposed at a time */

/* Sets to[c * to_pitch + r] = from[r * from_pitch + c] for r, c < QUAD. Addresses of rows are
 * multiples of 16 bytes. */
static inline void transpose_quad_32(const int32_t *from, ptrdiff_t from_pitch, int32_t *to,
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

static inline void transpose_quad_64(const double *from, ptrdiff_t from_pitch, double *to,
                                     ptrdiff_t to_pitch) {
    for (int r = 0; r < QUAD; r += 2) {
        for (int c = 0; c < QUAD; c += 2) {
#ifdef __SSE2__
            const __m128d a = _mm_load_pd(from + r * from_pitch + c);
            const __m128d b = _mm_load_pd(from + (r + 1) * from_pitch + c);
            _mm_store_pd(to + c * to_pitch + r, _mm_unpacklo_pd(a, b));
            _mm_store_pd(to + (c + 1) * to_pitch + r, _mm_unpackhi_pd(a, b));
#else
            for (int k = 0; k < 4; k++)
                to[(c + k % 2) * to_pitch + r + k / 2] = from[(r + k / 2) * from_pitch + c + k % 2];
#endif
        }
    }
}

#define transpose_quad(from, from_pitch, to, to_pitch)                                             \
    _Generic((to), int32_t * : transpose_quad_32, double * : transpose_quad_64)(                   \
        from, from_pitch, to, to_pitch)

enum { LINE_BYTES = 64 }; /* bytes of a cache line */

/* The functions below write lines of cells: to[r][c] = from[c][r], for r < rows and as many c as a
 * cache line has cells. Cells have 32 bits, with at most QUAD rows, or 64 bits, with at most PAIR
 * rows; or cells of 64 bits hold numbers that fit in 32 bits, and are written with 32. All
 * addresses from[c] and to[r] are multiples of 16 bytes. */
enum { PAIR = 2, CELLS_32 = LINE_BYTES / 4, CELLS_64 = LINE_BYTES / 8 };

#ifdef __SSE2__
static inline __m128i transpose_load(const void *from) {
    return _mm_load_si128((const __m128i *)from);
}

static inline void transpose_store(const __m128i *line, int count, bool stream, void *to) {
    for (int q = 0; q < count; q++) {
        if (stream)
            _mm_stream_si128((__m128i *)to + q, line[q]);
        else
            _mm_store_si128((__m128i *)to + q, line[q]);
    }
}
#endif

/* stream: writes bypass the caches, for lines that are not read soon. */
static inline void transpose_line_32(const void *const *from, int rows, bool stream,
                                     void *const *to) {
#ifdef __SSE2__
    __m128i line[QUAD][CELLS_32 / QUAD];
    for (int q = 0; q < CELLS_32 / QUAD; q++) {
        __m128i cell[QUAD], pair[QUAD];
        for (int c = 0; c < QUAD; c++)
            cell[c] = transpose_load(from[q * QUAD + c]);
        pair[0] = _mm_unpacklo_epi32(cell[0], cell[1]);
        pair[1] = _mm_unpacklo_epi32(cell[2], cell[3]);
        pair[2] = _mm_unpackhi_epi32(cell[0], cell[1]);
        pair[3] = _mm_unpackhi_epi32(cell[2], cell[3]);
        line[0][q] = _mm_unpacklo_epi64(pair[0], pair[1]);
        line[1][q] = _mm_unpackhi_epi64(pair[0], pair[1]);
        line[2][q] = _mm_unpacklo_epi64(pair[2], pair[3]);
        line[3][q] = _mm_unpackhi_epi64(pair[2], pair[3]);
    }
    for (int r = 0; r < rows; r++)
        transpose_store(line[r], CELLS_32 / QUAD, stream, to[r]);
#else
    (void)stream;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < CELLS_32; c++)
            memcpy((int32_t *)to[r] + c, (const int32_t *)from[c] + r, sizeof(int32_t));
    }
#endif
}

static inline void transpose_line_64(const void *const *from, int rows, void *const *to) {
#ifdef __SSE2__
    __m128i line[PAIR][CELLS_64 / PAIR];
    for (int q = 0; q < CELLS_64 / PAIR; q++) {
        const __m128i a = transpose_load(from[q * PAIR]), b = transpose_load(from[q * PAIR + 1]);
        line[0][q] = _mm_unpacklo_epi64(a, b);
        line[1][q] = _mm_unpackhi_epi64(a, b);
    }
    for (int r = 0; r < rows; r++)
        transpose_store(line[r], CELLS_64 / PAIR, false, to[r]);
#else
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < CELLS_64; c++)
            memcpy((int64_t *)to[r] + c, (const int64_t *)from[c] + r, sizeof(int64_t));
    }
#endif
}

static inline void transpose_line_64_to_32(const void *const *from, int rows, void *const *to) {
#ifdef __SSE2__
    __m128i line[PAIR][CELLS_32 / QUAD];
    for (int q = 0; q < CELLS_32 / QUAD; q++) {
        const __m128 a = _mm_castsi128_ps(transpose_load(from[q * QUAD]));
        const __m128 b = _mm_castsi128_ps(transpose_load(from[q * QUAD + 1]));
        const __m128 c = _mm_castsi128_ps(transpose_load(from[q * QUAD + 2]));
        const __m128 d = _mm_castsi128_ps(transpose_load(from[q * QUAD + 3]));
        const __m128 ab = _mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)); /* the low halves */
        const __m128 cd = _mm_shuffle_ps(c, d, _MM_SHUFFLE(2, 0, 2, 0));
        line[0][q] = _mm_castps_si128(_mm_shuffle_ps(ab, cd, _MM_SHUFFLE(2, 0, 2, 0)));
        line[1][q] = _mm_castps_si128(_mm_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 1, 3, 1)));
    }
    for (int r = 0; r < rows; r++)
        transpose_store(line[r], CELLS_32 / QUAD, false, to[r]);
#else
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < CELLS_32; c++)
            ((int32_t *)to[r])[c] = (int32_t)((const int64_t *)from[c])[r];
    }
#endif
}

#endif
