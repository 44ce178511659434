// SPDX-License-Identifier: MIT
#include "common/rows/npy_type.h"

#include "common/base/threads.h" // threads_worth
#include "common/graph/graph.h"  // INF
#include "common/rows/narrow_kernels.h"

const struct npy_type_facts npy_types[NPY_TYPES] = {
    [NPY_INT32] = {"int32", "<i4", sizeof(int32_t), INF},
    [NPY_UINT8] = {"uint8", "|u1", sizeof(uint8_t), UINT8_MAX},
    [NPY_UINT16] = {"uint16", "<u2", sizeof(uint16_t), UINT16_MAX},
    [NPY_INT64] = {"int64", "<i8", sizeof(int64_t), INF},
    [NPY_FLOAT64] = {"float64", "<f8", sizeof(double), INF},
};

enum npy_type npy_type_for(int64_t least, int64_t largest) {
    return least < 0 || largest >= npy_types[NPY_UINT16].no_path ? NPY_INT32
           : largest >= npy_types[NPY_UINT8].no_path             ? NPY_UINT16
                                                                 : NPY_UINT8;
}

enum npy_type npy_type_for_matrix(const struct matrix *dist, enum isa isa, int threads) {
    const struct narrow_kernels *const kernels = narrow_kernels(isa);
    int32_t least = 0, largest = 0;
    threads = threads_worth(threads, (double)dist->rows * dist->n);
#pragma omp parallel for num_threads(threads) reduction(min : least) reduction(max : largest)
    for (int32_t i = 0; i < dist->rows; i++)
        kernels->extend(matrix_row(dist, i), (size_t)dist->n, &least, &largest);
    return npy_type_for(least, largest);
}

/* The first distance that does not fit. */
static int32_t find_misfit(int32_t no_path, const int32_t *dist, int32_t count) {
    int32_t j = 0;
    while (j < count && (dist[j] == INF || (dist[j] >= 0 && dist[j] < no_path)))
        j++;
    return j;
}

int32_t npy_type_narrow(enum npy_type type, enum isa isa, const int32_t *dist, int32_t count,
                        void *to) {
    const struct narrow_kernels *const kernels = narrow_kernels(isa);
    const bool fits = type == NPY_UINT8 ? kernels->to_uint8(dist, (size_t)count, to)
                                        : kernels->to_uint16(dist, (size_t)count, to);
    return fits ? count : find_misfit(npy_types[type].no_path, dist, count);
}

void npy_type_widen(enum npy_type type, const void *from, int32_t count, int32_t *dist) {
    const uint8_t *const bytes = from;
    const uint16_t *const halves = from;
    const int32_t no_path = npy_types[type].no_path;
    for (int32_t j = 0; j < count; j++) {
        const int32_t d = type == NPY_UINT8 ? bytes[j] : halves[j];
        dist[j] = d == no_path ? INF : d;
    }
}
