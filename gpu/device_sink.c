// SPDX-License-Identifier: MIT
#include "gpu/device_sink.h"

#include "gpu/gpu_solver.h"       // gpu_select
#include "gpu/launch/gpu_error.h" // gpu_check

enum status device_matrix_alloc(struct device_matrix *m, int device, enum number_type type,
                                int32_t rows, int32_t n, bool with_pred, struct error *err) {
    const size_t cells = (size_t)rows * (size_t)n;
    void *memory = NULL;
    *m = (struct device_matrix){.device = device, .rows = rows, .n = n, .type = type};
    RETURN_ON_FAILURE(gpu_select(device, err));
    RETURN_ON_FAILURE(gpu_check(cudaMalloc(&memory, cells * number_size(type)),
                                "reserving memory for distances", err));
    m->dist = memory;
    if (!with_pred)
        return STATUS_OK;
    RETURN_ON_FAILURE(gpu_check(cudaMalloc(&memory, cells * sizeof *m->pred),
                                "reserving memory for predecessors", err));
    m->pred = memory;
    return STATUS_OK;
}

enum status device_matrix_wait(const struct device_matrix *m, struct error *err) {
    RETURN_ON_FAILURE(gpu_select(m->device, err));
    return gpu_check(cudaDeviceSynchronize(), "copying rows", err);
}

void device_matrix_free(struct device_matrix *m) {
    cudaFree(m->dist); /* errors are ignored: earlier failures have been reported */
    cudaFree(m->pred);
    *m = (struct device_matrix){0};
}

/* Returns the address of the row at a position, in a matrix on the device. */
static char *place(void *matrix, const struct device_matrix *m, size_t cell, int32_t position) {
    return (char *)matrix + (size_t)position * (size_t)m->n * cell;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const struct device_matrix *const m = ((const struct device_sink *)self)->to;
    const size_t cell = number_size(m->type), n = (size_t)m->n;
    RETURN_ON_FAILURE(gpu_check(cudaSetDevice(m->device), "selecting the device", err));
    for (int32_t r = 0; r < block->count; r++) {
        const int32_t position = block->position[r];
        RETURN_ON_FAILURE(gpu_check(cudaMemcpy(place(m->dist, m, cell, position), block->cells[r],
                                               n * cell, cudaMemcpyHostToDevice),
                                    "copying distances", err));
        if (m->pred != NULL)
            RETURN_ON_FAILURE(
                gpu_check(cudaMemcpy(place(m->pred, m, sizeof *m->pred, position), block->pred[r],
                                     n * sizeof *m->pred, cudaMemcpyHostToDevice),
                          "copying predecessors", err));
    }
    return STATUS_OK;
}

/* Copies cells of rows to their places in a matrix. */
static enum status copy_rows(const struct device_matrix *m, void *matrix, size_t cell,
                             const struct device_rows *rows, const void *cells, const char *copying,
                             struct error *err) {
    const size_t width = (size_t)m->n * cell;
    return gpu_check(cudaMemcpy2D(place(matrix, m, cell, rows->first), width, cells,
                                  rows->leading * cell, width, (size_t)rows->count,
                                  cudaMemcpyDeviceToDevice),
                     copying, err);
}

static enum status take_device(struct row_sink *self, const struct device_rows *rows,
                               struct error *err) {
    const struct device_matrix *const m = ((const struct device_sink *)self)->to;
    RETURN_ON_FAILURE(
        copy_rows(m, m->dist, number_size(m->type), rows, rows->dist, "copying distances", err));
    return m->pred == NULL ? STATUS_OK
                           : copy_rows(m, m->pred, sizeof *m->pred, rows, rows->pred,
                                       "copying predecessors", err);
}

void device_sink_begin(struct device_sink *sink, struct device_matrix *to) {
    *sink = (struct device_sink){
        .sink = {.take = take, .take_device = take_device, .device = to->device}, .to = to};
}
