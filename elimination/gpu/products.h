// SPDX-License-Identifier: MIT
/* The device's part of `dissection`: closes pieces (elimination/pieces.h) and multiplies.
 *
 *   closed    of each piece the distances through it, among its own vertices and its boundary;
 *   climbed   of a source in a leaf piece the distances to the own vertices and to the boundary of
 *             the middle piece around it, through its subtree;
 *   swept     a batch of sources at a time: the distances to the top, by those to the boundary of
 *             the outermost piece; to middle pieces; to leaf pieces; each the product of those to
 *             the boundary and of the closed ones, and inside the sources' own subtree the least of
 *             that and of the climbed ones.
 *
 * Functions work in the default stream and may return before they are done. Compiled for both types
 * of lengths (common/base/length.h). */
#ifndef ELIMINATION_GPU_PRODUCTS_H
#define ELIMINATION_GPU_PRODUCTS_H

#include "common/base/error.h"   // enum status
#include "elimination/pieces.h"  // struct piece, struct piece_entry
#include "measures/gpu_totals.h" // struct gpu_totals

#include <stddef.h>
#include <stdint.h>

#define product_width          BY_LENGTH(product_width)
#define product_width_class    BY_LENGTH(product_width_class)
#define product_slots          BY_LENGTH(product_slots)
#define products_close         BY_LENGTH(products_close)
#define products_close_scratch BY_LENGTH(products_close_scratch)
#define products_sweep         BY_LENGTH(products_sweep)
#define products_write_rows    BY_LENGTH(products_write_rows)
#define products_fetch_row     BY_LENGTH(products_fetch_row)
#define products_predecessors  BY_LENGTH(products_predecessors)

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PRODUCT_TARGETS = 64, /* most targets of one job */
    PRODUCT_LANES = 512,  /* sources of a batch are filled up to a multiple of this */
    PRODUCT_NARROW = 16,  /* one kernel multiplies boundaries of any width up to this */
    PRODUCT_WIDTHS = 7,   /* number of kernels: PRODUCT_NARROW, five fixed widths, any width */
};

/* Up to PRODUCT_TARGETS own vertices of a piece. */
struct product_job {
    int32_t piece, skipped; /* how many of its own vertices come before these */
    int32_t targets;
};

/* Pieces on the device; arrays as in struct pieces. */
struct product_pieces {
    int32_t n, top, middle, leaves, count;
    const struct piece *piece;
    const struct piece_entry *entry;
    const int32_t *place, *vertex, *position, *outermost, *boundary, *inner;
    const int64_t *inside;  /* of each piece: where in `within` its subtree begins */
    const int64_t *outside; /* and where in `through` it begins */
    path_length *within;  /* of each position s of a piece's subtree a row: the distances inside it
                         to the piece's own vertices, then those to its boundary */
    path_length *through; /* of each own vertex of a piece a row, of product_width() cells: the
                         distances from its boundary, LENGTH_INF or more beyond it */
    const struct product_job *job;
    int32_t first_job[2][PRODUCT_WIDTHS + 1]; /* of middle pieces and of leaf pieces, by width */
    const path_length *among;                 /* the distances among the top, row-major */
    size_t among_ld;
};

/* The lanes of a batch of so many sources. */
static inline int32_t product_lanes(int32_t sources) {
    return (sources + PRODUCT_LANES - 1) / PRODUCT_LANES * PRODUCT_LANES;
}

/* The cells of a row of `through` for boundaries of that width, and which of the widths it is. */
int32_t product_width(int32_t width);
int product_width_class(int32_t width);

enum product_kind {
    PRODUCT_ROWS,
    PRODUCT_LABELS, /* all labels stay in the batch's memory */
    PRODUCT_TOTALS,
    PRODUCT_FINITE, /* totals of int32, if all vertices are reached and no other weight than > 0; */
    PRODUCT_SUMS    /* the same without reciprocals and counts; of float64, any totals without */
};

struct product_batch {
    enum product_kind kind;
    const int32_t *source; /* lanes of them: positions, ascending */
    int32_t count, lanes;  /* sources; with those that only fill up, a multiple of PRODUCT_LANES */
    path_length *labels;   /* rows x lanes, by places; the last row is LENGTH_INF. There are n + 1
                          rows for   PRODUCT_LABELS, otherwise top + middle + 1 */
    /* PRODUCT_ROWS: count x row_ld, by vertices. */
    path_length *rows;
    size_t row_ld;
    double spacing; /* factor of float64 labels that become rows */
    /* Otherwise; by lanes; to add to. */
    struct gpu_totals totals;
};

/* Stores how many blocks sweep a batch of up to so many lanes at most, each with counts of its own.
 */
enum status product_slots(int32_t lanes, int *slots, struct error *err);

/* Fills in `within` and `through`. largest: own + width of a piece; scratch: so many cells. Cells
 * of `through` beyond a boundary are not touched. */
size_t products_close_scratch(int32_t largest);
enum status products_close(const struct product_pieces *p, int32_t largest, path_length *scratch,
                           struct error *err);

/* Sweeps a batch. */
enum status products_sweep(const struct product_pieces *p, const struct product_batch *batch,
                           struct error *err);

/* The edges of the graph by their heads, on the device: those into vertex v are first[v] ..
 * first[v + 1] - 1, from tail[e], whose place is place[e]. */
struct product_edges {
    const int64_t *first;
    const int32_t *tail, *place;
    const path_length *weight;
};

/* Where rows are to be: that of a batch's source k begins at index[k] * ld, or at k * ld if index
 * is NULL. The predecessor of a vertex is the lowest tail of a tight edge, -1 at the source and
 * where there is no path. */
struct product_rows {
    path_length *dist; /* distances, by vertices */
    int32_t *pred;     /* predecessors, by vertices; NULL: none are wanted */
    size_t ld;         /* number of cells from one row to the next, of dist and of pred */
    double spacing;    /* that float64 labels are multiplied by */
    const int32_t *index;
    const int32_t *place;  /* n: of each vertex */
    const int32_t *source; /* the vertex of each source */
    struct product_edges in;
};

/* Writes the rows of a batch of which all labels are there. Without predecessors, nothing of `in`
 * and `source` is used. */
enum status products_write_rows(const struct product_pieces *p, const struct product_batch *batch,
                                const struct product_rows *rows, struct error *err);

/* Copies the labels of a batch's first source to row[0 .. n - 1] on the device, by vertices. All
 * labels are there. */
enum status products_fetch_row(const struct product_pieces *p, const struct product_batch *batch,
                               path_length *row, struct error *err);

/* Finds the predecessors in the rows of a batch that was swept into rows->dist, in the batch's
 * order. */
enum status products_predecessors(const struct product_pieces *p, const struct product_batch *batch,
                                  const struct product_rows *rows, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
