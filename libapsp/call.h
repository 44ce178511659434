// SPDX-License-Identifier: MIT
/* How the library works for a caller who wants to hear of it, or who has been forked.
 *
 * A caller with a callback gets the work done by another thread and spends the time calling back,
 * so that the callback comes in the caller's own thread and at regular intervals, whatever is being
 * done. A forked child always gets another thread: the threads of GNU OpenMP belong to the one
 * that started them, which takes those in the child that called fork() for alive and waits for
 * them for ever; a new thread starts its own. */
#ifndef LIBAPSP_CALL_H
#define LIBAPSP_CALL_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress

#include <stdint.h>

/* Who wants to hear: progress(to, done, total) returns 0 to stop. Zeroed: nobody. */
struct listener {
    int (*progress)(void *to, int64_t done, int64_t total);
    void *to;
};

/* Does work(self, progress, err), in this thread or in another, and returns what that returns. The
 * listener is called about every 50 ms from this thread, and once more with done = total after
 * success. */
enum status call_work(const struct listener *listener,
                      enum status (*work)(void *self, struct progress *progress, struct error *err),
                      void *self, struct error *err);

#endif
