// SPDX-License-Identifier: MIT
/* Memory of a GPU that one solve holds. All allocations are freed together, or those made after a
 * mark, which is an earlier value of `count`. */
#ifndef GPU_DEVICE_MEMORY_H
#define GPU_DEVICE_MEMORY_H

#include "common/base/error.h" // enum status, struct error
#include "gpu/gpu_room.h"      // struct gpu_room

#include <stddef.h>

enum { DEVICE_MEMORY_MAX = 256 }; /* the most allocations at the same time */

struct device_memory {
    /* memory that other processes leave to this one; zero: this process is alone */
    struct gpu_room room;
    void *held[DEVICE_MEMORY_MAX];
    size_t bytes[DEVICE_MEMORY_MAX]; /* size of each allocation in `held`, in bytes */
    int count;
    /* the most bytes in use at the same time, including those of device_memory_count */
    size_t most;
    double transfer_s; /* seconds that copies between the host and the device have taken */
};

/* Allocates memory of the current device. STATUS_NO_RESOURCE, with a message that begins with what
 * was being done, if there is not enough, or if other processes on the device leave less. */
enum status device_memory_alloc(struct device_memory *m, void **memory, size_t bytes,
                                const char *doing, struct error *err);

/* Allocates a copy of `count` elements of `size` bytes, which are in the host's memory. */
enum status device_memory_upload(struct device_memory *m, const void *from, size_t count,
                                 size_t size, const void **to, struct error *err);

/* Counts bytes that a part of the solve has allocated itself, in addition to what is held now. */
void device_memory_count(struct device_memory *m, size_t bytes);

/* Stores how many bytes this process can still allocate on the current device. */
enum status device_memory_left(const struct device_memory *m, size_t *bytes, struct error *err);

/* Frees all allocations except the first `count`. */
void device_memory_free_since(struct device_memory *m, int count);

#endif
