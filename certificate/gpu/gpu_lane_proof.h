// SPDX-License-Identifier: MIT
/* Proves rows on the device that lie side by side, and sums up the totals of what it has proved:
 * the conditions (a) to (c) of certificate/certificate.h for distances, for graphs whose
 * weights are in 1 .. INF.
 *
 * With weights above 0, and if no finite distance and weight add up to INF, the three conditions
 * say that the source is at distance 0 from itself, and that each other vertex is at the least of
 * INF and of all sums of an edge into it and the distance of the edge's tail. Such a block reads
 * each distance once as a vertex's own and once for each edge out of it.
 *
 * Compiled for both types of lengths (common/base/length.h): float64 graphs are on a grid, and all
 * sums of a distance and a weight are below 2^53 spacings, where there is no rounding.
 *
 * It shares with the solvers the loader, the calls of CUDA and the summing up (totals.cuh), and
 * nothing else. The columns may come in any order, which the caller tells: neighbours in the graph
 * should be near each other, so that they are in a cache at the same time. */
#ifndef CERTIFICATE_GPU_GPU_LANE_PROOF_H
#define CERTIFICATE_GPU_GPU_LANE_PROOF_H

#include "common/base/error.h"   // enum status, struct error
#include "common/base/length.h"  // path_length
#include "measures/gpu_totals.h" // struct gpu_totals

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define gpu_lane_proof_open  BY_LENGTH(gpu_lane_proof_open)
#define gpu_lane_proof_begin BY_LENGTH(gpu_lane_proof_begin)
#define gpu_lane_proof_take  BY_LENGTH(gpu_lane_proof_take)
#define gpu_lane_proof_end   BY_LENGTH(gpu_lane_proof_end)
#define gpu_lane_proof_close BY_LENGTH(gpu_lane_proof_close)

struct graph; /* common/graph/graph.h */

/* Lanes come in multiples of this. */
enum { PROOF_LANES = 128 };

/* The column of an edge's tail, and its weight as a length. A kernel reads both at once. */
struct lane_edge {
    path_length weight;
    int32_t tail;
} __attribute__((aligned(2 * sizeof(path_length))));

struct gpu_lane_proof {
    bool is_ready; /* it can prove rows of this graph */
    int32_t n;
    path_length largest;    /* a larger finite distance is not proved */
    void *memory;           /* the device memory that has all arrays */
    size_t bytes;           /* size of memory in bytes */
    int64_t *first;         /* edges into the vertex of column c: first[c] .. first[c + 1] - 1 */
    struct lane_edge *edge; /* those edges */
    int32_t *column;        /* column of each vertex */
    int32_t *flag;          /* one number; not 0: a distance is wrong */
};

/* Prepares to prove rows of g's answer, on the current device, whose columns are those of
 * vertex[0 .. n - 1]. If it cannot, because of the weights, because vertex[] is not each vertex
 * once, or for lack of memory on the device, is_ready is false, which is no failure.
 * STATUS_NO_RESOURCE if CUDA fails or there is not enough memory. The caller frees with
 * gpu_lane_proof_close, also after a failure. */
enum status gpu_lane_proof_open(struct gpu_lane_proof *proof, const struct graph *g,
                                const int32_t *vertex, struct error *err);

/* Rows in device memory. */
struct gpu_lanes {
    const path_length *dist;  /* n x lanes, by columns: LENGTH_INF if there is no path */
    const int32_t *source;    /* lanes: the vertex of each */
    int32_t count, lanes;     /* rows; with those that only fill up, which repeat others */
    bool all_finite;          /* the totals are as in totals.cuh */
    struct gpu_totals totals; /* lane 0 is the first of these rows */
    int32_t slots; /* how many blocks may count at the same time; >= lanes / PROOF_LANES */
};

/* Forgets what was wrong before. */
enum status gpu_lane_proof_begin(const struct gpu_lane_proof *proof, struct error *err);

/* Checks rows and adds to their totals. It works in the default stream, and may return before it is
 * done. */
enum status gpu_lane_proof_take(const struct gpu_lane_proof *proof, const struct gpu_lanes *rows,
                                struct error *err);

/* Stores whether all rows since begin are proved; the totals count for nothing if not. It waits for
 * all that the default stream was asked for. */
enum status gpu_lane_proof_end(const struct gpu_lane_proof *proof, bool *proved, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void gpu_lane_proof_close(struct gpu_lane_proof *proof);

#ifdef __cplusplus
}
#endif

#endif
