// SPDX-License-Identifier: MIT
/* Blocks of rows, the unit of an answer: the distances from some sources to all vertices. Engines
 * produce blocks, in any order and from several threads at the same time; sinks take them. A matrix
 * in memory, a file, measures and a callback are sinks. */
#ifndef COMMON_GRAPH_ROW_BLOCK_H
#define COMMON_GRAPH_ROW_BLOCK_H

#include "common/base/error.h"   // enum status, struct error
#include "common/graph/matrix.h" // struct matrix

#include <stdbool.h>
#include <stdint.h>

struct graph; /* graph.h */

/* A block has at most this many rows. */
enum { ROW_BLOCK_MAX = 64 };

/* Rows 0 .. count - 1 of a block. Row r holds the distances from vertex source[r]: dist[r][v] for v
 * in 0 .. n - 1, INF if there is no path; and, unless pred is NULL, pred[r][v] is the vertex before
 * v on a shortest path, -1 if there is none or v is the source. Rows are 64-byte aligned and have
 * room for n rounded up to 16 cells; the cells after the first n have no meaning. Only the thread
 * that produced a block may change it. */
struct row_block {
    /* length of a row: number of vertices or, behind a sink that selects columns, of targets */
    int32_t n;
    int32_t count; /* number of rows, 1 .. ROW_BLOCK_MAX */
    /* position of each row in the answer: 0 .. (number of sources) - 1 */
    int32_t position[ROW_BLOCK_MAX];
    int32_t source[ROW_BLOCK_MAX];
    enum number_type type; /* type of the distances; no path is INF or, in a real type, infinite */
    union {
        void *cells[ROW_BLOCK_MAX];
        int32_t *dist[ROW_BLOCK_MAX]; /* distances of each row, in the member for the type */
        float *dist_f32[ROW_BLOCK_MAX];
        double *dist_f64[ROW_BLOCK_MAX];
    };
    int32_t **pred; /* predecessors of each row, `count` rows; NULL: distances only */
    bool proved;    /* the rows have been proved for the graph that the sink proves rows for */
};

/* Returns how many rows of a block, from row `first` on, are consecutive in the answer. */
static inline int32_t row_block_run(const struct row_block *block, int32_t first) {
    int32_t last = first + 1;
    while (last < block->count && block->position[last] == block->position[last - 1] + 1)
        last++;
    return last - first;
}

/* The rows that a caller wants: those of source[0 .. count - 1], which are different vertices;
 * count >= 1. If source is NULL, the rows of all n vertices in order are wanted, and count is n. */
struct row_sources {
    const int32_t *source;
    int32_t count;
};

/* Returns the vertex whose row is at a position of the answer. */
static inline int32_t row_source(const struct row_sources *sources, int32_t position) {
    return sources->source != NULL ? sources->source[position] : position;
}

/* Some of the vertices of a graph, from which no edge leads to any other vertex. Blocks and totals
 * of a part are those of the graph that consists of these vertices: its vertex k, in rows, sources,
 * targets and predecessors, is vertex[k] of the whole graph, and its position p is position[p] of
 * the whole answer. */
struct row_part {
    int32_t n;
    const int32_t *vertex;   /* n: vertices of the part, ascending */
    int32_t count;           /* number of sources, which are vertices of the part */
    const int32_t *position; /* `count` positions in the whole answer */
};

/* Return the vertex of the whole graph for vertex v of a part, and the position in the whole answer
 * for a position of the part. part == NULL: the part is the whole graph. */
static inline int32_t row_part_vertex(const struct row_part *part, int32_t v) {
    return part != NULL ? part->vertex[v] : v;
}

static inline int32_t row_part_position(const struct row_part *part, int32_t position) {
    return part != NULL ? part->position[position] : position;
}

/* Totals that measures need of a source's row, or of a target's column: over its finite distances
 * d. The doubles nearest to 1 / d, d != 0, add up to high * 2^-41 + low * 2^-82. */
struct row_totals {
    int64_t sum; /* sum of the distances */
    int64_t high, low;
    int32_t reached, farthest; /* number of finite distances; the largest of them */
};

/* A sum of distances in multiples of a spacing. */
__extension__ typedef __int128 spacing_count;

/* Totals of a row or column of a float64 graph on a grid (grid.h): sum and farthest are in spacings
 * of the grid. The sum of the doubles nearest to 1 / d is stored by digits (measures/real_sum.h):
 * part[p] counts units of level - p; all are 0 if there are no reciprocals or they are spared. */
struct grid_totals {
    spacing_count sum;
    double farthest;
    int32_t reached;
    int32_t level;
    int64_t part[3];
};

/* Totals that measures need of a whole answer whose distances are >= 0, or of the share of one of
 * several processes. In a share, `out` and `in` are 0 for sources and vertices of others, and
 * `count` covers its own sources. */
struct answer_totals {
    const struct row_totals *out; /* totals of each row, by position */
    /* totals of the column of each vertex; NULL unless the sink wants them */
    const struct row_totals *in;
    /* Used in place of `out` and `in` if distances are float64, with this spacing. */
    const struct grid_totals *grid_out, *grid_in;
    double spacing;
    /* The largest distance of all processes, and the first pair that has it: the lowest source and
     * its lowest target. from = -1: another process has it. */
    double largest;
    int32_t from, to;
    /* count[k], k < bins: number of finite distances d with d >> shift == k, distances of sources
     * to themselves included; float64 distances count in spacings. The shift is no larger than
     * needed for 1024 bins. */
    const int64_t *count;
    int32_t bins, shift;
    bool proved; /* all rows have been proved for the graph that the sink proves rows for */
};

