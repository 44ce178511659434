// SPDX-License-Identifier: MIT
/* The number of threads in a parallel region. */
#ifndef COMMON_BASE_THREADS_H
#define COMMON_BASE_THREADS_H

#include <omp.h>

/* Options and the library take at most so many. */
enum { THREADS_MAX = 4096 };

/* Returns the number that the user asked for, or if that is 0 the number that OpenMP would take:
 * one per core, or OMP_NUM_THREADS. */
static inline int threads_or_default(int threads) {
    return threads > 0 ? threads : omp_get_max_threads();
}

/* Returns the same for work of so many simple steps. Unless the user asked for a number, each
 * thread gets enough steps to pay for its start. */
static inline int threads_worth(int threads, double steps) {
    enum { WORTH_A_THREAD = 1 << 16 };
    const int most = threads_or_default(threads);
    if (threads > 0 || steps >= (double)most * WORTH_A_THREAD)
        return most;
    return steps < 2.0 * WORTH_A_THREAD ? 1 : (int)(steps / WORTH_A_THREAD);
}

#endif
