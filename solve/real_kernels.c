// SPDX-License-Identifier: MIT
/* The kernels of real_strip.h for one instruction set (isa.h). */
#include "common/base/transpose.h" // transpose_line_32, transpose_line_64
#include "common/base/vector.h"    // vector_f32, vector_f64, UNROLLED
#include "solve/real_strip.h"

#include <math.h>
#include <string.h>

enum { VECTORS = REAL_STRIP_BYTES / VECTOR_BYTES };

/* Number of edges of a vertex that are relaxed before its largest label is computed again. */
enum { EDGES_AT_A_TIME = 32 };

/* Number of edges from which on relaxing a vertex may stop early, so that it pays to know its
 * largest label. */
enum { LONG_ROW = 8 };

/* LIGHT_SWEEPS: if rows of edges are long, this number of first sweeps relaxes only the LIGHT_EDGES
 * lightest edges of each vertex. That makes labels small enough for later sweeps to leave a row
 * early. */
enum { LIGHT_EDGES = 16, LIGHT_SWEEPS = 2 };

/* Number of edges that are looked at before a branch asks whether any lane needs more. */
enum { EDGES_WITHOUT_BRANCH = 4 };

/* Number of edges whose relaxing takes as long as the work for a vertex itself. */
enum { UNITS_PER_VERTEX = 4 };

/* Number of vertices by which prefetching runs ahead of relaxing and of writing. */
enum { VERTICES_AHEAD = 8, WRITTEN_AHEAD = 2 * CELLS_32 };

/* Prefetches both cache lines of a vertex's labels. */
static inline void fetch_row(const void *cells, int32_t number) {
    const char *const row = (const char *)cells + (size_t)number * REAL_STRIP_BYTES;
    __builtin_prefetch(row);
    __builtin_prefetch(row + LINE_BYTES);
}

/* Stores in `from` the addresses of byte `at` of the rows of `count` vertices, from vertex `first`
 * on. The last vertex stands in for vertices beyond n. */
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

/* Returns a vertex's row of labels, which has another use while trees are found: first its coarse
 * distances from REAL_TREES sources, then its edge in the tree of each source. */
static inline int32_t *tree_row(const struct real_strip *s, int32_t number) {
    return (int32_t *)((char *)s->label + (size_t)number * REAL_STRIP_BYTES);
}

/* Finds the edge into a vertex in each tree. Edges of coarse weight 0 are in no tree. Differences
 * of distances are below INT32_MAX. */
static inline void find_tree_edges(const struct real_strip *s, int32_t number) {
    enum { OF_ROW = REAL_TREES * (int)sizeof(int32_t) / VECTOR_BYTES };
    enum { OF_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t), SOUGHT = -1, NONE = -2 };
    const struct real_edges *const edges = s->edges;
    const int64_t first = edges->first[number], end = edges->first[number + 1];
    int32_t *const row = tree_row(s, number);
    vector_i32 dist[OF_ROW], edge[OF_ROW], missing = {0};
    UNROLLED
    for (int k = 0; k < OF_ROW; k++) {
        dist[k] = vector_load(row + k * OF_VECTOR);
        const vector_i32 sought = (dist[k] > 0) & (dist[k] < INF);
        edge[k] = NONE - sought;
        missing |= sought;
    }
    for (int64_t e = first; e < end && vector_any(missing);) {
        const int64_t stop = end - e < EDGES_WITHOUT_BRANCH ? end : e + EDGES_WITHOUT_BRANCH;
        for (; e < stop; e++) {
            const int32_t *const from = tree_row(s, edges->tail[e]);
            const int32_t weight = edges->coarse[e] > 0 ? edges->coarse[e] : INT32_MAX;
            UNROLLED
            for (int k = 0; k < OF_ROW; k++)
                edge[k] = vector_where_equal(dist[k] - vector_load(from + k * OF_VECTOR),
                                             vector_all(vector_i32, weight),
                                             vector_all(vector_i32, (int32_t)(e - first)), edge[k]);
        }
        missing = (vector_i32){0};
        UNROLLED
        for (int k = 0; k < OF_ROW; k++)
            missing |= edge[k] == SOUGHT;
    }
    UNROLLED
    for (int k = 0; k < OF_ROW; k++)
        vector_store(row + REAL_TREES + k * OF_VECTOR, edge[k]);
}

static void find_trees(const struct real_strip *s, int32_t *const *near, int32_t count) {
    const struct real_edges *const edges = s->edges;
    for (int32_t k = 0; k < edges->g->n; k++) {
        const int32_t v = edges->vertex[k];
        for (int tree = 0; tree < REAL_TREES; tree++)
            tree_row(s, k)[tree] = near[tree < count ? tree : 0][v];
    }
    for (int32_t k = 0; k < edges->g->n && progress_goes_on(s->progress); k++)
        find_tree_edges(s, k);
}

static void least_of_rows(int32_t *const *row, int32_t count, int32_t n, int32_t *least) {
    enum { OF_LINE = LINE_BYTES / VECTOR_BYTES, OF_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t) };
    int32_t first = 0;
    for (; first + CELLS_32 <= n; first += CELLS_32) {
        vector_i32 best[OF_LINE];
        UNROLLED
        for (int k = 0; k < OF_LINE; k++)
            best[k] = vector_load(row[0] + first + k * OF_VECTOR);
        for (int32_t r = 1; r < count; r++) {
            UNROLLED
            for (int k = 0; k < OF_LINE; k++)
                best[k] = vector_min(vector_load(row[r] + first + k * OF_VECTOR), best[k]);
        }
        UNROLLED
        for (int k = 0; k < OF_LINE; k++)
            vector_store(least + first + k * OF_VECTOR, best[k]);
    }
    for (; first < n; first++) {
        least[first] = row[0][first];
        for (int32_t r = 1; r < count; r++)
            least[first] = row[r][first] < least[first] ? row[r][first] : least[first];
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
#include "solve/real_width.h"
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
#include "solve/real_width.h"

const struct real_kernels ISA_SYMBOL(real_kernels) = {&kernel_f32, &kernel_f64};
