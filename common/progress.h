/* How far a solve is: told to a callback, or shown as a bar on stderr, for people:
 * only on a terminal, only for work that has taken a second already. */
#ifndef COMMON_PROGRESS_H
#define COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zeroed, it tells nobody. */
struct progress {
    /* Unless NULL, called for every report, in the thread that started the solve. */
    void (*tell)(void *to, int64_t done, int64_t total);
    void *tell_to;
    /* The bar's, set by progress_start. */
    const char *label;
    bool enabled, visible;
    double started, drawn; /* seconds, of clock.h */
};

/* A bar. */
void progress_start(struct progress *p, const char *label);

/* `done` steps of `total`, steps of equal size. Cheap enough for every k; a
 * null p is allowed and does nothing. */
void progress_report(struct progress *p, int64_t done, int64_t total);

/* Erases the bar. */
void progress_finish(struct progress *p);

#ifdef __cplusplus
}
#endif

#endif
