// SPDX-License-Identifier: MIT
/* First touch of the results' memory, before the clock of solve_s starts. The operating system
 * provides a page when a thread first touches it, near that thread. */
#ifndef CPU_PARTS_FIRST_TOUCH_H
#define CPU_PARTS_FIRST_TOUCH_H

#include "common/base/clock.h"   // clock_seconds
#include "common/base/threads.h" // threads_worth
#include "common/solve/solver.h" // struct solver_task

/* Touches every page of row i. */
static inline void first_touch_row(const struct matrix *m, int32_t i) {
    enum { CELLS_PER_PAGE = 4096 / sizeof(int32_t) };
    volatile int32_t *row = matrix_row(m, i);
    for (int32_t j = 0; j < m->n; j += CELLS_PER_PAGE)
        row[j] = 0;
    row[m->n - 1] = 0;
}

/* Touches every page of the task's matrices, with all of its threads. Returns the seconds that it
 * took. */
static inline double first_touch_results(const struct solver_task *task) {
    const double start = clock_seconds(), n = task->graph->n;
    const int threads = threads_worth(task->options->threads, 2 * n * n); /* page faults, mostly */
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t i = 0; i < task->graph->n; i++) {
        if (!progress_goes_on(task->progress))
            continue;
        first_touch_row(task->dist, i);
        if (task->pred != NULL)
            first_touch_row(task->pred, i);
    }
    return clock_seconds() - start;
}

#endif
