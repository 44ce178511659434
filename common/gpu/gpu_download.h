// SPDX-License-Identifier: MIT
/* Copies results from the device to the host's matrices. */
#ifndef COMMON_GPU_GPU_DOWNLOAD_H
#define COMMON_GPU_GPU_DOWNLOAD_H

#include "common/gpu/gpu_solver.h" // struct gpu_matrices
#include "common/graph/matrix.h"   // struct matrix

/* The bytes of pinned memory that a copy is cut into: enough to hide the cost of starting one, few
 * enough to be allocated in a few milliseconds. */
enum { GPU_CHUNK_BYTES = 8 << 20 };

/* Copies the results of m to dist and, unless NULL, pred (n x n, any leading dimension) after all
 * earlier work in the default stream. The device copies rows into one of two pinned buffers of
 * about `chunk_bytes` while `threads` threads empty the other: memory that is not pinned, and is
 * touched for the first time, takes data several times more slowly. Results that fit into one
 * buffer are copied without buffers, and so are all results if there is no pinned memory.
 * STATUS_NO_RESOURCE if CUDA fails. */
enum status gpu_download(const struct gpu_matrices *m, const struct matrix *dist,
                         const struct matrix *pred, size_t chunk_bytes, int threads,
                         struct error *err);

#endif
