// SPDX-License-Identifier: MIT
/* Results in files: distances, predecessors and their provenance. */
#ifndef COMMON_ROWS_RESULT_IO_H
#define COMMON_ROWS_RESULT_IO_H

#include "common/base/timing.h"  // struct timing
#include "common/graph/graph.h"  // struct graph
#include "common/graph/limit.h"  // NO_LIMIT
#include "common/graph/matrix.h" // struct matrix
#include "common/rows/sources.h" // struct source_list

#include <stdbool.h>
#include <stdint.h>

/* Where a result came from. It informs people and proves nothing. */
struct provenance {
    char program[32], variant[32];
    char graph[256];       /* file name as given */
    int32_t vertices_from; /* the number of vertex 0 in that file */
    uint32_t checksum;     /* of the graph; see graph_checksum */
    bool has_checksum;
    char note[64]; /* the part of a file's note on its graph that makes no sense, or "" */
    double solve_s, total_s;
};

struct result {
    int64_t edges_read; /* |E| as the result records it; -1 if it does not */
    struct matrix dist;
    struct matrix pred; /* cell is NULL in a distances-only result */
    /* If sources.source is NULL, the matrices have a row for every vertex; otherwise they have one
     * for each source, in this order. */
    struct source_list sources;
    int32_t limit; /* pairs beyond it have no path here; NO_LIMIT for none */
    struct provenance made;
};

/* Allocates uninitialised matrices of `rows` rows, without a limit, for a graph of n vertices,
 * which messages call graph_name. STATUS_NO_RESOURCE if they do not fit into memory. The caller
 * frees the result with result_free, also after a failure. */
enum status result_alloc(struct result *result, int32_t rows, int32_t n, bool with_pred,
                         const char *graph_name, struct error *err);

/* Fills the provenance of an answer to g. Characters of the graph's name that would end a line in a
 * file become '?'. */
void result_describe(struct result *result, const struct graph *g, const char *graph_name,
                     const char *program, const char *variant, const struct timing *timing);

/* Writes text, in the thesis's layout (thesis chapter 4; docs/formats.md):
 *     |V| = n, |E| = m
 *     |S| = k: vertices of the rows, unless all have one
 *     limit = L, if there is one
 *     (blank line) n rows of n tab-separated distances, INF if there is no path
 *     (blank line) n rows of n tab-separated predecessors, -1 if there is none
 *     # lines: solver, seconds, graph, its numbering of vertices unless from 0, and checksum
 * The file appears completely or not at all (output.h). threads: 0 for one per core. */
enum status result_write_text(const char *path, const struct result *result, int threads,
                              struct error *err);

/* The ends of the names of NumPy files. */
#define RESULT_DIST_SUFFIX    ".dist.npy"
#define RESULT_PRED_SUFFIX    ".pred.npy"
#define RESULT_JSON_SUFFIX    ".json"
#define RESULT_SOURCES_SUFFIX ".sources.npy"

/* Writes PREFIX.dist.npy and PREFIX.pred.npy (int32, C order), large ones in parallel, and
 * PREFIX.json, which holds the CRC-32 of each and is put in place last. All of them appear or none
 * (output_commit_all). If there are no predecessors, an old PREFIX.pred.npy disappears. threads: 0
 * for one per core. */
enum status result_write_npy(const char *prefix, const struct result *result, int threads,
                             struct error *err);

/* The rows of a result, as a list. */
static inline struct row_sources result_rows(const struct result *result) {
    return (struct row_sources){result->sources.source, result->dist.rows};
}

/* Bytes that one of the two functions above takes at most for so many rows. */
uint64_t result_memory_to_write(int32_t rows, int32_t n, bool with_pred, bool npy, int threads);

/* Reads all of a result, in any of the forms that result_reader_open (result_reader.h) takes, into
 * memory. The caller frees it with result_free. */
enum status result_read(const char *path, struct result *result, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void result_free(struct result *result);

#endif
