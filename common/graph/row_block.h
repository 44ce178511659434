// SPDX-License-Identifier: MIT
/* The unit of an answer: a block of rows, that is, the distances from some sources to all vertices.
 * Engines produce blocks, in any order and from several threads at the same time; sinks take them.
 * A matrix in memory, a file, measures and a callback are sinks. */
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
 * in 0 .. n - 1, INF if there is no path; and, unless pred is NULL, in pred[r][v] the vertex before
 * v on a shortest path, -1 if there is none or v is the source. Rows start on 64-byte lines and
 * have room for n rounded up to 16 cells; the cells beyond n have no meaning. Only the thread that
 * produced a block may change it. */
struct row_block {
    int32_t n; /* the length of a row: vertices or, behind a sink that selects columns, targets */
    int32_t count;                   /* rows, 1 .. ROW_BLOCK_MAX */
    int32_t position[ROW_BLOCK_MAX]; /* of each row in the answer: 0 .. (number of sources) - 1 */
    int32_t source[ROW_BLOCK_MAX];
    enum number_type type; /* of the distances; "no path" is INF or, of a real type, infinite */
    union {
        void *cells[ROW_BLOCK_MAX];
        int32_t *dist[ROW_BLOCK_MAX]; /* by type */
        float *dist_f32[ROW_BLOCK_MAX];
        double *dist_f64[ROW_BLOCK_MAX];
    };
    int32_t **pred; /* NULL: distances only; otherwise count rows */
    bool proved;    /* the rows have been proved for the graph that the sink proves rows for */
};

/* Returns how many rows of a block, from row `first` on, follow one another in the answer. */
static inline int32_t row_block_run(const struct row_block *block, int32_t first) {
    int32_t last = first + 1;
    while (last < block->count && block->position[last] == block->position[last - 1] + 1)
        last++;
    return last - first;
}

/* The rows that a caller wants: those of source[0 .. count - 1], which are different vertices;
 * count >= 1. If source is NULL, they are the rows of all n vertices in order, and count is n. */
struct row_sources {
    const int32_t *source;
    int32_t count;
};

/* Returns the vertex whose row stands at a position of the answer. */
static inline int32_t row_source(const struct row_sources *sources, int32_t position) {
    return sources->source != NULL ? sources->source[position] : position;
}

/* Some of the vertices of a graph: no edge leads from one of them to any other vertex. Blocks of a
 * part, and totals, are those of the graph that is left if there is nothing else: its vertex k, in
 * rows, sources, targets and predecessors, is vertex[k], and its position p is position[p] in the
 * whole answer. */
struct row_part {
    int32_t n;
    const int32_t *vertex;   /* n, ascending */
    int32_t count;           /* sources, which are vertices of the part */
    const int32_t *position; /* count */
};

/* Returns the vertex of the whole graph that vertex v of a part is, and the position in the whole
 * answer that a position of it is; NULL: the part is all. */
static inline int32_t row_part_vertex(const struct row_part *part, int32_t v) {
    return part != NULL ? part->vertex[v] : v;
}

static inline int32_t row_part_position(const struct row_part *part, int32_t position) {
    return part != NULL ? part->position[position] : position;
}

/* Totals that measures need of a source's row, or of a target's column: of its finite distances d.
 * The
 * doubles nearest to 1 / d, d != 0, add up to high * 2^-41 + low * 2^-82. */
struct row_totals {
    int64_t sum; /* of distances */
    int64_t high, low;
    int32_t reached, farthest; /* how many there are; the largest */
};

/* A sum of distances in multiples of a spacing. */
__extension__ typedef __int128 spacing_count;

/* The same of a float64 graph on a grid (grid.h): sum and farthest are numbers of its spacings. The
 * sum of the doubles nearest to 1 / d is one of digits (measures/real_sum.h): part[p] counts units
 * of level - p; all are 0 if there are no reciprocals, or if nobody reads them. */
struct grid_totals {
    spacing_count sum;
    double farthest;
    int32_t reached;
    int32_t level;
    int64_t part[3];
};

/* Totals that measures need of a whole answer whose distances are >= 0, or of the share of one of
 * several processes: `out` and `in` are then 0 for other sources and vertices, and `count` counts
 * its own.
 */
struct answer_totals {
    const struct row_totals *out; /* of each row, by position */
    const struct row_totals *in;  /* of each vertex's column; NULL unless the sink wants them */
    /* In the place of these if distances are float64, of this spacing. */
    const struct grid_totals *grid_out, *grid_in;
    double spacing;
    /* The largest distance of all processes, and the first pair that has it: of the lowest source,
     * the lowest target. from = -1: another process has it. */
    double largest;
    int32_t from, to;
    /* count[k], k < bins: how many finite distances d, from sources to themselves included, have
     * d >> shift == k; float64 ones in numbers of spacings. The shift is no larger than needed for
     * 1024 bins. */
    const int64_t *count;
    int32_t bins, shift;
    bool proved; /* all rows have been proved for the graph that the sink proves rows for */
};

