// SPDX-License-Identifier: MIT
/* A distance index: labels from which the distance between any two vertices of a graph follows in a
 * microsecond, in memory or in a file that is mapped.
 *
 * The label of a vertex has its distances to all of its ancestors in an elimination tree
 * (symbolic.h), from the root down to itself, through vertices below each ancestor only. The
 * highest vertex of a shortest path from s to t is an ancestor of both. So the distance is the
 * least sum over their common ancestors, whose cells are at the beginning of both labels. (2-hop
 * labels: Cohen, Halperin, Kaplan and Zwick 2003; over a tree: Ouyang et al. 2018.) The number of
 * these cells follows from four numbers of the two vertices (Schieber and Vishkin 1988).
 *
 * docs/index-format.md describes the file byte by byte. A file that is open is mapped, not read:
 * opening checks the header and the table of sections only. Queries stay inside the mapping
 * whatever the sections hold; index_check (index_check.h) tells whether the sections are right.
 * Nobody may shorten a file that is open.
 *
 * Weights are integers, or real numbers on a grid (solve/grid.h). A cell of a label is a whole
 * number of the grid's spacings: int32 if all cells fit, otherwise float64, for which these sources
 * are compiled a second time (common/base/length.h).
 *
 * An index does not change: any number of threads may use it at the same time. */
#ifndef INDEX_INDEX_H
#define INDEX_INDEX_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/length.h"   // path_length
#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph, INF
#include "solve/grid.h"           // struct grid_purpose

#include <stdbool.h>
#include <stdint.h>

/* The sections of a file, in their order. */
enum index_section {
    INDEX_VERTICES_OUT, /* struct index_vertex of each vertex, with the place of its label out */
    INDEX_VERTICES_IN, /* struct index_vertex of each vertex, with the place of its label in; absent
                          if one direction serves for both */
    INDEX_ORDER,       /* int32: all vertices in a preorder of the tree, each directly before the
                          vertices of its subtree; entries are in this order, too */
    INDEX_HEADS,       /* uint32, n + 1 of them: depth at which each branch begins */
    INDEX_HIGHER,      /* int32: higher neighbour of each entry, for both directions */
    INDEX_ENTRIES_OUT, /* struct index_entry of each entry, to the higher neighbour */
    INDEX_ENTRIES_IN,  /* struct index_entry of each entry, from the higher neighbour; absent if
                          one direction serves for both */
    INDEX_EDGES,       /* a bit for each entry out, then a bit for each entry in, each direction in
                          bytes of its own: the graph has an edge between the entry's vertices in
                          that direction */
    INDEX_NAMES,       /* block of struct vertex_names; absent if vertices are numbered */
    INDEX_LABELS_OUT,  /* labels out (index_label.h), INDEX_PAD zeros at the end */
    INDEX_LABELS_IN,   /* labels in, INDEX_PAD zeros at the end; absent if one direction serves for
                          both */
    INDEX_ROWS_OUT,    /* int32: rows that labels out differ little from, INDEX_PAD zeros at the
                          end; absent if cells are float64 */
    INDEX_ROWS_IN,     /* int32: rows that labels in differ little from; absent if one direction
                          serves for both or cells are float64 */
    INDEX_SECTIONS,
};

/* The beginning of a file. All numbers are little-endian. */
struct index_header {
    char magic[8];           /* INDEX_MAGIC */
    uint32_t version;        /* INDEX_VERSION */
    uint32_t type;           /* type of weights and distances: INDEX_INT32, INDEX_FLOAT64 or, of an
                                integral graph, INDEX_INT64, which differs from INDEX_FLOAT64 in
                                name only */
    uint32_t directions;     /* 2; 1 if the graph is symmetric and one direction serves for both */
    int32_t vertices;        /* number of vertices, >= 1 */
    int32_t first_vertex;    /* 0 or 1: number of vertex 0 in messages and in the graph's file, if
                                there are no names */
    int32_t largest;         /* sums of cells above it mean that there is no path */
    int64_t edges;           /* number of edges of the graph */
    uint32_t graph_checksum; /* checksum of the graph (graph_checksum) */
    uint32_t height;         /* number of cells of the longest label */
    uint64_t labels;         /* number of cells of all labels, stored or not, in one direction */
    uint64_t entries;        /* number of entries in one direction */
    struct index_place {
        uint64_t offset; /* offset of the section in bytes from the beginning of the file, a
                            multiple of 64; 0: absent */
        uint64_t bytes;
        uint32_t crc; /* CRC-32 of the section's bytes */
        uint32_t zero;
    } section[INDEX_SECTIONS];
    uint64_t bytes;    /* size of the file in bytes */
    uint32_t directed; /* 1 if some edge of the graph has no reverse of its weight, else 0 */
    uint32_t loops;    /* 1 if some weight is 0 or less, so that a path put together from merged
                          edges may visit a vertex twice, else 0 */
    double spacing;    /* weights of float64 are multiples of this power of two; 0 for int32 */
    double grid_error; /* most by which rounding the weights to these multiples may have changed a
                          distance; 0: none was rounded */
    uint32_t cell;     /* bytes of a distance in an entry: 4 for int32, 8 for float64 */
    uint32_t zeros[8];
    uint32_t crc; /* CRC-32 of all bytes of the header before this field */
};
_Static_assert(sizeof(struct index_header) == 448, "the format");

