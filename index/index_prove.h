// SPDX-License-Identifier: MIT
/* Proves a distance index (index.h). */
#ifndef INDEX_INDEX_PROVE_H
#define INDEX_INDEX_PROVE_H

#include "common/base/progress.h" // struct progress
#include "index/index.h"          // struct distance_index

/* Makes all rows on a GPU and proves them there. *proved is false if some row is wrong: only the
 * host says which. STATUS_NO_RESOURCE, with the reason, if the GPU cannot do it. */
typedef enum status index_device_proof(const struct distance_index *x, const struct graph *g,
                                       int device, struct progress *progress, bool *proved,
                                       struct error *err);

struct index_proving {
    int32_t rows;                  /* 1 .. n */
    double grid_error;             /* the most that a distance may have changed when weights of g
                                      were rounded; 0 if they were not */
    int threads;                   /* 0: one per core */
    index_device_proof *on_device; /* NULL: the host proves */
    int device;
    bool was_on_device;  /* set: the device has proved the rows */
    struct error reason; /* set: why it has not, if it could not */
};

/* Proves that an index answers every query about g rightly: all that index_check checks; and rows
 * made of the labels as queries have them, by the certificate: all n, or some of them, evenly
 * spread over the index's order. If a device cannot prove all n, the host does. STATUS_REFUTED with
 * the first mistake, STATUS_BAD_INPUT if the file is damaged. */
enum status index_prove(const struct distance_index *x, const struct graph *g,
                        struct index_proving *how, struct progress *progress, struct error *err);

#endif
