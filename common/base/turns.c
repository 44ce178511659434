// SPDX-License-Identifier: MIT
#include "common/base/turns.h"

void turns_begin(struct turns *t) {
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->has_passed, NULL);
    t->step = 0;
}

void turns_end(struct turns *t) {
    pthread_cond_destroy(&t->has_passed);
    pthread_mutex_destroy(&t->lock);
}

void turns_wait(struct turns *t, int64_t step) {
    pthread_mutex_lock(&t->lock);
    while (t->step != step)
        pthread_cond_wait(&t->has_passed, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void turns_pass(struct turns *t) {
    pthread_mutex_lock(&t->lock);
    t->step++;
    pthread_cond_broadcast(&t->has_passed);
    pthread_mutex_unlock(&t->lock);
}
