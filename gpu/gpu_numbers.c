// SPDX-License-Identifier: MIT
#include "gpu/gpu_numbers.h"

#ifndef APSP_NO_CUDA

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "gpu/launch/gpu_error.h"    // gpu_check

#include <stdbool.h>
#include <string.h>

/* Two buffers: while the device copies rows into one, threads take rows from the other. */
struct number_buffers {
    int32_t rows; /* number of rows of each buffer */
    bool pinned;
    double *buffer[2];
    cudaEvent_t full[2];
};

/* Allocates buffers, in pinned memory if there is any: copies to pinned memory are several times as
 * fast. */
static enum status open(struct number_buffers *b, size_t bytes, struct error *err) {
    void *memory = NULL;
    b->pinned = cudaMallocHost(&memory, 2 * bytes) == cudaSuccess;
    if (!b->pinned) {
        (void)cudaGetLastError(); /* a lack of pinned memory is no failure */
        RETURN_ON_FAILURE(memory_alloc(&memory, 2, bytes, "a buffer", err));
    }
    b->buffer[0] = memory;
    b->buffer[1] = b->buffer[0] + bytes / sizeof(double);
    for (int k = 0; k < 2; k++)
        RETURN_ON_FAILURE(gpu_check(cudaEventCreateWithFlags(&b->full[k], cudaEventDisableTiming),
                                    "creating an event", err));
    return STATUS_OK;
}

static void end(struct number_buffers *b) {
    for (int k = 0; k < 2; k++) {
        if (b->full[k] != NULL)
            cudaEventDestroy(b->full[k]);
    }
    if (b->pinned)
        cudaFreeHost(b->buffer[0]);
    else
        memory_free(b->buffer[0]);
}

enum status gpu_numbers_take(const double *from, size_t width, const int32_t *row, int32_t count,
                             int threads, double *to, struct error *err) {
    const size_t bytes = width * sizeof(double);
    const int32_t most = (int32_t)(block_sizes.gpu_chunk_bytes / bytes) + 1;
    struct number_buffers b = {.rows = most < count ? most : count};
    enum status status;
    TRY(open(&b, (size_t)b.rows * bytes, err));
    for (int32_t first = -b.rows, side = 0; first < count; first += b.rows, side = 1 - side) {
        const int32_t next = first + b.rows, some = count - next < b.rows ? count - next : b.rows;
        if (next < count) {
            TRY(gpu_check(cudaMemcpyAsync(b.buffer[side], from + (size_t)next * width,
                                          (size_t)some * bytes, cudaMemcpyDeviceToHost, 0),
                          "copying sums", err));
            TRY(gpu_check(cudaEventRecord(b.full[side], 0), "recording an event", err));
        }
        if (first < 0)
            continue;
        TRY(gpu_check(cudaEventSynchronize(b.full[1 - side]), "copying sums", err));
        const int32_t here = next < count ? b.rows : count - first;
#pragma omp parallel for num_threads(threads)
        for (int32_t k = 0; k < here; k++)
            memcpy(to + (size_t)row[first + k] * width, b.buffer[1 - side] + (size_t)k * width,
                   bytes);
    }

cleanup:
    if (status != STATUS_OK)
        cudaDeviceSynchronize(); /* a copy may still run */
    end(&b);
    return status;
}

#endif
