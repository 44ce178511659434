// SPDX-License-Identifier: MIT
/* Work on several GPUs of this process at the same time, a thread for each. */
#ifndef GPU_GPU_HANDS_H
#define GPU_GPU_HANDS_H

#include "common/base/error.h" // enum status, struct error

#include <pthread.h>
#include <stdbool.h>

/* One GPU, and what is done with it. */
struct gpu_hand {
    int device; /* number of the GPU, which is current while the work is done */
    enum status (*work)(void *self, struct error *err);
    /* Unless NULL, called in the same thread when the work has ended with that status, which is not
     * STATUS_OK if the GPU could not be selected either. */
    void (*on_end)(void *self, enum status status);
    void *self; /* for work() and on_end() */
    /* Set by the functions below: */
    bool in_thread; /* the thread runs, or waits to be joined */
    pthread_t thread;
    enum status status; /* of the work that is done, with its line in err */
    struct error err;
};

/* Begins the work of `count` hands. Where no thread can be started, it does the work itself. */
void gpu_hands_begin(struct gpu_hand *hand, int count);

/* Waits for the work that was begun. Returns the failure of the first hand in the list that had
 * one, with the GPU's name before its line; STATUS_CANCELLED only if all that failed were told to
 * stop. */
enum status gpu_hands_finish(struct gpu_hand *hand, int count, struct error *err);

/* Does the work of all hands, that of the first one in this thread, which keeps that GPU as its
 * current one, and waits for it. Fails as gpu_hands_finish. */
enum status gpu_hands_work(struct gpu_hand *hand, int count, struct error *err);

#endif
