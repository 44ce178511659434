// SPDX-License-Identifier: MIT
/* Reports how far a solve is, to a callback or as a bar on stderr. The bar appears only on a
 * terminal and only after one second. The callback may ask to stop; the work then ends with
 * STATUS_CANCELLED. */
#ifndef COMMON_BASE_PROGRESS_H
#define COMMON_BASE_PROGRESS_H

#include "common/base/error.h" // enum status

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A zeroed struct reports to nobody. */
struct progress {
    /* Unless NULL, called for every report, in the thread that started the work; returns whether to
     * go on. After it has returned false, it is not called again. */
    bool (*on_report)(void *context, int64_t done, int64_t total);
    void *callback_context;
    /* The members below are for the bar, set by progress_start. */
    const char *label;
    /* name of a step, in the plural, if the bar should show a rate; NULL: no rate */
    const char *unit;
    bool enabled, visible;
    /* times of the start and of the last drawing of the bar, by clock_seconds() */
    double started, drawn;
    int64_t done, total; /* numbers of steps in the last report */
    bool stopped;        /* the work has to end */
};

/* Shows a bar with this label, which the caller keeps alive. */
void progress_start(struct progress *p, const char *label);

/* Reports that `done` steps of `total` are done; steps have equal size. Returns whether to go on;
 * after false it always returns false. Only the thread that started the work may call it. Cheap
 * enough to call for every k. Returns true if p is NULL. */
bool progress_report(struct progress *p, int64_t done, int64_t total);

/* Returns whether to go on. Any thread may ask at any time, at no cost. After false, the work may
 * skip anything, must end soon, and its results are garbage. */
static inline bool progress_goes_on(const struct progress *p) {
    return p == NULL || !__atomic_load_n(&p->stopped, __ATOMIC_RELAXED);
}

/* For other threads: progress_query stores the last report, and progress_stop asks the work to end.
 */
void progress_query(const struct progress *p, int64_t *done, int64_t *total);
void progress_stop(struct progress *p);

/* Returns STATUS_CANCELLED with its message, for work that was stopped. */
enum status progress_cancelled(struct error *err);

/* Removes the bar. */
void progress_finish(struct progress *p);

#ifdef __cplusplus
}
#endif

#endif
