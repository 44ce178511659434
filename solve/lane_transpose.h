// SPDX-License-Identifier: MIT
/* Copies between rows of a matrix and strips. A strip stores the cells of several rows at one
 * vertex side by side, as the vertex's lanes. For kernel sources (isa.h) only. */
#ifndef SOLVE_LANE_TRANSPOSE_H
#define SOLVE_LANE_TRANSPOSE_H

#include "common/graph/graph.h" // INF

#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    LINE = 16,  /* number of int32 cells in a cache line */
    SQUARE = 8, /* number of rows and columns transposed at a time */
};

#ifdef __SSE2__
/* Cell r of to[c] becomes cell c of from[r]. */
static inline void transpose_square(const __m128i *from, __m128i *to) {
    __m128i pairs[SQUARE], quads[SQUARE];
    for (int r = 0; r < SQUARE; r += 2) {
        pairs[r] = _mm_unpacklo_epi16(from[r], from[r + 1]); /* columns 0 .. 3 of two rows */
        pairs[r + 1] = _mm_unpackhi_epi16(from[r], from[r + 1]);
    }
    for (int r = 0; r < SQUARE; r += 4) {
        quads[r] = _mm_unpacklo_epi32(pairs[r], pairs[r + 2]); /* columns 0, 1 of four rows */
        quads[r + 1] = _mm_unpackhi_epi32(pairs[r], pairs[r + 2]);
        quads[r + 2] = _mm_unpacklo_epi32(pairs[r + 1], pairs[r + 3]);
        quads[r + 3] = _mm_unpackhi_epi32(pairs[r + 1], pairs[r + 3]);
    }
    for (int c = 0; c < 4; c++) {
        to[2 * c] = _mm_unpacklo_epi64(quads[c], quads[c + 4]);
        to[2 * c + 1] = _mm_unpackhi_epi64(quads[c], quads[c + 4]);
    }
}

/* Eight lanes of eight vertices become eight rows. vertex: the first cell of each vertex. */
static inline void transpose_lanes(const uint16_t *const *vertex, int lane, __m128i *row) {
    __m128i lanes[SQUARE];
    for (int v = 0; v < SQUARE; v++)
        lanes[v] = _mm_load_si128((const __m128i *)(vertex[v] + lane));
    transpose_square(lanes, row);
}

static inline void write_widened(__m128i narrow, __m128i none, __m128i written, int32_t *to) {
    const __m128i is_none = _mm_cmpeq_epi16(narrow, none);
    const __m128i low = _mm_unpacklo_epi16(narrow, _mm_setzero_si128());
    const __m128i high = _mm_unpackhi_epi16(narrow, _mm_setzero_si128());
    const __m128i low_none = _mm_unpacklo_epi16(is_none, is_none);
    const __m128i high_none = _mm_unpackhi_epi16(is_none, is_none);
    _mm_store_si128((__m128i *)to, _mm_or_si128(_mm_and_si128(low_none, written),
                                                _mm_andnot_si128(low_none, low)));
    _mm_store_si128((__m128i *)(to + 4), _mm_or_si128(_mm_and_si128(high_none, written),
                                                      _mm_andnot_si128(high_none, high)));
}
#endif

/* Writes each of `count` lanes of LINE vertices to cells first .. first + LINE - 1 of a row; cells
 * equal to `none` become `written`. vertex: the first cell of each vertex. Cell `first` begins a
 * cache line. */
static inline void write_line_u16(const uint16_t *const *vertex, int count, uint16_t none,
                                  int32_t written, int32_t *const *row, int32_t first) {
#ifdef __SSE2__
    const __m128i all_none = _mm_set1_epi16((int16_t)none), all_written = _mm_set1_epi32(written);
    for (int lane = 0; lane < count; lane += SQUARE) {
        __m128i left[SQUARE], right[SQUARE];
        transpose_lanes(vertex, lane, left);
        transpose_lanes(vertex + SQUARE, lane, right);
        for (int k = 0; k < SQUARE && lane + k < count; k++) {
            write_widened(left[k], all_none, all_written, row[lane + k] + first);
            write_widened(right[k], all_none, all_written, row[lane + k] + first + SQUARE);
        }
    }
#else
    for (int lane = 0; lane < count; lane++) {
        for (int v = 0; v < LINE; v++)
            row[lane][first + v] = vertex[v][lane] == none ? written : vertex[v][lane];
    }
#endif
}

static inline void write_line_i32(const int32_t *const *vertex, int count, int32_t none,
                                  int32_t written, int32_t *const *row, int32_t first) {
    for (int lane = 0; lane < count; lane++) {
        for (int v = 0; v < LINE; v++)
            row[lane][first + v] = vertex[v][lane] == none ? written : vertex[v][lane];
    }
}

/* Cells first .. first + columns - 1, at most SQUARE, of SQUARE rows become lanes of the vertices
 * whose cells begin at to, to + pitch, ...; a cell above INT16_MAX becomes INT16_MAX. */
static inline void read_square_u16(const int32_t *const *row, int32_t first, int columns,
                                   uint16_t *to, ptrdiff_t pitch) {
#ifdef __SSE2__
    if (columns == SQUARE) {
        __m128i narrow[SQUARE], lanes[SQUARE];
        for (int r = 0; r < SQUARE; r++) {
            const __m128i *cells = (const __m128i *)(row[r] + first);
            narrow[r] = _mm_packs_epi32(_mm_loadu_si128(cells), _mm_loadu_si128(cells + 1));
        }
        transpose_square(narrow, lanes);
        for (int c = 0; c < SQUARE; c++)
            _mm_storeu_si128((__m128i *)(to + c * pitch), lanes[c]);
        return;
    }
#endif
    for (int c = 0; c < columns; c++) {
        for (int r = 0; r < SQUARE; r++) {
            const int32_t cell = row[r][first + c];
            to[c * pitch + r] = (uint16_t)(cell < INT16_MAX ? cell : INT16_MAX);
        }
    }
}

/* Does what read_square_u16 does, for cells of 32 bits: a cell above INF becomes INF. */
static inline void read_square_i32(const int32_t *const *row, int32_t first, int columns,
                                   int32_t *to, ptrdiff_t pitch) {
    for (int c = 0; c < columns; c++) {
        for (int r = 0; r < SQUARE; r++) {
            const int32_t cell = row[r][first + c];
            to[c * pitch + r] = cell < INF ? cell : INF;
        }
    }
}

#endif
