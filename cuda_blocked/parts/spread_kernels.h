// SPDX-License-Identifier: MIT
/* One GPU's part of a matrix that is spread over several GPUs, and the steps of blocked
 * Floyd-Warshall on it. Of `parts` GPUs, number `own` has the tile rows own, own + parts, own + 2
 * parts ...
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
    int32_t n, tiles; /* number of vertices, number of tiles in a row of the matrix */
    int32_t vertices; /* number of vertices that have a row in a tile row */
    size_t ld;        /* leading dimension of rows of distances: n, rounded up to whole tiles */
    void *memory;     /* device memory, spread_bytes() of it */
};

struct spread_part spread_part_of(enum spread_cells cells, int32_t n, int parts, int own);

static inline bool spread_owns(const struct spread_part *p, int32_t tile_row) {
    return tile_row % p->parts == p->own;
}

/* The number of tile rows that the part has. */
static inline int32_t spread_tile_rows(const struct spread_part *p) {
    return p->own < p->tiles ? (p->tiles - 1 - p->own) / p->parts + 1 : 0;
}

/* Bytes of memory for cells and panels. */
size_t spread_bytes(const struct spread_part *p);

/* The right panel of step s, and its size in bytes. */
void *spread_panel(const struct spread_part *p, int32_t s);
size_t spread_panel_bytes(const struct spread_part *p);

/* All functions below work on the current device, which must be the part's. Unless they say
 * otherwise, they may return before the work is done. */

/* Allows kernels the shared memory that they need; STATUS_NO_RESOURCE if the device has too
 * little. */
enum status spread_prepare(enum spread_cells cells, struct error *err);

/* Makes the part's rows of the adjacency matrix, in the default stream. */
enum status spread_fill(const struct spread_part *p, const struct gpu_in_edges *in,
                        struct error *err);

/* Phases 1 and 2 of step s, which the part owns: closes the pivot tile and makes the right panel.
 */
enum status spread_close(const struct spread_part *p, int32_t s, cudaStream_t stream,
                         struct error *err);

/* Update the part's other rows in step s: the first function only tile row s + 1, the second one
 * all others. */
enum status spread_update_next(const struct spread_part *p, int32_t s, cudaStream_t stream,
                               struct error *err);
enum status spread_update_rest(const struct spread_part *p, int32_t s, cudaStream_t stream,
                               struct error *err);

/* Stores in *where the address of a tile row's distances: LARGE_TILE rows with leading dimension
 * ld, padded with INF. They are in the buffer, spread_buffer_bytes() of device memory, unless cells
 * are distances themselves. */
size_t spread_buffer_bytes(const struct spread_part *p);
enum status spread_read_rows(const struct spread_part *p, int32_t tile_row, void *buffer,
                             int32_t **where, struct error *err);

/* Stores whether the distances of the part's rows are exact, when the matrix is finished. m has n,
 * ld and in; workspace has spread_check_bytes() of device memory. Waits for the answer. */
size_t spread_check_bytes(const struct spread_part *p, const struct gpu_matrices *m);
enum status spread_check(const struct spread_part *p, const struct gpu_matrices *m, void *workspace,
                         void *buffer, bool *exact, struct error *err);

/* Stores whether distances are likely to be short enough for `cells`; m has n and in, workspace has
 * spread_probe_bytes() of device memory. Waits for the answer. */
size_t spread_probe_bytes(const struct gpu_matrices *m);
enum status spread_probe(enum spread_cells cells, const struct gpu_matrices *m, void *workspace,
                         bool *likely, struct error *err);

/* Sets flag[e] to 1 if edge e begins in a row of the part, and its weight is the distance between
 * its ends, otherwise to 0. */
enum status spread_flag_edges(const struct spread_part *p, const struct gpu_in_edges *in,
                              uint8_t *flag, struct error *err);

/* Predecessors of a tile row. m has n, order, ld, in and, as its workspace,
 * spread_derivation_bytes() of memory. Call spread_keep_edges first, with the flags of all parts
 * combined, in device memory. */
size_t spread_derivation_bytes(const struct gpu_matrices *m);
enum status spread_keep_edges(const struct gpu_matrices *m, const uint8_t *flag, struct error *err);
enum status spread_derive(const struct gpu_matrices *m, int32_t first, const int32_t *dist,
                          int32_t *pred, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
