// SPDX-License-Identifier: MIT
/* An engine that finds decayed sums by classes of rows in the place of the CPU: a GPU
 * (accessibility/gpu/gpu_decays.h). */
#ifndef ACCESSIBILITY_DECAY_ENGINE_H
#define ACCESSIBILITY_DECAY_ENGINE_H

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/error.h"       // enum status
#include "common/base/progress.h"    // struct progress

#include <stdbool.h>
#include <stdint.h>

struct proportional_graph; /* classes/proportional.h */
struct regions_options;    /* classes/regions.h */

/* Vertices are given by their positions in the order of elimination. */
struct decay_task {
    const struct proportional_graph *graph; /* of the finder's type of lengths */
    int32_t masses, decays;
    const double *mass;    /* masses of each position */
    const double *rate;    /* decays: 1 / decay of a length of 1 */
    const int32_t *source; /* positions, which ascend, */
    const int32_t *row;    /* and their rows in the answer */
    int32_t sources;
    int threads; /* of the host, >= 1 */
    int device;
    struct progress *progress; /* may be NULL */
    bool counts;               /* sources that are done are reported to progress */
    double other_s; /* seconds that the other way takes; infinite: whatever the engine takes */
    const struct regions_options *cut; /* for tests: other regions, if not NULL */
};

struct decay_finder {
    /* Stores all decayed sums in `decayed`, as struct accessibility has them, and sets *done to
     * true; or to false, if that is not predicted to pay. STATUS_NO_RESOURCE if there is no such
     * device or not enough memory, and then `decayed` is garbage; STATUS_CANCELLED if progress says
     * to stop. */
    enum status (*find)(const struct decay_task *task, double *decayed, bool *done,
                        struct error *err);
    /* Predicts how many seconds find takes for a task. Fails as find. */
    enum status (*predict)(const struct decay_task *task, double *seconds, struct error *err);
};

struct decay_engine {
    const struct decay_finder *of_int32, *of_float64; /* by the type of lengths */
    /* Has the device get ready, which takes a while. If it cannot, the finders say why. */
    void (*wake)(int device);
};

/* Returns whether there is so much to find, so many decayed sums of each source, that it pays to
 * start a device, whatever the threads of the host. */
static inline bool decays_pay_for_start(int32_t sources, int32_t sums) {
    const double each = 25; /* so many sums of a source take as long as its row */
    return sources * (1 + sums / each) >= block_sizes.gpu_decay_sources;
}

#endif
