// SPDX-License-Identifier: MIT
/* Decides on one failure if several threads take the steps of some work in any order: that of the
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
    int32_t step; /* lowest step that has failed; INT32_MAX: none has */
    enum status status;
    struct error error;
    /* used for this struct only: a thread that records a failure may hold other locks */
    pthread_mutex_t lock;
};

/* Resets the struct: no step has failed. */
void lowest_failure_begin(struct lowest_failure *f);

/* Returns whether a step still matters: neither it nor a lower one has failed. Any thread may ask
 * at any time. */
bool lowest_failure_allows(const struct lowest_failure *f, int32_t step);

/* Records that a step has failed, and copies *err. Returns whether it is the lowest such step so
 * far. Any thread may call it. */
bool lowest_failure_note(struct lowest_failure *f, int32_t step, enum status status,
                         const struct error *err);

/* Returns STATUS_OK, or the status of the lowest step that failed with its message in err. All
 * threads must have finished. */
enum status lowest_failure_end(const struct lowest_failure *f, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
