// SPDX-License-Identifier: MIT
/* The number of threads in a parallel region. */
#ifndef COMMON_BASE_THREADS_H
#define COMMON_BASE_THREADS_H

#include "common/base/block_sizes.h"

#include <omp.h>

/* The most threads that options and the library accept. */
enum { THREADS_MAX = 4096 };

/* Returns the number of threads that the user asked for or, if that is 0, the number that OpenMP
 * would take: one per core, or OMP_NUM_THREADS. */
static inline int threads_or_default(int threads) {
    return threads > 0 ? threads : omp_get_max_threads();
}

/* Returns the number of threads for work of `steps` simple steps. Unless the user asked for a
 * number, each thread gets enough steps to pay for its start. */
static inline int threads_worth(int threads, double steps) {
    const int most = threads_or_default(threads);
    const double worth = block_sizes.thread_steps;
    if (threads > 0 || steps >= most * worth)
        return most;
    return steps < 2 * worth ? 1 : (int)(steps / worth);
}

#endif
