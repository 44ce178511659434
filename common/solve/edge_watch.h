// SPDX-License-Identifier: MIT
/* Reports progress while edges are looked at, every few milliseconds, whatever the degrees. */
#ifndef COMMON_SOLVE_EDGE_WATCH_H
#define COMMON_SOLVE_EDGE_WATCH_H

#include "common/base/error.h"    // enum status
#include "common/base/progress.h" // struct progress

struct edge_watch {
    struct progress *progress; /* may be NULL */
    int64_t done, total;       /* what to report */
    int64_t edges;             /* looked at since the last report */
};

/* `edges` more have been looked at. STATUS_OK, or STATUS_CANCELLED without a message. */
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
