// SPDX-License-Identifier: MIT
/* Rows of a distance index on a GPU: the distance from one vertex to another is the least sum of
 * two labels' cells over the ancestors that they have in common, or INF if that is less. */
#ifndef INDEX_GPU_LABELS_H
#define INDEX_GPU_LABELS_H

#include "certificate/gpu/gpu_lane_proof.h" // struct gpu_lanes
#include "common/base/error.h"              // enum status, struct error

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An index in the memory of the host. The vertices have places 0 .. n - 1, a preorder of the
 * elimination tree. */
struct placed_labels {
    int32_t n;
    const int32_t *vertex;   /* at each place */
    const uint64_t *first;   /* of each place: its label's first cell, */
    const int32_t *length;   /* and how many there are */
    const int32_t *common;   /* how many of them are of the same ancestors as those of the place
                                before; 0 at place 0 */
    const int32_t *label[2]; /* cells of distances to ancestors, and from them */
    uint64_t cells;          /* of each */
};

/* The same on the current device. */
struct gpu_labels {
    bool is_ready; /* the device's memory is enough */
    int32_t n, lanes;
    void *memory;
    const int32_t *label[2];
    const uint64_t *first;
    const int32_t *length, *vertex;
    /* How many ancestors a place has in common with all of its tile before it and after it, and
     * with the place before. */
    const int32_t *before, *after, *common;
    /* least[level * tiles + q]: the least `common` of tiles q .. q + 2^level - 1 */
    const int32_t *least;
    int32_t tiles;
    int32_t *dist; /* n x lanes */
    struct gpu_totals totals;
    int32_t slots;
};

/* Makes the device current for this thread and creates its context, which takes a while once in a
 * process. STATUS_NO_RESOURCE, with the reason, if there is no such device. */
enum status gpu_labels_select(int device, struct error *err);

/* Copies an index to the current device and takes memory for some rows; is_ready is false if there
 * is not enough, which is no failure. STATUS_NO_RESOURCE if CUDA fails or the host's memory is
 * short. The caller frees with gpu_labels_close, also after a failure. */
enum status gpu_labels_open(struct gpu_labels *labels, const struct placed_labels *placed,
                            struct error *err);

/* Makes the rows of the vertices at `count` places from `first` on, a multiple of PROOF_LANES; at
 * most labels->lanes. The columns are places. It works in the default stream, and may return before
 * it is done. */
enum status gpu_labels_make(const struct gpu_labels *labels, int32_t first, int32_t count,
                            struct gpu_lanes *rows, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void gpu_labels_close(struct gpu_labels *labels);

#ifdef __cplusplus
}
#endif

#endif
