// SPDX-License-Identifier: MIT
/* Takes rows of float64 numbers from the device to where the host wants them. */
#ifndef GPU_GPU_NUMBERS_H
#define GPU_GPU_NUMBERS_H

#include "common/base/error.h" // enum status

#include <stddef.h>
#include <stdint.h>

/* Copies row k of `count`, `width` numbers each, from the device to to[row[k] * width ..]. Threads
 * do so with some rows while others arrive. Kernels that make them are in the default stream.
 * STATUS_NO_RESOURCE if CUDA fails or there is not enough memory. */
enum status gpu_numbers_take(const double *from, size_t width, const int32_t *row, int32_t count,
                             int threads, double *to, struct error *err);

#endif
