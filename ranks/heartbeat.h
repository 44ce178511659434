// SPDX-License-Identifier: MIT
/* Signs of life between ranks. Every second each rank sends one to rank 0, and rank 0 one to all
 * others, from a thread of its own, so that a rank which works, or waits for another one, is told
 * from one that will never answer because it has been stopped, say, or its host hangs.
 *
 * Before ranks have met, at the start, no sign can be sent: then only the time is limited that
 * they take to meet. The same thread listens for all notes of other ranks, claims for instance.
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

/* Functions that the thread calls, once each but for listen(). */
struct heartbeat_events {
    /* If the ranks have not met after that time. */
    void (*not_met)(void);
    /* Once they have met, every 8 ms at rank 0 and every 64 ms elsewhere, or every 250 us for
     * some time after it has returned true: takes notes of all kinds (link.h). */
    bool (*listen)(void);
    /* If another rank has not been heard of for that time, or cannot be reached. The rank is -1 if
     * it is not known: a thread stays within the transport, so that nobody can listen, or another
     * thread has found the failure, which ranks_reachable tells. code is 0 or what the transport
     * has failed with. No sign is sent any more. */
    void (*lost)(int rank, int code);
    /* If nobody has called heartbeat_stop HEARTBEAT_GRACE seconds later: a thread waits within the
     * transport for a rank that is lost, or works on. */
    void (*stuck)(void);
};

enum { HEARTBEAT_GRACE = 10 };

struct heartbeat {
    int timeout; /* seconds; 0: any time */
    int others;  /* ranks that it leaves the time to end all, HEARTBEAT_GRACE and more each */
    const struct heartbeat_events *events;
    const struct ranks *ranks; /* NULL: they have not met */
    atomic_int *silent;        /* seconds for which each rank has not been heard of; owned */
    int unmet;                 /* seconds until they meet */
    int hurried;               /* times that it listens again soon */
    int told;                  /* seconds since a rank was lost; -1: none is */
    pthread_t thread;
    pthread_mutex_t waking; /* held to change fields, once the thread runs */
    pthread_cond_t wake;
    bool runs, stops;
};

/* Reads the variable APSP_RANK_TIMEOUT of the environment: seconds, 0 for any time; 120 if it is
 * not set. STATUS_BAD_INPUT if it is no such number. */
enum status heartbeat_timeout(int *seconds, struct error *err);

/* Begins before the ranks meet, with timeout, others and events set, which nobody changes then but
 * heartbeat_watch. STATUS_NO_RESOURCE if there is no thread for it. */
enum status heartbeat_start(struct heartbeat *h, struct error *err);

/* The ranks have met: from now on they give signs of life, and may be silent for `timeout` seconds.
 * *ranks stays until heartbeat_stop.
 * STATUS_NO_RESOURCE if there is no memory for it. */
enum status heartbeat_watch(struct heartbeat *h, const struct ranks *ranks, int timeout,
                            struct error *err);

/* Makes the thread listen at once and every 250 us for some time: ranks begin to claim anew.
 */
void heartbeat_hurry(struct heartbeat *h);

/* Takes a sign of life; self is a struct heartbeat. heartbeat_watch sees to it (link_set_taker). */
int heartbeat_hear(void *self, const struct ranks *ranks, int from, const struct ranks_note *note);

/* Does the thread's work of a second; returns whether there is more to do. */
bool heartbeat_turn(struct heartbeat *h);

/* Ends the thread. Safe on a zeroed struct. */
void heartbeat_stop(struct heartbeat *h);

#endif
