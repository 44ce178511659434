// SPDX-License-Identifier: MIT
/* Results on disk: distances, predecessors, and how they were made. */
#ifndef COMMON_ROWS_RESULT_IO_H
#define COMMON_ROWS_RESULT_IO_H

#include "common/base/timing.h"  // struct timing
#include "common/graph/graph.h"  // struct graph
#include "common/graph/matrix.h" // struct matrix

#include <stdbool.h>
#include <stdint.h>

/* Where a result came from; informative, nothing is proved by it. */
struct provenance {
    char program[32], variant[32];
    char graph[256];       /* file name as given */
    int32_t vertices_from; /* as that file numbers vertex 0 */
    uint32_t checksum;     /* of the graph; see graph_checksum */
    bool has_checksum;
    char note[64]; /* what a file says of its graph that makes no sense, or "" */
    double solve_s, total_s;
};

struct result {
    int64_t edges_read; /* |E| as the result records it; -1 where it does not */
    struct matrix dist;
    struct matrix pred; /* cell is NULL in a distances-only result */
    struct provenance made;
};

/* Room for the answer to a graph of n vertices, which messages call by its name:
 * matrices without content. STATUS_NO_RESOURCE where the machine cannot hold
 * them. The caller frees with result_free, also after a failure. */
enum status result_alloc(struct result *result, int32_t n, bool with_pred, const char *graph_name,
                         struct error *err);

/* Puts down how the answer to g was made. Characters of the graph's name that would
 * end its line in a file become '?'. */
void result_describe(struct result *result, const struct graph *g, const char *graph_name,
                     const char *program, const char *variant, const struct timing *timing);

/* Text, in the thesis's layout (thesis chapter 4; docs/formats.md):
 *     |V| = n, |E| = m
 *     (blank line) n rows of n tab-separated distances, INF where unreachable
 *     (blank line) n rows of n tab-separated predecessors, -1 where none
 *     # lines: solver, seconds, graph, its numbering of vertices unless from 0, and checksum
 * Atomic (output.h). threads: 0 for as many as the machine has. */
enum status result_write_text(const char *path, const struct result *result, int threads,
                              struct error *err);

/* PREFIX.dist.npy, PREFIX.pred.npy (int32, C order), large ones at the same time, and
 * PREFIX.json, which holds the CRC-32 of each and is put in place last: all of them or none
 * (output_commit_all). An old PREFIX.pred.npy disappears where there are no predecessors.
 * threads: 0 for as many as the machine has. */
enum status result_write_npy(const char *prefix, const struct result *result, int threads,
                             struct error *err);

/* Bytes that writing it takes at most, as NumPy's files or as text. */
uint64_t result_memory_to_write(int32_t n, bool with_pred, bool npy, int threads);

/* Reads either: a path that ends in .dist.npy as NumPy, with its partners, the .json
 * of at most JSON_LONGEST bytes (json_text.h), all opened together
 * (output_open_together) and what the .json says of the matrices compared with them, and so the
 * PREFIX alone if there is no file of that name, or a folder; one that ends otherwise in .npy as
 * distances alone; any other as text, plain or gzip-compressed. NumPy's entries may be int32, int64
 * or float64, which must be integral; an infinite distance is no path, a predecessor of -9999,
 * which SciPy writes, is none. Text of the thesis's own programs is accepted too: CRLF, "∞", more
 * blank lines, trailing tabs, no last line feed, no # lines. Entries are not judged here beyond
 * being integers that a result can hold. STATUS_BAD_INPUT for anything malformed or truncated. The
 * caller frees with result_free. */
enum status result_read(const char *path, struct result *result, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void result_free(struct result *result);

#endif
