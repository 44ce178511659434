// SPDX-License-Identifier: MIT
/* A distance index: labels from which the distance between any two vertices of a graph follows in a
 * microsecond, in memory or in a file that is mapped.
 *
 * The label of a vertex has its distances to all of its ancestors in an elimination tree
 * (symbolic.h), from the root down to itself, through vertices below each ancestor only. The
 * highest vertex of a shortest path from s to t is an ancestor of both. So the distance is the
 * least sum over their common ancestors, which are the beginning of both labels. (2-hop labels:
 * Cohen, Halperin, Kaplan and Zwick 2003; over a tree: Ouyang et al. 2018.) How long that beginning
 * is follows from four numbers of the two vertices (Schieber and Vishkin 1988).
 *
 * docs/index-format.md describes the file byte by byte. A file that is open is mapped, not read:
 * opening checks the header and the table of sections only. Queries stay inside the mapping
 * whatever the sections hold; index_check (index_check.h) tells whether the sections are right.
 * Nobody may shorten a file that is open.
 *
 * Weights are integers, or real numbers on a grid (solve/grid.h). A cell of a label is a whole
 * number of the grid's spacings: int32 where all of them fit, otherwise float64, for which these
 * sources are compiled again (common/base/length.h).
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
    INDEX_VERTICES,   /* struct index_vertex for each vertex */
    INDEX_ORDER,      /* int32: all vertices, each before those below it in the tree, and these
                         directly after it; labels and entries lie in the same order */
    INDEX_HEADS,      /* uint32 for 0 .. n: the depth at which each branch begins */
    INDEX_LABELS_OUT, /* cells: distances up to the ancestors; INDEX_PAD zeros at the end */
    INDEX_LABELS_IN,  /* cells: distances down from the ancestors; absent if one direction serves */
    INDEX_HIGHER,     /* int32: the higher neighbour of each entry, in both directions */
    INDEX_ENTRIES_OUT, /* struct index_entry */
    INDEX_ENTRIES_IN,  /* struct index_entry; absent if one direction serves */
    INDEX_NAMES,       /* the block of struct vertex_names; absent if vertices are numbered */
    INDEX_EDGES,       /* a bit for each entry out, then one for each entry in, in bytes of their
                          own: whether it joins vertices that an edge of the graph joins */
    INDEX_SECTIONS,
};

/* The first bytes of a file. All numbers are little-endian. */
struct index_header {
    char magic[8];           /* INDEX_MAGIC */
    uint32_t version;        /* INDEX_VERSION */
    uint32_t type;           /* of weights and distances: INDEX_INT32, INDEX_FLOAT64 or, of an
                                integral graph, INDEX_INT64, which differs in name only */
    uint32_t directions;     /* 2; or 1: the graph is symmetric, and both directions are the same */
    int32_t vertices;        /* n >= 1 */
    int32_t first_vertex;    /* 0 or 1: the number of vertex 0 in messages and in the graph's file,
                                unless there are names */
    int32_t largest;         /* sums above it stand for "no path" */
    int64_t edges;           /* of the graph: graph.m */
    uint32_t graph_checksum; /* graph_checksum */
    uint32_t height;         /* the length of the longest label */
    uint64_t labels;         /* cells of all labels, in one direction */
    uint64_t entries;        /* number of entries in one direction */
    struct index_place {
        uint64_t offset; /* from the beginning of the file, a multiple of 64; 0 if absent */
        uint64_t bytes;
        uint32_t crc; /* of the section's bytes */
        uint32_t zero;
    } section[INDEX_SECTIONS];
    uint64_t bytes;    /* size of the file in bytes */
    uint32_t directed; /* 1 if some edge of the graph has no reverse of its weight, else 0 */
    uint32_t loops;    /* 1 if some weight is 0 or less, so that a way by merged edges may come to a
                          vertex twice, else 0 */
    double spacing;    /* of float64 weights: all are multiples of this power of two; 0 for int32 */
    double grid_error; /* the most that rounding weights to such multiples may have changed a
                          distance by; 0 if none was rounded */
    uint32_t cell;     /* bytes of a cell and of an entry's length: 4 for int32, 8 for float64 */
    uint32_t zeros[10];
    uint32_t crc; /* CRC-32 of all bytes of the header before this field */
};
_Static_assert(sizeof(struct index_header) == 384, "the format");

enum { INDEX_VERSION = 4, INDEX_INT32 = 1, INDEX_INT64 = 2, INDEX_FLOAT64 = 3 };
#define INDEX_MAGIC "APSPX\r\n\x1a"

struct index_vertex {
    uint64_t label;     /* its first cell in the sections of labels */
    uint64_t entry;     /* its first entry in the sections of entries */
    uint32_t labels;    /* how many cells: its depth, which is 0 at a root, and one */
    uint32_t entries;   /* how many entries: its higher neighbours, the parent first */
    uint32_t branch;    /* the branch of the tree that it lies on, */
    uint32_t ascending; /* and a bit for each branch on the way to the root */
};
_Static_assert(sizeof(struct index_vertex) == 32, "the format");

