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
#define products_gather_groups BY_LENGTH(products_gather_groups)
#define products_write_rows    BY_LENGTH(products_write_rows)
#define products_fetch_row     BY_LENGTH(products_fetch_row)
#define products_predecessors  BY_LENGTH(products_predecessors)

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PRODUCT_TARGETS = 64, /* largest number of targets of a job */
    PRODUCT_LANES = 512,  /* the number of sources of a batch is filled up to a multiple of this */
    PRODUCT_NARROW = 16,  /* boundaries of up to this width are multiplied by one kernel */
    PRODUCT_WIDTHS = 7,   /* number of kernels: one for PRODUCT_NARROW, five for fixed widths, one
                             for any width */
};

/* A job: up to PRODUCT_TARGETS own vertices of a piece, its targets. */
struct product_job {
    int32_t piece, skipped; /* number of the piece, and number of its own vertices before the job's
                               first target */
    int32_t targets;
};

/* Pieces on the device; arrays as in struct pieces. */
struct product_pieces {
    int32_t n, top, middle, leaves, count;
    const struct piece *piece;
    const struct piece_entry *entry;
    const int32_t *place, *vertex, *position, *outermost, *boundary, *inner;
    const int64_t *inside;  /* index in `within` at which each piece's subtree begins */
    const int64_t *outside; /* index in `through` at which each piece begins */
    path_length *within;    /* distances inside a piece's subtree, a row for each position s of the
                               subtree: from s to the piece's own vertices, then from s to the
                               vertices of its boundary */
    path_length *through;   /* distances from a piece's boundary, a row of product_width() cells for
                               each own vertex of the piece; beyond the boundary's width LENGTH_INF
                               or more */
    const struct product_job *job;
    int32_t first_job[2][PRODUCT_WIDTHS + 1]; /* first job of each width, of middle pieces [0] and
                                                 of leaf pieces [1] */
    const path_length *among;                 /* distances in the top, row after row, among_ld cells
                                                 from one row to the next */
    size_t among_ld;
};

/* Returns the number of lanes of a batch of `sources` sources. */
static inline int32_t product_lanes(int32_t sources) {
    return (sources + PRODUCT_LANES - 1) / PRODUCT_LANES * PRODUCT_LANES;
}

/* The cells of a row of `through` for boundaries of that width, and which of the widths it is. */
int32_t product_width(int32_t width);
int product_width_class(int32_t width);

enum product_kind {
    PRODUCT_ROWS,
    PRODUCT_UPPER,  /* the labels above the leaf pieces are stored, in the batch's memory */
    PRODUCT_LABELS, /* the labels of all vertices are stored, in the batch's memory */
    PRODUCT_TOTALS,
    PRODUCT_FINITE, /* totals of int32, if all vertices are reached and all weights are > 0 */
    PRODUCT_SUMS    /* as PRODUCT_FINITE but without reciprocals and counts; of float64 lengths: any
                       totals without these */
};

struct product_batch {
    enum product_kind kind;
    const int32_t *source; /* positions of the sources, ascending, `lanes` entries */
    int32_t count, lanes;  /* number of sources, and the same number filled up to a multiple of
                              PRODUCT_LANES */
    path_length *labels;   /* labels by places, rows x lanes; the last row is LENGTH_INF.
                              PRODUCT_LABELS needs n + 1 rows, other kinds top + middle + 1 */
    /* PRODUCT_ROWS only: distances, count x row_ld, columns by vertex. */
    path_length *rows;
    size_t row_ld;
    double spacing; /* factor that turns float64 labels into distances of rows */
    /* Kinds with totals only: totals of each lane, to which the sweep adds. */
    struct gpu_totals totals;
};

/* Stores the largest number of blocks that sweep a batch of up to `lanes` lanes in *slots. Each
 * block has counts of its own. */
enum status product_slots(int32_t lanes, int *slots, struct error *err);

/* Functions that fill `within` and `through`. largest: the most that own + width of a piece is.
 * products_close_scratch() returns the number of cells that `scratch` needs. Cells of `through`
 * beyond a boundary are not touched. */
size_t products_close_scratch(int32_t largest);
enum status products_close(const struct product_pieces *p, int32_t largest, path_length *scratch,
                           struct error *err);

/* Sweeps a batch: finds the distances of its sources and stores them as the batch's kind says. */
enum status products_sweep(const struct product_pieces *p, const struct product_batch *batch,
                           struct error *err);

/* The edges of the graph by their heads, on the device: the edges e into vertex v are first[v] ..
 * first[v + 1] - 1, from vertex tail[e] at place place[e]. */
struct product_edges {
    const int64_t *first;
    const int32_t *tail, *place;
    const path_length *weight;
};

/* A group: up to ROW_COLUMNS vertices of one tile of ROW_TILE columns that are in the same leaf
 * piece or in none. */
enum { ROW_COLUMNS = 4, ROW_TILE = 256 / sizeof(path_length) };
struct row_columns {
    int32_t leaf; /* number of the leaf piece; -1: none, so labels of the vertices are stored */
    int32_t low, high; /* the piece's subtree has the positions low .. high - 1; both 0: no piece */
    int32_t width;     /* number of vertices of the piece's boundary; 0: no piece */
    int64_t first;     /* index in `above` of the first boundary vertex; ROW_COLUMNS times as large
                          is the index in `through` of its distances */
    int32_t count;     /* number of vertices of the group */
    int32_t vertex[ROW_COLUMNS], place[ROW_COLUMNS]; /* numbers and places of these vertices */
};

/* Where the rows of a batch are to be written: the row of source k begins at index[k] * ld, or at
 * k * ld if index is NULL. The predecessor of a vertex is the lowest tail of a tight edge, -1 at
 * the source and where there is no path. */
struct product_rows {
    path_length *dist; /* distances, columns by vertex */
    int32_t *pred;     /* predecessors, columns by vertex; NULL: none are wanted */
    size_t ld;         /* number of cells from one row to the next, in dist and in pred */
    double spacing;    /* factor by which float64 labels are multiplied */
    const int32_t *index;
    /* place of each vertex, n entries; needed only for predecessors from labels */
    const int32_t *place;
    const int32_t *source; /* vertex of each source; needed only for predecessors */
    /* For distances without the labels of all vertices: */
    const struct row_columns *group; /* groups of columns, tile after tile */
    const int32_t *first_group; /* number of the first group of each tile; the last entry is the
                                   number of groups */
    int32_t *above;             /* place of each vertex of the groups' boundaries */
    path_length *through;       /* distances from each of these vertices to its group's
                                   vertices, ROW_COLUMNS cells, of which `count` are set */
    struct product_edges in;
};

/* Fills rows->above and rows->through for all groups. */
enum status products_gather_groups(const struct product_pieces *p, const struct product_rows *rows,
                                   int32_t groups, struct error *err);

/* Writes the rows of a batch: distances and predecessors after PRODUCT_LABELS, distances after
 * PRODUCT_UPPER. */
enum status products_write_rows(const struct product_pieces *p, const struct product_batch *batch,
                                const struct product_rows *rows, struct error *err);

/* Copies the labels of a batch's first source to row[0 .. n - 1] on the device, by vertices. The
 * batch was swept with PRODUCT_LABELS. */
enum status products_fetch_row(const struct product_pieces *p, const struct product_batch *batch,
                               path_length *row, struct error *err);

/* Finds the predecessors of rows whose distances are in rows->dist, in the order of the batch's
 * sources. */
enum status products_predecessors(const struct product_pieces *p, const struct product_batch *batch,
                                  const struct product_rows *rows, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
