// SPDX-License-Identifier: MIT
/* Prefix sums for a counting sort by several threads: each thread has counted the items of its
 * part, and learns where to put them. */
#ifndef SOLVE_PREFIX_SUMS_H
#define SOLVE_PREFIX_SUMS_H

#include <stddef.h>
#include <stdint.h>

/* Replaces counts[part * n + key], the number of items of a key in a part, by the place of the
 * first of these items. The n keys are sorted as `order` lists them, or by number if it is NULL,
 * and the items of a key by part. Writes the place of the first item of the k-th key to first[k],
 * and the number of all items to first[n]. */
static inline void prefix_sums_of_counts(int64_t *counts, int parts, const int32_t *order,
                                         int32_t n, int64_t *first) {
    int64_t place = 0;
    for (int32_t k = 0; k < n; k++) {
        const int32_t key = order != NULL ? order[k] : k;
        first[k] = place;
        for (int part = 0; part < parts; part++) {
            int64_t *at = &counts[(size_t)part * (size_t)n + (size_t)key];
            const int64_t count = *at;
            *at = place;
            place += count;
        }
    }
    first[n] = place;
}

#endif
