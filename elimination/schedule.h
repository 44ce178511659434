// SPDX-License-Identifier: MIT
/* The order in which a sweep goes down the eliminated graph, and everything that the sweep reads,
 * as one stream.
 *
 * A position comes anywhere after its parent. Subtrees with up to block_sizes.piece_positions
 * positions together are taken at a time. Among these, positions with the same number of higher
 * neighbours follow each other: a loop whose number of rounds changes all the time costs more than
 * its work, because the processor cannot predict where it ends.
 *
 * A slot is a place for the labels of a position while they are needed. The core has the slots 0 ..
 * core-1. Then comes one slot for each depth above the pieces, in which a position's labels stay
 * until its subtree is done, and then as many slots as a piece has positions. So a sweep works in
 * little memory, which fits the caches whatever n is. */
#ifndef ELIMINATION_SCHEDULE_H
#define ELIMINATION_SCHEDULE_H

#include "elimination/eliminate.h" // struct lengths

#define schedule_find BY_LENGTH(schedule_find)
#define schedule_free BY_LENGTH(schedule_free)

/* A run of `steps` steps with `entries` entries each. */
struct schedule_run {
    int32_t entries, steps;
};

struct schedule {
    int32_t *step; /* by position, n entries: step at which the sweep comes to a fringe position; -1
                      in the core */
    int32_t slots; /* number of slots */
    struct schedule_run *run;
    int32_t runs;
    /* Slots: *_own has the slot of each step's position, step after step; *_above has, for each
     * entry of each step, the slot of the higher position; down has the length from that position
     * down. Slots are stored either in 16 bits (narrow_*) or in 32 bits (wide_*). */
    uint16_t *narrow_own, *narrow_above;
    int32_t *wide_own, *wide_above;
    path_length *down;
    void *steps, *entries; /* memory of the arrays by step, and of the arrays by entry */
};

/* Finds the schedule in O(n + entries of the fringe), on up to `threads` >= 1 threads; it uses
 * fewer where more do not pay, and the schedule does not depend on them. The caller frees it with
 * schedule_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status schedule_find(const struct tree *tree, const struct structure *structure,
                          const struct lengths *lengths, int threads, struct schedule *schedule,
                          struct error *err);

/* Frees a schedule and zeroes the struct; safe on a zeroed struct. */
void schedule_free(struct schedule *schedule);

#endif
