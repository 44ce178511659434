// SPDX-License-Identifier: MIT
/* One of the GPUs that search from batches of sources: its memory, its searches with their proof,
 * and its counts. Functions work on the current device. */
#ifndef SEARCH_GPU_BFS_DEVICE_H
#define SEARCH_GPU_BFS_DEVICE_H

#include "certificate/gpu/gpu_level_proof.h" // struct gpu_level_proof
#include "common/graph/row_block.h"          // struct row_totals
#include "gpu/device_memory.h"               // struct device_memory
#include "search/cpu/bfs_graph.h"            // struct bfs_graph
#include "search/gpu/bfs_kernels.h"          // struct gpu_bfs

#include <cuda_runtime_api.h>

enum { BFS_LEVELS = BFS_MOST_LEVELS + 1, BFS_BINS = 1024 };

/* A search whose batches all GPUs share. */
struct bfs_search {
    const struct bfs_graph *graph;
    const struct graph *proves; /* graph whose levels are proved; NULL: none */
    const int32_t *number;      /* source with each number of the graph, n entries; -1: none */
    const int32_t *vertex;      /* vertex of each source */
    int32_t sources;            /* number of sources */
    int32_t unit;               /* distance of level 1 */
    int32_t last;               /* highest level that is wanted */
    bool by_source, by_vertex;  /* pairs are counted by source; pairs are counted by target */
};

struct bfs_device {
    const struct bfs_search *asked;
    struct device_memory memory;
    struct gpu_bfs search;
    struct gpu_level_proof proof; /* ready if levels are proved */
    int32_t deepest;              /* highest level of any batch so far */
    double prove_s;               /* seconds that proofs took */
    cudaEvent_t before_proof[BFS_LEVELS], after_proof[BFS_LEVELS]; /* events around each level's
                                                                      proof */
};

/* Uploads the graph, and allocates memory for searches and counts. *ready: false if levels are to
 * be proved and cannot be. STATUS_NO_RESOURCE if there is not enough memory. The caller closes *d,
 * also after a failure; it may set d->memory.room before. */
enum status bfs_device_open(struct bfs_device *d, const struct bfs_search *asked, bool *ready,
                            struct error *err);

/* Searches from the batch that begins with source number `source`. *complete: false if there are
 * too many levels, or some are not proved. */
enum status bfs_device_search(struct bfs_device *d, int32_t source, bool *complete,
                              struct error *err);

/* A distance, and what a pair at this distance adds to sums of reciprocals. */
struct bfs_distance {
    int32_t distance;
    int64_t high, low; /* parts of the reciprocal, as in struct row_totals */
};

/* Functions that add the pairs of all batches to totals: bfs_device_add_sources those of source k
 * to to[at[k]], bfs_device_add_targets those with target v to to[v]. distance[l]: distance of level
 * l. pairs[l]: the number of pairs at level l is added to it; pairs may be NULL. scratch: room for
 * as many counts as there are sources, or vertices. */
enum status bfs_device_add_sources(const struct bfs_device *d, const struct bfs_distance *distance,
                                   const int32_t *at, struct row_totals *to, int64_t *pairs,
                                   uint32_t *scratch, struct error *err);
enum status bfs_device_add_targets(const struct bfs_device *d, const struct bfs_distance *distance,
                                   struct row_totals *to, int64_t *pairs, uint32_t *scratch,
                                   struct error *err);

/* Frees the device's memory; safe on a zeroed struct. */
void bfs_device_close(struct bfs_device *d);

#endif
