// SPDX-License-Identifier: MIT
/* Queries to a distance index (index.h). They read nothing outside it, whatever it holds: of a
 * damaged index, distances are any numbers, and paths end with an error. Vertices are 0 .. n-1, and
 * the caller checks that they are. Arrays of distances are of index_type: int32, INF if there is no
 * path; or float64, infinite if there is none. */
#ifndef INDEX_INDEX_QUERY_H
#define INDEX_INDEX_QUERY_H

#include "common/graph/row_reader.h" // struct row_reader
#include "index/index_cells.h"

/* The distance from one vertex to another; of int32, INF if there is no path. */
static inline double index_distance(const struct distance_index *x, int32_t from, int32_t to) {
    return x->cells->distance(x, from, to);
}

/* Returns whether a distance is one, and not INF or infinite. */
static inline bool index_reaches(const struct distance_index *x, double distance) {
    return index_type(x) == NUMBER_INT32 ? distance < INF : distance < (double)__builtin_inf();
}

/* distance[p]: that from from[p] to to[p], p < count, on `threads` threads (0: one per core). */
static inline void index_distances(const struct distance_index *x, const int32_t *from,
                                   const int32_t *to, int64_t count, void *distance, int threads) {
    x->cells->distances(x, from, to, count, distance, threads);
}

/* Targets, prepared for tables. Vertices may repeat. The caller frees with index_targets_free, also
 * after a failure. */
struct index_target {
    int32_t vertex, column;
    uint32_t common; /* with the one before it: index_common */
};
struct index_targets {
    struct index_target *target; /* in the order of labels */
    int32_t count;
};

/* target == NULL: all vertices in order, and count is n. */
enum status index_targets_find(const struct distance_index *x, const int32_t *target, int32_t count,
                               struct index_targets *targets, struct error *err);
void index_targets_free(struct index_targets *targets);

/* row[r][c]: the distance from source[r], r < count, to the target of column c, which is the c-th
 * that the targets were found for. Sources that lie near one another in the index's order take less
 * time together. */
static inline enum status index_find_rows(const struct distance_index *x,
                                          const struct index_targets *targets,
                                          const int32_t *source, int32_t count, void *const *row,
                                          struct error *err) {
    return x->cells->find_rows(x, targets, source, count, row, err);
}

/* The distances from all sources to all targets, row by row of the sources, `leading` cells apart,
 * on `threads` threads (0: one per core). */
enum status index_table(const struct distance_index *x, const int32_t *source, int32_t source_count,
                        const int32_t *target, int32_t target_count, void *distance, size_t leading,
                        int threads, const struct progress *progress, struct error *err);

/* Has a sink take the rows of all vertices, in blocks and on `threads` threads (0: one per core).
 */
enum status index_give_rows(const struct distance_index *x, struct row_sink *sink, int threads,
                            struct progress *progress, struct error *err);

/* Makes a graph with the same distances: the merged edges. The caller frees it with graph_free. */
static inline enum status index_graph(const struct distance_index *x, struct graph *g,
                                      struct error *err) {
    return x->cells->graph(x, g, err);
}

/* The vertices of a shortest path by edges of the graph, path[0] = from .. path[*length - 1] = to,
 * at most n of them; *length is 0 if there is none. No vertex repeats. STATUS_BAD_INPUT if the
 * index is damaged. */
static inline enum status index_path(const struct distance_index *x, int32_t from, int32_t to,
                                     int32_t *path, int32_t *length, struct error *err) {
    return x->cells->path(x, from, to, path, length, err);
}

/* Reads rows of an index as the certificate wants them: those of `sources`, which are NULL for all
 * vertices in the index's order. The caller closes with index_reader_close, also after a failure.
 */
struct index_reader {
    struct row_reader reader; /* the first member */
    const struct distance_index *x;
    struct index_targets targets;
    void **block; /* one for each thread */
    int threads;
    int32_t most;
};
enum status index_reader_open(struct index_reader *reader, const struct distance_index *x,
                              const struct row_sources *sources, struct error *err);
void index_reader_close(struct index_reader *reader);

#endif
