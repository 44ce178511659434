// SPDX-License-Identifier: MIT
#include "cpu/parts/repetitions.h"

#include "common/base/clock.h"     // clock_seconds
#include "common/solve/delivery.h" // delivery_sink_seconds
#include "cpu/parts/first_touch.h" // first_touch_places

enum status repetitions_by_rows(const struct solver_task *task, struct solver_times *times,
                                enum status (*once)(const struct solver_task *task,
                                                    struct error *err),
                                struct error *err) {
    times->around_s = first_touch_places(task);
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        const double start = clock_seconds();
        RETURN_ON_FAILURE(once(task, err));
        if (r >= 0)
            times->solve_s[r] = clock_seconds() - start - delivery_sink_seconds(task->delivery);
    }
    return STATUS_OK;
}
