// SPDX-License-Identifier: MIT
/* The failure that decides if several threads take the steps of some work in any order: that of the
 * lowest step, not the first in time, so that the same input gives the same message. */
#ifndef COMMON_BASE_LOWEST_FAILURE_H
#define COMMON_BASE_LOWEST_FAILURE_H

#include "common/base/error.h" // enum status, struct error

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lowest_failure {
    int32_t step; /* the lowest that failed; INT32_MAX before any has */
    enum status status;
    struct error error;
    pthread_mutex_t lock; /* its own: a thread that notes a failure may hold other locks */
};

/* Sets that no step has failed. */
void lowest_failure_begin(struct lowest_failure *f);

/* Returns whether a step still matters: no lower one has failed, nor it itself. Any thread may ask
 * at any time. */
bool lowest_failure_allows(const struct lowest_failure *f, int32_t step);

/* Notes that a step has failed, and copies *err. Returns whether it is the lowest so far. Any
 * thread may call it. */
bool lowest_failure_note(struct lowest_failure *f, int32_t step, enum status status,
                         const struct error *err);

/* Returns STATUS_OK, or the status of the lowest step that failed with its line in err. The threads
 * have to be done. */
enum status lowest_failure_end(const struct lowest_failure *f, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