/* How many vertices the source at a position reaches. */
static inline int32_t answer_totals_reached(const struct answer_totals *totals, int32_t position) {
    return totals->grid_out != NULL ? totals->grid_out[position].reached
                                    : totals->out[position].reached;
}

/* Rows in the memory of a GPU, which is current: row r, at the position first + r of the answer,
 * begins at r * leading. They last as long as the call, and what it asks of the default stream. */
struct device_rows {
    enum number_type type; /* type of distances, that of begin */
    const void *dist;
    const int32_t *pred; /* NULL: distances only */
    size_t leading;
    int32_t first, count;
    bool proved; /* as in struct row_block */
};

/* A sink takes blocks. Any pointer but take may be NULL. */
struct row_sink {
    /* Matrices with a row for every vertex that the sink fills. If the caller wants all rows in
     * order, an engine that solves the whole matrix writes into them itself and then hands their
     * rows to take(). pred_matrix is NULL if the caller wants no predecessors. */
    struct matrix *dist_matrix, *pred_matrix;
    /* The graph, weights included, for which the sink proves rows that have not been proved; NULL
     * if it proves none. */
    const struct graph *proves;
    /* The engine calls it before the first block, and again before it produces the answer once
     * more; the sink then forgets the blocks that it took. `threads` threads, which
     * omp_get_thread_num() numbers from 0, may call take at the same time. */
    enum status (*begin)(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err);
    /* Unless NULL, the sink takes blocks of parts, or their totals: those that follow are of this
     * one, until the next call; NULL: none follow before begin, after which blocks are of the whole
     * graph. No thread is in take. */
    enum status (*begin_part)(struct row_sink *self, const struct row_part *part,
                              struct error *err);
    /* Stores where the sink wants the row at a position, so that engines write it there and nobody
     * copies it. It sets *pred only for answers with predecessors. */
    void (*place)(struct row_sink *self, int32_t position, void **dist, int32_t **pred);
    /* Takes a block; the sink may not use its memory afterwards. It gets every row of an answer
     * once. If it fails, the solve ends with its status. */
    enum status (*take)(struct row_sink *self, const struct row_block *block, struct error *err);
    /* Takes, once since begin or begin_part, the totals of the whole answer instead of its rows,
     * from an engine that has them sooner. They are copied. A sink that proves rows takes proved
     * ones only. */
    enum status (*take_totals)(struct row_sink *self, const struct answer_totals *totals,
                               struct error *err);
    /* Takes rows where they are, from an engine that has them in the memory of the GPU number
     * `device`, and to which nothing has to be done; each row comes once, here or by take(). A sink
     * that proves rows takes proved ones only. */
    enum status (*take_device)(struct row_sink *self, const struct device_rows *rows,
                               struct error *err);
    int device;
    /* Nobody reads high and low of totals, and how many distances there are; they may be 0. */
    bool spares_reciprocals;
    /* Number of bits of a digit of sums of reciprocals of float64 distances (struct grid_totals).
     * 0: the sink takes no such sums. */
    int reciprocal_bits;
    bool wants_columns; /* since begin: totals have to have `in` */
};

/* A sink that hands every block to two sinks, which belong to the caller. */
struct row_tee {
    struct row_sink sink; /* the first member */
    struct row_sink *to[2];
};
void row_tee_begin(struct row_tee *tee, struct row_sink *first, struct row_sink *second);

/* Makes a sink that forgets what it takes. Rows in the memory of GPU `device` stay there. */
void row_drop_begin(struct row_sink *sink, int device);

/* A sink that takes blocks of parts and hands whole rows to another one, which belongs to the
 * caller; whole rows it passes on. */
struct row_spread {
    struct row_sink sink; /* the first member */
    struct row_sink *to;
    const struct row_part *part; /* NULL: rows are whole */
    int32_t n;
    int threads;
    void *row; /* for each thread, distances and predecessors of a row; NULL: no part came yet */
};

/* Makes a sink that spreads rows of parts to whole rows for `to`. The caller frees *spread with
 * row_spread_close. */
void row_spread_begin(struct row_spread *spread, struct row_sink *to);

/* Safe on a zeroed struct; leaves it zeroed. */
void row_spread_close(struct row_spread *spread);

/* Makes a block of the rows from position `first` on, at most `max` of them, of matrices that have
 * row p for the source at position p or, if by_vertex, row v for vertex v. pred may be NULL.
 * pred_rows: room for ROW_BLOCK_MAX pointers, which lasts as long as the block. */
void row_block_of_matrices(struct row_block *block, int32_t **pred_rows,
                           const struct row_sources *sources, const struct matrix *dist,
                           const struct matrix *pred, int32_t first, int32_t max, bool by_vertex);

/* Has a sink take all rows of matrices that have row p for the source at position p, on up to
 * `threads` threads (0: one per core). pred may be NULL. */
enum status row_sink_take_matrices(struct row_sink *sink, const struct row_sources *sources,
                                   const struct matrix *dist, const struct matrix *pred,
                                   int threads, struct error *err);

#endif
