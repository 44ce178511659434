// SPDX-License-Identifier: MIT
/* A block of a GPU's memory that is taken from both ends: what lasts from the low end, and what is
 * needed for a while from the high one. Who takes memory gives it back by setting `low` or `high`
 * to what it was. */
#ifndef GPU_DEVICE_STACK_H
#define GPU_DEVICE_STACK_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>

struct device_stack {
    const char *what;       /* it is for, in messages */
    char *memory;           /* `size` bytes on the device, of which low .. high - 1 are free */
    size_t low, high, size; /* multiples of the alignment of items */
};

/* Allocates `size` bytes, rounded down, of the current device. The caller frees with
 * device_stack_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status device_stack_alloc(struct device_stack *s, size_t size, const char *what,
                               struct error *err);

/* Takes `count` items of `size` bytes and stores their address in the pointer at `memory`.
 * STATUS_NO_RESOURCE if there is not enough. */
enum status device_stack_take(struct device_stack *s, bool from_high, size_t count, size_t size,
                              void *memory, struct error *err);

/* Makes all of it free. */
void device_stack_clear(struct device_stack *s);

/* Safe on a zeroed struct; leaves it zeroed. */
void device_stack_free(struct device_stack *s);

/* Copies bytes of the host to the device; none are no error. */
enum status device_copy_to(void *to, const void *from, size_t bytes, const char *what,
                           struct error *err);

/* An array that is allocated beside others. */
struct device_array {
    size_t bytes;
    const void *from; /* what is copied there; NULL: nothing */
    void *address;    /* of the pointer to it */
};

/* Returns how many bytes device_arrays_alloc takes. */
size_t device_arrays_bytes(const struct device_array *array, int arrays);

/* Allocates arrays in one block of the current device, which *all points to and the caller frees
 * with cudaFree, also after a failure. STATUS_NO_RESOURCE if there is not enough memory. */
enum status device_arrays_alloc(const struct device_array *array, int arrays, const char *what,
                                void **all, struct error *err);

#endif
