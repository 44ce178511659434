// SPDX-License-Identifier: MIT
/* The kernels of real_strip.h for one instruction set (isa.h). */
#include "common/base/transpose.h" // transpose_line_32, transpose_line_64
#include "common/base/vector.h"    // vector_f32, vector_f64, UNROLLED
#include "common/solve/real_strip.h"

#include <math.h>
#include <string.h>

enum { VECTORS = REAL_STRIP_BYTES / VECTOR_BYTES };

/* How many edges are relaxed between two checks how large a vertex's labels still are. */
enum { EDGES_AT_A_TIME = 32 };

/* Longer rows can be left early, so it is worth knowing how large labels are. */
enum { LONG_ROW = 8 };

/* If rows are long, the first sweeps relax only the lightest edges: they make labels small enough
 * for later sweeps to leave a row early. */
enum { LIGHT_EDGES = 16, LIGHT_SWEEPS = 2 };

/* So many edges are looked at without a branch. */
enum { EDGES_OF_A_MASK = 4 };

/* What a vertex costs, in edges. */
enum { UNITS_PER_VERTEX = 4 };

/* How far ahead of what is relaxed, or written, the edges and labels of vertices are fetched. */
enum { VERTICES_AHEAD = 8, WRITTEN_AHEAD = 2 * CELLS_32 };

/* Fetches both lines of a vertex's labels. */
static inline void fetch_row(const void *cells, int32_t number) {
    const char *const row = (const char *)cells + (size_t)number * REAL_STRIP_BYTES;
    __builtin_prefetch(row);
    __builtin_prefetch(row + LINE_BYTES);
}

/* The rows of so many vertices from `first` on, the last one in place of those beyond n, from byte
 * `at` of each on. */
static inline void rows_from(const struct real_strip *s, const void *cells, int32_t first,
                             int count, size_t at, const void **from) {
    const int32_t *const number = s->edges->number, n = s->edges->g->n;
    for (int v = 0; v < count; v++) {
        const int32_t here = first + v < n ? first + v : n - 1;
        from[v] = (const char *)cells + (size_t)number[here] * REAL_STRIP_BYTES + at;
        if (at == 0)
            fetch_row(cells, number[here < n - WRITTEN_AHEAD ? here + WRITTEN_AHEAD : here]);
    }
}

static inline void transpose_line_f32(const void *const *from, int rows, void *const *to) {
    transpose_line_32(from, rows, false, to);
}

#define CELL          float
#define VECTOR        vector_f32
#define INTEGER       int32_t
#define INTEGERS      vector_i32
#define RANK          uint32_t
#define LANES_AT_ONCE QUAD
#define CELLS_OF_LINE CELLS_32
#define LINE_OF_CELLS transpose_line_f32
#define LINE_OF_PREDS transpose_line_f32
#define OF_CELL(name) name##_f32
#include "common/solve/real_width.h"
#undef CELL
#undef VECTOR
#undef INTEGER
#undef INTEGERS
#undef RANK
#undef LANES_AT_ONCE
#undef CELLS_OF_LINE
#undef LINE_OF_CELLS
#undef LINE_OF_PREDS
#undef OF_CELL

#define CELL          double
#define VECTOR        vector_f64
#define INTEGER       int64_t
#define INTEGERS      vector_i64
#define RANK          uint64_t
#define LANES_AT_ONCE PAIR
#define CELLS_OF_LINE CELLS_64
#define LINE_OF_CELLS transpose_line_64
#define LINE_OF_PREDS transpose_line_64_to_32
#define OF_CELL(name) name##_f64
#include "common/solve/real_width.h"

const struct real_kernels ISA_SYMBOL(real_kernels) = {&kernel_f32, &kernel_f64};
