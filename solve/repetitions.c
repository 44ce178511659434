// SPDX-License-Identifier: MIT
#include "solve/repetitions.h"

#include "common/base/clock.h"   // clock_seconds
#include "common/base/threads.h" // threads_worth
#include "solve/delivery.h"      // delivery_sink_seconds
#include "solve/first_touch.h"   // first_touch_row

/* Touches every page of the sink's places for rows, with all of the task's threads. Returns how
 * many seconds that took. */
static double first_touch_places(const struct solver_task *task) {
    const struct delivery *const d = task->delivery;
    const int32_t n = task->graph->n, rows = delivery_has_places(d) ? d->sources.count : 0;
    const double start = clock_seconds();
    /* Page faults take most of the time. */
    const int threads = threads_worth(task->options->threads, 2.0 * rows * n);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t p = 0; p < rows; p++) {
        void *dist;
        int32_t *pred;
        if (!progress_goes_on(task->progress))
            continue;
        delivery_place(d, p, NULL, NULL, &dist, &pred);
        first_touch_row(dist, n, number_size(task->graph->type));
        if (pred != NULL)
            first_touch_row(pred, n, sizeof *pred);
    }
    return clock_seconds() - start;
}

enum status repetitions_by_rows(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                enum status (*once)(const struct solver_variant *variant,
                                                    const struct solver_task *task,
                                                    struct solver_times *times, struct error *err),
                                struct error *err) {
    times->around_s = first_touch_places(task);
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        const double start = clock_seconds();
        RETURN_ON_FAILURE(once(variant, task, times, err));
        if (r >= 0)
            times->solve_s[r] = clock_seconds() - start - delivery_sink_seconds(task->delivery);
    }
    return STATUS_OK;
}
