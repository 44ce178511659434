// SPDX-License-Identifier: MIT
/* A block of a GPU's memory that is taken from both ends: memory that lasts from the low end,
 * temporary memory from the high end. A caller frees memory by setting `low` or `high` back to its
 * earlier value. */
#ifndef GPU_DEVICE_STACK_H
#define GPU_DEVICE_STACK_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>

struct device_stack {
    const char *what; /* purpose of the memory, for messages */
    char *memory;     /* `size` bytes on the device, of which low .. high - 1 are free */
    /* ends of the free part and the size, in bytes; multiples of the alignment of items */
    size_t low, high, size;
};

/* Allocates `size` bytes, rounded down to the alignment, on the current device. The caller frees
 * with device_stack_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status device_stack_alloc(struct device_stack *s, size_t size, const char *what,
                               struct error *err);

/* Takes `count` items of `size` bytes, from the high end if `from_high`, and stores their address
 * in the pointer that `memory` points to. STATUS_NO_RESOURCE if there is not enough. */
enum status device_stack_take(struct device_stack *s, bool from_high, size_t count, size_t size,
                              void *memory, struct error *err);

/* Makes the whole stack free. */
void device_stack_clear(struct device_stack *s);

/* Safe on a zeroed struct; leaves it zeroed. */
void device_stack_free(struct device_stack *s);

/* Copies bytes from the host to the device; 0 bytes are no error. */
enum status device_copy_to(void *to, const void *from, size_t bytes, const char *what,
                           struct error *err);

/* An array that is allocated in one block together with others. */
struct device_array {
    size_t bytes;
    const void *from; /* host memory to copy into the array; NULL: none */
    void *address;    /* address of the pointer that gets the array's address */
};

/* Returns how many bytes device_arrays_alloc takes. */
size_t device_arrays_bytes(const struct device_array *array, int arrays);

/* Allocates arrays in one block on the current device. Stores the block's address in *all, which
 * the caller frees with cudaFree, also after a failure. STATUS_NO_RESOURCE if there is not enough
 * memory. */
enum status device_arrays_alloc(const struct device_array *array, int arrays, const char *what,
                                void **all, struct error *err);

#endif
