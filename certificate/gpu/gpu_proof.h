// SPDX-License-Identifier: MIT
/* Proves blocks of rows on the device that holds them: the conditions (a) to (c) of
 * certificate/certificate.h, for sums of weights that are int32 numbers in 0 .. INF, or are so when
 * potentials have reweighted them, and for those of float64 weights >= 0 on a grid (solve/grid.h),
 * as long as no sum of two lengths is rounded; and for products of weights (max-product). It shares
 * with the solvers the loader and the calls of CUDA and nothing else: it uploads the graph by
 * itself, and only reads the rows. It says whether a block is proved; certificate_prove() says what
 * is wrong.
 */
#ifndef CERTIFICATE_GPU_GPU_PROOF_H
#define CERTIFICATE_GPU_GPU_PROOF_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/number.h" // enum number_type

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct graph; /* common/graph/graph.h */

struct gpu_proof {
    bool is_ready; /* it can prove rows of this graph */
    bool with_pred;
    bool is_product;       /* lengths are products of weights (max-product), otherwise sums */
    bool has_zero;         /* some edge may leave a length as it is */
    enum number_type type; /* type of weights and distances; float32 only of products */
    double largest;        /* largest distance that is proved: its sum with any weight is exact */
    int32_t n, strips;     /* number of vertices; number of strips of 128 rows held at a time */
    void *memory;          /* the device memory that has all arrays */
    int64_t *first;        /* edges into v: first[v] .. first[v + 1] - 1 */
    int32_t *tail;
    void *weight;
    void *dist; /* [strip][vertex][row] */
    int32_t *pred;
    int32_t *flag; /* not 0: a row is wrong, or could not be proved */
};

/* Prepares to prove rows of g's answer, on the current device. If it cannot, because of the weights
 * or for lack of memory, is_ready is false, which is no failure. STATUS_NO_RESOURCE if CUDA fails.
 * The caller frees with gpu_proof_close, also after a failure.
 *
 * potential: NULL; or n numbers h, and the rows are those of g with weights w(u, v) + h(u) - h(v),
 * which the proof computes itself. Every path from s to v is longer by h(s) - h(v) then: so the row
 * of s is proved for g, if h(v) - h(s) is added to its distances (Johnson 1977). */
enum status gpu_proof_open(struct gpu_proof *proof, const struct graph *g, const int64_t *potential,
                           bool with_pred, struct error *err);

/* Rows in device memory, with leading dimension ld. */
struct gpu_proof_rows {
    const void *dist;      /* of the proof's type */
    const int32_t *pred;   /* NULL: distances only */
    const int32_t *source; /* the vertex of each row; NULL: row v is that of v */
    size_t ld;
    int32_t count;
};

/* Stores whether all rows are proved: false if one is wrong, or if it cannot tell. It waits for all
 * that the default stream was asked for. */
enum status gpu_proof_check(const struct gpu_proof *proof, const struct gpu_proof_rows *rows,
                            bool *proved, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void gpu_proof_close(struct gpu_proof *proof);

#ifdef __cplusplus
}
#endif

#endif
