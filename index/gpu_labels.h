// SPDX-License-Identifier: MIT
/* Rows of a distance index on a GPU. The distance from one vertex to another is the least sum of
 * the two labels' cells over the ancestors that they have in common, at most INF. */
#ifndef INDEX_GPU_LABELS_H
#define INDEX_GPU_LABELS_H

#include "certificate/gpu/gpu_lane_proof.h" // struct gpu_lanes
#include "common/base/error.h"              // enum status, struct error

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An index in host memory. Vertices have places 0 .. n - 1, a preorder of the elimination tree. */
struct placed_labels {
    int32_t n;
    const int32_t *vertex;   /* vertex at each place */
    const uint64_t *first;   /* index of the first cell of each place's label */
    const int32_t *length;   /* number of cells of each place's label */
    const int32_t *common;   /* number of ancestors, from the root on, that each place has in common
                                with the place before it; 0 at place 0 */
    const int32_t *label[2]; /* labels: distances to ancestors [0], and from ancestors [1] */
    uint64_t cells;          /* number of cells of each of the two arrays */
};

/* An index on the current device. */
struct gpu_labels {
    bool is_ready; /* the device has enough memory; otherwise nothing is allocated */
    int32_t n, lanes;
    void *memory;
    const int32_t *label[2];
    const uint64_t *first;
    const int32_t *length, *vertex;
    /* Number of ancestors that each place has in common with all places before it in its tile, with
     * all places after it in its tile, and with the place before it. */
    const int32_t *before, *after, *common;
    /* least[level * tiles + q]: least `common` of tiles q .. q + 2^level - 1. */
    const int32_t *least;
    int32_t tiles;
    int32_t *dist; /* distances, n x lanes */
    struct gpu_totals totals;
    int32_t slots;
};

/* Makes the device current for this thread and creates its context, which takes some time at the
 * first call in a process. STATUS_NO_RESOURCE, with the reason, if there is no such device. */
enum status gpu_labels_select(int device, struct error *err);

/* Copies an index to the current device, and allocates memory for some rows. is_ready: there is
 * enough device memory; if not, that is no failure. STATUS_NO_RESOURCE if CUDA fails or there is
 * not enough host memory. The caller frees *labels with gpu_labels_close, also after a failure. */
enum status gpu_labels_open(struct gpu_labels *labels, const struct placed_labels *placed,
                            struct error *err);

/* Finds the rows of the vertices at `count` places from `first` on; `first` is a multiple of
 * PROOF_LANES, count <= labels->lanes. The columns are places. It works in the default stream and
 * may return before it is done. */
enum status gpu_labels_make(const struct gpu_labels *labels, int32_t first, int32_t count,
                            struct gpu_lanes *rows, struct error *err);

/* Frees the device's memory and zeroes *labels; safe on a zeroed struct. */
void gpu_labels_close(struct gpu_labels *labels);

#ifdef __cplusplus
}
#endif

#endif
