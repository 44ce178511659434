/* Kernels that are wrong on purpose, for the shim's own test. */
#ifndef TESTS_UNIT_SHIM_KERNELS_H
#define TESTS_UNIT_SHIM_KERNELS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reverses `values` (at most 1024) through shared memory in one block; without
 * the barrier where barrier is false. */
void shim_reverse(int *values, int count, bool barrier);

/* Fills cells[b] with the turn in which block b ran. */
void shim_order_of_blocks(int *turns, int blocks);

#ifdef __cplusplus
}
#endif

#endif
