// SPDX-License-Identifier: MIT
#include "common/gpu/gpu_download.h"

#include "common/base/memory.h"   // memory_reserve
#include "common/gpu/gpu_error.h" // gpu_check

#include <string.h>

/* The copy of all rows of all matrices, in chunks. A chunk does not span matrices. */
struct download {
    const struct gpu_matrices *from;
    const int32_t *device[2];
    const struct matrix *host[2];
    int64_t rows_per_chunk, chunks_per_matrix;
    int32_t *buffer[2]; /* pinned; chunk c uses buffer c % 2 */
    cudaEvent_t full[2];
    int threads;
};

/* The first row of a chunk, and its number of rows. */
static int64_t first_row(const struct download *d, int64_t chunk) {
    return chunk % d->chunks_per_matrix * d->rows_per_chunk;
}

static int64_t rows_of(const struct download *d, int64_t chunk) {
    const int64_t left = d->from->n - first_row(d, chunk);
    return left < d->rows_per_chunk ? left : d->rows_per_chunk;
}

/* Starts to copy whole rows with their padding: one contiguous copy is the fastest. */
static enum status start(const struct download *d, int64_t chunk, struct error *err) {
    const struct gpu_matrices *m = d->from;
    const int32_t *rows =
        d->device[chunk / d->chunks_per_matrix] + (size_t)first_row(d, chunk) * m->ld;
    RETURN_ON_FAILURE(gpu_check(cudaMemcpyAsync(d->buffer[chunk % 2], rows,
                                                (size_t)rows_of(d, chunk) * m->ld * sizeof(int32_t),
                                                cudaMemcpyDeviceToHost, 0),
                                "copying matrices", err));
    return gpu_check(cudaEventRecord(d->full[chunk % 2], 0), "recording an event", err);
}

static void empty(const struct download *d, int64_t chunk) {
    const struct matrix *host = d->host[chunk / d->chunks_per_matrix];
    const int32_t *buffer = d->buffer[chunk % 2];
    const int64_t first = first_row(d, chunk), rows = rows_of(d, chunk);
    const size_t ld = d->from->ld, width = (size_t)host->n * sizeof(int32_t);
#pragma omp parallel for num_threads(d->threads)
    for (int64_t row = 0; row < rows; row++)
        memcpy(matrix_row(host, (int32_t)(first + row)), buffer + (size_t)row * ld, width);
}

static enum status copy_in_chunks(struct download *d, int64_t chunks, struct error *err) {
    enum status status = STATUS_OK;
    for (int k = 0; k < 2; k++)
        TRY(gpu_check(cudaEventCreateWithFlags(&d->full[k], cudaEventDisableTiming),
                      "creating an event", err));
    TRY(start(d, 0, err));
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        if (chunk + 1 < chunks)
            TRY(start(d, chunk + 1, err));
        TRY(gpu_check(cudaEventSynchronize(d->full[chunk % 2]), "copying matrices", err));
        empty(d, chunk);
    }
cleanup:
    if (status != STATUS_OK)
        cudaDeviceSynchronize(); /* a copy may be under way */
    for (int k = 0; k < 2; k++) {
        if (d->full[k] != NULL)
            cudaEventDestroy(d->full[k]);
    }
    return status;
}

static enum status copy_at_once(const struct download *d, int matrices, struct error *err) {
    for (int k = 0; k < matrices; k++) {
        const struct matrix *host = d->host[k];
        RETURN_ON_FAILURE(
            gpu_check(cudaMemcpy2D(host->cell, host->ld * sizeof(int32_t), d->device[k],
                                   d->from->ld * sizeof(int32_t), (size_t)host->n * sizeof(int32_t),
                                   (size_t)host->n, cudaMemcpyDeviceToHost),
                      "copying matrices", err));
    }
    return STATUS_OK;
}

enum status gpu_download(const struct gpu_matrices *m, const struct matrix *dist,
                         const struct matrix *pred, size_t chunk_bytes, int threads,
                         struct error *err) {
    const size_t row_bytes = m->ld * sizeof(int32_t);
    const int matrices = pred != NULL ? 2 : 1;
    struct download d = {
        .from = m, .device = {m->dist, m->pred}, .host = {dist, pred}, .threads = threads};
    d.rows_per_chunk = chunk_bytes > row_bytes ? (int64_t)(chunk_bytes / row_bytes) : 1;
    d.chunks_per_matrix = (m->n + d.rows_per_chunk - 1) / d.rows_per_chunk;
    const size_t buffer_bytes = (size_t)d.rows_per_chunk * row_bytes;
    void *pinned = NULL;
    struct error ignored;
    const bool worth = (size_t)m->n * row_bytes * (size_t)matrices > buffer_bytes;
    const bool reserved =
        worth && memory_reserve(2 * buffer_bytes, "a buffer", &ignored) == STATUS_OK;
    if (reserved && cudaMallocHost(&pinned, 2 * buffer_bytes) != cudaSuccess) {
        pinned = NULL;
        (void)cudaGetLastError(); /* having none is no failure */
    }
    if (reserved && pinned == NULL)
        memory_release(2 * buffer_bytes);
    if (pinned == NULL)
        return copy_at_once(&d, matrices, err);
    d.buffer[0] = pinned;
    d.buffer[1] = d.buffer[0] + buffer_bytes / sizeof(int32_t);
    enum status status = copy_in_chunks(&d, d.chunks_per_matrix * matrices, err);
    cudaFreeHost(pinned);
    memory_release(2 * buffer_bytes);
    return status;
}
