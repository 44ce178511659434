// SPDX-License-Identifier: MIT
#include "common/base/progress.h"

#include "common/base/clock.h" // clock_seconds

#include <stdio.h>
#include <unistd.h>

static const double first_shown_s = 1.0, redrawn_s = 0.1;

void progress_start(struct progress *p, const char *label) {
    *p = (struct progress){.label = label, .enabled = isatty(STDERR_FILENO) == 1};
    p->started = p->drawn = clock_seconds();
}

/* Draws the bar, if enough time has passed. */
static void draw(struct progress *p) {
    enum { WIDTH = 40 };
    static const char full[] = "########################################";
    static const char empty[] = "                                        ";
    const double now = clock_seconds();
    if (now - p->drawn < (p->visible ? redrawn_s : first_shown_s))
        return;
    p->drawn = now;
    p->visible = true;
    double fraction = (double)p->done / (double)p->total;
    int filled = (int)(fraction * WIDTH);
    double left = fraction > 0 ? (now - p->started) * (1 - fraction) / fraction : 0;
    char rate[64] = "";
    if (p->unit != NULL)
        snprintf(rate, sizeof rate, ", %.3g %s/s", (double)p->done / (now - p->started), p->unit);
    fprintf(stderr, "\r%s [%.*s%.*s] %3.0f %%%s, %.0f s left ", p->label, filled, full,
            WIDTH - filled, empty, 100 * fraction, rate, left);
}

void progress_stop(struct progress *p) {
    __atomic_store_n(&p->stopped, true, __ATOMIC_RELAXED);
}

void progress_query(const struct progress *p, int64_t *done, int64_t *total) {
    *total = __atomic_load_n(&p->total, __ATOMIC_RELAXED);
    *done = __atomic_load_n(&p->done, __ATOMIC_RELAXED);
    /* The two numbers may come from different reports. */
    if (*done > *total)
        *done = *total;
    if (*total == 0)
        *total = 1;
}

bool progress_report(struct progress *p, int64_t done, int64_t total) {
    if (p == NULL || total <= 0 || !progress_goes_on(p))
        return progress_goes_on(p);
    __atomic_store_n(&p->total, total, __ATOMIC_RELAXED);
    __atomic_store_n(&p->done, done, __ATOMIC_RELAXED);
    if (p->on_report != NULL && !p->on_report(p->callback_context, done, total))
        progress_stop(p);
    if (p->enabled)
        draw(p);
    return progress_goes_on(p);
}

enum status progress_cancelled(struct error *err) {
    return fail(err, STATUS_CANCELLED, "stopped, as the caller asked");
}

void progress_finish(struct progress *p) {
    if (p->visible)
        fputs("\r\033[K", stderr);
    p->visible = false;
}
