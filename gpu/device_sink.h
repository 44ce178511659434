// SPDX-License-Identifier: MIT
/* A sink that keeps rows in the memory of a GPU. Rows of an engine on that GPU are copied on the
 * device; other rows come from the host. */
#ifndef GPU_DEVICE_SINK_H
#define GPU_DEVICE_SINK_H

#include "common/graph/row_block.h" // struct row_sink

/* Matrices in the memory of a GPU, row after row. */
struct device_matrix {
    int device;
    int32_t rows, n;
    enum number_type type;
    void *dist;    /* distances, rows x n */
    int32_t *pred; /* predecessors, rows x n; NULL: not kept */
};

/* Allocates matrices on a GPU. STATUS_NO_RESOURCE if there is no such GPU, or not enough memory.
 * The caller frees with device_matrix_free, also after a failure. */
enum status device_matrix_alloc(struct device_matrix *m, int device, enum number_type type,
                                int32_t rows, int32_t n, bool with_pred, struct error *err);

/* Waits until all rows are in their places. STATUS_NO_RESOURCE if the GPU failed meanwhile. */
enum status device_matrix_wait(const struct device_matrix *m, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void device_matrix_free(struct device_matrix *m);

struct device_sink {
    struct row_sink sink; /* the first member */
    struct device_matrix *to;
};

/* Makes a sink that fills matrices; they must have predecessors if the answer has. */
void device_sink_begin(struct device_sink *sink, struct device_matrix *to);

#endif
