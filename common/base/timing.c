// SPDX-License-Identifier: MIT
#include "common/base/timing.h"

#include "common/base/median.h" // median
#include "common/base/memory.h" // memory_alloc

enum status timing_median(const struct timing *timings, int count, struct timing *result,
                          struct error *err) {
    void *scratch;
    RETURN_ON_FAILURE(memory_alloc(&scratch, (size_t)count, sizeof(double), "the timings", err));
    double *seconds = scratch;
    for (int r = 0; r < count; r++)
        seconds[r] = timings[r].solve_s;
    result->solve_s = median(seconds, count);
    for (int r = 0; r < count; r++)
        seconds[r] = timings[r].total_s;
    result->total_s = median(seconds, count);
    for (int r = 0; r < count; r++)
        seconds[r] = timings[r].transfer_s;
    result->transfer_s = median(seconds, count);
    result->phases = timings[count - 1].phases;
    memory_free(scratch);
    return STATUS_OK;
}
