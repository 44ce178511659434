// SPDX-License-Identifier: MIT
#include "ranks/link.h"

#include <sched.h>
#include <time.h>

pthread_mutex_t link_lock = PTHREAD_MUTEX_INITIALIZER;
void (*link_hurry)(void);

static struct {
    pthread_mutex_t lock;
    bool is;
    struct error why;
} broken = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
    link_taker *take;
    void *self;
} takers[NOTE_KINDS];

void link_break(const struct error *why) {
    pthread_mutex_lock(&broken.lock);
    if (!broken.is)
        broken.why = *why;
    broken.is = true;
    pthread_mutex_unlock(&broken.lock);
}

enum status ranks_reachable(struct error *err) {
    pthread_mutex_lock(&broken.lock);
    const bool is_broken = broken.is;
    if (is_broken)
        *err = broken.why;
    pthread_mutex_unlock(&broken.lock);
    return is_broken ? STATUS_NO_RESOURCE : STATUS_OK;
}

enum status link_enter(struct error *err) {
    pthread_mutex_lock(&link_lock);
    const enum status status = ranks_reachable(err);
    if (status != STATUS_OK)
        pthread_mutex_unlock(&link_lock);
    return status;
}

enum status link_check(const struct ranks *ranks, int code, const char *what, struct error *err) {
    char why[256];
    if (code == 0)
        return STATUS_OK;
    ranks->transport->explain(code, why, sizeof why);
    fail(err, STATUS_NO_RESOURCE, "%s between processes: %s", what, why);
    link_break(err);
    return STATUS_NO_RESOURCE;
}

enum status link_leave(const struct ranks *ranks, int code, const char *what, struct error *err) {
    const enum status status = link_check(ranks, code, what, err);
    pthread_mutex_unlock(&link_lock);
    return status;
}

void link_wait(int *waits) {
    enum { SOON = 1000, LATE = 20000, PAUSE_NS = 50000, LONG_PAUSE_NS = 1000000 };
    *waits += *waits < LATE;
    if (*waits < SOON)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = *waits < LATE ? PAUSE_NS : LONG_PAUSE_NS}, NULL);
}

void link_set_taker(enum ranks_note_kind kind, link_taker *taker, void *self) {
    takers[kind].take = taker;
    takers[kind].self = self;
}

int link_listen(const struct ranks *ranks, bool *any) {
    struct ranks_note note;
    int from, code;
    *any = false;
    while ((code = ranks->transport->take(&from, &note)) == 0 && from >= 0) {
        *any = *any || note.kind != NOTE_ALIVE;
        if (note.kind >= NOTE_KINDS || takers[note.kind].take == NULL)
            continue; /* no function takes notes of this kind yet */
        code = takers[note.kind].take(takers[note.kind].self, ranks, from, &note);
        if (code != 0)
            break;
    }
    return code;
}
