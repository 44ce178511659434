// SPDX-License-Identifier: MIT
/* First touch of the results' memory, before the clock of solve_s starts. The operating system
 * provides a page when a thread first touches it, near that thread. */
#ifndef CPU_PARTS_FIRST_TOUCH_H
#define CPU_PARTS_FIRST_TOUCH_H

#include "common/base/clock.h"     // clock_seconds
#include "common/base/threads.h"   // threads_worth
#include "common/solve/delivery.h" // delivery_place
#include "common/solve/solver.h"   // struct solver_task

/* Every page of a row of n cells. */
static inline void first_touch_row(int32_t *row, int32_t n) {
    enum { CELLS_PER_PAGE = 4096 / sizeof(int32_t) };
    volatile int32_t *const cells = row;
    for (int32_t j = 0; j < n; j += CELLS_PER_PAGE)
        cells[j] = 0;
    cells[n - 1] = 0;
}

/* Every page of the places that the sink has for rows, by all of the task's threads. Returns the
 * seconds that took. */
static inline double first_touch_places(const struct solver_task *task) {
    const struct delivery *const d = task->delivery;
    const int32_t n = task->graph->n, rows = delivery_has_places(d) ? d->sources.count : 0;
    const double start = clock_seconds();
    /* Most steps are page faults. */
    const int threads = threads_worth(task->options->threads, 2.0 * rows * n);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t p = 0; p < rows; p++) {
        int32_t *dist, *pred;
        if (!progress_goes_on(task->progress))
            continue;
        delivery_place(d, p, NULL, NULL, &dist, &pred);
        first_touch_row(dist, n);
        if (pred != NULL)
            first_touch_row(pred, n);
    }
    return clock_seconds() - start;
}

#endif
