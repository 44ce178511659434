// SPDX-License-Identifier: MIT
#include "gpu/gpu_download.h"

#include "common/base/memory.h"   // memory_alloc, memory_reserve
#include "gpu/launch/gpu_error.h" // gpu_check

/* The rows of a chunk, at positions first .. first + count - 1. */
struct row_chunk {
    int32_t first, count;
    int buffer;
};

static struct row_chunk chunk_at(const struct gpu_download *d, const struct gpu_rows *rows,
                                 int32_t number) {
    const int32_t done = number * d->rows_per_chunk, left = rows->count - done;
    return (struct row_chunk){rows->first + done,
                              left < d->rows_per_chunk ? left : d->rows_per_chunk, number % 2};
}

/* Returns how many bytes a row of distances (matrix 0) or predecessors (matrix 1) has. */
static size_t row_bytes(const struct gpu_download *d, int matrix) {
    return d->ld * (matrix == 0 ? number_size(d->delivery->graph->type) : sizeof(int32_t));
}

/* Returns how many bytes a row has in all matrices that are wanted. */
static size_t rows_bytes(const struct gpu_download *d) {
    return row_bytes(d, 0) + (d->delivery->with_pred ? row_bytes(d, 1) : 0);
}

/* Returns the address of a chunk's row in its buffer, which holds distances first and predecessors
 * behind them. */
static void *row_in(const struct gpu_download *d, const struct row_chunk *chunk, int matrix,
                    int32_t row) {
    return d->buffer[chunk->buffer] +
           (matrix == 0 ? 0 : (size_t)d->rows_per_chunk * row_bytes(d, 0)) +
           (size_t)row * row_bytes(d, matrix);
}

/* Returns the number of the row on the device that belongs to a position. */
static int32_t row_of(const struct gpu_download *d, const struct gpu_rows *rows, int32_t position) {
    return rows->by_vertex ? row_source(&d->delivery->sources, position) : position - rows->first;
}

/* Starts copies of whole rows with their padding; consecutive rows are copied at once. */
static enum status start(const struct gpu_download *d, const struct gpu_rows *rows,
                         const struct row_chunk *chunk, struct error *err) {
    const char *const from[] = {rows->dist, (const char *)rows->pred};
    for (int32_t r = 0, next; r < chunk->count; r = next) {
        const int32_t row = row_of(d, rows, chunk->first + r);
        next = r + 1;
        while (next < chunk->count && row_of(d, rows, chunk->first + next) == row + next - r)
            next++;
        for (int k = 0; k < 2 && from[k] != NULL; k++)
            RETURN_ON_FAILURE(gpu_check(cudaMemcpyAsync(row_in(d, chunk, k, r),
                                                        from[k] + (size_t)row * row_bytes(d, k),
                                                        (size_t)(next - r) * row_bytes(d, k),
                                                        cudaMemcpyDeviceToHost, d->stream),
                                        "copying rows", err));
    }
    return gpu_check(cudaEventRecord(d->full[chunk->buffer], d->stream), "recording an event", err);
}

/* Hands a chunk that has arrived to the delivery. */
static void empty(const struct gpu_download *d, const struct gpu_rows *rows,
                  const struct row_chunk *chunk) {
    struct delivery *const delivery = d->delivery;
    if (d->turn != NULL)
        pthread_mutex_lock(d->turn);
#pragma omp parallel for num_threads(d->threads) schedule(dynamic)
    for (int32_t first = 0; first < chunk->count; first += d->rows_per_block) {
        int32_t *pred_rows[ROW_BLOCK_MAX];
        struct row_block block = {.n = delivery->graph->n,
                                  .type = delivery->graph->type,
                                  .pred = rows->pred != NULL ? pred_rows : NULL,
                                  .proved = rows->proved};
        for (int32_t r = first; r < chunk->count && block.count < d->rows_per_block; r++) {
            const int32_t k = block.count++;
            block.position[k] = chunk->first + r;
            block.source[k] = row_source(&delivery->sources, chunk->first + r);
            block.cells[k] = row_in(d, chunk, 0, r);
            pred_rows[k] = row_in(d, chunk, 1, r);
        }
        delivery_take(delivery, &block);
    }
    if (d->turn != NULL)
        pthread_mutex_unlock(d->turn);
}

