// SPDX-License-Identifier: MIT
/* Tasks for the threads of a parallel region: each thread does its own share, always the same
 * contiguous tasks, so that what it has touched first stays near it, and then helps the others. */
#ifndef CPU_PARTS_WORK_STEALING_H
#define CPU_PARTS_WORK_STEALING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One for each thread, on a cache line of its own. */
struct work_queue {
    _Alignas(64) atomic_int_fast64_t next;
};

/* The first task of a thread's share; that of thread `threads` is the number of tasks. */
static inline int64_t work_queue_start(int64_t tasks, int thread, int threads) {
    return tasks * thread / threads;
}

/* Gives a thread its share again. Between barriers: no other thread may be taking tasks. */
static inline void work_queue_reset(struct work_queue *queues, int64_t tasks, int thread,
                                    int threads) {
    atomic_store_explicit(&queues[thread].next, work_queue_start(tasks, thread, threads),
                          memory_order_relaxed);
}

/* The next task for a thread; false where none is left. *helped, 0 at first, counts the threads
 * whose queues it has found empty. */
static inline bool work_queue_take(struct work_queue *queues, int64_t tasks, int thread,
                                   int threads, int *helped, int64_t *task) {
    for (; *helped < threads; ++*helped) {
        const int owner = (thread + *helped) % threads;
        *task = atomic_fetch_add_explicit(&queues[owner].next, 1, memory_order_relaxed);
        if (*task < work_queue_start(tasks, owner + 1, threads))
            return true;
    }
    return false;
}

#endif
