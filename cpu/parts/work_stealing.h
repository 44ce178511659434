// SPDX-License-Identifier: MIT
/* Work stealing. Each thread of a parallel region has a queue of contiguous tasks, the same ones
 * every time, so that memory stays near the thread that touched it first. A thread whose queue is
 * empty takes tasks from the queues of the others. */
#ifndef CPU_PARTS_WORK_STEALING_H
#define CPU_PARTS_WORK_STEALING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A thread's queue, on a cache line of its own. */
struct work_queue {
    _Alignas(64) atomic_int_fast64_t next;
};

/* The first task of a thread's queue. For thread == threads it is the number of all tasks. */
static inline int64_t work_queue_start(int64_t tasks, int thread, int threads) {
    return tasks * thread / threads;
}

/* Fills a thread's queue again. No other thread may be taking tasks: call it between barriers. */
static inline void work_queue_reset(struct work_queue *queues, int64_t tasks, int thread,
                                    int threads) {
    atomic_store_explicit(&queues[thread].next, work_queue_start(tasks, thread, threads),
                          memory_order_relaxed);
}

/* Stores the next task for a thread to *task; returns false if there is none left. *helped, 0 at
 * first, counts the queues that the thread has found empty, its own included. */
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
