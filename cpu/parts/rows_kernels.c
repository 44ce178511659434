// SPDX-License-Identifier: MIT
/* The kernels of rows.h for one instruction set (isa.h). */
#include "cpu/parts/rows.h"

#include "common/base/transpose.h" // QUAD
#include "common/base/vector.h"    // vector_i32, the instruction set's intrinsics
#include "common/graph/graph.h"    // INF

#include <stddef.h>

enum { LINE = 16 }; /* cells of a line of the cache */

/* The cells of LINE vertices, at `vertex`, in QUAD lanes become a line of as many rows. */
static inline void write_lines(const int32_t *const *vertex, int lane, int rows, bool stream,
                               int32_t *const *row, int32_t first) {
#ifdef __SSE2__
    __m128i line[QUAD][LINE / QUAD];
    for (int q = 0; q < LINE / QUAD; q++) {
        __m128i cell[QUAD], pair[QUAD];
        for (int v = 0; v < QUAD; v++)
            cell[v] = _mm_load_si128((const __m128i *)(vertex[q * QUAD + v] + lane));
        pair[0] = _mm_unpacklo_epi32(cell[0], cell[1]);
        pair[1] = _mm_unpacklo_epi32(cell[2], cell[3]);
        pair[2] = _mm_unpackhi_epi32(cell[0], cell[1]);
        pair[3] = _mm_unpackhi_epi32(cell[2], cell[3]);
        line[0][q] = _mm_unpacklo_epi64(pair[0], pair[1]);
        line[1][q] = _mm_unpackhi_epi64(pair[0], pair[1]);
        line[2][q] = _mm_unpacklo_epi64(pair[2], pair[3]);
        line[3][q] = _mm_unpackhi_epi64(pair[2], pair[3]);
    }
    for (int r = 0; r < rows; r++) {
        __m128i *const to = (__m128i *)(row[lane + r] + first);
        for (int q = 0; q < LINE / QUAD; q++) {
            if (stream)
                _mm_stream_si128(to + q, line[r][q]);
            else
                _mm_store_si128(to + q, line[r][q]);
        }
    }
#else
    (void)stream;
    for (int r = 0; r < rows; r++) {
        for (int v = 0; v < LINE; v++)
            row[lane + r][first + v] = vertex[v][lane + r];
    }
#endif
}

/* What is beyond n is filled from the last vertex. */
static void write(const int32_t *label, int lanes, const int32_t *position, int32_t n, int count,
                  bool stream, int32_t *const *row) {
    enum { AHEAD = 2 * LINE };
    for (int32_t first = 0; first < n; first += LINE) {
        const int32_t *vertex[LINE];
        for (int v = 0; v < LINE; v++) {
            const int32_t here = first + v < n ? first + v : n - 1;
            const int32_t ahead = here < n - AHEAD ? here + AHEAD : here;
            const char *const wanted = (const char *)(label + (ptrdiff_t)position[ahead] * lanes);
            vertex[v] = label + (ptrdiff_t)position[here] * lanes;
            __builtin_prefetch(wanted);
            __builtin_prefetch(wanted + 64);
        }
        for (int lane = 0; lane < count; lane += QUAD)
            write_lines(vertex, lane, count - lane < QUAD ? count - lane : QUAD, stream, row,
                        first);
    }
#ifdef __SSE2__
    _mm_sfence();
#endif
}

static void find_predecessors(const struct rows_edges *edges, int lanes, const int32_t *label,
                              int32_t *pred) {
    enum { PER_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t) };
    const vector_i32 none = vector_all(vector_i32, -1), no_path = vector_all(vector_i32, INF);
    for (int32_t p = 0; p < edges->n; p++) {
        for (int lane = 0; lane < lanes; lane += PER_VECTOR) {
            const ptrdiff_t cell = (ptrdiff_t)p * lanes + lane;
            const vector_i32 distance = vector_load(label + cell);
            vector_i32 found = none;
            for (int64_t e = edges->first[p]; e < edges->first[p + 1]; e++) {
                const int32_t *const from = label + (ptrdiff_t)edges->place[e] * lanes + lane;
                const vector_i32 weight = vector_all(vector_i32, edges->weight[e]);
                const vector_i32 tail = vector_all(vector_i32, edges->tail[e]);
                const vector_i32 sum = vector_load(from) + weight;
                found = vector_where_equal(distance, sum, tail, found);
            }
            vector_store(pred + cell, vector_where_equal(distance, no_path, none, found));
        }
    }
}

const struct rows_kernels ISA_SYMBOL(rows_kernels) = {
    .write = write,
    .find_predecessors = find_predecessors,
};
