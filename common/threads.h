/* How many threads a parallel region gets. */
#ifndef COMMON_THREADS_H
#define COMMON_THREADS_H

#include <omp.h>

/* The number asked for, or where that is 0 what OpenMP would take: one per
 * core, or OMP_NUM_THREADS. */
static inline int threads_or_default(int threads) {
    return threads > 0 ? threads : omp_get_max_threads();
}

#endif
