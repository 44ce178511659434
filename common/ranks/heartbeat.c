// SPDX-License-Identifier: MIT
#include "common/ranks/heartbeat.h"

#include "common/ranks/transport.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum status heartbeat_timeout(int *seconds, struct error *err) {
    enum { USUAL = 120, MOST = 1000000 };
    const char *const text = getenv("APSP_RANK_TIMEOUT");
    *seconds = USUAL;
    if (text == NULL || *text == '\0')
        return STATUS_OK;
    char *end = NULL;
    errno = 0;
    const long number = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : -1;
    if (number < 0 || number > MOST || errno != 0 || *end != '\0')
        return fail(err, STATUS_BAD_INPUT,
                    "APSP_RANK_TIMEOUT: expected seconds from 0 (any time) to %d, found '%.80s'",
                    MOST, text);
    *seconds = (int)number;
    return STATUS_OK;
}

/* A lock that is not to be had for a second is held by a thread that waits within the transport. */
static bool take_lock(const struct heartbeat *h) {
    enum { TRIES = 100, PAUSE_NS = 10000000 };
    for (int tries = 0; pthread_mutex_trylock(h->lock) != 0; tries++) {
        if (tries == TRIES)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return true;
}

/* The ranks that this one exchanges signs with: first .. last - 1. */
static int first_peer(const struct heartbeat *h) {
    return ranks_first(h->ranks) ? 1 : 0;
}

static int last_peer(const struct heartbeat *h) {
    return ranks_first(h->ranks) ? h->ranks->count : 1;
}

/* Sends and receives what there is; *rank is one that could not be reached. */
static int exchange(struct heartbeat *h, int *rank) {
    const struct ranks_transport *const t = h->ranks->transport;
    int code = 0, from;
    for (*rank = first_peer(h); *rank < last_peer(h); ++*rank) {
        if ((code = t->beat(*rank)) != 0)
            return code;
    }
    *rank = first_peer(h);
    while ((code = t->heard(&from)) == 0 && from >= 0)
        h->silent[from] = 0;
    return code;
}

static int patience(const struct heartbeat *h) {
    return h->timeout + (h->leaves_time ? HEARTBEAT_GRACE + 5 : 0);
}

static void lose(struct heartbeat *h, int rank, int code) {
    h->told = 0;
    h->events->lost(rank, code);
}

static void look(struct heartbeat *h) {
    int rank, code = 0;
    for (rank = first_peer(h); rank < last_peer(h); rank++)
        h->silent[rank]++;
    const bool listened = take_lock(h);
    if (listened) {
        code = exchange(h, &rank);
        pthread_mutex_unlock(h->lock);
    }
    if (code != 0) {
        lose(h, rank, code);
        return;
    }
    for (rank = first_peer(h); rank < last_peer(h) && h->silent[rank] <= patience(h);)
        rank++;
    if (rank < last_peer(h))
        lose(h, listened ? rank : -1, 0);
}

bool heartbeat_turn(struct heartbeat *h) {
    if (h->timeout == 0)
        return true;
    if (h->ranks == NULL) {
        if (++h->unmet <= patience(h))
            return true;
        h->events->not_met();
        return false;
    }
    if (h->told < 0) {
        look(h);
        return true;
    }
    if (++h->told < HEARTBEAT_GRACE)
        return true;
    h->events->stuck();
    return false;
}

/* A turn every second, until there is no more to do or somebody says to stop. */
static void *beat(void *self) {
    struct heartbeat *const h = self;
    struct timespec until;
    pthread_mutex_lock(&h->waking);
    do {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec++;
        while (!h->stops && pthread_cond_timedwait(&h->wake, &h->waking, &until) == 0)
            continue;
    } while (!h->stops && heartbeat_turn(h));
    pthread_mutex_unlock(&h->waking);
    return NULL;
}

/* Signals are for the other threads. */
static int begin_thread(struct heartbeat *h) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(&h->thread, NULL, beat, h);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

enum status heartbeat_start(struct heartbeat *h, struct error *err) {
    pthread_condattr_t monotonic;
    h->told = -1;
    pthread_mutex_init(&h->waking, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&h->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    const int code = begin_thread(h);
    h->runs = code == 0;
    return h->runs ? STATUS_OK
                   : fail(err, STATUS_NO_RESOURCE,
                          "cannot start a thread for signs of life of other processes: %s",
                          strerror(code));
}

enum status heartbeat_watch(struct heartbeat *h, const struct ranks *ranks, pthread_mutex_t *lock,
                            int timeout, struct error *err) {
    int *const silent = calloc((size_t)ranks->count, sizeof *silent);
    if (silent == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: signs of life of %d processes",
                    ranks->count);
    pthread_mutex_lock(&h->waking);
    h->silent = silent;
    h->lock = lock;
    h->timeout = timeout;
    h->leaves_time = ranks->rank > 1; /* rank 1 ends all if rank 0 is lost */
    h->ranks = ranks;
    pthread_mutex_unlock(&h->waking);
    return STATUS_OK;
}

void heartbeat_stop(struct heartbeat *h) {
    if (!h->runs)
        return;
    pthread_mutex_lock(&h->waking);
    h->stops = true;
    pthread_cond_signal(&h->wake);
    pthread_mutex_unlock(&h->waking);
    pthread_join(h->thread, NULL);
    pthread_cond_destroy(&h->wake);
    pthread_mutex_destroy(&h->waking);
    free(h->silent);
    *h = (struct heartbeat){0};
}
