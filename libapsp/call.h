// SPDX-License-Identifier: MIT
/* Runs the library's work for callers with a callback and for forked processes.
 *
 * If the caller has a callback, another thread does the work, and the caller's thread calls back at
 * regular intervals, whatever the work does. In a forked child, another thread always does the
 * work: GNU OpenMP keeps its pool of threads per thread, so the thread that called fork() would
 * wait for ever for threads that do not exist in the child, and a new thread starts its own pool.
 */
#ifndef LIBAPSP_CALL_H
#define LIBAPSP_CALL_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress

#include <stdint.h>

/* The caller's callback: progress(to, done, total) returns 0 to stop. Zeroed: there is none. */
struct listener {
    int (*progress)(void *to, int64_t done, int64_t total);
    void *to;
};

/* Calls work(self, progress, err), in this thread or in another, and returns its status. Calls the
 * listener about every 50 ms from this thread, and once more with done = total after success. */
enum status call_work(const struct listener *listener,
                      enum status (*work)(void *self, struct progress *progress, struct error *err),
                      void *self, struct error *err);

#endif
