// SPDX-License-Identifier: MIT
/* Reports progress every few milliseconds, by the number of edges visited, whatever the degrees. */
#ifndef SOLVE_EDGE_WATCH_H
#define SOLVE_EDGE_WATCH_H

#include "common/base/error.h"    // enum status
#include "common/base/progress.h" // struct progress

struct edge_watch {
    struct progress *progress; /* NULL: nobody is told */
    /* steps done and all steps, as the next report gives them */
    int64_t done, total;
    int64_t edges; /* number of edges visited since the last report */
};

/* Counts `edges` more visited edges. Returns STATUS_OK, or STATUS_CANCELLED without a message. */
static inline enum status edge_watch(struct edge_watch *watch, int64_t edges) {
    enum { EDGES_A_REPORT = 1 << 21 };
    watch->edges += edges;
    if (watch->edges < EDGES_A_REPORT)
        return STATUS_OK;
    watch->edges = 0;
    return progress_report(watch->progress, watch->done, watch->total) ? STATUS_OK
                                                                       : STATUS_CANCELLED;
}

#endif
