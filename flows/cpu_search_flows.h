// SPDX-License-Identifier: MIT
/* Betweenness by searches on the CPU: Brandes' algorithm (Brandes 2001 and 2008) over the edges of
 * shortest paths alone (tight_kernels.h). Unlike an engine (search_flows.h), it takes any number of
 * levels, edges of weight 0, split zones and trips. */
#ifndef FLOWS_CPU_SEARCH_FLOWS_H
#define FLOWS_CPU_SEARCH_FLOWS_H

#include "common/graph/zones.h" // struct zone_split
#include "flows/betweenness.h"  // struct trip_totals
#include "flows/search_flows.h" // struct search_flows_request, struct search_flows_sums
#include "flows/trips.h"        // struct trips

struct cpu_search_flows_request {
    struct search_flows_request by; /* graph, pairs and threads; `levels` and `device` are not
                                       read */
    const char *name;               /* word for what was requested, for messages */
    double unit;                    /* factor from lengths in by.graph to lengths in the caller's
                                       graph, in which totals are */
    const int32_t *rank;            /* order of vertices in which edges of weight 0 lead upwards, n
                                       entries; NULL: no such edges */
    const struct zone_split *split; /* relates the vertices of by.graph, in which zones are split,
                                       to those of sources, masses and trips; NULL: they are the
                                       same */
    const struct trips *trips; /* trips to load instead of by.sources; by.from_mass is then NULL
                                  and by.rate is 0. NULL: masses count */
};

/* Returns the seconds that cpu_search_flows_find() is predicted to take. */
double cpu_search_flows_seconds(const struct cpu_search_flows_request *r);

/* Adds the flows to *sums and, with trips, their totals to *totals, whose lost_from and lost_to are
 * -1 if lost_pairs is 0. The result, to the bit, does not depend on the number of threads. Progress
 * counts sources, or origins of trips. STATUS_NO_RESOURCE if there is not enough memory, and for
 * graphs of about 2^31 edges or more; STATUS_CANCELLED if progress says to stop. After a failure
 * *sums and *totals are garbage. */
enum status cpu_search_flows_find(const struct cpu_search_flows_request *r,
                                  const struct search_flows_sums *sums, struct trip_totals *totals,
                                  struct error *err);

/* Returns the largest number of bytes that cpu_search_flows_find() takes, without the request and
 * the sums. */
uint64_t cpu_search_flows_memory(int32_t n, int64_t m, int threads);

#endif
