// SPDX-License-Identifier: MIT
// The pace of a loop that launches kernels step after step: launches are at most a fraction of a
// second ahead of the device. So a solve that is to stop does not wait for a long queue, and
// progress reports what the device has done.
#ifndef GPU_LAUNCH_PACE_CUH
#define GPU_LAUNCH_PACE_CUH

#include "common/base/clock.h"    // clock_seconds
#include "common/base/progress.h" // progress_report
#include "gpu/launch/gpu_error.h" // gpu_check

#include <cuda_runtime.h>

#include <stdint.h>

// Launches the next batch of steps while one runs. An event marks the end of each batch.
class Pace {
  public:
    // Describes a loop of `all` steps, each with that number of relaxations.
    Pace(struct progress *reports_to, int64_t all, double relaxations)
        : progress(reports_to), steps(all), finished_s(clock_seconds()) {
        const double first = relaxations > 0 ? first_batch / relaxations : 1;
        batch = next = first < 1                          ? 1
                       : first < static_cast<double>(all) ? static_cast<int64_t>(first)
                                                          : all;
    }
    ~Pace() {
        for (cudaEvent_t event : mark) {
            if (event != nullptr)
                cudaEventDestroy(event);
        }
    }
    Pace(const Pace &) = delete;
    Pace &operator=(const Pace &) = delete;

    // Counts a step, after its launches. STATUS_CANCELLED if progress says to stop.
    enum status step(struct error *err) {
        if (++done == steps)
            progress_report(progress, done, steps);
        else if (done >= next)
            RETURN_ON_FAILURE(end_batch(err));
        return progress_goes_on(progress) ? STATUS_OK : progress_cancelled(err);
    }

  private:
    // Number of relaxations that take a millisecond or less: less work needs no events.
#ifdef CUDA_SHIM
    static constexpr double first_batch = 1000;
#else
    static constexpr double first_batch = 1e9;
#endif
    // Seconds: a batch that takes less is doubled, and one that takes more is halved.
    static constexpr double shortest_s = 0.01, longest_s = 0.04;

    struct progress *const progress;
    const int64_t steps;
    // number of steps: launched so far, of a batch, and at the end of this batch
    int64_t done = 0, batch, next;
    cudaEvent_t mark[2] = {nullptr, nullptr};
    int64_t done_at[2] = {0, 0};
    int64_t marks = 0;
    double finished_s; // time at which the batch before the last one finished

    enum status end_batch(struct error *err) {
        const int now = static_cast<int>(marks % 2), before = 1 - now;
        if (mark[now] == nullptr)
            RETURN_ON_FAILURE(
                gpu_check(cudaEventCreateWithFlags(&mark[now], cudaEventDisableTiming),
                          "creating an event", err));
        RETURN_ON_FAILURE(
            gpu_check(cudaEventRecord(mark[now], nullptr), "recording an event", err));
        done_at[now] = done;
        if (marks++ > 0) {
            RETURN_ON_FAILURE(
                gpu_check(cudaEventSynchronize(mark[before]), "running the kernels", err));
            const double now_s = clock_seconds(), took_s = now_s - finished_s;
            finished_s = now_s;
            if (took_s < shortest_s)
                batch *= 2;
            else if (took_s > longest_s && batch > 1)
                batch /= 2;
            progress_report(progress, done_at[before], steps);
        }
        next = done + batch;
        return STATUS_OK;
    }
};

#endif
