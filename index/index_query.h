// SPDX-License-Identifier: MIT
/* Queries to a distance index (index.h). They read nothing outside the index, whatever it holds:
 * from a damaged index, distances may be any numbers, and paths end with an error. Vertices are 0
 * .. n-1; the caller must check that. Arrays of distances are of index_type: int32, INF if there is
 * no path; or float64, infinite if there is no path. */
#ifndef INDEX_INDEX_QUERY_H
#define INDEX_INDEX_QUERY_H

#include "common/graph/row_reader.h" // struct row_reader
#include "index/index_cells.h"

/* Returns the distance from one vertex to another; if there is no path INF for int32, infinite for
 * float64. */
static inline double index_distance(const struct distance_index *x, int32_t from, int32_t to) {
    return x->cells->distance(x, from, to);
}

/* Returns whether a distance is that of a path, not INF or infinite. */
static inline bool index_reaches(const struct distance_index *x, double distance) {
    return index_type(x) == NUMBER_INT32 ? distance < INF : distance < (double)__builtin_inf();
}

/* Stores in distance[p] the distance from from[p] to to[p], p < count, on `threads` threads (0: one
 * for each core). */
static inline void index_distances(const struct distance_index *x, const int32_t *from,
                                   const int32_t *to, int64_t count, void *distance, int threads) {
    x->cells->distances(x, from, to, count, distance, threads);
}

/* A target of a table. Vertices may repeat. */
struct index_target {
    int32_t vertex, column;
    uint32_t common; /* number of ancestors that it has in common with the target before it
                        (index_common) */
};
struct index_targets {
    struct index_target *target; /* targets in the order of labels */
    int32_t count;
};

/* Prepares targets for tables. target NULL: all vertices, in the order of their numbers; count is n
 * then. The caller frees *targets with index_targets_free, also after a failure. */
enum status index_targets_find(const struct distance_index *x, const int32_t *target, int32_t count,
                               struct index_targets *targets, struct error *err);
void index_targets_free(struct index_targets *targets);

/* Stores in row[r][c] the distance from source[r], r < count, to target c of those given to
 * index_targets_find. Sources that are near each other in the index's order take less time
 * together. */
static inline enum status index_find_rows(const struct distance_index *x,
                                          const struct index_targets *targets,
                                          const int32_t *source, int32_t count, void *const *row,
                                          struct error *err) {
    return x->cells->find_rows(x, targets, source, count, row, err);
}

/* Stores the distances from all sources to all targets, a row for each source, `leading` cells from
 * one row to the next, on `threads` threads (0: one for each core). */
enum status index_table(const struct distance_index *x, const int32_t *source, int32_t source_count,
                        const int32_t *target, int32_t target_count, void *distance, size_t leading,
                        int threads, const struct progress *progress, struct error *err);

/* Hands the rows of all vertices to a sink, in blocks, on `threads` threads (0: one for each
 * core). */
enum status index_give_rows(const struct distance_index *x, struct row_sink *sink, int threads,
                            struct progress *progress, struct error *err);

/* Makes a graph of the merged edges, which has the same distances. The caller frees it with
 * graph_free. */
static inline enum status index_graph(const struct distance_index *x, struct graph *g,
                                      struct error *err) {
    return x->cells->graph(x, g, err);
}

/* Finds a shortest path along edges of the graph: path[0] = from, ..., path[*length - 1] = to, at
 * most n vertices, none twice. *length: 0 if there is no path. STATUS_BAD_INPUT if the index is
 * damaged. */
static inline enum status index_path(const struct distance_index *x, int32_t from, int32_t to,
                                     int32_t *path, int32_t *length, struct error *err) {
    return x->cells->path(x, from, to, path, length, err);
}

/* A reader of rows of an index, for the certificate: the rows of `sources`; NULL: those of all
 * vertices, in the index's order. The caller closes it with index_reader_close, also after a
 * failure. */
struct index_reader {
    struct row_reader reader; /* the reader that callers use; must be the first member */
    const struct distance_index *x;
    struct index_targets targets;
    void **block; /* memory for a block of rows, for each thread */
    int threads;
    int32_t most;
};
enum status index_reader_open(struct index_reader *reader, const struct distance_index *x,
                              const struct row_sources *sources, struct error *err);
void index_reader_close(struct index_reader *reader);

#endif