/* An edge of the eliminated graph between a vertex and a higher neighbour. */
struct index_entry {
    path_length length; /* of the shortest path to it (out) or from it (in), through lower vertices
                           only; LENGTH_INF if there is none */
    int32_t middle;     /* the lowest vertex by which two such edges make that length; INDEX_EDGE if
                           it is an edge of the graph, or if there is no path */
#ifdef LENGTH_F64
    int32_t zero;
#endif
};
_Static_assert(sizeof(struct index_entry) == 2 * sizeof(path_length), "the format");
#define INDEX_EDGE (-1)

struct index_cells;
struct index_live;

/* An open index. The pointers lead into the sections. */
struct distance_index {
    struct index_header header;
    const struct index_vertex *vertex;
    const int32_t *order;
    const uint32_t *head;
    const path_length *label[2];        /* out, in: the same if the graph is symmetric */
    const int32_t *higher;              /* of each entry, in both directions */
    const struct index_entry *entry[2]; /* the same */
    const uint8_t *edge[2];             /* bits for entries; the same */
    const void *kernels;                /* struct index_kernels of the type of cells */
    const struct index_cells *cells;    /* what depends on the type of cells (index_cells.h) */
    struct vertex_naming naming;        /* as in the graph's file; names lie in the index */
    struct index_live *live; /* for the next weights (index_order.h); NULL if there were none yet */
    void *image, *mapping;   /* all bytes: memory, or a mapped file; the other is NULL */
};

/* How to build one. */
struct index_options {
    int threads;          /* 0: one per core */
    bool both_directions; /* keep both though the graph is symmetric */
    bool even_if_larger;  /* build it though it is larger than the matrix of distances, or takes
                             far longer than these */
    double grid_error;    /* the most that a distance may have changed as weights were rounded */
};

/* How large an index is, once the order is known; in bytes. */
struct index_size {
    double labels_each; /* cells of a label on average */
    uint32_t height;    /* cells of the longest label */
    uint32_t cell;      /* bytes of a cell */
    bool both;          /* directions are kept */
    uint64_t bytes;     /* of the file */
    uint64_t matrix;    /* of all distances */
};

/* Needs of an index that decide on a grid (grid_choose): sums of halves of paths, but no ties. */
extern const struct grid_purpose index_purpose;

/* Returns what to ask of grid_apply, so that weights are rounded as those were that the index was
 * made of; weights below 0 were not. */
double index_grid(const struct distance_index *x, const struct graph *g);

/* Builds the index of g in memory. Weights of int32 may be below 0 if eliminate_takes() says so.
 * STATUS_NEGATIVE_CYCLE if there is a negative cycle; STATUS_BAD_INPUT if weights are of float64
 * and on no grid that is known (g->spacing is 0), if distances of integers may not fit into an
 * int32, or if the index would take more than INDEX_SMALL bytes and more than the matrix of all
 * distances or ten times the work of these and more than some seconds (unless even_if_larger),
 * which is known before the elimination; STATUS_NO_RESOURCE if memory is short; STATUS_CANCELLED if
 * progress, which may be NULL, says to stop. *size, unless NULL, is set in any case, zeroed if the
 * order was not found. The caller frees with index_close.
 */
enum { INDEX_SMALL = 1 << 20 };
enum status index_build(struct distance_index *x, const struct graph *g,
                        const struct index_options *options, struct index_size *size,
                        struct progress *progress, struct error *err);

/* Finds how large the index would be, by the same order, without building it. Statuses are those of
 * index_build but for negative cycles and the size. */
enum status index_plan(const struct graph *g, const struct index_options *options,
                       struct index_size *size, struct progress *progress, struct error *err);

/* Gives an index other weights: those of g, which has the same vertices and edges. The order and
 * what the elimination leaves are kept, so that this takes a fraction of the time of index_build,
 * and gives the same bytes as that would with this order. STATUS_BAD_INPUT if a vertex or an edge
 * is another one, which is named, or if the index is damaged; otherwise statuses are those of
 * index_build. The index stays as it was unless this succeeds. Nobody else may use it meanwhile.
 * Options are those of the new index, which keeps both directions if the old one did. An index in
 * memory is written over if the new one is as large. */
enum status index_update(struct distance_index *x, const struct graph *g,
                         const struct index_options *options, struct index_size *size,
                         struct progress *progress, struct error *err);

/* The type of its distances. */
static inline enum number_type index_type(const struct distance_index *x) {
    return x->header.type == INDEX_INT32 ? NUMBER_INT32 : NUMBER_FLOAT64;
}

/* Writes an index, completely or not at all. */
enum status index_save(const struct distance_index *x, const char *path, struct error *err);

/* Maps a file. STATUS_BAD_INPUT, with what was expected and found, if it is no index, of another
 * version, shorter than it says, or if header and table are damaged; STATUS_NO_RESOURCE if it
 * cannot be opened. The caller closes with index_close, also after a failure. */
enum status index_open(struct distance_index *x, const char *path, struct error *err);

/* Returns whether a file begins as an index does. */
bool index_is_meant(const char *path);

/* Safe on a zeroed struct; leaves it zeroed. */
void index_close(struct distance_index *x);

#endif
