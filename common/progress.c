#include "common/progress.h"

#include "common/clock.h" // clock_seconds

#include <stdio.h>
#include <unistd.h>

static const double first_shown_s = 1.0, redrawn_s = 0.1;

void progress_start(struct progress *p, const char *label) {
    *p = (struct progress){.label = label, .enabled = isatty(STDERR_FILENO) == 1};
    p->started = p->drawn = clock_seconds();
}

void progress_report(struct progress *p, int64_t done, int64_t total) {
    enum { WIDTH = 40 };
    static const char full[] = "########################################";
    static const char empty[] = "                                        ";
    if (p == NULL || total <= 0)
        return;
    if (p->tell != NULL)
        p->tell(p->tell_to, done, total);
    if (!p->enabled)
        return;
    double now = clock_seconds();
    if (now - p->drawn < (p->visible ? redrawn_s : first_shown_s))
        return;
    p->drawn = now;
    p->visible = true;
    double fraction = (double)done / (double)total;
    int filled = (int)(fraction * WIDTH);
    double left = fraction > 0 ? (now - p->started) * (1 - fraction) / fraction : 0;
    fprintf(stderr, "\r%s [%.*s%.*s] %3.0f %%, %.0f s left ", p->label, filled, full,
            WIDTH - filled, empty, 100 * fraction, left);
}

void progress_finish(struct progress *p) {
    if (p->visible)
        fputs("\r\033[K", stderr);
    p->visible = false;
}
