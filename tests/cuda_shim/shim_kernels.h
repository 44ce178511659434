// SPDX-License-Identifier: MIT
/* Kernels for the shim's own test, some of them wrong on purpose. */
#ifndef TESTS_CUDA_SHIM_SHIM_KERNELS_H
#define TESTS_CUDA_SHIM_SHIM_KERNELS_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reverses `values` (at most 1024) through shared memory in one block; without
 * the barrier if barrier is false. */
void shim_reverse(int *values, int count, bool barrier);

/* The same with pieces of four values that are copied into shared memory asynchronously. Without
 * the wait, or without closing the group that is waited for, it is wrong. */
enum shim_waiting { SHIM_WAITS, SHIM_DOES_NOT_WAIT, SHIM_WAITS_FOR_NO_GROUP };
void shim_reverse_pieces(int *values, int pieces, enum shim_waiting waiting);

/* Adds one to each value in device memory. */
void shim_add_one(int *values, int count);

/* Fills cells[b] with the turn in which block b ran. */
void shim_order_of_blocks(int *turns, int blocks);

/* Counts of one of the blocks that pass a token round. */
struct shim_report {
    int tokens;   /* that came to it in time */
    int any, all; /* votes that came out true */
    int shared;   /* threads whose number was in shared memory at the end */
};

enum { SHIM_LAPS = 4 };

/* Blocks that run together pass a token round SHIM_LAPS times, alternately in
 * ascending and in descending order. In each block one thread waits for it and
 * the others for that thread. Each time the block votes whether for one and
 * whether for all of its threads something holds: true if its number is odd. */
enum status shim_pass_token(struct shim_report *reports, int blocks, int threads,
                            struct error *err);

/* How many blocks of the token's kernel run together. */
enum status shim_blocks_together(int *blocks, struct error *err);

/* Fills cells[t] with the turn of thread t in the one block after a barrier to
 * which the threads came in another order. */
void shim_order_of_threads(int *turns, int threads);

/* Stores for each thread of a block what it got from its warp: the sum of the numbers of the lanes
 * up to its own, and the votes of those whose number is odd. */
void shim_ask_warp(int *sums, unsigned *votes, int threads);

/* Each block waits for the one before it; what was added to `*most` is how many were there at
 * once. Blocks that start in another order, or of which only one runs at a time, must not be asked.
 */
void shim_wait_for_earlier(int blocks, int *most);

/* A thread of a warp ends before an exchange of all; does not return. */
void shim_leave_warp(void);

/* Two blocks wait for one another; does not return. */
void shim_wait_in_vain(void);

#ifdef __cplusplus
}
#endif

#endif
