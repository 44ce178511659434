// SPDX-License-Identifier: MIT
/* An engine that finds decayed sums by classes of rows in place of the CPU: a GPU
 * (accessibility/gpu/gpu_decays.h). */
#ifndef ACCESSIBILITY_DECAY_ENGINE_H
#define ACCESSIBILITY_DECAY_ENGINE_H

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/error.h"       // enum status
#include "common/base/progress.h"    // struct progress

#include <stdbool.h>
#include <stdint.h>

struct proportional_graph; /* see classes/proportional.h */
struct regions_options;    /* see classes/regions.h */

/* A task for an engine. Vertices are given by their positions in the order of elimination. */
struct decay_task {
    const struct proportional_graph *graph; /* eliminated graph, with the finder's type of
                                               lengths */
    int32_t masses, decays;
    const double *mass;    /* masses of each position */
    const double *rate;    /* rate of each decay: 1 / decay of a length of 1 */
    const int32_t *source; /* positions of the sources, ascending */
    const int32_t *row;    /* row of each source in the answer */
    int32_t sources;
    int threads; /* number of host threads, >= 1 */
    int device;
    struct progress *progress;         /* may be NULL */
    bool counts;                       /* sources that are done are reported to progress */
    double other_s;                    /* seconds that searches take; infinite: use the engine in
                                          any case */
    const struct regions_options *cut; /* for tests: how to cut the graph into regions; NULL: as
                                          usual */
};

struct decay_finder {
    /* Stores all decayed sums in `decayed`, laid out as in struct accessibility. *done: false if
     * that is not predicted to pay; nothing is stored then. STATUS_NO_RESOURCE if there is no such
     * device or not enough memory; `decayed` is garbage then. STATUS_CANCELLED if progress says to
     * stop. */
    enum status (*find)(const struct decay_task *task, double *decayed, bool *done,
                        struct error *err);
    /* Predicts how many seconds find takes for a task. Fails as find. */
    enum status (*predict)(const struct decay_task *task, double *seconds, struct error *err);
};

struct decay_engine {
    const struct decay_finder *of_int32, *of_float64; /* finder for each type of lengths */
    /* Has the device get ready, which takes some time. If it cannot, the finders report why. */
    void (*wake)(int device);
};

/* Returns whether `sources` sources with `sums` decayed sums each are enough work that starting a
 * device pays, whatever the number of host threads. */
static inline bool decays_pay_for_start(int32_t sources, int32_t sums) {
    const double each = 25; /* number of sums of a source that take as long as its row */
    return sources * (1 + sums / each) >= block_sizes.gpu_decay_sources;
}

#endif