enum { INDEX_VERSION = 5, INDEX_INT32 = 1, INDEX_INT64 = 2, INDEX_FLOAT64 = 3 };
#define INDEX_MAGIC "APSPX\r\n\x1a"

struct index_vertex {
    uint64_t entries;   /* bits 0 - 39: number of its first entry in the sections of entries; bits
                           40 - 62: number of its entries, one for each higher neighbour, the parent
                           first; bit 63: its label is made of its parent's (index_label.h) */
    uint64_t label;     /* place of its label. Bits 0 - 39: number of the first cell in the section
                           of labels; bits 40 - 63: signed number that is added to each cell, 0 if
                           cells are float64 */
    uint32_t row;       /* place of the row that is added to its label, counted in INDEX_ROW_STEP
                           cells; 0 if cells are float64 */
    uint32_t labels;    /* number of cells of its label, which is its depth + 1; a root has depth
                           0 */
    uint32_t branch;    /* number of the branch of the tree on which it lies */
    uint32_t ascending; /* a bit for each branch on the way to the root */
};
_Static_assert(sizeof(struct index_vertex) == 32, "the format");

enum { INDEX_PLACE_BITS = 40 }; /* number of bits of a place in struct index_vertex */

/* Return the parts of the packed numbers of a vertex. */
static inline uint64_t index_first_entry(const struct index_vertex *v) {
    return v->entries & ((UINT64_C(1) << INDEX_PLACE_BITS) - 1);
}
static inline uint32_t index_entry_count(const struct index_vertex *v) {
    return (uint32_t)(v->entries >> INDEX_PLACE_BITS) & INT32_MAX >> 8;
}
static inline bool index_is_of_parent(const struct index_vertex *v) {
    return v->entries >> 63 != 0;
}
static inline uint64_t index_label_place(const struct index_vertex *v) {
    return v->label & ((UINT64_C(1) << INDEX_PLACE_BITS) - 1);
}

/* An edge of the eliminated graph between a vertex and a higher neighbour. */
struct index_entry {
    path_length length; /* length of the shortest path to it (out) or from it (in), through lower
                           vertices only; LENGTH_INF: no path */
    int32_t middle;     /* lowest vertex by which two such edges make this length; INDEX_EDGE: it is
                           an edge of the graph, or there is no path */
#ifdef LENGTH_F64
    int32_t zero;
#endif
};
_Static_assert(sizeof(struct index_entry) == 2 * sizeof(path_length), "the format");
#define INDEX_EDGE (-1)

struct index_cells;
struct index_live;

/* An open index. The pointers point into its sections. */
struct distance_index {
    struct index_header header;
    const struct index_vertex *vertex[2]; /* vertices with labels out [0] and in [1]; equal if the
                                             graph is symmetric */
    const int32_t *order;
    const uint32_t *head;
    const void *label[2];    /* labels out [0] and in [1] (index_label.h): uint16 if
                                cells are int32, otherwise float64; equal if the graph is
                                symmetric */
    const int32_t *row[2];   /* rows of labels out [0] and in [1]; NULL if cells are float64 */
    uint64_t label_cells[2]; /* number of cells of each direction's labels, without the INDEX_PAD
                                zeros at the end */
    uint64_t row_cells[2]; /* number of cells of each direction's rows, without the INDEX_PAD zeros
                              at the end */
    const int32_t *higher; /* higher neighbour of each entry, for both directions */
    const struct index_entry *entry[2]; /* entries out [0] and in [1]; equal if the graph is
                                           symmetric */
    const uint8_t *edge[2];             /* bits of entries out [0] and in [1] */
    const void *kernels;                /* struct index_kernels for the type of cells */
    const struct index_cells *cells;    /* functions for the type of cells (index_cells.h) */
    struct vertex_naming naming;        /* names as in the graph's file, stored in the index */
    struct index_live *live;            /* data for updates of weights (index_order.h); NULL: none
                                           yet */
    void *image, *mapping;              /* all bytes, in allocated memory (image) or in a mapped
                                           file (mapping); the other one is NULL */
    uint64_t room;                      /* bytes of the memory of `image` */
};

