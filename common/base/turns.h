// SPDX-License-Identifier: MIT
/* Threads that take steps of some work in any order, and do a short part of each in turn: that of
 * step 0 first, then that of step 1, and so on. A thread that waits sleeps at once, unlike one at
 * OpenMP's `ordered`, which takes a processor from the one that it waits for if other programs run,
 * too. */
#ifndef COMMON_BASE_TURNS_H
#define COMMON_BASE_TURNS_H

#include <pthread.h>
#include <stdint.h>

struct turns {
    pthread_mutex_t lock;
    pthread_cond_t has_passed;
    int64_t step; /* step whose turn it is */
};

/* Begins with step 0. The caller frees *t with turns_end when no thread waits any more. */
void turns_begin(struct turns *t);
void turns_end(struct turns *t);

/* Waits until it is a step's turn. The caller must end each turn, also that of a step that has
 * failed, and a thread must take its steps in rising order (OpenMP: static or monotonic), or all
 * wait for one that nobody takes. */
void turns_wait(struct turns *t, int64_t step);

/* Ends the turn of the current step, whose thread calls it. */
void turns_pass(struct turns *t);

#endif
