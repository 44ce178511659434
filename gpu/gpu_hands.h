// SPDX-License-Identifier: MIT
/* Work on several GPUs of this process at the same time, with a thread for each GPU. */
#ifndef GPU_GPU_HANDS_H
#define GPU_GPU_HANDS_H

#include "common/base/error.h" // enum status, struct error

#include <pthread.h>
#include <stdbool.h>

/* A GPU and the work on it. */
struct gpu_hand {
    int device; /* number of the GPU, which is current while the work is done */
    enum status (*work)(void *self, struct error *err);
    /* Unless NULL, called in the same thread when the work has ended, with its status. That is a
     * failure also if the GPU could not be selected. */
    void (*on_end)(void *self, enum status status);
    void *self; /* for work() and on_end() */
    /* The members below are set by the functions of this header. */
    bool in_thread; /* the thread has been started and not been joined yet */
    pthread_t thread;
    enum status status; /* status of the work, with its message in err */
    struct error err;
};

/* Begins the work of `count` hands. If no thread can be started, does the work at once in the
 * calling thread. */
void gpu_hands_begin(struct gpu_hand *hand, int count);

/* Waits for the work that was begun. Returns the failure of the first hand in the list that failed,
 * with the GPU's name in front of its message; STATUS_CANCELLED only if all hands that failed were
 * told to stop. */
enum status gpu_hands_finish(struct gpu_hand *hand, int count, struct error *err);

/* Does the work of all hands, and waits for it. The first hand works in the calling thread, which
 * keeps that GPU as its current one. Fails as gpu_hands_finish does. */
enum status gpu_hands_work(struct gpu_hand *hand, int count, struct error *err);

#endif