/* Options for building an index. */
struct index_options {
    int threads;          /* number of threads; 0: one for each core */
    bool both_directions; /* keep both directions even if the graph is symmetric */
    bool even_if_larger;  /* build even if the index is larger than the matrix of distances, or
                             takes much more time */
    double grid_error;    /* most by which rounding weights may have changed a distance */
};

/* Size of an index, known when the order is found. */
struct index_size {
    double labels_each;    /* average number of cells of a label */
    uint32_t height;       /* number of cells of the longest label */
    uint32_t cell;         /* bytes of a cell */
    double distance_bytes; /* average bytes of a distance in the labels; before they are made, the
                              bytes of a cell */
    bool both;             /* both directions are kept */
    uint64_t bytes;        /* bytes of the file; before the labels are made, the most that it may
                              have */
    bool is_most;          /* `bytes` is only the most that the file may have */
    uint64_t matrix;       /* bytes of the matrix of all distances */
};

/* Requirements of an index when a grid is chosen (grid_choose): sums of halves of paths, but no
 * ties. */
extern const struct grid_purpose index_purpose;

/* Returns the grid to request from grid_apply for weights of g, so that they are rounded as those
 * were from which the index was made. Weights below 0 were not rounded. */
double index_grid(const struct distance_index *x, const struct graph *g);

/* Builds the index of g in memory. Weights of int32 may be below 0 if eliminate_takes() says so.
 * STATUS_NEGATIVE_CYCLE if there is a negative cycle; STATUS_BAD_INPUT if weights are of float64
 * and on no grid that is known (g->spacing is 0), if distances of integers may not fit into an
 * int32, or if the index is not worth building; STATUS_NO_RESOURCE if there is not enough memory;
 * STATUS_CANCELLED if progress, which may be NULL, says to stop. An index is not worth building,
 * unless even_if_larger, if it would take more than INDEX_SMALL bytes and be larger than the matrix
 * of all distances, or if it would take more than some seconds and ten times the work of finding
 * all distances; this is known before the elimination. *size, if size is not NULL, is set in any
 * case, and zeroed if the order was not found. The caller frees *x with index_close. */
enum { INDEX_SMALL = 1 << 20 };
enum status index_build(struct distance_index *x, const struct graph *g,
                        const struct index_options *options, struct index_size *size,
                        struct progress *progress, struct error *err);

/* Finds how large the index would be, from the same order, without building it. Statuses are those
 * of index_build, without negative cycles and without the refusal of large indices. */
enum status index_plan(const struct graph *g, const struct index_options *options,
                       struct index_size *size, struct progress *progress, struct error *err);

/* Gives an index the weights of g, which has the same vertices and edges. The order and the
 * structure of the elimination are kept, so an update takes a fraction of the time of index_build,
 * and gives the same bytes as index_build would with this order. STATUS_BAD_INPUT if a vertex or an
 * edge differs, which is named, or if the index is damaged; otherwise statuses are those of
 * index_build. After a failure the index is unchanged. No other thread may use the index during the
 * call. Options are those of the new index, which keeps both directions if the old one did. The
 * memory of an index that is replaced is kept for the next update. */
enum status index_update(struct distance_index *x, const struct graph *g,
                         const struct index_options *options, struct index_size *size,
                         struct progress *progress, struct error *err);

/* Returns the type of the index's distances. */
static inline enum number_type index_type(const struct distance_index *x) {
    return x->header.type == INDEX_INT32 ? NUMBER_INT32 : NUMBER_FLOAT64;
}

/* Writes an index to a file, completely or not at all. */
enum status index_save(const struct distance_index *x, const char *path, struct error *err);

/* Maps a file. STATUS_BAD_INPUT, with what was expected and found, if the file is no index, has
 * another version, is shorter than its header says, or if header and table are damaged;
 * STATUS_NO_RESOURCE if it cannot be opened. The caller closes *x with index_close, also after a
 * failure. */
enum status index_open(struct distance_index *x, const char *path, struct error *err);

/* Returns whether a file begins like an index. */
bool index_is_meant(const char *path);

/* Frees or unmaps the index and zeroes *x; safe on a zeroed struct. */
void index_close(struct distance_index *x);

#endif