/* Returns how many vertices the source at a position reaches. */
static inline int32_t answer_totals_reached(const struct answer_totals *totals, int32_t position) {
    return totals->grid_out != NULL ? totals->grid_out[position].reached
                                    : totals->out[position].reached;
}

/* Rows in the memory of the current GPU: row r, at position first + r of the answer, begins at cell
 * r * leading. They are valid during the call, and for the work that it puts in the default stream.
 */
struct device_rows {
    enum number_type type; /* type of the distances, the one given to begin */
    const void *dist;
    const int32_t *pred; /* NULL: distances only */
    size_t leading;
    int32_t first, count;
    bool proved; /* as in struct row_block */
};

/* A sink takes blocks. Every pointer except `take` may be NULL. */
struct row_sink {
    /* Matrices with a row for every vertex that the sink fills. If the caller wants all rows in
     * order, an engine that solves the whole matrix writes into these matrices and then hands their
     * rows to take(). pred_matrix is NULL if the caller wants no predecessors. */
    struct matrix *dist_matrix, *pred_matrix;
    /* The graph, weights included, for which the sink proves rows that have not been proved; NULL:
     * it proves none. */
    const struct graph *proves;
    /* The engine calls begin before the first block, and again before it produces the answer again;
     * the sink then forgets the blocks that it took. `threads` threads, which omp_get_thread_num()
     * numbers from 0, may call take at the same time. */
    enum status (*begin)(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err);
    /* Unless NULL, the sink takes blocks of parts, or their totals. All that follow belong to
     * `part`, until the next call; NULL: none follow before begin, after which blocks are of the
     * whole graph. No thread may be in take. */
    enum status (*begin_part)(struct row_sink *self, const struct row_part *part,
                              struct error *err);
    /* Stores where the sink wants the row at a position, so that engines write it there without a
     * copy. Sets *pred only for answers with predecessors. */
    void (*place)(struct row_sink *self, int32_t position, void **dist, int32_t **pred);
    /* Takes a block; the sink may not use the block's memory after the call. Every row of an answer
     * comes once. If take fails, the solve ends with its status. */
    enum status (*take)(struct row_sink *self, const struct row_block *block, struct error *err);
    /* Takes, once since begin or begin_part, the totals of the whole answer instead of its rows,
     * from an engine that has totals sooner. The totals are copied. A sink that proves rows takes
     * only proved totals. */
    enum status (*take_totals)(struct row_sink *self, const struct answer_totals *totals,
                               struct error *err);
    /* Takes rows in the memory of GPU `device`, which need no further step; each row comes once,
     * here or by take(). A sink that proves rows takes only proved ones. */
    enum status (*take_device)(struct row_sink *self, const struct device_rows *rows,
                               struct error *err);
    int device;
    /* The sums of reciprocals (high and low) and the counts of distances in totals are not needed
     * and may be 0. */
    bool spares_reciprocals;
    /* Bits of a digit in sums of reciprocals of float64 distances (struct grid_totals). 0: the sink
     * takes no such sums. */
    int reciprocal_bits;
    bool wants_columns; /* set by begin: totals must have `in` */
};

/* A sink that hands every block to two sinks, which belong to the caller. */
struct row_tee {
    struct row_sink sink; /* the first member */
    struct row_sink *to[2];
};
void row_tee_begin(struct row_tee *tee, struct row_sink *first, struct row_sink *second);

/* Makes a sink that discards the rows it takes. Rows in the memory of GPU `device` are accepted
 * there. */
void row_drop_begin(struct row_sink *sink, int device);

/* A sink that takes blocks of parts and hands whole rows to another sink, which belongs to the
 * caller; whole rows are passed on unchanged. */
struct row_spread {
    struct row_sink sink; /* the first member */
    struct row_sink *to;
    const struct row_part *part; /* the current part; NULL: rows are whole */
    int32_t n;
    int threads;
    /* for each thread, distances and predecessors of a row; NULL: no part has come yet */
    void *row;
};

/* Makes a sink that extends rows of parts to whole rows for `to`. The caller frees *spread with
 * row_spread_close. */
void row_spread_begin(struct row_spread *spread, struct row_sink *to);

/* Safe on a zeroed struct; leaves it zeroed. */
void row_spread_close(struct row_spread *spread);

/* Makes a block of the rows from position `first` on, at most `max` of them, of matrices that have
 * row p for the source at position p or, if by_vertex, row v for vertex v. pred may be NULL.
 * pred_rows: room for ROW_BLOCK_MAX pointers, which must outlive the block. */
void row_block_of_matrices(struct row_block *block, int32_t **pred_rows,
                           const struct row_sources *sources, const struct matrix *dist,
                           const struct matrix *pred, int32_t first, int32_t max, bool by_vertex);

/* Hands all rows of matrices, which have row p for the source at position p, to a sink, on up to
 * `threads` threads (0: one per core). pred may be NULL. */
enum status row_sink_take_matrices(struct row_sink *sink, const struct row_sources *sources,
                                   const struct matrix *dist, const struct matrix *pred,
                                   int threads, struct error *err);

#endif
