// SPDX-License-Identifier: MIT
/* The kernels of rows_kernels.h for one instruction set (isa.h). */
#include "elimination/rows_kernels.h"

#include "common/base/transpose.h" // QUAD
#include "common/base/vector.h"    // vector_length, the instruction set's intrinsics

#include <stddef.h>

/* Finds the labels of `cells` vertices from `first` on, and has the caches fetch later ones.
 * Numbers beyond n stand for the last vertex. */
static inline void find_labels(const void *label, size_t bytes, const int32_t *position, int32_t n,
                               int32_t first, int cells, const char **vertex) {
    for (int v = 0; v < cells; v++) {
        const int32_t here = first + v < n ? first + v : n - 1;
        const int32_t ahead = here < n - 2 * cells ? here + 2 * cells : here;
        const char *const wanted = (const char *)label + (size_t)position[ahead] * bytes;
        vertex[v] = (const char *)label + (size_t)position[here] * bytes;
        __builtin_prefetch(wanted);
        __builtin_prefetch(wanted + LINE_BYTES);
    }
}

static void write_32(const int32_t *label, int lanes, const int32_t *position, int32_t n, int count,
                     bool stream, int32_t *const *row) {
    for (int32_t first = 0; first < n; first += CELLS_32) {
        const char *vertex[CELLS_32];
        find_labels(label, (size_t)lanes * sizeof *label, position, n, first, CELLS_32, vertex);
        for (int lane = 0; lane < count; lane += QUAD) {
            const void *from[CELLS_32];
            void *to[QUAD];
            const int rows = count - lane < QUAD ? count - lane : QUAD;
            for (int v = 0; v < CELLS_32; v++)
                from[v] = vertex[v] + (size_t)lane * sizeof *label;
            for (int r = 0; r < rows; r++)
                to[r] = row[lane + r] + first;
            transpose_line_32(from, rows, stream, to);
        }
    }
#ifdef __SSE2__
    _mm_sfence();
#endif
}

#ifdef LENGTH_F64

static void write(const double *label, int lanes, const int32_t *position, int32_t n, int count,
                  bool stream, double spacing, void *const *row) {
    (void)stream;
    for (int32_t first = 0; first < n; first += CELLS_64) {
        const char *vertex[CELLS_64];
        find_labels(label, (size_t)lanes * sizeof *label, position, n, first, CELLS_64, vertex);
        for (int lane = 0; lane < count; lane += PAIR) {
            _Alignas(64) double line[PAIR][CELLS_64];
            const void *from[CELLS_64];
            void *const to[PAIR] = {line[0], line[1]};
            const int rows = count - lane < PAIR ? count - lane : PAIR;
            for (int v = 0; v < CELLS_64; v++)
                from[v] = vertex[v] + (size_t)lane * sizeof *label;
            transpose_line_64(from, rows, to);
            for (int r = 0; r < rows; r++) {
                double *const own = (double *)row[lane + r] + first;
                for (int v = 0; v < CELLS_64; v++)
                    own[v] = line[r][v] * spacing;
            }
        }
    }
}

#else

static void write(const int32_t *label, int lanes, const int32_t *position, int32_t n, int count,
                  bool stream, double spacing, void *const *row) {
    (void)spacing;
    write_32(label, lanes, position, n, count, stream, (int32_t *const *)row);
}

#endif

#ifdef LENGTH_F64

static void find_predecessors(const struct rows_edges *edges, int lanes, const double *label,
                              int32_t *pred) {
    for (int32_t p = 0; p < edges->n; p++) {
        const double *const own = label + (ptrdiff_t)p * lanes;
        int32_t *const found = pred + (ptrdiff_t)p * lanes;
        for (int lane = 0; lane < lanes; lane++)
            found[lane] = -1;
        for (int64_t e = edges->first[p]; e < edges->first[p + 1]; e++) {
            const double *const from = label + (ptrdiff_t)edges->place[e] * lanes;
            const double weight = edges->weight[e];
            for (int lane = 0; lane < lanes; lane++)
                found[lane] = from[lane] + weight == own[lane] ? edges->tail[e] : found[lane];
        }
        for (int lane = 0; lane < lanes; lane++)
            found[lane] = own[lane] == LENGTH_INF ? -1 : found[lane];
    }
}

#else

static void find_predecessors(const struct rows_edges *edges, int lanes, const int32_t *label,
                              int32_t *pred) {
    enum { PER_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t) };
    const vector_i32 none = vector_all(vector_i32, -1),
                     no_path = vector_all(vector_i32, LENGTH_INF);
    for (int32_t p = 0; p < edges->n; p++) {
        for (int lane = 0; lane < lanes; lane += PER_VECTOR) {
            const ptrdiff_t cell = (ptrdiff_t)p * lanes + lane;
            const vector_i32 distance = vector_load(label + cell);
            vector_i32 found = none;
            for (int64_t e = edges->first[p]; e < edges->first[p + 1]; e++) {
                const int32_t *const from = label + (ptrdiff_t)edges->place[e] * lanes + lane;
                const vector_i32 weight = vector_all(vector_i32, edges->weight[e]);
                const vector_i32 tail = vector_all(vector_i32, edges->tail[e]);
                const vector_i32 through = vector_join(vector_load(from), weight);
                found = vector_where_equal(distance, through, tail, found);
            }
            vector_store(pred + cell, vector_where_equal(distance, no_path, none, found));
        }
    }
}

#endif

const struct rows_kernels ISA_SYMBOL(rows_kernels) = {
    .write = write,
    .write_pred = write_32,
    .find_predecessors = find_predecessors,
};
