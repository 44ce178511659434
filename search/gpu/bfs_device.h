// SPDX-License-Identifier: MIT
/* One of the GPUs that search from batches of sources: its memory, its searches and their proof,
 * and what it has counted. Its functions work on the current device. */
#ifndef SEARCH_GPU_BFS_DEVICE_H
#define SEARCH_GPU_BFS_DEVICE_H

#include "certificate/gpu/gpu_level_proof.h" // struct gpu_level_proof
#include "common/graph/row_block.h"          // struct row_totals
#include "gpu/device_memory.h"               // struct device_memory
#include "search/cpu/bfs_graph.h"            // struct bfs_graph
#include "search/gpu/bfs_kernels.h"          // struct gpu_bfs

#include <cuda_runtime_api.h>

enum { BFS_LEVELS = BFS_MOST_LEVELS + 1, BFS_BINS = 1024 };

/* A question that all GPUs answer together. */
struct bfs_search {
    const struct bfs_graph *graph;
    const struct graph *proves; /* the graph whose levels are proved, or NULL */
    const int32_t *number;      /* n: the source that has each number of the graph; -1: none has */
    const int32_t *vertex;      /* the vertex of each source */
    int32_t sources;            /* number of sources */
    int32_t unit;               /* the distance of level 1 */
    int32_t last;               /* the highest level that anybody asks for */
    bool by_source, by_vertex;  /* pairs are to be counted by their sources, by their targets */
};

struct bfs_device {
    const struct bfs_search *asked;
    struct device_memory memory;
    struct gpu_bfs search;
    struct gpu_level_proof proof; /* ready if levels are proved */
    int32_t deepest;              /* the highest level of any batch so far */
    double prove_s;               /* seconds of proofs */
    cudaEvent_t before_proof[BFS_LEVELS], after_proof[BFS_LEVELS]; /* around each level's proof */
};

/* Uploads the graph and makes room for searches and counts. *ready becomes false if levels are to
 * be proved and cannot. STATUS_NO_RESOURCE if there is not enough memory. The caller closes *d,
 * whose memory.room may be set before, also after a failure. */
enum status bfs_device_open(struct bfs_device *d, const struct bfs_search *asked, bool *ready,
                            struct error *err);

/* Searches from the batch of sources from number `source` on. *complete becomes false if there are
 * too many levels, or some are not proved. */
enum status bfs_device_search(struct bfs_device *d, int32_t source, bool *complete,
                              struct error *err);

/* A distance, and how much a pair at it adds to sums of reciprocals. */
struct bfs_distance {
    int32_t distance;
    int64_t high, low; /* the reciprocal, as in struct row_totals */
};

/* Adds the pairs of all batches to totals: those of source k to to[at[k]] or, by their targets,
 * those of vertex v to to[v]. distance[l] is that of level l, and *pairs[l] takes how many pairs
 * are there; pairs may be NULL. scratch: room for as many counts as there are sources or
 * vertices. */
enum status bfs_device_add_sources(const struct bfs_device *d, const struct bfs_distance *distance,
                                   const int32_t *at, struct row_totals *to, int64_t *pairs,
                                   uint32_t *scratch, struct error *err);
enum status bfs_device_add_targets(const struct bfs_device *d, const struct bfs_distance *distance,
                                   struct row_totals *to, int64_t *pairs, uint32_t *scratch,
                                   struct error *err);

/* Safe on a zeroed struct. */
void bfs_device_close(struct bfs_device *d);

#endif
