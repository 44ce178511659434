// SPDX-License-Identifier: MIT
/* Results in files: distances, predecessors and their provenance. */
#ifndef COMMON_ROWS_RESULT_IO_H
#define COMMON_ROWS_RESULT_IO_H

#include "common/base/timing.h"      // struct timing
#include "common/graph/graph.h"      // struct graph
#include "common/graph/limit.h"      // NO_LIMIT
#include "common/graph/matrix.h"     // struct matrix
#include "common/rows/npy_type.h"    // enum npy_type
#include "common/rows/vertex_list.h" // struct vertex_list

#include <stdbool.h>
#include <stdint.h>

/* The origin of a result. It informs people and proves nothing. */
struct provenance {
    char program[32], variant[32];
    char graph[256]; /* name of the graph's file, as the user gave it */
    /* Names of the vertices in that file; result_free releases them. A reader of results knows only
     * their number and checksum. */
    struct vertex_naming naming;
    int32_t ids;           /* number of names that the result lists; 0: none */
    uint32_t ids_checksum; /* naming_checksum of the names listed */
    uint32_t checksum;     /* graph_checksum of the graph, if has_checksum */
    bool has_checksum;
    /* all rows were proved, with all their columns, before they were written */
    bool proved;
    enum semiring semiring; /* semiring of the lengths */
    char along[64]; /* name of the column of edges whose sums along paths the rows are; "": rows are
                       distances */
    /* the part of a file's note on its graph that cannot be understood; "": none */
    char note[64];
    double solve_s, total_s;
    /* spacing of the grid that weights were rounded to; 0: they were not rounded */
    double grid;
    double grid_error; /* the most that rounding to the grid may have changed a distance by */
};

struct result {
    int64_t edges_read; /* number of edges that the result records; -1: it records none */
    struct matrix dist;
    struct matrix pred; /* cell is NULL if the result has distances only */
    /* If sources.vertex is NULL, the matrices have a row for every vertex; otherwise a row for each
     * source, in the list's order. */
    struct vertex_list sources;
    /* If targets.vertex is NULL, the matrices have a column for every vertex. Otherwise dist has a
     * column for each target, in the list's order, in a graph of n vertices, and there are no
     * predecessors. */
    struct vertex_list targets;
    int32_t n;
    /* Type as which result_write_npy writes the distances: their own or, for int32, a narrow one.
     */
    enum npy_type type;
    double limit; /* pairs beyond it have no path in the result; NO_LIMIT: none */
    struct provenance made;
};

/* Layout of NumPy files, which has to be known before the first row is written. */
struct result_layout {
    int32_t n; /* number of vertices of the graph */
    /* names of vertices, for messages and the list of names; owned by the graph */
    struct vertex_naming naming;
    /* vertices of the rows and of the columns; the lists belong to the caller, and must outlive the
     * writer */
    struct row_sources sources, targets;
    double limit;           /* limit of the rows; NO_LIMIT: none */
    enum semiring semiring; /* semiring of the lengths, which decides on the entry for no path */
    bool with_pred;
    enum npy_type type; /* type of the distances: their own or, for int32, a narrow one */
};

/* Allocates uninitialised matrices of `rows` rows and `columns` columns, without a limit, for a
 * graph with weights of that type. graph_name: name of the graph in messages. STATUS_NO_RESOURCE if
 * the matrices do not fit into memory. The caller frees the result with result_free, also after a
 * failure. */
enum status result_alloc(struct result *result, enum number_type type, int32_t rows,
                         int32_t columns, bool with_pred, const char *graph_name,
                         struct error *err);

/* Fills the provenance of an answer to g. Characters in the graph's name that would end a line
 * become '?'. */
void result_describe(struct result *result, const struct graph *g, const char *graph_name,
                     const char *program, const char *variant, const struct timing *timing);

/* Writes text, in the thesis's layout (thesis chapter 4; docs/result-formats.md):
 *     |V| = n, |E| = m
 *     semiring = NAME, unless it is min-plus
 *     |S| = k: vertices, and |T| = k: vertices, unless they are all
 *     limit = L, if there is one
 *     (blank line) n rows of n tab-separated distances, INF if there is no path, or what
 *         else the semiring has for it (semiring.h), -INF included; real ones with the fewest
 *         digits that read back to the same bits
 *     (blank line) n rows of n tab-separated predecessors, -1 if there is none
 *     # lines: solver, seconds, graph, its numbering of vertices unless from 0, and checksum
 * The file appears completely or not at all (output.h). threads: 0 for one per core. */
enum status result_write_text(const char *path, const struct result *result, int threads,
                              struct error *err);

/* Suffixes of the names of NumPy files. */
#define RESULT_DIST_SUFFIX    ".dist.npy"
#define RESULT_PRED_SUFFIX    ".pred.npy"
#define RESULT_JSON_SUFFIX    ".json"
#define RESULT_SOURCES_SUFFIX ".sources.npy"
#define RESULT_TARGETS_SUFFIX ".targets.npy"
#define RESULT_NPZ_SUFFIX     ".npz"
#define RESULT_IDS_SUFFIX     ".ids.txt"

/* Writes PREFIX.dist.npy (of the result's type, C order) and PREFIX.pred.npy (int32), large ones in
 * parallel, and PREFIX.json, which has the CRC-32 of each and is put in place last. All files
 * appear, or none (output_commit_all). If there are no predecessors, an old PREFIX.pred.npy is
 * removed. STATUS_BAD_INPUT if a distance does not fit in the type. threads: 0 for one per core. */
enum status result_write_npy(const char *prefix, const struct result *result, int threads,
                             struct error *err);

/* Returns STATUS_REFUTED if the result that was read from `path` lists other names than those of g.
 */
enum status result_check_ids(const char *path, const struct result *result, const struct graph *g,
                             struct error *err);

/* Return the vertices of the rows of a result, and of its columns. */
static inline struct row_sources result_rows(const struct result *result) {
    return (struct row_sources){result->sources.vertex, result->dist.rows};
}
static inline struct row_sources result_columns(const struct result *result) {
    return (struct row_sources){result->targets.vertex, result->dist.n};
}

/* Returns the number of vertices of the result's graph. */
static inline int32_t result_vertices(const struct result *result) {
    return result->targets.vertex != NULL ? result->n : result->dist.n;
}

/* Returns how many bytes result_write_npy or result_write_text takes at most. */
uint64_t result_memory_to_write(const struct result_layout *layout, bool npy, int threads);

/* Reads a whole result of int32 distances into memory, in any form that result_reader_open
 * (result_reader.h) takes. The caller frees it with result_free. */
enum status result_read(const char *path, struct result *result, struct error *err);

/* Does what result_read does for distances of any type. */
enum status result_read_as(const char *path, enum number_type type, struct result *result,
                           struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void result_free(struct result *result);

#endif
