// SPDX-License-Identifier: MIT
/* The link of this process to the other ranks: the transport, which one thread at a time is in, and
 * the notes that ranks send one another while they work. */
#ifndef RANKS_LINK_H
#define RANKS_LINK_H

#include "common/base/error.h" // enum status, struct error
#include "ranks/ranks.h"
#include "ranks/transport.h"

#include <pthread.h>
#include <stdbool.h>

/* Functions of the transport are called between these two. link_enter fails with STATUS_NO_RESOURCE
 * if a rank cannot be reached, and then link_leave is not called; link_leave does if `code`, which
 * the transport has returned for `what`, says so. */
enum status link_enter(struct error *err);
enum status link_leave(const struct ranks *ranks, int code, const char *what, struct error *err);

/* As link_leave, in a thread that has not entered. */
enum status link_check(const struct ranks *ranks, int code, const char *what, struct error *err);

/* Takes note of why a rank cannot be reached, unless that is known already. Others may then wait
 * for this rank forever, and nobody calls the transport any more. */
void link_break(const struct error *why);

/* Lock that link_enter holds. */
extern pthread_mutex_t link_lock;

/* Waits for a moment, and longer if it has done so often; *waits, 0 at first, counts. There may be
 * more ranks than cores. */
void link_wait(int *waits);

/* The ranks that this one sends notes to, and receives them from: link_first_peer ..
 * link_end_peer - 1. */
static inline int link_first_peer(const struct ranks *ranks) {
    return ranks_first(ranks) ? 1 : 0;
}

static inline int link_end_peer(const struct ranks *ranks) {
    return ranks_first(ranks) ? ranks->count : 1;
}

/* A function that takes the notes of one kind. It is called between link_enter and link_leave, in
 * any thread, and returns 0 or a code of the transport. It is set before such notes can come. */
typedef int link_taker(void *self, const struct ranks *ranks, int from,
                       const struct ranks_note *note);
void link_set_taker(enum ranks_note_kind kind, link_taker *taker, void *self);

/* Between link_enter and link_leave: gives all notes that have come to their takers, and stores
 * whether there were others than signs of life. */
int link_listen(const struct ranks *ranks, bool *any);

/* Makes the thread that listens do so more often for some time; NULL: there is none. */
extern void (*link_hurry)(void);

#endif
