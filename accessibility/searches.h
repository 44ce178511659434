// SPDX-License-Identifier: MIT
/* Accessibility by a search from each source. */
#ifndef ACCESSIBILITY_SEARCHES_H
#define ACCESSIBILITY_SEARCHES_H

#include "accessibility/accessibility.h" // struct accessibility_request
#include "common/base/isa.h"             // enum isa

struct access_searches {
    const struct accessibility_request *request;
    const struct graph *graph; /* graph of float64 with exact sums: see struct exact */
    int threads;               /* number of threads, >= 1 */
    enum isa isa;
    double *decayed; /* decayed sums, zeroed, laid out as in struct accessibility; NULL: not
                        wanted */
    double *within;  /* sums within limits, zeroed, laid out as in struct accessibility; NULL: not
                        wanted */
};

/* Finds the sums of all sources by Dijkstra's algorithm, which goes no farther than the largest
 * limit if no decayed sums are wanted. O(sources (m + n log n)), counting only vertices within that
 * limit. Fails as accessibility_find. */
enum status access_search_all(const struct access_searches *s, struct error *err);

/* Returns the most seconds that access_search_all takes. */
double access_searches_s(const struct graph *g, int32_t sources, int threads);

#endif
