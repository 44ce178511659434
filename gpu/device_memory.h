// SPDX-License-Identifier: MIT
/* Memory of a GPU that one solve holds. Allocations are freed all together, or all since a mark,
 * which is the `count` at some time. */
#ifndef GPU_DEVICE_MEMORY_H
#define GPU_DEVICE_MEMORY_H

#include "common/base/error.h" // enum status, struct error
#include "gpu/gpu_room.h"      // struct gpu_room

#include <stddef.h>

enum { DEVICE_MEMORY_MAX = 256 }; /* allocations at the same time */

struct device_memory {
    struct gpu_room room; /* that other processes leave; zero if this process is alone */
    void *held[DEVICE_MEMORY_MAX];
    size_t bytes[DEVICE_MEMORY_MAX]; /* of each allocation */
    int count;
    size_t most;       /* bytes at the same time, those of device_memory_count among them */
    double transfer_s; /* that copies between the host and the device have taken */
};

/* Allocates memory of the current device. STATUS_NO_RESOURCE, with what was being done, if there is
 * not enough, or less than the other processes on the device leave. */
enum status device_memory_alloc(struct device_memory *m, void **memory, size_t bytes,
                                const char *doing, struct error *err);

/* Allocates a copy of `count` elements of `size` bytes, which are in the host's memory. */
enum status device_memory_upload(struct device_memory *m, const void *from, size_t count,
                                 size_t size, const void **to, struct error *err);

/* Counts bytes that a part of the solve has allocated itself, beside what is held now. */
void device_memory_count(struct device_memory *m, size_t bytes);

/* Stores how many bytes this process can still allocate on the current device. */
enum status device_memory_left(const struct device_memory *m, size_t *bytes, struct error *err);

/* Frees all but the first `count` allocations. */
void device_memory_free_since(struct device_memory *m, int count);

#endif
