// SPDX-License-Identifier: MIT
#include "gpu/device_memory.h"

#ifndef APSP_NO_CUDA

#include "common/base/clock.h"    // clock_seconds
#include "common/base/memory.h"   // memory_gib
#include "gpu/launch/gpu_error.h" // gpu_check

static size_t bytes_held(const struct device_memory *m) {
    size_t bytes = 0;
    for (int k = 0; k < m->count; k++)
        bytes += m->bytes[k];
    return bytes;
}

void device_memory_count(struct device_memory *m, size_t bytes) {
    const size_t all = bytes_held(m) + bytes;
    m->most = all > m->most ? all : m->most;
}

/* Fails if other processes on the device need the memory for their parts. */
static enum status check_room(const struct device_memory *m, size_t bytes, const char *doing,
                              struct error *err) {
    char sharers[GPU_ROOM_TEXT];
    const size_t needed = bytes_held(m) + bytes;
    return m->room.processes <= 1 || needed <= m->room.free
               ? STATUS_OK
               : fail(err, STATUS_NO_RESOURCE,
                      "%s: %.2f GiB are needed on the GPU, %.2f GiB of its %.2f GiB are free%s",
                      doing, memory_gib(needed), memory_gib(m->room.free), memory_gib(m->room.all),
                      gpu_room_sharers(&m->room, sharers));
}

enum status device_memory_alloc(struct device_memory *m, void **memory, size_t bytes,
                                const char *doing, struct error *err) {
    RETURN_ON_FAILURE(check_room(m, bytes, doing, err));
    RETURN_ON_FAILURE(gpu_check(cudaMalloc(memory, bytes > 0 ? bytes : 1), doing, err));
    m->bytes[m->count] = bytes;
    m->held[m->count++] = *memory;
    device_memory_count(m, 0);
    return STATUS_OK;
}

enum status device_memory_upload(struct device_memory *m, const void *from, size_t count,
                                 size_t size, const void **to, struct error *err) {
    void *memory;
    const double start = clock_seconds();
    RETURN_ON_FAILURE(device_memory_alloc(m, &memory, count * size, "allocating pieces", err));
    if (count > 0)
        RETURN_ON_FAILURE(gpu_check(cudaMemcpy(memory, from, count * size, cudaMemcpyHostToDevice),
                                    "copying pieces", err));
    *to = memory;
    m->transfer_s += clock_seconds() - start;
    return STATUS_OK;
}

enum status device_memory_left(const struct device_memory *m, size_t *bytes, struct error *err) {
    size_t all;
    RETURN_ON_FAILURE(gpu_check(cudaMemGetInfo(bytes, &all), "asking for its free memory", err));
    if (m->room.processes > 1) {
        const size_t held = bytes_held(m);
        *bytes = m->room.free > held ? m->room.free - held : 0;
    }
    return STATUS_OK;
}

void device_memory_free_since(struct device_memory *m, int count) {
    while (m->count > count)
        cudaFree(m->held[--m->count]);
}

#endif
