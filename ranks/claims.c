// SPDX-License-Identifier: MIT
#include "ranks/claims.h"

#include "ranks/link.h"

#include <pthread.h>
#include <stdatomic.h>

/* State of the current claims. */
static struct {
    uint32_t round; /* number of times that claims have been opened; notes of earlier rounds to stop
                       are ignored */
    atomic_bool stopped;
    int told; /* the next peer to tell of the stop; used between link_enter and link_leave */

    pthread_mutex_t lock; /* at rank 0, protects the next two members */
    int64_t next, count;

    /* at other ranks, held by the thread that asks and waits for the answer in the next members;
     * these are set between link_enter and link_leave */
    pthread_mutex_t asking;
    bool answered;
    int64_t first, got;
} claims = {.lock = PTHREAD_MUTEX_INITIALIZER, .asking = PTHREAD_MUTEX_INITIALIZER};

int64_t claims_share(int64_t left, int takers, const struct claims_size *size) {
    const int64_t numbers = (left - 1) * size->part / (4 * (int64_t)takers);
    const int64_t whole_units = (numbers / size->unit + 1) * size->unit;
    return whole_units < size->most ? whole_units : size->most;
}

/* Claims numbers at rank 0. */
static int64_t claim(const struct ranks *ranks, const struct claims_size *size, int64_t *first) {
    pthread_mutex_lock(&claims.lock);
    const int64_t left = atomic_load(&claims.stopped) ? 0 : claims.count - claims.next;
    const int64_t share = left > 0 ? claims_share(left, ranks->count, size) : 0;
    const int64_t got = share < left ? share : left;
    *first = claims.next;
    claims.next += got;
    pthread_mutex_unlock(&claims.lock);
    return got;
}

/* Indices of words in notes: of a question of a rank, and of rank 0's answer. */
enum { PART, UNIT, MOST, FIRST = 0, GOT };

/* Posts a question or an answer. The previous note of its kind has been received, because an answer
 * to it or the next question has come. So the transport takes the note at once, or as soon as it
 * notices that. */
static int post(const struct ranks *ranks, int to, const struct ranks_note *note) {
    int posted = 0, code = 0;
    while (code == 0 && !posted)
        code = ranks->transport->post(to, note, &posted);
    return code;
}

static int take_claim(void *self, const struct ranks *ranks, int from,
                      const struct ranks_note *note) {
    const struct claims_size size = {.part = (enum claims_part)note->word[PART],
                                     .unit = note->word[UNIT],
                                     .most = note->word[MOST]};
    struct ranks_note reply = {.kind = NOTE_CLAIMED, .round = note->round};
    (void)self;
    reply.word[GOT] = claim(ranks, &size, &reply.word[FIRST]);
    return post(ranks, from, &reply);
}

static int take_claimed(void *self, const struct ranks *ranks, int from,
                        const struct ranks_note *note) {
    (void)self, (void)ranks, (void)from;
    claims.first = note->word[FIRST];
    claims.got = note->word[GOT];
    claims.answered = true;
    return 0;
}

static int take_stop(void *self, const struct ranks *ranks, int from,
                     const struct ranks_note *note) {
    (void)self, (void)ranks, (void)from;
    if (note->round == claims.round)
        atomic_store(&claims.stopped, true);
    return 0;
}

enum status claims_open(const struct ranks *ranks, int64_t count, struct error *err) {
    if (ranks->transport == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(link_enter(err));
    link_set_taker(NOTE_CLAIM, take_claim, NULL);
    link_set_taker(NOTE_CLAIMED, take_claimed, NULL);
    link_set_taker(NOTE_STOP, take_stop, NULL);
    claims.round++;
    claims.told = link_first_peer(ranks);
    atomic_store(&claims.stopped, false);
    pthread_mutex_lock(&claims.lock);
    claims.count = count;
    claims.next = 0;
    pthread_mutex_unlock(&claims.lock);
    RETURN_ON_FAILURE(link_leave(ranks, 0, "sharing", err));
    return ranks_meet(ranks, err); /* no rank claims before rank 0 is here */
}

enum status claims_again(const struct ranks *ranks, struct error *err) {
    char ready = 0;
    if (ranks->transport == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(ranks_agree(ranks, STATUS_OK, err)); /* no rank claims from here on */
    pthread_mutex_lock(&claims.lock);
    claims.next = 0;
    pthread_mutex_unlock(&claims.lock);
    /* no rank claims again before this */
    RETURN_ON_FAILURE(ranks_broadcast(ranks, &ready, sizeof ready, err));
    if (link_hurry != NULL)
        link_hurry();
    return STATUS_OK;
}

static enum status post_question(const struct ranks *ranks, const struct ranks_note *note,
                                 struct error *err) {
    RETURN_ON_FAILURE(link_enter(err));
    claims.answered = false;
    return link_leave(ranks, post(ranks, 0, note), "sharing", err);
}

static enum status look_for_answer(const struct ranks *ranks, bool *answered, struct error *err) {
    RETURN_ON_FAILURE(link_enter(err));
    bool any;
    const int code = link_listen(ranks, &any);
    *answered = claims.answered;
    return link_leave(ranks, code, "sharing", err);
}

/* Asks rank 0 for numbers. */
static enum status ask(const struct ranks *ranks, const struct claims_size *size, int64_t *first,
                       int64_t *got, struct error *err) {
    const struct ranks_note note = {
        .kind = NOTE_CLAIM,
        .round = claims.round,
        .word = {[PART] = size->part, [UNIT] = size->unit, [MOST] = size->most}};
    int waits = 0;
    bool answered = false;
    RETURN_ON_FAILURE(post_question(ranks, &note, err));
    while (!answered) {
        RETURN_ON_FAILURE(look_for_answer(ranks, &answered, err));
        if (!answered)
            link_wait(&waits);
    }
    *first = claims.first;
    *got = claims.got;
    return STATUS_OK;
}

int64_t claims_next(const struct ranks *ranks, const struct claims_size *size, int64_t *first) {
    int64_t got = 0;
    struct error err; /* ranks_reachable reports the error again */
    *first = 0;
    if (claims_stopped(ranks))
        return 0;
    if (ranks_first(ranks))
        return claim(ranks, size, first);
    pthread_mutex_lock(&claims.asking);
    if (ask(ranks, size, first, &got, &err) != STATUS_OK)
        got = 0;
    pthread_mutex_unlock(&claims.asking);
    return got;
}

void claims_stop(const struct ranks *ranks) {
    if (ranks->transport != NULL)
        atomic_store(&claims.stopped, true);
}

bool claims_stopped(const struct ranks *ranks) {
    struct error err;
    return ranks->transport != NULL &&
           (atomic_load(&claims.stopped) || ranks_reachable(&err) != STATUS_OK);
}

int claims_tell(const struct ranks *ranks) {
    const struct ranks_note note = {.kind = NOTE_STOP, .round = claims.round};
    int posted = 1, code = 0;
    while (atomic_load(&claims.stopped) && claims.told < link_end_peer(ranks) && posted &&
           code == 0) {
        code = ranks->transport->post(claims.told, &note, &posted);
        claims.told += code == 0 && posted;
    }
    return code;
}
