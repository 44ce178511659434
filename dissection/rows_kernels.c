// SPDX-License-Identifier: MIT
/* The kernels of rows.h for one instruction set (isa.h). */
#include "dissection/rows.h"

#include "common/base/transpose.h" // QUAD
#include "common/base/vector.h"    // vector_i32, the instruction set's intrinsics
#include "common/graph/graph.h"    // INF

#include <stddef.h>

/* What is beyond n is filled from the last vertex. */
static void write(const int32_t *label, int lanes, const int32_t *position, int32_t n, int count,
                  bool stream, int32_t *const *row) {
    enum { AHEAD = 2 * CELLS_32 };
    for (int32_t first = 0; first < n; first += CELLS_32) {
        const int32_t *vertex[CELLS_32];
        for (int v = 0; v < CELLS_32; v++) {
            const int32_t here = first + v < n ? first + v : n - 1;
            const int32_t ahead = here < n - AHEAD ? here + AHEAD : here;
            const char *const wanted = (const char *)(label + (ptrdiff_t)position[ahead] * lanes);
            vertex[v] = label + (ptrdiff_t)position[here] * lanes;
            __builtin_prefetch(wanted);
            __builtin_prefetch(wanted + LINE_BYTES);
        }
        for (int lane = 0; lane < count; lane += QUAD) {
            const void *from[CELLS_32];
            void *to[QUAD];
            const int rows = count - lane < QUAD ? count - lane : QUAD;
            for (int v = 0; v < CELLS_32; v++)
                from[v] = vertex[v] + lane;
            for (int r = 0; r < rows; r++)
                to[r] = row[lane + r] + first;
            transpose_line_32(from, rows, stream, to);
        }
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
