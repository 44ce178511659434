// SPDX-License-Identifier: MIT
#include "gpu/device_stack.h"

#ifndef APSP_NO_CUDA

#include "gpu/launch/gpu_error.h" // gpu_check

#include <string.h>

enum { ALIGNMENT = 256 }; /* bytes */

static size_t aligned(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

enum status device_stack_alloc(struct device_stack *s, size_t size, const char *what,
                               struct error *err) {
    void *memory;
    *s = (struct device_stack){.what = what};
    size = size / ALIGNMENT * ALIGNMENT;
    RETURN_ON_FAILURE(gpu_check(cudaMalloc(&memory, size), "allocating rows", err));
    s->memory = memory;
    s->size = s->high = size;
    return STATUS_OK;
}

enum status device_stack_take(struct device_stack *s, bool from_high, size_t count, size_t size,
                              void *memory, struct error *err) {
    const size_t bytes = aligned(count * size);
    char *at;
    if (bytes > s->high - s->low)
        return fail(err, STATUS_NO_RESOURCE, "out of memory on the GPU: %s", s->what);
    if (from_high) {
        s->high -= bytes;
        at = s->memory + s->high;
    } else {
        at = s->memory + s->low;
        s->low += bytes;
    }
    memcpy(memory, &at, sizeof at);
    return STATUS_OK;
}

void device_stack_clear(struct device_stack *s) {
    s->low = 0;
    s->high = s->size;
}

void device_stack_free(struct device_stack *s) {
    if (s->memory != NULL)
        cudaFree(s->memory);
    *s = (struct device_stack){0};
}

enum status device_copy_to(void *to, const void *from, size_t bytes, const char *what,
                           struct error *err) {
    if (bytes == 0)
        return STATUS_OK;
    const cudaError_t code = cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
    return gpu_check(code, what, err);
}

size_t device_arrays_bytes(const struct device_array *array, int arrays) {
    size_t bytes = 0;
    for (int k = 0; k < arrays; k++)
        bytes += aligned(array[k].bytes);
    return bytes;
}

enum status device_arrays_alloc(const struct device_array *array, int arrays, const char *what,
                                void **all, struct error *err) {
    RETURN_ON_FAILURE(gpu_check(cudaMalloc(all, device_arrays_bytes(array, arrays)), what, err));
    char *at = *all;
    for (int k = 0; k < arrays; k++) {
        memcpy(array[k].address, &at, sizeof at);
        if (array[k].from != NULL)
            RETURN_ON_FAILURE(device_copy_to(at, array[k].from, array[k].bytes, what, err));
        at += aligned(array[k].bytes);
    }
    return STATUS_OK;
}

#endif
