// SPDX-License-Identifier: MIT
/* Copies rows of float64 numbers from the device to given places on the host. */
#ifndef GPU_GPU_NUMBERS_H
#define GPU_GPU_NUMBERS_H

#include "common/base/error.h" // enum status

#include <stddef.h>
#include <stdint.h>

/* Copies row k of `count`, `width` numbers each, from the device to to[row[k] * width ..]. Threads
 * copy some rows from a buffer while others arrive. Kernels that compute the numbers must be in the
 * default stream. STATUS_NO_RESOURCE if CUDA fails or there is not enough memory. */
enum status gpu_numbers_take(const double *from, size_t width, const int32_t *row, int32_t count,
                             int threads, double *to, struct error *err);

#endif
