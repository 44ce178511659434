// SPDX-License-Identifier: MIT
/* The link of this process to the other ranks: the transport, in which only one thread may be at a
 * time, and the notes that ranks send one another while they work. */
#ifndef RANKS_LINK_H
#define RANKS_LINK_H

#include "common/base/error.h" // enum status, struct error
#include "ranks/ranks.h"
#include "ranks/transport.h"

#include <pthread.h>
#include <stdbool.h>

/* Functions of the transport are called between link_enter and link_leave. link_enter fails with
 * STATUS_NO_RESOURCE if a rank cannot be reached; then link_leave must not be called. link_leave
 * fails so if `code`, which the transport has returned for `what`, is a failure. */
enum status link_enter(struct error *err);
enum status link_leave(const struct ranks *ranks, int code, const char *what, struct error *err);

/* Does what link_leave does, in a thread that has not entered. */
enum status link_check(const struct ranks *ranks, int code, const char *what, struct error *err);

/* Records why a rank cannot be reached, unless a reason is known already. Afterwards the transport
 * is not called any more, although other threads may wait in it for this rank forever. */
void link_break(const struct error *why);

/* The lock that is held between link_enter and link_leave. */
extern pthread_mutex_t link_lock;

/* Waits for a moment; the more often in a row, the longer, because there may be more ranks than
 * cores. *waits counts the calls, and must be 0 at first. */
void link_wait(int *waits);

/* The ranks with which this one exchanges notes: link_first_peer .. link_end_peer - 1. */
static inline int link_first_peer(const struct ranks *ranks) {
    return ranks_first(ranks) ? 1 : 0;
}

static inline int link_end_peer(const struct ranks *ranks) {
    return ranks_first(ranks) ? ranks->count : 1;
}

/* A function that takes the notes of one kind. It is called between link_enter and link_leave, in
 * any thread, and returns 0 or a code of the transport. It must be set before such notes can come.
 */
typedef int link_taker(void *self, const struct ranks *ranks, int from,
                       const struct ranks_note *note);
void link_set_taker(enum ranks_note_kind kind, link_taker *taker, void *self);

/* Gives all notes that have come to their takers, and stores in *any whether one was no sign of
 * life. Call it between link_enter and link_leave. */
int link_listen(const struct ranks *ranks, bool *any);

/* Makes the thread that listens do so more often for some time; NULL: there is no such thread. */
extern void (*link_hurry)(void);

#endif
