// SPDX-License-Identifier: MIT
#include "common/base/lowest_failure.h"

void lowest_failure_begin(struct lowest_failure *f) {
    f->step = INT32_MAX;
    f->status = STATUS_OK;
    f->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

bool lowest_failure_allows(const struct lowest_failure *f, int32_t step) {
    int32_t lowest;
#pragma omp atomic read
    lowest = f->step;
    return step < lowest;
}

bool lowest_failure_note(struct lowest_failure *f, int32_t step, enum status status,
                         const struct error *err) {
    pthread_mutex_lock(&f->lock);
    const bool is_lowest = step < f->step;
    if (is_lowest) {
#pragma omp atomic write
        f->step = step;
        f->status = status;
        f->error = *err;
    }
    pthread_mutex_unlock(&f->lock);
    return is_lowest;
}

enum status lowest_failure_end(const struct lowest_failure *f, struct error *err) {
    if (f->status != STATUS_OK)
        *err = f->error;
    return f->status;
}