enum status gpu_download_take(struct gpu_download *d, const struct gpu_rows *rows,
                              struct error *err) {
    const int32_t chunks = (rows->count - 1) / d->rows_per_chunk + 1;
    struct row_chunk chunk = chunk_at(d, rows, 0);
    enum status status = STATUS_OK;
    TRY(start(d, rows, &chunk, err));
    for (int32_t number = 0; number < chunks; number++) {
        const struct row_chunk next = chunk_at(d, rows, number + 1);
        if (number + 1 < chunks)
            TRY(start(d, rows, &next, err));
        TRY(gpu_check(cudaEventSynchronize(d->full[chunk.buffer]), "copying rows", err));
        empty(d, rows, &chunk);
        if (number + 1 < chunks && !delivery_wants(d->delivery, next.first)) {
            TRY(gpu_check(cudaEventSynchronize(d->full[next.buffer]), "copying rows", err));
            break;
        }
        chunk = next;
    }
cleanup:
    if (status != STATUS_OK)
        cudaDeviceSynchronize(); /* a copy may still run */
    return status;
}

/* Chooses the number of rows of a chunk and of a block. */
static void choose_sizes(struct gpu_download *d, int32_t rows, size_t chunk_bytes) {
    const size_t fit = chunk_bytes > rows_bytes(d) ? chunk_bytes / rows_bytes(d) : 1;
    d->rows_per_chunk = fit < (size_t)rows ? (int32_t)fit : rows;
    const int32_t each = (d->rows_per_chunk - 1) / d->threads + 1;
    d->rows_per_block = each < ROW_BLOCK_MAX ? each : ROW_BLOCK_MAX;
}

/* Allocates buffers, in pinned memory if several chunks are to be copied and handed on at the same
 * time: copies to pinned memory are several times as fast. */
static enum status alloc_buffers(struct gpu_download *d, int32_t rows, struct error *err) {
    const bool several = rows > d->rows_per_chunk;
    const size_t chunk_bytes = (size_t)d->rows_per_chunk * rows_bytes(d);
    void *memory = NULL;
    struct error ignored;
    d->bytes = (several ? 2 : 1) * chunk_bytes;
    d->pinned = several && memory_reserve(d->bytes, "a buffer", &ignored) == STATUS_OK;
    if (d->pinned && cudaMallocHost(&memory, d->bytes) != cudaSuccess) {
        (void)cudaGetLastError(); /* a lack of pinned memory is no failure */
        memory_release(d->bytes);
        d->pinned = false;
    }
    if (!d->pinned)
        RETURN_ON_FAILURE(memory_alloc(&memory, d->bytes, 1, "a buffer", err));
    d->buffer[0] = memory;
    d->buffer[1] = d->buffer[0] + (several ? chunk_bytes : 0);
    return STATUS_OK;
}

enum status gpu_download_open(struct gpu_download *d, struct delivery *delivery, size_t ld,
                              int32_t rows, size_t chunk_bytes, int threads, struct error *err) {
    *d = (struct gpu_download){.delivery = delivery, .ld = ld, .threads = threads};
    choose_sizes(d, rows, chunk_bytes);
    RETURN_ON_FAILURE(alloc_buffers(d, rows, err));
    RETURN_ON_FAILURE(gpu_check(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking),
                                "creating a stream", err));
    for (int k = 0; k < 2; k++)
        RETURN_ON_FAILURE(gpu_check(cudaEventCreateWithFlags(&d->full[k], cudaEventDisableTiming),
                                    "creating an event", err));
    return STATUS_OK;
}

void gpu_download_close(struct gpu_download *d) {
    /* Errors are ignored: earlier failures have been reported, and failures here do not matter. */
    for (int k = 0; k < 2; k++) {
        if (d->full[k] != NULL)
            cudaEventDestroy(d->full[k]);
    }
    if (d->stream != NULL)
        cudaStreamDestroy(d->stream);
    if (d->pinned) {
        cudaFreeHost(d->buffer[0]);
        memory_release(d->bytes);
    } else {
        memory_free(d->buffer[0]);
    }
    *d = (struct gpu_download){0};
}
