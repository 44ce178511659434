// SPDX-License-Identifier: MIT
/* Ranks divide numbers, of rows for instance, while they work: each claims the next ones when it
 * has finished its last ones. Rank 0 keeps track of what has been claimed, and answers notes
 * (link.h) from the thread of heartbeat.h, which looks for notes every 0.25 or 8 ms. */
#ifndef RANKS_CLAIMS_H
#define RANKS_CLAIMS_H

#include "ranks/ranks.h" // struct ranks

/* A taker takes this number of quarters of its equal share of the numbers left. It is less than the
 * whole share, so that all takers end at about the same time, however long each number takes. If
 * numbers taken together share work, fewer and larger parts cost less. */
enum claims_part {
    CLAIMS_HALF = 2,           /* each number is a separate piece of work */
    CLAIMS_THREE_QUARTERS = 3, /* numbers that are taken together share work */
};

struct claims_size {
    enum claims_part part;
    int64_t unit; /* numbers are taken in whole units, at least one unit at a time */
    int64_t most; /* the most numbers that are taken at a time */
};

/* Returns how many numbers one of `takers` takes next if `left` >= 1 numbers are left. The result
 * may be more than `left`. */
int64_t claims_share(int64_t left, int takers, const struct claims_size *size);

/* All ranks call it before they claim numbers 0 .. count - 1. STATUS_NO_RESOURCE if a rank cannot
 * be reached. */
enum status claims_open(const struct ranks *ranks, int64_t count, struct error *err);

/* All ranks call it to claim the numbers again, from 0 on. A stop remains in force. Fails like
 * ranks_agree if a rank has failed before. */
enum status claims_again(const struct ranks *ranks, struct error *err);

/* Claims the next numbers, as many as claims_share returns, in any thread of any rank. Returns how
 * many, and stores the first; returns 0 if none is left, a rank has stopped the claims or rank 0
 * cannot be reached. */
int64_t claims_next(const struct ranks *ranks, const struct claims_size *size, int64_t *first);

/* Tells all ranks to stop, from any thread: later claims return 0. */
void claims_stop(const struct ranks *ranks);

/* Returns whether a rank has told all to stop, or cannot be reached. */
bool claims_stopped(const struct ranks *ranks);

/* Passes a stop on to other ranks. The caller calls it often, between link_enter and link_leave.
 * Returns 0 or a code of the transport. */
int claims_tell(const struct ranks *ranks);

#endif
