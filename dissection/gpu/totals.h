// SPDX-License-Identifier: MIT
/* Answers a sink that takes totals (struct answer_totals) instead of rows. The totals of all
 * sources are found by sweeps (swept_totals.h) or by classes of rows (class_totals.h); if the sink
 * wants columns, those of the reversed graph follow. */
#ifndef DISSECTION_GPU_TOTALS_H
#define DISSECTION_GPU_TOTALS_H

#include "certificate/gpu/gpu_class_proof.h" // struct gpu_class_total
#include "common/base/error.h"               // enum status, struct error
#include "measures/gpu_totals.h"             // struct gpu_totals

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define totals_answer       BY_LENGTH(totals_answer)
#define totals_alloc        BY_LENGTH(totals_alloc)
#define totals_find_largest BY_LENGTH(totals_find_largest)

struct crew; /* see crew.h */

/* Totals of all sources, in the order of elimination. Totals of sources that belong to other
 * processes are 0. */
struct host_totals {
    struct gpu_totals row;              /* totals by sweeps, laid out as on the device, in host
                                           memory, without counts */
    struct gpu_class_total *of_classes; /* totals by classes of rows */
    path_length largest;                /* largest distance of all processes */
};

/* Bytes of the totals of one source in an array for all sources. */
#ifdef LENGTH_F64
enum { TOTALS_BYTES = (3 + DIGIT_LEVELS) * sizeof(double) + sizeof(int32_t) };
#else
enum { TOTALS_BYTES = 3 * sizeof(int64_t) + 2 * sizeof(int32_t) };
#endif

/* Returns pointers to the totals of `sources` sources in such an array. */
static inline struct gpu_totals totals_in(void *memory, size_t sources) {
    struct gpu_totals t = {0};
#ifdef LENGTH_F64
    t.upper = (double *)memory;
    t.lower = t.upper + sources;
    t.farthest = t.lower + sources;
    t.digit = (int64_t *)memory + 3 * sources;
    t.apart = sources;
    t.reached = (int32_t *)(t.digit + DIGIT_LEVELS * sources);
#else
    t.sum = (uint64_t *)memory;
    t.high = (int64_t *)(t.sum + sources);
    t.low = t.high + sources;
    t.reached = (int32_t *)(t.low + sources);
    t.farthest = t.reached + sources;
#endif
    return t;
}

/* Returns the array for which totals_in() returned t. */
static inline void *totals_memory(const struct gpu_totals *t) {
#ifdef LENGTH_F64
    return t->upper;
#else
    return t->sum;
#endif
}

/* Returns pointers to the totals of the sources from number `first` on. */
static inline struct gpu_totals totals_from(struct gpu_totals t, size_t first) {
#ifdef LENGTH_F64
    t.upper += first;
    t.lower += first;
    t.digit += first;
#else
    t.sum += first;
    t.high += first;
    t.low += first;
#endif
    t.reached += first;
    t.farthest += first;
    return t;
}

/* Allocates totals for sweeps_padded_sources() sources, unless they are allocated. The caller frees
 * totals_memory(&t->row) with memory_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status totals_alloc(const struct crew *c, struct host_totals *t, struct error *err);

/* Finds t->largest. All processes call it at the same time. */
enum status totals_find_largest(const struct crew *c, struct host_totals *t, struct error *err);

/* Finds the totals on all GPUs and hands them on. Before, class_totals_choose has left
 * c->by_classes, or sweeps_prepare has prepared. *done: totals are the whole answer; otherwise the
 * sink wants rows, and the devices have the graph as before. c->proved: the totals are proved.
 * STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress says to stop. */
enum status totals_answer(struct crew *c, bool *done, struct error *err);

#endif
