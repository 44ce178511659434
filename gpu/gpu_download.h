// SPDX-License-Identifier: MIT
/* Hands finished rows from the device to a delivery. */
#ifndef GPU_GPU_DOWNLOAD_H
#define GPU_GPU_DOWNLOAD_H

#include "solve/delivery.h" // struct delivery

#include <cuda_runtime_api.h>
#include <pthread.h>

/* Rows on the device, for positions first .. first + count - 1 of an answer. */
struct gpu_rows {
    /* distances, of the graph's type; the leading dimension is the download's */
    const void *dist;
    const int32_t *pred; /* NULL: distances only */
    int32_t first, count;
    bool by_vertex; /* row v belongs to vertex v; otherwise row r to position first + r */
    bool proved;    /* as in struct row_block */
};

/* Two buffers: while the device copies rows into one, threads hand the rows in the other to the
 * delivery. The sink reads rows in the buffer, without another copy. */
struct gpu_download {
    struct delivery *delivery;
    size_t ld;
    int threads;
    int32_t rows_per_chunk, rows_per_block;
    bool pinned;
    size_t bytes; /* size of both buffers together, in bytes */
    char *buffer[2];
    cudaStream_t stream; /* a stream of its own, so that kernels can run at the same time */
    cudaEvent_t full[2];
    /* NULL, or a lock that is held while rows are handed on, so that among downloads in several
     * threads only one does so at a time */
    pthread_mutex_t *turn;
};

/* Prepares to hand on at most `rows` rows at a time, with predecessors if the delivery wants them.
 * The caller begins the delivery, with at least `threads` threads. Buffers have about `chunk_bytes`
 * bytes. Ordinary memory serves instead of pinned memory if all rows fit into one buffer or if
 * there is no pinned memory. The caller frees with gpu_download_close, also after a failure. */
enum status gpu_download_open(struct gpu_download *d, struct delivery *delivery, size_t ld,
                              int32_t rows, size_t chunk_bytes, int threads, struct error *err);

/* Hands rows on, which must be finished: it does not wait for kernels. Returns early if the
 * remaining rows are not wanted; delivery_end tells why. STATUS_NO_RESOURCE if CUDA fails. */
enum status gpu_download_take(struct gpu_download *d, const struct gpu_rows *rows,
                              struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void gpu_download_close(struct gpu_download *d);

#endif
