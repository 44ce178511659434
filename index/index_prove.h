// SPDX-License-Identifier: MIT
/* The proof of a distance index (index.h). */
#ifndef INDEX_INDEX_PROVE_H
#define INDEX_INDEX_PROVE_H

#include "common/base/progress.h" // struct progress
#include "index/index.h"          // struct distance_index

/* A function that finds all rows on a GPU and proves them there. *proved: false if some row is
 * wrong; the host then finds out which. STATUS_NO_RESOURCE, with the reason, if the GPU cannot do
 * it. */
typedef enum status index_device_proof(const struct distance_index *x, const struct graph *g,
                                       int device, struct progress *progress, bool *proved,
                                       struct error *err);

struct index_proving {
    int32_t rows;                  /* number of rows to prove, 1 .. n */
    double grid_error;             /* most by which rounding weights of g may have changed a
                                      distance; 0: none was rounded */
    int threads;                   /* number of threads; 0: one for each core */
    index_device_proof *on_device; /* proof on a GPU; NULL: the host proves */
    int device;
    bool was_on_device;  /* set by index_prove: the device has proved the rows */
    struct error reason; /* set by index_prove: reason why the device could not */
};

/* Proves that an index answers every query about g rightly, by everything that index_check checks
 * and by proving rows. Rows are found from the labels as in queries and proved by the certificate:
 * all n, or some, evenly spread over the index's order. If a device cannot prove all n, the host
 * does. STATUS_REFUTED with the first mistake, STATUS_BAD_INPUT if the file is damaged. */
enum status index_prove(const struct distance_index *x, const struct graph *g,
                        struct index_proving *how, struct progress *progress, struct error *err);

#endif
