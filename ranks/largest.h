// SPDX-License-Identifier: MIT
/* Finds the largest path length of all processes, and the process that has its first source. */
#ifndef RANKS_LARGEST_H
#define RANKS_LARGEST_H

#include "common/base/length.h" // path_length
#include "ranks/ranks.h"        // ranks_least

/* Sets *largest, a whole number >= 0, to the largest one of all processes. All processes call it at
 * the same time. */
static inline enum status ranks_largest(const struct ranks *ranks, path_length *largest,
                                        struct error *err) {
#ifdef LENGTH_F64
    const double unit = 0x1p27; /* splits the number into two parts, each of which fits in an int */
    const int own_upper = (int)(*largest / unit);
    int upper = -own_upper, lower = 0;
    RETURN_ON_FAILURE(ranks_least(ranks, &upper, err));
    if (-upper == own_upper)
        lower = -(int)(*largest - own_upper * unit);
    RETURN_ON_FAILURE(ranks_least(ranks, &lower, err));
    *largest = -upper * unit - lower;
#else
    int least = -*largest;
    RETURN_ON_FAILURE(ranks_least(ranks, &least, err));
    *largest = -least;
#endif
    return STATUS_OK;
}

/* Compares *source of all processes, the lowest source of each or n if it has none. *source stays
 * in the process that has the lowest one, and becomes -1 in the others. STATUS_NO_RESOURCE if no
 * process has a source. */
static inline enum status ranks_first_source(const struct ranks *ranks, int32_t n, int32_t *source,
                                             struct error *err) {
    int lowest = *source;
    RETURN_ON_FAILURE(ranks_least(ranks, &lowest, err));
    if (lowest == n)
        return fail(err, STATUS_NO_RESOURCE, "expected totals of all rows, found none");
    *source = *source == lowest ? lowest : -1;
    return STATUS_OK;
}

#endif
