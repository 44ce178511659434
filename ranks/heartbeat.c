// SPDX-License-Identifier: MIT
#include "ranks/heartbeat.h"

#include "ranks/link.h"

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

/* Number of times that the thread listens after a short pause once a note has come. */
enum { HURRIED_TIMES = 256 };

/* Takes the lock of the link. If it cannot be had for a second, a thread waits within the
 * transport; then returns false. */
static bool take_lock(void) {
    enum { TRIES = 100, PAUSE_NS = 10000000 };
    for (int tries = 0; pthread_mutex_trylock(&link_lock) != 0; tries++) {
        if (tries == TRIES)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return true;
}

static int first_peer(const struct heartbeat *h) {
    return link_first_peer(h->ranks);
}

static int end_peer(const struct heartbeat *h) {
    return link_end_peer(h->ranks);
}

int heartbeat_hear(void *self, const struct ranks *ranks, int from, const struct ranks_note *note) {
    const struct heartbeat *const h = self;
    (void)ranks, (void)note;
    atomic_store(&h->silent[from], 0);
    return 0;
}

/* Sends and receives signs of life; if that fails, *rank is the rank that could not be reached. No
 * sign is sent while the previous one is still on its way. */
static int exchange(struct heartbeat *h, int *rank) {
    static const struct ranks_note alive = {.kind = NOTE_ALIVE};
    int code, posted;
    bool any;
    for (*rank = first_peer(h); *rank < end_peer(h); ++*rank) {
        if ((code = h->ranks->transport->post(*rank, &alive, &posted)) != 0)
            return code;
    }
    *rank = first_peer(h);
    return link_listen(h->ranks, &any);
}

static int patience(const struct heartbeat *h) {
    return h->timeout + h->others * (HEARTBEAT_GRACE + 5);
}

static void lose(struct heartbeat *h, int rank, int code) {
    h->told = 0;
    h->events->lost(rank, code);
}

static void look(struct heartbeat *h) {
    struct error err; /* lost() asks for the error again */
    int rank, code = 0;
    if (ranks_reachable(&err) != STATUS_OK) { /* another thread has noticed a failure */
        lose(h, -1, 0);
        return;
    }
    for (rank = first_peer(h); rank < end_peer(h); rank++)
        atomic_fetch_add(&h->silent[rank], 1);
    const bool listened = take_lock();
    if (listened) {
        code = exchange(h, &rank);
        if (code != 0)
            lose(h, rank, code); /* lose() asks the transport what the code means */
        pthread_mutex_unlock(&link_lock);
    }
    if (code != 0)
        return;
    for (rank = first_peer(h); rank < end_peer(h) && atomic_load(&h->silent[rank]) <= patience(h);)
        rank++;
    if (rank < end_peer(h))
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

static struct timespec after(struct timespec t, time_t seconds, long nanoseconds) {
    enum { SECOND = 1000000000 };
    const long all = t.tv_nsec + nanoseconds;
    return (struct timespec){t.tv_sec + seconds + all / SECOND, all % SECOND};
}

static bool is_before(struct timespec a, struct timespec b) {
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

/* Returns the nanoseconds until the thread listens again. Pauses are short while more notes may
 * follow, and long otherwise, because waking up takes time from threads that compute. Rank 0 pauses
 * less than others, because it has questions to answer. */
static long pause_of(const struct heartbeat *h) {
    enum { HURRIED = 250000, FIRST = 8000000, OTHERS = 64000000 };
    return h->hurried > 0 ? HURRIED : ranks_first(h->ranks) ? FIRST : OTHERS;
}

/* Listens, and takes a turn every second, until there is nothing left to do or the thread is told
 * to stop. */
static void *beat(void *self) {
    struct heartbeat *const h = self;
    struct timespec now, turn;
    bool goes_on = true;
    pthread_mutex_lock(&h->waking);
    clock_gettime(CLOCK_MONOTONIC, &now);
    turn = after(now, 1, 0);
    while (goes_on && !h->stops) {
        const struct timespec until = h->ranks != NULL ? after(now, 0, pause_of(h)) : turn;
        (void)pthread_cond_timedwait(&h->wake, &h->waking, &until);
        if (!h->stops && h->ranks != NULL)
            h->hurried = h->events->listen() ? HURRIED_TIMES : h->hurried - (h->hurried > 0);
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (!h->stops && !is_before(now, turn)) {
            goes_on = heartbeat_turn(h);
            clock_gettime(CLOCK_MONOTONIC, &now);
            turn = after(now, 1, 0);
        }
    }
    pthread_mutex_unlock(&h->waking);
    return NULL;
}

/* Starts the thread with signals blocked: the program handles them in its other threads. */
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

enum status heartbeat_watch(struct heartbeat *h, const struct ranks *ranks, int timeout,
                            struct error *err) {
    atomic_int *const silent = calloc((size_t)ranks->count, sizeof *silent);
    if (silent == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: signs of life of %d processes",
                    ranks->count);
    pthread_mutex_lock(&h->waking);
    h->silent = silent;
    h->timeout = timeout;
    h->others = ranks->rank > 1; /* rank 1 ends all processes if rank 0 is lost */
    link_set_taker(NOTE_ALIVE, heartbeat_hear, h);
    h->ranks = ranks;
    pthread_cond_signal(&h->wake);
    pthread_mutex_unlock(&h->waking);
    return STATUS_OK;
}

void heartbeat_hurry(struct heartbeat *h) {
    pthread_mutex_lock(&h->waking);
    h->hurried = HURRIED_TIMES;
    pthread_cond_signal(&h->wake);
    pthread_mutex_unlock(&h->waking);
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
