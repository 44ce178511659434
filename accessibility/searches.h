// SPDX-License-Identifier: MIT
/* Accessibility by a search from each source. */
#ifndef ACCESSIBILITY_SEARCHES_H
#define ACCESSIBILITY_SEARCHES_H

#include "accessibility/accessibility.h" // struct accessibility_request
#include "common/base/isa.h"             // enum isa

struct access_searches {
    const struct accessibility_request *request;
    const struct graph *graph; /* float64, with exact sums: struct exact */
    int threads;               /* >= 1 */
    enum isa isa;
    double *decayed; /* zeroed, as struct accessibility has it; NULL: none are wanted */
    double *within;  /* the same */
};

/* Finds the sums of all sources by Dijkstra's algorithm, no farther than the largest limit if there
 * are no decayed sums. O(sources (m + n log n)), of vertices within that limit. Fails as
 * accessibility_find. */
enum status access_search_all(const struct access_searches *s, struct error *err);

/* Returns the seconds that it takes at most. */
double access_searches_s(const struct graph *g, int32_t sources, int threads);

#endif
