// SPDX-License-Identifier: MIT
/* What flows down the entries of an eliminated graph on the shortest paths of all pairs, by classes
 * of rows (classes/proportional.h).
 *
 * Rows of a region whose pairs of a distance and a number of paths at its boundary differ by a
 * constant and a factor have the same tight edges inside, and the same shares: each of them asks
 * its boundary for the same flow. So a region is passed forwards and backwards once for each class,
 * and what flows inside counts as often as there are rows of the class. */
#ifndef FLOWS_CLASS_FLOWS_H
#define FLOWS_CLASS_FLOWS_H

#include "flows/counted.h" // struct counted

/* Masses are by position. The graph is reversed if up and down of its entries are exchanged. */
struct class_flows_request {
    const struct counted *counted;
    const int32_t *source; /* positions of sources, which ascend */
    int32_t sources;
    const double *from_mass; /* of each source; */
    const double *to_mass;   /* n */
    int threads;             /* >= 1 */
    enum isa isa;
    struct progress *progress; /* may be NULL; counts positions, after `done` of `all` */
    int64_t done, all;
};

/* Whether rows are alike so often that less time is taken than `other_s` seconds. Fails as
 * class_flows_find. */
enum status class_flows_predict(const struct class_flows_request *r, double other_s, bool *pays,
                                struct error *err);

/* Adds to flow[e] what flows down entry e: for the pair of s and t from_mass of s times to_mass of
 * t, divided among its shortest paths. Sets ends[v] to what is asked for at position v: its to_mass
 * times the from_mass of sources that reach it, itself not counted. Numbers of paths must be so
 * small that products of four do not overflow. The bits do not depend on the number of threads.
 * STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress says to stop. */
enum status class_flows_find(const struct class_flows_request *r, double *flow, double *ends,
                             struct error *err);

#endif
