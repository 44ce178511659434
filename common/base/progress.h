// SPDX-License-Identifier: MIT
/* How far a solve is: told to a callback, or shown as a bar on stderr, for people:
 * only on a terminal, only for work that has taken a second already. The callback may ask
 * to stop; what does the work then ends with STATUS_CANCELLED. */
#ifndef COMMON_BASE_PROGRESS_H
#define COMMON_BASE_PROGRESS_H

#include "common/base/error.h" // enum status

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zeroed, it tells nobody. */
struct progress {
    /* Unless NULL, called for every report, in the thread that started the work; returns whether
     * to go on. It is not called again once that is no. */
    bool (*on_report)(void *to, int64_t done, int64_t total);
    void *callback_context;
    /* The bar's, set by progress_start. */
    const char *label;
    bool enabled, visible;
    double started, drawn; /* seconds, of clock.h */
    int64_t done, total;   /* of the last report */
    bool stopped;          /* not to go on */
};

/* A bar. */
void progress_start(struct progress *p, const char *label);

/* `done` steps of `total`, steps of equal size. Returns whether to go on; once that was no, it
 * stays no. Only the thread that started the work may call it. Cheap enough for every k; a
 * null p is allowed, does nothing and goes on. */
bool progress_report(struct progress *p, int64_t done, int64_t total);

/* Whether to go on: for any thread, at any time, at no cost. Once that is no, work may leave out
 * what it likes as long as it comes to an end soon, and what it makes is garbage. */
static inline bool progress_goes_on(const struct progress *p) {
    return p == NULL || !__atomic_load_n(&p->stopped, __ATOMIC_RELAXED);
}

/* From another thread: how far it is; and to stop. */
void progress_query(const struct progress *p, int64_t *done, int64_t *total);
void progress_stop(struct progress *p);

/* The failure of work that was stopped: STATUS_CANCELLED and its line. */
enum status progress_cancelled(struct error *err);

/* Erases the bar. */
void progress_finish(struct progress *p);

#ifdef __cplusplus
}
#endif

#endif
