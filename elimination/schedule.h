// SPDX-License-Identifier: MIT
/* The order in which a sweep goes down the eliminated graph, and all it reads on the way, as one
 * stream.
 *
 * Every position comes after its parent, and may come anywhere after it. Subtrees that have up to
 * block_sizes.piece_positions positions together are taken at a time, and of them positions with
 * the same number of higher neighbours one after the other: a loop whose number of rounds changes
 * all the time costs more than what it does, because the processor cannot foresee where it ends.
 *
 * A slot is a place for the labels of a position while they are needed. The core has the slots
 * 0 .. core-1; after them comes one for each depth above the pieces, in which a position's labels
 * stay until all of its subtree is done; and then as many as a piece has positions. So a sweep
 * works in little memory, which the caches hold, whatever n is. */
#ifndef ELIMINATION_SCHEDULE_H
#define ELIMINATION_SCHEDULE_H

#include "elimination/eliminate.h" // struct lengths

#define schedule_find BY_LENGTH(schedule_find)
#define schedule_free BY_LENGTH(schedule_free)

/* So many steps with so many entries each. */
struct schedule_run {
    int32_t entries, steps;
};

struct schedule {
    int32_t *step; /* n: when the sweep comes to a fringe position; -1 in the core */
    int32_t slots; /* how many there are */
    struct schedule_run *run;
    int32_t runs;
    /* slots of the positions of the steps, one after the other, and of the positions above for all
     * their entries, which have the length down from it. Slots are in either width. */
    uint16_t *narrow_own, *narrow_above;
    int32_t *wide_own, *wide_above;
    path_length *down;
    void *steps, *entries; /* the memory of these arrays */
};

/* Finds the schedule in O(n + entries of the fringe), on up to `threads` >= 1 threads, of which it
 * takes no more than pay; they change nothing else. The caller frees with schedule_free.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status schedule_find(const struct tree *tree, const struct structure *structure,
                          const struct lengths *lengths, int threads, struct schedule *schedule,
                          struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void schedule_free(struct schedule *schedule);

#endif
