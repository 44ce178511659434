// SPDX-License-Identifier: MIT
/* Signs of life between ranks. Every second each rank sends one to rank 0, and rank 0 one to all
 * others, from a separate thread. So a rank that works or waits for another one can be told from a
 * rank that will never answer, because it has been stopped or its host hangs.
 *
 * Before ranks have met, at the start, no sign can be sent, and only the time until they meet is
 * limited. The thread also listens for all notes of other ranks, claims for instance.
 *
 * Seconds are counted by turns of the thread: a process that has itself been stopped for an hour
 * has not waited for an hour. */
#ifndef RANKS_HEARTBEAT_H
#define RANKS_HEARTBEAT_H

#include "common/base/error.h" // enum status, struct error
#include "ranks/ranks.h"       // struct ranks
#include "ranks/transport.h"   // struct ranks_note

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Functions that the thread calls; each at most once, except listen(). */
struct heartbeat_events {
    /* Called if the ranks have not met within the time. */
    void (*not_met)(void);
    /* Called once the ranks have met, every 8 ms at rank 0 and every 64 ms elsewhere, or every 250
     * us for some time after it has returned true: takes notes of all kinds (link.h). */
    bool (*listen)(void);
    /* Called if no sign of life of another rank has come within the time, or if a rank cannot be
     * reached. The rank is -1 if it is not known: a thread stays within the transport, so that no
     * other can listen, or another thread has noticed the failure, which ranks_reachable tells.
     * code: 0 or the transport's failure. After this call no signs are sent. */
    void (*lost)(int rank, int code);
    /* Called if heartbeat_stop has not been called HEARTBEAT_GRACE seconds after a loss: some
     * thread waits within the transport for a rank that is lost, or goes on working. */
    void (*stuck)(void);
};

enum { HEARTBEAT_GRACE = 10 };

struct heartbeat {
    int timeout; /* longest silence of a rank in seconds; 0: any */
    int others; /* number of ranks that get HEARTBEAT_GRACE seconds each to end all processes before
                   this rank does */
    const struct heartbeat_events *events;
    const struct ranks *ranks; /* the ranks once they have met; NULL: they have not */
    /* for each rank, seconds since its last sign of life; owned by this struct */
    atomic_int *silent;
    int unmet;   /* seconds left for the ranks to meet */
    int hurried; /* number of times left to listen after a short pause */
    int told;    /* seconds since a rank was lost; -1: none has been lost */
    pthread_t thread;
    pthread_mutex_t waking; /* held to change members once the thread runs */
    pthread_cond_t wake;
    bool runs, stops;
};

/* Reads the environment variable APSP_RANK_TIMEOUT: a number of seconds, 0 for no limit; 120 if it
 * is not set. STATUS_BAD_INPUT if it is no such number. */
enum status heartbeat_timeout(int *seconds, struct error *err);

/* Starts the thread before the ranks meet. timeout, others and events must be set, and only
 * heartbeat_watch changes them afterwards. STATUS_NO_RESOURCE if the thread cannot be started. */
enum status heartbeat_start(struct heartbeat *h, struct error *err);

/* Starts signs of life when the ranks have met: from then on they send signs of life, and may be
 * silent for `timeout` seconds. *ranks must stay until heartbeat_stop. STATUS_NO_RESOURCE if memory
 * is short. */
enum status heartbeat_watch(struct heartbeat *h, const struct ranks *ranks, int timeout,
                            struct error *err);

/* Makes the thread listen at once and then every 250 us for some time, because ranks begin to claim
 * again. */
void heartbeat_hurry(struct heartbeat *h);

/* Takes a sign of life; self is a struct heartbeat. heartbeat_watch registers this function
 * (link_set_taker). */
int heartbeat_hear(void *self, const struct ranks *ranks, int from, const struct ranks_note *note);

/* Does the thread's work of one second; returns whether there is more to do. */
bool heartbeat_turn(struct heartbeat *h);

/* Ends the thread. Safe on a zeroed struct. */
void heartbeat_stop(struct heartbeat *h);

#endif
