// SPDX-License-Identifier: MIT
/* One GPU's part of a matrix that is spread over several, and the steps of blocked Floyd-Warshall
 * on it. Of `parts` GPUs, number `own` has the tile rows own, own + parts, own + 2 parts ...
 *
 * In step s the owner of tile row s closes the pivot tile and does phase 2 on its row, which gives
 * the step's right panel. All other GPUs need a copy of it and nothing else: the pivot column's
 * tiles are in their own rows. Panels of three steps exist at the same time. */
#ifndef CUDA_BLOCKED_PARTS_SPREAD_KERNELS_H
#define CUDA_BLOCKED_PARTS_SPREAD_KERNELS_H

#include "cuda_blocked/parts/tile_constants.h" // enum spread_cells
#include "gpu/gpu_solver.h"                    // struct gpu_matrices

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

struct spread_part {
    enum spread_cells cells;
    int32_t parts, own;
    int32_t n, tiles; /* in a row of the matrix */
    int32_t vertices; /* that have a row in a tile row */
    size_t ld;        /* of rows of distances: n, rounded up to whole tiles */
    void *memory;     /* spread_bytes() */
};

struct spread_part spread_part_of(enum spread_cells cells, int32_t n, int parts, int own);

static inline bool spread_owns(const struct spread_part *p, int32_t tile_row) {
    return tile_row % p->parts == p->own;
}

/* Its tile rows. */
static inline int32_t spread_tile_rows(const struct spread_part *p) {
    return p->own < p->tiles ? (p->tiles - 1 - p->own) / p->parts + 1 : 0;
}

/* Bytes of memory for cells and panels. */
size_t spread_bytes(const struct spread_part *p);

/* Step s's right panel. */
void *spread_panel(const struct spread_part *p, int32_t s);
size_t spread_panel_bytes(const struct spread_part *p);

/* All that follow work on the current device, which must be the part's, and unless they say so may
 * return before it is done. */

/* Lets kernels have the shared memory that they need; STATUS_NO_RESOURCE if there is too little. */
enum status spread_prepare(enum spread_cells cells, struct error *err);

/* Makes the part's rows of the adjacency matrix, in the default stream. */
enum status spread_fill(const struct spread_part *p, const struct gpu_in_edges *in,
                        struct error *err);

/* Phases 1 and 2 of step s, which the part owns: closes the pivot tile and makes the right panel.
 */
enum status spread_close(const struct spread_part *p, int32_t s, cudaStream_t stream,
                         struct error *err);

/* The part's other rows in step s: of tile row s + 1 only, or of all but that. */
enum status spread_update_next(const struct spread_part *p, int32_t s, cudaStream_t stream,
                               struct error *err);
enum status spread_update_rest(const struct spread_part *p, int32_t s, cudaStream_t stream,
                               struct error *err);

/* Stores where the distances of a tile row are: LARGE_TILE rows with leading dimension ld, padded
 * with INF. The buffer, spread_buffer_bytes() of device memory, holds them unless cells are
 * distances. */
size_t spread_buffer_bytes(const struct spread_part *p);
enum status spread_read_rows(const struct spread_part *p, int32_t tile_row, void *buffer,
                             int32_t **where, struct error *err);

/* Stores whether the distances of the part's rows are exact, when the matrix is finished. m has n,
 * ld and in; workspace has spread_check_bytes() of device memory. Waits for the answer. */
size_t spread_check_bytes(const struct spread_part *p, const struct gpu_matrices *m);
enum status spread_check(const struct spread_part *p, const struct gpu_matrices *m, void *workspace,
                         void *buffer, bool *exact, struct error *err);

/* Stores whether distances are likely to be short enough for such cells; m has n and in, workspace
 * has spread_probe_bytes() of device memory. Waits for the answer. */
size_t spread_probe_bytes(const struct gpu_matrices *m);
enum status spread_probe(enum spread_cells cells, const struct gpu_matrices *m, void *workspace,
                         bool *likely, struct error *err);

/* Sets flag[e] to whether edge e begins in a row of the part and is as long as the distance. */
enum status spread_flag_edges(const struct spread_part *p, const struct gpu_in_edges *in,
                              uint8_t *flag, struct error *err);

/* Predecessors of the rows of a tile row. m has n, order, ld, in and, as its workspace, memory of
 * spread_derivation_bytes(). First come the flags of all parts together, in device memory. */
size_t spread_derivation_bytes(const struct gpu_matrices *m);
enum status spread_keep_edges(const struct gpu_matrices *m, const uint8_t *flag, struct error *err);
enum status spread_derive(const struct gpu_matrices *m, int32_t first, const int32_t *dist,
                          int32_t *pred, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
