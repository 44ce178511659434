// SPDX-License-Identifier: MIT
/* Ranks divide numbers, of rows for instance, while they work: each claims the next ones when it is
 * done with its last ones. Rank 0 keeps what has been claimed, and answers notes (link.h) from the
 * thread of heartbeat.h, which looks for them every 0.25 or 8 ms. */
#ifndef RANKS_CLAIMS_H
#define RANKS_CLAIMS_H

#include "ranks/ranks.h" // struct ranks

/* Quarters that one of several takers takes of what would be its share of the numbers that are
 * left. It is less than all, so that all takers end at about the same time, whatever they do in a
 * second. Where numbers that are taken together share work, fewer and larger parts cost less. */
enum claims_part {
    CLAIMS_HALF = 2,           /* each is work by itself */
    CLAIMS_THREE_QUARTERS = 3, /* those that are taken together share work */
};

struct claims_size {
    enum claims_part part;
    int64_t unit; /* takers take whole units, at least one, */
    int64_t most; /* but at most so many */
};

/* Returns how many numbers one of `takers` takes next if so many are left, >= 1. It may be more
 * than are left. */
int64_t claims_share(int64_t left, int takers, const struct claims_size *size);

/* All ranks call it before they claim numbers 0 .. count - 1. STATUS_NO_RESOURCE if a rank cannot
 * be reached. */
enum status claims_open(const struct ranks *ranks, int64_t count, struct error *err);

/* All ranks call it to claim the numbers once more, from 0 on. A stop stays. It may fail because a
 * rank has failed before, as ranks_agree. */
enum status claims_again(const struct ranks *ranks, struct error *err);

/* Claims the next numbers, as claims_share has it, in any thread of any rank. Returns how many, and
 * stores the first; 0 if none is left, somebody has stopped or rank 0 cannot be reached. */
int64_t claims_next(const struct ranks *ranks, const struct claims_size *size, int64_t *first);

/* Tells all ranks to stop, in any thread: later claims are in vain. */
void claims_stop(const struct ranks *ranks);

/* Returns whether a rank has told to stop, or cannot be reached. */
bool claims_stopped(const struct ranks *ranks);

/* Within the link, often: passes on that ranks are to stop. Returns 0 or a code of the transport.
 */
int claims_tell(const struct ranks *ranks);

#endif
